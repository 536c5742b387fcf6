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

from collections.abc import Callable
from fractions import Fraction
from math import log2, prod
from typing import Any

from symattn.errors import CostError
from symattn.exact import limits
from symattn.exact.bounds import (
    TOO_MANY,
    Factors,
    Roots,
    Size,
    expand,
    multinomial,
    of_function,
    of_log,
    of_number,
    plain_value,
    roots_of,
)
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

_LOG_E = 1.4427


class _Scale:
    """Weighs the nodes of one tree, from the leaves up."""

    def __init__(self, positions: dict[int, int], otherwise: int | None) -> None:
        self.positions = positions
        self.otherwise = otherwise
        self.height = 0
        self.numbers: dict[object, int] = {}  # of the shapes, so that equal subtrees share one
        self.shapes: dict[int, int] = {}  # the shape of a node, by its id
        self.known: dict[int, Size] = {}  # a node that stands in many entries is weighed once

    def weigh(self, node: Node) -> Size:
        if type(node) is Number:
            return self.checked(node, of_number(node))
        size = self.known.get(id(node))
        if size is None:
            self.height += 1
            if self.height > limits.MAX_HEIGHT:
                raise self.refuse(node, f"more than {limits.MAX_HEIGHT} operations inside another")
            self.known[id(node)] = size = self.checked(node, _WEIGH[type(node)](self, node))
            self.height -= 1
        return size

    def checked(self, node: Node, size: Size) -> Size:
        if size.terms > limits.MAX_TERMS or (size.below and expand(size.below) >= TOO_MANY):
            raise self.refuse(node, f"multiplied out, it has more than {limits.MAX_TERMS} terms")
        if max(size.up + size.down, size.high, -size.low) > limits.MAX_BITS:
            raise self.refuse(node, f"its value takes more than {limits.MAX_BITS} bits")
        if size.work > limits.MAX_WORK:
            raise self.refuse(node, "its exact value takes too much work")
        return size

    def refuse(self, node: Node, reason: str) -> CostError:
        return CostError(reason, self.positions.get(id(node), self.otherwise))

    def shape(self, node: Node) -> int:
        """Number the shapes, so that equal subtrees get equal numbers."""
        number = self.shapes.get(id(node))
        if number is None:
            if isinstance(node, Number):
                key: object = node.value
            else:
                key = (type(node), *[self.part(getattr(node, name)) for name in node.__slots__])
            number = self.numbers.setdefault(key, len(self.numbers))
            self.shapes[id(node)] = number
        return number

    def part(self, field: Any) -> object:
        """A node's field as part of its shape."""
        if isinstance(field, tuple):
            return tuple([self.shape(node) for node in field])
        return field if isinstance(field, str | int) else self.shape(field)

    def degree(self, roots: Roots) -> int:
        """The degree of the field that radicals span, at most."""
        return min(prod(index for _, index in {(self.shape(a), n) for a, n in roots}), TOO_MANY)

    def common(self, parts: list[Size]) -> tuple[int, Factors]:
        """Terms of a sum over its common denominator, and that denominator.

        A factor that two terms share is taken once, at its higher power.
        """
        if not any(part.below for part in parts):
            return sum([part.terms for part in parts]), ()
        union: dict[int, tuple[Node, int, int]] = {}
        powers: list[dict[int, int]] = []
        for part in parts:
            own: dict[int, int] = {}
            for node, terms, power in part.below:
                shape = self.shape(node)
                own[shape] = own.get(shape, 0) + power
                if shape not in union or own[shape] > union[shape][2]:
                    union[shape] = (node, terms, own[shape])
            powers.append(own)
        if expand(union.values()) == TOO_MANY:
            return TOO_MANY, ()
        total = 0
        for part, own in zip(parts, powers, strict=True):
            lacking = [(a, t, p - own.get(shape, 0)) for shape, (a, t, p) in union.items()]
            total += part.terms * expand(lacking)
        return total, tuple(union.values())

    def constant(self, node: Constant) -> Size:
        return _CONSTANT

    def symbol(self, node: Symbol) -> Size:
        return _SYMBOL

    def negative(self, node: Neg) -> Size:
        a = self.weigh(node.body)
        rest = (a.low, a.high, a.work, False, a.algebraic, a.below, a.roots)
        return Size(a.terms, a.up, a.down, *rest)

    def percent(self, node: Percent) -> Size:
        a = self.weigh(node.body)
        rest = (a.low - 7, a.high, a.work, a.positive, a.algebraic, a.below, a.roots)
        return Size(a.terms, a.up, a.down + 7, *rest)

    def sum(self, node: Add) -> Size:
        parts = [self.weigh(term) for term in node.terms]
        algebraic, roots = all(part.algebraic for part in parts), roots_of(parts)
        terms, below = self.common(parts)
        if algebraic and not roots:  # a rational number
            terms, below = 1, ()
        carry = log2(len(parts))
        down = sum([part.down for part in parts])
        up = max([part.up - part.down for part in parts]) + down + carry
        positive = all(part.positive for part in parts)
        low = max([part.low for part in parts]) if positive else -up - down
        high = max([part.high for part in parts]) + carry
        work = sum([part.work for part in parts])
        return Size(terms, up, down, low, high, work, positive, algebraic, below, roots)

    def product(self, node: Mul) -> Size:
        return self.multiply([self.weigh(factor) for factor in node.factors])

    def multiply(self, parts: list[Size]) -> Size:
        terms, up, down, low, high, work = 1, 0.0, 0.0, 0.0, 0.0, 0.0
        positive = algebraic = True
        below: Factors = ()
        for part in parts:
            terms = min(terms * part.terms, TOO_MANY)
            up += part.up
            down += part.down
            low += part.low
            high += part.high
            work += part.work
            positive = positive and part.positive
            algebraic = algebraic and part.algebraic
            below += part.below
        return Size(terms, up, down, low, high, work, positive, algebraic, below, roots_of(parts))

    def inverse(self, node: Node, a: Size) -> Size:
        """1/x: its denominator is the numerator of x, and the other way round."""
        below = ((node, a.terms, 1),) if a.terms > 1 else ()
        terms = expand(a.below)
        rest = (-a.high, -a.low, a.work, a.positive, a.algebraic, below, a.roots)
        return Size(terms, a.down, a.up, *rest)

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
            up, down = base.up + exponent.up, base.down + exponent.down
            return Size(1, up, down, -reach, reach, work, algebraic=False)
        count = plain_value(node.exponent)
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
        terms = multinomial(base.terms, times) if whole else 1
        if base.algebraic and base.terms > 1 and whole:
            terms = min(terms, self.degree(base.roots))
        return Size(
            terms,
            max(count, 1.0) * (base.up + log2(base.terms)),
            max(count, 1.0) * base.down,
            count * base.low,
            count * base.high,
            base.work,
            base.positive,
            base.algebraic,
            tuple([(factor, size, times * n) for factor, size, n in base.below]),
            base.roots if whole else (*base.roots, (node.base, power.denominator)),
        )

    def root(self, node: Root) -> Size:
        a, index = self.weigh(node.radicand), node.index
        low, high, roots = a.low / index, a.high / index, (*a.roots, (node.radicand, index))
        return Size(1, a.up, a.down, low, high, a.work, a.positive, a.algebraic, roots=roots)

    def call(self, node: Call) -> Size:
        argument = self.weigh(node.argument)
        if node.function == "log":
            return of_log(argument)
        return of_function(node, argument, self.exponential(node, argument))

    def exponential(self, node: Node, exponent: Size) -> Size:
        if exponent.high > _HIGHEST_ARGUMENT:
            raise self.refuse(node, f"exp is read up to exp({limits.MAX_EXP_ARGUMENT})")
        if exponent.below and self.degree(exponent.roots) > limits.MAX_DEGREE:
            degree = limits.MAX_DEGREE
            reason = f"a denominator inside an exponent has radicals of degree over {degree}"
            raise self.refuse(node, reason)
        reach = 2**exponent.high * _LOG_E
        up, down = exponent.up, exponent.down
        return Size(1, up, down, -reach, reach, exponent.work, algebraic=False)

    def array(self, node: Array) -> Size:
        return Size(1, 0, 0, 0, 0, sum([self.weigh(entry).work for entry in node.entries]))


_CONSTANT = Size(1, 1, 1, 1.4, 1.7, 0, algebraic=False)
_SYMBOL = Size(1, 1, 1, 0, 0, 0, False, False)
_HIGHEST_EXPONENT = log2(limits.MAX_EXPONENT) + 1
_HIGHEST_ARGUMENT = log2(limits.MAX_EXP_ARGUMENT) + 1
_EXPONENT_REASON = f"an exponent may be at most {limits.MAX_EXPONENT}"
_WEIGH: dict[type, Callable[[_Scale, Any], Size]] = {
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


def measure(
    tree: Node, positions: dict[int, int] | None = None, otherwise: int | None = None
) -> Size:
    """Bound the size of a tree's exact value, or refuse it.

    `positions` maps the `id` of a node to the position that an error names, `otherwise` is that
    of all other nodes.

    >>> from symattn.exact.parse import parse
    >>> measure(parse("(1+sqrt(2)+e)^10").tree).terms
    66

    Raises `CostError` beyond the limits.
    """
    return _Scale(positions or {}, otherwise).weigh(tree)
