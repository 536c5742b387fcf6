"""How large the exact value of a tree can become, bounded before it is computed.

An exact value is a quotient of sums of terms a·exp(α). From the bounds of its parts one walk
bounds, for every node, the terms of its numerator and of each factor of its denominator when all
is multiplied out, the bits of a coefficient, and log2|value| from both sides. So `(10^5000)^5000`,
`(1+sqrt(2)+e)^1000` and `exp(exp(exp(100)))` are refused without being touched. The walk computes
with small integers and floats only and is linear in the tree.

Two bounds are not proofs and need not be: a sum with terms of both signs is taken to be no closer
to 0 than its bits allow, so whoever evaluates an `exp` must still look at its argument.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from math import comb, log2, prod
from typing import Any

from symattn.errors import CostError
from symattn.exact import limits
from symattn.exact.tree import (
    Add,
    Array,
    Call,
    Constant,
    Div,
    Mul,
    Neg,
    Node,
    Number,
    Percent,
    Pow,
    Root,
    Symbol,
)

__all__ = ["Size", "measure"]

_NO_ROOTS: frozenset[tuple[int, int]] = frozenset()
_NO_FACTORS: dict[int, int] = {}
_TOO_MANY = limits.MAX_TERMS + 1
_LOG_E = 1.4427


class Size:
    """Upper bounds of an exact value, and how much work it is to compute.

    `terms` counts the numerator's, `below` maps each factor of the denominator, known by the
    number of its shape, to its multiplicity, `low <= log2|value| <= high`, `roots` holds the
    radicals as radicand's shape and index.
    """

    __slots__ = ("algebraic", "below", "bits", "high", "low", "positive", "roots", "terms", "work")

    def __init__(
        self,
        terms: int,
        bits: float,
        low: float,
        high: float,
        work: float,
        positive: bool = True,
        algebraic: bool = True,
        below: dict[int, int] = _NO_FACTORS,
        roots: frozenset[tuple[int, int]] = _NO_ROOTS,
    ) -> None:
        self.terms = terms
        self.bits = bits
        self.low = low
        self.high = high
        self.work = work + terms * bits + limits.NODE_WORK
        self.positive = positive
        self.algebraic = algebraic
        self.below = below
        self.roots = roots

    @property
    def degree(self) -> int:
        """The degree of the field that the radicals span, at most."""
        degree = 1
        for _, index in self.roots:
            degree = min(degree * index, _TOO_MANY)
        return degree


class _Scale:
    """Weighs the nodes of one tree, from the leaves up."""

    def __init__(self, positions: dict[int, int]) -> None:
        self.positions = positions
        self.numbers: dict[object, int] = {}  # of the shapes, so that equal subtrees share one
        self.shapes: dict[int, int] = {}  # the shape of a node, by its id
        self.factors: dict[int, int] = {}  # the terms of a factor of some denominator
        self.known: dict[int, Size] = {}  # a node that stands in many entries is weighed once

    def weigh(self, node: Node) -> Size:
        size = self.known.get(id(node))
        if size is None:
            self.known[id(node)] = size = _WEIGH[type(node)](self, node)
            if size.terms > limits.MAX_TERMS:
                raise self.refuse(node, f"multiplied out, it has more than {_TOO_MANY - 1} terms")
            if max(size.bits, size.high, -size.low) > limits.MAX_BITS:
                raise self.refuse(node, f"its value takes more than {limits.MAX_BITS} bits")
            if size.work > limits.MAX_WORK:
                raise self.refuse(node, "its exact value takes too much work")
        return size

    def refuse(self, node: Node, reason: str) -> CostError:
        return CostError(reason, self.positions.get(id(node)))

    def shape(self, node: Node) -> int:
        """Number the shapes, so that equal subtrees get equal numbers."""
        number = self.shapes.get(id(node))
        if number is None:
            if isinstance(node, Number):
                key: object = node.value
            else:
                fields = (getattr(node, name) for name in node.__slots__)
                key = (type(node), *(self.part(field) for field in fields))
            number = self.numbers.setdefault(key, len(self.numbers))
            self.shapes[id(node)] = number
        return number

    def part(self, field: Any) -> object:
        """A node's field as part of its shape."""
        if isinstance(field, tuple):
            return tuple(self.shape(node) for node in field)
        return field if isinstance(field, str | int) else self.shape(field)

    def expand(self, factors: dict[int, int], without: dict[int, int] = _NO_FACTORS) -> int:
        """Terms of a product of denominators after some have cancelled."""
        terms = 1
        for factor, power in factors.items():
            power -= without.get(factor, 0)
            if power > 0:
                terms = min(terms * _multinomial(self.factors[factor], power), _TOO_MANY)
        return terms

    def number(self, node: Number) -> Size:
        value = node.value
        up, down = value.numerator.bit_length(), value.denominator.bit_length()
        return Size(1, up + down, up - down - 1, up - down + 1, 0, value > 0)

    def constant(self, node: Constant) -> Size:
        return _CONSTANT

    def symbol(self, node: Symbol) -> Size:
        return _SYMBOL

    def negative(self, node: Neg) -> Size:
        a = self.weigh(node.body)
        return Size(a.terms, a.bits, a.low, a.high, a.work, False, a.algebraic, a.below, a.roots)

    def percent(self, node: Percent) -> Size:
        a = self.weigh(node.body)
        return Size(
            a.terms,
            a.bits + 7,
            a.low - 7,
            a.high,
            a.work,
            a.positive,
            a.algebraic,
            a.below,
            a.roots,
        )

    def sum(self, node: Add) -> Size:
        parts = [self.weigh(term) for term in node.terms]
        below: dict[int, int] = {}
        for part in parts:
            for factor, power in part.below.items():
                if power > below.get(factor, 0):
                    below[factor] = power
        if below:
            terms = sum([part.terms * self.expand(below, part.below) for part in parts])
        else:
            terms = sum([part.terms for part in parts])
        bits = sum([part.bits for part in parts])
        positive = all(part.positive for part in parts)
        low = max([part.low for part in parts]) if positive else -bits
        high = max([part.high for part in parts]) + log2(len(parts))
        work = sum([part.work for part in parts])
        algebraic = all(part.algebraic for part in parts)
        return Size(terms, bits, low, high, work, positive, algebraic, below, _roots(parts))

    def product(self, node: Mul) -> Size:
        return self.multiply([self.weigh(factor) for factor in node.factors])

    def multiply(self, parts: list[Size]) -> Size:
        terms, bits, low, high, work = 1, 0.0, 0.0, 0.0, 0.0
        positive = algebraic = True
        below = _NO_FACTORS
        for part in parts:
            terms = min(terms * part.terms, _TOO_MANY)
            bits += part.bits
            low += part.low
            high += part.high
            work += part.work
            positive = positive and part.positive
            algebraic = algebraic and part.algebraic
            if not below:
                below = part.below
            elif part.below:
                below = dict(below)
                for factor, power in part.below.items():
                    below[factor] = below.get(factor, 0) + power
        return Size(terms, bits, low, high, work, positive, algebraic, below, _roots(parts))

    def inverse(self, node: Node, a: Size) -> Size:
        """1/x: its denominator is the numerator of x, and the other way round."""
        terms = self.expand(a.below)
        below = _NO_FACTORS
        if a.terms > 1:
            shape = self.shape(node)
            self.factors[shape] = a.terms
            below = {shape: 1}
        return Size(terms, a.bits, -a.high, -a.low, a.work, a.positive, a.algebraic, below, a.roots)

    def quotient(self, node: Div) -> Size:
        below = node.denominator
        return self.multiply([self.weigh(node.numerator), self.inverse(below, self.weigh(below))])

    def power(self, node: Pow) -> Size:
        exponent = self.weigh(node.exponent)
        if isinstance(node.base, Constant) and node.base.name == "e":
            return self.exponential(node, exponent)
        base = self.weigh(node.base)
        if exponent.high > _HIGHEST_EXPONENT:
            raise self.refuse(node, _EXPONENT_REASON)
        if not exponent.algebraic or exponent.roots:  # a^x = exp(x·log a)
            reach = 2**exponent.high * max(-base.low, base.high, 1.0)
            work = base.work + exponent.work
            return Size(1, base.bits + exponent.bits, -reach, reach, work, algebraic=False)
        count = _value(node.exponent)
        if count is None:
            count = Fraction(2 ** max(int(exponent.high + 1), 0))
        if abs(count) > limits.MAX_EXPONENT:
            raise self.refuse(node, _EXPONENT_REASON)
        if count < 0:
            base = self.inverse(node.base, base)
        return self.raised(node, base, abs(count))

    def raised(self, node: Pow, base: Size, power: Fraction) -> Size:
        """x^n for a rational n of at least 0; a broken power of a sum is a term of its own."""
        count, whole = float(power), power.denominator == 1
        times = max(int(count), 1)
        terms = _multinomial(base.terms, times) if whole else 1
        if base.algebraic and base.terms > 1 and whole:
            terms = min(terms, base.degree)
        return Size(
            terms,
            max(count, 1.0) * (base.bits + log2(base.terms)),
            count * base.low,
            count * base.high,
            base.work,
            base.positive,
            base.algebraic,
            {factor: times * n for factor, n in base.below.items()} if base.below else base.below,
            base.roots if whole else base.roots | {(self.shape(node.base), power.denominator)},
        )

    def root(self, node: Root) -> Size:
        a, index = self.weigh(node.radicand), node.index
        roots = a.roots | {(self.shape(node.radicand), index)}
        return Size(
            1, a.bits, a.low / index, a.high / index, a.work, a.positive, a.algebraic, roots=roots
        )

    def call(self, node: Call) -> Size:
        argument = self.weigh(node.argument)
        if node.function == "log":
            reach = log2(2 + max(-argument.low, argument.high))
            return Size(1, argument.bits, -argument.bits, reach, argument.work, False, False)
        a = self.exponential(node, argument)
        if node.function == "exp":
            return a
        if node.function in ("sinh", "cosh"):
            cosh = node.function == "cosh"
            low = 0.0 if cosh else min(argument.low, 0.0) - 1
            return Size(2, a.bits, low, a.high, a.work, cosh, False)
        shape = self.shape(node)
        self.factors[shape] = 2  # tanh and sigmoid are quotients of two terms each
        return Size(2, a.bits, a.low, 0.0, a.work, node.function == "sigmoid", False, {shape: 1})

    def exponential(self, node: Node, exponent: Size) -> Size:
        if exponent.high > _HIGHEST_ARGUMENT:
            raise self.refuse(node, f"exp is read up to exp({limits.MAX_EXP_ARGUMENT})")
        if exponent.below and exponent.degree > limits.MAX_DEGREE:
            degree = limits.MAX_DEGREE
            reason = f"a denominator inside an exponent has radicals of degree over {degree}"
            raise self.refuse(node, reason)
        reach = 2**exponent.high * _LOG_E
        return Size(1, exponent.bits, -reach, reach, exponent.work, algebraic=False)

    def array(self, node: Array) -> Size:
        work = sum([self.weigh(entry).work for entry in node.entries])
        return Size(1, 0, 0, 0, work)


