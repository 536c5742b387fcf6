"""The tier in pairs of floats: every stage within its own bound, and a wrong bound is caught."""

from __future__ import annotations

import numpy as np
import pytest
from flint import arb

from symattn.oracle import doubledouble, pairs
from symattn.oracle.problem import read

U2 = 2.0**-106


def random_pairs(seed, count=4000):
    """Normalised pairs whose low parts are as large as they may be, half of the time."""
    rng = np.random.default_rng(seed)
    hi = rng.uniform(1, 2, count) * rng.choice([-1, 1], count) * 2.0 ** rng.integers(-9, 9, count)
    lo = hi * 2.0**-53 * rng.choice([rng.uniform(-1, 1, count), rng.choice([-0.99, 0.99], count)])
    return doubledouble.normalise(hi, lo)


def operation_ratio(referee, name, units):
    x, y = random_pairs(1), random_pairs(2)
    a, b = ([referee.value(*z) for z in zip(*w, strict=True)] for w in (x, y))
    if name == "add":
        computed, exact = doubledouble.add(x, y), [s + t for s, t in zip(a, b, strict=True)]
    else:
        computed, exact = doubledouble.multiply(x, y), [s * t for s, t in zip(a, b, strict=True)]
    pairs_ = list(zip(*(z.tolist() for z in computed), strict=True))
    return referee.worst(pairs_, exact, [units * U2 * float(abs(value)) for value in exact])


def exponential_ratio(referee):
    rng = np.random.default_rng(3)
    hi = np.concatenate(
        [-rng.uniform(0, 700, 4000), -rng.exponential(1, 4000), -(2.0 ** -rng.uniform(0, 60, 500))]
    )
    hi, lo = doubledouble.normalise(hi, hi * rng.uniform(-1, 1, hi.size) * 2.0**-53)
    computed = list(zip(*(z.tolist() for z in pairs.exp_pair((hi, lo))), strict=True))
    exact = [referee.value(*x).exp() for x in zip(hi, lo, strict=True)]
    bound = pairs.exp_pair_bound(hi)
    limits = [b * float(e) + 2.0**-1074 for b, e in zip(bound.tolist(), exact, strict=True)]
    return referee.worst(computed, exact, limits)


def shift_ratio(referee, problems):
    worst = 0.0
    for given in problems:
        problem = read(given["q"], given["k"], given["v"], mask=given["bias"], scale=given["scale"])
        x, off = pairs.shifted_pairs(problem)
        exact = referee.scores(given["q"], given["k"], given["scale"], given["bias"])
        for i, row in enumerate(exact):
            base = int(np.argmax(x[0][i]))
            computed = list(zip(x[0][i].tolist(), x[1][i].tolist(), strict=True))
            # The base itself is rounded to its first float; that is common to the row.
            common = referee.value(*computed[base])
            truth = [s - row[base] + common for s in row]
            limits = [float(o + off[i, base]) for o in off[i]]
            worst = max(worst, referee.worst(computed, truth, limits))
    return worst


def blend_ratio(referee, rho):
    rng = np.random.default_rng(4)
    worst = 0.0
    for m in (1, 2, 3, 7, 40):
        for _ in range(30):
            hi = np.exp(-rng.exponential(3, (1, m)))
            weights = doubledouble.normalise(hi, hi * rng.uniform(-1, 1, (1, m)) * 2.0**-53)
            v = rng.normal(size=(m, 1)) + rng.choice([0.0, 10.0])
            values = np.hstack([v, np.ones((m, 1))])
            first, second, radius = pairs.blend(weights, values, np.full((1, m), rho))
            sign = np.sign(v[:, 0] - first[0, 0])
            moved = [referee.value(h, lo) * (1 + arb(rho) * s)
                     for h, lo, s in zip(*(z[0] for z in weights), sign, strict=True)]  # fmt: skip
            top = sum((w * referee.value(x) for w, x in zip(moved, v[:, 0], strict=True)), arb(0))
            exact = top / sum(moved, arb(0))
            computed = [(first[0, 0], second[0, 0])]
            worst = max(worst, referee.worst(computed, [exact], [radius[0, 0]]))
    return worst


def tier_ratio(referee, problems):
    worst = 0.0
    for given in problems:
        problem = read(given["q"], given["k"], given["v"], mask=given["bias"], scale=given["scale"])
        hi, lo, radius = (z.ravel().tolist() for z in pairs.enclose(problem))
        exact = referee.attention(
            **{name: given[name] for name in ("q", "k", "v", "scale", "bias")}
        )
        flat = [entry for row in exact for entry in row]
        worst = max(worst, referee.worst(list(zip(hi, lo, strict=True)), flat, radius))
    return worst


