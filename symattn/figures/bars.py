"""Bars of one scale: upright where they fit a narrow page, else lying below one another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from symattn.exact.numbers import Exact
from symattn.figures.canvas import MARGIN, MIDDLE, SMALL, TEXT, WIDTH, Canvas
from symattn.figures.letters import Box, Text, width
from symattn.figures.scene import Tone

__all__ = ["Bar", "Group", "bar_chart", "column_width", "swatch"]

#: Upright bars together, lying bars, and the space between.
TALL, THIN, SPACE = 110.0, 15.0, 8.0
#: How far the hatching reaches that stands for a masked score.
HATCHED = 24.0
#: Bars thinner than this are drawn as a line.
SLIVER = 0.8


@dataclass(frozen=True)
class Bar:
    """A value and its size as a part of the scale, from -1 to 1; None where it is masked."""

    value: Exact | None
    size: float
    tone: Tone
    pale: bool = False


@dataclass(frozen=True)
class Group:
    """The bars of one key."""

    name: Text
    bars: tuple[Bar, ...]


def column_width(canvas: Canvas, groups: Sequence[Group]) -> float:
    """How wide a column is that has room for each decimal."""
    return max(_decimal_width(canvas, groups) + SPACE, 36.0)


def fits_upright(groups: Sequence[Group], column: float) -> bool:
    """Whether groups of such columns fit a narrow page."""
    return sum(_group_width(group, column) for group in groups) <= WIDTH - 2 * MARGIN


def _group_width(group: Group, column: float) -> float:
    return max(column * len(group.bars), width(group.name, TEXT)) + SPACE


def _decimal_width(canvas: Canvas, groups: Sequence[Group]) -> float:
    return max(
        (
            width(canvas.number(bar.value) if bar.value is not None else ("masked",), SMALL)
            for group in groups
            for bar in group.bars
        ),
        default=0.0,
    )


def bar_chart(canvas: Canvas, groups: Sequence[Group], column: float = 0.0) -> None:
    """Draw the groups, upright where they fit; a size of 1 is as long in every chart.

    Charts that stand below one another share a `column`.
    """
    column = column or column_width(canvas, groups)
    sizes = [bar.size for group in groups for bar in group.bars]
    most, least = max(0.0, *sizes), min(0.0, *sizes)
    if fits_upright(groups, column):
        _upright(canvas, groups, column, most * TALL, -least * TALL)
    else:
        _lying(canvas, groups, most, -least)


def _upright(
    canvas: Canvas, groups: Sequence[Group], column: float, above: float, below: float
) -> None:
    """Names stand at the axis on the side where there are no bars, else below all of them."""
    total = sum(_group_width(group, column) for group in groups)
    bottom = below + SMALL + 8 if below else 0.0
    x = max(MARGIN, (WIDTH - total) / 2)
    canvas.reach(x + total)
    hidden = any(bar.value is None for group in groups for bar in group.bars)
    axis = canvas.y + max(above, HATCHED if hidden else TEXT * 0.4) + SMALL + 6
    deepest = bottom
    for group in groups:
        wide = _group_width(group, column)
        first = x + (wide - column * len(group.bars)) / 2
        down = any(bar.size < 0 for bar in group.bars)
        both = down and any(bar.size > 0 or bar.value is None for bar in group.bars)
        for i, bar in enumerate(group.bars):
            below_axis = bar.size < 0 or (down and not both)
            middle = first + (i + 0.5) * column
            _upright_bar(canvas, bar, middle, column - SPACE, axis, below_axis)
        base = bottom + TEXT if both else -6.0 if down else TEXT + 3
        canvas.label((x + wide / 2, axis + base), group.name)
        deepest = max(deepest, base + 5)
        x += wide
    left = max(MARGIN, (WIDTH - total) / 2)
    canvas.line([(left, axis), (left + total, axis)], "ink", 1.2)
    canvas.y = axis + deepest


def _upright_bar(canvas: Canvas, bar: Bar, x: float, wide: float, axis: float, below: bool) -> None:
    wide = min(wide, 44.0)
    box = Box(x - wide / 2, axis, x + wide / 2, axis)
    if bar.value is None:
        canvas.rectangle(box._replace(top=axis - HATCHED), None, "muted", hatched=True)
        canvas.label((x, axis - HATCHED - 6), "masked", tone="muted", size=SMALL)
        return
    end = axis - bar.size * TALL
    _mark(canvas, bar, box._replace(top=min(end, axis), bottom=max(end, axis)))
    at = x, (end + SMALL + 2 if below else min(end, axis - 1) - 5)
    canvas.decimal(at, bar.value)


def _mark(canvas: Canvas, bar: Bar, box: Box) -> None:
    """The bar itself; where it would be too thin, a line, and nothing for zero."""
    if bar.value is None or not bar.value.numerator:
        return
    if box.bottom - box.top < SLIVER:
        y = (box.top + box.bottom) / 2
        canvas.line([(box.left, y), (box.right, y)], bar.tone, 1.6)
    elif box.right - box.left < SLIVER:
        x = (box.left + box.right) / 2
        canvas.line([(x, box.top), (x, box.bottom)], bar.tone, 1.6)
    else:
        canvas.rectangle(box, bar.tone, bar.tone, strength=0.4 if bar.pale else 1.0)


def _lying(canvas: Canvas, groups: Sequence[Group], above: float, below: float) -> None:
    named = max(width(group.name, TEXT) for group in groups)
    room = _decimal_width(canvas, groups) + SPACE
    left = MARGIN + named + SPACE
    unit = max(WIDTH - MARGIN - left - room * (1 + (below > 0)), 90.0) / max(above + below, 1.0)
    axis = left + (room + below * unit if below else 0.0)
    hidden = any(bar.value is None for group in groups for bar in group.bars)
    canvas.reach(axis + max(above * unit, HATCHED + 6 if hidden else 0.0) + room)
    start = canvas.y
    for group in groups:
        high = len(group.bars) * (THIN + 3) + 5
        middle = canvas.y + high / 2
        canvas.label((MARGIN + named, middle + MIDDLE * TEXT), group.name, "end")
        y = canvas.y + 4
        for bar in group.bars:
            _lying_bar(canvas, bar, y, axis, unit)
            y += THIN + 3
        canvas.y += high
    canvas.line([(axis, start), (axis, canvas.y)], "ink", 1.2)
    canvas.y += 4


def _lying_bar(canvas: Canvas, bar: Bar, y: float, axis: float, unit: float) -> None:
    base = y + THIN / 2 + MIDDLE * SMALL
    if bar.value is None:
        canvas.rectangle(Box(axis, y, axis + HATCHED, y + THIN), None, "muted", hatched=True)
        canvas.label((axis + HATCHED + 6, base), "masked", "start", "muted", SMALL)
        return
    end = axis + bar.size * unit
    _mark(canvas, bar, Box(min(axis, end), y, max(axis, end), y + THIN))
    if bar.size < 0:
        canvas.decimal((end - 5, base), bar.value, "end")
    else:
        canvas.decimal((end + 6, base), bar.value, "start")


def swatch(canvas: Canvas, x: float, tone: Tone, pale: bool, text: Text) -> float:
    """A small bar with what it stands for, on the line of `canvas.y`; returns where it ends."""
    y = canvas.y
    box = Box(x, y - 9, x + 14, y + 1)
    canvas.rectangle(box, tone, tone, strength=0.4 if pale else 1.0)
    canvas.label((x + 20, y), text, "start", "muted", SMALL)
    return x + 20 + width(text, SMALL)
