"""Exact gradients agree with differences in 60 digits; the bound holds, and says something."""

from __future__ import annotations

import mpmath
import numpy as np
import pytest

from symattn.errors import InputError
from symattn.suite.cases import Case
from symattn.suite.declarations import Declarations
from symattn.suite.vjp import exact_vjp
from tests.suite.backwards import CORRECT, forward

NAMES = ("dq", "dk", "dv")


def random_case(seed, dtype="float32", size=1.0, n=3, m=5, d=4, d_v=2, hidden=0.3):
    rng = np.random.default_rng(seed)
    q, k, v = (rng.normal(size=shape).astype(dtype) for shape in ((n, d), (m, d), (m, d_v)))
    mask = rng.random((n, m)) >= hidden
    mask[:, 0] = True
    return Case(q * size, k, v, mask=mask), rng.normal(size=(n, d_v)).astype(dtype)


def weighted_output(q, k, v, mask, g, scale):
    """Σ g ∘ attention, in mpmath's current precision."""
    total = mpmath.mpf(0)
    for i in range(q.rows):
        seen = [j for j in range(k.rows) if mask[i, j]]
        e = {j: mpmath.exp(scale * mpmath.fdot(q[i, :], k[j, :])) for j in seen}
        for c in range(v.cols):
            total += g[i, c] * sum(e[j] * v[j, c] for j in seen) / sum(e.values())
    return total


def differences(case, g, scale):
    """Central differences with steps of 1e-20 in 60 digits."""
    arrays = [mpmath.matrix(x.astype(np.float64).tolist()) for x in (case.q, case.k, case.v)]
    weights = mpmath.matrix(g.astype(np.float64).tolist())
    step = mpmath.mpf(10) ** -20
    for x in arrays:
        result = np.zeros((x.rows, x.cols))
        for i, c in np.ndindex(result.shape):
            ends = []
            for sign in (1, -1):
                before, x[i, c] = x[i, c], x[i, c] + sign * step
                ends.append(weighted_output(*arrays, case.mask, weights, scale))
                x[i, c] = before
            result[i, c] = float((ends[0] - ends[1]) / (2 * step))
        yield result


@pytest.mark.parametrize("scale", [None, 0.0, -0.75, 3.0])
def test_exact_gradients_are_what_differences_tend_to(scale):
    case, g = random_case(1, "float64", n=2, m=3, d=2)
    truths = exact_vjp(case.but(scale=scale), g, Declarations())
    with mpmath.workdps(60):
        sigma = 1 / mpmath.sqrt(2) if scale is None else mpmath.mpf(scale)
        for name, wanted in zip(NAMES, differences(case, g, sigma), strict=True):
            assert np.abs(truths[name].output - wanted).max() < 1e-15


def largest_ratio(case, g, backward):
    truths = exact_vjp(case, g, Declarations())
    found = backward(forward(case.q, case.k, case.v, g, **case.keywords()))
    ratios = [0.0]
    for name, x in zip(NAMES, found, strict=True):
        error = np.abs(x.astype(np.float64) - truths[name].output)
        assert (error <= truths[name].bound).all(), name
        bound = truths[name].bound
        ratios.append((error[bound > 0] / bound[bound > 0]).max(initial=0.0))
    return max(ratios)


@pytest.mark.parametrize("backward", CORRECT)
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("size", [2.0**-20, 1.0, 30.0, 1000.0])
def test_the_bound_holds_for_each_way_to_go_back(backward, dtype, size):
    ratios = [largest_ratio(*random_case(seed, dtype, size), backward) for seed in range(8)]
    assert max(ratios) > 1e-4  # within three or four digits of what happens


def test_the_bound_holds_for_the_stored_log_sum_exp_where_scores_are_large():
    """There exp(s − L) has an error that no second division takes away."""
    _, by_the_log_sum_exp, _ = CORRECT
    ratio = max(
        largest_ratio(*random_case(seed, "float32", 300.0, hidden=0.9), by_the_log_sum_exp)
        for seed in range(20)
    )
    assert ratio > 0.005


def test_the_bound_is_small_beside_ordinary_gradients():
    case, g = random_case(3)
    for truth in exact_vjp(case, g, Declarations()).values():
        assert truth.bound.max() < 1e-4 * np.abs(truth.output).max()


def test_a_key_that_no_query_sees_gets_exactly_nothing():
    case, g = random_case(4)
    mask = case.mask.copy()
    mask[:, 2] = False
    truths = exact_vjp(case.but(mask=mask), g, Declarations())
    for name in ("dk", "dv"):
        assert not truths[name].output[2].any()
        assert not truths[name].bound[2].any()
        assert truths[name].bound[0].all()


def test_a_row_without_a_key_passes_nothing_where_it_is_zeros():
    case, g = random_case(5)
    mask = case.mask.copy()
    mask[1] = False
    case = case.but(mask=mask)
    truths = exact_vjp(case, g, Declarations())
    assert not truths["dq"].output[1].any()
    assert not truths["dq"].bound[1].any()
    for truth in exact_vjp(case, g, Declarations(dead_rows="nan")).values():
        assert np.isinf(truth.bound).all()


def test_without_keys_or_with_nan_there_is_no_gradient():
    case, g = random_case(6)
    case = case.but(mask=None)
    with pytest.raises(InputError, match="without keys"):
        exact_vjp(case.but(k=case.k[:0], v=case.v[:0]), g, Declarations())
    with pytest.raises(InputError, match="NaN"):
        exact_vjp(case.but(q=np.full_like(case.q, np.nan)), g, Declarations())


def test_nothing_is_known_where_the_type_cannot_tell_scores_apart():
    case, g = random_case(7, size=2.0**30, hidden=0.0)
    assert np.isinf(exact_vjp(case, g, Declarations())["dq"].bound).any()
