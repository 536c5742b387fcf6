"""exp, log, roots and powers: their laws, their domains, and the cost of what is refused."""

from __future__ import annotations

import time

import mpmath
import pytest
from flint import fmpq
from hypothesis import given, settings
from hypothesis import strategies as st

from symattn.errors import CostError, DomainError, InputError, UndecidedError
from symattn.exact import functions
from symattn.exact.equality import compare, equal
from symattn.exact.functions import exp, log, power, root, sign
from symattn.exact.numbers import Exact, rational
from tests.exact.strategies import (
    algebraic,
    combined,
    encloses,
    exact,
    exponentials,
    mp,
    nested_roots,
    quotients,
    radical_sums,
    rationals,
    roots,
    tiny,
)

positive = combined(st.one_of(rationals, roots, exponentials), 3)
#: sqrt(3 + 2·sqrt(2)) - 1 - sqrt(2) is zero, and does not look it.
HIDDEN_ZERO = "(sqrt(3 + 2*sqrt(2)) - 1 - sqrt(2))"


# --- laws ---------------------------------------------------------------------------------------


@given(radical_sums, radical_sums)
@settings(max_examples=50)
def test_exp_turns_sums_into_products(a, b):
    x, y = exact(a), exact(b)
    assert equal(exp(x + y), exp(x) * exp(y))
    assert equal(exp(-x) * exp(x), rational(1))


@given(positive)
@settings(max_examples=50)
def test_log_and_exp_undo_each_other(text):
    x = exact(text)
    assert equal(exp(log(x)), x)
    assert equal(log(exp(x)), x)


@given(positive, positive)
@settings(max_examples=50)
def test_log_turns_products_into_sums(a, b):
    x, y = exact(a), exact(b)
    assert compare(log(x * y), log(x) + log(y)).verdict != "different"
    assert encloses(log(x * y).enclose(900), mp(f"log(({a})*({b}))"))


@given(positive, st.integers(1, 6))
@settings(max_examples=50)
def test_a_root_to_its_index_is_the_number(text, index):
    x = exact(text)
    assert compare(root(x, index) ** index, x).verdict != "different"
    assert encloses(root(x, index).enclose(900), mp(f"root({text}, {index})"))


@given(algebraic, st.sampled_from([1, 3, 5]))
@settings(max_examples=50)
def test_an_odd_root_is_real_and_odd(text, index):
    x = exact(text)
    assert equal(root(x, index) ** index, x)
    assert equal(root(-x, index), -root(x, index))
    assert sign(root(x, index)) == sign(x)


@given(positive, st.integers(-4, 4), st.integers(1, 4))
@settings(max_examples=50)
def test_a_power_has_the_value_of_the_power(text, p, q):
    assert encloses(
        power(exact(text), p, q).enclose(900), mp(f"({text})^(mpf({p})/{q})".replace("mpf", ""))
    )


@given(quotients)
@settings(max_examples=50)
def test_hyperbolic_functions_satisfy_their_identities(text):
    x = exact(text)
    if abs(mp(text)) > 50:
        return
    s, c, t = functions.sinh(x), functions.cosh(x), functions.tanh(x)
    assert compare(c * c - s * s, rational(1)).verdict == "equal"
    assert compare(t, s / c).verdict == "equal"
    assert encloses(t.enclose(900), mp(f"tanh({text})"))


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("exp(0)", "1"),
        ("exp(log(3)/2)", "sqrt(3)"),
        ("exp(2*log(3) + 1)", "9*e"),
        ("log(1)", "0"),
        ("log(1/8)", "-3*log(2)"),
        ("log(sqrt(6)*e^2)", "2 + log(2)/2 + log(3)/2"),
        ("sqrt(12)", "2*sqrt(3)"),
        ("cbrt(-27/8)", "-3/2"),
        ("sqrt(4*exp(3))", "2*exp(3/2)"),
        ("(4/9)^(-3/2)", "27/8"),
        ("0^3", "0"),
        ("root(0, 5)", "0"),
        (f"sqrt{HIDDEN_ZERO}", "0"),
        ("(-8)^(2/3)", "4"),
    ],
)
def test_values_that_are_known(text, value):
    assert compare(exact(text), exact(value)).verdict == "equal"


