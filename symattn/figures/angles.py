"""The angle between one arrow and others: an arc, or a small square where it is right.

Angles whose cosine is that of a whole part of 180° are named in degrees, decided exactly; of the
others the cosine is given below the picture.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from flint import fmpq

from symattn.derivation.figures import Vector
from symattn.exact.equality import equal
from symattn.exact.functions import root, sign
from symattn.exact.numbers import Exact, dot, rational
from symattn.exact.rounding import nearest_float
from symattn.exact.tree import Node, Symbol
from symattn.figures.canvas import Canvas
from symattn.figures.ground import Ground
from symattn.figures.letters import Text
from symattn.figures.naming import is_zero, same
from symattn.figures.place import Placer, unit
from symattn.figures.scene import Point

__all__ = ["Mark", "cosine", "degrees", "draw_angles"]

#: The square of the cosine in quarters -> the angle below 90°, and its complement above.
_WHOLE = {0: (90, 90), 1: (60, 120), 2: (45, 135), 3: (30, 150), 4: (0, 180)}


@dataclass(frozen=True)
class Mark:
    """An angle that is drawn: where its name goes, in which direction, and what is said of it."""

    at: Point
    toward: Point
    name: Text


def draw_angles(
    canvas: Canvas, placer: Placer, ground: Ground, vectors: Sequence[Vector], tips: Sequence[Point]
) -> tuple[list[Mark], list[list[tuple[Text, bool]]]]:
    """Draw the angle between the first vector and each of the others.

    Returns what is still to be named, and the cosines to be listed.
    """
    first, *others = vectors
    marks: list[Mark] = []
    rows: dict[int, list[tuple[Text, bool]]] = {}
    if is_zero(first.entries):
        canvas.say("A zero vector has no direction, so no angle is marked.")
        return marks, []
    found = [(cosine(first.entries, others[group[0]].entries), group) for group in _groups(others)]
    # The widest angles have the smallest arcs, so that the others have their names outside.
    for c, group in sorted(found, key=lambda pair: nearest_float(pair[0])):
        whole = degrees(c)
        thetas = [angle_name(others[j].name) for j in group]
        _say(canvas, first, [others[j] for j in group], c, whole)
        if whole is None:
            text = [part for theta in thetas for part in (" = ", "cos ", theta)][1:]
            stated: Text = (*text, f" {canvas.sign(c)}")
            rows[group[0]] = [(stated, False), (canvas.number(c), True)]
        if whole != 0:
            name = [part for theta in thetas for part in (" = ", theta)][1:]
            shown: Text = tuple(name) if whole is None else (f"{whole}°",)
            ends = unit(*tips[0]), unit(*tips[group[0] + 1])
            radius = 20.0 + 9.0 * len(marks)
            marks.append(_arc(canvas, placer, ground, ends, radius, shown, whole == 90))
    return marks, [rows[j] for j in sorted(rows)]


def _groups(vectors: Sequence[Vector]) -> list[list[int]]:
    """Vectors that are not zero, equal ones together."""
    groups: list[list[int]] = []
    for j, vector in enumerate(vectors):
        twin = next((group for group in groups if same(vectors[group[0]], vector)), None)
        if twin is not None:
            twin.append(j)
        elif not is_zero(vector.entries):
            groups.append([j])
    return groups


def _say(
    canvas: Canvas, first: Vector, others: Sequence[Vector], c: Exact, whole: int | None
) -> None:
    for other in others:
        if whole is None:
            parts = "The cosine of the angle between ", f" is {canvas.plain(c)}."
        else:
            parts = "The angle between ", f" is {whole}°."
        canvas.say(parts[0], first.name, " and ", other.name, parts[1])


def _arc(
    canvas: Canvas,
    placer: Placer,
    ground: Ground,
    ends: tuple[Point, Point],
    radius: float,
    name: Text,
    right: bool,
) -> Mark:
    (ox, oy), (start, end) = ground.origin, ends
    points = [start, (start[0] + end[0], start[1] + end[1]), end] if right else _sweep(start, end)
    radius = min(0.7 * radius if right else radius, *_reach(ground, points))
    path = canvas.line([(ox + radius * x, oy - radius * y) for x, y in points], "ink", 1.1)
    placer.avoid(path)
    middle = len(points) // 2
    x, y = unit(*points[middle])
    return Mark(path.points[middle], (x, -y), name)


def _reach(ground: Ground, directions: Sequence[Point]) -> Iterator[float]:
    """How far from the origin the ground goes in each direction."""
    (ox, oy), box = ground.origin, ground.box
    for x, y in directions:
        if x:
            yield ((box.right if x > 0 else box.left) - ox) / x - 2
        if y:
            yield (oy - (box.top if y > 0 else box.bottom)) / y - 2


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
    square = c * c
    ratio = square.as_rational()
    for quarters, (acute, obtuse) in _WHOLE.items():
        if ratio == fmpq(quarters, 4) or (ratio is None and equal(square, rational(quarters, 4))):
            return acute if sign(c) >= 0 else obtuse
    return None


def angle_name(name: Node) -> Node:
    """θ with the index of a vector's name."""
    _, joint, index = name.name.partition("_") if isinstance(name, Symbol) else ("", "", "")
    return Symbol(f"theta{joint}{index}")
