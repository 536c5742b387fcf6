"""Functions of one open number, and the spread of a dot product in many dimensions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite

from symattn.derivation.figures import Curve, Spread
from symattn.exact.asymptotics import substitute
from symattn.exact.evaluate import evaluate
from symattn.exact.numbers import Exact
from symattn.exact.rounding import nearest_float
from symattn.exact.tree import Node, Root, Symbol
from symattn.exact.writing import to_tree
from symattn.figures.canvas import MARGIN, MIDDLE, TEXT, TINY, WIDTH, Canvas
from symattn.figures.ground import tick_row
from symattn.figures.letters import Box, Text, width
from symattn.figures.naming import name_at
from symattn.figures.place import Placer
from symattn.figures.scales import multiples, nice_step, ticked
from symattn.figures.scene import Point, Tone

__all__ = ["paint_curve", "paint_spread"]

#: Steps of a curve; the arguments are rational, so that each point is exact before it is rounded.
STEPS = 48
HIGH, LINE = 190.0, 20.0
#: Tones of the functions in order; their lines differ too.
LOOKS: tuple[tuple[Tone, float, bool], ...] = (
    ("weight", 2.4, False),
    ("query", 2.0, True),
    ("value", 1.6, False),
    ("output", 1.6, True),
)


@dataclass(frozen=True)
class Frame:
    """The rectangle of a graph and the numbers at its edges."""

    box: Box
    low: Point
    high: Point

    def at(self, x: float, y: float) -> Point:
        """The place of a point."""
        across = (x - self.low[0]) / (self.high[0] - self.low[0])
        up = (y - self.low[1]) / (self.high[1] - self.low[1])
        box = self.box
        return (
            box.left + across * (box.right - box.left),
            box.bottom - up * (box.bottom - box.top),
        )


def _frame(canvas: Canvas, low: Point, high: Point, name: Text, room: float = 0.0) -> Frame:
    """Draw the axes of a graph with their numbers and the name of what runs to the right.

    `room` is kept free to the right of it.
    """
    step = nice_step(high[1] - low[1], 5)
    marks = multiples(low[1], high[1], step)
    wide = max(width((ticked(y),), TINY) for y in marks) + 8
    box = Box(MARGIN + wide, canvas.y + 6, WIDTH - MARGIN - 6 - room, canvas.y + HIGH)
    frame = Frame(box, low, high)
    for y in marks:
        height = frame.at(low[0], y)[1]
        canvas.line([(box.left, height), (box.right, height)], "faint")
        canvas.label((box.left - 6, height + MIDDLE * TINY), ticked(y), "end", "muted", TINY)
    step = nice_step(high[0] - low[0], 6)
    places = []
    for mark in multiples(low[0], high[0], step):
        x = frame.at(mark, low[1])[0]
        canvas.line([(x, box.bottom), (x, box.bottom + 4)], "muted")
        places.append((x, ticked(mark)))
    tick_row(canvas, places, box.bottom + 15)
    canvas.line([(box.left, box.top), (box.left, box.bottom)], "muted")
    canvas.line([(box.left, box.bottom), (box.right, box.bottom)], "muted")
    canvas.label(((box.left + box.right) / 2, box.bottom + 31), name)
    canvas.y = box.bottom + 38
    return frame


@dataclass(frozen=True)
class Drawn:
    """Functions that are one curve: their names, the points that are finite, and the look."""

    name: Text
    function: Exact
    points: tuple[Point, ...]
    look: tuple[Tone, float, bool]


def paint_curve(canvas: Canvas, figure: Curve) -> None:
    """The functions, the limits as dashed lines, and points with their decimals."""
    curves = _curves(figure)
    drawn = [part for curve in curves for part in ("; ", *curve.name)][1:]
    canvas.say("Curves over ", Symbol(figure.symbol), ": ", *drawn, ".")
    levels = list(map(nearest_float, figure.levels))
    heights = [y for curve in curves for _, y in curve.points] + levels + [0.0]
    low, high = min(heights), max(heights)
    if 0.5 < high < 1 or high == low:
        high = 1.0
    left, right = nearest_float(figure.low), nearest_float(figure.high)
    frame = _frame(canvas, (left, low), (right, high), (Symbol(figure.symbol),))
    placer = Placer(frame.box._replace(top=frame.box.top - 4))
    for level in levels:
        canvas.line([frame.at(left, level), frame.at(right, level)], "muted", 1.0, dashed=True)
    for curve in curves:
        tone, size, dashed = curve.look
        path = canvas.line([frame.at(x, y) for x, y in curve.points], tone, size, dashed=dashed)
        placer.lines += zip(path.points, path.points[1:], strict=False)
    for curve in curves:
        at = frame.at(*curve.points[len(curve.points) * 7 // 8])
        upper = at[1] < (frame.box.top + frame.box.bottom) / 2
        toward = (0.0, 1.0 if upper else -1.0)
        name_at(canvas, placer, at, toward, curve.name, curve.look[0])
        _say_curve(canvas, figure, curve)
    _marks(canvas, frame, figure, curves)


def _curves(figure: Curve) -> list[Drawn]:
    """The curves, each drawn once where functions are written alike."""
    span = (figure.high - figure.low) / STEPS
    arguments = [figure.low + span * k for k in range(STEPS + 1)]
    alike: dict[Node, list[tuple[Node, Exact]]] = {}
    for name, function in figure.functions:
        alike.setdefault(to_tree(function), []).append((name, function))
    found = []
    for k, (tree, pairs) in enumerate(alike.items()):
        values = (evaluate(tree, {figure.symbol: x}) for x in arguments)
        points = (tuple(map(nearest_float, pair)) for pair in zip(arguments, values, strict=True))
        finite = tuple((x, y) for x, y in points if isfinite(y))
        joined: Text = tuple(part for name, _ in pairs for part in (" = ", name))[1:]
        found.append(Drawn(joined, pairs[0][1], finite, LOOKS[k % len(LOOKS)]))
    return found


def _say_curve(canvas: Canvas, figure: Curve, curve: Drawn) -> None:
    for x in (figure.low, *figure.marks, figure.high):
        value = canvas.stated(substitute(curve.function, {figure.symbol: x}))
        at = "At ", Symbol(figure.symbol), f" = {canvas.plain(x)}, "
        canvas.say(*at, *curve.name, f" {value}.")


def _marks(canvas: Canvas, frame: Frame, figure: Curve, curves: Sequence[Drawn]) -> None:
    """Points on the curves, and in a list their decimals; then what the dashed lines are."""
    rows = []
    for mark in figure.marks:
        for curve in curves:
            value = substitute(curve.function, {figure.symbol: mark})
            at = frame.at(nearest_float(mark), nearest_float(value))
            canvas.dot(at, curve.look[0], 3.4)
            where: Text = ("at ", Symbol(figure.symbol), f" = {canvas.plain(mark)}: ", *curve.name)
            rows.append([((*where, f" {canvas.sign(value)}"), False), (canvas.number(value), True)])
    canvas.flow(rows)
    if figure.levels:
        first = figure.functions[0][0]
        listed = " and ".join(map(canvas.plain, figure.levels))
        canvas.note("The dashed lines are the limits of ", first, f", {listed}.")


def paint_spread(canvas: Canvas, figure: Spread) -> None:
    """The spread of q·k: raw it grows like the root of the dimension, scaled it stays."""
    xs = [float(d) for d in figure.dimensions]
    sizes = ", ".join(map(str, figure.dimensions))
    canvas.say("For ", Symbol("d_k"), f" = {sizes} in turn:")
    root = Root(Symbol("d_k"), 2)
    lines: tuple[tuple[Text, Sequence[Exact], Tone, bool, float], ...] = (
        (("q·k",), figure.raw, "query", False, 2.4),
        (("q·k / ", root), figure.scaled, "weight", False, 2.0),
        (("q·k / ", Symbol("d_k")), figure.overscaled, "value", True, 2.0),
    )
    heights = [nearest_float(y) for _, row, *_ in lines for y in row]
    top = max(*heights, 1.0)
    room = max(width(text, TEXT) for text, *_ in lines) + 18
    frame = _frame(canvas, (0.0, 0.0), (max(xs), top * 1.08), (Symbol("d_k"),), room)
    ordered = sorted(lines, key=lambda line: nearest_float(line[1][-1]))
    ends = [frame.at(xs[-1], nearest_float(row[-1])) for _, row, *_ in ordered]
    bases = _apart([y + MIDDLE * TEXT for _, y in ends], frame.box)
    for (text, row, tone, dashed, size), (x, y), base in zip(ordered, ends, bases, strict=True):
        points = [frame.at(x, nearest_float(y)) for x, y in zip(xs, row, strict=True)]
        canvas.line(points, tone, size, dashed=dashed)
        for point in points:
            canvas.dot(point, tone, 2.8)
        canvas.line([(x + 4, y), (x + 14, base - MIDDLE * TEXT)], "muted", 0.8)
        canvas.label((x + 17, base), text, "start", tone)
        told = ", ".join(map(canvas.plain, row))
        canvas.say("The standard deviation of ", *text, f" is {told}.")
    canvas.note("Standard deviations, for entries with mean 0 and variance 1.")


def _apart(bases: Sequence[float], box: Box) -> list[float]:
    """Baselines from the lowest up, moved so far that the lines of text do not touch."""
    lowest, found = box.bottom + 4, []
    for base in bases:
        found.append(min(base, lowest))
        lowest = found[-1] - LINE
    highest = box.top + TEXT
    for i in reversed(range(len(found))):
        found[i] = max(found[i], highest)
        highest = found[i] + LINE
    return found
