"""The tier between: every stage stays within its own bound, and a wrong bound is caught."""

from __future__ import annotations

import numpy as np
import pytest
from flint import arb

from symattn.oracle import sliced, slices
from symattn.oracle.exponential import STEP
from symattn.oracle.problem import read

U = 2.0**-53


def cancelling():
    """Scores that are far smaller than the products that they are sums of."""
    rng = np.random.default_rng(8)
    for _ in range(40):
        q, k = rng.uniform(1, 2, (1, 2)), rng.uniform(1, 2, (6, 1))
        k = np.hstack([k, -k * q[0, 0] / q[0, 1] + 2.0**-50 * rng.normal(size=(6, 1))])
        yield {"q": q, "k": k * 2.0**20, "v": np.ones((6, 1)), "bias": None, "scale": 1.0}


def without_error(x, y):
    """A product that claims to be exact."""
    return slices.product64(x, y)[0], np.zeros((len(x), len(y)))


def shift_ratio(referee, problems):
    """The exponents x_j + M against the exact scores, each key by its own bound."""
    worst = 0.0
    step = arb(2).log() / 4096
    for given in problems:
        problem = read(given["q"], given["k"], given["v"], mask=given["bias"], scale=given["scale"])
        shifted, off = sliced.shifted_scores(problem)
        exact = referee.scores(given["q"], given["k"], given["scale"], given["bias"])
        for x, row, bound in zip(shifted, exact, off, strict=True):
            base = int(np.argmax(x))
            truth = [s / step - row[base] / step for s in row]
            limits = ((bound + bound[base]) / STEP).tolist()
            worst = max(worst, referee.worst(x.tolist(), truth, limits))
    return worst


def blend_ratio(referee, rho):
    """Sums and quotient, each exponential being off by its own ρ' with the worst of signs."""
    rng = np.random.default_rng(6)
    worst = 0.0
    for m in (1, 2, 3, 7, 40):
        for _ in range(40):
            weights = np.exp(-rng.exponential(3, (1, m)))
            v = rng.normal(size=(m, 1)) + rng.choice([0.0, 10.0])
            off = rho * rng.uniform(0, 1, (1, m))
            values = np.hstack([v, np.ones((m, 1))])
            middle, radius = sliced.blend(weights, values, off)
            sign = np.sign(v[:, 0] - middle[0, 0])
            moved = [referee.value(w) * (1 + arb(o) * s)
                     for w, o, s in zip(weights[0], off[0], sign, strict=True)]  # fmt: skip
            top = sum((w * referee.value(x) for w, x in zip(moved, v[:, 0], strict=True)), arb(0))
            exact = top / sum(moved, arb(0))
            worst = max(worst, referee.worst([middle[0, 0]], [exact], [radius[0, 0]]))
    return worst


def tier_ratio(referee, problems):
    worst = 0.0
    for given in problems:
        problem = read(given["q"], given["k"], given["v"], mask=given["bias"], scale=given["scale"])
        middle, rest, radius = (z.ravel().tolist() for z in sliced.enclose(problem))
        assert not any(rest)
        exact = referee.attention(
            **{name: given[name] for name in ("q", "k", "v", "scale", "bias")}
        )
        worst = max(worst, referee.worst(middle, [o for row in exact for o in row], radius))
    return worst


def test_scores_and_shift_stay_within_their_bound(referee, adversarial, record_property):
    ratio = shift_ratio(referee, adversarial)
    record_property("error/bound", ratio)
    assert 0.3 < ratio <= 1


@pytest.mark.parametrize("rho", [0.0, 1e-15, 1e-6])
def test_sums_and_quotient_stay_within_their_bound(referee, rho, record_property):
    ratio = blend_ratio(referee, rho)
    record_property("error/bound", ratio)
    assert 0.1 < ratio <= 1


def test_the_whole_tier_stays_within_its_bound(referee, adversarial, record_property):
    ratio = tier_ratio(referee, adversarial)
    record_property("error/bound", ratio)
    assert 0.05 < ratio <= 1


def test_the_number_of_keys_does_not_widen_the_bound():
    rng = np.random.default_rng(7)
    few, many = (
        sliced.enclose(read(*(rng.normal(size=s) for s in ((4, 64), (m, 64), (m, 3)))))[2].max()
        for m in (8, 2048)
    )
    assert many < 2 * few < 1e-14


def test_weights_on_both_sides_of_the_cut_off_stay_within_the_bound(referee):
    scores = np.array([[0.0, -699.9, -700.0, -700.1, -720.0]])
    problem = {"q": np.ones((1, 1)), "k": scores.T, "bias": None, "scale": 1.0}
    for v in (np.array([[0.0], [1.0], [1.0], [1.0], [1.0]]), np.eye(5)):
        assert tier_ratio(referee, [{**problem, "v": v * 2.0**479}]) <= 1


class TestPlantedFaultsAreCaughtByTheirOwnStage:
    def test_the_roundings_of_the_scores_left_out(self, referee, adversarial, monkeypatch):
        monkeypatch.setattr(sliced, "gamma", lambda k: 0.0)
        assert shift_ratio(referee, adversarial) > 1

    def test_the_rounding_of_the_shift_left_out(self, referee, adversarial, monkeypatch):
        # As much less for the other roundings as these problems allow, so that they cover nothing.
        monkeypatch.setattr(sliced, "gamma", lambda k: (k - 2.25) * U)
        assert shift_ratio(referee, adversarial) <= 1
        monkeypatch.setattr(sliced, "U", 0.0)
        assert shift_ratio(referee, adversarial) > 1

    def test_the_error_of_the_products_left_out(self, referee, monkeypatch):
        problems = list(cancelling())
        assert 0.001 < shift_ratio(referee, problems) <= 1
        monkeypatch.setattr(sliced, "product64", without_error)
        assert shift_ratio(referee, problems) > 1

    @pytest.mark.parametrize("rho", [1e-13, 1e-6])
    def test_an_error_of_the_weights_that_is_not_carried_on(self, referee, monkeypatch, rho):
        full = sliced.blend
        monkeypatch.setattr(sliced, "blend", lambda e, values, off: full(e, values, off * 0.3))
        assert blend_ratio(referee, rho) > 1

    def test_the_error_of_the_sums_left_out(self, referee, monkeypatch):
        monkeypatch.setattr(sliced, "product64", without_error)
        assert blend_ratio(referee, 0.0) > 1

    def test_a_result_moved_past_its_bound(self, referee, adversarial, monkeypatch):
        full = sliced.quotient

        def moved(*arguments):
            middle, radius = full(*arguments)
            return middle + 2.1 * radius, radius

        monkeypatch.setattr(sliced, "quotient", moved)
        assert blend_ratio(referee, 0.0) > 1
