"""The verdicts of the contract, as tables of true value, answer and verdict."""

from __future__ import annotations

import re

import pytest

from symattn import grading
from symattn.grading.api import verify
from symattn.grading.question import Question
from symattn.grading.verdict import flat
from symattn.problems import load

WEIGHT = "exp(1/sqrt(2))/(1 + exp(1/sqrt(2)) + exp(-1/sqrt(2)))"  # 0.575975345...
SMALL = "exp(-20)/(1 + exp(-20))"  # 2.0611536e-9
PAIR = "(exp(1)/(1 + exp(1)), 1/(1 + exp(1)))"  # 0.73105857..., 0.26894142...

VERDICTS = [
    # An expression without a decimal claims to be exact.
    (WEIGHT, WEIGHT, "exact"),
    (WEIGHT, r"\frac{1}{1+e^{-1/\sqrt2}+e^{-\sqrt2}}", "exact"),
    (WEIGHT, "e^(1/sqrt(2))/(1 + 2cosh(sqrt(2)/2))", "exact"),
    (WEIGHT, "exp(1/sqrt(2))/(1 + exp(1/sqrt(2)))", "wrong"),
    ("6", "2*3", "exact"),
    ("20.1", "20", "wrong"),
    # A decimal is exact only where it is the value itself.
    ("1/2", "0.5", "exact"),
    ("1/2", "0.500", "exact"),
    ("1/2", "50%", "exact"),
    ("1/2", "5e-1", "exact"),
    ("1/3", "0.3", "rounded"),
    ("0", "0.00", "exact"),
    # Rounded: at most half a unit of its own last place; a tie either way.
    (WEIGHT, "0.576", "rounded"),
    (WEIGHT, "0.5760", "rounded"),
    (WEIGHT, "57.60%", "rounded"),
    (WEIGHT, "0.6", "rounded"),
    (WEIGHT, "1.", "rounded"),
    ("1/8", "0.12", "rounded"),
    ("1/8", "0.13", "rounded"),
    ("-1/8", "-0.13", "rounded"),
    ("0.99996", "1.0000", "rounded"),
    (SMALL, "0.000", "rounded"),
    (SMALL, "2.061e-9", "rounded"),
    (SMALL, "2.061·10^{-9}", "rounded"),
    ("12288.4", "1.2288e4", "rounded"),
    # Misrounded: two digits or more, and the last digit one off.
    (WEIGHT, "0.57", "misrounded"),
    (WEIGHT, "0.5759", "misrounded"),
    (WEIGHT, "0.577", "misrounded"),
    (WEIGHT, "0.5761", "misrounded"),
    ("0.2496", "0.249", "misrounded"),
    ("0.2504", "0.249", "misrounded"),
    ("2.25", "2.1", "misrounded"),
    ("25", "2.4e1", "misrounded"),
    (WEIGHT, "0.5", "wrong"),
    (WEIGHT, "0.7", "wrong"),
    ("0.0007", "0.000", "wrong"),
    # Wrong beyond the last digit.
    (WEIGHT, "0.578", "wrong"),
    (WEIGHT, "-0.576", "wrong"),
    (WEIGHT, "0.5762", "wrong"),
    ("2.25", "2.0", "wrong"),
    (SMALL, "2.16e-9", "wrong"),
    (SMALL, "exp(-20)", "wrong"),
    ("1/2", "0.5e3", "wrong"),
    # Malformed: no answer, or one too many.
    (WEIGHT, "", "malformed"),
    (WEIGHT, "0.5 or 0.576", "malformed"),
    (WEIGHT, "not 0.576", "malformed"),
    (WEIGHT, "0.576 V", "malformed"),
    (WEIGHT, "1/0", "malformed"),
    (WEIGHT, "1/(sqrt(2)^2 - 2)", "malformed"),
    (WEIGHT, "sqrt(-1)", "malformed"),
    (WEIGHT, "log(-1)", "malformed"),
    (WEIGHT, "9^9^9^9", "malformed"),
    # Vectors and matrices.
    (PAIR, "(0.731, 0.2689)", "rounded"),
    (PAIR, "[sigmoid(1), 1/(1+e)]", "exact"),
    (PAIR, "(0.731, 1/(1+e))", "rounded"),
    (PAIR, "(0.73, 0.26)", "misrounded"),
    (PAIR, "(0.2689, 0.7311)", "wrong"),
    (PAIR, "(0.7311, 1/0)", "malformed"),
    (PAIR, "{0.7311, 0.2689}", "wrong"),
    (PAIR, "0.7311", "wrong"),
    (PAIR, "(0.7311, 0.2689, 0)", "wrong"),
    (PAIR, "[[0.7311, 0.2689]]", "rounded"),
    (PAIR, "[[0.7311], [0.2689]]", "rounded"),
    ("[[1/2, 1/2], [1/3, 2/3]]", "[[0.5, 1/2], [0.333, 0.67]]", "rounded"),
    ("[[1/2, 1/2], [1/3, 2/3]]", "(0.5, 0.5)", "wrong"),
    ("3", "[3]", "exact"),
    ("(3)", "3", "exact"),
]


