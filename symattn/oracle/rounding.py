"""From proved intervals to the nearest float16, bfloat16, float32 or float64, ties to even."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from flint import arb, fmpq

from symattn.errors import UndecidedError
from symattn.oracle.balls import LARGEST_PRECISION, row_balls, side, to_fraction
from symattn.oracle.doubledouble import two_sum
from symattn.oracle.problem import BoolArray, Float64Array, Problem

__all__ = ["FORMATS", "Format", "certain", "entry", "nearest"]


@dataclass(frozen=True, slots=True)
class Format:
    """A binary floating-point type: significant bits, and the exponent of its smallest number."""

    bits: int
    lowest: int

    @property
    def unit(self) -> float:
        """The unit roundoff 2^-bits."""
        return 2.0**-self.bits

    @property
    def smallest(self) -> float:
        """The smallest positive number."""
        return 2.0**self.lowest


FORMATS = {
    "float16": Format(11, -24),
    "bfloat16": Format(8, -133),
    "float32": Format(24, -149),
    "float64": Format(53, -1074),
}


def nearest(x: Float64Array, dtype: str) -> Float64Array:
    """x rounded to the type, ties to even, as float64.

    >>> nearest(np.array([1 + 2.0**-9, 1e-9]), "bfloat16").tolist()
    [1.0, 9.968061931431293e-10]
    """
    kind = FORMATS[dtype]
    if dtype == "float64":
        return x
    if dtype == "float32":
        with np.errstate(over="ignore"):
            return x.astype(np.float32).astype(np.float64)
    exponent = np.maximum(np.frexp(x)[1] - kind.bits, kind.lowest)
    rounded: Float64Array = np.ldexp(np.rint(np.ldexp(x, -exponent)), exponent)
    return rounded


def certain(
    hi: Float64Array, lo: Float64Array, radius: Float64Array, dtype: str
) -> tuple[Float64Array, BoolArray]:
    """(rounded values, where they are certain): both ends of hi + lo ± radius must agree."""
    with np.errstate(invalid="ignore"):
        if dtype != "float64" and not lo.any():
            # Sums round by u of their size at most: a little more radius covers that.
            off = radius + np.abs(hi) * 2.0**-51
            low, high = nearest(hi - off, dtype), nearest(hi + off, dtype)
            return low, (low == high) & np.isfinite(radius)
        below = np.nextafter(lo - radius, -np.inf)
        above = np.nextafter(lo + radius, np.inf)
        if dtype == "float64":  # one correctly rounded sum is monotonic in `below`
            low, high = hi + below, hi + above
        else:
            s, e = two_sum(hi, below)
            low = nearest(np.where(e < 0, np.nextafter(s, -np.inf), s), dtype)
            s, e = two_sum(hi, above)
            high = nearest(np.where(e > 0, np.nextafter(s, np.inf), s), dtype)
        return low, (low == high) & np.isfinite(radius)


def entry(problem: Problem, i: int, column: int, dtype: str) -> float:
    """The correctly rounded output (i, column) by balls, ties decided exactly."""
    precision = 128
    while precision <= LARGEST_PRECISION:
        ball = row_balls(problem, i, precision)[column]
        if ball.is_finite():
            low, high = (_round_exact(end, dtype) for end in _ends(ball))
            if low == high:
                return low
            # Only one number can hold the decision up: what lies half-way between the two.
            middle, gap = (to_fraction(low) + to_fraction(high)) / 2, high - low
            if gap <= 2 * _quantum(max(abs(low), abs(high)), dtype):
                sign = side(problem, i, column, middle)
                if sign == 0:
                    return _round_exact(middle, dtype)
                if gap <= _quantum(min(abs(low), abs(high)), dtype):  # neighbours
                    return low if sign < 0 else high
        precision *= 2
    raise UndecidedError(
        f"output ({i}, {column}) could not be rounded to {dtype} with {LARGEST_PRECISION} bits"
    )


def _ends(ball: arb) -> tuple[fmpq, fmpq]:
    """Both ends of a ball, as the dyadic rationals that they are."""
    middle, radius = _dyadic(ball.mid()), _dyadic(ball.rad())
    return middle - radius, middle + radius


def _dyadic(point: arb) -> fmpq:
    mantissa, exponent = point.man_exp()
    value: fmpq = fmpq(mantissa) * _power(int(exponent))
    return value


def _round_exact(x: fmpq, dtype: str) -> float:
    """A rational rounded to the type, ties to even."""
    kind = FORMATS[dtype]
    if x == 0:
        return 0.0
    size = abs(x)
    exponent = int(size.p).bit_length() - int(size.q).bit_length()
    if size < _power(exponent):
        exponent -= 1  # now 2^exponent <= size < 2^(exponent + 1)
    step = _power(max(exponent - kind.bits + 1, kind.lowest))
    whole = x / step
    floor = int(whole.floor())
    rest = whole - floor
    up = rest > fmpq(1, 2) or (rest == fmpq(1, 2) and floor % 2 == 1)
    result = (floor + up) * step
    return int(result.p) / int(result.q)


def _quantum(x: float, dtype: str) -> float:
    """The distance from x to the next larger number of the type, in size."""
    kind = FORMATS[dtype]
    return kind.smallest if x == 0 else max(2.0 ** (math.frexp(x)[1] - kind.bits), kind.smallest)


def _power(exponent: int) -> fmpq:
    return fmpq(2**exponent) if exponent >= 0 else fmpq(1, 2**-exponent)
