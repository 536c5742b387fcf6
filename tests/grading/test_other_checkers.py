"""Where answer checkers are known to differ, and on which side these verdicts stand.

Each table is a kind of case that other checkers test, or differ about among themselves: with the
decision of ours, in cases of our own.
"""

from __future__ import annotations

import pytest

from symattn.errors import InputError
from symattn.grading.api import verify

KINDS = {
    # A number is judged by its value, never by the form in which it is written.
    "unreduced fraction": ("3/7", "12/28", "exact"),
    "root in the denominator": ("sqrt(5)/5", "1/sqrt(5)", "exact"),
    "power for a root": ("7", "49^(1/2)", "exact"),
    "decimal for a fraction": ("5/8", "0.625", "exact"),
    "sign in the denominator": ("-2/9", "2/-9", "exact"),
    "denested root": ("1 + sqrt(2)", "sqrt(3 + 2sqrt(2))", "exact"),
    "difference of nested cube roots": (
        "1",
        "(sqrt(5) + 2)^(1/3) - (sqrt(5) - 2)^(1/3)",
        "exact",
    ),
    # No tolerance: what is near is not right.
    "within five percent": ("20", "20.5", "wrong"),
    "many nines": ("1", "0.9999999", "misrounded"),
    "zero against a small number": ("1e-12", "0", "wrong"),
    "one unit of the thirteenth digit": ("1e-30", "1.000000000001e-30", "misrounded"),
    # A decimal is right when it is the rounding of the value to its own last place.
    "few digits": ("sqrt(7) + 1", "3.6", "rounded"),
    "one digit": ("sqrt(7) + 1", "4.", "rounded"),
    "tie up": ("0.03985", "0.0399", "rounded"),
    "tie down": ("0.03985", "0.0398", "rounded"),
    "trailing zero that is wrong": ("2/7", "0.2860", "wrong"),
    "more digits than are right": ("2/7", "0.28579", "wrong"),
    "whole number for a decimal": ("2381.7", "2380", "wrong"),
    "decimal zeros that are filled up": ("23456.7", "23000.0", "wrong"),
    "exact with more zeros than asked": ("131", "131.000", "exact"),
    "sign": ("-2.7182", "2.7182", "wrong"),
    "exponent": ("4.7e15", "4.7e13", "wrong"),
    "small numbers have a scale of their own": ("7.28e-40", "7.3e-40", "rounded"),
    "mantissa with another exponent": ("173e-3", "1.73*10^-1", "exact"),
    "power of ten elsewhere": ("3117", "0.3117", "wrong"),
    # Percent is a hundredth; so is nothing else.
    "percent with a gap": ("37%", "37 %", "exact"),
    "percent outside the dollars": ("37%", "$37$%", "exact"),
    "percent in words": ("37%", "37 percent", "malformed"),
    # Thousands and decimal commas.
    "thousands": ("4096000", "4,096,000", "exact"),
    "thousands with a decimal point": ("4096.5", "4,096.50", "exact"),
    "decimal comma": ("4096.75", "4096,75", "exact"),
    "leading point": ("0.7", ".7", "exact"),
    # One value, without words, units, currency or a chain of equalities around it.
    "words before": ("8", "The result is 8", "malformed"),
    "unit after": ("8", "8 seconds", "malformed"),
    "currency": ("8", "$8.00", "malformed"),
    "a name before the value": ("8", "k = 8", "exact"),
    "chain": ("1/4", "1/4 = 0.25", "malformed"),
    "interval": ("(1, 2)", "[1, 2)", "malformed"),
    "union": ("(1, 2)", "{1} ∪ {2}", "malformed"),
    "minimum": ("1", r"\min(1, 2)", "malformed"),
    "logarithm to a base": ("3", "lg(8, 2)", "malformed"),
    # Fractions and roots without an argument, and what does not exist.
    "empty root": ("1", r"\sqrt", "malformed"),
    "empty numerator": ("1", r"\frac{}{3}", "malformed"),
    "percent before": ("1", r"\%100", "malformed"),
    "division by zero": ("1", "3/0", "malformed"),
    "imaginary": ("1", "sqrt(-4)", "malformed"),
    # Shapes: a row, a column and a tuple are one vector; a set is none.
    "row for a vector": ("(4, 5, 6)", "[[4, 5, 6]]", "exact"),
    "number for a vector": ("(4, 5, 6)", "4", "wrong"),
    "vector for a number": ("4", "(4, 5, 6)", "wrong"),
    "one entry too many": ("(4, 5, 6)", "(4, 5, 6, 7)", "wrong"),
    "sum of vectors": ("(4, 5)", "(1, 2) + (3, 3)", "exact"),
    "sum of a vector and a number": ("(4, 5)", "(3, 4) + 1", "malformed"),
    "sum of different shapes": ("(4, 5)", "(3, 4) + (1, 1, 1)", "malformed"),
    "order": ("(4, 5)", "(5, 4)", "wrong"),
    "set": ("(4, 5)", "{4, 5}", "wrong"),
    "juxtaposed brackets": ("-12.3", "(-8.2)(1.5)", "exact"),
    "LaTeX brackets": ("-12.3", r"\left(-8.2\right)\left(1.5\right)", "exact"),
    "bare argument": ("exp(4)", r"\exp4", "exact"),
}


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_has_its_verdict(kind: str) -> None:
    truth, answer, verdict = KINDS[kind]
    assert verify(truth, answer).verdict == verdict


DIGITS = [
    ("0.0030", 2),
    ("300.0", 4),
    ("00.340", 3),
    ("-7.00", 3),
    ("+7.00", 3),
    ("(-7.00)", 3),
    ("0.00", 0),
    ("25.00e1", 4),
    ("−7.5", 2),
    (".002050", 4),
    ("1.50e-3", 3),
    ("3/7", None),
]


@pytest.mark.parametrize(("answer", "digits"), DIGITS)
def test_leading_zeros_do_not_count_and_trailing_ones_do(answer: str, digits: int | None) -> None:
    assert verify("1", answer).digits == digits


def test_half_of_the_entries_earn_half_of_the_points() -> None:
    found = verify("[[5, 6], [7, 8]]", "[[5, 60], [70, 8]]", points=1, partial=True)
    assert found.score == 0.5


def test_a_set_or_an_interval_is_no_true_value() -> None:
    for truth in ("{4, 5}", "[4, 5)"):
        with pytest.raises(InputError):
            verify(truth, "4")
