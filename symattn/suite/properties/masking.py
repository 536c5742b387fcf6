"""Masks: what is masked is as if it were not there."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from hypothesis import strategies as st

from symattn.suite.cases import Case, visible
from symattn.suite.declarations import Declarations
from symattn.suite.properties.base import Property, Subject, agree, match
from symattn.suite.strategies import Abilities, Draw, cases

__all__ = ["PROPERTIES", "with_dead_row"]


def _deletion(subject: Subject, case: Case) -> None:
    """Keys that no query sees may as well be left out."""
    keep = case.extra["keep"]
    mask = np.zeros((case.n, case.m), dtype=bool)
    mask[:, keep] = True
    if case.extra["additive"]:
        mask = np.where(mask, 0.0, -np.inf).astype(case.q.dtype)
    deleted = case.but(k=case.k[keep], v=case.v[keep], mask=None)
    match(subject, case.but(mask=mask), deleted, "differs from leaving the masked keys out")


def _boolean_is_additive(subject: Subject, case: Case) -> None:
    assert case.mask is not None
    additive = np.where(case.mask, 0.0, -np.inf).astype(case.q.dtype)
    message = "differs between a boolean mask and -inf added"
    match(subject, case, case.but(mask=additive), message)


def _causal_is_a_mask(subject: Subject, case: Case) -> None:
    mask = visible(case.but(mask=None), subject.declarations)
    message = "differs between causal=True and the mask that says the same"
    match(subject, case.but(mask=None), case.but(causal=False, mask=mask), message)


def _future_unseen(subject: Subject, case: Case) -> None:
    """What no query of the first half sees must not change it."""
    allowed = visible(case, subject.declarations)
    rows = max(1, case.n // 2)
    future = ~np.any(allowed[:rows], axis=0)
    k, v = case.k.copy(), case.v.copy()
    k[future] = 1 - k[future]
    v[future] = 1 - v[future]
    other = case.but(k=k, v=v)
    match(subject, case, other, "changes with a key of the future", rows=slice(0, rows))


@st.composite
def _some_kept(draw: Draw, dtype: str, able: Abilities) -> Case:
    case = draw(cases(dtype, able, mask="none", causal="never"))
    kept = draw(st.lists(st.booleans(), min_size=case.m, max_size=case.m))
    keep = [j for j, seen in enumerate(kept) if seen] or [0]
    additive = not able.boolean_mask or (able.additive_mask and draw(st.booleans()))
    return case.but(extra={"keep": keep, "additive": additive})


@st.composite
def _poisoned(draw: Draw, dtype: str, able: Abilities, attended: bool) -> Case:
    """NaN in q, or in keys and values that are attended, or in values that are not."""
    mask = "any" if attended else "some"
    case = draw(cases(dtype, able, mask=mask, causal="any", scale="none", magnitude="plain"))
    q, k, v = case.q.copy(), case.k.copy(), case.v.copy()
    if attended:
        target = {"q": q, "k": k, "v": v}[draw(st.sampled_from(["q", "k", "v"]))]
        target[draw(st.integers(0, len(target) - 1)), 0] = np.nan
        return case.but(q=q, k=k, v=v)
    j = draw(st.integers(0, case.m - 1))
    v[j] = draw(st.sampled_from([np.nan, np.nan, np.inf]))
    if case.mask is not None:
        hidden = case.mask.copy()
        hidden[:, j] = False if hidden.dtype == bool else -np.inf
        return case.but(v=v, mask=hidden)
    return case.but(v=v, causal=case.causal)


@st.composite
def _masked_poison(draw: Draw, dtype: str, able: Abilities) -> Case:
    case = draw(_poisoned(dtype, able, attended=False))
    if case.mask is None:  # nothing hides the NaN but a causal mask, if there is one
        return draw(cases(dtype, able, mask="none"))
    return case


@st.composite
def with_dead_row(draw: Draw, dtype: str, able: Abilities) -> Case:
    """Some query sees no key: by its mask, by causal alone, or by both together."""
    kind = draw(st.sampled_from(["mask", "both"]))
    causal = "any" if kind == "both" else "never"
    case = draw(cases(dtype, able, mask="some", causal=causal, edges=False))
    if case.mask is None:
        return case
    mask = case.mask.copy()
    mask[draw(st.integers(0, case.n - 1))] = False if mask.dtype == bool else -np.inf
    return case.but(mask=mask)


@st.composite
def _more_queries_than_keys(draw: Draw, dtype: str, able: Abilities) -> Case:
    """Causal with n > m (rows before the first key) or n < m (a decoder's step)."""
    return draw(cases(dtype, able, mask="none", causal="always", queries=(1, 6), edges=False))


@st.composite
def _no_keys(draw: Draw, dtype: str, able: Abilities) -> Case:
    case = draw(cases(dtype, able, mask="none", causal="never", scale="none", edges=False))
    return case.but(k=case.k[:0], v=case.v[:0])


def _keeping(case: Case) -> Iterator[Case]:
    """All keys kept, the first half of them, and all but one."""
    plain = case.but(mask=None, causal=False)
    keys = list(range(case.m))
    for keep in (keys, keys[: case.m // 2], keys[:-1], keys[1:]):
        if keep:
            yield from (plain.but(extra={"keep": keep, "additive": a}) for a in (False, True))


def _masked(case: Case) -> Iterator[Case]:
    """With its mask, or one that hides nothing."""
    if case.mask is None or case.mask.dtype != bool:
        case = case.but(mask=np.ones((case.n, case.m), dtype=bool))
    yield case


def _caused(case: Case) -> Iterator[Case]:
    """The case with causal on, as it is and with as many queries as keys."""
    yield case.but(causal=True)
    queries = np.resize(case.q, (case.m, case.q.shape[1]))
    yield Case(queries, case.k, case.v, causal=True, scale=case.scale)


def _has_dead_row(case: Case) -> bool:
    if case.mask is None:
        return False
    seen = case.mask if case.mask.dtype == bool else case.mask != -np.inf
    return not bool(seen.any(axis=1).all())


def _hides_what_is_not_finite(case: Case) -> bool:
    unusual = ~np.isfinite(case.v.astype(np.float64)).all(axis=1)
    if case.mask is None or not unusual.any():
        return False
    seen = case.mask if case.mask.dtype == bool else case.mask != -np.inf
    return not bool(seen[:, unusual].any())


def _nan_waived(declarations: Declarations) -> str | None:
    return "declared --nan any" if declarations.nan == "any" else None


def _masked_waived(declarations: Declarations) -> str | None:
    return "declared --value-at-masked any" if declarations.value_at_masked == "any" else None


def _dead_waived(declarations: Declarations) -> str | None:
    return "declared --dead-rows any" if declarations.dead_rows == "any" else None


PROPERTIES = (
    Property(
        "masking-is-deletion",
        "masking",
        "Masking keys gives what leaving them out gives.",
        "A large negative number for -inf leaks; zeroing weights after the softmax loses mass.",
        _some_kept,
        _deletion,
        needs=("some_mask", "rectangular"),
        share=1.5,
        forms=_keeping,
    ),
    Property(
        "masked-agreement",
        "masking",
        "With any mask the output is the exact one.",
        "Masks carry padding, causality and biases; a wrong sign or axis trains on the wrong keys.",
        lambda dtype, able: cases(dtype, able, mask="some", dead_rows=False),
        agree,
        needs=("some_mask",),
        share=2.0,
        about=lambda case: case.mask is not None,
    ),
    Property(
        "boolean-is-additive",
        "masking",
        "A boolean mask is the additive mask with -inf where it is False.",
        "Both are documented as one thing; code treats them in different branches.",
        lambda dtype, able: cases(dtype, able, mask="boolean", dead_rows=False),
        _boolean_is_additive,
        needs=("boolean_mask", "additive_mask"),
        forms=_masked,
    ),
    Property(
        "causal-agreement",
        "causal",
        "Query i sees keys up to its own place, also where n differs from m.",
        "One key too far leaks the future; an alignment that differs breaks decoding with a cache.",
        _more_queries_than_keys,
        agree,
        needs=("causal",),
        share=2.0,
        about=lambda case: case.causal,
        forms=_caused,
    ),
    Property(
        "causal-is-a-mask",
        "causal",
        "causal=True is the boolean mask of the same triangle.",
        "Two branches for one thing drift apart.",
        lambda dtype, able: cases(
            dtype, able, mask="none", causal="always", dead_rows=False, edges=False
        ),
        _causal_is_a_mask,
        needs=("causal", "boolean_mask"),
        forms=_caused,
    ),
    Property(
        "future-is-unseen",
        "causal",
        "Changing keys and values of the future changes nothing before them.",
        "A leak of the future makes training look brilliant and generation useless.",
        lambda dtype, able: cases(dtype, able, mask="none", causal="always", queries=(2, 6)),
        _future_unseen,
        needs=("causal",),
        forms=_caused,
    ),
    Property(
        "masked-value-untouched",
        "masking",
        "A NaN or infinity stored at a masked value does not reach the output.",
        "Caches are not cleared; 0 · NaN is NaN.",
        _masked_poison,
        agree,
        needs=("some_mask",),
        waived=_masked_waived,
        about=_hides_what_is_not_finite,
    ),
    Property(
        "nan-propagates",
        "masking",
        "A NaN that is attended to gives NaN.",
        "A NaN turned into a number hides the step at which training broke.",
        lambda dtype, able: _poisoned(dtype, able, attended=True),
        agree,
        waived=_nan_waived,
        about=lambda case: "NaN" in case.features(),
    ),
    Property(
        "dead-rows",
        "masking",
        "A row without an attendable key gives what is declared (zeros by default).",
        "Padded rows are ordinary; NaN or a mean of everything spreads from there.",
        with_dead_row,
        agree,
        needs=("some_mask",),
        waived=_dead_waived,
        about=_has_dead_row,
    ),
    Property(
        "no-keys",
        "masking",
        "Without any key the output is that of a row without an attendable key.",
        "The first step with an empty cache.",
        _no_keys,
        agree,
        needs=("no_keys", "rectangular"),
        waived=_dead_waived,
        about=lambda case: case.m == 0,
    ),
)
