"""SymPy expressions and exact numbers are one value in two languages."""

from __future__ import annotations

import mpmath
import pytest
import sympy as sp
from hypothesis import given, settings

from symattn.errors import DomainError, InputError
from symattn.exact.bridge import from_sympy, sympy_to_tree, to_sympy
from symattn.exact.equality import equal
from symattn.exact.numbers import symbol
from symattn.exact.plain import to_text
from tests.exact.strategies import encloses, exact, mp, numbers

M, x, y = sp.symbols("M x y", real=True)


def by_sympy(expression):
    """The value of an expression to 60 digits, as SymPy evaluates it."""
    with mpmath.workdps(70):
        return mpmath.mpf(str(sp.N(expression, 65)))


@given(numbers)
@settings(max_examples=60)
def test_a_number_comes_back_from_sympy(text):
    value = exact(text)
    assert equal(from_sympy(to_sympy(value)), value)


@given(numbers)
@settings(max_examples=30)
def test_sympy_evaluates_to_the_same_value(text):
    value, found = mp(text, 80), by_sympy(to_sympy(exact(text)))
    with mpmath.workdps(70):
        assert abs(value - found) <= mpmath.mpf(10) ** -50 * (1 + abs(value))


@pytest.mark.parametrize(
    "expression",
    [
        sp.Rational(-3, 7),
        sp.sqrt(2) / 2,
        1 / sp.sqrt(3),
        sp.exp(-1 / sp.sqrt(2)) / (1 + sp.exp(-1 / sp.sqrt(2))),
        sp.E,
        sp.E**2 - sp.pi,
        sp.tanh(1) + sp.cosh(sp.sqrt(2)) * sp.sinh(3),
        sp.log(sp.Rational(2, 3)) / sp.log(5),
        2 ** sp.sqrt(2),
        (1 + sp.sqrt(2)) ** sp.Rational(-5, 3),
        sp.cbrt(2 + sp.sqrt(5)),
        sp.sqrt(sp.exp(3) + 1),
        -sp.Rational(2, 3) * sp.sqrt(5) * sp.exp(2),
        sp.pi**-2 * sp.exp(-2) * 3,
        sp.real_root(-8, 3),
    ],
    ids=str,
)
def test_an_expression_has_the_value_that_sympy_gives_it(expression):
    value = from_sympy(expression)
    assert encloses(value.enclose(400), by_sympy(expression), 55)
    assert equal(from_sympy(to_sympy(value)), value)


@pytest.mark.parametrize(
    "expression",
    [
        sp.exp(M) / (sp.exp(M) + sp.exp(-M)),
        x**2 / y - y * sp.sqrt(2),
        sp.exp(M * x) * x ** (-2),
        sp.tanh(M),
    ],
    ids=str,
)
def test_expressions_with_symbols_come_back(expression):
    there = from_sympy(expression)
    assert equal(from_sympy(to_sympy(there)), there)
    point = {M: sp.Rational(1, 3), x: sp.Rational(3, 2), y: sp.Rational(-2, 7)}
    assert abs(sp.N(to_sympy(there).subs(point) - expression.subs(point), 30)) < 1e-25


def test_symbols_keep_their_names():
    assert equal(from_sympy(sp.Symbol("M")), symbol("M"))
    assert to_sympy(symbol("M")) == M


@pytest.mark.parametrize(
    "expression",
    [
        sp.Integer(-8) ** sp.Rational(1, 3),
        (1 - sp.sqrt(2)) ** sp.Rational(1, 3),
        (1 - sp.E) ** sp.Rational(-2, 3),
        sp.root(-5, 5),
        3 * (-sp.pi) ** sp.Rational(3, 7),
    ],
    ids=str,
)
def test_a_root_that_sympy_takes_to_be_complex_is_not_made_real(expression):
    """In SymPy (-8)^(1/3) is 1 + √3 i; the real root is real_root(-8, 3)."""
    assert sp.N(expression).is_real is False
    with pytest.raises(DomainError, match="is not real in SymPy"):
        from_sympy(expression)


@pytest.mark.parametrize(
    "expression", [sp.sqrt(-1), sp.sqrt(-2), sp.log(-1), sp.oo, sp.nan, sp.zoo]
)
def test_what_is_not_real_is_refused(expression):
    with pytest.raises(InputError):
        from_sympy(expression)


@pytest.mark.parametrize(
    ("expression", "message"),
    [
        (sp.Float("0.1"), "is a float, which is not exact"),
        (sp.sqrt(2) + 0.5, "is a float, which is not exact"),
        (sp.sin(1), "is no number that is built from roots, exp and log"),
        (sp.Matrix([1]), "is no number that is built from roots, exp and log"),
    ],
)
def test_what_is_outside_the_class_is_refused_by_name(expression, message):
    with pytest.raises(InputError, match=message):
        from_sympy(expression)


def test_a_tree_keeps_the_quotient():
    assert to_text(sympy_to_tree(-sp.exp(2) / (3 * sp.sqrt(5) * (1 + sp.E)))) in (
        "-sqrt(5)*exp(2)/(15*(1 + e))",
        "-sqrt(5)*e^2/(15*(1 + e))",
    )
