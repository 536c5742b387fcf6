r"""The second tier: attention in pairs of float64, about 100 bits, with an a-priori bound.

u = 2^-53, η = 2^-1074; the pair operations and their errors are those of `doubledouble`.

1. **Dot products.** Products are split exactly (those of two numbers of 24 bits are exact as they
   are, and sums of two of them are split by `two_sum`) and added up in a binary tree of
   λ_d = ⌈log₂ d⌉ levels; all partial sums of a level together are at most A = Σ|q_t||k_t| in size:
   |h + l − q·k| ≤ 3.2 λ_d u² A + 8dη (3.1 by `add`, the rest covers products of errors).
2. **Scale** σ as a pair (1/√d within 2u²): 10u² + 2u² + u²; **bias**: the last sum rounds by
   4u²(|s| + |b|); **shift** by M, the largest hi of the row: 4u²(|h| + |M|). So the exponent errs
   by δ = (3.2 λ_d + 13) u² σA + 4u²(|s| + |b| + |h| + |M|) + 8(d + 1)(σ + 1)η.
3. **Exponential** `exp_pair`, for −700 ≤ x ≤ 0 within ε = 2^-100 + 4u²|x|, and η where its low part
   underflows. Below, 0 is known within τ = 1.1 e^-700, which covers that η too.
4. **Sums**: each term by `scale` (4u²), then a tree: (3.2 λ_m + 4)u² A_c, A_c = Σ E_j|v_jc|. With
   ρ_j = (e^δ_j − 1)(1 + ε_j) + ε_j and ρ' = ρ/(1 − ρ):
   ΔN_c = Σ_j ρ'_j E_j |v_jc| + (3.2 λ_m + 4)u² A_c + 2τ Σ|v_jc| + 8mη, and ΔZ with v = 1.
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

from symattn.oracle.doubledouble import Pair, add, multiply, normalise, scale, two_product, two_sum
from symattn.oracle.exponential import LOWEST, split
from symattn.oracle.float64 import ETA, TAU, UP, U
from symattn.oracle.problem import Float64Array, Problem

__all__ = ["blend", "enclose", "exp_pair", "exp_pair_bound", "shifted_pairs"]

#: Entries beyond this would overflow when they are split in halves.
LARGEST_ENTRY = 2.0**480
#: Products at a time, so that they stay in the processor's cache.
ENTRIES = 1 << 16
_TABLE = 1024


def enclose(problem: Problem) -> tuple[Float64Array, Float64Array, Float64Array]:
    """hi, lo and radius, each (n, d_v); the radius is infinite where this tier cannot tell."""
    shape = (problem.q.shape[0], problem.v.shape[1])
    if problem.k.shape[0] == 0:
        return np.zeros(shape), np.zeros(shape), np.zeros(shape)
    sizes = [float(np.abs(x).max(initial=0.0)) for x in (problem.q, problem.k, problem.v)]
    if max(*sizes, abs(problem.scale or 0.0)) > LARGEST_ENTRY:
        return np.zeros(shape), np.zeros(shape), np.full(shape, np.inf)
    hi, lo, radius = np.zeros(shape), np.zeros(shape), np.zeros(shape)
    step = max(1, ENTRIES // (problem.k.shape[0] * max(problem.q.shape[1], shape[1] + 1)))
    with np.errstate(all="ignore"):
        for start in range(0, shape[0], step):
            rows = slice(start, start + step)
            hi[rows], lo[rows], radius[rows] = _enclose(problem.rows(rows))
    dead = ~np.any(problem.allowed, axis=1, keepdims=True)
    return np.where(dead, 0.0, hi), np.where(dead, 0.0, lo), np.where(dead, 0.0, radius)


def shifted_pairs(problem: Problem) -> tuple[Pair, Float64Array]:
    """x = t − M as pairs (n, m), 0 where masked, and the bound δ of step 2."""
    d = problem.q.shape[1]
    zero = np.zeros((problem.q.shape[0], problem.k.shape[0]))
    raw = _dot_products(problem.q, problem.k, exact=problem.dtype.itemsize <= 4)
    sigma = _scale_pair(d) if problem.scale is None else (problem.scale, 0.0)
    pair_of_sigma = (np.float64(sigma[0]), np.float64(sigma[1]))
    scaled = multiply(raw, (zero + pair_of_sigma[0], zero + pair_of_sigma[1]))
    size = np.abs(problem.q) @ np.abs(problem.k).T * abs(sigma[0]) * UP
    off = (3.2 * _levels(d) + 13) * U * U * size
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
    off = (off + 4 * U * U * rounded) * UP + 8 * (d + 1) * (abs(sigma[0]) + 1) * ETA
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
    m = values.shape[0]
    columns = (weights[0][:, np.newaxis], weights[1][:, np.newaxis])
    sums = _tree_sum(scale(columns, np.ascontiguousarray(values.T)))
    magnitude = np.abs(values)
    moved = np.where(weights[0] > 0, weights[0] * rho, 0.0) @ magnitude
    off = moved + (3.2 * _levels(m) + 4) * U * U * (weights[0] @ magnitude)
    off = off * UP + 2 * TAU * magnitude.sum(axis=0) + 8 * m * ETA
    total = (sums[0][:, -1:], sums[1][:, -1:])
    quotient = _divide((sums[0][:, :-1], sums[1][:, :-1]), total)
    size = np.abs(quotient[0])
    radius = (size * off[:, -1:] + off[:, :-1]) / (total[0] - off[:, -1:]) * UP
    radius = (radius + 20 * U * U * size) * UP + 8 * ETA
    return *quotient, np.where(np.isfinite(radius) & (radius >= 0), radius, np.inf)


def _enclose(problem: Problem) -> tuple[Float64Array, Float64Array, Float64Array]:
    x, off = shifted_pairs(problem)
    cut = x[0] < LOWEST
    x = (np.where(cut, LOWEST, x[0]), np.where(cut, 0.0, x[1]))
    keep = problem.allowed & ~cut
    hi, lo = exp_pair(x)
    weights = (np.where(keep, hi, 0.0), np.where(keep, lo, 0.0))
    epsilon = exp_pair_bound(x[0])
    rho = (np.expm1(off) * (1 + epsilon) + epsilon) * UP
    rho = np.where(rho < 1 / 16, rho / (1 - rho), np.inf)
    values = np.hstack([problem.v, np.ones((problem.v.shape[0], 1))])
    return blend(weights, values, rho)


def _dot_products(q: Float64Array, k: Float64Array, exact: bool) -> Pair:
    """Q Kᵀ as pairs, by step 1; `exact` where products of two entries are."""
    if not exact or q.shape[1] < 2:
        return _tree_sum(two_product(q[:, np.newaxis], k))
    products = q[:, np.newaxis] * k
    half = (q.shape[1] + 1) // 2
    rest = np.zeros_like(products[..., :half])
    rest[..., : q.shape[1] - half] = products[..., half:]
    return _tree_sum(two_sum(products[..., :half], rest))


def _tree_sum(x: Pair) -> Pair:
    """Sum along the last axis, in `_levels` levels."""
    hi, lo = x
    if hi.shape[-1] == 0:
        return hi.sum(axis=-1), lo.sum(axis=-1)
    while (length := hi.shape[-1]) > 1:
        half, odd = length // 2, length - length % 2
        s, e = add(
            (hi[..., :half], lo[..., :half]),
            (hi[..., half:odd], lo[..., half:odd]),
        )
        if odd < length:
            s, e = np.concatenate([s, hi[..., -1:]], -1), np.concatenate([e, lo[..., -1:]], -1)
        hi, lo = s, e
    return hi[..., 0], lo[..., 0]


def _levels(length: int) -> int:
    """⌈log₂ length⌉."""
    return max(length - 1, 0).bit_length()


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
