"""Text and mathematics as runs of characters, and how much room they take.

Trees are written by the printer for LaTeX, so that names, brackets and signs are chosen in one
place; `runs` then reads the few commands that it writes. Widths are those of DejaVu Sans, which is
wider than the other faces that a reader's machine may choose, so what fits here fits everywhere.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from symattn.exact.tree import Node
from symattn.figures.scene import Label
from symattn.render.latex import to_latex
from symattn.render.names import unicode_name
from symattn.render.text import visible
from symattn.render.unicode import to_unicode

__all__ = ["Box", "Run", "Text", "box", "extent", "runs", "width", "wrapped"]

Text: TypeAlias = "tuple[str | Node, ...]"

#: Widths in hundredths of the size -> the characters that are at most so wide.
_WIDTHS = {
    28: "'ijl",
    32: " ,.IJ·’\u00a0",
    36: "/:;\\f|ι",
    40: "()-[]tᵀ",
    44: "!r",
    48: '"',
    52: "*_`–“”∂°",
    56: "?LcszεζνξΓ",
    60: "Fkvxyγκλυχ",
    64: "$0123456789EPSTYabdeghnopqu{}βδηθμπρστΞΣ√∛∜äöüßéè",
    68: "Kαφψ∑",
    72: "ABCRVXZΔΛÄ",
    76: "HNUΠÜ",
    80: "&DGOQΘΦΨΩÖ",
    84: "#+<=>^w~ω−≈≤≥≠→←↓↑∞±×÷✓",
    88: "M⊤",
    96: "%",
}
_WIDTH = {char: share / 100 for share, chars in _WIDTHS.items() for char in chars}
#: How far a line of text reaches above and below its baseline, in parts of its size.
ASCENT, DESCENT = 0.78, 0.24
#: How much smaller an index is, and how far it is moved down or up.
INDEX_SIZE, DOWN, UP = 0.72, -0.22, 0.36

_TOKENS = re.compile(r"\\[A-Za-z]+|\\.|.", re.DOTALL)
_SIGNS = {
    "to": "→",
    "infty": "∞",
    "partial": "∂",
    "top": "⊤",
    "sum": "∑",
    "lvert": "|",
    "rvert": "|",
    "lbrace": "{",
    "rbrace": "}",
    "%": "%",
    "left": "",
    "right": "",
}
_WORDS = {"cos", "sin", "ln", "sinh", "cosh", "tanh", "max", "min", "lim"}
_UPRIGHT = {"mathrm", "text"}


@dataclass(frozen=True, slots=True)
class Run:
    """Characters of one slant and size; `size` and `rise` are in parts of the label's size."""

    text: str
    italic: bool = False
    size: float = 1.0
    rise: float = 0.0


class Box(NamedTuple):
    """A rectangle by its left, top, right and bottom."""

    left: float
    top: float
    right: float
    bottom: float

    def meets(self, other: Box, gap: float = 0.0) -> bool:
        """Whether two rectangles overlap, or are closer than a gap."""
        return (
            self.left < other.right + gap
            and other.left < self.right + gap
            and self.top < other.bottom + gap
            and other.top < self.bottom + gap
        )


@lru_cache(maxsize=4096)
def runs(text: Text) -> tuple[Run, ...]:
    """The runs of a line of text and mathematics.

    >>> from symattn.exact.tree import Symbol
    >>> ["".join(run.text for run in runs((Symbol(name),))) for name in ("alpha_1_2", "W_Q")]
    ['α1,2', 'WQ']
    """
    found: list[Run] = []
    for part in text:
        found += [Run(visible(part))] if isinstance(part, str) else _mathematics(part)
    return tuple(_joined(found))


def _mathematics(node: Node) -> list[Run]:
    source = to_latex(node, inline=True).replace(r" \cdot ", "·")
    reader = _Reader(_TOKENS.findall(source))
    try:
        return list(reader.until(""))
    except KeyError:
        return [Run(to_unicode(node))]


