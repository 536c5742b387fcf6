r"""Powers 2^(y/4096) in float64 with a derived bound: off by at most 2.25 u 2^(y/4096), u = 2^-53.

The argument counts steps of L = ln 2/4096, so 2^(y/4096) = e^{yL}, for |y| ≤ 700/L.

Method: y = k + f with the nearest integer k, so the power is 2^(k div 4096) · T[k mod 4096] ·
e^{fL} with the table T[i] = 2^(i/4096) (Tang, "Table-driven implementation of the exponential
function", 1989).

1. Adding 1.5 · 2^52 rounds y to k, which stands in the low bits of the sum, since |y| < 2^22.
   f = y − k is exact: it is y for k = 0 and otherwise a multiple of y's last place, no larger than
   y. With |f| ≤ 1/2, r = fL is at most 2^-13 ln 2 < 8.47e-5 in size.
2. e^r − 1 ≈ p = f (L + f (L²/2 + f L³/6)): the remainder is below 1.001 r⁴/24 < 0.0195 u. The
   constant L, the outer sum and the outer product round by u|p| each, everything inside by
   4u r²/2: together below 0.0003 u.
3. T[i] is rounded (u), T·p too (0.0001 u), and so is the sum T + Tp (u).
4. The power of two is applied to the exponent's bits, exactly, since e^±700 is a normal number; the
   table holds the bits of T[i] less i · 2^40, so that adding k · 2^40 leaves (k − i)/4096 in the
   exponent.

Sum: 2 + 0.0195 + 0.0003 + 0.0001 < 2.03 (products of errors included); 2.25 is claimed. At y = 0
all terms vanish and the result is exactly 1.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import numpy.typing as npt
from flint import arb, ctx

from symattn.oracle.problem import Float64Array

__all__ = ["EXP64_UNITS", "LOWEST", "STEP", "powers", "split", "steps"]

#: The proved bound, in units of 2^-53.
EXP64_UNITS = 2.25
#: The lowest exponent of e; whatever lies below is set to it, which errs by less than e^-700.
LOWEST = -700.0
#: L to within u, for bounds.
STEP = 0.6931471805599453 / 4096

_ENTRIES = 4096
_BITS = 40  # where the exponent of 2^(1/4096) has its last bit: 52 − 12
_ROUND = 1.5 * 2.0**52


def powers(y: Float64Array, work: Float64Array | None = None) -> Float64Array:
    """2^(y/4096) for |y| ≤ 700/L, within 2.25 · 2^-53 relatively; y is overwritten.

    `work` (3, *y.shape) is room for intermediate results, and for the one that is returned.

    >>> powers(np.array([0.0, -4096.0, -6144.0])).tolist()
    [1.0, 0.5, 0.3535533905932738]
    """
    table, first, second, third = _constants()
    work = np.empty((3, *y.shape)) if work is None else work
    t, power = work[0], work[2]
    p: Float64Array = work[1]
    np.add(y, _ROUND, out=t)
    np.subtract(t, _ROUND, out=p)
    y -= p
    np.multiply(y, third, out=p)
    p += second
    p *= y
    p += first
    p *= y
    k, index, bits = t.view(np.int64), y.view(np.int64), power.view(np.int64)
    np.bitwise_and(k, _ENTRIES - 1, out=index)
    np.take(table, index, out=bits, mode="clip")  # the mode that needs no buffer; none is clipped
    k <<= _BITS
    bits += k
    p *= power
    p += power
    return p


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


@lru_cache(maxsize=64)
def steps(d: int) -> float:
    """The float nearest to 1/(√d L), the scale of scores that are counted in steps."""
    precision, ctx.prec = ctx.prec, 300
    try:
        return float(arb(d).rsqrt() * _ENTRIES / arb(2).log())
    finally:
        ctx.prec = precision


@lru_cache(maxsize=1)
def _constants() -> tuple[npt.NDArray[np.int64], float, float, float]:
    """The table T as bits less their exponents, L, L²/2 and L³/6, from 300-bit balls."""
    precision, ctx.prec = ctx.prec, 300
    try:
        step = arb(2).log() / _ENTRIES
        table = np.array([float((step * i).exp()) for i in range(_ENTRIES)])
        bits = table.view(np.int64) - (np.arange(_ENTRIES) << _BITS)
        return bits, float(step), float(step**2 / 2), float(step**3 / 6)
    finally:
        ctx.prec = precision
