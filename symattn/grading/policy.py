"""What a question pays for: digits, exactness, points, a part of them for a part of the answer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from symattn.grading.decimals import counted
from symattn.grading.verdict import RIGHT, Entry, Verdict, flat

__all__ = ["ANY", "Policy", "Score", "score"]


class Asked(Protocol):
    """What a problem file says of one question."""

    @property
    def digits(self) -> int | None:
        """Significant digits that an answer must state at least."""

    @property
    def exact(self) -> bool:
        """Whether only an exact answer earns the points."""

    @property
    def points(self) -> float | None:
        """What a right answer earns."""

    @property
    def partial(self) -> bool:
        """Whether each right entry earns its share."""

    @property
    def follow_through(self) -> float:
        """The share of the points for a right continuation of an earlier wrong answer."""


@dataclass(frozen=True, slots=True)
class Policy:
    """What one question pays for; by default any right answer that states a digit, and no points.

    `digits` is the least number of significant digits, `exact` asks for the exact value, `partial`
    pays each entry, `follow_through` is the share that a consistent continuation earns.
    """

    digits: int | None = None
    exact: bool = False
    points: float | None = None
    partial: bool = False
    follow_through: float = 0.0

    @classmethod
    def of(cls, asked: Asked) -> Policy:
        """The policy of a question of a problem."""
        share = float(asked.follow_through or 0)
        return cls(asked.digits, asked.exact, asked.points, bool(asked.partial), share)


ANY = Policy()


@dataclass(frozen=True, slots=True)
class Score:
    """Points (None where the question has none or nothing was decided) and why not all of them."""

    points: float | None
    remark: str | None = None


def score(policy: Policy, verdict: Verdict) -> Score:
    """The points of an answer.

    >>> from symattn.grading.judge import judge
    >>> from symattn.grading.truth import Truth
    >>> answer = judge(Truth.read("1/3"), "0.33")
    >>> score(Policy(digits=3, points=2.0), answer)
    Score(points=0.0, remark='it states 2 significant digits, but 3 are asked for')
    """
    entries = list(flat(verdict.entries)) if verdict.entries is not None else None
    whole = entries or [Entry(verdict.verdict, verdict.digits, "")]
    shortfalls = [_shortfall(policy, entry) for entry in whole]
    remark = None
    if verdict.verdict in RIGHT:
        remark = next((reason for reason in shortfalls if reason), None)
    if policy.points is None:
        return Score(None, remark)
    undecided = any(entry.verdict == "undecided" for entry in whole)
    if verdict.verdict == "undecided" or (undecided and policy.partial):
        return Score(None, "the points are for a person to decide")
    earned = sum(reason is None for reason in shortfalls)
    if earned == len(whole):
        return Score(float(policy.points))
    share = earned / len(whole) if policy.partial else 0.0
    return Score(float(policy.points) * share, remark)


def _shortfall(policy: Policy, entry: Entry) -> str | None:
    """Why an entry does not earn its points, None where it does."""
    if entry.verdict not in RIGHT:
        return entry.verdict
    if entry.verdict == "exact":
        return None
    if policy.exact:
        return "the exact value is asked for, not a decimal"
    needed = policy.digits or 1
    if entry.digits is None or entry.digits >= needed:
        return None
    states = f"it states {counted(entry.digits, 'significant digit')}"
    return f"{states}, but {needed} {'is' if needed == 1 else 'are'} asked for"
