"""Limits, derivatives and substitutions in open symbols."""

from __future__ import annotations

import mpmath
import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from symattn.errors import DomainError, InputError, UndecidedError
from symattn.exact.asymptotics import derivative, limit, substitute
from symattn.exact.bridge import from_sympy, to_sympy
from symattn.exact.equality import equal
from symattn.exact.numbers import rational
from tests.exact.strategies import exact, quotients, rational_text, tiny

LIMITS = [
    ("exp(M)/(exp(M) + 1)", "1", "0"),
    ("exp(M)/(exp(M) + 3)", "1", "0"),
    ("1/(1 + exp(-M))", "1", "0"),
    ("tanh(M)", "1", "-1"),
    ("(M^2 + 1)/(2*M^2 - M)", "1/2", "1/2"),
    ("M*exp(-M^2)", "0", "0"),
    ("(exp(M) + M^5)/(exp(M) - 1)", "1", None),
    ("exp(sqrt(2)*M)/(exp(sqrt(2)*M) + exp(M))", "1", "0"),
    ("exp(M)/(exp(M) + exp(M + 1))", "1/(1 + e)", "1/(1 + e)"),
    ("exp(M + x)/(exp(M + x) + exp(M + y))", "exp(x)/(exp(x) + exp(y))", None),
    ("(M^3*exp(M^2 + M) + 1)/(2*M^3*exp(M^2 + M) + M^9*exp(M^2))", "1/2", None),
    ("7", "7", "7"),
    ("sqrt(2)*exp(M)*x/(exp(M) + exp(M/2))", "sqrt(2)*x", None),
    ("M - M", "0", "0"),
]


@pytest.mark.parametrize(("text", "above", "below"), LIMITS)
def test_limits_are_those_of_the_largest_term(text, above, below):
    assert equal(limit(exact(text), "M", 1), exact(above))
    if below is not None:
        assert equal(limit(exact(text), "M", -1), exact(below))


@given(st.lists(st.integers(-3, 3), min_size=1, max_size=4), st.integers(1, 3))
@settings(max_examples=40)
def test_softmax_of_a_growing_multiple_goes_to_the_largest(scores, factor):
    row = [exact(f"exp({rational_text(s)}*M*{factor})") for s in scores]
    total = sum(row[1:], row[0])
    shares = [limit(w / total, "M", 1) for w in row]
    ties = scores.count(max(scores))
    for score, share in zip(scores, shares, strict=True):
        assert equal(share, rational(1, ties) if score == max(scores) else rational(0))


def test_a_limit_is_near_the_value_at_a_large_number():
    text = "(3*exp(M) + M^2)/(exp(M) + exp(M/2))"
    at = substitute(exact(text), {"M": rational(600)}).enclose(400)
    assert abs(at - limit(exact(text), "M", 1).enclose(400)) < 1e-100


@pytest.mark.parametrize("text", ["M", "exp(M)", "M^2/(M + 1)", "exp(2*M)/(exp(M) + 5)"])
def test_growth_without_bound_is_refused(text):
    with pytest.raises(InputError, match="grows without bound as M goes to infinity"):
        limit(exact(text), "M", 1)


@pytest.mark.parametrize("text", ["exp(exp(M))/(1 + exp(exp(M)))", "exp(1/(M + 1))", "exp(1/M)"])
def test_what_is_no_quotient_of_exponentials_is_undecided(text):
    with pytest.raises(UndecidedError):
        limit(exact(text), "M", 1)


def test_a_leading_coefficient_that_is_zero_in_disguise_is_passed_over():
    zero = "(sqrt(3 + 2*sqrt(2)) - 1 - sqrt(2))"
    assert equal(limit(exact(f"({zero}*exp(2*M) + 5*exp(M))/(exp(M) + 1)"), "M", 1), rational(5))
    near = exact(f"{zero}*exp(2*M)/(exp(M) + 1)") + exact("exp(2*M)/(exp(M) + 1)") * tiny(300)
    with pytest.raises(InputError):
        limit(near, "M", 1)


@pytest.mark.parametrize(
    "expression",
    [
        "exp(M)/(exp(M) + 1)",
        "M**3*exp(-M**2)",
        "1/M",
        "sqrt(2)*exp(2*M)*x/(1 + M*x)",
        "exp(M*x/2)",
        "5",
    ],
)
def test_derivatives_are_those_of_sympy(expression):
    M, x = sp.symbols("M x", real=True)
    there = sp.sympify(expression, locals={"M": M, "x": x})
    ours = derivative(from_sympy(there), "M")
    assert equal(ours, from_sympy(sp.diff(there, M)))
    assert not equal(ours + tiny(200), from_sympy(sp.diff(there, M)))


def test_a_derivative_outside_the_class_is_undecided():
    with pytest.raises(UndecidedError, match="the derivative of a inverse of M"):
        derivative(exact("exp(1/(M + 1))"), "M")


@given(quotients, st.integers(-3, 3))
@settings(max_examples=40)
def test_substitution_is_evaluation(text, n):
    x = exact(f"M*({text}) + exp(M)")
    value = substitute(x, {"M": rational(n)})
    assert equal(value, exact(text) * n + exact(f"exp({rational_text(n)})"))
    assert substitute(value, {"M": rational(1)}) is value


def test_substitution_leaves_other_symbols_open_and_refuses_a_pole():
    assert substitute(exact("M + x"), {"M": rational(1)}).symbols() == {"x"}
    with pytest.raises(DomainError, match="division by zero"):
        substitute(exact("1/(M - 1)"), {"M": rational(1)})


def test_the_limit_that_sympy_misses_is_the_one_of_the_numbers():
    weight = exact("exp(M*sqrt(2))/(exp(M*sqrt(2)) + exp(M) + 1)")
    shown = mpmath.mpf(str(sp.N(to_sympy(substitute(weight, {"M": rational(50)})), 30)))
    assert abs(shown - 1) < 1e-8
    assert equal(limit(weight, "M", 1), rational(1))
