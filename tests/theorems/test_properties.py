"""Each theorem against the NumPy implementation, on drawn inputs, within derived rounding bounds.

Inputs are multiples of 1/8, which floats hold exactly, so that all error is the implementation's:
`numeric_bounds` bounds it entry by entry. Where a strict inequality may become an equality in
floats, by underflow or by rounding, the property says so and asks for no more.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from symattn import numeric
from symattn.numeric_bounds import Arithmetic, output_bound, scores_bound, weights_bound

EXAMPLES = settings(max_examples=40)
UNIT = 2.0**-53
exact = st.integers(-32, 32).map(lambda k: k / 8)
sizes = st.integers(1, 6)


def arrays(rows: int, columns: int) -> st.SearchStrategy[np.ndarray]:
    entries = st.lists(exact, min_size=rows * columns, max_size=rows * columns)
    return entries.map(lambda xs: np.array(xs).reshape(rows, columns))


@st.composite
def inputs(draw: st.DrawFn, least: int = 1) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Queries, keys and values."""
    n, m, d = draw(sizes), draw(st.integers(least, 6)), draw(st.integers(1, 4))
    return draw(arrays(n, d)), draw(arrays(m, d)), draw(arrays(m, 2))


def row(least: int = 1) -> st.SearchStrategy[np.ndarray]:
    """One row of scores."""
    return st.integers(least, 6).flatmap(lambda m: arrays(1, m))


def softmax(scores: np.ndarray, scale: float = 1.0) -> tuple[np.ndarray, np.ndarray]:
    """Weights of given scores, which the unit keys pass on unchanged, and their bounds."""
    keys, options = np.eye(scores.shape[1]), {"scale": scale}
    return (
        numeric.weights(scores, keys, **options),
        weights_bound(scores, keys, input_units=0, **options),
    )


def attend(q: Any, k: Any, v: Any, **options: Any) -> tuple[np.ndarray, np.ndarray]:
    """Output and bounds. The default scale 1/√d is within one unit of the exact one."""
    z = numeric.attention(q, k, v, **options)
    return z, output_bound(q, k, v, input_units=1, **options)


@EXAMPLES
@given(exact, sizes, st.data())
def test_tie(c: float, m: int, data: st.DataObject):
    v = data.draw(arrays(m, 2))
    alpha, bound = softmax(np.full((1, m), c))
    assert (np.abs(alpha - 1 / m) <= bound + UNIT).all()
    z, bound = attend(np.full((1, m), c), np.eye(m), v, scale=1.0)
    mean = [float(sum(map(Fraction, column)) / m) for column in v.T.tolist()]
    assert (np.abs(z - mean) <= bound + UNIT * np.abs(mean)).all()


@EXAMPLES
@given(row(), st.floats(0, 60))
def test_onehot(others: np.ndarray, gap: float):
    gap = round(gap * 8) / 8
    scores = np.append(others, [[others.max() + gap]], axis=1)
    alpha, bound = softmax(scores)
    promised = others.size * np.exp(-gap)
    assert 1 - alpha[0, -1] <= promised * (1 + 16 * UNIT) + bound[0, -1] + UNIT
    far, bound = softmax(np.append(others, [[others.max() - 900]], axis=1))
    alone, bound_alone = softmax(others)
    # e^-900 underflows: the weight that is positive for every finite score is 0 in floats.
    assert far[0, -1] <= 2.0**-1022
    assert (np.abs(far[0, :-1] - alone[0]) <= bound[0, :-1] + bound_alone[0] + UNIT).all()


@EXAMPLES
@given(inputs(), st.data())
def test_shift(qkv: tuple, data: st.DataObject):
    q, k, _ = qkv
    u = data.draw(arrays(1, k.shape[1]))
    moved, bound_moved = numeric.weights(q, k + u), weights_bound(q, k + u)
    alpha, bound = numeric.weights(q, k), weights_bound(q, k)
    assert (np.abs(moved - alpha) <= bound + bound_moved).all()


def test_scaling():
    """Over all sign vectors the variance is exact in floats: scores are whole numbers."""
    for d in (1, 2, 3, 4):
        signs = np.array(list(product((-1.0, 1.0), repeat=d)))
        raw = numeric.scores(signs, signs)
        assert raw.sum() == 0
        assert (raw**2).mean() == d
        scaled = numeric.scaled_scores(signs, signs)
        bound = scores_bound(signs, signs)
        error = (2 * np.abs(scaled) * bound + bound**2).mean() + 8 * UNIT * d
        assert abs((scaled**2).mean() - 1) <= error
        assert abs(((raw / d) ** 2).mean() - 1 / d) <= 8 * UNIT


