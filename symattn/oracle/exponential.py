r"""exp in float64 with a derived bound: |exp64(x) − e^x| ≤ 2.25 u e^x for −700 ≤ x ≤ 0, u = 2^-53.

Method: x = kL + r with L = ln 2/128, so e^x = 2^(k div 128) · T[k mod 128] · e^r with the table
T[i] = 2^(i/128) (Tang, "Table-driven implementation of the exponential function", 1989).

1. k = rint(x · fl(1/L)): |k| < 2^17 and |r| ≤ L/2 + 2^-35 < 2^-8.52 = 0.00272.
2. L = L₁ + L₂ + rest, L₁ with 34 bits: kL₁ is exact, |L₂| < 2^-34 L, |rest| ≤ u|L₂|. With
   |kL₂| < 2^-24 the three errors (rest, the product kL₂, the second subtraction) are at most
   2u·2^-24 + u|r|; the first subtraction is exact by Sterbenz' lemma for |k| ≥ 2 and off by at most
   u|r| otherwise. Together |r̂ − r| ≤ 0.0056 u, which moves e^r by the same relatively.
3. e^r − 1 ≈ p = r + r²(1/2 + r(1/6 + r(1/24 + r/120))): the remainder is below r⁶/720·1.01
   < 0.0052 u. Evaluation: the last addition rounds by u|p| ≤ 0.0028 u, everything in the second
   term by 6u·r²/2·1.01 < 0.0001 u.
4. T[i] is rounded (u), t·p too (0.0028 u), and so is the sum t + tp (u): 2.006 u.
5. The power of two is applied to the exponent bits, exactly, since e^-700 > 2^-1022.

Sum: 2.0056 + 0.0056 + 0.0052 + 0.0029 < 2.03 (products of errors included); 2.25 is claimed. At
x = 0 all terms vanish and the result is exactly 1.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from flint import arb, ctx

from symattn.oracle.problem import Float64Array

__all__ = ["EXP64_UNITS", "LOWEST", "exp64", "split"]

#: The proved bound, in units of 2^-53.
EXP64_UNITS = 2.25
#: The lowest argument; whatever lies below is set to it, which errs by less than e^-700.
LOWEST = -700.0

_ENTRIES = 128


def exp64(x: Float64Array) -> Float64Array:
    """e^x for −700 ≤ x ≤ 0, within 2.25 · 2^-53 relatively.

    >>> exp64(np.array([0.0, -1.0])).tolist()
    [1.0, 0.3678794411714423]
    """
    table, inverse, first, second = _constants()
    k = np.rint(x * inverse)
    r = x - k * first
    r -= k * second
    p = r * (1 / 120)
    for coefficient in (1 / 24, 1 / 6, 1 / 2):
        p += coefficient
        p *= r
    p *= r
    p += r
    index = k.astype(np.int64)
    result: Float64Array = table[index & (_ENTRIES - 1)]
    p *= result
    result += p
    index >>= 7
    index <<= 52
    bits = result.view(np.int64)
    bits += index
    return result


def split(value: arb, bits: tuple[int, ...]) -> list[float]:
    """Floats that add up to value: one of each number of bits, then the nearest of the rest.

    Call it with a flint precision well above 53 + sum(bits).
    """
    parts = []
    rest = value
    for width in bits:
        mantissa, exponent = np.frexp(float(rest))
        part = float(np.ldexp(np.trunc(np.ldexp(mantissa, width)), exponent - width))
        parts.append(part)
        rest = rest - part
    return [*parts, float(rest)]


@lru_cache(maxsize=1)
def _constants() -> tuple[Float64Array, float, float, float]:
    """The table T, 1/L, L₁ and L₂, from 300-bit balls."""
    precision, ctx.prec = ctx.prec, 300
    try:
        step = arb(2).log() / _ENTRIES
        table = np.array([float((step * i).exp()) for i in range(_ENTRIES)])
        first, second = split(step, (34,))
        return table, float(1 / step), first, second
    finally:
        ctx.prec = precision
