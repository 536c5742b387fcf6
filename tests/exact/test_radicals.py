"""Roots of rationals in one normal form, and inverses of their sums."""

from __future__ import annotations

import time

import pytest
from flint import fmpq, fmpz
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from symattn.errors import CostError
from symattn.exact import radicals, terms
from symattn.exact.enclosures import enclose_sum
from symattn.exact.radicals import coprime_base, factorise, rational_power, rationalised_inverse
from tests.exact.strategies import exact, radical_sums

P, Q = int(fmpz(2) ** 107 - 1), int(fmpz(2) ** 127 - 1)  # Mersenne primes


@given(st.integers(1, 10**24))
@settings(max_examples=60)
def test_factors_multiply_to_the_number_and_are_prime(number):
    product = 1
    for prime, exponent in factorise(number):
        assert fmpz(prime).is_prime()
        product *= prime**exponent
    assert product == number


@pytest.mark.parametrize(
    ("number", "factors"),
    [
        (1, ()),
        (P, ((P, 1),)),
        (12 * P, ((2, 2), (3, 1), (P, 1))),
        (P**2, ((P, 2),)),
        (P**6 * 7, ((7, 1), (P, 6))),
        (2**500 * 3**300, ((2, 500), (3, 300))),
    ],
)
def test_large_numbers_with_findable_factors_are_factorised(number, factors):
    assert factorise(number) == factors


def test_a_product_of_two_large_primes_is_given_up_at_once():
    start = time.perf_counter()
    assert factorise(P * Q) is None
    assert time.perf_counter() - start < 1


@given(
    st.fractions(min_value="1/1000", max_value=1000, max_denominator=1000),
    st.integers(-6, 6),
    st.integers(1, 6),
)
@settings(max_examples=80)
def test_a_rational_power_has_the_value_and_the_normal_form(base, p, q):
    factor, key = rational_power(fmpq(base.numerator, base.denominator), p, q)
    _, radical, _ = key
    assert all(0 < a < b and fmpq(a, b).q == b for _, a, b in radical)
    assert [prime for prime, _, _ in radical] == sorted({prime for prime, _, _ in radical})
    power = terms.power({key: factor}, q)
    assert power == terms.constant(fmpq(base.numerator, base.denominator) ** p)
    assert factor > 0


@given(radical_sums)
@settings(max_examples=60)
def test_an_inverse_times_its_sum_is_one(text):
    total = exact(text).numerator
    assume(total)
    try:
        inverse = rationalised_inverse(total)
    except CostError:
        assume(False)
    assert terms.multiply(total, inverse) == terms.UNIT


def test_an_inverse_of_large_degree_is_refused():
    total = exact("root(2, 9) + root(3, 8)").numerator
    with pytest.raises(CostError, match="degree 72 is too large to rationalise"):
        rationalised_inverse(total)


def test_denominators_of_large_degree_are_kept_and_still_compared():
    x = exact("1/(root(2, 9) + root(3, 8))")
    assert len(x.denominator) == 2
    assert (x * exact("root(2, 9) + root(3, 8)") - 1).numerator == {}


@given(st.lists(st.integers(1, 10**6), max_size=6))
@settings(max_examples=80)
def test_a_coprime_base_is_pairwise_coprime_and_spans_the_numbers(numbers):
    base = coprime_base(numbers)
    assert all(b > 1 for b in base)
    assert all(fmpz(a).gcd(b) == 1 for i, a in enumerate(base) for b in base[:i])
    for number in numbers:
        for b in base:
            while number % b == 0:
                number //= b
        assert number == 1


def test_linear_independence_is_that_of_the_values():
    """Distinct radical monomials of a fixed field, in balls: no small combination vanishes."""
    keys = [((), ((2, a, 4),) if a else (), ()) for a in (1, 3)] + [
        ((), ((2, 1, 2),), ()),
        terms.ONE,
    ]
    for coefficients in [(1, -1, 1, -1), (5, -3, -2, 1), (7, -4, -1, 0)]:
        total = {k: fmpq(c) for k, c in zip(keys, coefficients, strict=True) if c}
        assert not enclose_sum(total, 200).contains(0)


def test_is_radical_sum_refuses_exponentials_and_atoms():
    assert radicals.is_radical_sum(exact("1 + sqrt(2)").numerator)
    for text in ("1 + e", "sqrt(1 + sqrt(2))", "log(2)", "pi"):
        assert not radicals.is_radical_sum(exact(text).numerator)
