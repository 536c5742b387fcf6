"""Rows of answers: which question a row asks, and the row with its verdict beside it.

A row names `problem` and `part`, or `truth`, and `answer`; every other column passes through. A
column whose name a verdict needs comes back as `input_NAME`. A row that cannot be graded gets no
verdict, and its message says why.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

from symattn.errors import InputError, SymattnError
from symattn.grading.follow_through import follow_through
from symattn.grading.question import Attempt, Question, Questions
from symattn.grading.verdict import SCHEMA, Entries, Entry, Verdict

__all__ = [
    "COLUMNS",
    "KEYS",
    "Graded",
    "Row",
    "Spelled",
    "flat_row",
    "grade_rows",
    "json_row",
    "renamed",
]

#: Columns that a verdict adds to a table.
COLUMNS = ("verdict", "digits", "mistakes", "message", "entries", "score", "exact", "decimal")
#: Keys that a verdict adds to a JSON object.
KEYS = frozenset(
    ("schema", "verdict", "digits", "mistakes", "message", "entries", "score", "expected")
)


class Spelled(float):
    """A number of a JSON document that remembers how it was spelled: 0.2500 states four digits."""

    text: str

    def __new__(cls, text: str) -> Spelled:
        """Make the number that a text spells."""
        number = super().__new__(cls, text)
        number.text = text
        return number

    def __reduce__(self) -> tuple[type, tuple[str]]:
        return Spelled, (self.text,)


@dataclass(frozen=True, slots=True)
class Row:
    """One row: its number in the file from 1, its columns, or what kept it from being read."""

    number: int
    columns: Mapping[str, Any] = field(default_factory=dict)
    error: str | None = None

    def text(self, column: str) -> str:
        """What a column says as text; nothing where there is no such column.

        Raises: `InputError` for true, false and tables, which are no text.
        """
        return as_text(self.columns.get(column), column)


def as_text(value: Any, column: str) -> str:
    """A value of a JSON document as the text that a person would have written."""
    match value:
        case None:
            return ""
        case str():
            return value
        case Spelled():
            return value.text
        case bool() | dict():
            raise InputError(f"{column}={value!r} is no text and no number")
        case int() | float():
            return str(value)
        case list() | tuple():
            return "[" + ", ".join(as_text(entry, column) for entry in value) + "]"
        case _:
            raise InputError(f"{column}={value!r} is no text and no number")


@dataclass(frozen=True, slots=True)
class Graded:
    """A row with its verdict, or with the reason why it has none."""

    row: Row
    verdict: Verdict | None
    error: str | None = None


def grade_rows(
    rows: Iterable[Row], questions: Questions, defaults: Mapping[str, str], student: str = "student"
) -> Iterator[Graded]:
    """Grade rows in order; neighbours of one student and one problem follow through together."""
    for key, group in groupby(rows, lambda row: group_key(row, student, defaults)):
        if key is None:
            for row in group:
                yield _graded(row, questions, defaults)[0]
        else:
            yield from _grade_group(list(group), questions, defaults)


def group_key(row: Row, student: str, defaults: Mapping[str, str]) -> tuple[str, str] | None:
    """What the rows that belong together share, None for a row that stands alone."""
    name, problem = row.columns.get(student), row.columns.get("problem") or defaults.get("problem")
    return (str(name), str(problem)) if name not in (None, "") and problem else None


def _grade_group(
    rows: Sequence[Row], questions: Questions, defaults: Mapping[str, str]
) -> Iterator[Graded]:
    graded = [_graded(row, questions, defaults) for row in rows]
    verdicts = iter(follow_through([attempt for _, attempt in graded if attempt is not None]))
    for result, attempt in graded:
        yield result if attempt is None else Graded(result.row, next(verdicts))


def _graded(
    row: Row, questions: Questions, defaults: Mapping[str, str]
) -> tuple[Graded, Attempt | None]:
    if row.error is not None:
        return Graded(row, None, row.error), None
    try:
        question, answer = _question(row, questions, defaults), row.text("answer")
        attempt = question.attempt(answer, decimal_comma=questions.decimal_comma)
    except SymattnError as error:
        return Graded(row, None, f"row {row.number}: {error}"), None
    except Exception as error:  # a fault of ours in one row must not stop the others
        return Graded(row, None, f"row {row.number}: a fault in symattn: {error!r}"), None
    return Graded(row, attempt.verdict), attempt


def _question(row: Row, questions: Questions, defaults: Mapping[str, str]) -> Question:
    if "answer" not in row.columns:
        raise InputError("there is no `answer`")
    problem, part, truth = row.text("problem"), row.text("part"), row.text("truth")
    if problem and truth:
        raise InputError("it names both a problem and a truth; one of them is needed")
    if not (problem or truth):
        problem, truth = defaults.get("problem", ""), defaults.get("truth", "")
    if truth:
        return questions.of_truth(truth)
    part = part or defaults.get("part", "")
    if not (problem and part):
        raise InputError("it names neither `problem` and `part` nor `truth`")
    return questions.of_part(problem, part)


def renamed(names: Iterable[str], taken: Iterable[str]) -> dict[str, str]:
    """New names for the columns of a row: one that is taken comes back as `input_NAME`.

    >>> renamed(["id", "score"], ["score"])
    {'id': 'id', 'score': 'input_score'}
    """
    names = list(names)
    used = {*taken}
    kept = {name for name in names if name not in used}
    used |= kept
    result: dict[str, str] = {}
    for name in names:
        new = name
        if name not in kept:
            while new in used:
                new = f"input_{new}"
            used.add(new)
        result[name] = new
    return result


def json_row(graded: Graded) -> dict[str, Any]:
    """A graded row as one JSON object: its own columns, then the verdict's."""
    columns = graded.row.columns
    names = renamed(columns, KEYS)
    own = {names[name]: value for name, value in columns.items()}
    if graded.verdict is not None:
        return own | graded.verdict.to_json()
    nothing: dict[str, Any] = {"schema": SCHEMA, "verdict": None, "digits": None, "mistakes": []}
    ending = {"entries": None, "score": None, "expected": None}
    return own | nothing | {"message": graded.error} | ending


def flat_row(graded: Graded) -> dict[str, Any]:
    """A graded row as a flat record of scalars, as a table or a data frame holds it."""
    columns = graded.row.columns
    names = renamed(columns, COLUMNS)
    return {names[name]: value for name, value in columns.items()} | flat_verdict(graded)


def flat_verdict(graded: Graded) -> dict[str, Any]:
    """The columns that a verdict adds to a table."""
    verdict = graded.verdict
    if verdict is None:
        return dict.fromkeys(COLUMNS) | {"message": graded.error}
    decimal = verdict.expected.decimal
    values = (
        verdict.verdict,
        verdict.digits,
        ";".join(found.id for found in verdict.mistakes),
        verdict.message,
        None if verdict.entries is None else _nested(verdict.entries),
        verdict.score,
        verdict.expected.exact,
        decimal if decimal is None or isinstance(decimal, str) else _written(decimal),
    )
    return dict(zip(COLUMNS, values, strict=True))


def _nested(entries: Entries) -> str:
    if isinstance(entries, Entry):
        return entries.verdict
    return "[" + ", ".join(_nested(entry) for entry in entries) + "]"


def _written(decimals: Any) -> str:
    if isinstance(decimals, list):
        return "[" + ", ".join(map(_written, decimals)) + "]"
    return str(decimals)
