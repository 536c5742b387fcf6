"""Bounds of one exact value, and the arithmetic of how many terms a product has."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from math import comb, log2, prod
from typing import TypeAlias

from symattn.exact import limits
from symattn.exact.tree import Add, Call, Div, Mul, Neg, Node, Number

__all__ = [
    "TOO_MANY",
    "Factors",
    "Roots",
    "Size",
    "expand",
    "multinomial",
    "of_function",
    "of_log",
    "of_number",
    "plain_value",
    "roots_of",
]

Factors: TypeAlias = tuple[tuple[Node, int, int], ...]
Roots: TypeAlias = tuple[tuple[Node, int], ...]
#: Stands for every count beyond the limit.
TOO_MANY = limits.MAX_TERMS + 1


class Size:
    """Upper bounds of an exact value, and how much work it is to compute.

    `terms` counts the numerator's, `up` and `down` bound the bits of a coefficient's numerator and
    denominator, `below` holds each factor of the denominator with its terms and its power,
    `low <= log2|value| <= high`, `roots` holds each radical's radicand and index.
    """

    __slots__ = (
        *("terms", "up", "down", "low", "high", "work"),
        *("positive", "algebraic", "below", "roots"),
    )

    def __init__(
        self,
        terms: int,
        up: float,
        down: float,
        low: float,
        high: float,
        work: float,
        positive: bool = True,
        algebraic: bool = True,
        below: Factors = (),
        roots: Roots = (),
    ) -> None:
        self.terms = terms
        self.up = up
        self.down = down
        self.low = low
        self.high = high
        self.work = work + terms * (up + down) + limits.NODE_WORK
        self.positive = positive
        self.algebraic = algebraic
        self.below = below
        self.roots = roots


def of_number(node: Number) -> Size:
    """The bounds of a number, which are its own size."""
    value = node.value
    up, down = value.numerator.bit_length() or 1, value.denominator.bit_length()
    return Size(1, up, down, up - down - 1, up - down + 1, 0, value > 0)


def of_log(argument: Size) -> Size:
    """The bounds of a logarithm."""
    reach = log2(2 + max(-argument.low, argument.high))
    up, down = argument.up, argument.down
    return Size(1, up, down, -up - down, reach, argument.work, False, False)


def of_function(node: Call, argument: Size, a: Size) -> Size:
    """The bounds of exp, or of a function made of exp, from those of the exponential `a`."""
    if node.function == "exp":
        return a
    if node.function in ("sinh", "cosh"):
        cosh = node.function == "cosh"
        low = 0.0 if cosh else min(argument.low, 0.0) - 1
        return Size(2, a.up, a.down, low, a.high, a.work, cosh, False)
    below = ((node, 2, 1),)  # tanh and sigmoid are quotients of two terms each
    return Size(2, a.up, a.down, a.low, 0.0, a.work, node.function == "sigmoid", False, below)


def roots_of(parts: list[Size]) -> Roots:
    """All radicals of several parts."""
    return tuple([root for part in parts for root in part.roots])


def expand(factors: Iterable[tuple[Node, int, int]]) -> int:
    """Terms of a product of powers, multiplied out."""
    total = 1
    for _, terms, power in factors:
        if power > 0:
            total *= multinomial(terms, power)
            if total > limits.MAX_TERMS:
                return TOO_MANY
    return total


def multinomial(terms: int, power: int) -> int:
    """Terms of a sum of `terms` terms, raised to `power` and multiplied out."""
    if terms <= 1 or power == 1:
        return terms
    if terms == 2:
        return min(power + 1, TOO_MANY)
    smaller, larger = sorted((terms - 1, power))
    if smaller > 20 or larger > limits.MAX_TERMS:  # comb(42, 21) is 5e11
        return TOO_MANY
    return min(comb(smaller + larger, smaller), TOO_MANY)


def plain_value(node: Node) -> Fraction | None:
    """The value of an exponent where it is plain: numbers, their sums, products and quotients."""
    match node:
        case Number():
            return node.value
        case Neg():
            value = plain_value(node.body)
            return None if value is None else -value
        case Add(parts) | Mul(parts):
            values = [value for part in parts if (value := plain_value(part)) is not None]
            if len(values) < len(parts):
                return None
            return (
                sum(values, Fraction(0))
                if isinstance(node, Add)
                else prod(values, start=Fraction(1))
            )
        case Div():
            above, below = plain_value(node.numerator), plain_value(node.denominator)
            return above / below if above is not None and below else None
    return None
