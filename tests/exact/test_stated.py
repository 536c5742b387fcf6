"""The digits that an answer states."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from symattn.exact.parse import parse
from symattn.exact.stated import Stated, stated, stated_digits

STATED = [
    ("0.5760", 4, -4),
    ("2.06e-9", 3, -11),
    ("2.06\\times10^{-9}", 3, -11),
    ("2.06*10^-9", 3, -11),
    ("2.06·10⁻⁹", 3, -11),
    ("-2.06 × 10⁻⁹", 3, -11),
    ("24.83%", 4, -4),
    ("-24.83 \\%", 4, -4),
    ("94%", 2, -2),
    ("0.000", 0, -3),
    ("-0.00", 0, -2),
    ("00.120", 3, -3),
    ("(-12.00)", 4, -2),
    ("+334.3", 4, -1),
    ("100.0", 4, -1),
    ("5.", 1, 0),
    (".001030", 4, -6),
    ("25.00e1", 4, -1),
    ("1500\\times 10^{-1}", 4, -1),
    ("1e5", 1, 5),
    ("12,288.5", 6, -1),
    ("0,2483", 4, -4),
    ("0{,}2483", 4, -4),
    ("≈ 0.25", 2, -2),
    ("z = 0.25", 2, -2),
]


@pytest.mark.parametrize(("text", "digits", "last_place"), STATED)
def test_a_decimal_states_the_digits_of_its_text(text: str, digits: int, last_place: int) -> None:
    found = stated(parse(text).tree)
    assert found is not None
    assert (found.digits, found.exponent) == (digits, last_place)
    assert stated_digits(parse(text).tree) == digits


@pytest.mark.parametrize("text", ["12288", "12,288", "1/2", "½", "0.5+0", "2*0.5", "e", "(0.5,)"])
def test_what_is_no_decimal_token_states_none(text: str) -> None:
    assert stated(parse(text).tree) is None


@given(units=st.integers(-(10**40), 10**40), exponent=st.integers(-60, 60))
def test_units_and_last_place_are_those_of_the_text(units: int, exponent: int) -> None:
    digits = len(str(abs(units))) if units else 0
    assert stated(parse(f"{units}e{exponent}").tree) == Stated(units, exponent, digits)
