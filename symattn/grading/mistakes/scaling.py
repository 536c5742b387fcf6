r"""Wrong scales: the scores should be multiplied by 1/\sqrt{d_k}, or by the scale that is given."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from symattn.attention import Forward
from symattn.exact.functions import root
from symattn.exact.numbers import Exact, rational
from symattn.grading.mistakes.base import Mistake, Rows, Setting, formula

__all__ = ["MISTAKES"]


Scale: TypeAlias = Callable[[Setting], Exact | None]


def _by(factor: Scale) -> Callable[[Setting], Forward[Exact] | None]:
    return lambda s: s.run(s.scaled_by(factor(s)))


def _width(rows: Rows | None) -> int | None:
    return None if rows is None else len(rows[0])


def _root(n: int | None) -> Exact | None:
    return None if n is None else root(rational(n), 2)


def _inverse(x: Exact | None) -> Exact | None:
    return None if x is None else 1 / x


SCALES: tuple[tuple[str, str, str, Scale], ...] = (
    (
        "no-scaling",
        "the scores are not scaled",
        "The softmax was taken of the raw scores: multiply them by 1/sqrt(d_k) first.",
        lambda s: rational(1),
    ),
    (
        "divided-by-d_k",
        "the scores are divided by d_k",
        "The scores were divided by d_k; divide them by its square root.",
        lambda s: _inverse(None if s.K is None else rational(len(s.K[0]))),
    ),
    (
        "multiplied-by-sqrt-d_k",
        "the scores are multiplied by sqrt(d_k)",
        "The scores were multiplied by sqrt(d_k); divide them by it.",
        lambda s: _root(_width(s.K)),
    ),
    (
        "scaled-twice",
        "the scale is applied twice",
        "The scale was applied twice, to the scores and once more to the scaled scores.",
        lambda s: s.scale and s.scale * s.scale,
    ),
    (
        "scaled-by-keys",
        "the scores are divided by the root of the number of keys",
        "The scores were divided by the square root of the number of keys; d_k is the width of"
        " one key.",
        lambda s: _inverse(_root(_width(s.raw))),
    ),
    (
        "scaled-by-d_v",
        "the scores are divided by sqrt(d_v)",
        "The scores were divided by sqrt(d_v), the width of the values; d_k is that of the keys.",
        lambda s: _inverse(_root(_width(s.V))),
    ),
    (
        "scaled-by-model-width",
        "the scores are divided by the root of the model's width",
        "The scores were divided by the square root of the model's width; d_k is the width of"
        " one head's keys.",
        lambda s: _inverse(_root(s.width)),
    ),
)

MISTAKES: tuple[Mistake, ...] = tuple(
    formula(id, "scaled", title, feedback, _by(factor)) for id, title, feedback, factor in SCALES
)
