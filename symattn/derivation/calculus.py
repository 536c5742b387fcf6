"""Derivatives, means over signs and cosines of trees that are written out term by term."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from fractions import Fraction
from itertools import product

from symattn.errors import StepError
from symattn.exact import functions
from symattn.exact.evaluate import evaluate
from symattn.exact.tree import Add, Call, Div, Mul, Neg, Node, Number, Pow, Root, Symbol, rebuild
from symattn.exact.writing import number

__all__ = ["cosine", "mean_over_signs", "slope"]

#: cos of multiples of π/12 that are written with one root: twelfths -> (numerator root, halves).
_COSINES = {0: (4, 1), 2: (3, 1), 3: (2, 1), 4: (1, 1), 6: (0, 1), 8: (1, -1), 9: (2, -1)}
_COSINES |= {10: (3, -1), 12: (4, -1)}


def slope(node: Node, by: Node) -> Node:
    """The derivative of a tree by a symbol in it, not simplified.

    >>> x = Symbol("x")
    >>> slope(Mul((x, x)), x) == Add((Mul((number(1), x)), Mul((number(1), x))))
    True

    Raises: `StepError` for a function other than exp.
    """
    match node:
        case _ if node == by:
            return number(1)
        case Number() | Symbol():
            return number(0)
        case Neg(body=body):
            return Neg(slope(body, by))
        case Add(terms=terms):
            return Add(tuple(slope(term, by) for term in terms))
        case Mul(factors=factors):
            parts = [
                Mul((slope(factor, by), *factors[:i], *factors[i + 1 :]))
                for i, factor in enumerate(factors)
            ]
            return Add(tuple(parts))
        case Div(numerator=above, denominator=below):
            top = Add((Mul((slope(above, by), below)), Neg(Mul((above, slope(below, by))))))
            return Div(top, Pow(below, number(2)))
        case Call(function="exp", argument=argument):
            return Mul((node, slope(argument, by)))
    raise StepError(f"no derivative of a {type(node).__name__} is written out")


def mean_over_signs(body: Node, random: Collection[str]) -> Node:
    """The mean over all fair signs of the random entries that stand in a tree."""
    entries: dict[str, None] = {}

    def look(part: Node) -> Node:
        if isinstance(part, Symbol) and part.name.split("_")[0] in random:
            entries[part.name] = None
        return part

    rebuild(body, look)
    names = list(entries)
    cases = [
        _signed(body, dict(zip(names, signs, strict=True)))
        for signs in product((1, -1), repeat=len(names))
    ]
    return Div(Add(tuple(cases)), number(len(cases))) if len(cases) > 1 else cases[0]


def _signed(body: Node, signs: Mapping[str, int]) -> Node:
    """A tree with a sign for each random entry."""

    def change(part: Node) -> Node:
        known = isinstance(part, Symbol) and part.name in signs
        return number(signs[part.name]) if known and isinstance(part, Symbol) else part

    return rebuild(body, change)


def cosine(name: str, angle: Node) -> Node:
    """The cosine or sine of a multiple of π/12 that has a value with one root."""
    twelfths = (evaluate(angle) * 12 / functions.pi()).as_rational()
    if twelfths is None or twelfths.q != 1:
        raise StepError("only angles that are multiples of pi/12 are written out")
    place = abs(int(twelfths) - (6 if name == "sin" else 0)) % 24
    found = _COSINES.get(min(place, 24 - place))
    if found is None:
        raise StepError("the cosine of this angle is not written with one root")
    radicand, sign = found
    half = Div(Root(number(radicand), 2), number(2)) if radicand not in (0, 1, 4) else None
    value = half or number(Fraction({0: 0, 1: 1, 4: 2}[radicand], 2))
    return value if sign > 0 else Neg(value)
