"""Reports of a check: text for people, JSON and JUnit XML for programs."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from typing import Any
from xml.etree import ElementTree

import numpy as np

from symattn.suite.cases import Array, Case
from symattn.suite.findings import Finding, findings
from symattn.suite.outcomes import Outcome, Report
from symattn.suite.reproducer import exact_output, reproducer

__all__ = ["to_json", "to_junit", "to_text"]


def to_text(report: Report, witnesses: list[str] | None = None) -> str:
    """The report for a terminal: findings, skips, totals. `witnesses` are files, one a finding."""
    lines = [_headline(report), ""]
    for number, finding in enumerate(findings(report)):
        saved = witnesses[number] if witnesses else None
        lines += [*_finding_lines(report, finding, number + 1, saved), ""]
    for message in (o.message for o in report.failures if o.violation is None):
        lines += [message, ""]
    if report.failures and witnesses is None and report.profile != "replay":
        lines += ["To run a finding again, save it with --witnesses DIR.", ""]
    lines += _skip_lines(report)
    worst = [o for o in report.outcomes if o.verdict == "passed" and o.error_bound]
    if worst:
        most = max(worst, key=lambda o: o.error_bound or 0.0)
        lines.append(
            f"Largest error of what passed: {most.error_bound:.2g} of its bound "
            f"({most.property.name}, {most.dtype})."
        )
    lines.append(
        f"{report.count('passed')} passed, {report.count('failed')} failed, "
        f"{report.count('skipped')} skipped in {report.seconds:.1f} s"
    )
    return "\n".join(lines)


def to_json(report: Report) -> str:
    """The report as the `symattn.check/1` document."""
    dtypes = list(dict.fromkeys(outcome.dtype for outcome in report.outcomes))
    document = {
        "schema": "symattn.check/1",
        "target": report.target.name,
        "version": report.target.version,
        "dtype": ",".join(dtypes),
        "profile": report.profile,
        "declarations": report.target.declarations.as_dict(),
        "properties": [_outcome_json(report, outcome) for outcome in report.outcomes],
        "findings": [
            {
                "property": finding.smallest.property.name,
                "dtype": finding.smallest.dtype,
                "message": finding.smallest.message,
                "matters": finding.smallest.property.matters,
                "explains": [f"{o.property.name} ({o.dtype})" for o in finding.explained],
            }
            for finding in findings(report)
        ],
        **{verdict: report.count(verdict) for verdict in ("passed", "failed", "skipped")},
        "seconds": round(report.seconds, 3),
    }
    return json.dumps(document, indent=1, allow_nan=False)


def to_junit(report: Report) -> str:
    """The report as JUnit XML, one test case a property and type."""
    suite = ElementTree.Element(
        "testsuite",
        name=f"symattn check {report.target.name}",
        tests=str(len(report.outcomes)),
        failures=str(report.count("failed")),
        skipped=str(report.count("skipped")),
        time=f"{report.seconds:.3f}",
    )
    for outcome in report.outcomes:
        name = f"{outcome.property.name}[{outcome.dtype}]"
        case = ElementTree.SubElement(suite, "testcase", classname=report.target.name, name=name)
        if outcome.verdict == "failed":
            failure = ElementTree.SubElement(case, "failure", message=_printable(outcome.message))
            if outcome.violation:
                lines = [outcome.property.statement, *_witness_lines(report, outcome)]
                failure.text = "\n".join(map(_printable, lines))
        elif outcome.verdict == "skipped":
            ElementTree.SubElement(case, "skipped", message=_printable(outcome.message))
    return ElementTree.tostring(suite, encoding="unicode", xml_declaration=True)


def _printable(text: str) -> str:
    """The text without what XML cannot hold, such as the colours of a library's error."""
    return "".join(letter for letter in text if letter.isprintable())


def _headline(report: Report) -> str:
    dtypes = " and ".join(dict.fromkeys(outcome.dtype for outcome in report.outcomes))
    version = f" ({report.target.version})" if report.target.version else ""
    how = "a saved witness" if report.profile == "replay" else f"{report.profile} profile"
    return f"symattn check {report.target.name}{version}: {dtypes}, {how}"


