"""Theorems on the softmax: ties, one-hot limits, shifts, order."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from hypothesis import strategies as st

from symattn.suite.cases import Case, visible
from symattn.suite.declarations import dtype_named
from symattn.suite.properties.base import Property, Subject, Violation, compare, match
from symattn.suite.strategies import Abilities, Draw, cases, matrices
from symattn.suite.truth import Truth, allowance

__all__ = ["PROPERTIES", "dominated"]


def _mean(subject: Subject, case: Case, message: str) -> None:
    """The output is the mean of the attended values."""
    allowed = visible(case, subject.declarations)
    live = np.any(allowed, axis=1, keepdims=True)
    count = np.where(live, allowed.sum(axis=1, keepdims=True), 1)
    mean = (allowed @ case.v.astype(np.float64)) / count
    spare = (case.m + 2) * 2.0**-53 * (allowed @ np.abs(case.v.astype(np.float64))) / count
    bound = np.where(live, allowance(case, subject.declarations) + spare, np.inf)
    compare(subject, case, subject(case), Truth(mean, bound), message)


def _tie(subject: Subject, case: Case) -> None:
    equal = np.repeat(case.k[:1], case.m, axis=0)
    _mean(subject, case.but(k=equal), "is not the mean, though all keys are equal")


def _zero_query(subject: Subject, case: Case) -> None:
    _mean(subject, case.but(q=np.zeros_like(case.q)), "is not the mean, though the query is zero")


def _zero_scale(subject: Subject, case: Case) -> None:
    _mean(subject, case.but(scale=0.0), "is not the mean, though the scale is zero")


def _single_key(subject: Subject, case: Case) -> None:
    live = np.any(visible(case, subject.declarations), axis=1, keepdims=True)
    value = np.repeat(case.v.astype(np.float64), case.n, axis=0)
    bound = np.where(live, allowance(case, subject.declarations), np.inf)
    compare(subject, case, subject(case), Truth(value, bound), "is not the only key's value")


def _one_hot(subject: Subject, case: Case) -> None:
    winner = case.extra["winner"]
    value = np.repeat(case.v[winner : winner + 1].astype(np.float64), case.n, axis=0)
    # The gap is at least 100, so all other weights together are below m e^-100.
    spare = case.m * 4e-44 * float(np.abs(case.v.astype(np.float64)).max(initial=0.0)) * 2
    bound = allowance(case, subject.declarations) + spare
    message = f"is not the value of key {winner}, whose score dominates"
    compare(subject, case, subject(case), Truth(value, bound), message)


def _shift(subject: Subject, case: Case) -> None:
    offset = case.q.dtype.type(case.extra["shift"])
    assert case.mask is not None
    moved = case.but(mask=case.mask + offset)
    match(subject, case, moved, f"changes when {offset} is added to all scores")


def _key_translation(subject: Subject, case: Case) -> None:
    offset = case.k.dtype.type(case.extra["shift"])
    match(subject, case, case.but(k=case.k + offset), f"changes when {offset} is added to all keys")


def _order(subject: Subject, case: Case) -> None:
    got, bound = subject(case), allowance(case, subject.declarations)
    scores = (case.q.astype(np.float64) @ case.k.astype(np.float64).T)[0]
    for i in range(case.m):
        for j in range(case.m):
            if scores[i] > scores[j] and got[0, i] < got[0, j] - bound[0, i] - bound[0, j]:
                raise Violation(
                    f"key {i} scores more than key {j} but weighs less: "
                    f"{got[0, i]:.9g} < {got[0, j]:.9g}",
                    case,
                    got=got,
                )


@st.composite
def _many_ties(draw: Draw, dtype: str, able: Abilities) -> Case:
    """Few keys, or so many that a 16-bit sum of their weights would stall."""
    if able.few_shapes or draw(st.integers(0, 3)):
        return draw(cases(dtype, able, mask="flat"))
    m = draw(st.sampled_from([257, 512, 600]))
    d = 1
    v = np.zeros((m, 1), dtype=dtype_named(dtype))
    v[draw(st.integers(0, m - 1))] = 1
    q, k = draw(matrices(1, d, dtype)), draw(matrices(1, d, dtype))
    n = m if not able.rectangular else 1
    return Case(np.repeat(q, n, axis=0), np.repeat(k, m, axis=0), v)


@st.composite
def dominated(draw: Draw, dtype: str, able: Abilities) -> Case:
    """One key scores at least 100 more than every other, for all queries."""
    case = draw(cases(dtype, able, mask="none", causal="never", scale="none", magnitude="plain"))
    winner = draw(st.integers(0, case.m - 1))
    q, k = case.q.copy(), case.k.copy()
    q[:, 0] = 32
    k[:, 0] = -8
    k[winner, 0] = 8  # the gap: (32 · 16 − 8 · 9 · 4 · 2)/√d_k for widths up to 9
    q[:, 1:] /= 8
    return case.but(q=q, k=k, extra={"winner": winner})


@st.composite
def _shifted(draw: Draw, dtype: str, able: Abilities, mask: str) -> Case:
    case = draw(cases(dtype, able, mask=mask, magnitude="plain", causal="any"))
    if mask == "additive" and case.mask is None:
        case = case.but(causal=False, mask=np.zeros((case.n, case.m), dtype=case.q.dtype))
    if case.mask is not None and case.mask.dtype != bool:
        case = case.but(mask=np.where(np.abs(case.mask) == 8, 0, case.mask).astype(case.q.dtype))
    offsets = [1, -1, 64, -64] if mask == "additive" else [1, -1, 4]
    return case.but(extra={"shift": draw(st.sampled_from(offsets))})


@st.composite
def _one_query(draw: Draw, dtype: str, able: Abilities) -> Case:
    """One query, values the unit vectors: the output is the row of weights."""
    m = 3 if able.few_shapes else draw(st.integers(2, 5))
    d = draw(st.sampled_from([1, 2, 3])) if able.value_width else m
    n = 1 if able.rectangular else m
    q, k = draw(matrices(n, d, dtype)), draw(matrices(m, d, dtype))
    return Case(q, k, np.eye(m, dtype=dtype_named(dtype)))


def _moved(case: Case, additive: bool) -> Iterator[Case]:
    """The case with its mask, or one that adds nothing, to be shifted."""
    if additive and (case.mask is None or case.mask.dtype == bool):
        case = case.but(mask=np.zeros((case.n, case.m), dtype=case.q.dtype))
    yield from (case.but(extra={"shift": shift}) for shift in (1, -1, 64 if additive else 4))


def _unit_values(case: Case) -> Iterator[Case]:
    yield Case(case.q[:1], case.k, np.eye(case.m, dtype=case.q.dtype))


def _single(dtype: str, able: Abilities) -> Any:
    return cases(dtype, able, keys=(1, 1), queries=(1, 3))


PROPERTIES = (
    Property(
        "tie",
        "tie",
        "Equal keys get equal weights: the output is the mean of the attended values.",
        "Padding and repeated tokens are ties; a sum that stalls loses them.",
        _many_ties,
        _tie,
    ),
    Property(
        "zero-query",
        "tie",
        "A zero query attends evenly, whatever the keys.",
        "It is the state of a freshly initialised or pruned head.",
        lambda dtype, able: cases(dtype, able, mask="flat"),
        _zero_query,
    ),
    Property(
        "zero-scale",
        "scaling",
        "scale=0 makes all scores equal: the output is the mean.",
        "A test such as `if scale:` reads 0 as not given.",
        lambda dtype, able: cases(dtype, able, mask="flat", scale="none"),
        _zero_scale,
        needs=("scale", "zero_scale"),
    ),
    Property(
        "single-token",
        "onehot",
        "With one key the output is its value, whatever the score.",
        "The first step of every decoder; large scores must cancel exactly.",
        _single,
        _single_key,
    ),
    Property(
        "one-hot",
        "onehot",
        "A score far above all others takes all the weight.",
        "Retrieval heads live in this limit, where overflow shows first.",
        dominated,
        _one_hot,
        forms=lambda case: (case.but(extra={"winner": j}) for j in range(case.m)),
    ),
    Property(
        "shift",
        "shift",
        "Adding one number to all scores of a row changes nothing.",
        "Softmax sees differences only; code that does not subtract the maximum overflows.",
        lambda dtype, able: _shifted(dtype, able, "additive"),
        _shift,
        needs=("additive_mask",),
        forms=lambda case: _moved(case, additive=True),
    ),
    Property(
        "key-translation",
        "shift",
        "Adding one vector to all keys changes nothing.",
        "It adds one number to all scores of a row.",
        lambda dtype, able: _shifted(dtype, able, "boolean"),
        _key_translation,
        forms=lambda case: _moved(case, additive=False),
    ),
    Property(
        "order",
        "definition",
        "A larger score never weighs less.",
        "Inverted or clipped scores change what a model looks at.",
        _one_query,
        _order,
        forms=_unit_values,
    ),
)