@pytest.mark.parametrize(("name", "units"), [("add", 3.1), ("multiply", 10)])
def test_an_operation_stays_within_its_units(referee, name, units, record_property):
    ratio = operation_ratio(referee, name, units)
    record_property("error/bound", ratio)
    assert 0.2 < ratio <= 1


@pytest.mark.parametrize("name", ["two_sum", "two_product"])
def test_error_free_transformations_are_exact(referee, name):
    a, b = random_pairs(5)[0], random_pairs(6)[0]
    s, e = getattr(doubledouble, name)(a, b)
    for x, y, hi, lo in zip(a, b, s, e, strict=True):
        x, y = referee.value(x), referee.value(y)
        exact = x + y if name == "two_sum" else x * y
        assert exact - referee.value(hi, lo) == 0


def test_the_exponential_stays_within_its_bound(referee, record_property):
    ratio = exponential_ratio(referee)
    record_property("error/bound", ratio)
    assert 0.01 < ratio <= 1


def test_scores_and_shift_stay_within_their_bound(referee, adversarial, record_property):
    ratio = shift_ratio(referee, adversarial)
    record_property("error/bound", ratio)
    assert 0.03 < ratio <= 1


@pytest.mark.parametrize("rho", [0.0, 1e-29, 1e-6])
def test_sums_and_quotient_stay_within_their_bound(referee, rho, record_property):
    ratio = blend_ratio(referee, rho)
    record_property("error/bound", ratio)
    assert 0.02 < ratio <= 1


def test_the_whole_tier_stays_within_its_bound(referee, adversarial, record_property):
    ratio = tier_ratio(referee, adversarial)
    record_property("error/bound", ratio)
    assert 0.001 < ratio <= 1


def test_the_tier_is_about_100_bits_wide(referee):
    rng = np.random.default_rng(7)
    problem = read(*(rng.normal(size=shape) for shape in ((4, 64), (40, 64), (40, 3))))
    assert pairs.enclose(problem)[2].max() < 2.0**-94


class TestPlantedFaultsAreCaughtByTheirOwnStage:
    @pytest.mark.parametrize(("name", "units"), [("add", 1.0), ("multiply", 2.0)])
    def test_an_operation_with_a_bound_that_is_too_small(self, referee, name, units):
        assert operation_ratio(referee, name, units) > 1

    def test_a_product_without_its_cross_terms(self, referee, monkeypatch):
        monkeypatch.setattr(
            doubledouble, "multiply", lambda x, y: doubledouble.two_product(x[0], y[0])
        )
        assert operation_ratio(referee, "multiply", 10) > 1

    @pytest.mark.parametrize("fault", ["third part of ln 2", "low half of a table entry", "1/6"])
    def test_an_exponential_with_a_wrong_constant(self, referee, monkeypatch, fault):
        hi, lo, inverse, parts, sixth = pairs._constants()
        if fault == "third part of ln 2":
            parts = (*parts[:2], 0.0)
        elif fault == "low half of a table entry":
            lo = lo * (1 + 2.0**-40)
        else:
            sixth = (sixth[0], 0.0)
        monkeypatch.setattr(pairs, "_constants", lambda: (hi, lo, inverse, parts, sixth))
        assert exponential_ratio(referee) > 1

    @pytest.mark.parametrize("term", ["exponential", "argument"])
    def test_an_exponential_bound_with_a_term_left_out(self, referee, monkeypatch, term):
        def bound(x):
            return 2.0**-110 + 4 * U2 * np.abs(x) * (term == "exponential")

        monkeypatch.setattr(pairs, "exp_pair_bound", bound)
        assert exponential_ratio(referee) > 1

    def test_a_dot_product_bound_that_is_too_small(self, referee, adversarial, monkeypatch):
        full = pairs.shifted_pairs

        def tighter(problem):
            x, off = full(problem)
            return x, off * 0.03

        monkeypatch.setattr(pairs, "shifted_pairs", tighter)
        assert shift_ratio(referee, adversarial) > 1

    @pytest.mark.parametrize("rho", [1e-29, 1e-6])
    def test_an_error_of_the_weights_that_is_not_carried_on(self, referee, monkeypatch, rho):
        full = pairs.blend
        monkeypatch.setattr(pairs, "blend", lambda w, values, off: full(w, values, off * 0.3))
        assert blend_ratio(referee, rho) > 1

    def test_a_quotient_without_its_correction(self, referee, monkeypatch):
        monkeypatch.setattr(pairs, "_divide", lambda x, y: (x[0] / y[0], 0 * x[0]))
        assert blend_ratio(referee, 0.0) > 1
