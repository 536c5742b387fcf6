r"""Numbers as unevaluated sums hi + lo of two float64, elementwise on arrays, with derived bounds.

u = 2^-53. A pair is normalised when |lo| ≤ u|hi|. The error-free transformations are those of
Møller, Knuth and Dekker (Muller et al., "Handbook of Floating-Point Arithmetic", 2nd ed.,
section 4.3); NumPy rounds every elementwise operation on its own, so nothing is fused.

- `two_sum`: exact for any order of sizes. `two_product`: exact where the factors are below 2^996
  and the product is 0 or above 2^-968; below that its parts underflow, by at most 8η in all.
- `add` (pair + pair): relative error 3.1 u² whatever the signs (Joldes, Muller, Popescu, "Tight and
  rigorous error bounds for basic building blocks of double-word arithmetic", 2017, theorem 3.1).
- `multiply` (pair · pair): the term lo·lo is left out (u²), two cross products round by u² each and
  their sum by 2u², the last sum by (u + 2u + u)·u: at most 9 u² with all products of errors;
  10 u² is claimed.
"""

from __future__ import annotations

from typing import TypeAlias

from symattn.oracle.problem import Float64Array

__all__ = ["Pair", "add", "multiply", "normalise", "two_product", "two_sum"]

#: (hi, lo), two arrays of one shape, or of shapes that broadcast.
Pair: TypeAlias = tuple[Float64Array, Float64Array]

_SPLITTER = 2.0**27 + 1


def two_sum(a: Float64Array, b: Float64Array) -> Pair:
    """(s, e) with s = fl(a + b) and s + e = a + b exactly."""
    s = a + b
    t = s - a
    return s, (a - (s - t)) + (b - t)


def normalise(a: Float64Array, b: Float64Array) -> Pair:
    """The same for |a| ≥ |b| or a = 0, in three operations."""
    s = a + b
    return s, b - (s - a)


def two_product(a: Float64Array, b: Float64Array) -> Pair:
    """(p, e) with p = fl(a·b) and p + e = a·b exactly."""
    p = a * b
    a_hi, a_lo = _halves(a)
    b_hi, b_lo = _halves(b)
    return p, ((a_hi * b_hi - p) + a_hi * b_lo + a_lo * b_hi) + a_lo * b_lo


def add(x: Pair, y: Pair) -> Pair:
    """x + y within 3.1 u² relatively."""
    s, e = two_sum(x[0], y[0])
    t, f = two_sum(x[1], y[1])
    s, e = normalise(s, e + t)
    return normalise(s, e + f)


def multiply(x: Pair, y: Pair) -> Pair:
    """x · y within 10 u² relatively."""
    p, e = two_product(x[0], y[0])
    return normalise(p, e + (x[0] * y[1] + x[1] * y[0]))


def _halves(a: Float64Array) -> Pair:
    """a as a sum of two floats of 26 bits (Veltkamp)."""
    t = _SPLITTER * a
    hi = t - (t - a)
    return hi, a - hi
