"""What a text may cost, decided before any work is done.

Two kinds of bounds. The first hold for the text: its length, its tokens, the depth of its
brackets, the digits of its numbers. The second hold for the value, which a short text can make
huge: `9^9^9^9`, `(10^5000)^5000`, `(1+sqrt(2)+sqrt(3)+e)^1000`. One walk over the tree bounds,
for every node from those below it, how large its exact value can become as a quotient of sums of
terms a·exp(α): the number of terms, the bits of a coefficient, the size of log2|value|. Nothing is
computed but small integers and floats, so the walk is linear in the tree and takes microseconds.

The limits are far above what an answer to an attention question needs (a softmax over 64 keys
has 64 terms) and far below what a second of work could do.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from math import comb, inf, log2, prod

from symattn.errors import CostError
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

__all__ = [
    "MAX_BITS",
    "MAX_DEGREE",
    "MAX_DEPTH",
    "MAX_DIGITS",
    "MAX_EXPONENT",
    "MAX_EXP_ARGUMENT",
    "MAX_INDEX",
    "MAX_LENGTH",
    "MAX_SCIENTIFIC",
    "MAX_TERMS",
    "MAX_TOKENS",
    "MAX_TOTAL_DIGITS",
    "Size",
    "measure",
]

#: Characters of a text: a 64 x 64 matrix at 40 characters an entry.
MAX_LENGTH = 200_000
#: Words and signs of a text: a 64 x 64 matrix of fractions.
MAX_TOKENS = 20_000
#: Brackets, exponents and bare arguments inside one another; each costs a few Python frames.
MAX_DEPTH = 100
#: Digits of one number; Python itself refuses to read more than 4300.
MAX_DIGITS = 4_000
#: The exponent of `1e5000`; the smallest double is about 1e-324.
MAX_SCIENTIFIC = 5_000
#: Digits and powers of ten of all numbers together; a fraction's gcd is quadratic in them.
MAX_TOTAL_DIGITS = 200_000
#: A power's exponent, unless its base is e.
MAX_EXPONENT = 10_000
#: A root's index.
MAX_INDEX = 1_000
#: |x| in exp(x), cosh(x) and so on: scores of attention stay below 1000 or so.
MAX_EXP_ARGUMENT = 100_000
#: Bits of a coefficient.
MAX_BITS = 2**18
#: Terms of a numerator and a denominator, multiplied out.
MAX_TERMS = 10_000
#: Degree of the field in which a denominator inside an exponent is made rational.
MAX_DEGREE = 64


@dataclass(slots=True)
class Size:
    """How large an exact value can become; every field bounds it from above.

    `terms` counts those of the numerator, `denominator` maps each factor of the denominator to
    its multiplicity, `bits` bounds a coefficient, `low <= log2|value| <= high`, `roots` holds the
    radicals. A factor and a radical are known by the number of their shape.
    """

    shape: int
    terms: int = 1
    bits: float = 1.0
    low: float = 0.0
    high: float = 0.0
    positive: bool = True
    algebraic: bool = True
    denominator: dict[int, int] = field(default_factory=dict)
    roots: frozenset[tuple[int, int]] = frozenset()

    @property
    def degree(self) -> int:
        """The degree of the field that the radicals span."""
        degree = 1
        for _, index in self.roots:
            degree *= index
            if degree > MAX_TERMS:
                break
        return degree


class _Scale:
    """Weighs the nodes of one tree, from the leaves up."""

    def __init__(self, positions: dict[int, int]) -> None:
        self.positions = positions
        self.shapes: dict[object, int] = {}
        self.factors: dict[int, int] = {}  # the terms of a factor of some denominator
        self.known: dict[int, Size] = {}  # a node that occurs often is weighed once

    def weigh(self, node: Node) -> Size:
        size = self.known.get(id(node))
        if size is None:
            size = _WEIGH[type(node)](self, node)
            self.check(node, size)
            self.known[id(node)] = size
        return size

    def shape(self, *key: object) -> int:
        """Number the shapes, so that equal subtrees get equal numbers."""
        return self.shapes.setdefault(key, len(self.shapes))

    def refuse(self, node: Node, reason: str) -> CostError:
        return CostError(reason, self.positions.get(id(node)))

    def check(self, node: Node, size: Size) -> None:
        if size.terms > MAX_TERMS:
            raise self.refuse(node, f"multiplied out, it has more than {MAX_TERMS} terms")
        if size.bits > MAX_BITS or max(abs(size.low), abs(size.high)) > MAX_BITS:
            raise self.refuse(node, f"its value takes more than {MAX_BITS} bits")

    def number(self, node: Number) -> Size:
        value = abs(node.value)
        up, down = value.numerator.bit_length(), value.denominator.bit_length()
        high = float(up - down + 1)
        shape = self.shape("number", node.value)
        return Size(shape, bits=up + down, low=high - 2, high=high, positive=node.value > 0)

    def constant(self, node: Constant) -> Size:
        return Size(self.shape(node.name), low=1.4, high=1.7, algebraic=False)

    def symbol(self, node: Symbol) -> Size:
        return Size(self.shape("symbol", node.name), positive=False, algebraic=False)

    def negative(self, node: Neg) -> Size:
        body = self.weigh(node.body)
        return self.like(body, self.shape("neg", body.shape), positive=False)

    def percent(self, node: Percent) -> Size:
        body = self.weigh(node.body)
        shape = self.shape("percent", body.shape)
        return self.like(body, shape, bits=body.bits + 7, low=body.low - 7)

    @staticmethod
    def like(size: Size, shape: int, **changes: object) -> Size:
        fields = {name: getattr(size, name) for name in Size.__slots__}
        return Size(**{**fields, "shape": shape, **changes})

    def expand(self, factors: dict[int, int], without: dict[int, int]) -> int:
        """Terms of a product of denominators after some have cancelled."""
        terms = 1
        for factor, power in factors.items():
            power -= without.get(factor, 0)
            if power > 0:
                terms *= _multinomial(self.factors[factor], power)
            if terms > MAX_TERMS:
                break
        return terms

    def sum(self, node: Add) -> Size:
        parts = [self.weigh(term) for term in node.terms]
        denominator: dict[int, int] = {}
        for part in parts:
            for factor, power in part.denominator.items():
                denominator[factor] = max(power, denominator.get(factor, 0))
        terms = sum(part.terms * self.expand(denominator, part.denominator) for part in parts)
        bits = sum(part.bits for part in parts)
        positive = all(part.positive for part in parts)
        return Size(
            self.shape("sum", *(part.shape for part in parts)),
            terms=terms,
            bits=bits,
            low=max(part.low for part in parts) if positive else -bits,
            high=max(part.high for part in parts) + log2(len(parts)),
            positive=positive,
            algebraic=all(part.algebraic for part in parts),
            denominator=denominator,
            roots=frozenset().union(*(part.roots for part in parts)),
        )

    def product(self, node: Mul) -> Size:
        parts = [self.weigh(factor) for factor in node.factors]
        return self.multiply(self.shape("product", *(part.shape for part in parts)), parts)

    def multiply(self, shape: int, parts: list[Size]) -> Size:
        terms, denominator = 1, dict[int, int]()
        for part in parts:
            terms = min(terms * part.terms, MAX_TERMS + 1)
            for factor, power in part.denominator.items():
                denominator[factor] = denominator.get(factor, 0) + power
        return Size(
            shape,
            terms=terms,
            bits=sum(part.bits for part in parts),
            low=sum(part.low for part in parts),
            high=sum(part.high for part in parts),
            positive=all(part.positive for part in parts),
            algebraic=all(part.algebraic for part in parts),
            denominator=denominator,
            roots=frozenset().union(*(part.roots for part in parts)),
        )

    def inverse(self, node: Node, size: Size) -> Size:
        """1/x: its denominator is the numerator of x, and the other way round."""
        if size.terms > 1:
            self.factors[size.shape] = size.terms
        return self.like(
            size,
            self.shape("inverse", size.shape),
            terms=self.expand(size.denominator, {}),
            denominator={size.shape: 1} if size.terms > 1 else {},
            low=-size.high,
            high=-size.low,
        )

    def quotient(self, node: Div) -> Size:
        above, below = self.weigh(node.numerator), self.weigh(node.denominator)
        shape = self.shape("quotient", above.shape, below.shape)
        return self.multiply(shape, [above, self.inverse(node, below)])

    def power(self, node: Pow) -> Size:
        base, exponent = self.weigh(node.base), self.weigh(node.exponent)
        shape = self.shape("power", base.shape, exponent.shape)
        if node.base == Constant("e"):
            return self.exponential(node, shape, exponent)
        if exponent.high > log2(MAX_EXPONENT) + 1:
            raise self.refuse(node, f"an exponent may be at most {MAX_EXPONENT}")
        if not exponent.algebraic or exponent.roots:  # a^x = exp(x·log a)
            bits = base.bits + exponent.bits
            reach = 2**exponent.high * max(abs(base.low), abs(base.high), 1.0)
            return Size(shape, bits=bits, low=-reach, high=reach, algebraic=False)
        count = _value(node.exponent)
        if count is None:
            count = Fraction(2 ** int(exponent.high + 1))
        if abs(count) > MAX_EXPONENT:
            raise self.refuse(node, f"an exponent may be at most {MAX_EXPONENT}")
        if count < 0:
            base = self.inverse(node, base)
        return self.raised(shape, base, abs(count))

    def raised(self, shape: int, base: Size, power: Fraction) -> Size:
        """x^n for a rational n of at least 0; a broken power of a sum is a term of its own."""
        whole, count = power.denominator == 1, float(power)
        roots = base.roots if whole else base.roots | {(base.shape, 2)}
        terms = _multinomial(base.terms, max(int(count), 1)) if whole else 1
        if base.algebraic and base.terms > 1:
            terms = min(terms, base.degree)
        return Size(
            shape,
            terms=terms,
            bits=max(count, 1.0) * (base.bits + log2(base.terms)),
            low=count * base.low,
            high=count * base.high,
            positive=base.positive,
            algebraic=base.algebraic,
            denominator={key: max(int(count), 1) * n for key, n in base.denominator.items()},
            roots=roots,
        )

    def root(self, node: Root) -> Size:
        body = self.weigh(node.radicand)
        shape = self.shape("root", body.shape, node.index)
        return Size(
            shape,
            bits=body.bits,
            low=body.low / node.index,
            high=body.high / node.index,
            positive=body.positive,
            algebraic=body.algebraic,
            roots=body.roots | {(body.shape, node.index)},
        )

    def call(self, node: Call) -> Size:
        argument = self.weigh(node.argument)
        shape = self.shape(node.function, argument.shape)
        if node.function == "log":
            reach = log2(2 + max(abs(argument.low), abs(argument.high)))
            return Size(
                shape, bits=argument.bits, low=-reach, high=reach, positive=False, algebraic=False
            )
        size = self.exponential(node, shape, argument)
        if node.function == "exp":
            return size
        if node.function in ("tanh", "sigmoid"):  # a quotient of two terms each
            self.factors[shape] = 2
            bound = {"denominator": {shape: 1}, "high": 0.0}
            return self.like(size, shape, terms=2, positive=node.function == "sigmoid", **bound)
        positive = node.function == "cosh"
        return self.like(size, shape, terms=2, positive=positive, low=0.0 if positive else size.low)

    def exponential(self, node: Node, shape: int, exponent: Size) -> Size:
        if exponent.high > log2(MAX_EXP_ARGUMENT) + 1 or exponent.high == inf:
            raise self.refuse(node, f"exp is read up to exp({MAX_EXP_ARGUMENT})")
        if exponent.denominator and exponent.degree > MAX_DEGREE:
            reason = f"a denominator inside an exponent has radicals of degree over {MAX_DEGREE}"
            raise self.refuse(node, reason)
        reach = 2**exponent.high * 1.4427
        return Size(shape, bits=exponent.bits, low=-reach, high=reach, algebraic=False)

    def array(self, node: Array) -> Size:
        for entry in node.entries:
            self.weigh(entry)
        return Size(-1)


def _multinomial(terms: int, power: int) -> int:
    """Terms of a sum of `terms` terms, raised to `power` and multiplied out."""
    if terms <= 1:
        return terms
    if power > MAX_TERMS or terms > MAX_TERMS or min(terms - 1, power) > 20:
        return MAX_TERMS + 1 if power > 1 and terms > 2 else terms + power - 1
    return comb(terms + power - 1, power)


def _value(node: Node) -> Fraction | None:
    """The value of an exponent where it is plain: numbers, their sums, products and quotients."""
    match node:
        case Number():
            return node.value
        case Neg():
            value = _value(node.body)
            return None if value is None else -value
        case Add() | Mul():
            parts = [_value(part) for part in (node.terms if type(node) is Add else node.factors)]
            known = [part for part in parts if part is not None]
            if len(known) < len(parts):
                return None
            return sum(known, Fraction(0)) if type(node) is Add else prod(known, start=Fraction(1))
        case Div():
            above, below = _value(node.numerator), _value(node.denominator)
            return above / below if above is not None and below else None
    return None


_WEIGH = {
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
    >>> measure(parse("1/(1+e^-1+e^-2)").tree).terms
    1

    Raises `CostError` beyond the limits of this module.
    """
    return _Scale(positions or {}).weigh(tree)
