"""Figures as data: what a picture shows, with the exact values that the text has too.

A figure is painted by `symattn.figures`, which makes its decimals from these values in the one
place where decimals are made, so that a picture and a sentence show the same digits. Nothing here
knows of colours, pixels or file formats.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias

from symattn.derivation.formats import painter, shown
from symattn.errors import StepError
from symattn.exact.numbers import Exact
from symattn.exact.tree import Node

__all__ = [
    "Curve",
    "Fan",
    "Figure",
    "Grid",
    "Pipeline",
    "Plane",
    "Profile",
    "Profiles",
    "Reordering",
    "Role",
    "ScoreBars",
    "SoftmaxBars",
    "Spread",
    "Stage",
    "TipToTail",
    "Vector",
    "renamed",
]

Row: TypeAlias = tuple[Exact, ...]
#: What a vector is in the formula; painters give each its colour and its line.
Role: TypeAlias = Literal["token", "query", "key", "value", "output"]


@dataclass(frozen=True, repr=False)
class Figure:
    """What all figures have: a name, from which its file is named, and a title.

    Names are letters, digits and hyphens, and differ within one document.
    """

    name: str
    title: str

    def to_svg(self, **options: Any) -> str:
        """The figure as a self-contained SVG document; options: digits, ties."""
        svg: str = painter().to_svg(self, **options)
        return svg

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.name!r}: {self.title}>"

    def _repr_svg_(self) -> str:
        return self.to_svg()

    def _repr_html_(self) -> str:
        return shown(self, "figure_html")

    def _repr_markdown_(self) -> str:
        return shown(self, "figure_markdown")


@dataclass(frozen=True)
class Vector:
    """A named vector, to be drawn as an arrow where it has one or two entries."""

    name: Node
    entries: Row
    role: Role


@dataclass(frozen=True, repr=False)
class Plane(Figure):
    """Arrows from the origin of the plane.

    With `angles`, the angle between the first vector and each of the others is marked. With `hull`,
    the polygon that the values span is filled, and the outputs lie in it.
    """

    vectors: tuple[Vector, ...]
    angles: bool = False
    hull: bool = False


@dataclass(frozen=True, repr=False)
class Fan(Figure):
    """One token that is projected to its query, key and value, each in a plane of its own."""

    token: Vector
    images: tuple[Vector, ...]


@dataclass(frozen=True, repr=False)
class ScoreBars(Figure):
    """The raw scores of one query beside its scaled ones, on one scale."""

    keys: tuple[Node, ...]
    raw: Row
    scaled: Row


@dataclass(frozen=True, repr=False)
class SoftmaxBars(Figure):
    """Scaled scores in, weights out, and the weights stacked to exactly 1.

    `scaled` has None at a masked key, whose weight is 0.
    """

    keys: tuple[Node, ...]
    scaled: tuple[Exact | None, ...]
    weights: Row


@dataclass(frozen=True, repr=False)
class TipToTail(Figure):
    """Each value stretched by its weight, laid tip to tail, and the output from start to end."""

    weights: Row
    values: tuple[Vector, ...]
    output: Vector


@dataclass(frozen=True, repr=False)
class Grid(Figure):
    """A matrix of weights: a row for each query, a column for each key.

    `masked` says where a query may not see a key.
    """

    rows: tuple[Node, ...]
    columns: tuple[Node, ...]
    entries: tuple[Row, ...]
    masked: tuple[tuple[bool, ...], ...] = ()


@dataclass(frozen=True)
class Profile:
    """A row of weights with the words that say which it is."""

    title: str
    labels: tuple[Node, ...]
    entries: Row


@dataclass(frozen=True, repr=False)
class Profiles(Figure):
    """Rows of weights side by side, on one scale."""

    profiles: tuple[Profile, ...]


@dataclass(frozen=True, repr=False)
class Curve(Figure):
    """Functions of one open symbol between two numbers, with points that are marked on them.

    `marks` are values of the symbol, `levels` the limits that the first function goes to.
    """

    symbol: str
    functions: tuple[tuple[Node, Exact], ...]
    low: Exact
    high: Exact
    marks: Row = ()
    levels: Row = ()


@dataclass(frozen=True, repr=False)
class Spread(Figure):
    """The standard deviation of q·k against d_k: raw, over √d_k, and over d_k."""

    dimensions: tuple[int, ...]
    raw: Row
    scaled: Row
    overscaled: Row


@dataclass(frozen=True, repr=False)
class Reordering(Figure):
    """Weights and outputs before and after the tokens are put in another order.

    `order` counts from 1: place i of the new order holds token order[i].
    """

    order: tuple[int, ...]
    tokens: tuple[Node, ...]
    before: tuple[Row, ...]
    after: tuple[Row, ...]
    follows: bool = True


@dataclass(frozen=True)
class Stage:
    """One matrix of the pipeline, and what makes it of the one before; None is masked."""

    name: Node
    entries: tuple[tuple[Exact | None, ...], ...]
    words: str
    operation: Node | None = None


@dataclass(frozen=True, repr=False)
class Pipeline(Figure):
    """The whole formula in one picture: from the inputs over the weights to the outputs."""

    inputs: tuple[Stage, ...]
    middle: tuple[Stage, ...]
    values: Stage
    output: Stage


def renamed(figure: Figure, name: str) -> Figure:
    """The same figure under another name.

    Raises: `StepError` where the name could not name a file.
    """
    if not name or not all(part.isalnum() and part.isascii() for part in name.split("-")):
        raise StepError(f"figure name={name!r}: letters, digits and single hyphens are needed")
    return replace(figure, name=name)
