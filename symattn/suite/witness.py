"""Witnesses in files: a failure that was found once can be run again, and declared as known.

    {"schema": "symattn.witness/1", "target", "property", "declarations", "case", "message"}

A known failure is one whose stored witness still fails: it then counts as skipped instead of
failed. A witness that no longer fails is reported, so that the list does not outlive the fault.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from symattn.errors import InputError
from symattn.suite.cases import Case
from symattn.suite.declarations import Declarations
from symattn.suite.findings import Finding
from symattn.suite.outcomes import Outcome, Report, evaluate
from symattn.suite.properties import property_named
from symattn.suite.properties.base import Subject
from symattn.suite.target import Target, load, probe

__all__ = ["Witness", "excuse", "read", "replay", "save"]

SCHEMA = "symattn.witness/1"


@dataclass(frozen=True)
class Witness:
    """A case on which a target failed a property."""

    target: str
    property: str
    declarations: Declarations
    case: Case
    message: str

    def to_json(self) -> dict[str, Any]:
        """The witness as JSON values."""
        return {
            "schema": SCHEMA,
            "target": self.target,
            "property": self.property,
            "declarations": self.declarations.as_dict(),
            "case": self.case.to_json(),
            "message": self.message,
        }


def save(finding: Finding, target: Target, path: Path) -> Path:
    """Write a finding's smallest witness to a file."""
    witness = Witness(
        target.name,
        finding.smallest.property.name,
        target.declarations,
        finding.violation.case,
        finding.violation.message,
    )
    path.write_text(json.dumps(witness.to_json(), indent=1) + "\n", encoding="utf-8")
    return path


def read(path: Path) -> Witness:
    """The witness in a file.

    Raises InputError where the file is none.
    """
    try:
        saved = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}") from error
    except ValueError as error:
        raise InputError(f"{path} is no JSON: {error}") from error
    schema = saved.get("schema") if isinstance(saved, dict) else None
    if schema != SCHEMA:
        raise InputError(f"{path}: schema={schema!r} should be {SCHEMA!r}")
    try:
        return Witness(
            saved["target"],
            property_named(saved["property"]).name,
            Declarations(**saved["declarations"]),
            Case.from_json(saved["case"]),
            saved["message"],
        )
    except (KeyError, TypeError, ValueError) as error:
        raise InputError(f"{path} is no complete witness: {error!r}") from error


def replay(witness: Witness, target: Target | None = None) -> Outcome:
    """Run a witness again, on its own target or on another."""
    if target is None:
        target = load(witness.target)
        target = replace(target, declarations=witness.declarations)
    each, dtype = property_named(witness.property), witness.case.dtype
    abilities = probe(target, dtype).abilities
    subject = Subject(target.function, target.declarations, abilities, dtype)
    outcome = Outcome(each, dtype, "passed", 1)
    violation = evaluate(each, subject, witness.case)
    if violation is not None:
        outcome.verdict, outcome.message, outcome.violation = "failed", violation.message, violation
        outcome.error_ulps, outcome.error_bound = violation.error_ulps, violation.error_bound
    return outcome


def excuse(report: Report, known: dict[Path, Witness]) -> None:
    """Turn failures that stored witnesses account for into skips; report witnesses that pass."""
    for path, witness in known.items():
        again = replay(witness, report.target)
        if again.verdict == "passed":
            again.verdict = "failed"
            again.message = f"the known failure {path} does not fail any more: remove it"
            report.outcomes.append(again)
            continue
        assert again.violation is not None
        features = again.violation.shown.features()
        for outcome in report.failures:
            if outcome.violation and features <= outcome.violation.shown.features():
                outcome.verdict, outcome.message = "skipped", f"known failure ({path})"
