"""What the tiers that multiply by slices share: some rows at a time, cut-offs, relative errors.

τ = 1.1 e^-700 bounds an exponential that is known to be below e^-700.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from symattn.oracle.exponential import LOWEST
from symattn.oracle.float64 import UP
from symattn.oracle.problem import BoolArray, Float64Array, Problem

__all__ = ["by_rows", "cut", "relative_error"]

#: Entries beyond this would overflow when they are split in halves.
LARGEST_ENTRY = 2.0**480
#: Scores at a time, so that they stay in the processor's cache.
ENTRIES = 1 << 16


def by_rows(
    problem: Problem,
    enclose: Callable[[Problem], tuple[Float64Array, Float64Array, Float64Array]],
) -> tuple[Float64Array, Float64Array, Float64Array]:
    """hi, lo and radius, each (n, d_v), from `enclose` on some rows of the problem at a time.

    Rows without a key give zeros; the radius is infinite where entries are too large.
    """
    shape, m = (problem.q.shape[0], problem.v.shape[1]), problem.k.shape[0]
    hi, lo, radius = np.zeros(shape), np.zeros(shape), np.zeros(shape)
    if m == 0:
        return hi, lo, radius
    sizes = [float(np.abs(x).max(initial=0.0)) for x in (problem.q, problem.k, problem.v)]
    if max(*sizes, abs(problem.scale or 0.0)) > LARGEST_ENTRY:
        return hi, lo, np.full(shape, np.inf)
    step = max(16, ENTRIES // m)
    with np.errstate(all="ignore"):
        for start in range(0, shape[0], step):
            rows = slice(start, start + step)
            hi[rows], lo[rows], radius[rows] = enclose(problem.rows(rows))
    dead = ~np.any(problem.allowed, axis=1)
    hi[dead], lo[dead], radius[dead] = 0.0, 0.0, 0.0
    return hi, lo, radius


def cut(x: Float64Array, off: Float64Array) -> tuple[BoolArray, BoolArray, Float64Array]:
    """For exponents x that are off by `off`: known to be below −700, computed below it, new `off`.

    Setting what is computed below −700 to −700 moves it by `off` at most, unless it is known.
    """
    below = x < LOWEST
    return x * (1 - 2.0**-50) + off < LOWEST, below, np.where(below, 2 * off, off)


def relative_error(off: Float64Array, epsilon: Float64Array | float) -> Float64Array:
    """ρ' = ρ/(1 − ρ) for ρ = (e^off − 1)(1 + ε) + ε, infinite from ρ = 1/16 on."""
    rho = (np.expm1(off) * (1 + epsilon) + epsilon) * UP
    return np.where(rho < 1 / 16, rho / (1 - rho), np.inf)
