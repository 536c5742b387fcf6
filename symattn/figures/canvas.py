"""The sheet that painters draw on: marks, labels, decimals and the words of the description."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import ceil

from symattn.derivation.blocks import Options, decimal_tree
from symattn.derivation.figures import Figure
from symattn.exact.tree import Node
from symattn.exact.vectors import Value
from symattn.figures.letters import Box, Text, width, wrapped
from symattn.figures.scene import Anchor, Item, Label, Path, Point, Scene, Tone
from symattn.render.text import plain_prose

__all__ = ["MARGIN", "MIDDLE", "SMALL", "TEXT", "TINY", "WIDTH", "Canvas"]

#: What fits a telephone, in points; figures grow beyond it only where their numbers need it.
WIDTH = 360.0
MARGIN = 10.0
#: Sizes of text: names, numbers and words, ticks.
TEXT, SMALL, TINY = 14.0, 12.0, 10.5
#: A baseline lies this far below the middle of a line, in parts of its size.
MIDDLE = 0.36


class Canvas:
    """Collects the items of a scene, from top to bottom, and what is said of them."""

    def __init__(self, options: Options) -> None:
        self.options = options
        self.items: list[Item] = []
        self.said: list[str] = []
        self.left_out: list[Text] = []
        self.right = WIDTH
        self.y = MARGIN
        self._decimals: dict[int, tuple[Value, Node, bool]] = {}

    def scene(self, figure: Figure) -> Scene:
        """The scene of a figure, as wide and high as what was drawn."""
        if self.left_out:
            named = [part for text in self.left_out for part in (", ", *text)][1:]
            self.note("There is no room for the names ", *named, ".")
        said = " ".join(self.said)
        width, height = float(ceil(self.right)), float(ceil(self.y + MARGIN))
        return Scene(width, height, figure.title, said, tuple(self.items))

    def say(self, *parts: str | Node) -> None:
        """Add a sentence to the description."""
        self.said.append(plain_prose(parts))

    def reach(self, x: float) -> None:
        """Make the scene so wide that x lies within it."""
        self.right = max(self.right, x + MARGIN)

    # --- marks --------------------------------------------------------------------------------

    def line(
        self,
        points: Iterable[Point],
        tone: Tone,
        width: float = 1.0,
        *,
        dashed: bool = False,
        arrow: bool = False,
    ) -> Path:
        """A line through points."""
        path = Path(tuple(points), tone, width=width, dashed=dashed, arrow=arrow)
        self.items.append(path)
        return path

    def grid_lines(self, box: Box, places: Sequence[float], *, upright: bool) -> None:
        """Faint lines from edge to edge of a rectangle."""
        for at in places:
            ends = (
                ((at, box.top), (at, box.bottom)) if upright else ((box.left, at), (box.right, at))
            )
            self.line(ends, "faint")

    def rectangle(
        self,
        box: Box,
        fill: Tone | None,
        stroke: Tone | None = None,
        *,
        strength: float = 1.0,
        hatched: bool = False,
        width: float = 1.0,
    ) -> None:
        """A rectangle."""
        left, top, right, bottom = box
        corners = ((left, top), (right, top), (right, bottom), (left, bottom))
        self.items.append(
            Path(
                corners,
                stroke,
                fill,
                width,
                closed=True,
                hatched=hatched,
                strength=strength,
            )
        )

    def dot(self, at: Point, tone: Tone, radius: float = 3.0) -> None:
        """A filled circle."""
        x, y = at
        round_ = tuple((x + radius * c, y + radius * s) for c, s in _CIRCLE)
        self.items.append(Path(round_, None, tone, closed=True))

    # --- text ---------------------------------------------------------------------------------

    def label(
        self,
        at: Point,
        text: str | Node | Text,
        anchor: Anchor = "middle",
        tone: Tone = "ink",
        size: float = TEXT,
        *,
        strong: bool = False,
    ) -> None:
        """A line of text with its baseline at a point; nothing for a text without parts."""
        whole = text if isinstance(text, tuple) else (text,)
        if whole:
            self.items.append(Label(at, whole, anchor, tone, size, strong=strong))

    def decimal(
        self,
        at: Point,
        value: Value,
        anchor: Anchor = "middle",
        tone: Tone = "ink",
        size: float = SMALL,
    ) -> None:
        """The decimal of a value."""
        self.items.append(Label(at, self.number(value), anchor, tone, size, decimal=True))

    def number(self, value: Value) -> Text:
        """The decimal of a value as text."""
        return (self._decimal(value)[1],)

    def _decimal(self, value: Value) -> tuple[Value, Node, bool]:
        """A value, its decimal and whether that is the value; made once for each value."""
        found = self._decimals.get(id(value))
        if found is None:
            found = self._decimals[id(value)] = (value, *decimal_tree(value, self.options))
        return found

    def sign(self, value: Value) -> str:
        """What joins a name to the decimal of its value."""
        return "=" if self._decimal(value)[2] else "≈"

    def plain(self, value: Value | None) -> str:
        """The decimal of a value for a sentence; masked where there is none."""
        return "masked" if value is None else plain_prose(self.number(value))

    def stated(self, value: Value) -> str:
        """What is said of a value: that it is its decimal, or is about its decimal."""
        return f"is {'' if self._decimal(value)[2] else 'about '}{self.plain(value)}"

    def heading(self, text: str | Node | Text, x: float = MARGIN) -> None:
        """A line of words above what follows."""
        self.y += SMALL
        self.label((x, self.y), text, "start", "muted", SMALL)
        self.y += 8

    def note(self, *parts: str | Node) -> None:
        """A line of small print, wrapped, that the description has too."""
        self.say(*parts)
        for line in wrapped(parts, SMALL, self.right - 2 * MARGIN):
            self.y += SMALL + 4
            self.label((MARGIN, self.y), line, "start", "muted", SMALL)

    def flow(self, rows: Iterable[Sequence[tuple[Text, bool]]], size: float = SMALL) -> None:
        """Names and decimals one after the other, as many in a line as fit; True: a decimal."""
        x, first = self.right, True
        for parts in rows:
            wide = sum(width(text, size) + GAP * size for text, _ in parts)
            if first or x + wide > self.right - MARGIN:
                x, first = MARGIN, False
                self.y += size + 7
            x = self.spread((x, self.y), parts, "ink", size) + 18
            self.reach(x - 18)

    def spread(
        self, at: Point, parts: Sequence[tuple[Text, bool]], tone: Tone, size: float
    ) -> float:
        """Names and decimals one after the other from a point; returns where they end."""
        x, y = at
        for text, decimal in parts:
            self.items.append(Label((x, y), text, "start", tone, size, decimal=decimal))
            x += width(text, size) + GAP * size
        return x - GAP * size


#: The space between a name and a decimal, in parts of their size.
GAP = 0.32


def _circle() -> tuple[Point, ...]:
    """Points of the unit circle, from rational numbers: ((1 − t²)/(1 + t²), 2t/(1 + t²))."""
    eighth = [((1 - t * t) / (1 + t * t), 2 * t / (1 + t * t)) for t in (0.0, 0.2, 0.5, 0.7)]
    quarter = [*eighth, (1 / 1.4142135623730951, 1 / 1.4142135623730951)]
    quarter += [(s, c) for c, s in eighth[:0:-1]]
    turned = list(quarter)
    for _ in range(3):
        quarter = [(-s, c) for c, s in quarter]
        turned += quarter
    return tuple(turned)


_CIRCLE = _circle()
