"""The float64 tier: every stage stays within its own bound, and a wrong bound is caught."""

from __future__ import annotations

import numpy as np
import pytest
from flint import arb

from symattn.oracle import exponential, float64
from symattn.oracle.problem import read

U = 2.0**-53


def arguments():
    """Arguments of the power, in steps: its range, near table entries, half-way between them."""
    rng = np.random.default_rng(1)
    lowest = -700 / exponential.STEP
    index = rng.integers(0, int(-lowest), 4000)
    return np.maximum(
        np.concatenate(
            [
                rng.uniform(lowest, 0, 6000),
                -rng.exponential(4096, 6000),
                -index.astype(float),
                -(index + 0.5) * (1 + rng.normal(0, 1e-15, 4000)),
                -np.arange(4096) - rng.choice([0.499, 0.5, 0.501], 4096),
                -(2.0 ** -rng.uniform(-12, 60, 500)),
                [0.0, -0.5, -0.0, lowest],
                rng.uniform(0, 100 / exponential.STEP, 2000),
                [0.5, 4095.5, -lowest],
            ]
        ),
        lowest,
    )


def exponential_ratio(referee, units=exponential.EXP64_UNITS):
    y = arguments()
    step = arb(2).log() / 4096
    exact = [(arb(value) * step).exp() for value in y.tolist()]
    bound = [units * U * float(value) for value in exact]
    return referee.worst(exponential.powers(y.copy()).tolist(), exact, bound)


def shift_ratio(referee, problems):
    """The exponents x_j + M against the exact scores, row by row."""
    worst = 0.0
    step = arb(2).log() / 4096
    for given in problems:
        problem = read(given["q"], given["k"], given["v"], mask=given["bias"], scale=given["scale"])
        shifted, off = float64.shifted_scores(problem, float64.score_bound(problem))
        exact = referee.scores(given["q"], given["k"], given["scale"], given["bias"])
        for x, row, bound in zip(shifted, exact, off[:, 0].tolist(), strict=True):
            # M is any number: softmax only sees differences, so any one key may be the base.
            base = int(np.argmax(x))
            common = referee.value(x[base]) - row[base] / step
            lowest = exponential.LOWEST / exponential.STEP
            computed = [value for value in x.tolist() if value > lowest]
            truth = [s / step + common for s, value in zip(row, x, strict=True) if value > lowest]
            # Both the key's and the base's score may be off by the bound.
            limit = 2 * bound / exponential.STEP
            worst = max(worst, referee.worst(computed, truth, [limit] * len(truth)))
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
            middle, radius = float64.blend(weights @ values, values, np.array([[rho]]))
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


def test_the_power_of_zero_is_one():
    assert exponential.powers(np.zeros(3)).tolist() == [1, 1, 1]


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

    @pytest.mark.parametrize("fault", ["table entry", "ln 2", "a square", "exponent", "a cube"])
    def test_an_exponential_with_a_wrong_constant(self, referee, monkeypatch, fault):
        table, first, second, third = exponential._constants()
        table = table.copy()
        if fault == "table entry":
            table[77] += 2  # two units in its last place
        if fault == "ln 2":
            first *= 1 + 2.0**-37
        if fault == "a square":
            second *= 1 + 2.0**-23
        if fault == "a cube":
            third = 0.0
        if fault == "exponent":
            table[4095] += 1 << 52
        monkeypatch.setattr(exponential, "_constants", lambda: (table, first, second, third))
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
        full = float64.gamma
        monkeypatch.setattr(float64, "gamma", lambda k: 0.0 if k == 4 else full(k))
        assert shift_ratio(referee, problems) > 1

    @pytest.mark.parametrize("rho", [1e-13, 1e-6])
    def test_an_error_of_the_weights_that_is_not_carried_on(self, referee, monkeypatch, rho):
        full = float64.blend
        monkeypatch.setattr(
            float64, "blend", lambda sums, values, off: full(sums, values, off * 0.3)
        )
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
