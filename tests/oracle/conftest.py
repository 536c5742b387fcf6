"""Balls of 400 bits, and what the stage tests measure with them."""

from __future__ import annotations

import numpy as np
import pytest
from flint import arb, ctx


@pytest.fixture(autouse=True)
def precise():
    """Every referee in this folder computes with 400 bits."""
    before, ctx.prec = ctx.prec, 400
    yield
    ctx.prec = before


class Referee:
    """Exact values as balls, and errors against them."""

    @staticmethod
    def value(hi, lo=0.0):
        return arb(float(hi)) + arb(float(lo))

    @classmethod
    def worst(cls, computed, exact, bound):
        """The largest error/bound; each entry of `computed` is a float or a (hi, lo)."""
        ratio = 0.0
        for value, truth, limit in zip(computed, exact, bound, strict=True):
            value = cls.value(*value) if isinstance(value, tuple) else cls.value(value)
            error = abs(value - truth)
            if error.abs_upper() > 1e-330:
                ratio = max(ratio, float(error.abs_upper() / arb(float(limit))))
        return ratio

    @classmethod
    def scores(cls, q, k, scale=None, bias=None):
        """All scaled scores (n, m) as lists of balls."""
        sigma = arb(q.shape[1]).rsqrt() if scale is None else arb(scale)
        return [
            [
                sigma
                * sum((cls.value(a) * cls.value(b) for a, b in zip(x, y, strict=True)), arb(0))
                + (0 if bias is None else cls.value(bias[i, j]))
                for j, y in enumerate(k)
            ]
            for i, x in enumerate(q)
        ]

    @classmethod
    def attention(cls, q, k, v, scale=None, bias=None, allowed=None):
        """The output (n, d_v) as lists of balls, straight from the formula."""
        output = []
        for i, row in enumerate(cls.scores(q, k, scale, bias)):
            seen = [j for j in range(len(row)) if allowed is None or allowed[i, j]]
            top = max((row[j] for j in seen), key=lambda s: s.mid(), default=arb(0))
            exps = {j: (row[j] - top).exp() for j in seen}
            total = sum(exps.values(), arb(0))
            output.append(
                [
                    sum((e * cls.value(v[j, c]) for j, e in exps.items()), arb(0)) / total
                    if seen
                    else arb(0)
                    for c in range(v.shape[1])
                ]
            )
        return output


@pytest.fixture(scope="session")
def referee():
    return Referee


def _adversarial():
    """Small widths, where few roundings come near their bound, and every kind of size."""
    rng = np.random.default_rng(20170612)
    for case in range(160):
        n, m, d, d_v = 2, int(rng.integers(1, 12)), int(rng.integers(1, 6)), 2
        q, k = rng.uniform(1, 2, (n, d)), rng.uniform(1, 2, (m, d))
        v = rng.normal(size=(m, d_v))
        size = [1.0, 2.0**-4, 2.0**8, 2.0**20][case % 4]
        signs = rng.choice([-1, 1], (m, d)) if case % 3 else np.ones((m, d))
        bias = rng.normal(size=(n, m)) * size if case % 5 == 0 else None
        scale = [None, 0.3, -1.7][case % 3]
        yield {"q": q * size, "k": k * signs, "v": v, "bias": bias, "scale": scale}
    tiny = np.array([[2.0**-540, 2.0**-530]])
    yield {"q": tiny, "k": np.vstack([tiny, -tiny]), "v": v[:2], "bias": None, "scale": None}
    zero = np.zeros((1, 1))
    yield {"q": zero, "k": np.ones((3, 1)), "v": np.eye(3), "bias": None, "scale": None}


@pytest.fixture(scope="session")
def adversarial():
    return list(_adversarial())
