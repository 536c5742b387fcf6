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
from symattn.suite.progress import Tick, silent
from symattn.suite.properties import PROPERTIES, Property
from symattn.suite.properties.base import Subject, Unsupported, Violation
from symattn.suite.reduce import reduce
from symattn.suite.reference import reference
from symattn.suite.target import Probe, Target, probe

__all__ = ["Outcome", "Report", "check", "evaluate", "run_property"]


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
    tick: Tick = silent,
) -> Report:
    """Put a target under the properties, with every type it is checked with.

    With `fail_fast` the first failure ends the check, and nothing is made smaller.
    """
    start = time.perf_counter()
    report = Report(target, profile.name)
    budget = profile.shrink_calls
    chosen, tested = list(properties), list(dtypes or target.dtypes)
    for dtype in tested:
        found = probe(target, dtype)
        for each in chosen:
            tick(len(report.outcomes), len(chosen) * len(tested), f"{each.name} ({dtype})")
            outcome = run_property(target, each, dtype, found, profile, seed)
            report.outcomes.append(outcome)
            if outcome.verdict == "failed" and not fail_fast:
                # Each failure takes its share of what is left, so that the first get most.
                share = max(budget // 4, 60) if profile.shrink_calls else 0
                budget -= _make_small(target, outcome, found, share)
            elif outcome.verdict == "failed":
                break
        if fail_fast and report.failures:
            break
    report.seconds = time.perf_counter() - start
    return report


def run_property(
    target: Target,
    each: Property,
    dtype: str,
    found: Probe,
    profile: Profile = PROFILES["quick"],
    seed: int = 0,
) -> Outcome:
    """Run one property up to its first failure."""
    reason = each.waived(target.declarations) or found.missing(each.needs)
    if reason is not None:
        return Outcome(each, dtype, "skipped", message=reason)
    subject = Subject(target.function, target.declarations, found.abilities, dtype)
    outcome = Outcome(each, dtype, "passed")

    def example(case: Case) -> None:
        if outcome.violation is None:
            outcome.examples += 1
        violation = evaluate(each, subject, case)
        if violation is not None:
            outcome.violation = violation
            raise violation

    # A fixed seed and no database: the same examples on every run and machine.
    number = zlib.crc32(f"{each.name}/{dtype}/{seed}".encode())
    configured = settings(
        max_examples=max(1, round(profile.examples * each.share)),
        deadline=None,
        database=None,
        print_blob=False,
        report_multiple_bugs=False,
        suppress_health_check=list(HealthCheck),
        phases=(Phase.generate,),
    )
    test = with_seed(number)(configured(given(each.cases(dtype, found.abilities))(example)))
    try:
        with with_reporter(lambda _: None):
            test()
    except (Violation, HypothesisException, BaseExceptionGroup):
        # A function that keeps state looks flaky to Hypothesis; what was found stands.
        if outcome.violation is None:
            raise
    outcome.error_ulps, outcome.error_bound = subject.worst_ulps, subject.worst_bound
    return _failed(outcome, outcome.violation) if outcome.violation else outcome


def _make_small(target: Target, outcome: Outcome, found: Probe, calls: int) -> int:
    """Reduce the case of a failure; the calls that it took."""
    assert outcome.violation is not None
    each, abilities = outcome.property, found.abilities
    subject = Subject(target.function, target.declarations, abilities, outcome.dtype)
    correct = Subject(reference(target.declarations), target.declarations, abilities, outcome.dtype)

    def fails(case: Case) -> Violation | None:
        try:
            violation = evaluate(each, subject, case)
            return None if violation is None or evaluate(each, correct, case) else violation
        except Exception:  # a case of a form that the property does not take
            return None

    smallest, used = reduce(outcome.violation, fails, abilities, calls)
    _failed(outcome, smallest)
    return used


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


def _failed(outcome: Outcome, violation: Violation) -> Outcome:
    outcome.verdict, outcome.violation, outcome.message = "failed", violation, violation.message
    outcome.error_ulps, outcome.error_bound = violation.error_ulps, violation.error_bound
    return outcome
