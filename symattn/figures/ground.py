"""A piece of the plane: its scale, its grid, and arrows with their names on it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import inf

from symattn.derivation.figures import Role, Vector
from symattn.exact.equality import equal
from symattn.exact.numbers import Exact
from symattn.figures.canvas import MARGIN, TEXT, TINY, WIDTH, Canvas, nice_step, relative
from symattn.figures.letters import Box, Text, extent, width
from symattn.figures.place import Placer, unit
from symattn.figures.scene import Point, Tone

__all__ = [
    "LINES",
    "Ground",
    "as_points",
    "draw_arrow",
    "draw_together",
    "lay_ground",
    "name_at",
    "names_together",
]

#: Role -> width of its arrow, and whether it is dashed.
LINES: dict[Role, tuple[float, bool]] = {
    "token": (2.2, False),
    "query": (3.4, False),
    "key": (1.8, False),
    "value": (1.8, False),
    "output": (2.4, True),
}
#: The largest height of a picture and its least, and the room for names around the arrows.
TALL, LOW = 300.0, 130.0
BESIDE, ABOVE = 40.0, 26.0
#: Grid lines are at least so far apart.
SPARSE = 54.0
#: Arrows shorter than this are drawn as a dot.
SHORT = 4.0


@dataclass(frozen=True)
class Ground:
    """Where the origin lies, how long a relative length of 1 is, and the rectangle to draw in."""

    origin: Point
    unit: float
    box: Box

    def at(self, point: Point) -> Point:
        """A point of the plane on the canvas."""
        return self.origin[0] + point[0] * self.unit, self.origin[1] - point[1] * self.unit

    def placer(self) -> Placer:
        """What finds room for names on this ground, off its axes."""
        placer = Placer(self.box)
        (x, y), box = self.origin, self.box
        placer.lines += [((box.left, y), (box.right, y)), ((x, box.top), (x, box.bottom))]
        return placer


def as_points(rows: Sequence[Sequence[Exact]]) -> tuple[list[Point], float]:
    """Vectors of one or two entries as points, the largest entry 1; and its size."""
    flat, top = relative([entry for row in rows for entry in (*row, *_ZEROS[len(row) :])])
    return list(zip(flat[::2], flat[1::2], strict=True)), top


_ZEROS = (Exact({}), Exact({}))


def lay_ground(
    canvas: Canvas,
    points: Iterable[Point],
    top: float,
    left: float = MARGIN,
    wide: float = WIDTH - 2 * MARGIN,
    tall: float = TALL,
) -> Ground:
    """Draw the grid of a plane that holds the origin and the points."""
    xs, ys = zip((0.0, 0.0), *points, strict=True)
    (x0, x1), (y0, y1) = (min(xs), max(xs)), (min(ys), max(ys))
    ticks = 0 < top < inf and wide > 200
    inner = left + (24 if ticks else 0)
    wide -= inner - left
    beside, above = (BESIDE, ABOVE) if wide > 200 else (22.0, 22.0)
    scale = min(
        (wide - 2 * beside) / max(x1 - x0, 1e-9),
        (tall - 2 * above) / max(y1 - y0, 1e-9),
        wide / 1.3,
    )
    high = max(LOW if wide > 200 else tall, (y1 - y0) * scale + 2 * above)
    box = Box(inner, canvas.y, inner + wide, canvas.y + high)
    middle = (box.left + box.right) / 2, (box.top + box.bottom) / 2
    origin = middle[0] - (x0 + x1) / 2 * scale, middle[1] + (y0 + y1) / 2 * scale
    ground = Ground(origin, scale, box)
    _grid(canvas, ground, top, ticks)
    canvas.y = box.bottom + (16 if ticks else 4)
    return ground


def _grid(canvas: Canvas, ground: Ground, top: float, ticks: bool) -> None:
    box, (ox, oy) = ground.box, ground.origin
    if 0 < top < inf:
        span = (box.right - box.left) / ground.unit * top
        step = nice_step(span, int((box.right - box.left) / SPARSE))
        gap = step / top * ground.unit
        for k in range(-int((ox - box.left) / gap), int((box.right - ox) / gap) + 1):
            x = ox + k * gap
            canvas.line([(x, box.top), (x, box.bottom)], "faint")
            if ticks:
                _tick(canvas, (x, box.bottom + 12), k * step, "middle")
        for k in range(-int((box.bottom - oy) / gap), int((oy - box.top) / gap) + 1):
            y = oy - k * gap
            canvas.line([(box.left, y), (box.right, y)], "faint")
            if ticks:
                _tick(canvas, (box.left - 5, y + 0.36 * TINY), k * step, "end")
    canvas.line([(box.left, oy), (box.right, oy)], "muted", 0.8)
    canvas.line([(ox, box.top), (ox, box.bottom)], "muted", 0.8)


def _tick(canvas: Canvas, at: Point, value: float, anchor: str) -> None:
    text = f"{value:.4g}".replace("-", "−").replace("e+0", "e").replace("e−0", "e−")
    canvas.label(at, text, "end" if anchor == "end" else "middle", "muted", TINY)


def draw_arrow(
    canvas: Canvas, placer: Placer, start: Point, end: Point, role: Role, wide: float = 0.0
) -> bool:
    """An arrow, or a dot where it would be too short to be seen; whether it is an arrow."""
    usual, dashed = LINES[role]
    if (end[0] - start[0]) ** 2 + (end[1] - start[1]) ** 2 < SHORT**2:
        canvas.dot(end, role, 3.4)
        placer.block(Box(end[0] - 4, end[1] - 4, end[0] + 4, end[1] + 4))
        return False
    placer.avoid(
        canvas.line([start, end], role, wide or usual, dashed=dashed, arrow=True)
    )
    return True


def draw_together(
    canvas: Canvas, placer: Placer, ground: Ground, vectors: Sequence[Vector], tips: Sequence[Point]
) -> bool:
    """Arrows from the origin, the longest and widest at the bottom; whether all can be seen."""
    order = sorted(
        range(len(vectors)),
        key=lambda i: (-(tips[i][0] ** 2 + tips[i][1] ** 2), -LINES[vectors[i].role][0]),
    )
    seen = True
    for i in order:
        # Where arrows of two roles lie on each other, the lower one is seen on both sides.
        wide = 0.0
        for other in order[order.index(i) + 1 :]:
            if together(tips[i], tips[other]) and vectors[i].role != vectors[other].role:
                wide = 6.0
        drawn = draw_arrow(
            canvas, placer, ground.origin, ground.at(tips[i]), vectors[i].role, wide=wide
        )
        seen &= drawn or is_zero(vectors[i])
    return seen


def together(left: Point, right: Point) -> bool:
    """Whether two points of the plane are seen as one."""
    return abs(left[0] - right[0]) + abs(left[1] - right[1]) < 0.015


def is_zero(vector: Vector) -> bool:
    """Whether all entries of a vector are zero."""
    return all(equal(x, _ZEROS[0]) for x in vector.entries)


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
    same = all(_same(first, other) for other in vectors[1:])
    shown = vectors if len(vectors) <= 4 else (*vectors[:2], vectors[-1])
    parts: list[object] = []
    for i, vector in enumerate(shown):
        between = (" = " if same else ", ") if i else ""
        if i == 2 and len(shown) < len(vectors):
            between += "…" + between
        parts += [between, vector.name]
    if same and is_zero(first):
        parts.append(" = 0")
    return tuple(part for part in parts if part != "")  # type: ignore[arg-type]


def _same(left: Vector, right: Vector) -> bool:
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
    near: float = 0.0,
) -> bool:
    """Write a name at a point; whether there was room for it."""
    above, below = extent(text, size)
    wide = width(text, size)
    place = placer.place(at, unit(*toward), (wide + 2, above + below), near)
    if place is None:
        return False
    middle = (place.left + place.right) / 2
    canvas.label((middle, place.top + above), text, "middle", tone, size)
    # A name that had to go far is led back to its point.
    x, y = min(max(at[0], place.left), place.right), min(max(at[1], place.top), place.bottom)
    if (x - at[0]) ** 2 + (y - at[1]) ** 2 > (22 + near) ** 2:
        canvas.line([(x, y), at], "muted", 0.8)
    return True
