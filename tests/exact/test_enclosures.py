"""Every ball holds its value, at every precision, and shrinks as the precision grows."""

from __future__ import annotations

import pytest
from flint import arb, ctx
from hypothesis import given, settings
from hypothesis import strategies as st

from symattn.errors import InputError
from symattn.exact.enclosures import (
    enclose_shared,
    enclose_sum,
    excludes_zero,
    power_ball,
    upper_text,
    working_precision,
)
from symattn.exact.functions import root
from symattn.exact.numbers import dot, rational
from tests.exact.strategies import encloses, exact, mp, numbers, rationals, roots, signed, tiny

PRECISIONS = [20, 53, 128, 700]
simple = signed(st.one_of(rationals, roots))


@given(numbers)
@settings(max_examples=120)
def test_a_ball_holds_its_value_at_every_precision(text):
    x, value = exact(text), mp(text)
    for bits in PRECISIONS:
        ball = x.enclose(bits)
        assert not ball.is_finite() or encloses(ball, value)
    assert x.enclose(700).is_finite()


@given(numbers)
@settings(max_examples=60)
def test_balls_of_one_number_overlap_and_shrink(text):
    x = exact(text)
    wide, narrow = x.enclose(200), x.enclose(2000)
    assert wide.overlaps(narrow)
    assert narrow.rad() <= wide.rad() or not wide.is_finite()
    assert narrow.rad() <= (abs(narrow.mid()) + 1) * arb(2) ** -1500


def test_a_check_of_enclosures_can_fail():
    ball, value = exact("sqrt(2)").enclose(100), mp("sqrt(2)")
    assert encloses(ball, value)
    with working_precision(100):
        assert not encloses(ball + arb(2) ** -80, value)
    assert not encloses(ball, mp("sqrt(2) + 1/10^25"))
    assert not encloses(arb(2), value)


@given(simple, simple)
@settings(max_examples=25)
def test_numbers_that_share_a_denominator_keep_their_own_balls(a, b):
    """Balls of denominators are kept by identity; a reused address must not mix them up."""
    for _ in range(3):
        x, y = 1 / (exact(f"exp({a})") + 3), 1 / (exact(f"exp({b})") + 5)
        for bits in (64, 200, 64):
            assert encloses(x.enclose(bits), mp(f"1/(3 + exp({a}))"))
            assert encloses(y.enclose(bits), mp(f"1/(5 + exp({b}))"))


def test_many_short_lived_denominators_are_not_confused():
    for n in range(1, 300):
        x = rational(1) / (exact("e") + n)
        expected = 1 / (exact("e").enclose(80) + n)
        assert x.enclose(80).overlaps(expected)
        assert enclose_shared(x.denominator, 80).overlaps(exact("e").enclose(80) + n)


def test_a_dot_product_of_numbers_that_vanish_on_the_way_is_right():
    e, e2 = exact("e"), exact("e^2")
    total = dot((1 / (e + i) for i in range(1, 40)), (1 / (e2 + i) for i in range(1, 40)))
    expected = sum(
        (1 / ((e.enclose(300) + i) * (e2.enclose(300) + i)) for i in range(1, 40)), arb(0)
    )
    assert total.enclose(300).overlaps(expected)


@pytest.mark.parametrize("bits", [64, 128, 512])
def test_the_root_of_a_number_near_zero_is_enclosed_though_its_ball_reaches_below(bits):
    near = exact("sqrt(3 + 2*sqrt(2)) - 1 - sqrt(2)") + tiny(400)
    ball = root(near, 2).enclose(bits)
    assert ball.is_finite()
    assert ball.contains(arb(10) ** -200)


def test_a_symbol_has_no_ball():
    with pytest.raises(InputError, match="the symbol M is open"):
        enclose_sum(exact("M + 1").numerator, 64)


@pytest.mark.parametrize(
    ("ball", "excluded"),
    [(arb(1), True), (arb(0), False), (arb(0, 1), False), (arb(1, 0.5), True), (arb("nan"), False)],
)
def test_only_a_finite_ball_away_from_zero_excludes_it(ball, excluded):
    assert excludes_zero(ball) == excluded
    assert not excludes_zero(arb("inf"))


@given(st.integers(1, 10**6), st.integers(-2000, 2000))
@settings(max_examples=80)
def test_a_bound_is_written_rounded_up(mantissa, exponent):
    bound = arb(mantissa) * arb(10) ** exponent
    assert arb(upper_text(bound)) >= bound
    assert arb(upper_text(bound)) <= bound * arb(1.03)


@pytest.mark.parametrize(("p", "q"), [(1, 2), (2, 3), (3, 1), (5, 7)])
def test_a_power_of_a_ball_holds_the_powers_of_its_points(p, q):
    ball = power_ball(arb(2, 0.25), p, q)
    for point in (1.75, 2, 2.25):
        assert ball.overlaps((arb(point).log() * p / q).exp())


def test_the_precision_in_force_is_left_as_it_was():
    before = ctx.prec
    exact("exp(sqrt(2))/(1 + e)").enclose(999)
    assert ctx.prec == before
