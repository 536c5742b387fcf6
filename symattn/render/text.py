"""The document as Unicode text for a terminal, 80 columns wide.

`render` gives plain text; `show` writes the same text to a terminal through rich, which makes
headings bold and checks green there and honours NO_COLOR.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from symattn.derivation.blocks import (
    Checked,
    Formula,
    Heading,
    Options,
    Paragraph,
    Picture,
    blocks,
)
from symattn.derivation.model import Derivation, Level
from symattn.exact.rounding import Ties
from symattn.exact.tree import Node
from symattn.render.chains import lay_out
from symattn.render.unicode import to_unicode

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["numbered", "plain_prose", "render", "show", "visible"]

WIDTH = 80
_FORMULA_INDENT = "    "
_UNDERLINES = {1: "═", 2: "─"}
#: Role of a paragraph -> the word before it.
_LABELS = {
    "assumption": "Assumption: ",
    "forecast": "Forecast: ",
    "note": "Note: ",
    "why": "Why: ",
    "rule": "Rule: ",
    "crosscheck": "✓ ",
}
_STYLES = {"check": "green", "crosscheck": "green", "why": "italic", "forecast": "italic"}
#: Mathematics up to this length is kept in one line of a paragraph.
_UNBROKEN = 40
_NO_BREAK = "\u00a0"
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]+")


class Passage(NamedTuple):
    """Lines that belong together, and the style that they have on a terminal."""

    lines: list[str]
    style: str = ""


def render(
    derivation: Derivation,
    *,
    digits: int = 4,
    ties: Ties = "half-up",
    level: Level = Level.NORMAL,
    width: int = WIDTH,
) -> str:
    """The document as plain text, at most `width` columns wide where the numbers allow."""
    passages = _passages(derivation, Options(digits, ties, level), width)
    return "\n\n".join("\n".join(passage.lines) for passage in passages) + "\n"


def show(
    derivation: Derivation,
    console: Console | None = None,
    *,
    digits: int = 4,
    ties: Ties = "half-up",
    level: Level = Level.NORMAL,
) -> None:
    """Write the document to a console: with styles on a terminal, plain to anything else."""
    from rich.console import Console
    from rich.text import Text

    console = console or Console()
    passages = _passages(derivation, Options(digits, ties, level), WIDTH)
    for count, passage in enumerate(passages):
        if count:
            console.out()
        text = Text("\n".join(passage.lines), passage.style)
        console.print(text, soft_wrap=True, highlight=False)


def _passages(derivation: Derivation, options: Options, width: int) -> Iterator[Passage]:
    chains: list[list[str]] = []
    for block in blocks(derivation, options):
        if isinstance(block, Formula):
            chains.append(_indented(lay_out(block, width - len(_FORMULA_INDENT))))
            continue
        yield from _formulas(chains)
        chains = []
        match block:
            case Heading():
                yield _heading(block, width)
            case Paragraph(role, text):
                yield Passage(_paragraph(role, text, width), _STYLES.get(role, ""))
            case Checked():
                yield from _check(block, width)
            case Picture():
                yield Passage(_picture(block, options, width))
    yield from _formulas(chains)


def _indented(lines: list[str]) -> list[str]:
    return [(_FORMULA_INDENT + line).rstrip() for line in lines]


def _formulas(chains: list[list[str]]) -> Iterator[Passage]:
    """Chains of one line stand close together, taller ones apart."""
    together: list[str] = []
    for chain in chains:
        if len(chain) == 1:
            together += chain
            continue
        if together:
            yield Passage(together)
            together = []
        yield Passage(chain)
    if together:
        yield Passage(together)


def _heading(heading: Heading, width: int) -> Passage:
    lines = _wrapped(numbered(heading.number) + visible(heading.text), width, "")
    if heading.depth in _UNDERLINES:
        lines.append(_UNDERLINES[heading.depth] * max(map(len, lines), default=1))
    return Passage(lines, "bold")


def numbered(number: str) -> str:
    """The number of a step as it stands before its title: `2. ` or `2.1 `."""
    return number and (f"{number} " if "." in number else f"{number}. ")


def _paragraph(role: str, text: tuple[str | Node, ...], width: int) -> list[str]:
    label = _LABELS.get(role, "")
    return _wrapped(label + plain_prose(text, unbroken=True), width, " " * len(label))


def _wrapped(text: str, width: int, indent: str) -> list[str]:
    lines = textwrap.wrap(
        text, width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )
    return [line.replace(_NO_BREAK, " ") for line in lines]


def plain_prose(text: tuple[str | Node, ...], *, unbroken: bool = False) -> str:
    """Prose as Unicode text; `unbroken` puts no-break spaces into its shorter formulas."""
    return "".join(
        visible(part) if isinstance(part, str) else _inline(part, unbroken) for part in text
    )


def visible(text: str) -> str:
    """A user's text without line breaks and signs that would steer a terminal."""
    return _CONTROL.sub(" ", text)


def _inline(node: Node, unbroken: bool) -> str:
    shown = to_unicode(node)
    return shown.replace(" ", _NO_BREAK) if unbroken and len(shown) <= _UNBROKEN else shown


def _picture(picture: Picture, options: Options, width: int) -> list[str]:
    """A line for a figure; at full level, what is seen on it."""
    text = f"[Figure {picture.number}: {visible(picture.figure.title)}]"
    if options.level == Level.FULL:
        from symattn.figures import describe

        text += f" {visible(describe(picture.figure, options))}"
    return _wrapped(text, width, "  ")


def _check(check: Checked, width: int) -> Iterator[Passage]:
    text = f"✓ {plain_prose(check.claim, unbroken=True)} ({visible(check.method)})"
    yield Passage(_wrapped(text, width, "  "), "green")
    yield from _formulas([_indented(lay_out(line, width - 4)) for line in check.lines])