def _joined(found: Iterable[Run]) -> Iterator[Run]:
    """Neighbours that look alike as one run, and empty ones left out."""
    last: Run | None = None
    for run in found:
        if last is not None and replace(last, text="") == replace(run, text=""):
            last = replace(last, text=last.text + run.text)
            continue
        if last is not None and last.text:
            yield last
        last = run
    if last is not None and last.text:
        yield last


class _Reader:
    """Reads the LaTeX that our printer writes within a sentence.

    A command that is not among them is a `KeyError`.
    """

    def __init__(self, tokens: list[str]) -> None:
        self.tokens = tokens[::-1]

    def until(self, end: str, style: Run = Run("")) -> Iterator[Run]:
        while self.tokens and self.tokens[-1] != end:
            yield from self.one(style)
        if end:
            self.tokens.pop()

    def one(self, style: Run) -> Iterator[Run]:
        token = self.tokens.pop()
        match token:
            case "{":
                yield from self.until("}", style)
            case "_" | "^":
                shift = style.size * (DOWN if token == "_" else UP)
                smaller = replace(style, size=style.size * INDEX_SIZE, rise=style.rise + shift)
                yield from self.one(smaller)
            case "\\sqrt":
                yield from self.root(style)
            case "\\frac":
                above, below = list(self.one(style)), list(self.one(style))
                yield from (*above, replace(style, text="/"), *below)
            case _ if token[0] == "\\":
                yield self.command(token[1:], style)
            case "-":
                yield replace(style, text="−")
            case "~":
                yield replace(style, text=" ")
            case _:
                yield replace(style, text=token, italic=token.isalpha())

    def command(self, name: str, style: Run) -> Run:
        if name in _UPRIGHT:
            self.tokens.pop()
            text = ""
            while (token := self.tokens.pop()) != "}":
                text += " " if token == "~" else token
            return replace(style, text=text)
        letter = unicode_name(name)
        if len(letter) == 1:
            return replace(style, text=letter, italic=name.islower())
        return replace(style, text=name if name in _WORDS else _SIGNS[name])

    def root(self, style: Run) -> Iterator[Run]:
        sign = "√"
        if self.tokens[-1] == "[":
            self.tokens.pop()
            order = "".join(run.text for run in self.until("]"))
            sign = {"3": "∛", "4": "∜"}.get(order, order + "√")
        inside = list(self.one(style))
        shown = "".join(run.text for run in inside)
        single = sum(run.rise == style.rise for run in _joined(inside)) == 1 and shown.isalnum()
        brackets = ("", "") if single else ("(", ")")
        yield replace(style, text=sign + brackets[0])
        yield from inside
        yield replace(style, text=brackets[1])


def width(text: Text, size: float, strong: bool = False) -> float:
    """How wide a line of text is at most."""
    # Bold letters are wider, by a seventh in the mean.
    wide = 1.16 if strong else 1.0
    return size * wide * _ems(text)


@lru_cache(maxsize=4096)
def _ems(text: Text) -> float:
    return sum(run.size * sum(_WIDTH.get(char, 1.0) for char in run.text) for run in runs(text))


def extent(text: Text, size: float) -> tuple[float, float]:
    """How far a line of text reaches above and below its baseline."""
    found = runs(text) or (Run(""),)
    above = max(run.rise + ASCENT * run.size for run in found)
    below = max(DESCENT * run.size - run.rise for run in found)
    return size * above, size * below


def box(label: Label) -> Box:
    """The rectangle that a label takes at most."""
    wide = width(label.text, label.size, label.strong)
    above, below = extent(label.text, label.size)
    x, y = label.at
    left = x - wide * {"start": 0.0, "middle": 0.5, "end": 1.0}[label.anchor]
    return Box(left, y - above, left + wide, y + below)


def wrapped(text: Text, size: float, room: float) -> Iterator[Text]:
    """A sentence in lines that fit; it is broken at spaces, and mathematics is kept whole."""
    words: list[Text] = [()]
    for part in text:
        pieces = part.split(" ") if isinstance(part, str) else [part]
        words[-1] = (*words[-1], pieces[0])
        words += [(piece,) for piece in pieces[1:]]
    line = words[0]
    for word in words[1:]:
        if width((*line, " ", *word), size) > room:
            yield line
            line = word
        else:
            line = (*line, " ", *word)
    yield line
