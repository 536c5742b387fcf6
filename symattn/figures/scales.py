"""Scales: how large numbers are beside one another, and the round steps of an axis."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, floor, inf

from symattn.exact.functions import sign
from symattn.exact.numbers import Exact
from symattn.exact.rounding import nearest_float

__all__ = ["multiples", "nice_step", "relative", "ticked"]


def relative(values: Sequence[Exact]) -> tuple[list[float], float]:
    """The values as parts of the largest size among them, and that size.

    Where it lies beyond the floats the quotients are made exactly, and the size is 0 or infinity.
    """
    floats = [nearest_float(value) for value in values]
    top = max(map(abs, floats), default=0.0)
    if 1e-290 < top < inf:
        return [x / top for x in floats], top
    sizes = [value * sign(value) for value in values]
    largest = max_exact(sizes)
    if largest is None or sign(largest) == 0:
        return [0.0] * len(values), 0.0
    return [nearest_float(value / largest) for value in values], top


def max_exact(values: Sequence[Exact]) -> Exact | None:
    """The largest of some numbers."""
    found: Exact | None = None
    for value in values:
        if found is None or sign(value - found) > 0:
            found = value
    return found


def nice_step(span: float, most: int) -> float:
    """The least of 1, 2 and 5 times a power of ten that divides a span into so many at most."""
    power = float(f"1e{f'{span / most:e}'.partition('e')[2]}")
    return next(power * k for k in (1, 2, 5, 10) if power * k * most >= span)


def multiples(low: float, high: float, step: float) -> list[float]:
    """The multiples of a step between two numbers, both included."""
    return [k * step for k in range(ceil(low / step - 1e-9), floor(high / step + 1e-9) + 1)]


def ticked(value: float) -> str:
    """A number at an axis."""
    digits, sign, power = f"{value:.4g}".partition("e")
    return f"{digits}{sign}{int(power) if power else ''}".replace("-", "−")
