"""Right values in the wrong place, with the wrong sign, or in the wrong unit."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, permutations

from flint import fmpq

from symattn.exact.numbers import Exact, rational
from symattn.exact.vectors import Value, multiply, shape
from symattn.grading.mistakes.base import Asked, Mistake, entry_at

__all__ = ["MISTAKES"]

#: Powers of ten by which a decimal point is looked for elsewhere.
SHIFTS = (-1, 1, -2, 2, -3, 3, -4, 4, -5, 5, -6, 6)
#: A vector of at most so many entries is looked for in every order.
MAX_ENTRIES = 5
#: A part is looked for in at most so many other rows or places.
MAX_PLACES = 256


def _other_row(asked: Asked) -> Iterator[tuple[Value, str]]:
    if asked.single or not asked.index:
        return
    whole = asked.whole(asked.right)
    rows = whole if isinstance(whole, tuple) else ()
    for row in islice(range(len(rows)), MAX_PLACES):
        value = entry_at(rows, (row, *asked.index[1:]))
        if row != asked.index[0] and value is not None:
            yield value, f"it is row {row + 1}"


def _other_order(asked: Asked) -> Iterator[tuple[Value, str]]:
    if isinstance(asked.truth, Exact):
        yield from _other_place(asked)
    elif len(asked.truth) <= MAX_ENTRIES and len(shape(asked.truth)) == 1:
        written = [_written(entry) for entry in asked.truth]
        for order in islice(permutations(range(len(asked.truth))), 1, None):
            if all(written[i] == written[place] for place, i in enumerate(order)):
                continue  # equal entries changed places: nothing is out of order
            places = ", ".join(str(i + 1) for i in order)
            yield tuple(asked.truth[i] for i in order), f"in the order {places}"


def _written(entry: Value) -> object:
    """The normal form of a number, which equal entries of one part share."""
    return (entry.numerator, entry.denominator) if isinstance(entry, Exact) else entry


def _other_place(asked: Asked) -> Iterator[tuple[Value, str]]:
    """The other entries of the row of one entry."""
    if not asked.index:
        return
    row = entry_at(asked.whole(asked.right), asked.index[:-1])
    for place in islice(range(len(row) if isinstance(row, tuple) else 0), MAX_PLACES):
        value = entry_at(row, (place,))
        if place != asked.index[-1] and isinstance(value, Exact):
            yield value, f"it is entry {place + 1}"


def _transposed(asked: Asked) -> Iterator[tuple[Value, str]]:
    if asked.index:
        whole = asked.whole(asked.right)
        if isinstance(whole, tuple) and len(shape(whole)) == 2:
            value = entry_at(tuple(zip(*whole, strict=True)), asked.index)
            if value is not None and shape(value) == shape(asked.truth):
                yield value, ""
    elif isinstance(asked.truth, tuple) and len(shape(asked.truth)) == 2:
        yield tuple(zip(*asked.truth, strict=True)), ""


def _shifted(asked: Asked) -> Iterator[tuple[Value, str]]:
    for shift in SHIFTS:
        ten = rational(fmpq(10) ** shift)
        yield multiply(ten, asked.truth), f"the value is multiplied by 10^{shift}"


def _percent(asked: Asked) -> Iterator[tuple[Value, str]]:
    yield multiply(rational(100), asked.truth), ""


def _opposite(asked: Asked) -> Iterator[tuple[Value, str]]:
    yield multiply(rational(-1), asked.truth), ""


MISTAKES: tuple[Mistake, ...] = (
    Mistake(
        "wrong-row",
        "another row of the matrix",
        "This belongs to another row of the matrix.",
        _other_row,
        "reading",
    ),
    Mistake(
        "permuted-entries",
        "the entries stand in another order",
        "The right entries stand in the wrong order.",
        _other_order,
        "reading",
    ),
    Mistake(
        "transposed",
        "the transposed matrix",
        "This is the transposed matrix; a row is a query, a column a key.",
        _transposed,
        "reading",
    ),
    Mistake(
        "wrong-sign",
        "the opposite sign",
        "The sign is the opposite one.",
        _opposite,
        "reading",
    ),
    Mistake(
        "power-of-ten",
        "off by a power of ten",
        "The decimal point stands in the wrong place.",
        _shifted,
        "reading",
    ),
    Mistake(
        "percent-for-fraction",
        "a percentage without its sign",
        "This is the value in percent, without a percent sign.",
        _percent,
        "reading",
    ),
)
