"""Plain text: readable, and read back to the same value."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from symattn.errors import CostError
from symattn.exact import tree
from symattn.exact.parse import parse
from symattn.exact.plain import to_text
from symattn.exact.tree import Add, Array, Call, Constant, Div, Mul, Neg, Number, Pow, Root

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


numbers = st.one_of(
    st.integers(0, 99).map(lambda n: Number(Fraction(n), str(n))),
    st.fractions(-9, 9, max_denominator=9).map(lambda x: Number(x, str(x))),
    st.tuples(st.integers(0, 9999), st.integers(-9, 3)).map(
        lambda pair: Number(pair[0] * Fraction(10) ** pair[1], "?", True, pair[1])
    ),
)
small = st.integers(2, 4).map(lambda n: Number(Fraction(n), str(n)))
scalars = st.recursive(
    numbers | st.sampled_from([Constant("e"), Constant("pi"), tree.Symbol("x_1")]),
    lambda parts: st.one_of(
        st.builds(Neg, parts),
        st.builds(tree.Percent, parts),
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


def meaning(node: Any) -> Any:
    """A tree up to what notation cannot show: nested signs, products and quotients, digits.

    Sums and products are flat, a quotient is a product with inverses, a number is its value.
    """
    match node:
        case Number():
            return (
                ("number", abs(node.value))
                if node.value >= 0
                else negative(("number", -node.value))
            )
        case Neg(body):
            return negative(meaning(body))
        case Add(terms):
            return ("sum", *map(meaning, terms))
        case Mul() | Div():
            return product(node)
        case Pow(base, exponent):
            return ("power", meaning(base), meaning(exponent))
        case Root(radicand, index):
            return ("root", meaning(radicand), index)
        case Call(function, argument):
            return (function, meaning(argument))
        case tree.Percent(body):
            return ("percent", meaning(body))
        case Array(entries, kind):
            return (kind, *map(meaning, entries))
    return node


def negative(inner: Any) -> Any:
    return inner[1] if inner[0] == "minus" else ("minus", inner)


def product(node: Any) -> Any:
    above, below, minus = factors(node)
    inner = ("product", tuple(sorted(map(repr, above))), tuple(sorted(map(repr, below))))
    return ("minus", inner) if minus else inner


def factors(node: Any) -> tuple[list[Any], list[Any], bool]:
    if isinstance(node, Mul):
        parts = [factors(factor) for factor in node.factors]
        above = [x for a, _, _ in parts for x in a]
        return above, [x for _, b, _ in parts for x in b], sum(m for *_, m in parts) % 2 == 1
    if isinstance(node, Div):
        (a, b, m), (c, d, n) = factors(node.numerator), factors(node.denominator)
        return a + d, b + c, m != n
    if isinstance(node, Neg):
        a, b, m = factors(node.body)
        return a, b, not m
    if isinstance(node, Number) and node.value.denominator > 1 and not node.decimal:
        sign = node.value < 0
        return (
            [("number", Fraction(abs(node.value.numerator)))],
            [("number", Fraction(node.value.denominator))],
            sign,
        )
    inner = meaning(node)
    return ([inner[1]], [], True) if inner[0:1] == ("minus",) else ([inner], [], False)


@given(scalars | vectors)
@settings(max_examples=400)
def test_what_is_written_is_read_back(
    as_sympy: Callable[[tree.Node], Any], same_value: Callable[[Any, Any], bool], node: tree.Node
) -> None:
    try:
        again = parse(to_text(node), symbols=("x_1",)).tree
    except CostError:
        return
    assert to_text(again) == to_text(parse(to_text(again), symbols=("x_1",)).tree)


@pytest.fixture(scope="module")
def unused() -> None:
    """Nothing."""
