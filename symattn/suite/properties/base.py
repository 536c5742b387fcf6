"""What a property is, what a violation carries, and how outputs are compared."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt
from hypothesis import strategies as st

from symattn.errors import InputError
from symattn.suite.cases import Array, Case, visible
from symattn.suite.declarations import Declarations
from symattn.suite.strategies import Abilities
from symattn.suite.truth import Truth, allowance, expected, ulps

__all__ = [
    "Property",
    "Subject",
    "Unsupported",
    "Violation",
    "agree",
    "blamed",
    "compare",
    "match",
    "same_bits",
]


class Unsupported(Exception):  # noqa: N818 - no fault, an answer
    """What an adapter raises for a case that its library cannot express: it is not tested."""


class Violation(AssertionError):  # noqa: N818 - a finding, not a fault of this program
    """A property that does not hold, with everything that a report shows."""

    def __init__(
        self,
        message: str,
        case: Case,
        *,
        got: Array | None = None,
        wanted: Array | None = None,
        error_ulps: float | None = None,
        error_bound: float | None = None,
    ) -> None:
        self.message = message
        #: The case that the property was given, and the one in which the function went wrong.
        self.case = case
        self.shown = case
        self.got = got
        self.wanted = wanted
        self.error_ulps = error_ulps
        self.error_bound = error_bound
        super().__init__(message)


@dataclass
class Subject:
    """A function under check with one type, and the worst error seen so far."""

    function: Callable[..., Any]
    declarations: Declarations
    abilities: Abilities
    dtype: str
    worst_ulps: float = 0.0
    worst_bound: float = 0.0
    calls: int = field(default=0)

    def __call__(self, case: Case) -> npt.NDArray[np.float64]:
        """The function's output on fresh arrays, as float64; a Violation where it has no such."""
        output = self.raw(case)
        array = np.asarray(output[0] if isinstance(output, tuple) else output)
        shape = (case.n, case.v.shape[-1])
        if array.shape != shape:
            raise Violation(f"the output has shape {array.shape}, should be {shape}", case)
        if array.dtype.kind in "OUSc":
            raise Violation(f"the output has dtype {array.dtype}, should be {case.dtype}", case)
        return array.astype(np.float64)

    def raw(self, case: Case) -> Any:
        """Whatever the function returns; a Violation where it raises."""
        return self.call_with(case, *case.arrays(), **case.keywords())

    def call_with(self, case: Case, *arrays: Array, **keywords: Any) -> Any:
        """The function called with these very arrays, on behalf of a case."""
        self.calls += 1
        try:
            with warnings.catch_warnings(), np.errstate(all="ignore"):
                warnings.simplefilter("ignore")
                return self.function(*arrays, **keywords)
        except (KeyboardInterrupt, SystemExit, MemoryError, Unsupported):
            raise
        except Exception as error:
            text = " ".join(str(error).split())[:200]
            raise Violation(f"raised {type(error).__name__}: {text}", case) from error


@dataclass(frozen=True)
class Property:
    """One theorem as a check on generated cases."""

    name: str
    theorem: str
    #: What holds, in one sentence, and why it matters to who uses the function.
    statement: str
    matters: str
    #: The cases for a type and a function's abilities.
    cases: Callable[[str, Abilities], st.SearchStrategy[Case]]
    check: Callable[[Subject, Case], None]
    #: Abilities without which the property is skipped.
    needs: tuple[str, ...] = ()
    #: Times the profile's number of examples.
    share: float = 1.0
    #: Why declarations leave the property untested, or None.
    waived: Callable[[Declarations], str | None] = lambda declarations: None
    #: What a case must have for the property to be about it: kept when a failing case is reduced.
    about: Callable[[Case], bool] = lambda case: True
    #: The forms in which the property can be asked about a case that was made for another one.
    forms: Callable[[Case], Iterable[Case]] = lambda case: (case,)


