"""Random exact problems: integers, rationals, roots, ties, zero queries, large scores, masks."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from symattn.problems import from_mapping
from symattn.problems.model import Problem

__all__ = ["given_tables", "numbers", "problems"]

small = st.integers(-5, 5).map(str)
fractions = st.builds("{}/{}".format, st.integers(-9, 9), st.integers(1, 9))
roots = st.builds("{}*sqrt({})".format, st.integers(-3, 3), st.integers(2, 7))
decimals = st.builds("{:.2f}".format, st.floats(-3, 3))
numbers = st.one_of(small, fractions, roots, decimals)


def matrix(rows: int, columns: int, entries: st.SearchStrategy[str]) -> st.SearchStrategy[Any]:
    """Nested lists of a shape."""
    row = st.lists(entries, min_size=columns, max_size=columns)
    return st.lists(row, min_size=rows, max_size=rows)


@st.composite
def given_tables(draw: st.DrawFn) -> dict[str, Any]:
    """The [given] of a problem: n and m from 1 to 6, d_k from 1 to 8, in one of several kinds."""
    n, m, d_k, d_v = (draw(st.integers(1, most)) for most in (6, 6, 8, 3))
    kind = draw(st.sampled_from(["plain", "tie", "zero query", "large", "scaled"]))
    V = draw(matrix(m, d_v, numbers))
    if kind == "scaled":
        large = st.integers(-1000, 1000).map(str)
        table: dict[str, Any] = {"scaled": draw(matrix(n, m, st.one_of(numbers, large))), "V": V}
    else:
        Q, K = draw(matrix(n, d_k, numbers)), draw(matrix(m, d_k, numbers))
        if kind == "tie":
            K = [K[0]] * m
        if kind == "zero query":
            Q[0] = ["0"] * d_k
        if kind == "large":
            Q[0] = [str(draw(st.integers(-300, 300))) for _ in range(d_k)]
        table = {"Q": Q, "K": K, "V": V}
        if draw(st.booleans()):
            table["scale"] = draw(st.sampled_from(["1", "1/3", "-1/2", "sqrt(3)", "0"]))
    mask = draw(st.sampled_from(["none", "boolean", "causal", "additive"]))
    if mask == "causal":
        table["causal"] = True
    elif mask == "boolean":
        table["mask"] = draw(matrix(n, m, st.booleans()))  # type: ignore[arg-type]
    elif mask == "additive":
        table["mask"] = draw(matrix(n, m, st.sampled_from(["0", "-oo", "1/2", "-sqrt(2)"])))
    return table


def problems() -> st.SearchStrategy[Problem]:
    """A problem with a random [given]."""
    from pathlib import Path

    return given_tables().map(
        lambda given: from_mapping({"given": given}, name="random", folder=Path())
    )
