"""Which mistakes lead to an answer: their values held against it, at the precision that it states.

A decimal fits a value that rounds to it (a tie either way), an exact form one that it equals. The
values of a question are computed once and kept; a float of each, correct to its last bit, tells
most of them from the answer before anything is proved.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from math import inf, isfinite

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

__all__ = ["Hypotheses", "Said", "said"]

#: Relative width by which a float may miss the number that it stands for, and then some.
SLACK = 1e-14


class Said:
    """What an answer says at one place: a decimal, or an exact number."""

    __slots__ = ("centre", "decimal", "exact", "reach")

    def __init__(self, tree: Node) -> None:
        self.decimal: Stated | None = stated(tree)
        self.exact: Exact | None = None if self.decimal is not None else evaluate(tree)
        if self.decimal is not None:
            self.reach = _float(partial(pow, 10.0, self.decimal.exponent)) / 2
            self.centre = _float(lambda: self.decimal.units / 10.0**-self.decimal.exponent)  # type: ignore[union-attr]
        else:
            self.reach, self.centre = 0.0, inf


def _float(compute: object) -> float:
    try:
        return float(compute())  # type: ignore[operator]
    except OverflowError:
        return inf


def said(tree: Node) -> tuple[tuple[int, ...], list[Said]]:
    """The shape of an answer and what stands at each place.

    Raises: `SymattnError` where an entry has no value.
    """
    if isinstance(tree, Array):
        return squeezed(arrays.shape(tree)), [Said(leaf) for leaf in _leaves(tree)]
    return (), [Said(tree)]


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
    """A value to which a mistake leads; floats and targets of its entries are made when needed."""

    __slots__ = ("floats", "message", "mistake", "numbers", "shape")

    def __init__(self, mistake: Mistake, value: Value, detail: str) -> None:
        self.mistake = mistake
        self.message = f"{mistake.feedback[:-1]} ({detail})." if detail else mistake.feedback
        self.shape = squeezed(shape(value))
        self.numbers = list(_numbers(value))
        self.floats: list[float] = []

    def float_at(self, place: int) -> float:
        while len(self.floats) <= place:
            number = self.numbers[len(self.floats)]
            try:
                self.floats.append(inf if number.symbols() else nearest_float(number))
            except SymattnError:
                self.floats.append(inf)
        return self.floats[place]

    def fits(self, dimensions: tuple[int, ...], answer: list[Said]) -> bool:
        """Whether an answer is this value at the precision that it states."""
        if dimensions != self.shape:
            return False
        try:
            return all(self.fits_at(place, entry) for place, entry in enumerate(answer))
        except UndecidedError:
            return False

    def fits_at(self, place: int, entry: Said) -> bool:
        number = self.numbers[place]
        if entry.exact is not None:
            return compare(number, entry.exact).verdict == "equal"
        assert entry.decimal is not None
        value, centre = self.float_at(place), entry.centre
        if isfinite(value) and isfinite(centre):
            if abs(value - centre) > entry.reach + SLACK * (abs(value) + abs(centre)):
                return False
        if not entry.decimal.digits:
            return not number.numerator  # 0.00 states nothing: only zero itself is meant
        return not number.symbols() and rounds_to(Target(number), entry.decimal)


class Hypotheses:
    """All values to which known mistakes lead on one question."""

    def __init__(self, asked: Asked) -> None:
        self.asked = asked
        self._found: list[Hypothesis] | None = None

    def all(self) -> list[Hypothesis]:
        """Every value, the mistakes in the order of the catalogue."""
        if self._found is None:
            self._found = [
                Hypothesis(mistake, value, detail)
                for mistake in MISTAKES
                for value, detail in mistake.values(self.asked)
            ]
        return self._found

    def recognise(self, tree: Node) -> tuple[Found, ...]:
        """Every mistake that leads to an answer which is not right."""
        try:
            dimensions, answer = said(tree)
        except SymattnError:
            return ()
        found: dict[str, Found] = {}
        for hypothesis in self.all():
            mistake = hypothesis.mistake.id
            if mistake not in found and hypothesis.fits(dimensions, answer):
                found[mistake] = Found(mistake, hypothesis.message)
        truth = self.asked.truth
        decimals = [entry.decimal for entry in answer]
        if dimensions == squeezed(shape(truth)) and is_truncated(list(_numbers(truth)), decimals):
            found[TRUNCATED.id] = Found(TRUNCATED.id, TRUNCATED.feedback)
        return tuple(found.values())