# --- logarithms of numbers built from logarithms ------------------------------------------------


@pytest.mark.parametrize(
    "inner",
    [
        "-log(e - 2)",  # log(e - 2) is negative
        "log(e - 2)^2",
        "-3*sqrt(2)*e*log(e - 2)",
        "log(e - 2)*log(1/3 + sqrt(2)/4)",
        "1 - 2*log(e - 2)",
        "-log(e - 2) + log(5) - 1/100",
        "log(2)*log(3)",
        f"5 + log({HIDDEN_ZERO} + 1)",
        f"e + log({HIDDEN_ZERO} + 1) + log(2)",
        "1/log(3)",
    ],
)
def test_a_log_of_logs_is_the_log_of_a_positive_number(inner):
    x = exact(inner)
    assert encloses(log(x).enclose(900), mp(f"log({inner})"))
    assert exp(log(x)).enclose(300).overlaps(x.enclose(300))
    assert compare(exp(log(x)), x).verdict != "different"
    assert compare(exp(log(x)), -x).verdict == "different"


# --- domains ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1/(sqrt(2)*sqrt(3) - sqrt(6))", "a division by zero has no value"),
        ("1/(exp(1/2)^2 - e)", "a division by zero has no value"),
        (f"1/{HIDDEN_ZERO}", "a division by zero has no value"),
        (f"{HIDDEN_ZERO}^(-1)", "a division by zero has no value"),
        (f"1/log(1 + {HIDDEN_ZERO})", "a division by zero has no value"),
        (f"1/(pi*log(1 + {HIDDEN_ZERO}))", "a division by zero has no value"),
        ("1/(M - M)", "a division by zero has no value"),
        ("1/((M + 1)^2 - M^2 - 2*M - 1)", "a division by zero has no value"),
        ("1/(log(6) - log(2) - log(3))", "a division by zero has no value"),
        ("sqrt(-1)", "an even root of a negative number is not real"),
        ("sqrt(1 - sqrt(2))", "an even root of a negative number is not real"),
        (f"root({HIDDEN_ZERO} - 10^(-30), 4)", "an even root of a negative number is not real"),
        ("(1 - e)^(3/2)", "an even root of a negative number is not real"),
        ("log(0)", "the logarithm of a number that is not positive does not exist"),
        (f"log{HIDDEN_ZERO}", "the logarithm of a number that is not positive does not exist"),
        ("log(2 - e)", "the logarithm of a number that is not positive does not exist"),
        ("0^0", "0^0 has no agreed value"),
        (f"{HIDDEN_ZERO}^0", "0^0 has no agreed value"),
        ("(sqrt(2)*sqrt(3) - sqrt(6))^(1 - 1)", "0^0 has no agreed value"),
        (f"log(1 + {HIDDEN_ZERO})^0", "0^0 has no agreed value"),
        ("(-2)^sqrt(2)", "a power with an irrational exponent needs a positive base"),
    ],
)
def test_what_does_not_exist_is_refused_in_every_disguise(text, message):
    with pytest.raises(DomainError) as refused:
        exact.__wrapped__(text)
    assert str(refused.value) == message


@pytest.mark.parametrize("power", [30, 200, 2000])
def test_what_exists_by_a_hair_is_not_refused(power):
    zero, miss = exact(HIDDEN_ZERO), tiny(power)
    assert sign(zero + miss) == 1
    assert equal((1 / (zero + miss)), rational(10**power))
    assert equal(root(zero + miss, 2) ** 2, rational(miss))
    assert sign(root(zero - miss, 3)) == -1
    assert equal(functions.power(zero + miss, 0), rational(1))
    with pytest.raises(DomainError):
        root(zero - miss, 2)
    with pytest.raises(DomainError):
        log(zero - miss)