@pytest.mark.parametrize(("truth", "answer", "verdict"), VERDICTS)
def test_each_answer_gets_the_verdict_of_the_contract(
    truth: str, answer: str, verdict: str
) -> None:
    assert verify(truth, answer).verdict == verdict


def grading_question(problem: str, part: str) -> Question:
    return Question.of(load(problem), part)


DIGITS = [
    ("0.5760", 4),
    ("57.60%", 4),
    ("5.760e-1", 4),
    ("0.58", 2),
    ("0.000", 0),
    ("1/2", None),
    (WEIGHT, None),
    ("exp(0.7071)", None),
]


@pytest.mark.parametrize(("answer", "digits"), DIGITS)
def test_the_digits_are_those_of_the_text(answer: str, digits: int | None) -> None:
    assert verify(WEIGHT, answer).digits == digits


def test_a_vector_states_the_fewest_digits_of_its_entries() -> None:
    found = verify(PAIR, "(0.731, 0.26894)")
    assert found.digits == 3
    assert found.entries is not None
    assert [entry.digits for entry in flat(found.entries)] == [3, 5]


def test_each_entry_has_a_verdict_and_the_worst_is_that_of_the_whole() -> None:
    found = verify("(1/2, 1/3, 1/4, 2/3)", "(1/2, 0.333, 0.26, 0.66)")
    assert found.entries is not None
    names = [entry.verdict for entry in flat(found.entries)]
    assert names == ["exact", "rounded", "misrounded", "misrounded"]
    assert found.verdict == "misrounded"


def test_a_matrix_has_its_entries_in_rows() -> None:
    entries = verify("[[1, 2], [3, 4]]", "[[1, 2], [3, 5]]").to_json()["entries"]
    assert [[entry["verdict"] for entry in row] for row in entries] == [
        ["exact", "exact"],
        ["exact", "wrong"],
    ]


def test_a_vector_of_one_entry_may_be_answered_with_its_number() -> None:
    question = grading_question("ex8", "output")
    for answer in ("0.9362", "(0.9362)", "[0.9362]", "[[0.9362]]"):
        found = question.grade(answer)
        assert found.verdict == "rounded"
        assert len(found.to_json()["entries"]) == 1


MESSAGES = [
    (WEIGHT, "0.5759", "truncated, not rounded: to this place it is 0.5760"),
    ("0.2504", "0.251", "rounded the wrong way: to this place it is 0.250"),
    ("0.2504", "0.249", "the last digit is one off: to this place it is 0.250"),
    # Of a tie's two roundings, the one that the answer is one off from.
    ("1/8", "0.11", "the last digit is one off: to this place it is 0.12"),
    ("1/8", "0.14", "the last digit is one off: to this place it is 0.13"),
    ("-1/8", "-0.11", "the last digit is one off: to this place it is -0.12"),
    ("9.9995", "9.998", "the last digit is one off: to this place it is 9.999"),
    ("exp(1)", "2.7182818284590452353602874713526624977572470936", "truncated, not rounded"),
    ("0.99996", "0.9999", "truncated, not rounded: to this place it is 1.0000"),
    (PAIR, "0.7311", "a single number, but a vector of shape (2,) is due"),
    (PAIR, "{1/2, 1/2}", "a set of 2 has no order, but a vector of shape (2,) is due"),
    ("1/2", "(1/2, 1/2)", "a vector of shape (2,), but a single number is due"),
    ("1/2", "0.5 or 1", "at character 5: 'or' is prose"),
    ("0.2483", "0,2483", "its comma is a decimal comma"),
    ("1/2", "1/0", "a division by zero has no value"),
    (SMALL, "0.000", "it states no significant digit"),
]


