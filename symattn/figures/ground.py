"""A piece of the plane: its scale, its grid, and arrows with their names on it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf

from symattn.derivation.figures import Role, Vector
from symattn.exact.numbers import Exact
from symattn.figures.canvas import MARGIN, MIDDLE, TINY, WIDTH, Canvas
from symattn.figures.letters import Box, width
from symattn.figures.naming import is_zero, together
from symattn.figures.place import Placer
from symattn.figures.scales import nice_step, relative, ticked
from symattn.figures.scene import Path, Point, head

__all__ = [
    "LINES",
    "SHORT",
    "Ground",
    "as_points",
    "draw_arrow",
    "draw_together",
    "lay_ground",
    "tick_row",
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
BESIDE, ABOVE = 48.0, 26.0
#: Grid lines are at least so far apart.
SPARSE = 54.0
#: How wide an arrow is that lies below another one, to be seen on both sides of it.
COVERED = 7.5
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

    def axes(self) -> list[tuple[Point, Point]]:
        """The two axes, from edge to edge."""
        (x, y), box = self.origin, self.box
        return [((box.left, y), (box.right, y)), ((x, box.top), (x, box.bottom))]

    def placer(self) -> Placer:
        """What finds room for names on this ground, off its axes."""
        placer = Placer(self.box)
        placer.lines += self.axes()
        return placer

    def step(self, top: float) -> float:
        """The distance of two grid lines, where a relative length of 1 is one of `top`."""
        wide = self.box.right - self.box.left
        return nice_step(wide / self.unit * top, int(wide / SPARSE))

    def marks(self, step: float) -> tuple[list[int], list[int]]:
        """Which multiples of a relative step lie within the box, to the right and up."""
        (x, y), box, gap = self.origin, self.box, step * self.unit
        return (
            list(range(-int((x - box.left) / gap), int((box.right - x) / gap) + 1)),
            list(range(-int((box.bottom - y) / gap), int((y - box.top) / gap) + 1)),
        )


def as_points(rows: Sequence[Sequence[Exact]]) -> tuple[list[Point], float]:
    """Vectors of one or two entries as points, the largest entry 1; and its size."""
    flat, top = relative([entry for row in rows for entry in (*row, *_ZEROS[len(row) :])])
    return list(zip(flat[::2], flat[1::2], strict=True)), top


_ZEROS = (Exact({}), Exact({}))


def lay_ground(
    canvas: Canvas,
    points: Sequence[Point],
    top: float,
    left: float = MARGIN,
    wide: float = WIDTH - 2 * MARGIN,
    tall: float = TALL,
) -> Ground:
    """Draw the grid of a plane that holds the origin and the points; a small one has no numbers."""
    small = wide < 200
    known = 0 < top < inf
    room = 0.0
    while True:
        ground = _fitted(canvas.y, points, left + room, wide - room, tall, small)
        step = ground.step(top) if known else 0.0
        columns, rows = ground.marks(step / top) if known else ([], [])
        names = [ticked(k * step) for k in rows]
        needed = 0.0 if small else max((width((n,), TINY) for n in names), default=0.0) + 6
        if needed <= room:
            break
        room = needed
    box = ground.box
    canvas.grid_lines(box, [ground.at((k * step / top, 0.0))[0] for k in columns], upright=True)
    canvas.grid_lines(box, [ground.at((0.0, k * step / top))[1] for k in rows], upright=False)
    if not small:
        for k, name in zip(rows, names, strict=True):
            y = ground.at((0.0, k * step / top))[1]
            canvas.label((box.left - 5, y + MIDDLE * TINY), name, "end", "muted", TINY)
        places = [(ground.at((k * step / top, 0.0))[0], ticked(k * step)) for k in columns]
        tick_row(canvas, places, box.bottom + 12)
    for line in ground.axes():
        canvas.line(line, "muted", 0.8)
    canvas.y = box.bottom + (4 if small else 16)
    return ground


def _fitted(
    y: float, points: Sequence[Point], left: float, wide: float, tall: float, small: bool
) -> Ground:
    """The ground on which origin and points fit into a width and a height."""
    xs, ys = zip((0.0, 0.0), *points, strict=True)
    (x0, x1), (y0, y1) = (min(xs), max(xs)), (min(ys), max(ys))
    beside, above = (22.0, 22.0) if small else (BESIDE, ABOVE)
    scale = min(
        (wide - 2 * beside) / max(x1 - x0, 1e-9),
        (tall - 2 * above) / max(y1 - y0, 1e-9),
        wide / 1.3,
    )
    high = tall if small else max(LOW, (y1 - y0) * scale + 2 * above)
    origin = left + (wide - (x0 + x1) * scale) / 2, y + (high + (y0 + y1) * scale) / 2
    return Ground(origin, scale, Box(left, y, left + wide, y + high))


def tick_row(canvas: Canvas, places: Sequence[tuple[float, str]], y: float) -> None:
    """Numbers below a picture, as many as do not touch each other or the edge."""
    end = 0.0
    for x, text in places:
        half = width((text,), TINY) / 2
        if x - half > end and x + half < canvas.right:
            canvas.label((x, y), text, "middle", "muted", TINY)
            end = x + half + 4


def draw_arrow(
    canvas: Canvas, placer: Placer, start: Point, end: Point, role: Role, wide: float = 0.0
) -> bool:
    """An arrow, or a dot where it would be too short to be seen; whether it is an arrow."""
    usual, dashed = LINES[role]
    if (end[0] - start[0]) ** 2 + (end[1] - start[1]) ** 2 < SHORT**2:
        canvas.dot(end, role, 3.4)
        placer.block(Box(end[0] - 4, end[1] - 4, end[0] + 4, end[1] + 4))
        return False
    placer.avoid(canvas.line([start, end], role, wide or usual, dashed=dashed, arrow=True))
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
        role, end = vectors[i].role, ground.at(tips[i])
        covered = any(
            together(tips[i], tips[other]) and role != vectors[other].role
            for other in order[order.index(i) + 1 :]
        )
        drawn = draw_arrow(canvas, placer, ground.origin, end, role, COVERED if covered else 0.0)
        if covered and drawn:
            gap = Path((ground.origin, end), "paper", width=COVERED, arrow=True)
            _, (ax, ay), (bx, by) = head(gap) or (end, end, end)
            canvas.line([ground.origin, ((ax + bx) / 2, (ay + by) / 2)], "paper", COVERED - 3)
        seen &= drawn or is_zero(vectors[i].entries)
    return seen
