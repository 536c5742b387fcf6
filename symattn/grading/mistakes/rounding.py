r"""Intermediate values that were rounded before they were used.

Every stage of the pass may be cut to p significant digits or to p decimal places, for each p of
`PRECISIONS`: a student who writes 0.67 and 0.33 and goes on with them gets another output.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, TypeAlias

from flint import fmpq

from symattn.attention import EXACT
from symattn.errors import SymattnError
from symattn.exact.numbers import Exact, rational
from symattn.exact.rounding import Rounded, round_places, round_significant
from symattn.exact.vectors import Value
from symattn.grading.mistakes.base import STAGES, Asked, Mistake, Rows, Setting, Stage

__all__ = ["MISTAKES"]

#: Digits or places to which a value may have been rounded, the likeliest first.
PRECISIONS = (4, 3, 5, 2, 6, 1, 7, 8)
#: Matrices with more entries are not worked out once more for every precision.
MAX_ENTRIES = 64

Cut: TypeAlias = Callable[[Exact], Exact]


def _cut(rounding: Callable[[Exact, int], Rounded], precision: int, x: Exact) -> Exact:
    mantissa, _, exponent = rounding(x, precision).text.partition("e")
    whole, _, broken = mantissa.partition(".")
    shift = int(exponent or 0) - len(broken)
    return rational(fmpq(int(whole + broken)) * fmpq(10) ** shift)


def _cuts() -> Iterator[tuple[Cut, str]]:
    for precision in PRECISIONS:
        digits = f"{precision} significant digit{'s' * (precision > 1)}"
        places = f"{precision} decimal place{'s' * (precision > 1)}"
        yield partial(_cut, round_significant, precision), digits
        yield partial(_cut, round_places, precision), places


def _each(cut: Cut, rows: Sequence[Sequence[Exact]]) -> Rows:
    return [[cut(x) for x in row] for row in rows]


def _total(row: Sequence[Exact]) -> Exact:
    return EXACT.dot(row, [rational(1)] * len(row))


def _from_exponentials(s: Setting, exps: Rows, totals: Sequence[Exact], cut: Cut | None) -> Any:
    rows = zip(exps, totals, strict=True)
    weights: Rows = [[e / total for e in row] for row, total in rows]
    if cut is not None:
        weights = _each(cut, weights)
    return s.blended(weights, exponentials=exps, total=totals)


def _scaled(s: Setting, cut: Cut, asked: Stage) -> Iterator[Any]:
    yield s.run(_each(cut, s.right or ()))


def _exponentials(s: Setting, cut: Cut, asked: Stage) -> Iterator[Any]:
    right = s.run(s.right)
    if right is not None:
        exps = _each(cut, right.exponentials)
        totals = [_total(row) for row in exps]
        yield _from_exponentials(s, exps, totals, None)
        if asked != "total":
            yield _from_exponentials(s, exps, [cut(total) for total in totals], None)
            yield _from_exponentials(s, exps, [cut(total) for total in right.total], None)


def _weights(s: Setting, cut: Cut, asked: Stage) -> Iterator[Any]:
    right = s.run(s.right)
    if right is not None:
        yield s.blended(_each(cut, right.weights))


def _every_stage(s: Setting, cut: Cut, asked: Stage) -> Iterator[Any]:
    """Every stage before the asked one cut."""
    right = s.run(_each(cut, s.right or ()))
    if right is not None:
        exps = _each(cut, right.exponentials)
        totals = [_total(row) for row in exps]
        if asked != "total":
            totals = [cut(total) for total in totals]
        yield _from_exponentials(s, exps, totals, cut if asked == "output" else None)


def _values(
    first: Stage, stage: Callable[[Setting, Cut, Stage], Iterator[Any]], asked: Asked
) -> Iterator[tuple[Value, str]]:
    """The asked part after `first` and what follows it were cut; nothing for earlier parts."""
    asked = asked.alone()
    setting = asked.setting
    if setting is None or setting.right is None:
        return
    too_large = len(setting.right) * len(setting.right[0]) > MAX_ENTRIES
    if too_large or STAGES.index(asked.stage) <= STAGES.index(first):
        return
    for cut, described in _cuts():
        try:
            for found in stage(setting, cut, asked.stage):
                value = asked.pick(found)
                if value is not None:
                    yield value, f"here to {described}"
        except SymattnError:  # a total that was rounded to zero, or an open symbol
            continue


Cutting: TypeAlias = Callable[[Setting, Cut, Stage], Iterator[Any]]
ROUNDINGS: tuple[tuple[str, Stage, str, str, Cutting], ...] = (
    (
        "scaled-scores",
        "scaled",
        "the scaled scores are rounded before the exponentials",
        "The scaled scores were rounded too early; round only the result.",
        _scaled,
    ),
    (
        "exponentials",
        "exponentials",
        "the exponentials or their sum are rounded before they are divided",
        "The exponentials were rounded too early; round only the result.",
        _exponentials,
    ),
    (
        "weights",
        "weights",
        "the weights are rounded before the blend",
        "The weights were rounded too early; round only the result.",
        _weights,
    ),
    (
        "every-stage",
        "exponentials",
        "every intermediate value is rounded",
        "Intermediate values were rounded at every stage; round only the result.",
        _every_stage,
    ),
)

MISTAKES: tuple[Mistake, ...] = tuple(
    Mistake(f"rounded-{name}", title, feedback, partial(_values, first, stage), "rounding")
    for name, first, title, feedback, stage in ROUNDINGS
)
