"""Equal numbers are found equal in every form, and near misses are found different."""

from __future__ import annotations

import time

import pytest
from flint import arb, fmpq
from hypothesis import given, settings
from hypothesis import strategies as st

from symattn.errors import UndecidedError
from symattn.exact.equality import Comparison, compare, equal
from symattn.exact.numbers import Exact, rational
from tests.exact.strategies import (
    algebraic,
    exact,
    hyperbolic,
    mp,
    multiplied_through,
    quotients,
    rational_text,
    rationals,
    roots,
    scores,
    shifted,
    signed,
    tiny,
    weight,
)

#: One value in several forms.
EQUAL = [
    ["1/sqrt(2)", "sqrt(2)/2", "sqrt(1/2)", "2^(-1/2)", "1/(sqrt(8) - sqrt(2))"],
    ["1/(1 + sqrt(2) + sqrt(3))", "1/2 + sqrt(2)/4 - sqrt(6)/4"],
    ["exp(-1/sqrt(2))/(exp(-1/sqrt(2)) + 1)", "1/(1 + exp(sqrt(2)/2))", "sigmoid(-sqrt(1/2))"],
    ["tanh(1)", "sinh(1)/cosh(1)", "1 - 2/(e^2 + 1)", "2*sigmoid(2) - 1"],
    ["1/(4*cosh(1/2)^2)", "sigmoid(1)*(1 - sigmoid(1))", "e/(1 + e)^2"],
    ["2^sqrt(2)*2^sqrt(2)", "4^sqrt(2)", "2^sqrt(8)", "exp(sqrt(2)*log(4))"],
    ["log(3)/log(9)", "1/2", "log(sqrt(3))/log(3)"],
    ["sqrt(4 + sqrt(7))", "(sqrt(14) + sqrt(2))/2"],
    ["exp(sqrt(4 + sqrt(7)))/(1 + exp(sqrt(4 + sqrt(7))))", "1/(1 + exp(-(sqrt(14) + sqrt(2))/2))"],
    ["exp(log(2)/2)", "sqrt(2)"],
    ["exp(3*log(e + 1))", "(1 + e)^3"],
    ["sqrt(exp(sqrt(2)))", "exp(1/sqrt(2))"],
    ["cbrt(-8*exp(3))", "-2*e"],
    ["0.1 + 0.2", "0.3", "30%"],
    ["exp(1000)/(exp(1000) + exp(-1000))", "1/(1 + exp(-2000))"],
]
PAIRS = [(forms[0], form) for forms in EQUAL for form in forms[1:]]


def near(x: Exact, power: int) -> Exact:
    """x with a relative error of 10^-power."""
    return x * (1 + tiny(power))


@pytest.mark.parametrize(("left", "right"), PAIRS)
def test_forms_of_one_value_are_equal(left, right):
    assert compare(exact(left), exact(right)).verdict == "equal"
    assert equal(exact(right), exact(left))


@pytest.mark.parametrize("power", [30, 200, 2000])
@pytest.mark.parametrize(("left", "right"), PAIRS)
def test_forms_that_are_off_by_a_hair_are_different(left, right, power):
    if power == 2000 and ("log(3)/" in left or "^sqrt" in left or "log(4)" in right):
        pytest.skip("beyond the theorems in use; the bound is tested below")
    assert compare(near(exact(left), power), exact(right)).verdict == "different"
    assert compare(exact(left), near(exact(right), power)).verdict == "different"


@given(scores, st.data())
@settings(max_examples=80)
def test_a_weight_is_equal_in_all_its_forms_and_to_no_neighbour(row, data):
    j = data.draw(st.integers(0, len(row) - 1))
    by = data.draw(signed(st.one_of(rationals, roots)))
    plain = exact(weight(row, j))
    for form in (multiplied_through(row, j), shifted(row, j, by)):
        assert compare(plain, exact(form)).verdict == "equal"
        for power in (30, 200, 2000):
            assert compare(near(plain, power), exact(form)).verdict == "different"


@given(signed(roots), signed(roots))
@settings(max_examples=50)
def test_two_keys_are_the_hyperbolic_tangent(a, b):
    plain = exact(weight([a, b], 0))
    assert compare(plain, exact(hyperbolic(a, b))).verdict == "equal"
    assert compare(near(plain, 300), exact(hyperbolic(a, b))).verdict == "different"


@given(st.integers(1, 50), st.integers(1, 50))
@settings(max_examples=40)
def test_a_rationalised_quotient_is_equal(a, b):
    c = a + b
    left = exact(f"1/(sqrt({c}) + sqrt({a}))")
    assert compare(left, exact(f"(sqrt({c}) - sqrt({a}))/{b}")).verdict == "equal"
    assert compare(near(left, 300), exact(f"(sqrt({c}) - sqrt({a}))/{b}")).verdict == "different"


