"""What certainty costs: the oracle against plain NumPy, balls and mpmath, as ratios in one run."""

from __future__ import annotations

import time
from functools import partial

import mpmath
import numpy as np
import pytest
from flint import arb, arb_mat, ctx

from symattn import oracle
from symattn.oracle.threads import one_thread

N, D = 512, 64
pytestmark = pytest.mark.benchmark(group="oracle")


@pytest.fixture(scope="module")
def problem():
    rng = np.random.default_rng(0)
    return tuple(rng.normal(size=(N, D)).astype(np.float32) for _ in range(3))


def plain(q, k, v):
    """Attention as anybody writes it, in float64."""
    scores = q @ k.T / np.sqrt(q.shape[1])
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    return (weights / weights.sum(axis=1, keepdims=True)) @ v


def in_balls(q, k, v, precision):
    """Two matrix products in balls, the scale on q and the totals as one more column of values."""
    before, ctx.prec = ctx.prec, precision
    try:
        values = np.hstack([v, np.ones((len(v), 1))])
        q, k, values = (arb_mat(x.astype(np.float64).tolist()) for x in (q, k, values))
        scores = (q * arb(q.ncols()).rsqrt()) * k.transpose()
        weights = arb_mat(q.nrows(), k.nrows(), [score.exp() for score in scores.entries()])
        return [[x / row[-1] for x in row[:-1]] for row in (weights * values).table()]
    finally:
        ctx.prec = before


def in_mpmath(q, k, v):
    """The same in mpmath, at 38 digits."""
    with mpmath.workprec(128):
        q, k, v = ([[mpmath.mpf(float(x)) for x in row] for row in a] for a in (q, k, v))
        scale = 1 / mpmath.sqrt(len(q[0]))
        output = []
        for x in q:
            weights = [mpmath.exp(scale * mpmath.fdot(x, y)) for y in k]
            total = mpmath.fsum(weights)
            columns = zip(*v, strict=True)
            output.append([mpmath.fdot(weights, column) / total for column in columns])
        return output


def seconds(function, *arguments, rounds=1):
    """The best of several runs."""
    best = np.inf
    for _ in range(rounds):
        start = time.perf_counter()
        function(*arguments)
        best = min(best, time.perf_counter() - start)
    return best


def times_faster(benchmark, function, problem, reference, *, turns, each=(1, 20)):
    """How many times faster than the reference the oracle is.

    They take turns, so that whatever else the machine does slows both; the best of each counts.
    """
    benchmark.pedantic(function, args=problem, rounds=3, warmup_rounds=1)
    own, other = np.inf, np.inf
    for _ in range(turns):
        other = min(other, seconds(reference, rounds=each[0]))
        own = min(own, seconds(function, *problem, rounds=each[1]))
    return other / own


def in_numpy(problem):
    wide = [x.astype(np.float64) for x in problem]

    def reference():
        with one_thread():
            plain(*wide)

    return reference


@pytest.mark.parametrize(("function", "times"), [(oracle.attention, 3), (oracle.rounded, 5)])
def test_it_costs_a_few_times_plain_numpy(benchmark, problem, function, times):
    reference = in_numpy(problem)
    ratio = 1 / times_faster(benchmark, function, problem, reference, turns=8, each=(5, 5))
    benchmark.extra_info["times plain NumPy"] = ratio
    assert ratio <= times


@pytest.mark.parametrize("function", [oracle.attention, oracle.rounded])
def test_it_is_a_thousand_times_faster_than_mpmath_row_by_row(benchmark, problem, function):
    q, k, v = problem
    rows = 2
    reference = partial(in_mpmath, q[:rows], k, v)
    ratio = times_faster(benchmark, function, problem, reference, turns=3) * N / rows
    benchmark.extra_info["times faster than mpmath"] = ratio
    assert ratio >= 1000


@pytest.mark.parametrize("function", [oracle.attention, oracle.rounded])
def test_it_is_fifty_times_faster_than_balls_of_128_bits(benchmark, problem, function):
    reference = partial(in_balls, *problem, 128)
    ratio = times_faster(benchmark, function, problem, reference, turns=5)
    benchmark.extra_info["times faster than balls"] = ratio
    assert ratio >= 50


def test_the_references_compute_attention():
    rng = np.random.default_rng(1)
    q, k, v = (rng.normal(size=shape) for shape in ((2, 3), (4, 3), (4, 2)))
    expected = oracle.rounded(q, k, v)
    for other in (plain(q, k, v), in_balls(q, k, v, 128), in_mpmath(q, k, v)):
        other = [[float(x) for x in row] for row in other]
        np.testing.assert_allclose(other, expected, rtol=1e-13)