@EXAMPLES
@given(inputs(), st.randoms(use_true_random=False))
def test_equivariance(qkv: tuple, random: Any):
    q, k, v = qkv
    queries, keys = list(range(len(q))), list(range(len(k)))
    random.shuffle(queries)
    random.shuffle(keys)
    z, bound = attend(q, k, v)
    moved, bound_moved = attend(q[queries], k[keys], v[keys])
    assert (np.abs(moved - z[queries]) <= bound_moved + bound[queries]).all()


@EXAMPLES
@given(inputs())
def test_normalised(qkv: tuple):
    q, k, _ = qkv
    alpha, bound = numeric.weights(q, k), weights_bound(q, k)
    assert (alpha >= 0).all()  # a weight that is positive may underflow to 0
    total = alpha.sum(axis=-1)
    assert (np.abs(total - 1) <= bound.sum(axis=-1) + len(k) * UNIT).all()


@EXAMPLES
@given(inputs())
def test_zero_query(qkv: tuple):
    _, k, v = qkv
    z, bound = attend(np.zeros((1, k.shape[1])), k, v)
    mean = [float(sum(map(Fraction, column)) / len(v)) for column in v.T.tolist()]
    assert (np.abs(z - mean) <= bound + UNIT * np.abs(mean)).all()


@EXAMPLES
@given(inputs())
def test_single_token(qkv: tuple):
    q, k, v = qkv
    z, bound = attend(q, k[:1], v[:1])
    assert (np.abs(z - v[0]) <= bound).all()


@EXAMPLES
@given(inputs())
def test_convex_hull(qkv: tuple):
    q, k, v = qkv
    z, bound = attend(q, k, v)
    assert (z >= v.min(axis=0) - bound).all()
    assert (z <= v.max(axis=0) + bound).all()


@EXAMPLES
@given(row(2))
def test_order(scores: np.ndarray):
    alpha, bound = softmax(scores)
    for i, j in product(range(scores.size), repeat=2):
        ratio = np.exp(scores[0, i] - scores[0, j])
        error = bound[0, i] + ratio * bound[0, j] + 16 * UNIT * ratio * alpha[0, j]
        assert abs(alpha[0, i] - ratio * alpha[0, j]) <= error
        if scores[0, i] > scores[0, j]:  # in floats the larger weight may round to the other
            assert alpha[0, i] >= alpha[0, j] - bound[0, i] - bound[0, j]


@EXAMPLES
@given(row())
def test_temperature(scores: np.ndarray):
    cold, bound = softmax(scores, scale=2.0**10)
    top = scores[0] == scores.max()
    # Any other score is at least 1/8 below, so its weight is at most e^-128.
    assert (np.abs(cold[0] - top / top.sum()) <= bound[0] + UNIT + scores.size * np.exp(-128)).all()
    hot, bound = softmax(scores, scale=2.0**-30)
    spread = np.expm1((scores.max() - scores.min()) * 2.0**-30)
    assert (np.abs(hot - 1 / scores.size) <= bound + UNIT + spread).all()


@EXAMPLES
@given(row(), st.integers(0, 5))
def test_jacobian(scores: np.ndarray, j: int):
    """Central differences: along one score a weight is a sigmoid, with third derivative <= 1/8."""
    j, h = j % scores.size, 2.0**-12
    step = np.zeros_like(scores)
    step[0, j] = h
    (up, bound_up), (down, bound_down) = softmax(scores + step), softmax(scores - step)
    alpha, bound = softmax(scores)
    slope = (up - down)[0] / (2 * h)
    jacobian = alpha[0] * ((np.arange(scores.size) == j) - alpha[0, j])
    error = h**2 / 48 + (bound_up + bound_down)[0] / (2 * h)
    error += bound[0] + bound[0, j] + bound[0] * bound[0, j] + 8 * UNIT
    assert (np.abs(slope - jacobian) <= error).all()
    assert (np.abs(jacobian) <= 1 / 4 + error).all()


