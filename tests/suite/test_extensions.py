"""Log-sum-exps and heads: checked where a function offers them, and wrong ones are caught."""

from __future__ import annotations

import numpy as np
import pytest

from symattn import numeric
from symattn.suite.properties import extensions
from symattn.suite.run import check
from symattn.suite.target import Target, probe


def with_lse(q, k, v, *, mask=None, causal=False, scale=None, base=1.0, shift=True):
    scores = numeric.scaled_scores(q, k, mask=mask, causal=causal, scale=scale)
    top = scores.max(axis=-1, initial=-np.inf) if shift else 0 * scores.max(axis=-1)
    lse = top + np.log(np.exp(scores - top[..., None]).sum(axis=-1))
    return numeric.attention(q, k, v, mask=mask, causal=causal, scale=scale), lse * base


def heads(q, k, v, *, mask=None, causal=False, scale=None, order="interleaved"):
    if q.ndim == 2:
        return numeric.attention(q, k, v, mask=mask, causal=causal, scale=scale)
    group = len(q) // len(k)
    pick = [h // group if order == "interleaved" else h % len(k) for h in range(len(q))]
    return numeric.attention(q, k[pick], v[pick], mask=mask, causal=causal, scale=scale)


def failing(function):
    report = check(Target("f", function), properties=extensions.PROPERTIES)
    return {o.property.name for o in report.failures}, report


def test_a_function_without_them_is_not_asked():
    reasons = probe(Target("square", lambda q, k, v: numeric.attention(q, k, v)), "float32").reasons
    assert reasons["returns_lse"] == "the function returns no log-sum-exp of the scores"
    assert reasons["heads"] == "the function takes no heads"


def test_correct_log_sum_exps_pass():
    names, report = failing(with_lse)
    assert names == set()
    assert report.count("passed") == 4


@pytest.mark.parametrize("base", [np.log2(np.e), -1.0, 1.001])
def test_log_sum_exps_of_another_base_are_caught(base):
    names, _ = failing(lambda q, k, v, **options: with_lse(q, k, v, base=base, **options))
    assert names == {"log-sum-exp", "online-merge"}


def test_interleaved_heads_pass_and_tiled_heads_are_caught():
    names, report = failing(heads)
    assert names == set()
    assert report.count("passed") == 2
    wrong = failing(lambda q, k, v, **options: heads(q, k, v, order="tiled", **options))[0]
    assert wrong == {"grouped-heads"}
