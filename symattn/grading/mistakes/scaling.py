r"""Wrong scales: the scores should be multiplied by 1/\sqrt{d_k}, or by the scale that is given."""

from __future__ import annotations

from collections.abc import Callable

from symattn.exact.functions import root
from symattn.exact.numbers import Exact, rational
from symattn.grading.mistakes.base import Mistake, Setting, formula

__all__ = ["MISTAKES"]


def _by(factor: Callable[[Setting], Exact | None]) -> Callable[[Setting], object]:
    return lambda s: s.run(s.scaled_by(factor(s)))


def _width(rows: object) -> int | None:
    return None if rows is None else len(rows[0])  # type: ignore[index]


def _inverse_root(n: int | None) -> Exact | None:
    return None if n is None else 1 / root(rational(n), 2)


MISTAKES: tuple[Mistake, ...] = tuple(
    formula(id, "scaled", title, feedback, _by(factor))  # type: ignore[arg-type]
    for id, title, feedback, factor in (
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
            lambda s: _width(s.K) and rational(1, _width(s.K)),
        ),
        (
            "multiplied-by-sqrt-d_k",
            "the scores are multiplied by sqrt(d_k)",
            "The scores were multiplied by sqrt(d_k); divide them by it.",
            lambda s: _width(s.K) and root(rational(_width(s.K)), 2),
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
            lambda s: _inverse_root(s.raw and len(s.raw[0])),
        ),
        (
            "scaled-by-d_v",
            "the scores are divided by sqrt(d_v)",
            "The scores were divided by sqrt(d_v), the width of the values; d_k is that of the"
            " keys.",
            lambda s: _inverse_root(_width(s.V)),
        ),
        (
            "scaled-by-model-width",
            "the scores are divided by the root of the model's width",
            "The scores were divided by the square root of the model's width; d_k is the width of"
            " one head's keys.",
            lambda s: _inverse_root(s.width),
        ),
    )
)
