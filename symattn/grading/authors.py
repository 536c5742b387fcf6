"""Warnings for the author of a problem: mistakes that his numbers do not show.

A mistake is indistinguishable where it leads to an answer that earns the points: where what it
gives, rounded to the digits that are asked for, is right.
"""

from __future__ import annotations

from dataclasses import dataclass

from symattn.errors import SymattnError
from symattn.exact.numbers import Exact
from symattn.exact.parse import parse
from symattn.exact.rounding import round_significant
from symattn.exact.tree import Array, Node
from symattn.exact.vectors import Value, compare_values, shape
from symattn.grading.judge import judge_tree
from symattn.grading.policy import Policy, score
from symattn.grading.question import Question
from symattn.grading.truth import squeezed
from symattn.problems import Problem

__all__ = ["Warned", "indistinguishable"]

#: Digits at which parts are looked at whose question names none.
DIGITS = 4


@dataclass(frozen=True, slots=True)
class Warned:
    """A mistake that the answer to a part does not show."""

    part: str
    mistake: str
    message: str


def indistinguishable(problem: Problem) -> list[Warned]:
    """Every mistake that cannot be told from the truth, for each part that is asked for.

    A mistake that leaves the asked stage as it is (a wrong blend leaves the weights) is no matter
    of the numbers and is not named; one that gives another value on other numbers is.

    >>> from symattn.problems import load
    >>> {warned.mistake for warned in indistinguishable(load("ex3"))} >= {"unweighted-mean"}
    True
    """
    found: dict[tuple[str, str], Warned] = {}
    for ask in problem.asks:
        question = Question.of(problem, ask.part)
        digits = None if ask.exact else ask.digits or DIGITS
        for hypothesis in question.hypotheses.all:
            mistake = hypothesis.mistake
            key = (ask.part, mistake.id)
            if mistake.kind == "rounding" or key in found or not mistake.touches(question.asked):
                continue
            how = _same(question, hypothesis.value, digits)
            if how is not None:
                found[key] = Warned(ask.part, mistake.id, f"{mistake.title}: {how}")
    return list(found.values())


def _same(question: Question, value: Value, digits: int | None) -> str | None:
    """How a value is the true one, None where it is not."""
    truth = question.truth.value
    if squeezed(shape(value)) != question.truth.shape:
        return None
    if compare_values(value, truth).verdict == "equal":
        return "it gives the true value here"
    if digits is None or question.truth.symbols:
        return None
    try:
        tree = _rounded(value, digits)
    except SymattnError:
        return None
    if score(Policy(digits, points=1), judge_tree(question.truth, tree)).points:
        return f"to {digits} significant digits it gives the true value here"
    return None


def _rounded(value: Value, digits: int) -> Node:
    """The answer that a student with this value would write."""
    if isinstance(value, Exact):
        return parse(round_significant(value, digits).text).tree
    return Array(tuple(_rounded(entry, digits) for entry in value))
