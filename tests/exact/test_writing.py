"""A number that is written, as a tree or as text, is read back as the same number."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from symattn.exact.equality import equal
from symattn.exact.evaluate import evaluate
from symattn.exact.functions import log
from symattn.exact.numbers import Exact, rational
from symattn.exact.plain import to_text
from symattn.exact.writing import number, to_tree
from tests.exact.strategies import exact, numbers, quotients, weight


def written(x: Exact) -> str:
    return to_text(to_tree(x))


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("0", "0"),
        ("-3/6", "-1/2"),
        ("sqrt(2)/2", "1/sqrt(2)"),
        ("sqrt(6)/2", "sqrt(6)/2"),
        ("sqrt(12)", "2*sqrt(3)"),
        ("-5*sqrt(2)/6", "-5/(3*sqrt(2))"),
        ("e^1", "e"),
        ("exp(2)", "exp(2)"),
        ("exp(sqrt(2)/2)/(1 + exp(sqrt(2)/2))", "exp(1/sqrt(2))/(1 + exp(1/sqrt(2)))"),
        ("M^2 - M", "M^2 - M"),
        ("log(8)", "3*log(2)"),
        ("2*pi", "2*pi"),
        ("1/pi", "pi^(-1)"),
        ("sqrt(1 + sqrt(2))", "sqrt(1 + sqrt(2))"),
    ],
)
def test_a_number_is_written_as_on_paper(text, shown):
    assert written(exact(text)) == shown


@given(numbers)
@settings(max_examples=150)
def test_text_is_read_back_to_the_same_number(text):
    x = exact(text)
    assert equal(exact.__wrapped__(written(x)), x)


@given(quotients)
@settings(max_examples=60)
def test_what_is_read_back_is_written_alike(text):
    once = written(exact(text))
    assert written(exact.__wrapped__(once)) == once


@pytest.mark.parametrize(
    "text",
    [
        "exp(1/(1 + e))",
        "exp(M/(1 + e))*x",
        "exp(x^2/y - x*y)*(x + y)^2/(x - y)",
        "log(1 + e)^2/log(3)",
        "exp(sqrt(1 + sqrt(2))*M)",
        "1/(root(2, 9) + root(3, 8))",
        "exp(exp(1/2))",
        "pi^3/log(2)^2*sqrt(1 + pi)",
        "-1/(1 - e)",
        "2^sqrt(2)",
        "root(32*exp(3), 5)",
        "cbrt(2)*sqrt(2)*root(5, 7)^3",
    ],
)
def test_every_kind_of_number_is_read_back(text):
    x = exact(text)
    assert equal(exact.__wrapped__(written(x)), x)
    assert equal(evaluate(to_tree(x)), x)


def test_a_check_of_what_is_read_back_can_fail():
    assert not equal(exact("exp(1/sqrt(2))"), exact("exp(-1/sqrt(2))"))


def test_signs_are_written_once_and_fractions_are_lowest():
    assert written(-exact(weight(["1", "2"], 0))) == "(-e)/(exp(2) + e)"
    assert written((exact("e") * 2 + 2) / (exact("e") * 4 + 8)) == "(1 + e)/(4 + 2*e)"
    assert written(rational(-6, 4)) == "-3/2"
    assert to_text(number(-7)) == "-7"


def test_the_representation_is_the_text():
    assert repr(exact("1/sqrt(2)")) == "Exact('1/sqrt(2)')"
    assert repr(log(rational(9))) == "Exact('2*log(3)')"
