"""What certainty costs: the oracle against plain NumPy, balls and mpmath, as ratios in one run."""

from __future__ import annotations

import time

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
    """One matrix product, exponentials and another product in balls."""
    before, ctx.prec = ctx.prec, precision
    try:
        as_balls = [arb_mat([[arb(float(x)) for x in row] for row in a]) for a in (q, k, v)]
        scale = arb(q.shape[1]).rsqrt()
        scores = (as_balls[0] * as_balls[1].transpose()).table()
        weights = arb_mat([[(s * scale).exp() for s in row] for row in scores])
        totals = [sum(row, arb(0)) for row in weights.table()]
        products = (weights * as_balls[2]).table()
        return [[x / total for x in row] for row, total in zip(products, totals, strict=True)]
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


def seconds(function, *arguments, rounds=7):
    """The best of several runs."""
    best = np.inf
    for _ in range(rounds):
        start = time.perf_counter()
        function(*arguments)
        best = min(best, time.perf_counter() - start)
    return best


def measured(benchmark, function, problem):
    """The oracle's best time, under pytest-benchmark where it runs."""
    benchmark.pedantic(function, args=problem, rounds=7, warmup_rounds=1)
    return benchmark.stats.stats.min if benchmark.stats else seconds(function, *problem)


def numpy_seconds(problem):
    wide = [x.astype(np.float64) for x in problem]
    with one_thread():
        return seconds(plain, *wide, rounds=15)


def test_an_enclosure_costs_at_most_three_times_plain_numpy(benchmark, problem):
    ratio = measured(benchmark, oracle.attention, problem) / numpy_seconds(problem)
    benchmark.extra_info["times plain NumPy"] = ratio
    assert ratio <= 3


def test_correct_rounding_costs_at_most_five_times_plain_numpy(benchmark, problem):
    ratio = measured(benchmark, oracle.rounded, problem) / numpy_seconds(problem)
    benchmark.extra_info["times plain NumPy"] = ratio
    assert ratio <= 5


@pytest.mark.parametrize("function", [oracle.attention, oracle.rounded])
def test_it_is_a_thousand_times_faster_than_mpmath_row_by_row(benchmark, problem, function):
    q, k, v = problem
    rows = 2
    reference = seconds(in_mpmath, q[:rows], k, v, rounds=1) * N / rows
    ratio = reference / measured(benchmark, function, problem)
    benchmark.extra_info["times faster than mpmath"] = ratio
    assert ratio >= 1000


@pytest.mark.parametrize(("function", "times"), [(oracle.attention, 50), (oracle.rounded, 20)])
def test_it_is_many_times_faster_than_balls_of_128_bits(benchmark, problem, function, times):
    reference = seconds(in_balls, *problem, 128, rounds=1)
    ratio = reference / measured(benchmark, function, problem)
    benchmark.extra_info["times faster than balls"] = ratio
    assert ratio >= times


def test_the_references_compute_attention():
    rng = np.random.default_rng(1)
    q, k, v = (rng.normal(size=shape) for shape in ((2, 3), (4, 3), (4, 2)))
    expected = oracle.rounded(q, k, v)
    for other in (plain(q, k, v), in_balls(q, k, v, 128), in_mpmath(q, k, v)):
        other = [[float(x) for x in row] for row in other]
        np.testing.assert_allclose(other, expected, rtol=1e-13)
