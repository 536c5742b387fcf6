"""The rounding bounds hold against exact arithmetic, and are no larger than they need to be."""

from __future__ import annotations

import warnings
from fractions import Fraction

import numpy as np
import pytest
from flint import arb, ctx, fmpq
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from symattn import numeric
from symattn.numeric_bounds import FLOAT64, Arithmetic, output_bound, scores_bound, weights_bound

FLOAT32 = Arithmetic(unit=2.0**-24, tiny=2.0**-126)


@st.composite
def exact_problems(draw, largest=200):
    """Exact rational q, k, v whose nearest doubles are given to NumPy, with large scores too."""
    n, m, d, d_v = (draw(st.integers(1, top)) for top in (3, 6, 5, 2))
    size = draw(st.sampled_from([1, 30, largest]))
    number = st.fractions(-size, size, max_denominator=97)
    rows = [[[draw(number) for _ in range(w)] for _ in range(h)] for h, w in
            ((n, d), (m, d), (m, d_v))]  # fmt: skip
    mask = draw(st.none() | st.lists(st.booleans(), min_size=m, max_size=m))
    return rows, None if mask is None else np.array(mask)


def ball(number):
    return arb(fmpq(number.numerator, number.denominator))


def exact_attention(q, k, v, mask, scale):
    """Scores, weights and output as balls of 300 bits, straight from the formula."""
    scores = [[scale * sum((a * b for a, b in zip(x, y, strict=True)), arb(0)) for y in k]
              for x in q]  # fmt: skip
    weights = []
    for row in scores:
        top = max((s for s, seen in zip(row, mask, strict=True) if seen), default=arb(0))
        exps = [(s - top).exp() if seen else arb(0) for s, seen in zip(row, mask, strict=True)]
        total = sum(exps, arb(0))
        weights.append([e / total if any(mask) else arb(0) for e in exps])
    output = [[sum((w * x[c] for w, x in zip(row, v, strict=True)), arb(0))
               for c in range(len(v[0]))] for row in weights]  # fmt: skip
    return scores, weights, output


def worst(computed, exact, bound, where=None):
    """The largest error over its bound."""
    ratio = 0.0
    for index in np.ndindex(computed.shape):
        if where is not None and not where[index]:
            continue
        error = abs(arb(float(computed[index])) - exact[index[0]][index[1]])
        if error.abs_lower() != 0:
            ratio = max(ratio, float(error.abs_upper() / arb(float(bound[index]))))
    return ratio


def ratios(rows, mask, scale=None, numeric_type=np.float64, **options):
    """error/bound of scores, weights and output of `numeric` on the nearest floats."""
    old, ctx.prec = ctx.prec, 300
    try:
        q, k, v = ([[ball(x) for x in row] for row in matrix] for matrix in rows)
        seen = [True] * len(k) if mask is None else list(mask)
        sigma = arb(len(q[0])).rsqrt() if scale is None else arb(scale)
        exact = exact_attention(q, k, v, seen, sigma)
        q, k, v = (np.array(matrix, dtype=float).astype(numeric_type) for matrix in rows)
        keywords = {"mask": mask, "scale": scale}
        computed = (
            numeric.scaled_scores(q, k, **keywords),
            numeric.weights(q, k, **keywords),
            numeric.attention(q, k, v, **keywords),
        )
        bounds = (
            scores_bound(q, k, **keywords, **options),
            weights_bound(q, k, **keywords, **options),
            output_bound(q, k, v, **keywords, **options),
        )
        where = np.broadcast_to(seen, bounds[0].shape)
        return [
            worst(c, e, b, w)
            for c, e, b, w in zip(computed, exact, bounds, (where, None, None), strict=True)
        ]
    finally:
        ctx.prec = old


@settings(max_examples=150, deadline=None)
@given(exact_problems(), st.sampled_from([None, 0.25, -3.0]))
def test_rounded_inputs_stay_within_the_bound(problem, scale):
    rows, mask = problem
    assert max(ratios(rows, mask, scale)) <= 1


@settings(max_examples=60, deadline=None)
@given(exact_problems(largest=20))
def test_float32_stays_within_its_bound(problem):
    rows, mask = problem
    rows = [[[Fraction(float(np.float32(x))) for x in row] for row in matrix] for matrix in rows]
    assert max(ratios(rows, mask, None, np.float32, input_units=0, arithmetic=FLOAT32)) <= 1


#: Scores of about 5e5 that differ by less than 1, so that every ulp of an input counts.
LARGE = [[["1000/3"]], [["10000/7"], ["99999993/70000"]], [["1"], ["-1"]]]
LARGE = [[[Fraction(x) for x in row] for row in matrix] for matrix in LARGE]


def moved(rows, units):
    """The nearest floats, moved by so many units of 2^-53: values up, keys alternating."""
    shift = Fraction(units, 2**53)
    q, k, v = rows
    return [q, [[x * (1 - (-1) ** j * shift) for x in y] for j, y in enumerate(k)], v]


@pytest.mark.parametrize("units", [1, 100, 10_000])
def test_inputs_off_by_so_many_units_need_and_have_that_bound(units):
    q, k, v = (np.array(m, dtype=float) for m in moved(LARGE, units - 1))
    old, ctx.prec = ctx.prec, 300
    try:
        exact = exact_attention(
            *([[ball(x) for x in row] for row in m] for m in LARGE), [True] * 2, arb(1)
        )[2]
        computed = numeric.attention(q, k, v, scale=1)
        assert worst(computed, exact, output_bound(q, k, v, scale=1, input_units=units)) <= 1
        if units >= 100:
            assert worst(computed, exact, output_bound(q, k, v, scale=1, input_units=1)) > 1
    finally:
        ctx.prec = old


