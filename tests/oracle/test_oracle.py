"""The oracle as users call it: enclosures, correct rounding, masks, edges and refusals."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest
from flint import arb
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from symattn import numeric, oracle
from symattn.errors import InputError, ShapeError
from symattn.oracle import rounding
from symattn.oracle.problem import read

TIERS = ["float64", "pairs", "balls"]
DTYPES = [np.float16, ml_dtypes.bfloat16, np.float32, np.float64]


@st.composite
def problems(draw):
    n, m, d, d_v = draw(st.integers(1, 4)), draw(st.integers(0, 6)), draw(st.integers(1, 5)), 2
    size = draw(st.sampled_from([1, 2.0**-30, 2.0**10, 2.0**200]))
    dtype = draw(st.sampled_from(DTYPES))
    if dtype != np.float64:
        size = min(size, 2.0**5)
    entries = st.integers(-16, 16).map(lambda x: x / 8)
    q, k, v = (
        (draw(hnp.arrays(np.float64, shape, elements=entries)) * factor).astype(dtype)
        for shape, factor in (((n, d), size), ((m, d), min(size, 32)), ((m, d_v), 1))
    )
    mask = draw(
        st.none()
        | hnp.arrays(bool, (n, m))
        | hnp.arrays(np.float64, (n, m), elements=st.sampled_from([-np.inf, -1.5, 0.0, 0.25]))
    )
    return {
        "q": q, "k": k, "v": v, "mask": mask, "causal": draw(st.booleans()),
        "scale": draw(st.sampled_from([None, 0.0, -0.3, 2.0])),
        "alignment": draw(st.sampled_from(["lower-right", "upper-left"])),
    }  # fmt: skip


@settings(max_examples=120, deadline=None)
@given(problems())
def test_all_tiers_enclose_the_formula_in_balls(referee, problem):
    given_ = read(**problem)
    exact = referee.attention(
        given_.q, given_.k, given_.v, given_.scale, given_.bias, given_.allowed
    )
    for tier in TIERS:
        result = oracle.attention(**problem, tier=tier)
        for index in np.ndindex(result.midpoint.shape):
            error = abs(arb(result.midpoint[index]) - exact[index[0]][index[1]])
            assert error.lower() <= arb(result.radius[index]), tier
    assert (np.isfinite(result.radius)).all()


@settings(max_examples=120, deadline=None)
@given(problems(), st.sampled_from(["float16", "bfloat16", "float32", "float64"]))
def test_rounded_is_the_float_nearest_to_the_formula(referee, problem, dtype):
    given_ = read(**problem)
    exact = referee.attention(
        given_.q, given_.k, given_.v, given_.scale, given_.bias, given_.allowed
    )
    result = oracle.rounded(**problem, dtype=ml_dtypes.bfloat16 if dtype == "bfloat16" else dtype)
    assert result.dtype.name == dtype
    for index in np.ndindex(result.shape):
        truth = exact[index[0]][index[1]]
        chosen = float(result[index])
        away = abs(truth - arb(chosen))
        gap = rounding.FORMATS[dtype].unit * max(abs(chosen), 2.0**-1022)
        step = max(gap * 2, rounding.FORMATS[dtype].smallest)
        for other in (chosen - step, chosen + step):
            rival = float(rounding.nearest(np.array([other]), dtype)[0])
            assert rival == chosen or away.lower() <= abs(truth - arb(rival)).upper()


@pytest.mark.parametrize("dtype", DTYPES)
def test_outputs_of_ordinary_size_agree_with_numpy(dtype):
    rng = np.random.default_rng(0)
    q, k, v = (rng.normal(size=s).astype(dtype) for s in ((5, 8), (33, 8), (33, 4)))
    wide = [x.astype(np.float64) for x in (q, k, v)]
    np.testing.assert_allclose(
        oracle.rounded(q, k, v).astype(float), numeric.attention(*wide), rtol=0.01
    )
    np.testing.assert_allclose(
        oracle.attention(q, k, v).midpoint, numeric.attention(*wide), atol=1e-14
    )


def test_float32_output_of_512_keys_is_correctly_rounded_everywhere(referee):
    rng = np.random.default_rng(5)
    q, k, v = (rng.normal(size=s).astype(np.float32) for s in ((8, 64), (512, 64), (512, 8)))
    result = oracle.rounded(q, k, v)
    exact = referee.attention(q, k, v)
    for (i, c), value in np.ndenumerate(result):
        assert np.float32(float(exact[i][c])) == value


def test_outputs_beyond_the_type_become_infinite_as_in_ieee_754():
    q, k, v = np.zeros((1, 1)), np.zeros((2, 1)), np.array([[65519.0, 65520.0, -7e4]] * 2)
    result = oracle.rounded(q, k, v, dtype=np.float16)
    assert result.tolist() == [[65504, np.inf, -np.inf]]


@pytest.mark.parametrize("lowest", [-1e9, np.finfo(np.float32).min])
def test_a_mask_of_huge_negative_numbers_is_as_narrow_as_a_boolean_one(lowest):
    rng = np.random.default_rng(1)
    q, k, v = (rng.normal(size=s).astype(np.float32) for s in ((4, 8), (16, 8), (16, 2)))
    allowed = rng.random((4, 16)) < 0.7
    boolean = oracle.attention(q, k, v, mask=allowed)
    additive = oracle.attention(q, k, v, mask=np.where(allowed, 0.0, lowest).astype(np.float32))
    assert np.abs(boolean.midpoint - additive.midpoint).max() < 1e-15
    assert (additive.radius < 1e-12).all()


@pytest.mark.parametrize("tier", TIERS)
def test_rows_without_a_key_and_no_keys_at_all_give_zeros(tier):
    q, k, v = np.ones((2, 1)), np.ones((2, 1)), np.ones((2, 3))
    mask = np.array([[False, False], [True, False]])
    result = oracle.attention(q, k, v, mask=mask, tier=tier)
    assert result.midpoint[0].tolist() == [0, 0, 0]
    assert result.radius[0].tolist() == [0, 0, 0]
    empty = oracle.attention(q, k[:0], v[:0], tier=tier)
    assert empty.midpoint.shape == (2, 3)
    assert not empty.midpoint.any()


@pytest.mark.parametrize("tier", TIERS)
@pytest.mark.parametrize(
    ("n", "m", "d", "d_v"), [(0, 2, 3, 1), (2, 3, 0, 1), (2, 3, 4, 0), (0, 0, 0, 0)]
)
def test_dimensions_of_zero_are_no_obstacle(tier, n, m, d, d_v):
    q, k, v = np.ones((n, d)), np.ones((m, d)), np.full((m, d_v), 3.0)
    assert oracle.attention(q, k, v, tier=tier).midpoint.tolist() == [[3.0] * d_v] * n
    assert oracle.rounded(q, k, v).tolist() == [[3.0] * d_v] * n


@pytest.mark.parametrize(("alignment", "seen"), [("lower-right", [3, 4]), ("upper-left", [1, 2])])
def test_causal_in_both_alignments(alignment, seen):
    v = np.arange(1.0, 5)[:, np.newaxis]
    result = oracle.rounded(np.zeros((2, 1)), np.zeros((4, 1)), v, causal=True, alignment=alignment)
    assert result[:, 0].tolist() == [(count + 1) / 2 for count in seen]


@pytest.mark.parametrize("where", ["q", "k", "v", "mask"])
def test_an_attended_nan_gives_nan_and_a_masked_one_does_not(where):
    def given_():
        return {"q": np.ones((2, 1)), "k": np.ones((2, 1)), "v": np.ones((2, 2)),
                "mask": np.array([[0.0, 0.0], [-np.inf, 0.0]])}  # fmt: skip

    poisoned = given_()
    poisoned[where][0, 0] = np.nan
    result = oracle.rounded(**poisoned)
    assert np.isnan(result[0]).tolist() == ([True, False] if where == "v" else [True, True])
    assert result[1].tolist() == [1, 1]  # row 1 does not see key 0
    assert not np.isnan(oracle.rounded(**given_())).any()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"q": np.array([[np.inf]])}, r"q\[0, 0\]=inf is attended and must be finite"),
        ({"v": np.array([[1.0], [-np.inf]])}, r"v\[1, 0\]=-inf is attended"),
        ({"mask": np.array([[0, np.inf]])}, r"mask\[0, 1\]=inf must be finite or -inf"),
        ({"scale": np.nan}, "scale=nan must be finite"),
        (
            {
                "q": np.float32([[1e30]]),
                "k": np.float32([[1e30], [1]]),
                "v": np.float32([[1], [1]]),
            },
            "score of query 0 and key 0 may reach 1e[+]60, beyond float32",
        ),
        ({"q": np.array([[1e200]]), "k": np.array([[1.0], [1e200]])}, "key 1 may reach .* float64"),
        ({"v": np.array([[1e308], [1e308]])}, "sum of |v| in a column"),
        ({"q": np.array([["a"]])}, "q.dtype=<U1 must be float64"),
    ],
)
def test_what_cannot_be_answered_is_refused_by_name(change, message):
    given_ = {"q": np.ones((1, 1)), "k": np.ones((2, 1)), "v": np.ones((2, 1))}
    with pytest.raises(InputError, match=message):
        oracle.attention(**{**given_, **change})


def test_what_stands_in_padding_widens_no_bound():
    rng = np.random.default_rng(2)
    q, k, v = (rng.normal(size=s) for s in ((2, 4), (6, 4), (6, 2)))
    mask = np.arange(6) < 4
    clean = oracle.attention(q, k, v, mask=mask)
    k[4:], v[4:] = 1e150, -1e300
    padded = oracle.attention(q, k, v, mask=mask)
    assert (padded.radius == clean.radius).all()
    assert (padded.midpoint == clean.midpoint).all()


def test_a_masked_infinity_is_no_obstacle():
    k, v = np.array([[1.0], [np.inf]]), np.array([[2.0], [np.inf]])
    assert oracle.rounded(np.ones((1, 1)), k, v, mask=np.array([[True, False]])) == 2


def test_shapes_that_do_not_fit_are_named():
    with pytest.raises(
        ShapeError, match=r"q.shape=\(1, 2\) and k.shape=\(2, 1\) must agree in d_k"
    ):
        oracle.attention(np.ones((1, 2)), np.ones((2, 1)), np.ones((2, 1)))
    with pytest.raises(ShapeError, match=r"mask.shape=\(3, 3\) does not broadcast"):
        oracle.attention(*[np.ones((2, 2))] * 3, mask=np.ones((3, 3), bool))


def test_blas_runs_on_one_thread():
    from threadpoolctl import threadpool_info

    from symattn.oracle.threads import one_thread

    with one_thread():
        inside = [lib["num_threads"] for lib in threadpool_info() if lib["user_api"] == "blas"]
    assert inside
    assert set(inside) == {1}
