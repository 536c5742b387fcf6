"""The mistakes that are known, one small definition each, in the order in which they are named."""

from __future__ import annotations

from symattn.grading.mistakes import blend, causal, reading, rounding, scaling, scores, softmax
from symattn.grading.mistakes.base import Asked, Mistake, Setting
from symattn.grading.mistakes.truncation import TRUNCATED

__all__ = ["CARRIED_ON", "MISTAKES", "Asked", "Mistake", "Setting", "known"]

#: Mistakes that lead to values of their own.
MISTAKES: tuple[Mistake, ...] = (
    *scaling.MISTAKES,
    *softmax.MISTAKES,
    *scores.MISTAKES,
    *causal.MISTAKES,
    *blend.MISTAKES,
    *reading.MISTAKES,
    *rounding.MISTAKES,
)

#: The id of what `follow_through` finds.
CARRIED_ON = "carried-on"


def known() -> dict[str, str]:
    """Every mistake that can be named, with one line each.

    >>> known()["no-scaling"]
    'the scores are not scaled'
    """
    lines = {mistake.id: mistake.title for mistake in (*MISTAKES, TRUNCATED)}
    return lines | {CARRIED_ON: "an earlier wrong result is carried on"}
