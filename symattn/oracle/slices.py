r"""Matrix products X Yᵀ as pairs of float64, through products of slices that BLAS forms exactly.

u = 2^-53, η = 2^-1074, k is the length of the rows. The method is that of Ozaki, Ogita, Oishi and
Rump, "Error-free transformations of matrix multiplication by using fast routines of matrix
multiplication and its applications", Numerical Algorithms 59, 2012.

1. **Slices.** With β = min(25, ⌊(55 − ⌈log₂ k⌉)/2⌋) and 2^e above a row's largest entry, slice i is
   the nearest multiple of g_i = 2^{e + 1 − iβ} to what the slices before it leave, so at most
   2^{β−1} g_i; it leaves g_i/2 at most. Adding and subtracting 1.5 · 2^52 g_i rounds so, and the
   rest is a float again. Where X is a sum of two floats, the second is added to the rest by
   `two_sum` each time: it is below 2^{e−53} and moves no slice beyond its 2^{β−1} g_i. X = X₁ + X₂
   + X₃ + X₊; write X_{>s} for what s slices leave.
2. **Exact products.** Terms of X_i Y_jᵀ are integers up to 2^{2β−2} in units of g_i g_j, and k of
   them add up to at most 2^53: whatever the order, each partial sum is exact. Where g_i g_j < η
   terms underflow, by kη in a product at most.
3. **The rest** X Yᵀ − Σ_{i+j≤4} X_i Y_jᵀ = X₁Y_{>3}ᵀ + X₂Y_{>2}ᵀ + X₃Y_{>1}ᵀ + X₊Yᵀ is summed in
   float64: k products, three sums and the rounding of X₊ to one float make γ_{k+4}, and 4kη. No
   term is above G = 2^{e + f − 3β} in size, e and f being the exponents of the rows of X and Y (X₊
   by a part of 2^-20 more, for its second float), so the rest R errs by γ_{k+4} 5kG + 4kη.
4. **Sum** S = ((P₁ + P₂) + P₃) + R in pairs, P_s being all X_i Y_jᵀ with i + j = s + 1; P₂ is
   exact, P₃ takes one sum of pairs. Each sum errs by 3.1u² of its result, the results are at most
   |S| + |P₃| + |R|, |S| + |R| and |S| in size, so with that of P₃ the error is at most 10u²(|S| +
   |P₃| + |R|).

In all |S − X Yᵀ| ≤ 10u²(|S| + |P₃| + |R|) + γ_{k+4} 5kG + 16kη.

One slice is enough for a product in float64: X Yᵀ = X₁Y₁ᵀ + (X₁Y_{>1}ᵀ + X₊Yᵀ), the first exact, no
term of the others above H = 2^{e + f − β}, so S = fl(P₁ + R) errs by u|S| + γ_{k+1} 2kH + 4kη.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from symattn.oracle.doubledouble import Pair, add, two_sum
from symattn.oracle.float64 import ETA, UP, U, gamma
from symattn.oracle.problem import Float64Array

__all__ = ["product", "product64", "slices"]

#: Rows below 2^-900 are cut on that grid, so that its unit is a normal number.
_LOWEST_EXPONENT = -900


def product(
    x: Float64Array, y: Float64Array, low: Float64Array | None = None
) -> tuple[Pair, Float64Array]:
    """(x + low) yᵀ as pairs (n, c), and its bound, for x and low (n, k), y (c, k) below 2^480.

    >>> third, off = product(np.array([[1e16, 1.0, -1e16]]), np.array([[1.0, 1.0, 1.0]]))
    >>> third[0].item(), bool(off < 1e-13)
    (1.0, True)
    """
    n, k = x.shape
    bits = _bits(k)
    e, (x1, x2, x3), x_rests = slices(x, bits, low=low)
    f, (y1, y2, y3), y_rests = slices(y, bits)
    zero = np.zeros((n, len(y)))
    by_first, by_second = np.vstack([x1, x2, x3]) @ y1.T, np.vstack([x1, x2]) @ y2.T
    second = two_sum(by_first[n : 2 * n], by_second[:n])
    third = add(two_sum(by_first[2 * n :], by_second[n:]), (x1 @ y3.T, zero))
    rest = x1 @ y_rests[3].T + x2 @ y_rests[2].T + x3 @ y_rests[1].T + x_rests[3] @ y.T
    total = add(add(add((by_first[:n], zero), second), third), (rest, zero))
    size = np.abs(total[0]) + np.abs(third[0]) + np.abs(rest)
    off = np.ldexp(5 * k * gamma(k + 4), e + f.T - 3 * bits)
    return total, (10 * U * U * size + off) * UP + 16 * k * ETA


def product64(x: Float64Array, y: Float64Array) -> tuple[Float64Array, Float64Array]:
    """x yᵀ (n, c) in float64, and its bound, for x (n, k) and y (c, k) below 2^480.

    >>> product64(np.array([[1e8, 1.0, -1e8]]), np.array([[1e8, 1.0, 1e8]]))[0].item()
    1.0
    """
    k = x.shape[1]
    bits = _bits(k)
    e, (x1,), (_, x_rest) = slices(x, bits, 1)
    f, (y1,), (_, y_rest) = slices(y, bits, 1)
    total = x1 @ y1.T
    total += x1 @ y_rest.T + x_rest @ y.T
    off = np.ldexp(2 * k * gamma(k + 1), e + f.T - bits)
    return total, (U * np.abs(total) + off) * UP + 4 * k * ETA


def slices(
    x: Float64Array, bits: int, count: int = 3, low: Float64Array | None = None
) -> tuple[npt.NDArray[np.intc], list[Float64Array], list[Float64Array]]:
    """By step 1: e of each row (n, 1), `count` slices, and what 0, 1, ... of them leave."""
    largest = np.maximum(x.max(axis=1, initial=0.0), -x.min(axis=1, initial=0.0))
    exponents = np.maximum(np.frexp(largest)[1], _LOWEST_EXPONENT)[:, np.newaxis]
    parts, rests = [], [x]
    for i in range(1, count + 1):
        rounder = np.ldexp(1.5, exponents + (53 - i * bits))
        part = x + rounder
        part -= rounder
        x = x - part
        if low is not None:
            x, low = two_sum(x, low)
        parts.append(part)
        rests.append(x)
    return exponents, parts, rests


def _bits(k: int) -> int:
    """β for rows of length k."""
    return min(25, (55 - max(k - 1, 0).bit_length()) // 2)
