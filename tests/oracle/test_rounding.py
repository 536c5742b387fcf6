"""Rounding to a floating-point type, and exact decisions on ties."""

from __future__ import annotations

from fractions import Fraction

import ml_dtypes
import numpy as np
import pytest
from flint import arb, fmpq
from hypothesis import given, settings
from hypothesis import strategies as st

from symattn.oracle import balls, rounding
from symattn.oracle.problem import read

TYPES = {
    "float16": np.float16,
    "bfloat16": ml_dtypes.bfloat16,
    "float32": np.float32,
    "float64": np.float64,
}


def nearest_fraction(x: Fraction, dtype: str) -> Fraction:
    """x rounded by trying the neighbouring multiples of the last place."""
    kind = rounding.FORMATS[dtype]
    if x == 0:
        return x
    exponent = 0
    while Fraction(2) ** exponent > abs(x):
        exponent -= 1
    while Fraction(2) ** (exponent + 1) <= abs(x):
        exponent += 1
    step = Fraction(2) ** max(exponent - kind.bits + 1, kind.lowest)
    return round(x / step) * step  # Python rounds fractions half to even


doubles = st.floats(-(2.0**15), 2.0**15, allow_subnormal=True)


@settings(max_examples=300, deadline=None)
@given(st.sampled_from(sorted(TYPES)), doubles)
def test_nearest_is_the_nearest_number_of_the_type(dtype, x):
    rounded = rounding.nearest(np.array([x]), dtype)[0]
    assert Fraction(float(rounded)) == nearest_fraction(Fraction(x), dtype)
    assert float(np.array(rounded).astype(TYPES[dtype])) == rounded


@settings(max_examples=300, deadline=None)
@given(st.sampled_from(sorted(TYPES)), doubles, st.floats(-1, 1), st.floats(1e-20, 1e-3))
def test_what_is_certain_holds_at_both_ends(dtype, hi, lo, off):
    lo, off = lo * abs(hi) * 2.0**-53, off * abs(hi) * 2.0**-20
    hi, lo = hi + lo, lo - ((hi + lo) - hi)
    value, known = rounding.certain(np.array([hi]), np.array([lo]), np.array([off]), dtype)
    if known[0]:
        for end in (-1, 1):
            exact = Fraction(hi) + Fraction(lo) + end * Fraction(off)
            assert nearest_fraction(exact, dtype) == Fraction(float(value[0]))


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32"])
def test_nothing_is_certain_across_a_midpoint(dtype):
    middle = np.array([1 + rounding.FORMATS[dtype].unit])
    zero, off = np.zeros(1), np.array([1e-30])
    assert not rounding.certain(middle, zero, off, dtype)[1][0]
    assert rounding.certain(middle + 1e-9, zero, off, dtype)[1][0]


#: n equal keys whose values average to exactly half-way between two floats of the type, or to a
#: float, or to 0: (values, type, expected).
TIES = [
    ([1, 1 + 2**-10], "float16", 1.0),
    ([1, 1, 1 + 3 * 2**-11], "float16", 1.0),
    ([1 + 2**-10, 1 + 2**-9], "float16", 1 + 2**-9),
    ([1, 1 + 2**-23], "float32", 1.0),
    ([1, 1 + 2**-52], "float64", 1.0),
    ([1 + 2**-52, 1 + 2**-51], "float64", 1 + 2**-51),
    ([1, 1, -2], "float64", 0.0),
    ([1, 1 + 2**-7], "bfloat16", 1.0),
    ([2.0**-1074, 0], "float64", 0.0),
    ([2.0**-1074, 2.0**-1074, 0], "float64", 2.0**-1074),
]


@pytest.mark.parametrize(("values", "dtype", "expected"), TIES)
@pytest.mark.parametrize("q", [0.0, 3.0])
def test_a_tie_goes_to_even(values, dtype, expected, q):
    v = np.array(values)[:, np.newaxis]
    problem = read(np.array([[q, 1.0]]), np.tile([1.0, 2.0], (len(values), 1)), v)
    assert rounding.entry(problem, 0, 0, dtype) == expected


def test_a_value_just_beside_a_tie_is_rounded_to_its_own_side():
    for sign, expected in ((-1, 1.0), (1, 1 + 2**-10)):
        # Weights differ from 1/2 by about 2^-60, far below what float64 resolves here.
        problem = read(
            np.array([[1.0]]),
            np.array([[0.0], [sign * 2.0**-60]]),
            np.array([[1.0], [1 + 2**-10]]),
        )
        assert rounding.entry(problem, 0, 0, "float16") == expected


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_a_first_ball_of_a_few_floats_in_width_decides_nothing_too_early(dtype):
    """Scores of about 2^118, with 128 bits: their exponentials are known to 10 bits."""
    rng = np.random.default_rng(4)
    for size in 2.0 ** rng.uniform(112, 125, 150):
        q = np.array([[np.rint(size) * 2.0**-90, 1.0]])
        k = np.array([[2.0**90, 0.0], [2.0**90, rng.uniform(-2, 2)]])
        v = rng.choice([rng.normal(size=(2, 1)), [[0.0], [2.0**-22]]])
        problem = read(q, k, v, scale=1.0)
        ball = balls.row_balls(problem, 0, 400)[0]
        expected = rounding.nearest(np.array([float(ball.mid())]), dtype)[0]
        assert rounding.entry(problem, 0, 0, dtype) == expected


@pytest.mark.parametrize("sign", [-1, 1])
@pytest.mark.parametrize("far", [-1e3, -1e5, -3e37])
def test_a_weight_however_small_decides_a_tie(sign, far):
    """1 and its neighbour share the weight, but for e^far of it."""
    k, v = np.array([[0.0], [0.0], [far]]), np.array([[1.0], [1 + 2**-23], [1 + sign * 100.0]])
    expected = 1 + (sign > 0) * 2.0**-23
    assert rounding.entry(read([[1.0]], k, v), 0, 0, "float32") == expected
    assert rounding.entry(read([[1.0, 0, 0]], np.hstack([k, k, k]), v), 0, 0, "float32") == expected


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 2), st.integers(-3, 3)), min_size=1, max_size=6),
       st.sampled_from([2, 4]), st.fractions(-3, 3, max_denominator=4))  # fmt: skip
def test_the_side_of_a_rational_is_as_balls_see_it(keys, d, candidate):
    k = np.zeros((len(keys), d))
    k[:, 0] = [score for score, _ in keys]
    v = np.array([[float(value)] for _, value in keys])
    q = np.zeros((1, d))
    q[0, 0] = 1.0
    problem = read(q, k, v)
    decided = balls.side(problem, 0, 0, fmpq(candidate.numerator, candidate.denominator))
    ball = balls.row_balls(problem, 0, 300)[0] - arb(
        fmpq(candidate.numerator, candidate.denominator)
    )
    assert (decided > 0, decided == 0, decided < 0) == (ball > 0, 0 in ball, ball < 0)


def test_scores_with_an_irrational_scale_and_a_bias_are_told_apart():
    # 1/sqrt(2) * 1 + 0 and 1/sqrt(2) * 0 + 0.7071...: close, but no tie.
    bias = np.array([[0.0, 0.7071067811865476]])
    problem = read([[1.0, 0.0]], [[1.0, 0.0], [0.0, 0.0]], [[1.0], [0.0]], mask=bias)
    assert balls.side(problem, 0, 0, fmpq(1, 2)) == -1
    rational = read([[1.0]], [[1.0], [0.0]], [[1.0], [0.0]], mask=np.array([[0.0, 1.0]]))
    assert balls.side(rational, 0, 0, fmpq(1, 2)) == 0
