"""The certified oracle: attention on floats with a proved error, or correctly rounded.

The floats are read as the exact numbers that they are. Three tiers enclose every output entry:
float64 with an a-priori bound (`float64`), pairs of float64 (`pairs`) and balls (`balls`). For
rounding to narrow types a tier between the first two saves most pairs (`sliced`). Each tier's bound
is derived in its docstring; `proofs/oracle.md` gathers them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from symattn.errors import InputError, UndecidedError
from symattn.oracle import float64, pairs, sliced
from symattn.oracle.balls import LARGEST_PRECISION, row_balls
from symattn.oracle.problem import Alignment, Float64Array, Problem, read
from symattn.oracle.rounding import FORMATS, certain, entry
from symattn.oracle.threads import one_thread

__all__ = ["Enclosure", "attention", "enclose", "rounded"]

Tier: TypeAlias = Literal["float64", "pairs", "balls"]


@dataclass(frozen=True, slots=True)
class Enclosure:
    """Exact outputs lie within `radius` of `midpoint`, entry by entry; NaN where they are NaN."""

    midpoint: Float64Array
    radius: Float64Array


def attention(
    q: npt.ArrayLike,
    k: npt.ArrayLike,
    v: npt.ArrayLike,
    *,
    mask: npt.ArrayLike | None = None,
    causal: bool = False,
    scale: float | None = None,
    alignment: Alignment = "lower-right",
    tier: Tier = "float64",
) -> Enclosure:
    """Enclose attention on q (n, d_k), k (m, d_k), v (m, d_v): midpoint and radius (n, d_v).

    Rows that a tier cannot enclose go to the next one. `mask` is boolean, True where attention is
    allowed, or additive; rows without an attendable key give zeros; an attended NaN gives NaN.

    >>> enclosure = attention([[1.0, 0.0]], [[1.0, 0.0], [0.0, 1.0]], [[1.0], [0.0]])
    >>> bool(abs(enclosure.midpoint - 0.6697615493266569) <= 1e-16 + enclosure.radius)
    True

    Raises ShapeError for shapes that do not fit, InputError for infinities and for scores beyond
    the range of the type.
    """
    problem = read(q, k, v, mask=mask, causal=causal, scale=scale, alignment=alignment)
    return enclose(problem, tier)


def enclose(problem: Problem, tier: Tier = "float64") -> Enclosure:
    """Enclose a problem that was read before."""
    shape = (problem.q.shape[0], problem.v.shape[1])
    middle, radius = np.zeros(shape), np.full(shape, np.inf)
    with one_thread():
        if tier == "float64":
            middle, radius = float64.enclose(problem)
        if tier != "balls":
            rows = np.flatnonzero(np.isinf(radius).any(axis=1))
            if rows.size:
                hi, lo, off = pairs.enclose(problem.rows(rows))
                # The pair is reported as its first float; what that leaves out is in the radius.
                off = np.where(np.isinf(off), off, (off + np.abs(lo)) * float64.UP)
                middle[rows], radius[rows] = hi, off
    for i in np.flatnonzero(np.isinf(radius).any(axis=1)).tolist():
        middle[i], radius[i] = _ball_row(problem, i)
    middle[problem.nan] = np.nan
    return Enclosure(middle, radius)


def rounded(
    q: npt.ArrayLike,
    k: npt.ArrayLike,
    v: npt.ArrayLike,
    *,
    mask: npt.ArrayLike | None = None,
    causal: bool = False,
    scale: float | None = None,
    alignment: Alignment = "lower-right",
    dtype: npt.DTypeLike | None = None,
) -> npt.NDArray[Any]:
    """Attention correctly rounded to `dtype` (by default the inputs'), ties to even.

    As in IEEE 754, outputs beyond the largest number of the type become infinite.

    >>> rounded([[0.0]], [[1.0], [2.0], [3.0]], [[1.0], [0.0], [0.0]], dtype=np.float32)
    array([[0.33333334]], dtype=float32)

    Raises as `attention` does.
    """
    problem = read(q, k, v, mask=mask, causal=causal, scale=scale, alignment=alignment)
    target = np.dtype(problem.dtype if dtype is None else dtype)
    if target.name not in FORMATS:
        raise InputError(f"dtype={target} must be one of {', '.join(FORMATS)}")
    # What the tier between proves is too wide for float64, and ample for the rest.
    tiers = [pairs.enclose] if target.name == "float64" else [sliced.enclose, pairs.enclose]
    with one_thread():
        middle, radius = float64.enclose(problem)
        result, known = certain(middle, np.zeros_like(middle), radius, target.name)
        for tier in tiers:
            rows, columns = np.flatnonzero(~known.all(axis=1)), np.flatnonzero(~known.all(axis=0))
            if rows.size:
                enclosure = tier(problem.rows(rows).columns(columns))
                block = np.ix_(rows, columns)
                result[block], known[block] = certain(*enclosure, target.name)
    for i, column in np.argwhere(~known & ~problem.nan).tolist():
        result[i, column] = entry(problem, i, column, target.name)
    result[problem.nan] = np.nan
    with np.errstate(over="ignore"):  # beyond the type's largest number the nearest is infinity
        return result.astype(target)


def _ball_row(problem: Problem, i: int) -> tuple[Float64Array, Float64Array]:
    """One row by balls, to about 100 bits below its largest value, as float64."""
    size = float(np.abs(problem.v).max(initial=0.0))
    precision = 128
    while True:
        balls = row_balls(problem, i, precision)
        if all(ball.is_finite() for ball in balls):
            middle = np.array([float(ball.mid()) for ball in balls])
            off = [abs(ball - x).upper() for ball, x in zip(balls, middle.tolist(), strict=True)]
            radius = np.array([0.0 if x == 0 else np.nextafter(float(x), np.inf) for x in off])
            wide = max((float(ball.rad()) for ball in balls), default=0.0) > 2.0**-100 * size
            if not wide:
                return middle, radius
        if precision > LARGEST_PRECISION:
            raise UndecidedError(f"row {i} could not be enclosed with {LARGEST_PRECISION} bits")
        precision *= 2