@EXAMPLES
@given(inputs(), st.integers(1, 4))
def test_online(qkv: tuple, size: int):
    """The recurrence in floats, its rescaling counted by the bound."""
    q, k, v = qkv
    scores = numeric.scaled_scores(q, k)
    m = np.full((len(q), 1), -np.inf)
    total, mix = np.zeros((len(q), 1)), np.zeros((len(q), v.shape[1]))
    for start in range(0, len(k), size):
        block = scores[:, start : start + size]
        new = np.maximum(m, block.max(axis=1, keepdims=True))
        rescale = np.where(m == -np.inf, 0.0, np.exp(np.where(m == -np.inf, 0.0, m - new)))
        terms = np.exp(block - new)
        total = rescale * total + terms.sum(axis=1, keepdims=True)
        mix = rescale * mix + terms @ v[start : start + size]
        m = new
    z, bound = attend(q, k, v)
    rescaling = Arithmetic(unit=UNIT, tiny=2.0**-1022, rescales=True)
    own = output_bound(q, k, v, input_units=1, arithmetic=rescaling)
    assert (np.abs(mix / total - z) <= own + bound).all()


@EXAMPLES
@given(inputs(), st.data())
def test_masking(qkv: tuple, data: st.DataObject):
    q, k, v = qkv
    kept = np.array(data.draw(st.lists(st.booleans(), min_size=len(k), max_size=len(k))))
    kept[data.draw(st.integers(0, len(k) - 1))] = True
    mask = np.broadcast_to(kept, (len(q), len(k)))
    alpha, bound = numeric.weights(q, k, mask=mask), weights_bound(q, k, mask=mask)
    assert (alpha[:, ~kept] == 0).all()
    alone, bound_alone = numeric.weights(q, k[kept]), weights_bound(q, k[kept])
    assert (np.abs(alpha[:, kept] - alone) <= bound[:, kept] + bound_alone).all()
    z, bound = attend(q, k, v, mask=mask)
    short, bound_short = attend(q, k[kept], v[kept])
    assert (np.abs(z - short) <= bound + bound_short).all()


@EXAMPLES
@given(st.integers(1, 6).flatmap(lambda n: arrays(n, n)))
def test_causal_masking(scores: np.ndarray):
    n = len(scores)
    alpha = numeric.weights(scores, np.eye(n), causal=True, scale=1.0)
    assert (np.triu(alpha, 1) == 0).all()
    first, bound = softmax(scores[-1:])
    assert (np.abs(alpha[-1] - first[0]) <= 2 * bound[0]).all()


@EXAMPLES
@given(inputs(), st.randoms(use_true_random=False))
def test_rotation(qkv: tuple, random: Any):
    """An orthogonal matrix of signs, and a rotation by (3/5, 4/5), whose entries are rounded."""
    q, k, _ = qkv
    d = q.shape[1]
    order = list(range(d))
    random.shuffle(order)
    R = np.eye(d)[order] * np.array([random.choice((-1.0, 1.0)) for _ in range(d)])
    raw, bound = numeric.scores(q, k), scores_bound(q, k, scale=1.0, input_units=0)
    turned = numeric.scores(q @ R.T, k @ R.T)
    assert (np.abs(turned - raw) <= 2 * bound).all()
    q, k = np.pad(q, ((0, 0), (0, 1)))[:, :2], np.pad(k, ((0, 0), (0, 1)))[:, :2]
    turn = np.array([[0.6, -0.8], [0.8, 0.6]])
    size = np.abs(q) @ np.abs(k).T + np.abs(q) @ np.abs(k[:, ::-1]).T
    # Each of the four products of a turned score carries at most 12 roundings.
    assert (np.abs((q @ turn.T) @ (k @ turn.T).T - q @ k.T) <= 32 * UNIT * size).all()


@EXAMPLES
@given(inputs())
def test_angle(qkv: tuple):
    q, k, _ = qkv
    raw, bound = numeric.scores(q, k), scores_bound(q, k, scale=1.0, input_units=0)
    lengths = np.sqrt((q**2).sum(axis=1))[:, None] * np.sqrt((k**2).sum(axis=1))[None, :]
    assert (np.abs(raw) <= lengths * (1 + 8 * UNIT) + bound).all()


def test_every_theorem_has_its_property():
    from symattn.names import THEOREMS

    wanted = {f"test_{name.replace('-', '_')}" for name in THEOREMS}
    assert wanted <= set(globals())


def test_a_property_can_fail():
    """A softmax along the wrong axis breaks the tie."""
    wrong = numeric.softmax(np.array([[4.0, 4.0], [1.0, 0.0]]), axis=0)
    _, bound = softmax(np.full((1, 2), 4.0))
    assert (np.abs(wrong[0] - 1 / 2) > bound + UNIT).all()