def _finding_lines(
    report: Report, finding: Finding, number: int, saved: str | None
) -> Iterator[str]:
    outcome = finding.smallest
    yield f"Finding {number}: {outcome.property.name} ({outcome.dtype}): {outcome.message}"
    yield f"  what should hold   {outcome.property.statement}"
    yield f"  why it matters     {outcome.property.matters}"
    yield f"  theorem            {outcome.property.theorem}"
    yield from _witness_lines(report, outcome)
    if saved:
        yield f"  run it again       symattn check --replay {saved}"
    if finding.explained:
        names = sorted({f"{o.property.name} ({o.dtype})" for o in finding.explained})
        yield f"  probably the same  {', '.join(names)}"


def _witness_lines(report: Report, outcome: Outcome) -> Iterator[str]:
    violation = outcome.violation
    assert violation is not None
    case = violation.shown
    for name, text in _case_texts(case):
        yield f"  {name:<18} {text}"
    if violation.got is not None:
        yield f"  the function gave  {_array_text(violation.got)}"
    exact = exact_output(violation, report.target.declarations)
    if exact is not None:
        yield f"  exact              {_array_text(exact)}"
    if violation.error_bound is not None:
        yield (
            f"  error              {violation.error_ulps:.3g} ulps, "
            f"{violation.error_bound:.3g} times the derived bound"
        )
    yield f"  reproduce          {reproducer(report.target.name, case)}"


def _skip_lines(report: Report) -> Iterator[str]:
    reasons: dict[str, list[str]] = {}
    for outcome in report.outcomes:
        if outcome.verdict == "skipped":
            names = reasons.setdefault(outcome.message, [])
            if outcome.property.name not in names:
                names.append(outcome.property.name)
    for reason, names in reasons.items():
        yield f"Skipped ({reason}): {', '.join(names)}"


def _case_texts(case: Case) -> Iterator[tuple[str, str]]:
    for name in ("q", "k", "v"):
        yield name, _array_text(getattr(case, name))
    if case.mask is not None:
        yield "mask", _array_text(case.mask)
    if case.causal:
        yield "causal", "True"
    if case.scale is not None:
        yield "scale", repr(case.scale)
    if case.layout != "C":
        yield "layout", case.layout
    for name, value in case.extra.items():
        yield name, repr(value)


def _array_text(x: Array) -> str:
    if x.size == 0:
        return f"zeros{x.shape}"
    if x.dtype == bool:
        return str(x.tolist()).replace("True", "T").replace("False", "F")
    wide = np.asarray(x, dtype=np.float64)
    if np.count_nonzero(wide) <= 16 < wide.size:  # mostly zeros: say what is not
        entries = [f"[{', '.join(map(str, i))}]={wide[tuple(i)]:.9g}" for i in np.argwhere(wide)]
        return f"zeros{x.shape} but {', '.join(entries)}" if entries else f"zeros{x.shape}"
    rows = ["[" + ", ".join(f"{entry:.9g}" for entry in row) + "]" for row in wide]
    return "[" + ", ".join(rows) + "]"


def _outcome_json(report: Report, outcome: Outcome) -> dict[str, Any]:
    return {
        "name": outcome.property.name,
        "theorem": outcome.property.theorem,
        "dtype": outcome.dtype,
        "verdict": outcome.verdict,
        "examples": outcome.examples,
        "counterexample": _counterexample(report, outcome),
        "error": {"ulps": _finite(outcome.error_ulps), "bound": _finite(outcome.error_bound)},
        "message": outcome.message,
    }


def _counterexample(report: Report, outcome: Outcome) -> dict[str, Any] | None:
    violation = outcome.violation
    if violation is None:
        return None
    case = violation.shown
    exact = exact_output(violation, report.target.declarations)
    return {
        **{name: _listed(getattr(case, name)) for name in ("q", "k", "v")},
        "mask": None if case.mask is None else _listed(case.mask),
        "causal": case.causal,
        "scale": case.scale,
        "layout": case.layout,
        "extra": dict(case.extra),
        "got": None if violation.got is None else _listed(violation.got),
        "exact": None if exact is None else _listed(exact),
        "reproduce": reproducer(report.target.name, case),
    }


def _listed(x: Array) -> Any:
    """Nested lists; what JSON cannot say is said as text."""
    if x.dtype == bool:
        return x.tolist()
    return [
        [value if math.isfinite(value) else str(value) for value in row]
        for row in np.asarray(x, dtype=np.float64).tolist()
    ]


def _finite(x: float | None) -> float | None:
    return None if x is None or not math.isfinite(x) else x
