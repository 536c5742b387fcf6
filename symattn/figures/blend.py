"""Values stretched by their weights and laid tip to tail; the output leads from start to end."""

from __future__ import annotations

from symattn.derivation.figures import TipToTail, Vector
from symattn.exact.numbers import Exact, rational
from symattn.exact.tree import Mul, Node, Symbol
from symattn.figures.canvas import Canvas
from symattn.figures.ground import as_points, draw_arrow, lay_ground
from symattn.figures.lanes import Lane, paint_lanes
from symattn.figures.letters import Text
from symattn.figures.naming import is_zero, name_at
from symattn.figures.place import Placer
from symattn.figures.scene import Point, Tone

__all__ = ["paint_blend", "weight_name"]

#: Vectors of more entries are not drawn entry by entry.
MOST_ENTRIES = 6


def paint_blend(canvas: Canvas, figure: TipToTail) -> None:
    """The chain of stretched values, and below it each weight and the output."""
    weights = [weight_name(figure.output, value, j) for j, value in enumerate(figure.values)]
    _say(canvas, figure, weights)
    pieces = [
        tuple(w * x for x in value.entries)
        for w, value in zip(figure.weights, figure.values, strict=True)
    ]
    names: list[Text] = []
    for weight, value, piece in zip(weights, figure.values, pieces, strict=True):
        product: Text = (Mul((weight, value.name)),)
        names.append((*product, " = 0") if is_zero(piece) else product)
    if len(figure.output.entries) == 2:
        _chain(canvas, figure.output, pieces, names)
    else:
        _lanes(canvas, figure.output, pieces, names)
    rows: list[list[tuple[Text, bool]]] = [
        [((name, f" {canvas.sign(w)}"), False), (canvas.number(w), True)]
        for name, w in zip(weights, figure.weights, strict=True)
    ]
    output = figure.output
    name: Text = (output.name, f" {canvas.sign(output.entries)}")
    canvas.flow([*rows, [(name, False), (canvas.number(output.entries), True)]])


def weight_name(output: Vector, value: Vector, j: int) -> Node:
    """The weight of a value in an output: α₂ for z and v₂, α₁,₂ for z₁ and v₂."""
    indices = []
    for vector, usual in ((output, ""), (value, str(j + 1))):
        name = vector.name.name if isinstance(vector.name, Symbol) else ""
        indices.append(name.partition("_")[2] or usual)
    return Symbol("_".join(["alpha", *filter(None, indices)]))


def _say(canvas: Canvas, figure: TipToTail, weights: list[Node]) -> None:
    for name, w, value in zip(weights, figure.weights, figure.values, strict=True):
        stretched = f" {canvas.stated(w)} and stretches the value "
        entries = f", which {canvas.stated(value.entries)}."
        canvas.say("The weight ", name, stretched, value.name, entries)
    total = canvas.stated(figure.output.entries)
    output = figure.output.name, f", which {total}."
    canvas.say("Laid tip to tail, they lead from the origin to the output ", *output)


def _chain(
    canvas: Canvas, output: Vector, pieces: list[tuple[Exact, ...]], names: list[Text]
) -> None:
    moves, top = as_points([*pieces, output.entries])
    corners: list[Point] = [(0.0, 0.0)]
    for x, y in moves[:-1]:
        corners.append((corners[-1][0] + x, corners[-1][1] + y))
    ground = lay_ground(canvas, corners, top)
    placer = ground.placer()
    places = list(map(ground.at, corners))
    drawn = [
        draw_arrow(canvas, placer, start, end, "value") or is_zero(piece)
        for start, end, piece in zip(places, places[1:], pieces, strict=False)
    ]
    draw_arrow(canvas, placer, places[0], places[-1], "output")
    _names(canvas, placer, places, names, (output.name,))
    if not all(drawn):
        canvas.note("A dot stands for a value whose share is too short to be seen.")


def _names(
    canvas: Canvas, placer: Placer, places: list[Point], names: list[Text], output: Text
) -> None:
    """Names beside the middles of the arrows, on the outer side of the chain."""
    count = len(places)
    center = sum(x for x, _ in places) / count, sum(y for _, y in places) / count
    arrows: list[tuple[Point, Point, Text, Tone]] = [(places[0], places[-1], output, "output")]
    for start, end, name in zip(places, places[1:], names, strict=False):
        arrows.append((start, end, name, "value"))
    for (ax, ay), (bx, by), name, tone in arrows:
        middle = (ax + bx) / 2, (ay + by) / 2
        across = (ay - by, bx - ax) if (ax, ay) != (bx, by) else (0.6, -0.8)
        outside = (middle[0] - center[0]) * across[0] + (middle[1] - center[1]) * across[1] >= 0
        toward = across if outside else (-across[0], -across[1])
        name_at(canvas, placer, middle, toward, name, tone)


def _lanes(
    canvas: Canvas, output: Vector, pieces: list[tuple[Exact, ...]], names: list[Text]
) -> None:
    """One coordinate after the other, each as a chain along a line."""
    count = len(output.entries)
    for d in range(min(count, MOST_ENTRIES)):
        if count > 1:
            canvas.heading(f"coordinate {d + 1}")
        lanes, start = [], rational(0)
        for piece, name in zip(pieces, names, strict=True):
            lanes.append(Lane(name, "value", start, start + piece[d]))
            start = start + piece[d]
        paint_lanes(canvas, [*lanes, Lane((output.name,), "output", None, output.entries[d])])
    if count > MOST_ENTRIES:
        canvas.note(f"The first {MOST_ENTRIES} of {count} coordinates are drawn.")