def test_a_unit_roundoff_that_is_too_small_is_caught():
    rows = [[["3"]], [["5"], ["19/4"]], [["1"], ["-1"]]]
    rows = [[[Fraction(x) for x in row] for row in matrix] for matrix in rows]
    claimed = Arithmetic(unit=2.0**-34, tiny=2.0**-126)
    assert ratios(rows, None, None, np.float32, input_units=0, arithmetic=FLOAT32)[2] <= 1
    assert ratios(rows, None, None, np.float32, input_units=0, arithmetic=claimed)[2] > 1


def test_a_single_key_has_weight_one_however_large_its_score():
    q, k = np.array([[1e150]]), np.array([[1e150]])
    assert weights_bound(q, k)[0, 0] < 1e-14
    assert output_bound(q, k, [[3.0]])[0, 0] < 1e-13


def test_saturated_scores_allow_any_weights_but_nothing_outside_the_values():
    q, k, v = np.array([[1e20]]), np.array([[1e20], [1e20 - 2e4]]), np.array([[3.0], [5.0]])
    assert weights_bound(q, k)[0].tolist() == [1.0, 1.0] or (weights_bound(q, k) > 0.9).all()
    assert output_bound(q, k, v)[0, 0] == pytest.approx(2.0, rel=1e-5)


def test_rows_without_a_key_and_masked_keys_have_bound_zero():
    mask = np.array([[False, False], [True, False]])
    q, k, v = np.ones((2, 1)), np.array([[1.0], [np.nan]]), np.array([[1.0], [np.nan]])
    assert output_bound(q, k, v, mask=mask)[0].tolist() == [0.0]
    assert output_bound(q, k, v, mask=mask)[1, 0] < 1e-14
    assert weights_bound(q, k, mask=mask)[:, 1].tolist() == [0.0, 0.0]


def test_scores_that_overflow_have_an_infinite_bound():
    assert np.isinf(scores_bound([[1e200]], [[1e200]])).all()


def test_more_roundings_than_a_type_has_units_leave_nothing_known():
    """Even of weights that are 0 in float64, where an infinite factor must not meet them."""
    q, k = np.array([[1.0]]), np.array([[0.0], *[[-1e4]] * 63])
    coarse = Arithmetic(unit=2.0**-4, tiny=2.0**-14)
    mask = np.arange(64) != 5
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        bound = weights_bound(q, k, mask=mask, arithmetic=coarse)
        assert bound[0, mask].tolist() == [2.0] * 63  # weights are in [0, 1] all the same
        assert bound[0, 5] == 0
        assert np.isinf(output_bound(q, k, np.ones((64, 1)), mask=mask, arithmetic=coarse)).all()


def test_a_product_of_zeros_is_exact_however_coarse_the_arithmetic():
    coarse = Arithmetic(unit=2.0**-2, tiny=2.0**-14)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        bound = scores_bound([[0.0]], [[5.0], [0.0]], scale=1, input_units=0, arithmetic=coarse)
        assert (bound <= 2.0**-13 * 1.001).all()
        assert np.isinf(scores_bound([[1.0]], [[5.0]], arithmetic=coarse)).all()


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_bounds_of_extreme_problems_are_never_nan_and_need_no_warning(data):
    """What cannot be bounded, attended NaN and infinities too, has an infinite bound."""
    n, m, d = (data.draw(st.integers(low, 4)) for low in (1, 0, 0))
    extremes = st.sampled_from(
        [0.0, 1.0, -3.5, 5e-324, 1e-200, 1e155, -1e200, 1e308, np.inf, np.nan]
    )
    q, k, v = (
        data.draw(hnp.arrays(np.float64, shape, elements=extremes))
        for shape in ((n, d), (m, d), (m, 2))
    )
    mask = data.draw(
        st.none()
        | hnp.arrays(bool, (n, m))
        | hnp.arrays(np.float64, (n, m), elements=st.sampled_from([0.0, -np.inf, -1.7e308, 1e307]))
    )
    options = {
        "mask": mask,
        "causal": data.draw(st.booleans()),
        "scale": data.draw(st.sampled_from([None, 0.0, -1.0, 1e-300, 1e300])),
        "input_units": data.draw(st.sampled_from([0, 1, 1e20])),
        "arithmetic": data.draw(st.sampled_from([FLOAT64, FLOAT32, Arithmetic(2.0**-3, 2.0**-9)])),
    }
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        bounds = [
            scores_bound(q, k, **options),
            weights_bound(q, k, **options),
            output_bound(q, k, v, **options),
        ]
    for bound in bounds:
        assert (bound >= 0).all()


@pytest.mark.parametrize("m", [1, 8, 64])
def test_ordinary_problems_have_a_bound_of_a_few_hundred_units(m):
    rng = np.random.default_rng(m)
    q, k, v = rng.normal(size=(4, 8)), rng.normal(size=(m, 8)), rng.uniform(-1, 1, (m, 3))
    assert output_bound(q, k, v).max() < (200 + 4 * m) * FLOAT64.unit
