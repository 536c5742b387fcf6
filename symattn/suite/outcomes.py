"""What properties said about a target, and how one is asked about a single case."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from symattn.suite.cases import Case
from symattn.suite.properties import Property
from symattn.suite.properties.base import Subject, Unsupported, Violation
from symattn.suite.reference import reference
from symattn.suite.strategies import Abilities
from symattn.suite.target import Target

__all__ = ["Judge", "Outcome", "Report", "evaluate", "unrepeatable"]


@dataclass
class Outcome:
    """What one property said about a target with one type."""

    property: Property
    dtype: str
    verdict: str  # passed | failed | skipped
    examples: int = 0
    message: str = ""
    violation: Violation | None = None
    error_ulps: float | None = None
    error_bound: float | None = None

    def fail(self, violation: Violation) -> Outcome:
        """This outcome with a violation to show, in place of another if there was one."""
        self.verdict, self.violation, self.message = "failed", violation, violation.message
        self.error_ulps, self.error_bound = violation.error_ulps, violation.error_bound
        return self


@dataclass
class Report:
    """All outcomes for a target."""

    target: Target
    profile: str
    outcomes: list[Outcome] = field(default_factory=list)
    seconds: float = 0.0

    def count(self, verdict: str) -> int:
        """How many properties got a verdict."""
        return sum(outcome.verdict == verdict for outcome in self.outcomes)

    @property
    def failures(self) -> list[Outcome]:
        """The outcomes that failed."""
        return [outcome for outcome in self.outcomes if outcome.verdict == "failed"]


def unrepeatable(outcome: Outcome) -> bool:
    """Whether one call was found to have two answers."""
    violation = outcome.violation
    found = violation is not None and violation.got is not None
    return found and outcome.property.name == "determinism"


def evaluate(each: Property, subject: Subject, case: Case) -> Violation | None:
    """How a case violates a property, the case in hand put before those made from it."""
    try:
        each.check(subject, case)
    except Unsupported:
        return None
    except Violation as violation:
        violation.shown, violation.case = violation.case, case
        return violation
    return None


class Judge:
    """Tells how a target violates a property on a case, where a correct function does not."""

    def __init__(self, target: Target, abilities: Abilities | None = None) -> None:
        self.declarations = target.declarations
        self._function = target.function
        self._correct = reference(target.declarations)
        self._abilities = abilities or Abilities()

    def __call__(self, each: Property, case: Case) -> Violation | None:
        """The violation, or None: also for a case of a form that the property does not take."""
        try:
            with np.errstate(all="ignore"):
                violation = evaluate(each, self._subject(self._function, case), case)
                if violation and evaluate(each, self._subject(self._correct, case), case):
                    return None
        except Exception:
            return None
        return violation

    def in_any_form(self, each: Property, case: Case, abilities: Abilities) -> Violation | None:
        """The violation in the first form of a case, made for another property, that has one."""
        try:
            for form in each.forms(case):
                if each.about(form) and abilities.allow(form):
                    violation = self(each, form)
                    if violation is not None:
                        return violation
        except (LookupError, ValueError):  # there is no such form of this case
            return None
        return None

    def _subject(self, function: Callable[..., Any], case: Case) -> Subject:
        return Subject(function, self.declarations, self._abilities, case.dtype)
