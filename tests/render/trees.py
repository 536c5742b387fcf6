"""Strategies for trees that a printer may meet."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import strategies as st

from symattn.exact.tree import (
    FUNCTIONS,
    Add,
    Array,
    Call,
    Constant,
    Div,
    Mul,
    Neg,
    Node,
    Number,
    Percent,
    Pow,
    Root,
    Symbol,
)

NAMES = ("M", "x", "q_1", "d_k", "W_Q", "alpha_1_2", "alpha_12_3", "lambda", "v_10", "score")


def number(text: str) -> Number:
    point = text.partition("e")[0].partition(".")[2]
    exponent = int(text.partition("e")[2] or 0) - len(point)
    decimal = "." in text or "e" in text
    return Number(Fraction(text), text, decimal, exponent if decimal else 0)


wholes = st.integers(0, 30).map(lambda n: number(str(n)))
decimals = st.sampled_from(("0.5", "0.5760", "12.0", "2.06e-9", "1e3", "7.25")).map(number)
leaves = (
    wholes
    | decimals
    | st.sampled_from(NAMES).map(Symbol)
    | st.sampled_from((Constant("e"), Constant("pi")))
)
small = st.integers(2, 12).map(lambda n: number(str(n)))


def _compound(parts: st.SearchStrategy[Node]) -> st.SearchStrategy[Node]:
    many = st.lists(parts, min_size=2, max_size=3).map(tuple)
    return st.one_of(
        parts.map(Neg),
        many.map(Add),
        many.map(Mul),
        st.builds(Div, parts, parts),
        st.builds(Pow, parts, small | small.map(Neg) | st.builds(Div, small, small)),
        st.builds(Pow, st.just(Constant("e")), parts),
        st.builds(Root, parts, st.sampled_from((2, 3, 4, 5))),
        st.builds(Call, st.sampled_from(FUNCTIONS), parts),
        wholes.map(Percent),
    )


scalars: st.SearchStrategy[Node] = st.recursive(leaves, _compound, max_leaves=8)


def _matrix(shape: tuple[int, int]) -> st.SearchStrategy[Node]:
    rows, columns = shape
    row = st.lists(scalars, min_size=columns, max_size=columns).map(lambda xs: Array(tuple(xs)))
    return st.lists(row, min_size=rows, max_size=rows).map(lambda xs: Array(tuple(xs)))


vectors = st.lists(scalars, min_size=2, max_size=4).map(lambda xs: Array(tuple(xs)))
matrices = st.tuples(st.integers(2, 3), st.integers(1, 3)).flatmap(_matrix)
