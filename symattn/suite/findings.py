"""One finding for each root cause: failing properties grouped by their smallest witness.

A failure is taken for the same cause as a smaller one if it needs everything that the smaller one
needs (a shrunk witness keeps a mask, causal, a scale, a layout or NaN only where the failure needs
it) and one of the two properties fails on the other's witness, where a correct implementation
passes it.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from symattn.errors import SymattnError
from symattn.suite.adapters import KNOWN
from symattn.suite.cases import Array, Case
from symattn.suite.declarations import Declarations, dtype_named
from symattn.suite.properties.base import Subject, Violation
from symattn.suite.reference import reference
from symattn.suite.run import Outcome, Report, evaluate
from symattn.suite.strategies import Abilities
from symattn.suite.truth import expected

__all__ = ["Finding", "exact_output", "findings", "reproducer"]


@dataclass
class Finding:
    """The outcome with the smallest witness of one cause, and the others that it explains."""

    smallest: Outcome
    explained: list[Outcome] = field(default_factory=list)

    @property
    def violation(self) -> Violation:
        """The violation that is shown."""
        assert self.smallest.violation is not None
        return self.smallest.violation


def findings(report: Report) -> list[Finding]:
    """The causes behind a report's failures, smallest witness first."""
    grouped: list[Finding] = []
    for outcome in sorted(report.failures, key=_order):
        for finding in grouped:
            if _same_cause(report, finding.smallest, outcome):
                finding.explained.append(outcome)
                break
        else:
            grouped.append(Finding(outcome))
    return grouped


def exact_output(violation: Violation, declarations: Declarations) -> Array | None:
    """The certified output of the case that went wrong, as floats of its type."""
    case = violation.shown
    if "cotangent" in case.extra:  # what went wrong is a gradient
        return violation.wanted
    try:
        return expected(case, declarations).output.astype(dtype_named(case.dtype))
    except SymattnError:
        return None


def reproducer(target: str, case: Case) -> str:
    """One line for a shell that calls the function on a case and prints what comes out."""
    module, _, function = target.partition(":")
    head = function.split(".")[0]
    setup = f"from {module} import {head}"
    if target in KNOWN:  # called through its adapter, on NumPy arrays
        setup = f"from symattn.suite.target import load; f = load('{target}').function"
        function = "f"
    arguments = [_literal(x, case.dtype) for x in (case.q, case.k, case.v)]
    if "cotangent" in case.extra:
        function += ".vjp"
        arguments.append(_literal(np.array(case.extra["cotangent"]), case.dtype))
    if case.mask is not None:
        kind = "bool" if case.mask.dtype == bool else case.dtype
        arguments.append(f"mask={_literal(case.mask, kind)}")
    if case.causal:
        arguments.append("causal=True")
    if case.scale is not None:
        arguments.append(f"scale={case.scale!r}")
    extra = "; import ml_dtypes" if case.dtype == "bfloat16" else ""
    line = f"import numpy as np{extra}; {setup}"
    return f'python -c "{line}; print({function}({", ".join(arguments)}))"'


def _same_cause(report: Report, small: Outcome, large: Outcome) -> bool:
    assert small.violation is not None
    assert large.violation is not None
    if not _features(small) <= _features(large):
        return False
    attempts = (
        (large, small.violation.case),
        (large, small.violation.shown),
        (small, large.violation.shown),
        (small, large.violation.case),
    )
    return any(_fails(report, outcome, case) for outcome, case in attempts)


def _fails(report: Report, outcome: Outcome, case: Case) -> bool:
    """Whether the property fails on a case, as no correct implementation would."""
    target, dtype = report.target, dtype_named(outcome.dtype)
    mask = case.mask if case.mask is None or case.mask.dtype == bool else case.mask.astype(dtype)
    with np.errstate(all="ignore"):
        case = case.but(
            q=case.q.astype(dtype), k=case.k.astype(dtype), v=case.v.astype(dtype), mask=mask
        )
    correct = reference(target.declarations)
    found = []
    for function in (target.function, correct):
        subject = Subject(function, target.declarations, Abilities(), outcome.dtype)
        try:
            found.append(evaluate(outcome.property, subject, case) is not None)
        except Exception:  # a case of a form that the property does not take
            return False
    return found == [True, False]


def _features(outcome: Outcome) -> frozenset[str]:
    assert outcome.violation is not None
    return outcome.violation.shown.features()


def _order(outcome: Outcome) -> tuple[int, tuple[int, int, int]]:
    assert outcome.violation is not None
    return len(_features(outcome)), outcome.violation.shown.size


def _literal(x: Array, dtype: str) -> str:
    if x.dtype == bool:
        return f"np.array({x.tolist()})"
    if 0 in x.shape:
        return f"np.zeros({x.shape}, {dtype!r})"
    numbers = np.asarray(x, dtype=np.float64).tolist()
    text = repr(numbers).replace("nan", "np.nan").replace("inf", "np.inf")
    kind = "ml_dtypes.bfloat16" if dtype == "bfloat16" else f"'{dtype}'"
    return f"np.array({text}, {kind})"
