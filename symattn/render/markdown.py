r"""The document as Markdown with LaTeX mathematics, as GitHub, Jupyter and pandoc render it.

Chains stand in `aligned` blocks between `$$`, with a blank line around them and every `\\` at the
end of its line; prose is escaped, so that a user's title cannot become markup. Figures are files
beside the page, or where there are none, the words for them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from urllib.parse import quote

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
from symattn.figures import describe
from symattn.render.displays import aligned
from symattn.render.latex import to_latex
from symattn.render.text import numbered, visible

__all__ = ["escaped", "render"]

_LABELS = {
    "assumption": "**Assumption.** ",
    "forecast": "**Forecast.** ",
    "note": "**Note.** ",
    "why": "**Why?** ",
    "rule": "**Rule.** ",
    "crosscheck": "> ✓ ",
}
_SPECIAL = re.compile(r"[\\`*_\[\]<>|~&]")
_AT_START = re.compile(r"^(?:[0-9]+(?=[.)])|(?=[-+#=]))")


def render(
    derivation: Derivation,
    *,
    digits: int = 4,
    ties: Ties = "half-up",
    level: Level = Level.NORMAL,
    figures: str | None = None,
) -> str:
    """The document as Markdown.

    `figures` is what stands before `NAME.svg` in the links to figures, such as `page-figures/`.
    """
    options = Options(digits, ties, level)
    return "\n\n".join(_passages(derivation, options, figures)) + "\n"


def _passages(derivation: Derivation, options: Options, figures: str | None) -> Iterator[str]:
    formulas: list[Formula] = []
    for block in blocks(derivation, options):
        if isinstance(block, Formula):
            formulas.append(block)
            continue
        if formulas:
            yield _display(formulas)
            formulas = []
        match block:
            case Heading(depth, text, number):
                yield f"{'#' * min(depth, 6)} {numbered(number)}{escaped(text)}"
            case Paragraph(role, text):
                yield _LABELS.get(role, "") + _prose(text)
            case Checked(claim, method, lines):
                yield f"> ✓ {_prose(claim)} *({escaped(method)})*"
                if lines:
                    yield _display(lines)
            case Picture():
                yield _picture(block, options, figures)
    if formulas:
        yield _display(formulas)


def _picture(picture: Picture, options: Options, figures: str | None) -> str:
    figure, words = picture.figure, escaped(describe(picture.figure, options))
    caption = f"**Figure {picture.number}.** {escaped(figure.title)}"
    if figures is None:
        return f"{caption}. {words}"
    link = quote(f"{figures}{figure.name}.svg", safe="/:")
    return f"![Figure {picture.number}: {escaped(figure.title)}. {words}]({link})\n\n{caption}"


def _display(formulas: Iterable[Formula]) -> str:
    return f"$$\n{aligned(formulas)}\n$$"


def escaped(text: str) -> str:
    r"""Prose in which nothing is markup.

    >>> print(escaped("# a_b costs *$5*"))
    \# a\_b costs \*<span>$</span>5\*
    """
    text = visible(text)
    text = _AT_START.sub(r"\g<0>\\", _SPECIAL.sub(r"\\\g<0>", text))
    return text.replace("$", "<span>$</span>")


def _prose(text: tuple[str | Node, ...]) -> str:
    return "".join(
        escaped(part) if isinstance(part, str) else f"${to_latex(part, inline=True)}$"
        for part in text
    )
