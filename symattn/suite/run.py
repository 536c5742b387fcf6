"""Run properties on a target and collect what they find."""

from __future__ import annotations

import time
import zlib
from collections.abc import Iterable
from dataclasses import dataclass, field

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import seed as with_seed
from hypothesis.errors import HypothesisException
from hypothesis.reporting import with_reporter

from symattn.suite.cases import Case
from symattn.suite.profiles import PROFILES, Profile
from symattn.suite.properties import PROPERTIES, Property
from symattn.suite.properties.base import Subject, Violation
from symattn.suite.target import Probe, Target, probe

__all__ = ["Outcome", "Report", "check", "run_property"]


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


def check(
    target: Target,
    *,
    dtypes: Iterable[str] | None = None,
    profile: Profile = PROFILES["quick"],
    properties: Iterable[Property] = PROPERTIES,
    seed: int = 0,
    fail_fast: bool = False,
) -> Report:
    """Put a target under the properties, with every type it is checked with."""
    start = time.perf_counter()
    report = Report(target, profile.name)
    for dtype in dtypes or target.dtypes:
        found = probe(target, dtype)
        for each in properties:
            outcome = run_property(target, each, dtype, found, profile, seed, shrink=not fail_fast)
            report.outcomes.append(outcome)
            if fail_fast and outcome.verdict == "failed":
                report.seconds = time.perf_counter() - start
                return report
    report.seconds = time.perf_counter() - start
    return report


def run_property(
    target: Target,
    each: Property,
    dtype: str,
    found: Probe,
    profile: Profile = PROFILES["quick"],
    seed: int = 0,
    *,
    shrink: bool = True,
) -> Outcome:
    """Run one property; a failure is shrunk within the profile's time."""
    reason = each.waived(target.declarations) or found.missing(each.needs)
    if reason is not None:
        return Outcome(each, dtype, "skipped", message=reason)
    subject = Subject(target.function, target.declarations, found.abilities, dtype)
    search = _Search(each, subject, profile.shrink_seconds)
    examples = max(1, round(profile.examples * each.share))
    # A fixed seed and no database: the same examples on every run and machine.
    number = zlib.crc32(f"{each.name}/{dtype}/{seed}".encode())
    configured = settings(
        max_examples=examples,
        deadline=None,
        database=None,
        print_blob=False,
        report_multiple_bugs=False,
        suppress_health_check=list(HealthCheck),
        phases=(Phase.generate, Phase.shrink) if shrink else (Phase.generate,),
    )
    test = with_seed(number)(configured(given(each.cases(dtype, found.abilities))(search.run)))
    try:
        with with_reporter(lambda _: None):
            test()
    except Violation:
        pass
    except (HypothesisException, BaseExceptionGroup):
        # Shrinking that runs out of time looks flaky to Hypothesis; what was found stands.
        if search.smallest is None:
            raise
    if search.smallest is None:
        return Outcome(
            each,
            dtype,
            "passed",
            search.examples,
            error_ulps=subject.worst_ulps,
            error_bound=subject.worst_bound,
        )
    violation = search.smallest
    return Outcome(
        each,
        dtype,
        "failed",
        search.examples,
        violation.message,
        violation,
        violation.error_ulps,
        violation.error_bound,
    )


class _Search:
    """Keeps the smallest violation, and ends shrinking when its time is over."""

    def __init__(self, each: Property, subject: Subject, seconds: float) -> None:
        self.each = each
        self.subject = subject
        self.seconds = seconds
        self.examples = 0
        self.smallest: Violation | None = None
        self._deadline: float | None = None

    def run(self, case: Case) -> None:
        """One example."""
        if self._deadline is None:
            self.examples += 1
        elif time.perf_counter() > self._deadline:
            return
        try:
            self.each.check(self.subject, case)
        except Violation as violation:
            if self._deadline is None:
                self._deadline = time.perf_counter() + self.seconds
            if self.smallest is None or violation.case.size < self.smallest.case.size:
                self.smallest = violation
            raise
