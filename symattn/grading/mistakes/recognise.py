"""Which mistakes lead to an answer: their values held against it, at the precision that it states.

A decimal fits a value that rounds to it (a tie either way), an exact form one that it equals. The
values of a question are computed once and kept in the order of their first entries, as floats
that are correct to the last bit, so that an answer is compared with the few that are near it.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from functools import cached_property
from math import inf

from symattn.errors import SymattnError, UndecidedError
from symattn.exact import arrays
from symattn.exact.equality import compare
from symattn.exact.evaluate import evaluate
from symattn.exact.numbers import Exact
from symattn.exact.rounding import nearest_float
from symattn.exact.stated import Stated, stated
from symattn.exact.tree import Array, Node
from symattn.exact.vectors import Value, shape
from symattn.grading.decimals import rounds_to
from symattn.grading.mistakes import MISTAKES
from symattn.grading.mistakes.base import Asked, Mistake
from symattn.grading.mistakes.truncation import TRUNCATED, is_truncated
from symattn.grading.truth import Target, squeezed
from symattn.grading.verdict import Found

__all__ = ["Hypotheses", "Hypothesis"]

#: Relative width by which floats may miss the numbers that they stand for, and then some.
SLACK = 1e-14


class Said:
    """What an answer says: its shape, and a decimal or an exact number at each place."""

    def __init__(self, tree: Node) -> None:
        self.shape = squeezed(arrays.shape(tree))
        self.entries = [_read(leaf) for leaf in _leaves(tree)]

    def span(self) -> tuple[float, float]:
        """Floats between which a value must start that the answer may mean."""
        first = self.entries[0]
        try:
            if isinstance(first, Stated):
                unit = 10.0**first.exponent
                centre, reach = first.units * unit, unit / 2
            else:
                centre, reach = nearest_float(first), 0.0
        except (OverflowError, SymattnError):
            return -inf, inf
        slack = SLACK * abs(centre)
        return centre - reach - slack, centre + reach + slack


def _read(leaf: Node) -> Stated | Exact:
    return stated(leaf) or evaluate(leaf)


def _leaves(tree: Node) -> Iterator[Node]:
    if isinstance(tree, Array):
        for entry in tree.entries:
            yield from _leaves(entry)
    else:
        yield tree


def _numbers(value: Value) -> Iterator[Exact]:
    if isinstance(value, Exact):
        yield value
    else:
        for entry in value:
            yield from _numbers(entry)


class Hypothesis:
    """A value to which a mistake leads."""

    __slots__ = ("first", "message", "mistake", "numbers", "shape", "value")

    def __init__(self, mistake: Mistake, value: Value, detail: str) -> None:
        self.mistake = mistake
        self.value = value
        self.message = f"{mistake.feedback[:-1]} ({detail})." if detail else mistake.feedback
        self.shape = squeezed(shape(value))
        self.numbers = list(_numbers(value))
        self.first = _first_float(self.numbers[0])

    def fits(self, answer: Said) -> bool:
        """Whether an answer is this value at the precision that it states."""
        if answer.shape != self.shape:
            return False
        try:
            return all(map(_fits, self.numbers, answer.entries))
        except UndecidedError:
            return False


def _first_float(number: Exact) -> float | None:
    """The nearest float, None where there is none and the number has to be compared itself."""
    try:
        found = nearest_float(number)
    except SymattnError:  # an open symbol
        return None
    return found if abs(found) < inf else None


def _fits(number: Exact, entry: Stated | Exact) -> bool:
    if isinstance(entry, Exact):
        return compare(number, entry).verdict == "equal"
    if not entry.digits:
        return not number.numerator  # 0.00 states no digit: only zero itself is meant
    return not number.symbols() and rounds_to(Target(number), entry)


class Hypotheses:
    """All values to which known mistakes lead on one question."""

    def __init__(self, asked: Asked) -> None:
        self.asked = asked

    @cached_property
    def all(self) -> list[Hypothesis]:
        """Every value, the mistakes in the order of the catalogue."""
        return [
            Hypothesis(mistake, value, detail)
            for mistake in MISTAKES
            for value, detail in mistake.values(self.asked)
        ]

    @cached_property
    def _by_first(self) -> tuple[list[float], list[int], list[int]]:
        """Floats of the first entries, rising, whose they are, and which values have none."""
        known = [(h.first, place) for place, h in enumerate(self.all) if h.first is not None]
        known.sort()
        others = [place for place, h in enumerate(self.all) if h.first is None]
        return [first for first, _ in known], [place for _, place in known], others

    def near(self, answer: Said) -> list[Hypothesis]:
        """The values that an answer may mean, going by their first entries."""
        firsts, places, others = self._by_first
        low, high = answer.span()
        found = places[bisect_left(firsts, low) : bisect_right(firsts, high)]
        return [self.all[place] for place in sorted(found + others)]

    def recognise(self, tree: Node) -> tuple[Found, ...]:
        """Every mistake that leads to an answer which is not right."""
        try:
            answer = Said(tree)
        except SymattnError:
            return ()
        found: dict[str, Found] = {}
        for hypothesis in self.near(answer):
            mistake = hypothesis.mistake.id
            if mistake not in found and hypothesis.fits(answer):
                found[mistake] = Found(mistake, hypothesis.message)
        if self._truncated(answer):
            found[TRUNCATED.id] = Found(TRUNCATED.id, TRUNCATED.feedback)
        return tuple(found.values())

    def _truncated(self, answer: Said) -> bool:
        decimals = [entry for entry in answer.entries if isinstance(entry, Stated)]
        if len(decimals) < len(answer.entries) or answer.shape != squeezed(shape(self.asked.truth)):
            return False
        return is_truncated(list(_numbers(self.asked.truth)), decimals)
