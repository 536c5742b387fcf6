"""What is cut off is known to be small, and relative errors saturate."""

from __future__ import annotations

import numpy as np
import pytest

from symattn.oracle import rows


@pytest.mark.parametrize(
    ("x", "off", "known", "below", "left"),
    [
        (-705.0, 1.0, True, True, 2.0),
        (-705.0, 10.0, False, True, 20.0),  # it may be -695 as well: it has to count
        (-700.0, 0.0, False, False, 0.0),
        (-699.0, 1e9, False, False, 1e9),
        (-3e38, 1e7, True, True, 2e7),
    ],
)
def test_only_what_is_certainly_below_the_cut_off_is_left_out(x, off, known, below, left):
    result = rows.cut(np.array([x]), np.array([off]))
    assert [entry[0] for entry in result] == [known, below, left]


def test_relative_errors_are_those_of_the_exponential_and_of_its_argument():
    off, epsilon = np.array([0.0, 1e-3, 0.05, 1.0]), 1e-2
    rho = np.expm1(off) * (1 + epsilon) + epsilon
    expected = np.where(rho < 1 / 16, rho / (1 - rho), np.inf)
    np.testing.assert_allclose(rows.relative_error(off, epsilon), expected, rtol=1e-8)
    assert (rows.relative_error(off, epsilon) >= expected).all()