def _roots(parts: Iterable[Size]) -> frozenset[tuple[int, int]]:
    roots = _NO_ROOTS
    for part in parts:
        if part.roots:
            roots = roots | part.roots if roots else part.roots
    return roots


def _multinomial(terms: int, power: int) -> int:
    """Terms of a sum of `terms` terms, raised to `power` and multiplied out."""
    if terms <= 1 or power == 1:
        return terms
    if terms == 2:
        return min(power + 1, _TOO_MANY)
    smaller, larger = sorted((terms - 1, power))
    if smaller > 20 or larger > limits.MAX_TERMS:  # comb(42, 21) is 5e11
        return _TOO_MANY
    return min(comb(smaller + larger, smaller), _TOO_MANY)


def _value(node: Node) -> Fraction | None:
    """The value of an exponent where it is plain: numbers, their sums, products and quotients."""
    match node:
        case Number():
            return node.value
        case Neg():
            value = _value(node.body)
            return None if value is None else -value
        case Add(parts) | Mul(parts):
            values = [value for part in parts if (value := _value(part)) is not None]
            if len(values) < len(parts):
                return None
            return sum(values, Fraction(0)) if isinstance(node, Add) else prod(values, start=_ONE)
        case Div():
            above, below = _value(node.numerator), _value(node.denominator)
            return above / below if above is not None and below else None
    return None