@pytest.mark.parametrize(
    "text",
    ["1/(sqrt(pi^2) - pi)", "sqrt(sqrt(pi^2) - pi)", "log(sqrt(pi^2) - pi)", "(sqrt(pi^2) - pi)^0"],
)
def test_what_may_not_exist_is_undecided_with_a_bound(text):
    with pytest.raises(UndecidedError) as undecided:
        exact.__wrapped__(text)
    assert 0 < mpmath.mpf(undecided.value.bound) < mpmath.mpf(10) ** -1000


@pytest.mark.parametrize("text", ["sqrt(M)", "log(M)", "M^(1/3)", "2*sqrt(M^2)"])
def test_roots_and_logs_of_open_symbols_are_undecided(text):
    with pytest.raises(UndecidedError, match="the sign of an expression with open symbols"):
        exact.__wrapped__(text)


def test_an_undecided_question_without_a_bound_names_none():
    with pytest.raises(UndecidedError) as undecided:
        exact.__wrapped__("1/(exp(1/(M + 1)) - exp(1/(M + 2)) + exp(1/(M + 3)) - 2)")
    assert "None" not in str(undecided.value)


# --- signs --------------------------------------------------------------------------------------


@given(st.one_of(quotients, algebraic, nested_roots))
@settings(max_examples=80)
def test_a_sign_is_that_of_the_value(text):
    value = mp(text)
    expected = 0 if abs(value) < 1e-200 else int(mpmath.sign(value))
    assert sign(exact(text)) == expected


@given(quotients)
@settings(max_examples=30)
def test_a_sign_is_right_a_hair_from_zero(text):
    x = exact(text)
    assert sign(x - x + tiny(500)) == 1
    assert sign(exact(f"sqrt(2)*({text})") / exact("sqrt(2)") - x - tiny(500)) == -1


# --- cost ---------------------------------------------------------------------------------------


def large() -> Exact:
    return rational(10**5000) + exact("e")


@pytest.mark.parametrize(
    ("work", "message"),
    [
        (lambda: root(rational(2), 65), "a root of index 65 is refused (at most 64)"),
        (lambda: root(rational(2), 10**9), "a root of index 1000000000 is refused (at most 64)"),
        (lambda: power(exact("e"), 10**12), "a power of 1000000000000 is refused (at most 10000)"),
        (
            lambda: exp(rational(10**9) * log(rational(2))),
            "a power of 1000000000 is refused (at most 10000)",
        ),
        (lambda: power(rational(10**5000), 9999), "bits is refused (at most 400000)"),
        (lambda: power(large(), 10_000), "bits is refused (at most 400000)"),
        (lambda: power(1 / large(), 10_000), "bits is refused (at most 400000)"),
        (lambda: large() ** 10**12, "bits is refused (at most 400000)"),
        (lambda: power(exact("1 + e"), 10_000), "too large"),
        (lambda: power(exact("a + b + c + d + f"), 500), "too large"),
    ],
)
def test_what_costs_too_much_is_refused_early(work, message):
    start = time.perf_counter()
    with pytest.raises(CostError) as refused:
        work()
    assert message in str(refused.value)
    assert time.perf_counter() - start < 2


@pytest.mark.parametrize("index", [0, -1, -2])
def test_a_root_has_an_index_of_at_least_one(index):
    with pytest.raises(InputError, match=f"a root of index {index} does not exist"):
        root(rational(2), index)


def test_a_large_honest_power_is_not_refused():
    assert power(rational(2), 10_000).as_rational() == fmpq(2) ** 10_000
    assert equal(power(exact("1 + sqrt(2)"), 1000) * power(exact("sqrt(2) - 1"), 1000), rational(1))