def agree(subject: Subject, case: Case, message: str = "differs from the exact value") -> None:
    """The function's output on a case is the certified one, within the derived bound."""
    try:
        truth = expected(case, subject.declarations)
    except InputError:
        return  # beyond what the type can represent: not tested
    compare(subject, case, subject(case), truth, message)


def compare(
    subject: Subject,
    case: Case,
    got: npt.NDArray[np.float64],
    truth: Truth,
    message: str,
    name: str = "output",
    against: str = "should be",
) -> None:
    """Every entry within its bound, NaN exactly where it should be."""
    nan = np.isnan(truth.output)
    free = np.isinf(truth.bound) & ~nan
    misplaced = (np.isnan(got) != nan) & ~free
    if misplaced.any():
        where = _where(misplaced)
        what = "is no NaN, should be" if np.isnan(truth.output[where]) else "is NaN"
        raise Violation(
            f"{name}[{where[0]}, {where[1]}] {what}", case, got=got, wanted=truth.output
        )
    with np.errstate(invalid="ignore"):
        error = np.where(free | nan, 0.0, np.abs(got - truth.output))
    with np.errstate(over="ignore"):
        ratio = error / np.where(truth.bound > 0, truth.bound, 2.0**-1074)
    in_ulps = ulps(error, np.where(nan, 0.0, truth.output), case.dtype)
    allowed = np.where(free | nan, np.inf, truth.bound)
    if not (error <= allowed).all():
        where = _where(~(error <= allowed))
        raise Violation(
            f"{name}[{where[0]}, {where[1]}] {message}: {got[where]:.9g}, {against} "
            f"{truth.output[where]:.9g} (off by {error[where]:.3g}, "
            f"allowed {truth.bound[where]:.3g})",
            case,
            got=got,
            wanted=truth.output,
            error_ulps=float(in_ulps[where]),
            error_bound=float(ratio[where]),
        )
    subject.worst_ulps = max(subject.worst_ulps, float(in_ulps.max(initial=0.0)))
    known = np.where(truth.bound > 0, ratio, 0.0)
    subject.worst_bound = max(subject.worst_bound, float(known.max(initial=0.0)))


def match(
    subject: Subject,
    case: Case,
    other: Case,
    message: str,
    pick: Callable[[Array], Array] = lambda output: output,
    rows: slice = slice(None),
) -> None:
    """Two cases with one exact answer: outputs agree within both bounds (`pick` maps other's).

    Only `rows` of the output are compared. What is shown is the case that is wrong in itself.
    """
    theirs, ours = subject(other), subject(case)
    declared = subject.declarations
    bound = allowance(case, declared) + pick(allowance(other, declared))
    # Rows without a key follow the declaration, which `agree` checks.
    said = np.zeros((case.n, 1), dtype=bool)
    said[rows] = np.any(visible(case, declared), axis=1, keepdims=True)[rows]
    truth = Truth(pick(theirs), np.where(said, bound, np.inf))
    try:
        compare(subject, case, ours, truth, message, against="against")
    except Violation as violation:
        raise blamed(subject, violation, (case, ours), (other, theirs)) from None


def blamed(
    subject: Subject, violation: Violation, *answers: tuple[Case, npt.NDArray[np.float64]]
) -> Violation:
    """The violation, showing the first of several cases whose answer is not the exact one."""
    for case, got in answers:
        try:
            compare(subject, case, got, expected(case, subject.declarations), "")
        except InputError:
            continue
        except Violation as wrong:
            violation.case = violation.shown = case
            violation.got, violation.wanted = wrong.got, wrong.wanted
            break
    return violation


def same_bits(a: Array, b: Array) -> bool:
    """Whether two arrays hold the same entries, NaN included."""
    return a.shape == b.shape and a.dtype == b.dtype and a.tobytes() == b.tobytes()


def _where(bad: npt.NDArray[np.bool_]) -> tuple[int, int]:
    i, j = np.argwhere(bad)[0].tolist()
    return i, j