_ONE = Fraction(1)
_CONSTANT = Size(1, 1, 1.4, 1.7, 0, algebraic=False)
_SYMBOL = Size(1, 1, 0, 0, 0, False, False)
_HIGHEST_EXPONENT = log2(limits.MAX_EXPONENT) + 1
_HIGHEST_ARGUMENT = log2(limits.MAX_EXP_ARGUMENT) + 1
_EXPONENT_REASON = f"an exponent may be at most {limits.MAX_EXPONENT}"
_WEIGH: dict[type, Callable[[_Scale, Any], Size]] = {
    Number: _Scale.number,
    Constant: _Scale.constant,
    Symbol: _Scale.symbol,
    Neg: _Scale.negative,
    Percent: _Scale.percent,
    Add: _Scale.sum,
    Mul: _Scale.product,
    Div: _Scale.quotient,
    Pow: _Scale.power,
    Root: _Scale.root,
    Call: _Scale.call,
    Array: _Scale.array,
}


def measure(tree: Node, positions: dict[int, int] | None = None) -> Size:
    """Bound the size of a tree's exact value, or refuse it.

    `positions` maps the `id` of a node to the position that an error names.

    >>> from symattn.exact.parse import parse
    >>> measure(parse("(1+sqrt(2)+e)^10").tree).terms
    66

    Raises `CostError` beyond the limits.
    """
    return _Scale(positions or {}).weigh(tree)
