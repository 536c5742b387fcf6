"""The float64 tier: every stage stays within its own bound, and a wrong bound is caught."""

from __future__ import annotations

import numpy as np
import pytest
from flint import arb

from symattn.oracle import exponential, float64
from symattn.oracle.problem import read

U = 2.0**-53


def arguments():
    """Arguments of the exponential: all of its range, near table entries, half-way between them."""
    rng = np.random.default_rng(1)
    step = np.log(2) / 128
    index = rng.integers(0, int(700 / step), 4000)
    return np.maximum(
        np.concatenate(
            [
                -rng.uniform(0, 700, 8000),
                -rng.exponential(1, 8000),
                -index * step,
                -(index + 0.5) * step * (1 + rng.normal(0, 1e-15, 4000)),
                -(2.0 ** -rng.uniform(0, 60, 500)),
                [0.0, -700.0],
            ]
        ),
        -700.0,
    )


def exponential_ratio(referee, units=exponential.EXP64_UNITS):
    x = arguments()
    exact = [arb(value).exp() for value in x.tolist()]
    bound = [units * U * float(value) for value in exact]
    return referee.worst(exponential.exp64(x).tolist(), exact, bound)


def shift_ratio(referee, problems):
    """The exponents x_j + M against the exact scores, row by row."""
    worst = 0.0
    for given in problems:
        problem = read(given["q"], given["k"], given["v"], mask=given["bias"], scale=given["scale"])
        shifted, off = float64.shifted_scores(problem)
        exact = referee.scores(given["q"], given["k"], given["scale"], given["bias"])
        for x, row, bound in zip(shifted, exact, off[:, 0].tolist(), strict=True):
            # M is a computed score: softmax only sees differences, so any one key may be the base.
            base = int(np.argmax(x))
            computed = [float(value) for value in x if value > -700]
            truth = [s - row[base] for s, value in zip(row, x, strict=True) if value > -700]
            # Both the key's and the base's score may be off by the bound.
            worst = max(worst, referee.worst(computed, truth, [2 * bound] * len(truth)))
    return worst


def blend_ratio(referee, rho):
    """Sums and quotient, the exponentials being off by ρ with the least favourable signs."""
    rng = np.random.default_rng(2)
    worst = 0.0
    for m in (1, 2, 3, 7, 40):
        for _ in range(40):
            weights = np.exp(-rng.exponential(3, (1, m)))
            v = rng.normal(size=(m, 1)) + rng.choice([0.0, 10.0])
            values = np.hstack([v, np.abs(v), np.ones((m, 1))])
            middle, radius = float64.blend(weights, values, np.array([[rho]]))
            sign = np.sign(v[:, 0] - middle[0, 0])
            moved = [referee.value(w) / (1 - arb(rho) * s)
                     for w, s in zip(weights[0], sign, strict=True)]  # fmt: skip
            top = sum((w * referee.value(x) for w, x in zip(moved, v[:, 0], strict=True)), arb(0))
            exact = top / sum(moved, arb(0))
            worst = max(worst, referee.worst([middle[0, 0]], [exact], [radius[0, 0]]))
    return worst


def tier_ratio(referee, problems):
    worst = 0.0
    for given in problems:
        problem = read(given["q"], given["k"], given["v"], mask=given["bias"], scale=given["scale"])
        middle, radius = float64.enclose(problem)
        exact = referee.attention(
            **{name: given[name] for name in ("q", "k", "v", "scale", "bias")}
        )
        flat = [entry for row in exact for entry in row]
        worst = max(worst, referee.worst(middle.ravel().tolist(), flat, radius.ravel().tolist()))
    return worst


def test_the_exponential_stays_within_its_units(referee, record_property):
    ratio = exponential_ratio(referee)
    record_property("error/bound", ratio)
    assert 0.7 < ratio <= 1


def test_the_exponential_of_zero_is_one():
    assert exponential.exp64(np.zeros(3)).tolist() == [1, 1, 1]


def test_scores_and_shift_stay_within_their_bound(referee, adversarial, record_property):
    ratio = shift_ratio(referee, adversarial)
    record_property("error/bound", ratio)
    assert 0.1 < ratio <= 1


@pytest.mark.parametrize("rho", [0.0, 1e-13, 1e-6])
def test_sums_and_quotient_stay_within_their_bound(referee, rho, record_property):
    ratio = blend_ratio(referee, rho)
    record_property("error/bound", ratio)
    assert 0.1 < ratio <= 1


def test_the_whole_tier_stays_within_its_bound(referee, adversarial, record_property):
    ratio = tier_ratio(referee, adversarial)
    record_property("error/bound", ratio)
    assert 0.01 < ratio <= 1


class TestPlantedFaultsAreCaughtByTheirOwnStage:
    def test_a_bound_of_the_exponential_that_is_too_small(self, referee):
        assert exponential_ratio(referee, units=1.6) > 1

    @pytest.mark.parametrize("fault", ["table entry", "second part of ln 2", "power of two"])
    def test_an_exponential_with_a_wrong_constant(self, referee, monkeypatch, fault):
        table, inverse, first, second = exponential._constants()
        table = table.copy()
        if fault == "table entry":
            table[77] = np.nextafter(np.nextafter(table[77], 2), 2)
        if fault == "second part of ln 2":
            second = 0.0
        if fault == "power of two":
            table[127] = table[127] * 2
        monkeypatch.setattr(exponential, "_constants", lambda: (table, inverse, first, second))
        assert exponential_ratio(referee) > 1

    def test_a_dot_product_bound_that_is_too_small(self, referee, adversarial, monkeypatch):
        monkeypatch.setattr(float64, "gamma", lambda k: 0.1 * k * U)
        assert shift_ratio(referee, adversarial) > 1

    def test_the_rounding_of_the_bias_left_out(self, referee, monkeypatch):
        rng = np.random.default_rng(3)
        problems = [
            {
                "q": rng.normal(size=(1, 1)) * 1e-9,
                "k": rng.normal(size=(9, 1)),
                "v": np.ones((9, 1)),
                "bias": rng.normal(size=(1, 9)) + 1000,
                "scale": 1.0,
            }
            for _ in range(20)
        ]
        assert shift_ratio(referee, problems) <= 1
        full = float64.score_bound
        monkeypatch.setattr(
            float64,
            "score_bound",
            lambda problem, scores: full(problem, scores) - U * np.abs(scores).max(),
        )
        assert shift_ratio(referee, problems) > 1

    @pytest.mark.parametrize("rho", [1e-13, 1e-6])
    def test_an_error_of_the_weights_that_is_not_carried_on(self, referee, monkeypatch, rho):
        full = float64.blend
        monkeypatch.setattr(float64, "blend", lambda e, values, off: full(e, values, off * 0.3))
        assert blend_ratio(referee, rho) > 1

    def test_the_rounding_of_the_sums_left_out(self, referee, monkeypatch):
        monkeypatch.setattr(float64, "gamma", lambda k: 0.0)
        assert blend_ratio(referee, 0.0) > 1

    def test_a_result_moved_past_its_bound(self, referee, adversarial, monkeypatch):
        full = float64.blend

        def moved(*arguments):
            middle, radius = full(*arguments)
            return middle + 2.1 * radius, radius

        monkeypatch.setattr(float64, "blend", moved)
        assert blend_ratio(referee, 0.0) > 1
