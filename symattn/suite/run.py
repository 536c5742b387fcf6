"""Run properties on a target and collect what they find."""

from __future__ import annotations

import time
import zlib
from collections.abc import Callable, Iterable
from functools import cache

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import seed as with_seed
from hypothesis.errors import HypothesisException
from hypothesis.reporting import with_reporter

from symattn.suite.cases import Case
from symattn.suite.outcomes import Outcome, Report, evaluate
from symattn.suite.profiles import PROFILES, Profile
from symattn.suite.progress import Tick, silent
from symattn.suite.properties import PROPERTIES, Property
from symattn.suite.properties.base import Subject, Violation
from symattn.suite.smallest import Smallest
from symattn.suite.strategies import Abilities
from symattn.suite.target import Probe, Target, probe

__all__ = ["check", "examples", "run_property"]


def check(
    target: Target,
    *,
    dtypes: Iterable[str] | None = None,
    profile: Profile = PROFILES["quick"],
    properties: Iterable[Property] = PROPERTIES,
    seed: int = 0,
    fail_fast: bool = False,
    remember: bool = False,
    tick: Tick = silent,
) -> Report:
    """Put a target under the properties, with every type it is checked with.

    With `fail_fast` the first failure ends the check, and nothing is made smaller. With `remember`
    the cases are generated once for all checks of this process: the same ones, sooner.
    """
    start = time.perf_counter()
    report = Report(target, profile.name)
    failures = []
    chosen, tested = list(properties), list(dtypes or target.dtypes)
    run = run_remembered if remember else run_property
    for dtype in tested:
        found = probe(target, dtype)
        for each in chosen:
            tick(len(report.outcomes), len(chosen) * len(tested), f"{each.name} ({dtype})")
            outcome = run(target, each, dtype, found, profile, seed)
            report.outcomes.append(outcome)
            if outcome.verdict == "failed":
                failures.append((outcome, found.abilities))
                if fail_fast:
                    report.seconds = time.perf_counter() - start
                    return report
    if profile.shrink_calls:
        Smallest(target, profile.shrink_calls).settle_all(failures)
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
    """Run one property on generated cases up to its first failure."""
    outcome, subject = _begun(target, each, dtype, found)
    if outcome.verdict == "skipped":
        return outcome

    def example(case: Case) -> None:
        if outcome.violation is None:
            outcome.examples += 1
        violation = evaluate(each, subject, case)
        if violation is not None:
            outcome.violation = violation
            raise violation

    try:
        _generate(each, dtype, found.abilities, profile, seed, example)
    except (Violation, HypothesisException, BaseExceptionGroup):
        # A function that keeps state looks flaky to Hypothesis; what was found stands.
        if outcome.violation is None:
            raise
    return _ended(outcome, subject)


def run_remembered(
    target: Target,
    each: Property,
    dtype: str,
    found: Probe,
    profile: Profile = PROFILES["quick"],
    seed: int = 0,
) -> Outcome:
    """The same outcome from cases that an earlier check of this process may have generated."""
    outcome, subject = _begun(target, each, dtype, found)
    if outcome.verdict == "skipped":
        return outcome
    for case in examples(each, dtype, found.abilities, profile, seed):
        outcome.examples += 1
        outcome.violation = evaluate(each, subject, case)
        if outcome.violation is not None:
            break
    return _ended(outcome, subject)


@cache
def examples(
    each: Property, dtype: str, abilities: Abilities, profile: Profile, seed: int = 0
) -> tuple[Case, ...]:
    """The cases on which a property is run, as long as it does not fail."""
    found: list[Case] = []

    def example(case: Case) -> None:
        found.append(case)

    _generate(each, dtype, abilities, profile, seed, example)
    return tuple(found)


def _generate(
    each: Property,
    dtype: str,
    abilities: Abilities,
    profile: Profile,
    seed: int,
    example: Callable[[Case], None],
) -> None:
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
    test = with_seed(number)(configured(given(each.cases(dtype, abilities))(example)))
    with with_reporter(lambda _: None):
        test()


def _begun(target: Target, each: Property, dtype: str, found: Probe) -> tuple[Outcome, Subject]:
    """An outcome that is open, or skipped with its reason, and the function to ask."""
    subject = Subject(target.function, target.declarations, found.abilities, dtype)
    reason = each.waived(target.declarations) or found.missing(each.needs)
    verdict = "passed" if reason is None else "skipped"
    return Outcome(each, dtype, verdict, message=reason or ""), subject


def _ended(outcome: Outcome, subject: Subject) -> Outcome:
    if outcome.violation is not None:
        return outcome.fail(outcome.violation)
    outcome.error_ulps, outcome.error_bound = subject.worst_ulps, subject.worst_bound
    return outcome
