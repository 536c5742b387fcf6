"""What a picture is made of: a few marks in a coordinate system of their own.

x runs to the right and y down, in points of which 16 are the height of the text. A scene knows
roles (`query`, `weight`, `muted`), not colours: the writers in `svg` and `tikz` give each role its
colour, dark and light, its line and its hatching.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import Literal, TypeAlias

from symattn.exact.tree import Node

__all__ = ["Anchor", "Item", "Label", "Path", "Point", "Scene", "Tone", "head"]

Point: TypeAlias = tuple[float, float]
Anchor: TypeAlias = Literal["start", "middle", "end"]
#: token, query, key, value, output: the vectors; weight and score: bars and cells; ink: text and
#: outlines; muted: axes and lesser text; faint: grid lines; paper: the background, to write on a
#: dark mark.
Tone: TypeAlias = Literal[
    "token", "query", "key", "value", "output", "weight", "score", "ink", "muted", "faint", "paper"
]


@dataclass(frozen=True)
class Path:
    """A line through points: open or closed, stroked or filled, with an arrow head at its end.

    `strength` is how much of the fill's tone is seen, from 0 to 1; of a line without a fill, how
    much of its stroke. Lines end flat at their last point, corners are sharp.
    """

    points: tuple[Point, ...]
    stroke: Tone | None = None
    fill: Tone | None = None
    width: float = 1.5
    dashed: bool = False
    closed: bool = False
    arrow: bool = False
    hatched: bool = False
    strength: float = 1.0


@dataclass(frozen=True)
class Label:
    """A line of text and mathematics with its baseline at a point.

    `decimal` says that it is the decimal of an exact value, which the text shows as well.
    """

    at: Point
    text: tuple[str | Node, ...]
    anchor: Anchor = "middle"
    tone: Tone = "ink"
    size: float = 14.0
    decimal: bool = False
    strong: bool = False


Item: TypeAlias = Path | Label


@dataclass(frozen=True)
class Scene:
    """A picture with the words that stand for it where it cannot be seen."""

    width: float
    height: float
    title: str
    description: str
    items: tuple[Item, ...]


def head(path: Path) -> tuple[Point, Point, Point] | None:
    """The arrow head of a path, tip first; None where it has none or its last piece no length.

    It is 8 points long and more at a wide line, but never longer than two thirds of the last piece.
    """
    if not path.arrow or len(path.points) < 2:
        return None
    (x0, y0), (x1, y1) = path.points[-2:]
    dx, dy = x1 - x0, y1 - y0
    length = sqrt(dx * dx + dy * dy)
    if not length:
        return None
    long = min(5 + 2.2 * path.width, 2 * length / 3)
    ux, uy = dx / length * long, dy / length * long
    bx, by = x1 - ux, y1 - uy
    half = 0.42
    return (x1, y1), (bx - half * uy, by + half * ux), (bx + half * uy, by - half * ux)
