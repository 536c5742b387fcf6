"""Names beside arrows: those of arrows that end at one place are one name."""

from __future__ import annotations

from collections.abc import Sequence

from symattn.derivation.figures import Vector
from symattn.exact.equality import equal
from symattn.exact.numbers import Exact
from symattn.figures.canvas import TEXT, Canvas
from symattn.figures.letters import Text, extent, width
from symattn.figures.place import FAR, Placer, leader, unit
from symattn.figures.scene import Point, Tone

__all__ = ["is_zero", "name_at", "names_together", "outward", "same", "together"]

_ZERO = Exact({})


def together(left: Point, right: Point) -> bool:
    """Whether two points of the plane are seen as one."""
    return abs(left[0] - right[0]) + abs(left[1] - right[1]) < 0.015


def is_zero(entries: Sequence[Exact]) -> bool:
    """Whether all entries are zero."""
    return all(equal(x, _ZERO) for x in entries)


def outward(vector: Vector, tip: Point) -> Point:
    """Where the name of an arrow stands from its tip: further along, or up and right of a dot."""
    return (0.6, -0.8) if is_zero(vector.entries) else (tip[0], -tip[1])


def names_together(
    vectors: Sequence[Vector], tips: Sequence[Point]
) -> list[tuple[Text, Tone, int]]:
    """The names at each place where arrows end, their tone, and the first vector that ends there.

    Equal vectors are joined by `=`, others that end within a few points of each other by a comma.
    """
    groups: list[list[int]] = []
    for i, tip in enumerate(tips):
        for group in groups:
            if together(tips[group[0]], tip):
                group.append(i)
                break
        else:
            groups.append([i])
    found: list[tuple[Text, Tone, int]] = []
    for group in groups:
        roles = {vectors[i].role for i in group}
        tone: Tone = vectors[group[0]].role if len(roles) == 1 else "ink"
        found.append((_joined([vectors[i] for i in group]), tone, group[0]))
    return found


def _joined(vectors: Sequence[Vector]) -> Text:
    first = vectors[0]
    alike = all(same(first, other) for other in vectors[1:])
    shown = vectors if len(vectors) <= 4 else (*vectors[:2], vectors[-1])
    parts: Text = ()
    for i, vector in enumerate(shown):
        between = (" = " if alike else ", ") if i else ""
        if i == 2 and len(shown) < len(vectors):
            between += "…" + between
        parts = (*parts, between, vector.name) if i else (vector.name,)
    return (*parts, " = 0") if alike and is_zero(first.entries) else parts


def same(left: Vector, right: Vector) -> bool:
    """Whether two vectors are equal."""
    if len(left.entries) != len(right.entries):
        return False
    pairs = zip(left.entries, right.entries, strict=True)
    return left.entries == right.entries or all(equal(a, b) for a, b in pairs)


def name_at(
    canvas: Canvas,
    placer: Placer,
    at: Point,
    toward: Point,
    text: Text,
    tone: Tone,
    size: float = TEXT,
) -> None:
    """Write a name at a point; where there is no room, the figure says so below."""
    above, below = extent(text, size)
    wide = width(text, size)
    place = placer.place(at, unit(*toward), (wide + 2, above + below))
    if place is None:
        canvas.left_out.append(text)
        return
    middle = (place.left + place.right) / 2
    canvas.label((middle, place.top + above), text, "middle", tone, size)
    line = leader(place, at)
    if (line[0][0] - at[0]) ** 2 + (line[0][1] - at[1]) ** 2 > FAR**2:
        canvas.line(line, "muted", 0.8)
