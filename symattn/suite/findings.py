"""One finding for each root cause: failing properties grouped by their smallest witness.

A failure is taken for the same cause as a smaller one if it uses everything that the smaller one
needs (a shrunk witness keeps a mask, causal, a scale, a layout or NaN only where the failure needs
it), and if its witness stays wrong with ordinary numbers in place of NaN and with a key to see for
rows that see none; what is wrong with masks may be wrong in such rows alone. A function that
answers one call in two ways is one finding: whatever else fails may come from that.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

from symattn.suite.cases import Case, visible
from symattn.suite.outcomes import Judge, Outcome, Report, unrepeatable
from symattn.suite.properties import property_named
from symattn.suite.properties.base import Violation
from symattn.suite.target import probe

__all__ = ["Finding", "findings"]


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
    causes = _Causes(report)

    def order(outcome: Outcome) -> tuple[bool, bool, int, tuple[int, int, int], int]:
        shown = _shown(outcome)
        used = causes.used(shown)
        size = (len(used), shown.size, _telling(outcome, used))
        return (not unrepeatable(outcome), "dead rows" in used, *size)

    for outcome in sorted((o for o in report.failures if o.violation), key=order):
        for finding in grouped:
            if causes.same(finding.smallest, outcome):
                finding.explained.append(outcome)
                break
        else:
            grouped.append(Finding(outcome))
    return grouped


class _Causes:
    """Tells whether two failures of one target come from one cause."""

    def __init__(self, report: Report) -> None:
        target = report.target
        self._judge = Judge(target)
        free = target.declarations.overridden(dead_rows="any")
        self._judge_alive = Judge(replace(target, declarations=free))
        dtypes = dict.fromkeys(outcome.dtype for outcome in report.failures)
        self._abilities = {dtype: probe(target, dtype).abilities for dtype in dtypes}
        self._agreement = property_named("agreement")

    def same(self, small: Outcome, large: Outcome) -> bool:
        """Whether the larger failure is explained by the smaller one."""
        if unrepeatable(small):
            return True
        least, case = _shown(small), _shown(large)
        needed, used = self.used(least), self.used(case)
        if "dead rows" in needed:  # made by a mask, by causal or by no keys: that is all the same
            needed = needed - {"mask", "causal", "no keys"}
        if not needed <= used:
            return False
        able = self._abilities[large.dtype]
        if self._judge.in_any_form(large.property, least.typed(large.dtype), able):
            return True
        finite = [case] if "NaN" in needed else _finite(case)
        if "dead rows" in needed:
            return any(map(self._wrong, finite))
        if "dead rows" not in used:
            return any(map(self._wrong_alive, finite))
        return bool(needed & {"mask", "causal"}) or case.m == 0 or self._wrong(self._opened(case))

    def used(self, case: Case) -> frozenset[str]:
        """What the case has out of the ordinary; causal counts as the mask that says the same."""
        used = case.features()
        plain = case.mask is None or case.mask.dtype == bool
        if case.causal and plain and self._wrong(case.but(causal=False, mask=self._seen(case))):
            used = used - {"causal"} | {"mask"}
        only_dead = self._wrong(case) and not self._wrong_alive(case)
        return used | {"dead rows"} if only_dead else used

    def _wrong(self, case: Case) -> bool:
        able = self._abilities[case.dtype].allow(case)
        return able and self._judge(self._agreement, case) is not None

    def _wrong_alive(self, case: Case) -> bool:
        """Wrong in a row that sees a key, whatever the others give."""
        able = self._abilities[case.dtype].allow(case)
        return able and self._judge_alive(self._agreement, case) is not None

    def _seen(self, case: Case) -> npt.NDArray[np.bool_]:
        return visible(case, self._judge.declarations)

    def _opened(self, case: Case) -> Case:
        """The case with all keys seen in the rows that saw none."""
        seen = self._seen(case)
        seen[~seen.any(axis=1)] = True
        return _ordinary(case.but(mask=None if seen.all() else seen, causal=False))


def _finite(case: Case) -> Iterator[Case]:
    """The case; instead of numbers that are not finite 1, ordinary ones for all, or huge ones."""
    arrays = (case.q, case.k, case.v)
    if all(np.isfinite(x.astype(np.float64)).all() for x in arrays):
        yield case
        return
    several = _with_several_keys(case)
    yield _filled(several, several, 1)
    yield _ordinary(case)
    yield _filled(several, _ordinary(case), 2**12)


def _filled(case: Case, numbers: Case, instead: int) -> Case:
    """The numbers where the case has finite ones, another one in all other places."""
    pairs = ((case.q, numbers.q), (case.k, numbers.k), (case.v, numbers.v))
    q, k, v = (np.where(np.isfinite(x), y, x.dtype.type(instead)) for x, y in pairs)
    return case.but(q=q, k=k, v=v)


def _ordinary(case: Case) -> Case:
    """The case with other numbers: small ones that can be told apart."""
    case = _with_several_keys(case)
    q, k, v = (
        (np.arange(1, x.size + 1).reshape(x.shape) % 7 / size + offset).astype(x.dtype)
        for x, size, offset in ((case.q, 4, 0.25), (case.k, -2, 1), (case.v, 1, 1))
    )
    return case.but(q=q, k=k, v=v)


def _with_several_keys(case: Case) -> Case:
    """The case, an only key given twice: alone its weight is 1, whatever is wrong."""
    if case.m != 1 or case.mask is not None:
        return case
    return case.but(k=np.repeat(case.k, 2, axis=0), v=np.repeat(case.v, 2, axis=0))


def _shown(outcome: Outcome) -> Case:
    assert outcome.violation is not None
    return outcome.violation.shown


#: What a witness uses -> the theorem that speaks of it.
_SPEAKS_OF = {
    "causal": "causal",
    "mask": "masking",
    "NaN": "masking",
    "no keys": "masking",
    "scale": "scaling",
    "layout": "conduct",
}


def _telling(outcome: Outcome, used: frozenset[str]) -> int:
    """What names a fault best comes first: of failures on the same witness, the most special."""
    name, theorem = outcome.property.name, outcome.property.theorem
    if outcome.message.startswith("the output has"):
        return int(name != "output-type")
    if "dead rows" in used:
        return int(name not in ("dead-rows", "no-keys"))
    if theorem in {_SPEAKS_OF[each] for each in used}:
        return 0
    return 2 if name.startswith("agreement") else 1
