"""The angle between one arrow and others: an arc, or a small square where it is right.

Angles whose cosine is that of a whole part of 180° are named in degrees, decided exactly; of the
others the cosine is given below the picture.
"""

from __future__ import annotations

from collections.abc import Sequence

from symattn.derivation.figures import Vector
from symattn.exact.equality import equal
from symattn.exact.functions import root, sign
from symattn.exact.numbers import Exact, dot, rational
from symattn.exact.tree import Node, Symbol
from symattn.figures.canvas import SMALL, Canvas
from symattn.figures.ground import Ground, is_zero, name_at
from symattn.figures.letters import Text
from symattn.figures.place import Placer, unit
from symattn.figures.scene import Point

__all__ = ["cosine", "degrees", "mark_angles"]

#: The square of the cosine in quarters -> the angle below 90°, and its complement above.
_WHOLE = {0: (90, 90), 1: (60, 120), 2: (45, 135), 3: (30, 150), 4: (0, 180)}


def mark_angles(
    canvas: Canvas, placer: Placer, ground: Ground, vectors: Sequence[Vector], tips: Sequence[Point]
) -> None:
    """Mark the angle between the first vector and each of the others."""
    first, *others = vectors
    if is_zero(first):
        canvas.say("A zero vector has no direction, so no angle is marked.")
        return
    rows: list[Sequence[tuple[Text, bool]]] = []
    radius = 20.0
    for other, tip in zip(others, tips[1:], strict=True):
        if is_zero(other):
            continue
        theta = angle_name(other.name)
        c = cosine(first.entries, other.entries)
        whole = degrees(c)
        if whole is None:
            text: Text = ("cos ", theta, f" {canvas.sign(c)}")
            rows.append([(text, False), (canvas.number(c), True)])
            canvas.say("The cosine of the angle between", first.name, "and", other.name, "is")
            canvas.said[-1] += f" {canvas.stated(c)}."
        else:
            canvas.say("The angle between ", first.name, " and ", other.name, f" is {whole}°.")
        if whole == 0:
            continue
        shown: Text = (theta,) if whole is None else (f"{whole}°",)
        _arc(canvas, placer, ground, unit(*tips[0]), unit(*tip), radius, shown, whole == 90)
        radius += 9.0
    canvas.flow(rows)


def _arc(
    canvas: Canvas,
    placer: Placer,
    ground: Ground,
    start: Point,
    end: Point,
    radius: float,
    text: Text,
    right: bool,
) -> None:
    ox, oy = ground.origin
    points = [start, (start[0] + end[0], start[1] + end[1]), end] if right else _sweep(start, end)
    radius = 0.7 * radius if right else radius
    path = canvas.line([(ox + radius * x, oy - radius * y) for x, y in points], "ink", 1.1)
    placer.lines += zip(path.points, path.points[1:], strict=False)
    x, y = unit(*points[len(points) // 2])
    name_at(canvas, placer, path.points[len(points) // 2], (x, -y), text, "ink", SMALL)


def _sweep(start: Point, end: Point, depth: int = 4) -> list[Point]:
    """Directions from one to another, each the middle of its neighbours."""
    x, y = start[0] + end[0], start[1] + end[1]
    middle = unit(x, y) if x * x + y * y > 1e-12 else (-start[1], start[0])
    if not depth:
        return [start, end]
    return _sweep(start, middle, depth - 1)[:-1] + _sweep(middle, end, depth - 1)


def cosine(left: Sequence[Exact], right: Sequence[Exact]) -> Exact:
    """The cosine of the angle between two vectors that are not zero."""
    return dot(left, right) / root(dot(left, left) * dot(right, right), 2)


def degrees(c: Exact) -> int | None:
    """The angle in degrees where it is 0, 30, 45, 60, 90 or one of these less than 180."""
    for quarters, (acute, obtuse) in _WHOLE.items():
        if equal(c * c, rational(quarters, 4)):
            return acute if sign(c) >= 0 else obtuse
    return None


def angle_name(name: Node) -> Node:
    """θ with the index of a vector's name."""
    _, joint, index = name.name.partition("_") if isinstance(name, Symbol) else ("", "", "")
    return Symbol(f"theta{joint}{index}")
