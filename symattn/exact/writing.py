r"""Exact numbers written as trees, with whole coefficients and the common factor taken out.

A weight comes out as \frac{e^{\sqrt2/2}}{1 + e^{\sqrt2/2} + e^{-\sqrt2/2}}: terms by falling
exponent, the rational one first. `plain` writes the tree as text.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from math import gcd, prod
from operator import itemgetter

from flint import fmpq

from symattn.exact import terms
from symattn.exact.numbers import Exact, is_one
from symattn.exact.terms import ONE, Atom, Monomial, Sum, thaw
from symattn.exact.tree import (
    Add,
    Call,
    Constant,
    Div,
    Mul,
    Neg,
    Node,
    Number,
    Pow,
    Root,
    Symbol,
)

__all__ = ["number", "to_tree"]


def to_tree(value: Exact) -> Node:
    """A tree with the value of an exact number.

    >>> from symattn.exact.numbers import rational
    >>> from symattn.exact.plain import to_text
    >>> to_text(to_tree(rational(2, 3)))
    '2/3'
    """
    if is_one(value.denominator):
        return _sum(value.numerator)
    top, bottom = _content(value.numerator), _content(value.denominator)
    ratio = top / bottom
    numerator = terms.scale(value.numerator, ratio.p / top)
    denominator = terms.scale(value.denominator, ratio.q / bottom)
    if not numerator:
        return number(0)
    return Div(_sum(numerator), _sum(denominator))


def number(value: int | Fraction) -> Node:
    """A whole number or a fraction of two, with the sign in front."""
    if value < 0:
        return Neg(number(-value))
    if isinstance(value, Fraction) and value.denominator != 1:
        return Div(number(value.numerator), number(value.denominator))
    whole = int(value)
    return Number(Fraction(whole), str(whole))


def _content(total: Sum) -> fmpq:
    """The rational that leaves coprime whole coefficients, the first of them positive."""
    if not total:
        return fmpq(1)
    top, bottom = 0, 1
    for value in total.values():
        top = gcd(top, int(value.p))
        bottom = bottom * int(value.q) // gcd(bottom, int(value.q))
    sign = 1 if total[max(total)] > 0 else -1
    return fmpq(sign * top, bottom)


def _sum(total: Sum) -> Node:
    """A sum, its rational term first and then by falling exponent, roots and letters rising."""
    if not total:
        return number(0)
    keys = sorted(total, key=_rising)
    keys.sort(key=itemgetter(0), reverse=True)
    if ONE in total:
        keys.remove(ONE)
        keys.insert(0, ONE)
    written = [_term(key, total[key]) for key in keys]
    return written[0] if len(written) == 1 else Add(tuple(written))


def _rising(key: Monomial) -> tuple[object, ...]:
    """√2 before √3, a before b, but a² before a."""
    _, radical, atoms = key
    return radical, tuple((atom, -power) for atom, power in atoms)


def _term(key: Monomial, coefficient: fmpq) -> Node:
    """One term: sign, whole coefficient, factors, and a denominator where it has one.

    √2/2 is written 1/√2, as on paper.
    """
    p, q = abs(int(coefficient.p)), int(coefficient.q)
    exponent, radical, atoms = key
    radicand = prod(prime for prime, _, index in radical if index == 2)
    below: list[Node] = []
    if radicand > 1 and q % radicand == 0:
        q //= radicand
        radical = tuple(part for part in radical if part[2] != 2)
        below.append(Root(number(radicand), 2))
    above = [*_factors((exponent, radical, atoms))]
    if p != 1 or not above:
        above.insert(0, number(p))
    if q != 1:
        below.insert(0, number(q))
    node = Div(_product(above), _product(below)) if below else _product(above)
    return Neg(node) if coefficient < 0 else node


def _product(factors: list[Node]) -> Node:
    return factors[0] if len(factors) == 1 else Mul(tuple(factors))


@lru_cache(maxsize=1 << 12)
def _factors(key: Monomial) -> tuple[Node, ...]:
    """The factors of a monomial; the same few stand in every entry of a softmax."""
    exponent, radical, atoms = key
    factors: list[Node] = _roots(radical)
    factors += [_atom(atom) if k == 1 else Pow(_atom(atom), number(k)) for atom, k in atoms]
    if exponent:
        argument = _sum(thaw(exponent))
        one = argument == number(1)
        factors.append(Constant("e") if one else Call("exp", argument))
    return tuple(factors)


def _roots(radical: terms.Radical) -> list[Node]:
    """Radicals with one root for each index: 2^{1/2}·3^{1/2} is √6."""
    radicands: dict[int, int] = {}
    for prime, p, q in radical:
        radicands[q] = radicands.get(q, 1) * prime**p
    return [Root(number(radicand), index) for index, radicand in sorted(radicands.items())]


def _atom(atom: Atom) -> Node:
    if atom.kind == "symbol":
        return Symbol(atom.payload)
    if atom.kind == "pi":
        return Constant("pi")
    inside = to_tree(Exact(*(thaw(part) for part in atom.payload)))
    if atom.kind == "log":
        return Call("log", inside)
    return Root(inside, atom.order) if atom.kind == "root" else inside