@given(st.integers(1, 20), st.integers(1, 20))
@settings(max_examples=30)
def test_a_square_of_a_sum_of_roots_is_denested(a, b):
    nested, flat = exact(f"sqrt({a + b} + 2*sqrt({a * b}))"), exact(f"sqrt({a}) + sqrt({b})")
    assert compare(nested, flat).verdict == "equal"
    assert compare(near(nested, 300), flat).verdict == "different"


@given(st.one_of(quotients, algebraic), st.one_of(quotients, algebraic))
@settings(max_examples=120)
def test_any_two_numbers_are_judged_as_their_values_say(a, b):
    comparison = compare(exact(a), exact(b))
    left, right = mp(a), mp(b)
    close = abs(left - right) <= abs(left) * 10**-200 if left else abs(right) < 1e-200
    assert comparison.verdict == ("equal" if close else "different")


@given(st.one_of(quotients, algebraic), rationals)
@settings(max_examples=60)
def test_equality_survives_arithmetic(text, r):
    x, ratio = exact(text), exact(r)
    assert equal((x + ratio) - ratio, x)
    assert equal(x * ratio / ratio, x)
    assert equal((x - ratio) * (x + ratio), x * x - ratio * ratio)


@given(quotients)
@settings(max_examples=60)
def test_a_number_without_atoms_is_rational_only_if_it_shows(text):
    x = exact(text)
    ratio = x.as_rational()
    if ratio is not None:
        assert compare(x, rational(ratio)).verdict == "equal"
        assert abs(mp(text) - mp(rational_text_of(ratio))) < 1e-200 * max(1, abs(mp(text)))


def rational_text_of(ratio: fmpq) -> str:
    from fractions import Fraction

    return rational_text(Fraction(int(ratio.p), int(ratio.q)))


def test_undecided_says_what_was_tried_and_a_bound_rounded_up():
    comparison = compare(exact("cbrt(pi^3)"), exact("pi"))
    assert comparison.verdict == "undecided"
    assert comparison.method == "a ball of 4096 bits"
    assert 0 < arb(comparison.bound) < arb(10) ** -1000
    missed = compare(exact("cbrt(pi^3)") + tiny(1233), exact("pi"))
    assert missed.verdict == "undecided"
    assert arb(missed.bound) >= arb(10) ** -1233


def test_undecided_is_no_answer_to_a_plain_question():
    with pytest.raises(UndecidedError, match=r"equality could not be decided \(.difference. < "):
        equal(exact("cbrt(pi^3)"), exact("pi"))


def test_symbols_are_compared_as_functions():
    assert equal(exact("exp(M)/(exp(M) + 1)"), exact("sigmoid(M)"))
    assert not equal(exact("M"), exact("x"))
    assert not equal(exact("M"), exact("2"))
    undecided = compare(exact("exp(1/(M + 1))"), exact("exp(1/(1 + 1*M)/1)*exp(1/(2+M) - 1/(M+2))"))
    assert undecided == Comparison("equal", "normal form") or undecided.bound is None


def test_large_scores_do_not_hide_a_difference():
    left = exact("exp(1000)/(exp(1000) + exp(-1000))")
    assert compare(left, rational(1)).verdict == "different"
    assert compare(left, exact("1 - exp(-2000)")).verdict == "different"


def test_most_wrong_answers_fall_to_the_first_ball():
    start = time.perf_counter()
    comparison = compare(exact(weight([f"sqrt({n})" for n in range(2, 40)], 3)), exact("0.25"))
    assert comparison == Comparison("different", "balls of 128 bits")
    assert time.perf_counter() - start < 1


ROOTS_OVER_EXPONENTIALS = [
    ("sqrt(e^2 + e^4)", "e*sqrt(1 + e^2)"),
    ("e + 1/e", "sqrt(e^2 + 2 + e^(-2))"),
    ("cosh(1)", "sqrt(1 + sinh(1)^2)"),
    ("-cosh(1)", "-sqrt(1 + sinh(1)^2)"),
    ("log(2)", "sqrt(log(2)^2)"),
]


@pytest.mark.parametrize(("left", "right"), ROOTS_OVER_EXPONENTIALS)
def test_roots_over_exponentials_are_compared_by_their_squares(left: str, right: str):
    assert compare(exact(left), exact(right)).verdict == "equal"
    assert compare(exact(left), -exact(right)).verdict == "different"
    near = exact(right) + rational(1, 10**300)
    assert compare(exact(left), near).verdict == "different"
