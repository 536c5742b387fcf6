"""Vectors of one entry as arrows along a line, each on a lane of its own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from symattn.derivation.figures import Role
from symattn.exact.numbers import Exact, rational
from symattn.figures.canvas import MARGIN, MIDDLE, TEXT, WIDTH, Canvas
from symattn.figures.ground import LINES, SHORT
from symattn.figures.letters import Text, width
from symattn.figures.scales import relative

__all__ = ["Lane", "paint_lanes"]

HIGH = 26.0


@dataclass(frozen=True)
class Lane:
    """An arrow from `start`, or from zero, to `end`, with its name before it."""

    name: Text
    role: Role
    start: Exact | None
    end: Exact


def paint_lanes(canvas: Canvas, lanes: Sequence[Lane]) -> None:
    """Arrows below one another on one scale, with a line at zero."""
    zero = rational(0)
    flat, _ = relative([x for lane in lanes for x in (lane.start or zero, lane.end)])
    named = max(width(lane.name, TEXT) for lane in lanes)
    left, right = MARGIN + named + 12, max(WIDTH - MARGIN, MARGIN + named + 212)
    least, most = min(0.0, *flat), max(0.0, *flat)
    scale = (right - left - 16) / max(most - least, 1e-9)
    origin = left + 8 - least * scale if most > least else left + 8
    canvas.line([(origin, canvas.y), (origin, canvas.y + HIGH * len(lanes))], "muted", 0.8)
    for i, lane in enumerate(lanes):
        y = canvas.y + HIGH * (i + 0.5)
        canvas.label((MARGIN + named, y + MIDDLE * TEXT), lane.name, "end", lane.role)
        start, end = origin + flat[2 * i] * scale, origin + flat[2 * i + 1] * scale
        size, dashed = LINES[lane.role]
        if abs(end - start) < SHORT:
            canvas.dot((end, y), lane.role, 3.4)
        else:
            canvas.line([(start, y), (end, y)], lane.role, size, dashed=dashed, arrow=True)
    canvas.y += HIGH * len(lanes) + 4
    canvas.reach(right)
