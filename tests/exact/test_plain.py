"""Plain text: readable, and read back to the same value."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from symattn.errors import CostError
from symattn.exact import tree
from symattn.exact.parse import parse
from symattn.exact.plain import to_text
from symattn.exact.tree import (
    Add,
    Array,
    Call,
    Constant,
    Div,
    Mul,
    Neg,
    Number,
    Percent,
    Pow,
    Root,
    Symbol,
)

ONE, TWO, E = Number(Fraction(1), "1"), Number(Fraction(2), "2"), Constant("e")
WRITTEN = [
    (Div(Call("exp", Div(ONE, Root(TWO, 2))), Add((ONE, E))), "exp(1/sqrt(2))/(1 + e)"),
    (Neg(Add((ONE, Neg(E)))), "-(1 - e)"),
    (Add((ONE, Neg(Mul((TWO, E))))), "1 - 2*e"),
    (Add((ONE, Add((TWO, E)))), "1 + (2 + e)"),
    (Mul((ONE, Div(TWO, E))), "1*(2/e)"),
    (Mul((Div(ONE, TWO), E)), "1/2*e"),
    (Div(ONE, Mul((TWO, E))), "1/(2*e)"),
    (Pow(Neg(TWO), TWO), "(-2)^2"),
    (Neg(Pow(TWO, TWO)), "-2^2"),
    (Pow(Pow(TWO, E), E), "(2^e)^e"),
    (Pow(TWO, Pow(E, E)), "2^(e^e)"),
    (Number(Fraction(-3), "-3"), "-3"),
    (Pow(Number(Fraction(1, 3), "1/3"), TWO), "(1/3)^2"),
    (Number(Fraction(103, 50) / 10**9, "2.06·10⁻⁹", True, -11), "2.06e-9"),
    (Number(Fraction(24), "24,0", True, -1), "24.0"),
    (Number(Fraction(0), "0,00", True, -2), "0.00"),
    (Array((ONE, TWO)), "[1, 2]"),
    (Array((ONE,), "set"), "\\{1\\}"),
]


@pytest.mark.parametrize(("node", "text"), WRITTEN)
def test_brackets_stand_where_the_grammar_needs_them(node: tree.Node, text: str) -> None:
    assert to_text(node) == text


# No 10, whose powers would join the number before them: 2*10^3 is one number.
integers = st.sampled_from([*range(10), *range(11, 40)])
numbers = st.one_of(
    integers.map(lambda n: Number(Fraction(n), str(n))),
    st.fractions(-9, 9, max_denominator=9).map(lambda x: Number(x, str(x))),
    st.tuples(st.integers(0, 9999), st.integers(-9, 3)).map(
        lambda pair: Number(pair[0] * Fraction(10) ** pair[1], "as written", True, pair[1])
    ),
)
small = st.integers(2, 4).map(lambda n: Number(Fraction(n), str(n)))
scalars = st.recursive(
    numbers | st.sampled_from([Constant("e"), Constant("pi"), Symbol("x_1")]),
    lambda parts: st.one_of(
        st.builds(Neg, parts),
        st.builds(Percent, parts),
        st.lists(parts, min_size=2, max_size=3).map(lambda terms: Add(tuple(terms))),
        st.lists(parts, min_size=2, max_size=3).map(lambda factors: Mul(tuple(factors))),
        st.builds(Div, parts, parts),
        st.builds(Pow, parts, small | small.map(Neg)),
        st.builds(Root, parts, st.integers(2, 5)),
        st.builds(Call, st.sampled_from(tree.FUNCTIONS), parts),
    ),
    max_leaves=8,
)
vectors = st.lists(scalars, min_size=1, max_size=3).map(lambda entries: Array(tuple(entries)))
matrices = st.lists(st.tuples(scalars, scalars), min_size=1, max_size=3).map(
    lambda rows: Array(tuple(Array(row) for row in rows))
)

Meaning = tuple[Any, ...]


def meaning(node: tree.Node) -> Meaning:
    """A tree up to what its text need not show: how products nest, where a sign stands."""
    match node:
        case Number(value, _, decimal) if decimal or value.denominator == 1:
            return ("number", value) if value >= 0 else ("minus", ("number", -value))
        case Number() | Mul() | Div() | Neg():
            above, below, minus = product(node)
            if above and not below and len(above) == 1:
                inner = above[0]
            else:
                inner = ("product", sorted(map(repr, above)), sorted(map(repr, below)))
            return ("minus", inner) if minus else inner
        case Add(terms):
            return ("sum", *map(meaning, terms))
        case Pow(base, exponent):
            return ("power", meaning(base), meaning(exponent))
        case Root(radicand, index):
            return ("root", meaning(radicand), index)
        case Call(function, argument):
            return (function, meaning(argument))
        case Percent(body):
            return ("percent", meaning(body))
        case Array(entries, kind):
            return (kind, *map(meaning, entries))
    return ("name", node)


def product(node: tree.Node) -> tuple[list[Meaning], list[Meaning], bool]:
    """Factors, divisors and sign of a product, all the way down."""
    match node:
        case Number(value, _, False) if value.denominator > 1:
            above, below = abs(value.numerator), value.denominator
            return [("number", Fraction(above))], [("number", Fraction(below))], value < 0
        case Neg(body):
            above, below, minus = product(body)
            return above, below, not minus
        case Mul(factors):
            parts = [product(factor) for factor in factors]
            minus = sum(minus for *_, minus in parts) % 2 == 1
            return [x for a, _, _ in parts for x in a], [x for _, b, _ in parts for x in b], minus
        case Div(numerator, denominator):
            (a, b, minus), (c, d, other) = product(numerator), product(denominator)
            return a + d, b + c, minus != other
    inner = meaning(node)
    return ([inner[1]], [], True) if inner[0] == "minus" else ([inner], [], False)


@given(scalars | vectors | matrices)
@settings(max_examples=500)
def test_what_is_written_is_read_back_with_the_same_meaning(node: tree.Node) -> None:
    try:
        again = parse(to_text(node), symbols=("x_1",)).tree
    except CostError:
        return
    assert meaning(again) == meaning(node)
