"""SymPy's own `str` and `latex` output is read back to the same expression."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st

from symattn.errors import CostError
from symattn.exact import tree
from symattn.exact.arrays import shape
from symattn.exact.parse import parse

PRINTERS = {
    "str": str,
    "latex": sympy.latex,
    "latex with dots": lambda x: sympy.latex(x, mul_symbol="dot"),
}

M, v1 = sympy.Symbol("M", real=True), sympy.Symbol("v_1", real=True)
rationals = st.fractions(-20, 20, max_denominator=12).map(
    lambda x: sympy.Rational(x.numerator, x.denominator)
)
positive = st.integers(1, 30).map(sympy.Integer)
radicals = st.builds(sympy.root, positive, st.integers(2, 5))
leaves = st.one_of(rationals, radicals, st.sampled_from([sympy.E, sympy.pi, M, v1]))


def power(base: Any, exponent: int) -> Any:
    return base if base == 0 else base**exponent


def logarithm(argument: Any) -> Any:
    return sympy.log(argument**2 + 2)


def quotient(numerator: Any, denominator: Any) -> Any:
    return numerator / (denominator**2 + 1)


expressions = st.recursive(
    leaves,
    lambda parts: st.one_of(
        st.builds(sympy.Add, parts, parts),
        st.builds(sympy.Mul, parts, parts),
        st.builds(quotient, parts, parts),
        st.builds(power, parts, st.integers(1, 3)),
        st.builds(sympy.exp, leaves),
        st.builds(sympy.exp, st.builds(quotient, leaves, leaves)),
        st.builds(logarithm, leaves),
        st.builds(lambda x: sympy.sqrt(x**2 + 1), parts),
        st.builds(lambda f, x: f(x), st.sampled_from([sympy.sinh, sympy.cosh, sympy.tanh]), leaves),
    ),
    max_leaves=6,
)


@pytest.mark.parametrize("printer", PRINTERS)
@given(expression=expressions)
@settings(max_examples=150, deadline=None)
def test_scalars_survive_the_round_trip(
    as_sympy: Callable[[tree.Node], Any],
    same_value: Callable[[Any, Any], bool],
    printer: str,
    expression: Any,
) -> None:
    text = PRINTERS[printer](expression)
    try:
        again = as_sympy(parse(text, symbols=("M", "v_1")).tree)
    except CostError:
        return
    values = {M: sympy.Rational(3, 7), v1: sympy.Rational(-5, 3)}
    assert again == expression or same_value(again.subs(values), expression.subs(values)), text


@pytest.mark.parametrize("printer", PRINTERS)
@given(data=st.data(), rows=st.integers(1, 3), columns=st.integers(1, 3))
@settings(max_examples=30, deadline=None)
def test_matrices_survive_the_round_trip(
    as_sympy: Callable[[tree.Node], Any],
    same_value: Callable[[Any, Any], bool],
    printer: str,
    data: st.DataObject,
    rows: int,
    columns: int,
) -> None:
    entry = st.one_of(rationals, radicals, st.builds(sympy.exp, radicals))
    matrix = sympy.Matrix(rows, columns, lambda i, j: data.draw(entry))
    node = parse(PRINTERS[printer](matrix)).tree
    assert shape(node) == (rows, columns)
    assert same_value(as_sympy(node), matrix.tolist())


WRITTEN = [
    "e^{\\frac{\\sqrt{2}}{2}}",
    "\\frac{1}{1 + e^{- \\sqrt{2}}}",
    "2^{\\frac{1}{3}}",
    "\\log{\\left(2 \\right)}^{2}",
    "\\sinh^{2}{\\left(1 \\right)}",
    "- \\frac{3 \\cdot 2^{\\frac{2}{3}}}{4}",
    "exp(-sqrt(2)/2)/(1 + exp(-sqrt(2)))",
    "2**(1/3)*exp(-1)",
]


@pytest.mark.parametrize("text", WRITTEN)
def test_forms_of_sympy_are_read(as_sympy: Callable[[tree.Node], Any], text: str) -> None:
    expression = as_sympy(parse(text).tree)
    assert as_sympy(parse(sympy.latex(expression)).tree) == expression
    assert as_sympy(parse(str(expression)).tree) == expression
