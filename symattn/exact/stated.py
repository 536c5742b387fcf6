"""The digits that an answer states.

`0.5760` states four significant digits and `2.06e-9` three, whatever the true value is. Where
the last digit counts 10^k, a decimal is an integer n times 10^k, and it states as many digits as
n has: leading zeros do not count, trailing ones do, and `0.000` states none.
"""

from __future__ import annotations

from dataclasses import dataclass

from symattn.exact.tree import Neg, Node, Number, Percent

__all__ = ["Stated", "stated", "stated_digits"]


@dataclass(frozen=True, slots=True)
class Stated:
    """The decimal `units * 10**exponent`, which states so many significant `digits`."""

    units: int
    exponent: int
    digits: int


def stated(tree: Node) -> Stated | None:
    """Return what a decimal states, or None where the tree is no decimal token.

    A sign and a percent sign may stand around it; a percent sign moves the point two places, so
    that `94%` is the decimal 0.94.

    >>> from symattn.exact.parse import parse
    >>> [stated(parse(text).tree) for text in ("-24.83%", "0.000", "1/2")]
    [Stated(units=-2483, exponent=-4, digits=4), Stated(units=0, exponent=-3, digits=0), None]
    """
    sign, hundredths = 1, False
    while not isinstance(tree, Number):
        if isinstance(tree, Neg):
            sign = -sign
        elif isinstance(tree, Percent):
            hundredths = True
        else:
            return None
        tree = tree.body
    if not (tree.decimal or hundredths):
        return None
    units = _units(tree)
    exponent = tree.exponent - 2 * hundredths
    return Stated(sign * units, exponent, len(str(units)) if units else 0)


def _units(token: Number) -> int:
    """n of the decimal n·10^k, without its sign."""
    above, below = abs(token.value.numerator), token.value.denominator
    ten: int = 10 ** abs(token.exponent)
    return above * ten // below if token.exponent < 0 else above // ten


def stated_digits(tree: Node) -> int | None:
    """Return how many significant digits a decimal states, or None for any other tree.

    >>> from symattn.exact.parse import parse
    >>> [stated_digits(parse(text).tree) for text in ("0.5760", "2.06e-9", "12288")]
    [4, 3, None]
    """
    found = stated(tree)
    return None if found is None else found.digits
