"""Wrong causal masks: query i should see key j when j <= i + m - n."""

from __future__ import annotations

from collections.abc import Callable

from symattn.attention import Forward
from symattn.exact.numbers import Exact
from symattn.grading.mistakes.base import Mistake, Setting, formula

__all__ = ["MISTAKES"]


def _visible(seen: Callable[[int, int], bool]) -> Callable[[Setting], Forward[Exact] | None]:
    """The pass in which query i, counted so that it stands at its own key, sees key j."""

    def wrong(s: Setting) -> Forward[Exact] | None:
        if not s.causal or s.right is None:
            return None
        n, m = len(s.right), len(s.right[0])
        mask = [[seen(i + m - n, j) for j in range(m)] for i in range(n)]
        return s.run(s.right, masks=[mask] + ([s.mask] if s.mask is not None else []))

    return wrong


MISTAKES: tuple[Mistake, ...] = (
    formula(
        "causal-forgotten",
        "exponentials",
        "the causal mask is forgotten",
        "The causal mask was forgotten: a query may not see the keys after it.",
        _visible(lambda i, j: True),
        by_rows=False,
    ),
    formula(
        "causal-reversed",
        "exponentials",
        "the causal mask is reversed",
        "The causal mask is reversed: a query sees the keys up to its own, not those from it on.",
        _visible(lambda i, j: j >= i),
        by_rows=False,
    ),
    formula(
        "causal-without-self",
        "exponentials",
        "the causal mask hides the query's own key",
        "The causal mask is off by one: a query sees its own key too.",
        _visible(lambda i, j: j < i),
        by_rows=False,
    ),
    formula(
        "causal-one-ahead",
        "exponentials",
        "the causal mask shows one key too many",
        "The causal mask is off by one: a query does not see the next key.",
        _visible(lambda i, j: j <= i + 1),
        by_rows=False,
    ),
)
