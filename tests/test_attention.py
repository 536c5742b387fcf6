"""Exact attention is the paper's formula: against SymPy matrices, by hand, and against floats."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
import sympy as sp
from flint import fmpq
from hypothesis import given, settings
from hypothesis import strategies as st

from symattn import numeric, numeric_bounds
from symattn.attention import (
    EXACT,
    attention,
    causal_mask,
    forward,
    jacobian,
    multi_head,
    scaled_scores,
    scores,
    softmax,
    symbolic,
)
from symattn.errors import InputError, ShapeError
from symattn.exact.asymptotics import derivative
from symattn.exact.bridge import from_sympy
from symattn.exact.equality import equal
from symattn.exact.numbers import rational, symbol
from symattn.exact.rounding import nearest_float
from tests.exact.strategies import exact, rational_text, roots, signed, tiny

entries = st.one_of(
    st.integers(-3, 3).map(lambda n: rational_text(Fraction(n))),
    st.fractions(-2, 2, max_denominator=5).map(rational_text),
    signed(roots),
)


def matrices(rows, columns, of=entries):
    return st.lists(st.lists(of, min_size=columns, max_size=columns), min_size=rows, max_size=rows)


@st.composite
def problems(draw, of=entries, largest=3):
    n, m, d, d_v = (draw(st.integers(1, largest)) for _ in range(4))
    mask = draw(st.none() | matrices(n, m, st.booleans()))
    shapes = ((n, d), (m, d), (m, d_v))
    return (*(draw(matrices(a, b, of)) for a, b in shapes), mask, draw(st.booleans()))


def as_exact(A):
    return [[exact(x) for x in row] for row in A]


def by_definition(Q, K, V, mask=None, causal=False, scale=None):
    """softmax(Q Kᵀ/√d_k) V entry by entry in SymPy, with nothing of ours but the reading."""
    Q, K, V = (
        sp.Matrix([[sp.sympify(x.replace("^", "**")) for x in row] for row in A]) for A in (Q, K, V)
    )
    n, m, d = Q.rows, K.rows, Q.cols
    S = Q * K.T * (1 / sp.sqrt(d) if scale is None else scale)
    seen = [
        [(mask is None or mask[i][j]) and (not causal or j <= i + m - n) for j in range(m)]
        for i in range(n)
    ]
    rows = []
    for i in range(n):
        exps = [sp.exp(S[i, j]) if seen[i][j] else sp.Integer(0) for j in range(m)]
        total = sum(exps) if any(seen[i]) else sp.Integer(1)
        rows.append([sum(e * V[j, c] for j, e in enumerate(exps)) / total for c in range(V.cols)])
    return rows


def all_equal(left, right):
    return len(left) == len(right) and all(
        len(a) == len(b) and all(equal(x, y) for x, y in zip(a, b, strict=True))
        for a, b in zip(left, right, strict=True)
    )


# --- one formula, three ways --------------------------------------------------------------------


@given(problems(st.integers(-3, 3).map(lambda n: rational_text(Fraction(n))) | st.just("sqrt(2)")))
@settings(max_examples=60)
def test_exact_numbers_and_sympy_agree_with_the_definition(problem):
    Q, K, V, mask, causal = problem
    expected = [[from_sympy(x) for x in row] for row in by_definition(Q, K, V, mask, causal)]
    ours = attention(as_exact(Q), as_exact(K), as_exact(V), mask=mask, causal=causal)
    assert all_equal(ours, expected)
    in_sympy = attention(Q, K, V, mask=mask, causal=causal)
    assert isinstance(in_sympy, sp.MatrixBase)
    assert all_equal([[from_sympy(x) for x in row] for row in in_sympy.tolist()], expected)


@given(problems())
@settings(max_examples=80)
def test_exact_and_numeric_agree_within_the_derived_bound(problem):
    Q, K, V, mask, causal = problem
    ours = attention(as_exact(Q), as_exact(K), as_exact(V), mask=mask, causal=causal)
    floats = [np.array([[nearest_float(x) for x in row] for row in as_exact(A)]) for A in (Q, K, V)]
    options = {"mask": None if mask is None else np.array(mask), "causal": causal}
    found = numeric.attention(*floats, **options)
    bound = numeric_bounds.output_bound(*floats, **options)
    for i, row in enumerate(ours):
        for c, x in enumerate(row):
            gap = abs(x.enclose(400) - float(found[i, c]))
            assert gap.upper() <= float(bound[i, c]), (i, c)


def test_a_planted_error_is_outside_the_bound():
    Q, K, V = [["1", "0"]], [["1", "0"], ["0", "1"]], [["1"], ["2"]]
    ours = attention(as_exact(Q), as_exact(K), as_exact(V))
    floats = [np.array([[nearest_float(x) for x in row] for row in as_exact(A)]) for A in (Q, K, V)]
    bound = float(numeric_bounds.output_bound(*floats)[0, 0])
    wrong = ours[0][0] + fmpq(1, 10**13)
    gap = wrong.enclose(200) - float(numeric.attention(*floats)[0, 0])
    assert gap.lower() > bound
    assert not all_equal(ours, [[ours[0][0] + tiny(200)]])


@given(problems(largest=2), st.sampled_from(["0", "-1", "1/2", "sqrt(3)"]))
@settings(max_examples=30)
def test_any_scale_is_honoured(problem, scale):
    Q, K, V, mask, causal = problem
    ours = attention(
        as_exact(Q), as_exact(K), as_exact(V), mask=mask, causal=causal, scale=exact(scale)
    )
    expected = by_definition(Q, K, V, mask, causal, sp.sympify(scale))
    assert all_equal(ours, [[from_sympy(x) for x in row] for row in expected])


# --- properties of the formula ------------------------------------------------------------------


@given(st.lists(signed(roots), min_size=1, max_size=6), signed(roots))
@settings(max_examples=60)
def test_softmax_sums_to_one_is_positive_and_forgets_a_shift(row, by):
    weights = softmax([exact(s) for s in row], EXACT)
    assert equal(sum(weights, rational(0)), rational(1))
    shifted = softmax([exact(s) + exact(by) for s in row], EXACT)
    assert all(equal(a, b) for a, b in zip(weights, shifted, strict=True))
    assert all(w.enclose(200) > 0 for w in weights)


def test_the_formula_of_a_small_case_is_that_of_the_page():
    weights = softmax(
        scaled_scores(scores([[1]], [[1], [-1]], symbolic()), sp.Integer(1))[0], symbolic()
    )
    assert weights[0] == sp.E / (sp.E + sp.exp(-1))
    assert str(attention([1, 0], [[1, 0], [0, 1]], [[1], [0]])) == (
        "Matrix([[exp(sqrt(2)/2)/(1 + exp(sqrt(2)/2))]])"
    )


@given(st.lists(signed(roots), min_size=1, max_size=4))
@settings(max_examples=30)
def test_the_jacobian_is_the_derivative_of_softmax(row):
    names = [f"s{i}" for i in range(len(row))]
    weights = softmax([symbol(name) for name in names], EXACT)
    for i, line in enumerate(jacobian(weights, EXACT)):
        for j, entry in enumerate(line):
            assert equal(entry, derivative(weights[i], names[j]))
    numbers = jacobian(softmax([exact(s) for s in row], EXACT), EXACT)
    assert all(equal(sum(line, rational(0)), rational(0)) for line in numbers)


def test_the_jacobian_in_sympy_is_that_of_sympy():
    s = sp.symbols("s0:3")
    weights = softmax(list(s), symbolic())
    for i, line in enumerate(jacobian(weights, symbolic())):
        for j, entry in enumerate(line):
            assert sp.simplify(entry - sp.diff(weights[i], s[j])) == 0


def test_permuting_keys_and_values_together_changes_nothing():
    Q, K, V = [["1", "sqrt(2)"]], [["1", "0"], ["0", "1"], ["1/3", "2"]], [["1"], ["2"], ["5"]]
    ours = attention(as_exact(Q), as_exact(K), as_exact(V))
    order = [2, 0, 1]
    K, V = ([A[i] for i in order] for A in (K, V))
    assert all_equal(attention(as_exact(Q), as_exact(K), as_exact(V)), ours)


# --- masks --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("n", "m", "mask"),
    [
        (1, 1, [[True]]),
        (2, 2, [[True, False], [True, True]]),
        (2, 3, [[True, True, False], [True, True, True]]),
        (3, 1, [[False], [False], [True]]),
    ],
)
def test_the_causal_mask_is_aligned_at_the_lower_right(n, m, mask):
    assert causal_mask(n, m) == mask


@pytest.mark.parametrize("kind", ["exact", "sympy", "numpy mask"])
def test_a_row_without_a_key_gives_zeros(kind):
    mask = [[False, False], [True, False]]
    read = as_exact if kind == "exact" else list
    QK, V = read([["1", "0"], ["0", "1"]]), read([["2"], ["3"]])
    rows = attention(QK, QK, V, mask=np.array(mask) if kind == "numpy mask" else mask)
    rows = rows if kind == "exact" else [[from_sympy(x) for x in row] for row in rows.tolist()]
    assert [[str(x.as_rational()) for x in row] for row in rows] == [["0"], ["2"]]


def test_a_masked_weight_is_exactly_zero_and_its_value_does_not_matter():
    row = softmax([rational(5), None, rational(5)], EXACT)
    assert [str(w.as_rational()) for w in row] == ["1/2", "0", "1/2"]
    stages = forward([[None, None]], [[rational(1)], [rational(2)]], EXACT)
    assert [t.as_rational() for t in stages.total] == [0]
    assert stages.output[0][0].as_rational() == 0


def test_mask_and_causal_both_apply():
    A = as_exact([["1"], ["1"], ["1"]])
    mask = [[True] * 3, [False, True, True], [True] * 3]
    rows = attention(A, A, as_exact([["1"], ["2"], ["3"]]), mask=mask, causal=True)
    assert [str(row[0].as_rational()) for row in rows] == ["1", "2", "2"]


# --- shapes and kinds of input ------------------------------------------------------------------

A = [[1, 0], [0, 1]]


def test_one_query_gives_one_row_back():
    rows = as_exact([["1", "0"], ["0", "1"]])
    out = attention(rows[0], rows, rows)
    assert len(out) == 2
    assert equal(out[0], attention([rows[0]], rows, rows)[0][0])
    assert attention([1, 0], A, A).shape == (1, 2)


def test_numbers_may_come_as_text_fractions_arrays_and_sympy():
    forms = [
        [["1/2", "0"]],
        [[Fraction(1, 2), 0]],
        sp.Matrix([[sp.Rational(1, 2), 0]]),
        [[rational(1, 2), 0]],
    ]
    first, *others = [attention(Q, np.array(A), A) for Q in forms]
    for other in others:
        rows = other.tolist() if hasattr(other, "tolist") else other
        for x, y in zip(rows[0], first.tolist()[0], strict=True):
            assert equal(x if not isinstance(x, sp.Basic) else from_sympy(x), from_sympy(y))


def test_symbols_stay_open():
    M = sp.Symbol("M", real=True)
    row = attention([["M"]], [["1"], ["0"]], [["1"], ["0"]])
    assert equal(from_sympy(row[0]), from_sympy(1 / (1 + sp.exp(-M))))


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        (
            ([[1]], A, A),
            {},
            "Q.shape=(1, 1) and K.shape=(2, 2): queries and keys must be equally wide",
        ),
        (
            (A, A, [[1]]),
            {},
            "K.shape=(2, 2) and V.shape=(1, 1): there must be one value for each key",
        ),
        (([[1, 2], [3]], A, A), {}, "the rows of Q have different lengths, [1, 2]"),
        ((A, [[1, 2], [3]], A), {}, "the rows of K have different lengths, [1, 2]"),
        ((A, A, [[1, 2], [3]]), {}, "the rows of V have different lengths, [1, 2]"),
        (([], A, A), {}, "Q is empty: at least one row with one entry is needed"),
        ((A, [], []), {}, "K is empty: at least one row with one entry is needed"),
        (([1, 0], [1, 0], A), {}, "K.shape=(2,), but should be a matrix: a list of rows"),
        ((A, A, [1, 2]), {}, "V.shape=(2,), but should be a matrix: a list of rows"),
        ((A, A, A), {"mask": [[True], [True]]}, "mask.shape=(2, 1), but should be (2, 2)"),
        ((A, A, A), {"mask": [[True, True]]}, "mask.shape=(1, 2), but should be (2, 2)"),
        (
            (A, A, A),
            {"mask": [True, True]},
            "mask.shape=(2,), but should be a matrix: a list of rows",
        ),
        ((A, A, A), {"mask": []}, "mask is empty: at least one row with one entry is needed"),
    ],
)
def test_shapes_that_do_not_fit_are_named(arguments, options, message):
    with pytest.raises(ShapeError) as refused:
        attention(*arguments, **options)
    assert str(refused.value) == message


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        (([[0.5, 0]], A, A), {}, "0.5 is a float, which is not exact: write '0.5' as text"),
        ((A, A, A), {"scale": 0.5}, "0.5 is a float, which is not exact: write '0.5' as text"),
        (
            (A, A, A),
            {"mask": [[0.0, float("-inf")], [0.0, 0.0]]},
            "mask holds 0.0, but should hold True (allowed) or False",
        ),
    ],
)
def test_inexact_numbers_and_additive_masks_are_refused(arguments, options, message):
    with pytest.raises(InputError) as refused:
        attention(*arguments, **options)
    assert str(refused.value) == message


# --- heads --------------------------------------------------------------------------------------

X = [["1", "0", "2", "1"], ["0", "1", "1", "-1"], ["1/2", "1", "0", "sqrt(2)"]]
W = [["1", "0", "1", "0"], ["0", "1", "0", "1"], ["1", "1", "0", "0"], ["0", "0", "1", "2"]]


@pytest.mark.parametrize("kind", ["exact", "sympy"])
@pytest.mark.parametrize("heads", [1, 2, 4])
def test_heads_are_attention_on_blocks_of_columns(heads, kind):
    x, w = as_exact(X), as_exact(W)
    P = EXACT.matmul(x, w)
    width = 4 // heads
    blocks = [[row[h * width : (h + 1) * width] for row in P] for h in range(heads)]
    outs = [attention(b, b, b, causal=True) for b in blocks]
    expected = EXACT.matmul([[y for out in outs for y in out[i]] for i in range(3)], w)
    found = multi_head(
        *((x, w, w, w, w) if kind == "exact" else (X, W, W, W, W)), heads, causal=True
    )
    rows = found if kind == "exact" else [[from_sympy(y) for y in row] for row in found.tolist()]
    assert all_equal(rows, expected)


def test_heads_agree_with_numpy():
    x, w = (np.array([[nearest_float(y) for y in row] for row in as_exact(B)]) for B in (X, W))
    ours = multi_head(as_exact(X), *[as_exact(W)] * 4, heads=2)
    found = numeric.multi_head(x, w, w, w, w, heads=2)
    assert np.allclose([[nearest_float(y) for y in row] for row in ours], found, rtol=1e-13)


@pytest.mark.parametrize(
    ("change", "heads", "message"),
    [
        ({}, 3, "X W_Q has 4 columns, which heads=3 does not divide"),
        ({}, 0, "heads=0, but at least 1 head is needed"),
        (
            {"W_K": sp.ones(4, 6)},
            2,
            "W_Q.shape=(4, 4) and W_K.shape=(4, 6): queries and keys must be equally wide",
        ),
        ({"W_O": sp.eye(3)}, 2, "W_V.shape=(4, 4) and W_O.shape=(3, 3) do not fit"),
        ({"X": [[1, 2]]}, 2, "X.shape=(1, 2) and W_Q.shape=(4, 4) do not fit"),
        ({"W_V": sp.ones(4, 5)}, 2, "X W_V has 5 columns, which heads=2 does not divide"),
    ],
)
def test_projections_that_do_not_fit_are_named(change, heads, message):
    eye = sp.eye(4)
    arguments = {"X": [[1, 0, 1, 0]], "W_Q": eye, "W_K": eye, "W_V": eye, "W_O": eye} | change
    with pytest.raises(ShapeError) as refused:
        multi_head(**arguments, heads=heads)
    assert str(refused.value) == message
