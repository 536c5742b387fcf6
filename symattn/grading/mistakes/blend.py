r"""Wrong blends: the output should be \sum_j α_j v_j with the weights of the softmax."""

from __future__ import annotations

from dataclasses import replace

from symattn.attention import EXACT, Forward
from symattn.exact.functions import sign
from symattn.exact.numbers import Exact, rational
from symattn.grading.mistakes.base import Mistake, Setting, formula

__all__ = ["MISTAKES"]


def _keys_blended(s: Setting) -> Forward[Exact] | None:
    right = s.run(s.right)
    if right is None or s.K is None:
        return None
    return replace(right, output=EXACT.matmul(right.weights, s.K))


def _uniform(s: Setting) -> Forward[Exact] | None:
    if s.right is None:
        return None
    return s.blended([[rational(1, len(row))] * len(row) for row in s.right])


def _argmax(s: Setting) -> Forward[Exact] | None:
    """All the weight on the first of the largest weights of each row."""
    right = s.run(s.right)
    if right is None:
        return None
    weights = []
    for row in right.weights:
        best = 0
        for j, weight in enumerate(row):
            if sign(weight - row[best]) > 0:
                best = j
        weights.append([rational(int(j == best)) for j in range(len(row))])
    return s.blended(weights)


MISTAKES: tuple[Mistake, ...] = (
    formula(
        "blended-keys",
        "output",
        "the weights blend the keys",
        "The weights were applied to the keys; they blend the values.",
        _keys_blended,
    ),
    formula(
        "unweighted-mean",
        "weights",
        "every key has the same weight",
        "Every key got the same weight; the weights follow the scores.",
        _uniform,
    ),
    formula(
        "argmax",
        "weights",
        "the largest score takes all the weight",
        "The largest score took all the weight; the softmax leaves some for every key.",
        _argmax,
    ),
)
