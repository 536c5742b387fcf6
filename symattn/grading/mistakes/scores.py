r"""Wrong scores: they should be the products q_i · k_j with their signs."""

from __future__ import annotations

from dataclasses import replace

from symattn.attention import EXACT, Forward, scaled_scores
from symattn.exact.functions import sign
from symattn.exact.numbers import Exact
from symattn.grading.mistakes.base import Mistake, Rows, Setting, formula

__all__ = ["MISTAKES"]


def _absolute(rows: Rows | None) -> Rows | None:
    return None if rows is None else [[-x if sign(x) < 0 else x for x in row] for row in rows]


def _minus_lost(s: Setting) -> Forward[Exact] | None:
    found = s.run(_absolute(s.right))
    return found and replace(found, scores=_absolute(s.raw))  # type: ignore[arg-type]


def _minus_gained(s: Setting) -> Forward[Exact] | None:
    found = s.run(s.right and [[-x for x in row] for row in s.right])
    raw = s.raw and [[-x for x in row] for row in s.raw]
    return found and replace(found, scores=raw)  # type: ignore[arg-type]


def _keys_not_transposed(s: Setting) -> Forward[Exact] | None:
    if s.Q is None or s.K is None or s.scale is None or len(s.K) != len(s.K[0]):
        return None
    raw = EXACT.matmul(s.Q, s.K)
    found = s.run(scaled_scores(raw, s.scale))
    return found and replace(found, scores=raw)


MISTAKES: tuple[Mistake, ...] = (
    formula(
        "lost-minus",
        "scores",
        "the minus sign of the scores is lost",
        "A negative score lost its minus sign; e to a negative score is less than 1.",
        _minus_lost,
    ),
    formula(
        "reversed-sign",
        "scores",
        "every score has the opposite sign",
        "Every score has the opposite sign.",
        _minus_gained,
    ),
    formula(
        "keys-not-transposed",
        "scores",
        "Q K instead of Q Kᵀ",
        "The product Q K was taken; a score is a row of Q times a row of K, that is Q Kᵀ.",
        _keys_not_transposed,
    ),
)
