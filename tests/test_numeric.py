"""The NumPy implementation: the formula, its edges and its types."""

from __future__ import annotations

import math

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from symattn import numeric
from symattn.errors import InputError, ShapeError

DTYPES = [np.float16, ml_dtypes.bfloat16, np.float32, np.float64]

#: (raw scores, weights by hand): what softmax is on small rows.
SOFTMAX_ROWS = [
    ([0.0, 0.0, 0.0, 0.0], [0.25] * 4),
    ([math.log(3), 0.0], [0.75, 0.25]),
    ([1e308, -1e308], [1.0, 0.0]),
    ([-5.0, -np.inf], [1.0, 0.0]),
    ([-np.inf, -np.inf], [0.0, 0.0]),
]


def small_arrays(*shape: int) -> st.SearchStrategy[np.ndarray]:
    return hnp.arrays(np.float64, shape, elements=st.integers(-8, 8).map(lambda x: x / 4))


def by_hand(q, k, v, scale):
    """The formula as nested loops over plain numbers."""
    output = []
    for query in q:
        exps = [math.exp(scale * sum(a * b for a, b in zip(query, key, strict=True))) for key in k]
        z = [sum(e * value[c] for e, value in zip(exps, v, strict=True)) for c in range(len(v[0]))]
        output.append([entry / sum(exps) for entry in z])
    return output


@pytest.mark.parametrize(("row", "expected"), SOFTMAX_ROWS)
def test_softmax_of_small_rows(row, expected):
    np.testing.assert_allclose(numeric.softmax(row), expected, rtol=1e-15)


@given(small_arrays(3, 5), st.sampled_from([0, 1]))
def test_softmax_along_an_axis_sums_to_one(x, axis):
    np.testing.assert_allclose(numeric.softmax(x, axis=axis).sum(axis=axis), 1, rtol=1e-14)


def test_softmax_lets_a_nan_through():
    assert np.isnan(numeric.softmax([0.0, np.nan])).all()


@given(small_arrays(3, 4), small_arrays(5, 4), small_arrays(5, 2), st.sampled_from([None, 0.0, -2]))
def test_attention_is_the_formula_written_out(q, k, v, scale):
    expected = by_hand(q.tolist(), k.tolist(), v.tolist(), 0.5 if scale is None else scale)
    np.testing.assert_allclose(numeric.attention(q, k, v, scale=scale), expected, atol=1e-13)


@given(small_arrays(2, 3, 4), small_arrays(5, 4), small_arrays(2, 5, 2))
def test_batch_dimensions_broadcast(q, k, v):
    together = numeric.attention(q, k, v)
    apart = [numeric.attention(q[b], k, v[b]) for b in range(2)]
    np.testing.assert_allclose(together, apart, atol=1e-14)


@pytest.mark.parametrize("dtype", DTYPES)
def test_output_keeps_the_type_of_its_inputs(dtype):
    q, k, v = (np.ones(shape, dtype) for shape in ((2, 4), (3, 4), (3, 5)))
    output = numeric.attention(q, k, v)
    assert output.dtype == dtype
    assert (output == 1).all()


def test_float16_scores_beyond_its_range_do_not_overflow():
    q = np.full((1, 4), 256, np.float16)
    k = np.array([[256] * 4, [255] * 4], np.float16)
    output = numeric.attention(q, k, np.array([[1], [2]], np.float16))
    assert output.tolist() == [[1.0]]


@given(small_arrays(3, 2), small_arrays(4, 2), small_arrays(4, 2), hnp.arrays(bool, (3, 4)))
def test_boolean_mask_is_the_additive_mask_of_minus_infinity(q, k, v, mask):
    additive = np.where(mask, 0.0, -np.inf)
    np.testing.assert_array_equal(
        numeric.attention(q, k, v, mask=mask), numeric.attention(q, k, v, mask=additive)
    )


def test_masking_a_key_is_deleting_it():
    rng = np.random.default_rng(0)
    q, k, v = (rng.integers(-4, 4, s) / 2 for s in ((2, 3), (4, 3), (4, 2)))
    mask = np.array([True, True, False, True])
    np.testing.assert_allclose(
        numeric.attention(q, k, v, mask=mask),
        numeric.attention(q, k[mask], v[mask]),
        rtol=1e-15,
    )


@pytest.mark.parametrize(
    ("n", "m", "visible"), [(2, 2, [1, 2]), (2, 4, [3, 4]), (4, 2, [0, 0, 1, 2])]
)
def test_causal_is_aligned_to_the_lower_right(n, m, visible):
    v = np.arange(1.0, m + 1)[:, np.newaxis]
    output = numeric.attention(np.zeros((n, 1)), np.zeros((m, 1)), v, causal=True)
    expected = [(seen + 1) / 2 if seen else 0 for seen in visible]  # the mean of 1, ..., seen
    np.testing.assert_allclose(output[:, 0], expected)


