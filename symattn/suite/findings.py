"""One finding for each root cause: failing properties grouped by their smallest witness.

A failure is taken for the same cause as a smaller one if it needs everything that the smaller one
needs (a shrunk witness keeps a mask, causal, a scale, a layout or NaN only where the failure needs
it) and either its property fails on the smaller witness, or its own witness is also wrong without
what is out of the ordinary in it: NaN, rows without a key. A function that answers one call in two
ways is one finding: whatever else fails may come from that.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from symattn.errors import SymattnError
from symattn.suite.adapters import KNOWN
from symattn.suite.cases import Array, Case, visible
from symattn.suite.declarations import Declarations, dtype_named
from symattn.suite.outcomes import Judge, Outcome, Report
from symattn.suite.properties import property_named
from symattn.suite.properties.base import Violation
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
    judge = Judge(report.target)
    failures = sorted((o for o in report.failures if o.violation), key=_order)
    changeable = failures[:1] if failures and failures[0].property.name == "determinism" else []
    for outcome in failures:
        for finding in grouped:
            if changeable or _same_cause(judge, finding.smallest, outcome):
                finding.explained.append(outcome)
                break
        else:
            grouped.append(Finding(outcome))
    return grouped


def exact_output(violation: Violation, declarations: Declarations) -> Array | None:
    """The certified output of the case that went wrong, as floats of its type."""
    case = violation.shown
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


def _same_cause(judge: Judge, small: Outcome, large: Outcome) -> bool:
    assert small.violation is not None
    assert large.violation is not None
    least, other = small.violation.shown, large.violation.shown
    if not least.features() <= other.features():
        return False
    if judge.in_any_form(large.property, least.typed(large.dtype), Abilities()):
        return True
    ordinary = _ordinary(other, judge.declarations, least.features())
    return judge(property_named("agreement"), ordinary) is not None


def _ordinary(case: Case, declarations: Declarations, kept: frozenset[str]) -> Case:
    """The case with 1 for NaN and without rows that see no key, except for what is `kept`."""
    if "NaN" not in kept:
        q, k, v = (np.where(np.isfinite(x), x, x.dtype.type(1)) for x in (case.q, case.k, case.v))
        case = case.but(q=q, k=k, v=v)
    live = visible(case, declarations).any(axis=1)
    if live.all() or not live.any():
        return case
    mask = None if case.mask is None else case.mask[live]
    return case.but(q=case.q[live], mask=mask)


def _order(outcome: Outcome) -> tuple[bool, int, tuple[int, int, int], bool]:
    """Few features first, small first; of equal ones what says more than that it is wrong."""
    assert outcome.violation is not None
    shown, name = outcome.violation.shown, outcome.property.name
    return (
        name != "determinism",
        len(shown.features()),
        shown.size,
        name.startswith("agreement"),
    )


def _literal(x: Array, dtype: str) -> str:
    if x.dtype == bool:
        return f"np.array({x.tolist()})"
    if 0 in x.shape:
        return f"np.zeros({x.shape}, {dtype!r})"
    numbers = np.asarray(x, dtype=np.float64).tolist()
    text = repr(numbers).replace("nan", "np.nan").replace("inf", "np.inf")
    kind = "ml_dtypes.bfloat16" if dtype == "bfloat16" else f"'{dtype}'"
    return f"np.array({text}, {kind})"
