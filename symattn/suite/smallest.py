"""The smallest case for each failure: one that is known already, or its own made smaller.

Most failures of a wrong function have one cause. So a failing property is first asked about the
smallest cases of failures before it, in the forms that it takes; only where it holds for all of
them is its own case reduced.
"""

from __future__ import annotations

from symattn.suite.cases import Case
from symattn.suite.outcomes import Judge, Outcome, unrepeatable
from symattn.suite.properties.base import Violation
from symattn.suite.reduce import reduce
from symattn.suite.strategies import Abilities
from symattn.suite.target import Target

__all__ = ["Smallest"]

#: Steps that a failure gets after all others together have had theirs.
_AT_LEAST = 60


class Smallest:
    """Makes the failures of one target small, in a number of steps for all of them together."""

    def __init__(self, target: Target, calls: int) -> None:
        self._target = target
        self._left = calls
        self._known: list[Case] = []

    def settle_all(self, failures: list[tuple[Outcome, Abilities]]) -> None:
        """Give each failed outcome the smallest case that can be found for it."""
        # Where one call has two answers, nothing else that fails can be told from that.
        changeable = [pair for pair in failures if unrepeatable(pair[0])]
        for outcome, abilities in changeable[:1] or sorted(failures, key=_bulk):
            self.settle(outcome, abilities)

    def settle(self, outcome: Outcome, abilities: Abilities) -> None:
        """Give a failed outcome the smallest case that can be found for it."""
        assert outcome.violation is not None
        judge = Judge(self._target, abilities)
        violation = self._adopted(outcome, judge, abilities)
        if violation is None:
            violation = self._reduced(outcome, judge, abilities)
            self._known.append(violation.shown)
            self._known.sort(key=lambda case: (len(case.features()), case.size))
        outcome.fail(violation)

    def _adopted(self, outcome: Outcome, judge: Judge, abilities: Abilities) -> Violation | None:
        """How the property fails on a case that another one failed on."""
        assert outcome.violation is not None
        used = outcome.violation.shown.features()
        for known in self._known:
            if not known.features() <= used:
                continue
            violation = judge.in_any_form(outcome.property, known.typed(outcome.dtype), abilities)
            if violation is not None:
                return violation
        return None

    def _reduced(self, outcome: Outcome, judge: Judge, abilities: Abilities) -> Violation:
        assert outcome.violation is not None
        each = outcome.property

        def fails(case: Case) -> Violation | None:
            return judge(each, case) if each.about(case) else None

        # Each gets its share of what is left, so that the first, from whom others adopt, get most.
        share = max(self._left // 3, _AT_LEAST)
        smallest, used = reduce(outcome.violation, fails, abilities, share)
        self._left -= used
        return smallest


def _bulk(failure: tuple[Outcome, Abilities]) -> tuple[int, tuple[int, int, int]]:
    """Few features first, small first: others adopt from what comes first."""
    violation = failure[0].violation
    assert violation is not None
    return len(violation.shown.features()), violation.shown.size
