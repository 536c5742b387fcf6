r"""The second tier: attention in pairs of float64, about 100 bits, with an a-priori bound.

u = 2^-53, η = 2^-1074; the pair operations and their errors are those of `doubledouble`, the matrix
products and theirs, Δ below, those of `slices`.

1. **Dot products** h + l of q and k err by Δ.
2. **Scale** σ as a pair (1/√d within 2u²): 10u² + 2u² + u²; **bias**: the last sum rounds by
   4u²(|s| + |b|); **shift** by M, the largest hi of the row: 4u²(|h| + |M|). So the exponent errs
   by δ = σΔ + 13u²|s| + 4u²(|s| + |b| + |h| + |M|) + 8(σ + 1)η.
3. **Exponential** `exp_pair`, for −700 ≤ x ≤ 0 within ε = 2^-100 + 4u²|x|, and η where its low part
   underflows. Where x + δ < −700, 0 is known within τ = 1.1 e^-700, which covers that η too; other
   x below −700 are set to it, which moves them by δ at most: 2δ.
4. **Sums**: the product of exponentials and values errs by Δ_c. With ρ_j = (e^δ_j − 1)(1 + ε_j) +
   ε_j and ρ' = ρ/(1 − ρ): ΔN_c = Σ_j ρ'_j E_j |v_jc| + Δ_c + 2τ Σ|v_jc|, and ΔZ with v = 1.
5. **Quotient** r = N/Z by one correction: 20u²|r| (ten roundings of terms below 4u|N|, and the
   second-order term 4u²). Then as in the first tier
   |N*/Z* − r| ≤ (|r|ΔZ + ΔN)/(Z − ΔZ) + 20u²|r| + 8η.

`exp_pair`: x = kL + r, L = ln 2/1024 = L₁ + L₂ + L₃ with two parts of 30 bits, so kL₁ and kL₂ are
exact for |k| < 2^20.1; kL₃ and the rest of L err by 2·2^-103 and adding what is small by
3u(u|x| + 2^-50) < 3.1u²|x| + 2^-101.4. e^r = 1 + r(1 + r(1/2 + r(1/6 + q))) in pairs,
q = r(1/24 + r(1/120 + r(1/720 + r/5040))) in float64: |r| < 2^-11.5, so 4u|q||r|³ < 2^-101, the
remainder r⁸/8! < 2^-107 and the pair operations on r and below are worth less than 2^-110. The
table's entries are within u², the last product and sum cost 4u². In sum 2^-100 + 4u²|x|.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from flint import arb, ctx

from symattn.oracle.doubledouble import Pair, add, multiply, normalise, two_product, two_sum
from symattn.oracle.exponential import LOWEST, split
from symattn.oracle.float64 import ETA, TAU, UP, U
from symattn.oracle.problem import Float64Array, Problem
from symattn.oracle.rows import by_rows, cut, relative_error
from symattn.oracle.slices import product

__all__ = ["blend", "enclose", "exp_pair", "exp_pair_bound", "shifted_pairs"]

_TABLE = 1024


def enclose(problem: Problem) -> tuple[Float64Array, Float64Array, Float64Array]:
    """hi, lo and radius, each (n, d_v); the radius is infinite where this tier cannot tell."""
    return by_rows(problem, _enclose)


def shifted_pairs(problem: Problem) -> tuple[Pair, Float64Array]:
    """x = t − M as pairs (n, m), 0 where masked, and the bound δ of step 2."""
    raw, off = product(problem.q, problem.k)
    zero = np.zeros_like(off)
    sigma = _scale_pair(problem.q.shape[1]) if problem.scale is None else (problem.scale, 0.0)
    scaled = multiply(raw, (zero + sigma[0], zero + sigma[1]))
    off = abs(sigma[0]) * off + 13 * U * U * np.abs(scaled[0])
    rounded = np.abs(scaled[0])
    if problem.bias is not None:
        s, e = two_sum(scaled[0], problem.bias)
        scaled = normalise(s, e + scaled[1])
        rounded = rounded + np.abs(problem.bias)
    largest = np.where(problem.allowed, scaled[0], -np.inf).max(axis=1, keepdims=True)
    largest = np.where(largest == -np.inf, 0.0, largest)
    rounded = rounded + np.abs(scaled[0]) + np.abs(largest)
    s, e = two_sum(scaled[0], zero - largest)
    x = normalise(s, e + scaled[1])
    off = (off + 4 * U * U * rounded) * UP + 8 * (abs(sigma[0]) + 1) * ETA
    seen = problem.allowed
    return (np.where(seen, x[0], 0.0), np.where(seen, x[1], 0.0)), np.where(seen, off, 0.0)


def exp_pair(x: Pair) -> Pair:
    """e^x as a normalised pair, for −700 ≤ x ≤ 0, within `exp_pair_bound` relatively, and η."""
    table_hi, table_lo, inverse, (first, second, third), (sixth_hi, sixth_lo) = _constants()
    k = np.rint(x[0] * inverse)
    a, e = two_sum(x[0], -(k * first))
    b, f = two_sum(a, -(k * second))
    r = two_sum(b, (e + f) + (x[1] - k * third))
    tail = r[0] * (1 / 24 + r[0] * (1 / 120 + r[0] * (1 / 720 + r[0] * (1 / 5040))))
    s, e = two_sum(np.full_like(r[0], sixth_hi), tail)
    p = normalise(s, e + sixth_lo)
    for constant in (0.5, 1.0):
        p = multiply(r, p)
        s, e = two_sum(np.full_like(r[0], constant), p[0])
        p = normalise(s, e + p[1])
    p = multiply(r, p)
    index = k.astype(np.int64)
    entry = (table_hi[index & (_TABLE - 1)], table_lo[index & (_TABLE - 1)])
    hi, lo = add(entry, multiply(entry, p))
    power = (index >> 10).astype(np.int32)
    return np.ldexp(hi, power), np.ldexp(lo, power)


def exp_pair_bound(x: Float64Array) -> Float64Array:
    """ε of step 3, the relative error of `exp_pair`."""
    return 2.0**-100 + 4 * U * U * np.abs(x)


def blend(
    weights: Pair, values: Float64Array, rho: Float64Array
) -> tuple[Float64Array, Float64Array, Float64Array]:
    """Steps 4 and 5: Σ e_j v_j / Σ e_j as (hi, lo, radius), for e_j within ρ'_j E_j + 2τ of E_j.

    `values` (m, d_v + 1) ends in a column of ones; `rho` (n, m) is ρ'.
    """
    sums, off = product(weights[0], np.ascontiguousarray(values.T), weights[1])
    magnitude = np.abs(values)
    moved = np.where(weights[0] > 0, weights[0] * rho, 0.0) @ magnitude
    off = (off + moved) * UP + 2 * TAU * magnitude.sum(axis=0)
    total = (sums[0][:, -1:], sums[1][:, -1:])
    quotient = _divide((sums[0][:, :-1], sums[1][:, :-1]), total)
    size = np.abs(quotient[0])
    radius = (size * off[:, -1:] + off[:, :-1]) / (total[0] - off[:, -1:]) * UP
    radius = (radius + 20 * U * U * size) * UP + 8 * ETA
    return *quotient, np.where(np.isfinite(radius) & (radius >= 0), radius, np.inf)


def _enclose(problem: Problem) -> tuple[Float64Array, Float64Array, Float64Array]:
    x, off = shifted_pairs(problem)
    known, below, off = cut(x[0], off)
    x = (np.where(below, LOWEST, x[0]), np.where(below, 0.0, x[1]))
    keep = problem.allowed & ~known
    hi, lo = exp_pair(x)
    weights = (np.where(keep, hi, 0.0), np.where(keep, lo, 0.0))
    rho = relative_error(off, exp_pair_bound(x[0]))
    values = np.hstack([problem.v, np.ones((problem.v.shape[0], 1))])
    return blend(weights, values, rho)


def _divide(x: Pair, y: Pair) -> Pair:
    """x/y for broadcasting pairs, by step 5."""
    first = x[0] / y[0]
    p, e = two_product(first, y[0])
    rest = ((x[0] - p) - e) + (x[1] - first * y[1])
    return normalise(first, rest / y[0])


def _scale_pair(d: int) -> tuple[float, float]:
    """1/√d as a pair."""
    precision, ctx.prec = ctx.prec, 200
    try:
        value = arb(max(d, 1)).rsqrt()
        hi = float(value)
        return hi, float(value - hi)
    finally:
        ctx.prec = precision


@lru_cache(maxsize=1)
def _constants() -> tuple[
    Float64Array, Float64Array, float, tuple[float, float, float], tuple[float, float]
]:
    """The table 2^(i/1024) as pairs, 1/L, L in three parts, and 1/6 as a pair."""
    precision, ctx.prec = ctx.prec, 300
    try:
        step = arb(2).log() / _TABLE
        table = [(step * i).exp() for i in range(_TABLE)]
        hi = np.array([float(entry) for entry in table])
        lo = np.array([float(entry - top) for entry, top in zip(table, hi.tolist(), strict=True)])
        first, second, third = split(step, (30, 30))
        sixth = arb(1) / 6
        return hi, lo, float(1 / step), (first, second, third), (1 / 6, float(sixth - 1 / 6))
    finally:
        ctx.prec = precision
