"""Sums of monomials are a commutative ring, and keys are written in one way only."""

from __future__ import annotations

import pytest
from flint import fmpq
from hypothesis import given, settings

from symattn.errors import CostError
from symattn.exact import terms
from symattn.exact.enclosures import enclose_sum
from symattn.exact.terms import EMPTY, ONE, UNIT, freeze, multiply_monomials, thaw
from tests.exact.strategies import exact, numbers, quotients

SQRT2, CBRT4 = ((), ((2, 1, 2),), ()), ((), ((2, 2, 3),), ())


@pytest.mark.parametrize(
    ("left", "right", "carried", "product"),
    [
        (SQRT2, SQRT2, 2, ONE),
        (SQRT2, CBRT4, 2, ((), ((2, 1, 6),), ())),
        (CBRT4, CBRT4, 2, ((), ((2, 1, 3),), ())),
        (((), ((2, 1, 2), (3, 1, 2)), ()), ((), ((3, 1, 2),), ()), 3, SQRT2),
        ((((ONE, 1, 2),), (), ()), (((ONE, -1, 2),), (), ()), 1, ONE),
        ((((ONE, 1, 2),), (), ()), (((ONE, 1, 6),), (), ()), 1, (((ONE, 2, 3),), (), ())),
    ],
)
def test_a_product_of_monomials_carries_whole_numbers_out(left, right, carried, product):
    assert multiply_monomials(left, right) == (carried, product)
    assert multiply_monomials(right, left) == (carried, product)


@given(quotients, quotients, quotients)
@settings(max_examples=60)
def test_sums_are_a_ring(a, b, c):
    x, y, z = (exact(text).numerator for text in (a, b, c))
    assert terms.multiply(x, terms.add(y, z)) == terms.add(
        terms.multiply(x, y), terms.multiply(x, z)
    )
    assert terms.multiply(x, y) == terms.multiply(y, x)
    assert terms.multiply(terms.multiply(x, y), z) == terms.multiply(x, terms.multiply(y, z))
    assert terms.add(x, terms.negate(x)) == EMPTY


@given(numbers)
@settings(max_examples=60)
def test_no_coefficient_is_zero_and_freezing_keeps_all(text):
    total = exact(text).numerator
    assert all(value != 0 for value in total.values())
    assert thaw(freeze(total)) == total


@given(quotients)
@settings(max_examples=40)
def test_every_monomial_times_its_inverse_is_one(text):
    for key in exact(text).numerator:
        factor, inverse = terms.monomial_inverse(key)
        assert terms.multiply({key: fmpq(1)}, {inverse: factor}) == UNIT


@given(quotients)
@settings(max_examples=30)
def test_a_power_is_a_repeated_product(text):
    total = exact(text).numerator
    product = UNIT
    for exponent in range(4):
        assert terms.power(total, exponent) == product
        product = terms.multiply(product, total)


def test_adding_does_not_change_what_was_added():
    total = exact("1 + sqrt(2)").numerator
    before = dict(total)
    terms.add(total, terms.negate(total))
    terms.multiply(total, total)
    terms.scale(total, fmpq(3))
    assert total == before


def test_atoms_are_found_inside_exponents_and_atoms():
    found = terms.atoms_of(exact("exp(M*sqrt(log(1 + sqrt(1 + sqrt(2)))))").numerator)
    assert {atom.kind for atom in found} == {"symbol", "root", "log"}


def test_a_product_of_too_many_terms_is_refused_before_it_is_made():
    many = exact(" + ".join(f"x_{i}" for i in range(600))).numerator
    with pytest.raises(CostError, match="a sum of 600 and a sum of 600 terms is too large"):
        terms.multiply(many, many)


def test_a_power_of_too_many_bits_is_refused_before_it_is_made():
    total = exact("12345678901 + sqrt(2)").numerator
    with pytest.raises(CostError, match="bits is refused"):
        terms.power(total, 10**12)


@given(quotients, quotients)
@settings(max_examples=40)
def test_the_ring_is_that_of_the_values(a, b):
    x, y = exact(a).numerator, exact(b).numerator
    left = enclose_sum(terms.multiply(x, y), 300)
    assert left.overlaps(enclose_sum(x, 300) * enclose_sum(y, 300))
