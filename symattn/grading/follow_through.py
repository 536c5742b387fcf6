"""Follow-through: a later part that is computed rightly from an earlier wrong result.

The numbers that a student gave for an earlier stage take the place of the true ones, the rest of
the pass is computed exactly from them, and the answer is judged against that. Nothing is earned
where the earlier result leaves nothing to compute: weights of 0 and 1, equal scores, a total of 1.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from symattn.attention import EXACT, Forward
from symattn.errors import SymattnError
from symattn.exact.equality import compare
from symattn.exact.evaluate import value_of
from symattn.exact.numbers import Exact, rational
from symattn.exact.vectors import Value
from symattn.grading.judge import judge_tree
from symattn.grading.mistakes import CARRIED_ON, MISTAKES
from symattn.grading.mistakes.base import STAGES, Asked, Rows, Setting, Stage
from symattn.grading.policy import score
from symattn.grading.question import Attempt
from symattn.grading.truth import Truth
from symattn.grading.verdict import RIGHT, Found, Verdict

__all__ = ["carried_on", "follow_through"]

#: Mistakes that spare all work on what comes after them.
_TRIVIAL = frozenset(("unweighted-mean", "argmax"))
_NAMES = {"scaled": "scaled scores"}
_FORMULAS = {m.id for m in MISTAKES if m.kind == "formula"} - _TRIVIAL


def follow_through(attempts: Sequence[Attempt]) -> list[Verdict]:
    """The verdicts on one student's answers to one problem, with what follow-through earns.

    >>> from symattn.grading.question import Question
    >>> from symattn.problems import load
    >>> answers = {"weights": "(0.7, 0.1, 0.2)", "output": "(2.1, 0.3)"}
    >>> attempts = [Question.of(load("ex1"), p).attempt(a) for p, a in answers.items()]
    >>> [found.id for found in follow_through(attempts)[1].mistakes]
    ['carried-on']
    """
    return [carried_on(attempt, attempts) or attempt.verdict for attempt in attempts]


def carried_on(attempt: Attempt, others: Sequence[Attempt]) -> Verdict | None:
    """The verdict on a wrong answer that follows from an earlier wrong one, else None."""
    asked, verdict = attempt.question.asked, attempt.verdict
    if attempt.tree is None or asked.setting is None or verdict.verdict in RIGHT:
        return None
    earlier = [other for other in others if _comes_before(other, asked)]
    for stage in reversed(STAGES[: STAGES.index(asked.stage)]):
        given = [other for other in earlier if other.question.asked.stage == stage]
        if all(other.verdict.verdict in RIGHT for other in given):
            continue
        for carried in _carried_values(asked, stage, given):
            judged = judge_tree(Truth(carried), attempt.tree)
            if judged.verdict in RIGHT:
                return _earning(attempt, judged, f"the {_NAMES.get(stage, stage)} given before")
    shared = _shared_mistake(verdict, earlier)
    return _earning(attempt, None, f"the same mistake as before, {shared}") if shared else None


def _comes_before(other: Attempt, asked: Asked) -> bool:
    there = other.question.asked
    return (
        other.tree is not None
        and there.setting is not None
        and there.case == asked.case
        and STAGES.index(there.stage) < STAGES.index(asked.stage)
    )


def _shared_mistake(verdict: Verdict, earlier: Sequence[Attempt]) -> str | None:
    before = {found.id for other in earlier for found in other.verdict.mistakes}
    shared = [found.id for found in verdict.mistakes if found.id in before & _FORMULAS]
    return shared[0] if shared else None


def _earning(attempt: Attempt, judged: Verdict | None, source: str) -> Verdict:
    """The verdict with the mistake named, and the share that the policy pays for it."""
    verdict, policy = attempt.verdict, attempt.question.policy
    found = Found(CARRIED_ON, f"This follows rightly from {source}.")
    points = verdict.score
    if points is not None and policy.points is not None and policy.follow_through:
        full = policy.points if judged is None else score(policy, judged).points or 0.0
        points = max(points, float(policy.follow_through) * full)
    return replace(verdict, mistakes=(*verdict.mistakes, found), score=points)


def _carried_values(asked: Asked, stage: Stage, given: Sequence[Attempt]) -> Iterator[Value]:
    """What the asked part becomes with the student's numbers, the right ones too or left as is."""
    setting = asked.setting
    assert setting is not None
    true = _rows(asked.right, stage)
    if true is None:
        return
    wrong = [attempt for attempt in given if attempt.verdict.verdict not in RIGHT]
    for used in (given, wrong):
        try:
            rows = _overlaid(true, used)
            if rows is None or _is_trivial(stage, true, rows):
                continue
            value = asked.pick(_onward(setting, stage, rows))
        except SymattnError:
            continue
        if value is not None:
            yield value


