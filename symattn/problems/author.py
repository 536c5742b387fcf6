"""Steps that the author of a problem adds: quantities to show, relations to prove."""

from __future__ import annotations

import re

from symattn.derivation import Check, Level, Line, Side, Step
from symattn.derivation.model import Relation
from symattn.derivation.prose import Decimal, Prose, Shown, prose
from symattn.errors import InputError, SymattnError
from symattn.exact.evaluate import value_of
from symattn.problems.model import Also, Problem
from symattn.problems.parts import read_expression

__all__ = ["author_steps", "problem_prose"]

_RELATION = re.compile(r"(<=|>=|!=|≤|≥|≠|=|<|>)")
_ASCII = {"≤": "<=", "≥": ">=", "≠": "!="}


def author_steps(problem: Problem, tables: tuple[Also, ...], key: str) -> list[Step]:
    """One checked step for each table.

    Raises: `InputError` naming the key where an expression cannot be read or does not hold.
    """
    steps = []
    for count, table in enumerate(tables, start=1):
        try:
            steps.append(_step(problem, table))
        except SymattnError as error:
            raise InputError(f"{key}[{count}]: {error}") from None
    return steps


def _step(problem: Problem, table: Also) -> Step:
    return Step(
        table.title,
        problem_prose(problem, table.what),
        problem_prose(problem, table.why),
        "",
        tuple(_line(problem, text) for text in table.lines),
        Check(
            problem_prose(problem, table.claim),
            table.method,
            tuple(_relation(problem, text) for text in table.check),
        ),
    )


def _relation(problem: Problem, text: str) -> Line:
    """A check: without a relation there would be nothing to prove."""
    sides = _RELATION.split(text)
    if len(sides) == 1 or not all(side.strip() for side in sides):
        raise InputError(
            f"check = {text!r}: a relation with =, !=, <, <=, > or >= between two sides is needed, "
            'such as "weights[1] < 1"'
        )
    return _line(problem, text, decimals=False, level=Level.NORMAL)


def _line(
    problem: Problem, text: str, *, decimals: bool = True, level: Level = Level.BRIEF
) -> Line:
    """A chain such as `weights[1] + weights[2] = 1` or `entropy(weights[1]) > 1`."""
    parts = _RELATION.split(text)
    sides = []
    for part in parts[::2]:
        expression = read_expression(problem, part)
        sides.append(Side(expression.shown, expression.scope))
    relations: list[Relation] = [_ASCII.get(sign, sign) for sign in parts[1::2]]  # type: ignore[misc]
    wanted = decimals and all(relation == "=" for relation in relations)
    return Line(tuple(sides), tuple(relations), wanted, level)


_PART = re.compile(r"\{([^{}]+)\}")


def problem_prose(problem: Problem, markup: str) -> Prose:
    """A sentence of the author's: `{part}` is the decimal of an expression of parts."""
    sentence: list[str | Shown | Decimal] = []
    end = 0
    for match in _PART.finditer(markup):
        sentence += prose(markup[end : match.start()])
        expression = read_expression(problem, match[1])
        sentence.append(Decimal(value_of(expression.shown, expression.scope)))
        end = match.end()
    return (*sentence, *prose(markup[end:]))
