"""The theorem on the Jacobian: what a backward pass must give.

The cotangent of a case stands in `extra`; where a case was made smaller it is cut to fit.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from hypothesis import strategies as st

from symattn.errors import InputError
from symattn.suite.cases import Array, Case
from symattn.suite.declarations import Declarations
from symattn.suite.properties.base import Property, Subject, Violation, compare
from symattn.suite.properties.masking import with_dead_row
from symattn.suite.properties.softmax import dominated
from symattn.suite.strategies import Abilities, Draw, cases, matrices
from symattn.suite.target import gradient_of
from symattn.suite.vjp import exact_vjp

__all__ = ["PROPERTIES", "cotangent_of"]

#: The widest outputs that are drawn; a cotangent is drawn as large and cut.
_ROWS, _COLUMNS = 6, 9


def cotangent_of(case: Case) -> Array:
    """The cotangent (n, d_v) that a case carries, or ones."""
    cotangent = np.ones((case.n, case.v.shape[1]), dtype=case.q.dtype)
    if "cotangent" in case.extra:
        carried = np.array(case.extra["cotangent"], dtype=np.float64)
        carried = carried[: case.n, : case.v.shape[1]]
        cotangent[: carried.shape[0], : carried.shape[1]] = carried
    return cotangent


def _agrees(subject: Subject, case: Case) -> None:
    cotangent = cotangent_of(case)
    case = case.but(extra={"cotangent": cotangent.astype(np.float64).tolist()})
    try:
        truths = exact_vjp(case, cotangent, subject.declarations)
    except InputError:
        return  # beyond what the type can represent, or NaN: not tested
    found = _gradients(subject, case, cotangent)
    for name, truth in truths.items():
        message = "differs from the exact gradient"
        compare(subject, case, found[name], truth, message, name=name)


def _gradients(subject: Subject, case: Case, cotangent: Array) -> dict[str, Array]:
    """dq, dk and dv from the function's `vjp`, as float64; None stands for zeros."""
    backward = replace(subject, function=gradient_of(subject.function))
    arrays = (*case.arrays(), cotangent.copy())
    returned = backward.call_with(case, *arrays, **case.keywords())
    if not (isinstance(returned, tuple | list) and len(returned) == 3):
        raise Violation("vjp should return (dq, dk, dv)", case)
    found = {}
    given = {"dq": case.q, "dk": case.k, "dv": case.v}
    for (name, x), one in zip(given.items(), returned, strict=True):
        array = np.zeros_like(x) if one is None else np.asarray(one)
        if (array.shape, array.dtype) != (x.shape, x.dtype):
            raise Violation(
                f"{name} has shape {array.shape} and dtype {array.dtype}, "
                f"should have {x.shape} and {x.dtype}",
                case,
            )
        found[name] = array.astype(np.float64)
    return found


@st.composite
def _pulled_back(draw: Draw, plain: st.SearchStrategy[Case], dtype: str) -> Case:
    """A case with a cotangent of quarters."""
    case = draw(plain)
    cotangent = draw(matrices(_ROWS, _COLUMNS, dtype))[: case.n, : case.v.shape[1]]
    return case.but(extra={"cotangent": cotangent.astype(np.float64).tolist()})


def _plain(dtype: str, able: Abilities) -> st.SearchStrategy[Case]:
    return _pulled_back(cases(dtype, able, mask="none", causal="never", edges=False), dtype)


@st.composite
def _with_hidden_keys(draw: Draw, dtype: str, able: Abilities) -> Case:
    """Some mask, causal or both, and mostly a key that nobody sees; all see the first."""
    plain = cases(dtype, able, mask="some", causal="any", dead_rows=False, edges=False)
    case = draw(_pulled_back(plain, dtype))
    hidden = draw(st.integers(0, case.m - 1))
    if case.mask is None or hidden == 0:
        return case
    mask = case.mask.copy()
    mask[:, hidden] = False if mask.dtype == bool else -np.inf
    return case.but(mask=mask)


def _with_dead_row(dtype: str, able: Abilities) -> st.SearchStrategy[Case]:
    return _pulled_back(with_dead_row(dtype, able), dtype)


@st.composite
def _tied(draw: Draw, dtype: str, able: Abilities) -> Case:
    """Equal keys, zero queries, or a scale of zero."""
    plain = cases(dtype, able, mask="flat", dead_rows=False, edges=False)
    case = draw(_pulled_back(plain, dtype))
    kind = draw(st.sampled_from(["keys", "queries"] + ["scale"] * able.zero_scale))
    if kind == "keys":
        return case.but(k=np.repeat(case.k[:1], case.m, axis=0))
    return case.but(q=np.zeros_like(case.q)) if kind == "queries" else case.but(scale=0.0)


def _saturated(dtype: str, able: Abilities) -> st.SearchStrategy[Case]:
    return _pulled_back(dominated(dtype, able), dtype)


def _dead_waived(declarations: Declarations) -> str | None:
    declared = declarations.dead_rows
    return None if declared == "zeros" else f"declared --dead-rows {declared}"


PROPERTIES = (
    Property(
        "gradient",
        "jacobian",
        "The gradients of q, k and v are the exact ones, within the type's derived bound.",
        "A backward pass is written apart from the forward one, and training hides its faults.",
        _plain,
        _agrees,
        needs=("gradient",),
        share=2.0,
    ),
    Property(
        "gradient-masked",
        "jacobian",
        "With any mask the gradients are the exact ones; what no query sees gets exactly 0.",
        "A gradient through a mask trains on the future and on padding.",
        _with_hidden_keys,
        _agrees,
        needs=("gradient", "some_mask"),
        share=2.0,
    ),
    Property(
        "gradient-dead-rows",
        "jacobian",
        "A row without an attendable key passes no gradient and spoils no other row's.",
        "One padded row with a NaN gradient ends a training run.",
        _with_dead_row,
        _agrees,
        needs=("gradient", "some_mask"),
        waived=_dead_waived,
    ),
    Property(
        "gradient-tie",
        "jacobian",
        "Where all scores are equal the gradients are those of the mean.",
        "It is the first step of training; the derivative of a maximum must not enter at a tie.",
        _tied,
        _agrees,
        needs=("gradient",),
    ),
    Property(
        "gradient-saturated",
        "jacobian",
        "Where one key takes all the weight, queries and keys get no gradient, and never NaN.",
        "0 · ∞ and 0/0 lie near; whoever divides by a weight meets them here.",
        _saturated,
        _agrees,
        needs=("gradient",),
    ),
)
