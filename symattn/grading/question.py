"""A question: a true value, what it pays, and the mistakes that its inputs allow.

A part of a problem is a question, and so is a bare true value, without the inputs that most
mistakes need.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import cast, get_args

from symattn.errors import ParseError
from symattn.exact.asymptotics import substitute
from symattn.exact.numbers import Exact
from symattn.exact.tree import Node
from symattn.exact.vectors import Value
from symattn.grading.judge import judge_tree, read_answer
from symattn.grading.mistakes.base import Asked, Rows, Setting, Stage
from symattn.grading.mistakes.recognise import Hypotheses
from symattn.grading.policy import ANY, Policy, score
from symattn.grading.truth import Truth
from symattn.grading.verdict import Verdict
from symattn.problems import Problem, SetUp, load
from symattn.problems.solve import solve

__all__ = ["Attempt", "Question", "Questions", "setting_of"]

_REFERENCE = re.compile(r"(?:(.*)\.)?([a-z_]+)(?:\[([0-9,]+)\])?")
_UNNAMED = frozenset(("exact", "rounded", "malformed"))


class Question:
    """One question, prepared for many answers.

    >>> Question.of(load("ex1"), "weights[3]").grade("0.284").verdict
    'rounded'
    """

    def __init__(self, truth: Truth, policy: Policy = ANY, asked: Asked | None = None) -> None:
        self.truth = truth
        self.policy = policy
        self.asked = asked or Asked(truth.value)

    @classmethod
    def of(cls, problem: Problem, part: str) -> Question:
        """The question for a part of a problem.

        Raises: `InputError` naming the known parts.
        """
        part = part.replace(" ", "")
        value = cast(Value, problem.value(part))
        return cls(Truth(value), policy_of(problem, part), _asked(problem, part, value))

    @cached_property
    def hypotheses(self) -> Hypotheses:
        """The values to which the known mistakes lead."""
        return Hypotheses(self.asked)

    def grade(self, answer: str, *, decimal_comma: bool = False) -> Verdict:
        """The verdict on an answer, its mistakes, and its score.

        Raises: nothing: an answer that cannot be read is `malformed`.
        """
        return self.attempt(answer, decimal_comma=decimal_comma).verdict

    def attempt(self, answer: str, *, decimal_comma: bool = False) -> Attempt:
        """An answer with its verdict, ready for follow-through."""
        try:
            parsed = read_answer(answer, self.truth, decimal_comma=decimal_comma)
        except ParseError as error:
            verdict = Verdict("malformed", None, str(error), self.truth.expected())
            return Attempt(self, None, self.scored(verdict))
        verdict = judge_tree(self.truth, parsed.tree, parsed.notes)
        if verdict.verdict not in _UNNAMED:
            verdict = replace(verdict, mistakes=self.hypotheses.recognise(parsed.tree))
        return Attempt(self, parsed.tree, self.scored(verdict))

    def scored(self, verdict: Verdict) -> Verdict:
        """A verdict with its points, and with what its policy says of it."""
        points, remark = (found := score(self.policy, verdict)).points, found.remark
        if remark is None and points is None:
            return verdict
        message = verdict.message if remark is None else f"{verdict.message}; {remark}"
        return replace(verdict, score=points, message=message)


@dataclass(frozen=True, slots=True)
class Attempt:
    """An answer to a question: the tree that was read (None where none could be), the verdict."""

    question: Question
    tree: Node | None
    verdict: Verdict


class Questions:
    """Questions by problem and part, or by true value, each prepared once.

    At most `most` are kept, so that a batch of endless different questions needs no endless memory.
    """

    def __init__(self, *, decimal_comma: bool = False, most: int = 512) -> None:
        self.decimal_comma = decimal_comma
        self._most = most
        self._problems: dict[str, Problem] = {}
        self._questions: dict[tuple[str, ...], Question] = {}

    def of_part(self, problem: str, part: str) -> Question:
        """The question for a part of a problem, by the problem's name or file."""
        return self._kept((problem, part), lambda: Question.of(self.problem(problem), part))

    def of_truth(self, text: str) -> Question:
        """The question of a true value that is given as text."""
        read = Truth.read
        return self._kept((text,), lambda: Question(read(text, decimal_comma=self.decimal_comma)))

    def problem(self, target: str) -> Problem:
        """The problem of a name or a file, read once."""
        if target not in self._problems:
            if len(self._problems) >= self._most:
                self._problems.clear()
            self._problems[target] = load(target)
        return self._problems[target]

    def _kept(self, key: tuple[str, ...], make: object) -> Question:
        question = self._questions.get(key)
        if question is None:
            if len(self._questions) >= self._most:
                self._questions.pop(next(iter(self._questions)))
            question = self._questions[key] = make()  # type: ignore[operator]
        return question


def policy_of(problem: Problem, part: str) -> Policy:
    """What a part pays: as its own [[ask]] says, else by the rules of that for the whole part."""
    for ask in problem.asks:
        if ask.part.replace(" ", "") == part:
            share = ask.follow_through or problem.follow_through
            return replace(Policy.of(ask), follow_through=share)
    whole = part.partition("[")[0]
    for ask in problem.asks:
        if ask.part.replace(" ", "") == whole:
            return Policy(digits=ask.digits, exact=ask.exact)
    return ANY


def _asked(problem: Problem, part: str, value: Value) -> Asked:
    """The part as a stage and an index, with the inputs of its set-up where it is a stage."""
    match = _REFERENCE.fullmatch(part)
    if match is None:
        return Asked(value)
    case, stage, index = match[1] or "", match[2], match[3]
    substituted = case == "at" or case.endswith(".at")
    setup = problem.setups.get(case.removesuffix("at").removesuffix(".") if substituted else case)
    if setup is None or stage not in get_args(Stage):
        return Asked(value)
    places = tuple(int(i) - 1 for i in index.split(",") if i) if index else ()
    setting = setting_of(setup, setup.at if substituted else {})
    return Asked(value, setting, cast(Stage, stage), places, setup.single, case)


def setting_of(setup: SetUp, at: Mapping[str, Exact]) -> Setting:
    """The inputs of a set-up, with numbers for its open symbols where they are given."""
    solution = solve(setup)

    def filled(rows: Rows | None) -> Rows | None:
        if rows is None or not at:
            return rows
        return [[substitute(x, at) for x in row] for row in rows]

    return Setting(
        Q=filled(solution.Q),
        K=filled(solution.K),
        V=filled(solution.V),
        scores=filled(setup.scores),
        scaled=filled(setup.scaled),
        scale=setup.scale,
        mask=setup.mask,
        bias=filled(setup.bias),
        causal=setup.causal,
        width=None if setup.X is None else len(setup.X[0]),
    )
