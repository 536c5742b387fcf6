"""Matrices as tables: a cell is tinted as far as its weight goes, and hatched where it is masked.

Up to twelve rows and columns the cells hold their numbers; beyond, the table is a heat map.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from symattn.derivation.figures import Grid, Vector
from symattn.exact.numbers import Exact
from symattn.exact.rounding import nearest_float
from symattn.figures.canvas import MARGIN, MIDDLE, SMALL, TEXT, TINY, WIDTH, Canvas
from symattn.figures.letters import Box, Text, width
from symattn.figures.scene import Path, Tone

__all__ = ["NUMBERED", "Table", "paint_grid", "paint_vectors", "table", "table_size"]

#: Beyond so many rows or columns no numbers are written.
NUMBERED = 12
#: Tones that a heat map tells apart.
LEVELS = 48


@dataclass(frozen=True)
class Table:
    """Numbers with what stands before the rows and above the columns; None is masked."""

    rows: tuple[Text, ...]
    columns: tuple[Text, ...]
    entries: tuple[tuple[Exact | None, ...], ...]
    tinted: bool = True
    frame: Tone = "muted"


def paint_grid(canvas: Canvas, figure: Grid) -> None:
    """The grid of weights: a row asks, a column is asked."""
    hidden = figure.masked or tuple((False,) * len(row) for row in figure.entries)
    entries = tuple(
        tuple(None if gone else x for x, gone in zip(row, gones, strict=True))
        for row, gones in zip(figure.entries, hidden, strict=True)
    )
    names = tuple((name,) for name in figure.rows), tuple((name,) for name in figure.columns)
    shown = Table(*names, entries)
    small = max(len(names[0]), len(names[1])) <= NUMBERED
    _say(canvas, shown, small)
    blind = any(all(gones) for gones in hidden)
    total = "1, or to 0 where no key is seen" if blind else "1"
    canvas.heading(f"each row asks, each column is asked; a row adds to {total}")
    if small:
        left = max(MARGIN, (WIDTH - table_size(canvas, shown)[0]) / 2)
        table(canvas, shown, left)
    else:
        _heat_map(canvas, shown)
    if any(map(any, hidden)):
        canvas.note("A hatched cell is masked: its weight is 0.")


def _say(canvas: Canvas, shown: Table, small: bool) -> None:
    for name, row in zip(shown.rows, shown.entries, strict=True):
        if small:
            said = ", ".join("masked" if x is None else canvas.plain(x) for x in row)
            canvas.say(*name, f" attends with the weights {said}.")
        else:
            sizes = [-1.0 if x is None else nearest_float(x) for x in row]
            j = sizes.index(max(sizes))
            canvas.say(*name, " attends most to ", *shown.columns[j], f", {canvas.plain(row[j])}.")


def _size(canvas: Canvas, shown: Table) -> float:
    """The size of the numbers: smaller where there are many columns."""
    return SMALL if len(shown.columns) <= 4 else TINY


def _cell(canvas: Canvas, shown: Table) -> tuple[float, float]:
    """The width and the height of a cell."""
    size = _size(canvas, shown)
    numbers = (width(canvas.number(x), size) for row in shown.entries for x in row if x is not None)
    names = (width(name, TEXT) for name in shown.columns)
    return max(36.0, max(numbers, default=0.0) + 10, max(names, default=0.0) + 8), 34.0


def table_size(canvas: Canvas, shown: Table) -> tuple[float, float]:
    """How wide and how high a table is with its names."""
    wide, high = _cell(canvas, shown)
    return _named(shown) + wide * len(shown.columns), 22 + high * len(shown.rows)


def _named(shown: Table) -> float:
    """The room for the names of the rows."""
    widest = max((width(name, TEXT) for name in shown.rows), default=0.0)
    return widest + 10 if widest else 0.0


def table(canvas: Canvas, shown: Table, left: float) -> None:
    """Draw a table with its numbers, from the line of `canvas.y` down."""
    wide, high = _cell(canvas, shown)
    size = _size(canvas, shown)
    start = left + _named(shown)
    for j, name in enumerate(shown.columns):
        canvas.label((start + (j + 0.5) * wide, canvas.y + TEXT), name)
    canvas.y += 22 if any(shown.columns) else 2
    for i, (name, row) in enumerate(zip(shown.rows, shown.entries, strict=True)):
        y = canvas.y + i * high
        canvas.label((start - 8, y + high / 2 + MIDDLE * TEXT), name, "end")
        for j, entry in enumerate(row):
            box = Box(start + j * wide, y, start + (j + 1) * wide, y + high)
            _draw_cell(canvas, shown, entry, box, size)
    right, bottom = start + wide * len(shown.columns), canvas.y + high * len(shown.rows)
    canvas.rectangle(Box(start, canvas.y, right, bottom), None, shown.frame, width=1.6)
    canvas.reach(right)
    canvas.y += high * len(shown.rows) + 6


def _draw_cell(canvas: Canvas, shown: Table, entry: Exact | None, box: Box, size: float) -> None:
    if entry is None:
        canvas.rectangle(box, None, "faint", hatched=True)
        return
    strength = nearest_float(entry) if shown.tinted else 0.0
    tint: Tone | None = "weight" if 0 < strength <= 1 else None
    canvas.rectangle(box, tint, "faint", strength=strength if tint else 1.0)
    middle = (box.left + box.right) / 2, (box.top + box.bottom) / 2 + MIDDLE * size
    canvas.decimal(middle, entry, size=size)


def _heat_map(canvas: Canvas, shown: Table) -> None:
    """Cells without numbers; those of one tone are one path, and neighbours one piece of it."""
    count = max(len(shown.rows), len(shown.columns))
    cell = float(max(5, min(16, int((WIDTH - 70) / count))))
    named = max(width(name, TINY) for name in shown.rows) + 8
    left = max(MARGIN + named, (WIDTH - cell * len(shown.columns)) / 2)
    top = canvas.y + 16
    sizes = [[None if x is None else nearest_float(x) for x in row] for row in shown.entries]
    seen = [(x, i, j) for i, row in enumerate(sizes) for j, x in enumerate(row) if x is not None]
    largest, *place = max(seen, default=(1.0, 0, 0))
    lines: dict[float, list[Path]] = {}
    for i, row in enumerate(sizes):
        levels = [None if x is None else round(x / (largest or 1.0) * LEVELS) / LEVELS for x in row]
        y, j = top + (i + 0.5) * cell, 0
        for level, run in groupby(levels):
            start, j = j, j + len(list(run))
            ends = (left + start * cell, y), (left + j * cell, y)
            if level is None:
                box = Box(ends[0][0], y - cell / 2, ends[1][0], y + cell / 2)
                canvas.rectangle(box, None, None, hatched=True)
            elif level:
                lines.setdefault(level, []).append(Path(ends, "weight", None, cell, strength=level))
    for level in sorted(lines):
        canvas.items += lines[level]
    frame = Box(left, top, left + cell * len(shown.columns), top + cell * len(shown.rows))
    canvas.rectangle(frame, None, "muted")
    _edge_names(canvas, shown, frame, cell)
    canvas.reach(frame.right)
    canvas.y = frame.bottom + 10
    most = shown.entries[place[0]][place[1]]
    if most is not None:
        _scale(canvas, most)


def _edge_names(canvas: Canvas, shown: Table, frame: Box, cell: float) -> None:
    """Names of rows and columns, as many as there is room for."""
    widest = max(width(name, TINY) for name in shown.columns) + 6
    for j in range(0, len(shown.columns), -int(-widest // cell)):
        x = frame.left + (j + 0.5) * cell
        canvas.label((x, frame.top - 5), shown.columns[j], size=TINY)
    for i in range(0, len(shown.rows), -int(-1.6 * TINY // cell)):
        y = frame.top + (i + 0.5) * cell
        canvas.label((frame.left - 5, y + MIDDLE * TINY), shown.rows[i], "end", size=TINY)


def _scale(canvas: Canvas, most: Exact) -> None:
    """The tones from weight 0 to the largest weight."""
    left, y, wide = WIDTH / 2 - 80, canvas.y + 5, 160.0
    steps = 16
    for k in range(steps):
        ends = (left + wide * k / steps, y), (left + wide * (k + 1) / steps, y)
        canvas.items.append(Path(ends, "weight", None, 10, strength=(k + 0.5) / steps))
    canvas.rectangle(Box(left, y - 5, left + wide, y + 5), None, "muted")
    canvas.label((left - 6, y + MIDDLE * TINY), "weight 0", "end", "muted", TINY)
    canvas.decimal((left + wide + 6, y + MIDDLE * TINY), most, "start", "muted", TINY)
    canvas.y = y + 9


def paint_vectors(canvas: Canvas, vectors: Sequence[Vector]) -> None:
    """Vectors of three and more entries as rows of a table."""
    size = max(len(vector.entries) for vector in vectors)
    columns: tuple[Text, ...] = tuple((str(d + 1),) for d in range(size))
    names: tuple[Text, ...] = tuple((vector.name,) for vector in vectors)
    shown = Table(names, columns, tuple(vector.entries for vector in vectors), tinted=False)
    table(canvas, shown, max(MARGIN, (WIDTH - table_size(canvas, shown)[0]) / 2))
