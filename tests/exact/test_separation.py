"""The root separation bound is below every algebraic number that is not zero, and near some."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from flint import arb, fmpq
from hypothesis import assume, example, given, settings

from symattn.errors import CostError
from symattn.exact import separation
from symattn.exact.enclosures import enclose_sum
from symattn.exact.separation import is_algebraic, is_zero_algebraic, separation_bits
from symattn.exact.terms import Sum
from tests.exact.strategies import algebraic, exact

#: Numbers that are small for their size: differences of near equals.
SMALL = [
    "1393 - 985*sqrt(2)",
    "3*sqrt(2) + 4*sqrt(3) + 5*sqrt(5) - 22.351501",
    "sqrt(10) + sqrt(11) + sqrt(5) - sqrt(18) - sqrt(20)",
    "cbrt(2)*63 - 50*cbrt(4)",
    "sqrt(1000001) + sqrt(1000025) + sqrt(1000031) - sqrt(1000084) - sqrt(999952) - sqrt(1000018)",
    "sqrt(2 + sqrt(3)) - 2911/1507",
    "sqrt(sqrt(2) - 1.41421356)",
    "(sqrt(2) - 1)^40",
    "(sqrt(sqrt(5) + 2) - 2)^8",
    "1/(1000 + sqrt(sqrt(999983) + 1))",
    "cbrt(1/(10^9 + sqrt(1 + sqrt(2))))",
    "(1/7 + sqrt(2/3 + sqrt(1/5))) - (1/7 + sqrt(2/3 + sqrt(0.2000001)))",
]


def size_in_bits(total: Sum) -> float:
    """-log2 of the size of a number that is not zero, by balls alone."""
    bits = 128
    while (ball := abs(enclose_sum(total, bits))).contains(0):
        bits *= 2
        assert bits < 1 << 18, "this number looks like zero"
    return -float(ball.lower().log() / arb(2).log())


def holds(bound: Callable[[Sum], int], total: Sum) -> bool:
    """Whether a claimed bound B keeps |x| >= 2^-B."""
    return size_in_bits(total) <= bound(total)


@pytest.mark.parametrize("text", SMALL)
def test_small_numbers_are_above_the_bound(text):
    x = exact(text)
    assert holds(separation_bits, x.numerator)
    assert holds(separation_bits, x.denominator)


@given(algebraic)
@settings(max_examples=200)
@example("sqrt(1 + sqrt(2)) - 1.5537739740300374")
def test_random_algebraic_numbers_are_above_the_bound(text):
    x = exact(text)
    for total in (x.numerator, x.denominator):
        assume(total and separation_bits(total) < 4000)
        ball = enclose_sum(total, 4200)
        if ball.contains(0):
            assert ball.abs_upper() < arb(2) ** -4100  # below its bound: it is zero
        else:
            assert holds(separation_bits, total)


def convergents(n: int) -> Sum:
    """p - q√2 for the n-th convergent p/q, about 1/(2p) in size."""
    p, q = 1, 1
    for _ in range(n):
        p, q = p + 2 * q, p + q
    return {((), ((2, 1, 2),), ()): fmpq(-q), ((), (), ()): fmpq(p)}


@pytest.mark.parametrize("n", [5, 50, 500])
def test_the_bound_is_nearly_reached_by_convergents_of_root_two(n):
    total = convergents(n)
    assert 0 <= separation_bits(total) - size_in_bits(total) < 8


@pytest.mark.parametrize(
    "planted",
    [
        lambda total: separation_bits(total) - 8,
        lambda total: separation_bits(total) // 2,
        lambda total: 1 + int(max(separation._bounds(total))) // 2,
        lambda total: int(separation._bounds(total)[1]) + 2,
    ],
    ids=["8 bits less", "half", "half of u", "l alone"],
)
def test_a_bound_that_is_too_small_is_caught(planted):
    assert not all(holds(planted, convergents(n)) for n in (5, 50, 500))


def test_shared_roots_count_once():
    once, twice = (
        exact("sqrt(1 + sqrt(2))").numerator,
        exact("sqrt(1 + sqrt(2)) + sqrt(2)").numerator,
    )
    assert separation._root_indices(once, {}) == separation._root_indices(twice, {})
    indices = separation._root_indices(
        exact("sqrt(2) + cbrt(2) + sqrt(1 + root(2, 4))").numerator, {}
    )
    assert sorted(indices.values()) == [2, 12]


@pytest.mark.parametrize(
    ("text", "algebraic"),
    [
        ("sqrt(1 + sqrt(2))", True),
        ("0", True),
        ("1/(root(2, 9) + root(3, 8))", True),
        ("e", False),
        ("sqrt(1 + e)", False),
        ("sqrt(2 + log(2))", False),
        ("pi", False),
        ("M", False),
    ],
)
def test_only_roots_of_rationals_are_algebraic(text, algebraic):
    assert is_algebraic(exact(text).numerator) == algebraic


def test_what_is_not_algebraic_is_refused():
    with pytest.raises(CostError):
        is_zero_algebraic(exact("sqrt(1 + e) - 1").numerator)