def _rows(found: Forward[Exact] | None, stage: Stage) -> list[list[Exact]] | None:
    """A stage as rows, totals as rows of one."""
    value: Any = None if found is None else getattr(found, stage)
    if value is None:
        return None
    return [[x] for x in value] if stage == "total" else [list(row) for row in value]


def _overlaid(true: Rows, given: Sequence[Attempt]) -> list[list[Exact]] | None:
    """The rows of a stage with the numbers of answers in their places."""
    rows = [list(row) for row in true]
    for attempt in given:
        asked, tree = attempt.question.asked, attempt.tree
        assert tree is not None
        index = (0, *asked.index) if asked.single else asked.index
        if asked.stage == "total":
            index = (*index, 0) if len(index) == 1 else index
        if not _put(rows, index, value_of(tree)):
            return None
    return rows


def _put(rows: list[list[Exact]], index: tuple[int, ...], value: Value) -> bool:
    """Put a number, a row or a matrix in its place; False where its shape does not fit."""
    match index, value:
        case (i, j), Exact():
            rows[i][j] = value
        case (i,), tuple() if len(value) == len(rows[i]):
            return all(_put(rows, (i, j), entry) for j, entry in enumerate(value))
        case (), tuple() if len(value) == len(rows):
            places = [(i,) if isinstance(row, tuple) else (i, 0) for i, row in enumerate(value)]
            return all(_put(rows, place, row) for place, row in zip(places, value, strict=True))
        case _:
            return False
    return True


def _onward(setting: Setting, stage: Stage, rows: Rows) -> Forward[Exact] | None:
    """The pass from a stage on, with these rows for it."""
    if stage == "scores":
        changed = replace(setting, scores=rows, scaled=None)
        return changed.run(changed.right)
    if stage == "scaled":
        return replace(setting, bias=None).run(rows)
    if stage == "weights":
        return setting.blended(rows)
    right = setting.run(setting.right)
    if right is None:
        return None
    exps: Rows = rows if stage == "exponentials" else right.exponentials
    one = rational(1)
    sums = [EXACT.dot(row, [one] * len(row)) for row in exps]
    totals = [row[0] for row in rows] if stage == "total" else sums
    weights = [[e / total for e in row] for row, total in zip(exps, totals, strict=True)]
    return setting.blended(weights, exponentials=exps, total=totals)


def _is_trivial(stage: Stage, true: Rows, carried: Rows) -> bool:
    """Whether rows leave nothing to compute that the true ones do not leave either."""
    return any(
        _idle(stage, row) and not _idle(stage, right)
        for right, row in zip(true, carried, strict=True)
    )


def _idle(stage: Stage, row: Sequence[Exact]) -> bool:
    """Whether what comes after a row can be read off it."""
    if stage == "total":
        return _is(row[0], 0) or _is(row[0], 1)
    if len(row) > 1 and all(compare(x, row[0]).verdict == "equal" for x in row[1:]):
        return True
    return stage in ("exponentials", "weights") and any(_is(x, 0) for x in row)


def _is(x: Exact, number: int) -> bool:
    return bool(x.as_rational() == number)
