"""Ways into the suite from Python and pytest."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

import pytest

from symattn.suite.adapters import adapted
from symattn.suite.outcomes import Report
from symattn.suite.profiles import profile_named
from symattn.suite.properties import PROPERTIES, Property
from symattn.suite.report import to_text
from symattn.suite.run import check
from symattn.suite.target import Target, load

__all__ = ["Check", "check_attention", "checks_for", "parametrize_with_checks", "target_of"]


def check_attention(
    function: Callable[..., Any] | str,
    *,
    dtypes: Iterable[str] | None = None,
    profile: str = "quick",
    seed: int = 0,
    **declarations: str,
) -> Report:
    """Put a function under check; returns the report, raises where a property fails.

    `function` is attention(q, k, v, *, mask, causal, scale) on NumPy arrays, or its name as
    MODULE:FUNCTION. Declarations are causal, dead_rows, value_at_masked, nan and accumulate.

    >>> import symattn.numeric
    >>> check_attention(symattn.numeric.attention, dtypes=["float64"]).count("failed")
    0

    Raises AssertionError with the shrunk counterexamples, InputError for what cannot be checked.
    """
    target = target_of(function, **declarations)
    report = check(target, dtypes=dtypes, profile=profile_named(profile), seed=seed)
    if report.failures:
        raise AssertionError(to_text(report))
    return report


class Check:
    """One property on one function with one type, to be called by a test."""

    def __init__(self, target: Target, each: Property, dtype: str, profile: str) -> None:
        self.target = target
        self.property = each
        self.dtype = dtype
        self.profile = profile

    def __repr__(self) -> str:
        return f"{self.property.name}[{self.dtype}]"

    def __call__(self) -> None:
        """Run the property; fail the test with the counterexample, skip it with the reason."""
        __tracebackhide__ = True
        profile = profile_named(self.profile)
        report = check(
            self.target, dtypes=[self.dtype], profile=profile, properties=[self.property]
        )
        (outcome,) = report.outcomes
        if outcome.verdict == "skipped":
            pytest.skip(outcome.message)
        if outcome.verdict == "failed":
            pytest.fail(to_text(report), pytrace=False)


def checks_for(
    function: Callable[..., Any] | str,
    *,
    dtypes: Iterable[str] | None = None,
    profile: str = "quick",
    **declarations: str,
) -> list[Check]:
    """All checks of a function, one for each property and type."""
    target = target_of(function, **declarations)
    return [
        Check(target, each, dtype, profile)
        for dtype in dtypes or target.dtypes
        for each in PROPERTIES
    ]


def parametrize_with_checks(
    functions: Iterable[Callable[..., Any] | str],
    *,
    dtypes: Iterable[str] | None = None,
    profile: str = "quick",
    known: dict[str, str] | None = None,
    **declarations: str,
) -> pytest.MarkDecorator:
    """Make one test of each property: the test takes `check` and calls it.

        @parametrize_with_checks([my_attention], dead_rows="nan")
        def test_attention(check):
            check()

    `known` maps a property's name to the reason why it is known to fail: a strict xfail.
    """
    expected = known or {}
    parameters = []
    for function in functions:
        for each in checks_for(function, dtypes=dtypes, profile=profile, **declarations):
            reason = expected.get(each.property.name)
            marks = [pytest.mark.xfail(reason=reason, strict=True)] if reason else []
            parameters.append(pytest.param(each, id=f"{each.target.name}-{each!r}", marks=marks))
    return pytest.mark.parametrize("check", parameters)


def target_of(function: Callable[..., Any] | str, **declarations: str) -> Target:
    """A target for a function or its name, with these declarations."""
    if isinstance(function, str):
        target = load(function)
    else:
        module = getattr(function, "__module__", "function")
        name = getattr(function, "__qualname__", type(function).__name__)
        target = adapted(f"{module}:{name}") or Target(f"{module}:{name}", function)
    declared = target.declarations.overridden(**declarations)
    return replace(target, declarations=declared)
