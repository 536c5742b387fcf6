"""Grading from Python: one answer, or many.

sa.verify("exp(1)/(1 + exp(1))", "0.731")
sa.grade("ex1", {"weights": "(0.5760, 0.1400, 0.2840)"})
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, cast

from symattn.errors import InputError
from symattn.exact.numbers import Exact
from symattn.exact.vectors import Value
from symattn.grading.policy import Policy
from symattn.grading.question import Question, Questions
from symattn.grading.rows import Row, flat_row, grade_rows
from symattn.grading.truth import Truth
from symattn.grading.verdict import Verdict
from symattn.problems import Problem, load

__all__ = ["grade", "verify"]


def verify(
    truth: Any,
    answer: str,
    *,
    digits: int | None = None,
    exact: bool = False,
    points: float | None = None,
    partial: bool = False,
    decimal_comma: bool = False,
) -> Verdict:
    """The verdict on one answer against a true value.

    `truth` is text, a SymPy expression or matrix, an exact number, or nested lists of them; the
    other options are the question's policy.

    >>> verdict = verify("exp(1)/(1 + exp(1))", "0.731")
    >>> verdict.verdict, verdict.digits
    ('rounded', 3)

    Raises: `InputError` where the truth cannot be read; an answer that cannot be is `malformed`.
    """
    if not isinstance(answer, str):
        raise InputError(f"answer={answer!r} should be text: its digits are part of the answer")
    policy = Policy(digits, exact, points, partial)
    return Question(_truth(truth, decimal_comma), policy).grade(answer, decimal_comma=decimal_comma)


def _truth(truth: Any, decimal_comma: bool) -> Truth:
    if isinstance(truth, str):
        return Truth.read(truth, decimal_comma=decimal_comma)
    return truth if isinstance(truth, Truth) else Truth(_value(truth))


def _value(value: Any) -> Value:
    if isinstance(value, Exact):
        return value
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, list | tuple):
        return tuple(_value(entry) for entry in value)
    if isinstance(value, str):
        return Truth.read(value).value
    if isinstance(value, float):
        raise InputError(f"truth={value!r} is a float, which is not exact: write '{value}' as text")
    import sympy as sp

    from symattn.exact.bridge import from_sympy

    try:
        return from_sympy(sp.sympify(value, strict=True))
    except sp.SympifyError:
        raise InputError(f"truth={value!r} is no number") from None


def grade(
    problem: str | Path | Problem, answers: Any, *, decimal_comma: bool = False
) -> list[dict[str, Any]]:
    """The verdicts on many answers to one problem, as flat records that make a data frame.

    `answers` maps parts to answers, or is an iterable of rows (or a pandas or Polars data frame)
    with the columns `part` and `answer`. The other columns pass through; with a column `student`,
    neighbouring rows of one student follow through.

    >>> [row["verdict"] for row in grade("ex3", {"weights[1]": "1/4", "weights[2]": "0.4"})]
    ['exact', 'wrong']

    Raises: `InputError` where the problem cannot be read; a faulty row has a message, no verdict.
    """
    loaded = problem if isinstance(problem, Problem) else load(problem)
    questions = _OfProblem(loaded, decimal_comma=decimal_comma)
    one = isinstance(answers, Mapping)
    rows = [
        Row(number, {str(name): value for name, value in columns.items()})
        for number, columns in enumerate(_records(answers), start=1)
    ]
    given = {"problem": loaded.name}
    if not one:
        return [flat_row(graded) for graded in grade_rows(rows, questions, given)]
    alone = [Row(row.number, {**row.columns, "student": "the one"}) for row in rows]
    graded = [flat_row(graded) for graded in grade_rows(alone, questions, given)]
    return [{name: x for name, x in row.items() if name != "student"} for row in graded]


class _OfProblem(Questions):
    """Questions of one problem that is loaded already, whatever its rows call it."""

    def __init__(self, problem: Problem, *, decimal_comma: bool) -> None:
        super().__init__(decimal_comma=decimal_comma)
        self._problem = problem

    def problem(self, target: str) -> Problem:
        """The problem."""
        return self._problem


def _records(answers: Any) -> Iterable[Mapping[str, Any]]:
    """Rows of whatever holds answers."""
    if isinstance(answers, Mapping):
        return [{"part": part, "answer": answer} for part, answer in answers.items()]
    if hasattr(answers, "to_dicts"):  # Polars
        return cast(Iterable[Mapping[str, Any]], answers.to_dicts())
    if hasattr(answers, "to_dict"):  # pandas
        return cast(Iterable[Mapping[str, Any]], answers.to_dict("records"))
    rows = list(answers)
    for number, row in enumerate(rows, start=1):
        if not isinstance(row, Mapping):
            raise InputError(f"answers[{number}]={row!r}: a row with `part` and `answer` is needed")
    return rows
