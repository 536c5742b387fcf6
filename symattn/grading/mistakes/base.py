"""What a mistake is: a wrong way to the asked part, computed exactly on the question's own inputs.

A mistake turns a question into the values to which it leads. An answer shows the mistake when it
is one of these values, at the precision that the answer states; `recognise` compares.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal, TypeAlias

from symattn.attention import EXACT, Forward, Numbers, causal_mask, forward, masked, scaled_scores
from symattn.attention import scores as score_matrix
from symattn.errors import SymattnError
from symattn.exact.numbers import Exact
from symattn.exact.vectors import Value, nested

__all__ = ["STAGES", "Asked", "Mistake", "Rows", "Setting", "Stage", "entry_at", "formula"]

Rows: TypeAlias = Sequence[Sequence[Exact]]
Stage: TypeAlias = Literal["scores", "scaled", "exponentials", "total", "weights", "output"]
#: The parts of a problem, each computed from those before it.
STAGES: tuple[Stage, ...] = ("scores", "scaled", "exponentials", "total", "weights", "output")


@dataclass(frozen=True)
class Setting:
    """The inputs of one question: Q (n, d_k), K (m, d_k), V (m, d_v), or scores given directly.

    `mask` is the given one, without the causal one, `bias` is what an additive mask adds to scaled
    scores; `width` is the model's, where X was given.
    """

    Q: Rows | None = None
    K: Rows | None = None
    V: Rows | None = None
    scores: Rows | None = None
    scaled: Rows | None = None
    scale: Exact | None = None
    mask: Sequence[Sequence[bool]] | None = None
    bias: Rows | None = None
    causal: bool = False
    width: int | None = None

    @cached_property
    def raw(self) -> Rows | None:
        """The scores Q Kᵀ, None where only scaled scores are given."""
        if self.scores is not None:
            return self.scores
        if self.Q is None or self.K is None:
            return None
        return score_matrix(self.Q, self.K, EXACT)

    def scaled_by(self, factor: Exact | None) -> Rows | None:
        """The scores times a factor, None where there are no scores or no factor."""
        if self.raw is None or factor is None:
            return None
        return scaled_scores(self.raw, factor)

    @cached_property
    def right(self) -> Rows | None:
        """The scaled scores."""
        return self.scaled if self.scaled is not None else self.scaled_by(self.scale)

    def masks(self, rows: Rows) -> list[Sequence[Sequence[bool]]]:
        """The masks that apply to scores of so many rows."""
        causal = [causal_mask(len(rows), len(rows[0]))] if self.causal else []
        return causal + ([self.mask] if self.mask is not None else [])

    def row(self, i: int) -> Setting:
        """The setting of one query alone."""

        def only(rows: Rows | None) -> Rows | None:
            return None if rows is None else [rows[i]]

        mask = None
        if self.right is not None and (self.causal or self.mask is not None):
            kept = [mask[i] for mask in self.masks(self.right)]
            mask = [[all(seen) for seen in zip(*kept, strict=True)]]
        return replace(
            self,
            Q=only(self.Q),
            scores=only(self.scores),
            scaled=only(self.scaled),
            bias=only(self.bias),
            mask=mask,
            causal=False,
        )

    def run(
        self,
        scaled: Rows | None,
        numbers: Numbers[Exact] = EXACT,
        masks: Sequence[Sequence[Sequence[bool]]] | None = None,
    ) -> Forward[Exact] | None:
        """The forward pass from scaled scores on, under the question's masks or others."""
        if scaled is None:
            return None
        if self.bias is not None:
            pairs = zip(scaled, self.bias, strict=True)
            scaled = [[s + b for s, b in zip(*rows, strict=True)] for rows in pairs]
        kept: Any = scaled
        for mask in self.masks(scaled) if masks is None else masks:
            kept = masked(kept, mask)
        found = forward(kept, self.V, numbers)
        scores = None if self.raw is None else _lists(self.raw)
        return replace(found, scores=scores, scaled=_lists(scaled))

    def blended(self, weights: Rows | None, **stages: Any) -> Forward[Exact] | None:
        """The forward pass with other weights, and with other earlier stages where named."""
        right = self.run(self.right)
        if right is None or weights is None:
            return None
        output = None if self.V is None else EXACT.matmul(weights, self.V)
        return replace(right, weights=_lists(weights), output=output, **stages)


def _lists(rows: Rows) -> list[list[Any]]:
    return [list(row) for row in rows]


def entry_at(value: Value | None, index: tuple[int, ...]) -> Value | None:
    """The entry or the row of a value at an index from 0, None where there is none."""
    for i in index:
        if not isinstance(value, tuple) or i >= len(value):
            return None
        value = value[i]
    return value


@dataclass(frozen=True)
class Asked:
    """A part of a question: a stage of the pass, its index (from 0), and its true value.

    `single` says that one query was given, so that parts are one row less deep; `case` names the
    set-up. Without a setting (an answer held against a given true value) only that value is known.
    """

    truth: Value
    setting: Setting | None = None
    stage: Stage = "output"
    index: tuple[int, ...] = ()
    single: bool = False
    case: str = ""

    @cached_property
    def right(self) -> Forward[Exact] | None:
        """The right pass."""
        return None if self.setting is None else self.setting.run(self.setting.right)

    def whole(self, found: Forward[Exact] | None) -> Value | None:
        """The asked stage of a pass, whole: nested tuples, None where there is none."""
        stage = None if found is None else getattr(found, self.stage)
        if stage is None:
            return None
        return entry_at(nested(stage), (0,) if self.single else ())

    def alone(self) -> Asked:
        """The same question of its own query alone, where it is about one."""
        if self.setting is None or self.single or not self.index:
            return self
        setting = self.setting.row(self.index[0])
        return replace(self, setting=setting, index=(0, *self.index[1:]))

    def pick(self, found: Forward[Exact] | None) -> Value | None:
        """The asked part of a pass, None where it does not exist."""
        return entry_at(self.whole(found), self.index)


Kind: TypeAlias = Literal["formula", "reading", "rounding"]


@dataclass(frozen=True, slots=True)
class Mistake:
    """One mistake: its id, a line for a list, a sentence of feedback, and where it leads.

    A "formula" is a wrong way to compute, a "reading" a right value in the wrong place or unit, a
    "rounding" a right way with numbers cut short. `values` yields the values to which it leads,
    each with what there is to add to the feedback; `first` is the first stage that it changes.
    """

    id: str
    title: str
    feedback: str
    values: Callable[[Asked], Iterator[tuple[Value, str]]]
    kind: Kind = "formula"
    first: Stage = "scores"

    def touches(self, asked: Asked) -> bool:
        """Whether the mistake is made at or before the asked stage."""
        return STAGES.index(self.first) <= STAGES.index(asked.stage)


def formula(
    id: str,
    first: Stage,
    title: str,
    feedback: str,
    wrong: Callable[[Setting], Forward[Exact] | None],
    *,
    by_rows: bool = True,
) -> Mistake:
    """A mistake that is a wrong forward pass; `wrong` returns None where it cannot be made.

    `by_rows` says that what it does to one query has nothing to do with the others.
    """

    def values(asked: Asked) -> Iterator[tuple[Value, str]]:
        if asked.setting is None or STAGES.index(first) > STAGES.index(asked.stage):
            return
        asked = asked.alone() if by_rows else asked
        assert asked.setting is not None
        try:
            value = asked.pick(wrong(asked.setting))
        except SymattnError:  # there is no such value here, as with a total of zero
            return
        if value is not None:
            yield value, ""

    return Mistake(id, title, feedback, values, "formula", first)
