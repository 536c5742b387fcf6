"""What a picture is made of: a few marks in a coordinate system of their own.

x runs to the right and y down, in points of which 16 are the height of the text. A scene knows
roles (`query`, `weight`, `muted`), not colours: the writers in `svg` and `tikz` give each role its
colour, dark and light, its line and its hatching.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from symattn.exact.tree import Node

__all__ = ["Anchor", "Item", "Label", "Path", "Point", "Scene", "Tone"]

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

    `strength` is how much of the fill's tone is seen, from 0 to 1.
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