def test_mask_and_causal_both_apply():
    mask = np.array([[True, True], [False, True]])
    weights = numeric.weights(np.zeros((2, 1)), np.zeros((2, 1)), mask=mask, causal=True)
    assert weights.tolist() == [[1, 0], [0, 1]]


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_a_masked_value_or_key_is_never_touched(bad):
    k, v = np.array([[1.0], [bad]]), np.array([[3.0, 4.0], [bad, bad]])
    output = numeric.attention(np.ones((1, 1)), k, v, mask=np.array([[True, False]]))
    assert output.tolist() == [[3.0, 4.0]]


def test_a_masked_nan_leaks_into_no_row_while_another_row_attends_it():
    v = np.array([[1.0], [np.nan]])
    mask = np.array([[True, False], [True, True]])
    output = numeric.attention(np.zeros((2, 1)), np.zeros((2, 1)), v, mask=mask)
    assert output[0, 0] == 1
    assert np.isnan(output[1, 0])


def test_an_attended_infinity_stays_even_where_its_weight_underflows():
    output = numeric.attention([[1.0]], [[0.0], [-2000.0]], [[1.0], [np.inf]])
    assert output.tolist() == [[np.inf]]


@pytest.mark.parametrize("where", ["q", "k", "v"])
def test_an_attended_nan_propagates(where):
    arrays = {name: np.ones((2, 2)) for name in "qkv"}
    arrays[where][0, 0] = np.nan
    output = numeric.attention(**arrays)
    assert np.isnan(output[0, 0])


def test_rows_without_a_key_give_zeros():
    mask = np.array([[False, False], [True, True]])
    output = numeric.attention(np.ones((2, 1)), np.ones((2, 1)), np.ones((2, 3)), mask=mask)
    assert output.tolist() == [[0, 0, 0], [1, 1, 1]]
    assert numeric.attention(np.ones((2, 1)), np.ones((0, 1)), np.ones((0, 3))).shape == (2, 3)


def test_multi_head_is_attention_on_each_slice_of_the_projections():
    rng = np.random.default_rng(1)
    x, W_Q, W_K, W_V, W_O = (
        rng.integers(-4, 4, s) / 4 for s in ((2, 3, 4), (4, 6), (4, 6), (4, 4), (4, 4))
    )
    heads = [
        numeric.attention(
            x @ W_Q[:, 3 * h : 3 * h + 3],
            x @ W_K[:, 3 * h : 3 * h + 3],
            x @ W_V[:, 2 * h : 2 * h + 2],
            causal=True,
        )
        for h in range(2)
    ]
    np.testing.assert_allclose(
        numeric.multi_head(x, W_Q, W_K, W_V, W_O, heads=2, causal=True),
        np.concatenate(heads, axis=-1) @ W_O,
        atol=1e-14,
    )


def test_multi_head_takes_a_context_and_a_mask_per_batch_entry():
    x, context = np.ones((2, 1, 2)), np.arange(8.0).reshape(2, 2, 2)
    mask = np.array([[[True, False]], [[False, True]]])
    eye = np.eye(2)
    output = numeric.multi_head(x, eye, eye, eye, heads=2, context=context, mask=mask)
    assert output.tolist() == [[[0, 1]], [[6, 7]]]


@pytest.mark.parametrize(
    ("shapes", "message"),
    [
        (((2, 3), (2, 4), (2, 1)), r"one width d_k: q.shape=\(2, 3\) ends in 3, k.shape=\(2, 4\)"),
        (((2, 3), (2, 3), (4, 1)), r"k.shape=\(2, 3\) has 2 keys, v.shape=\(4, 1\) has 4 values"),
        (((3,), (2, 3), (2, 1)), r"q.shape=\(3,\) must have at least two dimensions"),
    ],
)
def test_shapes_that_do_not_fit_are_named(shapes, message):
    with pytest.raises(ShapeError, match=message):
        numeric.attention(*(np.zeros(shape) for shape in shapes))


def test_a_mask_that_does_not_fit_is_named():
    with pytest.raises(ShapeError, match=r"mask.shape=\(3, 3\) .* \(1, 2\)"):
        numeric.weights(np.zeros((1, 1)), np.zeros((2, 1)), mask=np.ones((3, 3), bool))


def test_heads_must_divide_the_projections():
    with pytest.raises(ShapeError, match="heads=2 must divide the 3 columns of W_Q"):
        numeric.multi_head(np.ones((1, 3)), *[np.eye(3)] * 3, heads=2)


def test_complex_entries_are_refused():
    with pytest.raises(InputError, match=r"q.dtype=complex128 must be a real floating type"):
        numeric.scores(np.ones((1, 1), complex), np.ones((1, 1)))


def test_integer_entries_are_read_as_floats():
    assert numeric.attention([[0]], [[1], [2]], [[1], [2]]).tolist() == [[1.5]]