@pytest.mark.parametrize(("truth", "answer", "message"), MESSAGES)
def test_the_message_says_why(truth: str, answer: str, message: str) -> None:
    assert message in verify(truth, answer).message


UNDECIDED = [
    # The core does not simplify the root of a square of pi: a value no argument of its own reaches.
    ("pi", "cbrt(pi^3)"),
    ("cbrt(pi^3)", "pi"),
    ("cbrt(pi^3) - pi + 1/4", "1/4"),
    ("cbrt(pi^3) - pi + 1/4", "0.25"),  # it rounds right, but is it the value?
    ("cbrt(pi^3) - pi + 1/4", "0.3"),  # a tie, if it is one
    ("1/2", "1/(cbrt(pi^3) - pi)"),  # a denominator that may be zero
    ("(pi, 1)", "(cbrt(pi^3), 1)"),
]


@pytest.mark.parametrize(("truth", "answer"), UNDECIDED)
def test_what_is_not_proved_is_undecided_and_the_bound_is_said(truth: str, answer: str) -> None:
    found = verify(truth, answer, points=1)
    assert found.verdict == "undecided"
    assert re.search(r"\(\|difference\| < [0-9.]+e-1[0-9]{3}\)", found.message)
    assert found.score is None
    assert found.mistakes == ()


def test_an_undecided_entry_makes_no_wrong_one_better() -> None:
    assert verify("(pi, 1)", "(cbrt(pi^3), 2)").verdict == "wrong"


NEAR_A_TIE = [
    ("1/4 + exp(-3000)", "0.3", "rounded"),
    ("1/4 + exp(-3000)", "0.2", "wrong"),
    ("1/4 - exp(-3000)", "0.2", "rounded"),
    ("1/4 - exp(-3000)", "0.3", "wrong"),
    ("2.15 + exp(-9000)", "2.2", "rounded"),
    ("2.15 + exp(-9000)", "2.1", "misrounded"),
    ("2.15 - exp(-9000)", "2.0", "misrounded"),
    ("2.15 + exp(-9000)", "2.0", "wrong"),
    ("sqrt(3 + 2*sqrt(2)) - sqrt(2) - 3/4", "0.3", "rounded"),  # a tie in disguise
    ("sqrt(3 + 2*sqrt(2)) - sqrt(2) - 3/4", "0.25", "exact"),
]


@pytest.mark.parametrize(("truth", "answer", "verdict"), NEAR_A_TIE)
def test_a_number_next_to_a_tie_is_told_from_it(truth: str, answer: str, verdict: str) -> None:
    assert verify(truth, answer).verdict == verdict


def test_a_symbol_of_the_true_value_may_stand_in_the_answer() -> None:
    question = grading_question("ex3", "output[1]")
    assert question.grade("(v1+v2+v3+v4)/4").verdict == "exact"
    assert question.grade("(v1+v2+v3+v4)/3").verdict == "wrong"
    assert question.grade("0.25").verdict == "wrong"


@pytest.mark.parametrize("truth", ["", "1/0", "{1, 2}", "0.5 or 1", "9^9^9^9"])
def test_a_true_value_that_is_none_is_refused(truth: str) -> None:
    from symattn.errors import InputError

    with pytest.raises(InputError, match="truth"):
        verify(truth, "1")


def test_the_package_says_what_it_is() -> None:
    assert grading.__doc__
