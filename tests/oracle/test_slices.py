"""Products of matrices as pairs: within their bound on every kind of row, and faults are caught."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from flint import arb
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from symattn.oracle import slices


def matrices():
    """(x, y, low or None): ordinary, of wide range, cancelling, whole, tiny, and sums of floats."""
    rng = np.random.default_rng(11)
    for case in range(60):
        k = int(rng.choice([1, 2, 3, 5, 8, 17, 33, 64]))
        x, y = rng.normal(size=(2, k)), rng.normal(size=(3, k))
        if case % 6 == 1:
            x, y = (z * 2.0 ** rng.integers(-90, 90, z.shape) for z in (x, y))
        if case % 6 == 2:  # x·y cancels to the last places
            x = np.hstack([x, x])
            y = np.hstack([y, -y * (1 + rng.integers(0, 2, y.shape) * 2.0**-52)])
        if case % 6 == 3:
            x, y = np.rint(x * 2.0**20), np.rint(y * 2.0**20)
        if case % 6 == 4:
            x, y = x * 2.0**-530, y * 2.0 ** rng.integers(-545, -500, y.shape)
        low = x * 2.0**-53 * rng.uniform(-1, 1, x.shape) if case % 2 else None
        yield x, y, low


def exact_products(referee, x, y, low):
    rows = [
        [referee.value(a, b) for a, b in zip(row, rest, strict=True)]
        for row, rest in zip(x, np.zeros_like(x) if low is None else low, strict=True)
    ]
    columns = [[referee.value(b) for b in row] for row in y]
    return [
        sum((a * b for a, b in zip(row, column, strict=True)), arb(0))
        for row in rows
        for column in columns
    ]


def product64_ratio(referee, widen=1.0):
    worst = 0.0
    for x, y, _ in matrices():
        computed, off = slices.product64(x, y)
        exact = exact_products(referee, x, y, None)
        limits = (off * widen).ravel().tolist()
        worst = max(worst, referee.worst(computed.ravel().tolist(), exact, limits))
    return worst


def product_ratio(referee, widen=1.0):
    worst = 0.0
    for x, y, low in matrices():
        (hi, lo), off = slices.product(x, y, low)
        computed = list(zip(hi.ravel().tolist(), lo.ravel().tolist(), strict=True))
        exact = exact_products(referee, x, y, low)
        worst = max(worst, referee.worst(computed, exact, (off * widen).ravel().tolist()))
    return worst


def test_products_stay_within_their_bound(referee, record_property):
    ratio = product_ratio(referee)
    record_property("error/bound", ratio)
    assert 0.02 < ratio <= 1


def test_products_in_float64_stay_within_their_bound(referee, record_property):
    ratio = product64_ratio(referee)
    record_property("error/bound", ratio)
    assert 0.5 < ratio <= 1


def test_products_in_float64_of_ordinary_rows_err_by_hardly_more_than_their_last_rounding():
    rng = np.random.default_rng(12)
    x, y = rng.normal(size=(4, 512)), rng.normal(size=(3, 512))
    product, off = slices.product64(x, y)
    assert (off < 2.0**-53 * np.abs(product) + 2.0**-58 * (np.abs(x) @ np.abs(y).T)).all()


def test_products_of_ordinary_rows_are_100_bits_wide():
    rng = np.random.default_rng(12)
    x, y = rng.normal(size=(4, 512)), rng.normal(size=(3, 512))
    assert (slices.product(x, y)[1] < 2.0**-100 * (np.abs(x) @ np.abs(y).T)).all()


entries = st.floats(-(2.0**40), 2.0**40).filter(lambda x: x == 0 or abs(x) > 2.0**-300)


@settings(max_examples=200, deadline=None)
@given(hnp.arrays(np.float64, (1, 4), elements=entries), st.floats(-1, 1), st.integers(17, 25))
def test_slices_add_up_and_are_whole_multiples_of_their_grids(x, part, bits):
    low = x * (part * 2.0**-53)
    exponent, parts, rests = slices.slices(x, bits, low=low)
    unit = Fraction(2) ** (int(exponent[0, 0]) + 1)
    for j in range(4):
        for i, piece in enumerate(parts, start=1):
            multiple = Fraction(float(piece[0, j])) / (unit / 2 ** (i * bits))
            assert multiple.denominator == 1
            assert abs(multiple) <= 2 ** (bits - 1)
        left = Fraction(float(rests[3][0, j]))
        sums = sum(Fraction(float(piece[0, j])) for piece in parts) + left
        missing = Fraction(float(x[0, j])) + Fraction(float(low[0, j])) - sums
        assert abs(missing) <= abs(left) * Fraction(1, 2**53)


@pytest.mark.parametrize("k", [1, 7, 64, 512, 1000])
def test_the_first_products_are_exact_in_any_order(k):
    """The largest odd slices there can be, all of one sign: partial sums reach furthest."""
    bits = min(25, (55 - max(k - 1, 0).bit_length()) // 2)
    x = np.full((1, k), 1 - 2.0 ** (1 - bits) + 2.0**-50)
    _, (first, *_), _ = slices.slices(x, bits)
    assert first[0, 0] == 1 - 2.0 ** (1 - bits)
    total = k * Fraction(float(first[0, 0])) ** 2
    assert Fraction(float((first @ first.T)[0, 0])) == total
    assert Fraction(float(np.add.accumulate(first[0] * first[0])[-1])) == total


class TestPlantedFaultsAreCaughtByTheirOwnStage:
    def test_a_bound_that_is_too_small(self, referee):
        assert product_ratio(referee, widen=0.02) > 1

    def test_a_bound_in_float64_that_is_too_small(self, referee):
        assert product64_ratio(referee, widen=0.5) > 1

    @pytest.mark.parametrize("measure", [product_ratio, product64_ratio])
    def test_slices_too_wide_for_exact_products(self, referee, monkeypatch, measure):
        full = slices.slices
        monkeypatch.setattr(
            slices, "slices", lambda x, bits, *rest, **low: full(x, bits + 3, *rest, **low)
        )
        assert measure(referee) > 1

    @pytest.mark.parametrize("fault", ["low parts", "last rest", "third slice", "first rest"])
    def test_a_term_left_out(self, referee, monkeypatch, fault):
        full = slices.slices

        def without(x, bits, low=None):
            exponent, parts, rests = full(x, bits, low=None if fault == "low parts" else low)
            if fault == "last rest":
                rests[3] = rests[3] * 0
            if fault == "third slice":
                parts[2] = parts[2] * 0
            if fault == "first rest":
                rests[1] = rests[1] * 0
            return exponent, parts, rests

        monkeypatch.setattr(slices, "slices", without)
        assert product_ratio(referee) > 1

    def test_a_rest_left_out_in_float64(self, referee, monkeypatch):
        full = slices.slices

        def without(x, bits, count):
            exponent, parts, (whole, rest) = full(x, bits, count)
            return exponent, parts, [whole, rest * 0]

        monkeypatch.setattr(slices, "slices", without)
        assert product64_ratio(referee) > 1

    def test_a_sum_that_drops_low_halves(self, referee, monkeypatch):
        full = slices.add
        monkeypatch.setattr(slices, "add", lambda x, y: (full(x, y)[0], 0 * x[0]))
        assert product_ratio(referee) > 1
