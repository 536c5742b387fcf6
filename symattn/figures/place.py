"""Where labels go: near what they name, apart from one another, from arrow heads and from lines.

Each label has candidates around its point, the nearest and best aligned first. A label may not
overlap another, an arrow head or the edge; crossing a line costs as much as being farther away.
What finds no place is returned to the painter, which says so beside the picture.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import inf

from symattn.figures.letters import Box
from symattn.figures.scene import Path, Point, head

__all__ = ["FAR", "Placer", "crosses", "hull", "leader", "unit"]

#: Sixteen directions, from rational points of the circle.
_A, _B, _C, _D = 12 / 13, 5 / 13, 0.7071067811865476, 1.0
DIRECTIONS: tuple[Point, ...] = tuple(
    (sx * x, sy * y)
    for x, y in ((_D, 0.0), (_A, _B), (_C, _C), (_B, _A), (0.0, _D))
    for sx in ((1, -1) if x else (1,))
    for sy in ((1, -1) if y else (1,))
)
#: Distances of a label from its point, in points.
RINGS = (4.0, 9.0, 16.0, 26.0, 38.0, 54.0)
#: What a line behind a label costs, a turn by 90° from its direction, and a line that its leader
#: crosses, in points of distance.
CROSSING, TURN, LED = 34.0, 9.0, 12.0
GAP = 2.0
#: A label that is farther from its point is led back to it by a line.
FAR = 20.0


def unit(x: float, y: float) -> Point:
    """The direction of a vector; to the right where it has none."""
    length = (x * x + y * y) ** 0.5
    return (x / length, y / length) if length else (1.0, 0.0)


class Placer:
    """Places labels within bounds."""

    def __init__(self, bounds: Box) -> None:
        self.bounds = bounds
        self.taken: list[Box] = []
        self.lines: list[tuple[Point, Point]] = []

    def avoid(self, path: Path) -> None:
        """Keep labels off a path's arrow head and, where that can be, off its line."""
        self.lines += zip(path.points, path.points[1:], strict=False)
        corners = head(path)
        if corners is not None:
            xs, ys = zip(*corners, strict=True)
            self.block(Box(min(xs), min(ys), max(xs), max(ys)))

    def block(self, box: Box) -> None:
        """Keep labels off a rectangle."""
        self.taken.append(box)

    def place(self, at: Point, toward: Point, size: Point) -> Box | None:
        """The rectangle of a label of a size at a point, or None where there is no room.

        `toward` is the direction in which it should best lie.
        """
        best: Box | None = None
        least = inf
        for ring in RINGS:
            for cost, direction in _turns(toward):
                if ring + cost >= least:
                    break
                box = _beside(at, direction, size, ring)
                if self.is_free(box):
                    cost += ring + CROSSING * sum(crosses(box, line) for line in self.lines)
                    cost += LED * self._crossed(leader(box, at)) if ring > FAR else 0.0
                    if cost < least:
                        best, least = box, cost
        if best is not None:
            self.block(best)
        return best

    def is_free(self, box: Box) -> bool:
        """Whether a rectangle lies within the bounds and touches nothing that is taken."""
        inner = self.bounds
        within = inner.left <= box.left and box.right <= inner.right
        within = within and inner.top <= box.top and box.bottom <= inner.bottom
        return within and not any(box.meets(other, GAP) for other in self.taken)

    def _crossed(self, line: tuple[Point, Point]) -> float:
        """How many lines a line crosses; infinitely many where it meets what is taken."""
        if any(crosses(box, line) for box in self.taken):
            return inf
        return sum(cross(line, other) for other in self.lines)


def leader(box: Box, at: Point) -> tuple[Point, Point]:
    """The shortest line from a rectangle to a point."""
    x, y = at
    return (min(max(x, box.left), box.right), min(max(y, box.top), box.bottom)), at


def cross(first: tuple[Point, Point], second: tuple[Point, Point]) -> bool:
    """Whether each of two lines has the ends of the other on its two sides."""
    return _parts(first, second) and _parts(second, first)


def _parts(line: tuple[Point, Point], other: tuple[Point, Point]) -> bool:
    (ax, ay), (bx, by) = line
    (cx, cy), (dx, dy) = other
    first = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)
    second = (bx - ax) * (dy - ay) - (by - ay) * (dx - ax)
    return first * second < 0


def _turns(toward: Point) -> list[tuple[float, Point]]:
    """The directions, the best aligned first, with what each costs."""
    turns = [(TURN * (1 - x * toward[0] - y * toward[1]), (x, y)) for x, y in DIRECTIONS]
    return sorted(turns)


def _beside(at: Point, direction: Point, size: Point, distance: float) -> Box:
    """A rectangle of a size in a direction from a point, wholly behind a line across it."""
    (x, y), (dx, dy), (wide, high) = at, direction, size
    away = distance + (abs(dx) * wide + abs(dy) * high) / 2
    left, top = x + dx * away - wide / 2, y + dy * away - high / 2
    return Box(left, top, left + wide, top + high)


def crosses(box: Box, line: tuple[Point, Point]) -> bool:
    """Whether a line between two points meets a rectangle (Liang and Barsky's clipping)."""
    (x0, y0), (x1, y1) = line
    low, high = 0.0, 1.0
    for start, step, least, most in (
        (x0, x1 - x0, box.left, box.right),
        (y0, y1 - y0, box.top, box.bottom),
    ):
        if not step:
            if not least <= start <= most:
                return False
            continue
        ends = sorted(((least - start) / step, (most - start) / step))
        low, high = max(low, ends[0]), min(high, ends[1])
        if low > high:
            return False
    return True


def hull(points: Iterable[Point]) -> list[Point]:
    """The corners of the smallest convex polygon around points (Andrew's monotone chain)."""
    ordered = sorted(set(points))
    corners: list[Point] = []
    for sweep in (ordered, ordered[::-1]):
        start = len(corners)
        for x, y in sweep:
            while len(corners) - start >= 2:
                (ax, ay), (bx, by) = corners[-2:]
                if (bx - ax) * (y - ay) - (by - ay) * (x - ax) > 0:
                    break
                corners.pop()
            corners.append((x, y))
        corners.pop()
    return corners or ordered
