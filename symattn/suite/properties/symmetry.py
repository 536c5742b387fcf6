"""Theorems on order: tokens are a set, queries do not see each other."""

from __future__ import annotations

from collections.abc import Iterator

from hypothesis import strategies as st

from symattn.suite.cases import Case
from symattn.suite.properties.base import Property, Subject, match
from symattn.suite.strategies import Abilities, Draw, cases, permutations

__all__ = ["PROPERTIES"]


def _permute_keys(subject: Subject, case: Case) -> None:
    order = case.extra["order"]
    mask = None if case.mask is None else case.mask[:, order]
    other = case.but(k=case.k[order], v=case.v[order], mask=mask)
    match(subject, case, other, "changes when keys and values are reordered together")


def _permute_queries(subject: Subject, case: Case) -> None:
    order = case.extra["order"]
    mask = None if case.mask is None else case.mask[order]
    back = [order.index(i) for i in range(case.n)]
    other = case.but(q=case.q[order], mask=mask)
    message = "changes with the order of the queries"
    match(subject, case, other, message, pick=lambda output: output[back])


def _permute_tokens(subject: Subject, case: Case) -> None:
    """Self-attention: all three permuted alike permute the output."""
    order = case.extra["order"]
    mask = None if case.mask is None else case.mask[order][:, order]
    back = [order.index(i) for i in range(case.n)]
    other = case.but(q=case.q[order], k=case.k[order], v=case.v[order], mask=mask)
    message = "is not reordered as the tokens are"
    match(subject, case, other, message, pick=lambda output: output[back])


def _rows_alone(subject: Subject, case: Case) -> None:
    i = case.extra["row"]
    mask = None if case.mask is None else case.mask[i : i + 1]
    alone = case.but(q=case.q[i : i + 1], mask=mask)
    message = f"differs when query {i} is asked together with others"
    match(subject, alone, case, message, pick=lambda output: output[i : i + 1])


@st.composite
def _ordered(draw: Draw, dtype: str, able: Abilities, what: str) -> Case:
    case = draw(cases(dtype, able, causal="never", edges=what == "keys"))
    if what == "tokens":
        n = min(case.n, case.m)
        mask = None if case.mask is None else case.mask[:n, :n]
        case = case.but(q=case.q[:n], k=case.k[:n], v=case.v[:n], mask=mask)
    length = case.n if what == "queries" else case.m
    if length > 40:  # a rotation says as much as a long list
        turn = draw(st.integers(0, length - 1))
        order = [(i + turn) % length for i in range(length)]
    else:
        order = draw(permutations(length))
    return case.but(extra={"order": order})


@st.composite
def _with_row(draw: Draw, dtype: str, able: Abilities) -> Case:
    case = draw(cases(dtype, able, causal="never"))
    return case.but(extra={"row": draw(st.integers(0, case.n - 1))})


def _reordered(case: Case, length: int) -> Iterator[Case]:
    """The case with its rows reversed, and turned by one place either way."""
    places = list(range(length))
    for order in (places[::-1], places[1:] + places[:1], places[-1:] + places[:-1]):
        yield case.but(causal=False, extra={"order": order})


PROPERTIES = (
    Property(
        "key-value-permutation",
        "equivariance",
        "Reordering keys and values together changes nothing.",
        "Attention sees a set; blocks that are merged wrongly make order matter.",
        lambda dtype, able: _ordered(dtype, able, "keys"),
        _permute_keys,
        forms=lambda case: _reordered(case, case.m),
    ),
    Property(
        "query-permutation",
        "equivariance",
        "Reordering the queries reorders the outputs and nothing else.",
        "A query must not depend on its neighbours.",
        lambda dtype, able: _ordered(dtype, able, "queries"),
        _permute_queries,
        forms=lambda case: _reordered(case, case.n),
    ),
    Property(
        "equivariance",
        "equivariance",
        "Reordering all tokens reorders the outputs in the same way.",
        "Without positions, self-attention has no notion of order.",
        lambda dtype, able: _ordered(dtype, able, "tokens"),
        _permute_tokens,
        forms=lambda case: _reordered(case, case.n) if case.n == case.m else (),
    ),
    Property(
        "row-independence",
        "definition",
        "Each query's output is the same whether it is asked alone or with others.",
        "A maximum or a sum taken over the whole matrix couples the rows.",
        _with_row,
        _rows_alone,
        needs=("rectangular",),
        forms=lambda case: (case.but(causal=False, extra={"row": i}) for i in range(case.n)),
    ),
)
