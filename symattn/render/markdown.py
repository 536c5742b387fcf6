r"""The document as Markdown with LaTeX mathematics, as GitHub, Jupyter and pandoc render it.

Chains stand in `aligned` blocks between `$$`, with a blank line around them and every `\\` at the
end of its line; prose is escaped, so that a user's title cannot become markup.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from symattn.derivation.blocks import (
    Block,
    Checked,
    Formula,
    Heading,
    Options,
    Paragraph,
    blocks,
)
from symattn.derivation.model import Derivation, Level
from symattn.exact.rounding import Ties
from symattn.exact.tree import Node
from symattn.render.conditions import latex_condition
from symattn.render.latex import to_latex
from symattn.render.names import RELATIONS
from symattn.render.text import numbered
from symattn.render.unicode import to_unicode

__all__ = ["aligned", "escaped", "render"]

_LABELS = {
    "assumption": "**Assumption.** ",
    "forecast": "**Forecast.** ",
    "note": "**Note.** ",
    "why": "**Why?** ",
    "rule": "**Rule.** ",
    "crosscheck": "> ✓ ",
}
#: A chain of more columns than this, as text, has a line for each relation.
_LONGEST_CHAIN = 64
_SPECIAL = re.compile(r"[\\`*_\[\]<>|~&]")
_AT_START = re.compile(r"^(?:[0-9]+(?=[.)])|(?=[-+#=]))")


def render(
    derivation: Derivation,
    *,
    digits: int = 4,
    ties: Ties = "half-up",
    level: Level = Level.NORMAL,
) -> str:
    """The document as Markdown."""
    stream = blocks(derivation, Options(digits, ties, level))
    return "\n\n".join(_passages(stream)) + "\n"


def _passages(stream: Iterator[Block]) -> Iterator[str]:
    formulas: list[Formula] = []
    for block in stream:
        if isinstance(block, Formula):
            formulas.append(block)
            continue
        if formulas:
            yield aligned(formulas)
            formulas = []
        match block:
            case Heading(depth, text, number):
                yield f"{'#' * min(depth, 6)} {numbered(number)}{escaped(text)}"
            case Paragraph(role, text):
                yield _LABELS.get(role, "") + _prose(text)
            case Checked(claim, method, lines):
                yield f"> ✓ {_prose(claim)} *({escaped(method)})*"
                if lines:
                    yield aligned(lines)
    if formulas:
        yield aligned(formulas)


def escaped(text: str) -> str:
    r"""Prose in which nothing is markup.

    >>> print(escaped("# a_b costs *$5*"))
    \# a\_b costs \*<span>$</span>5\*
    """
    text = _AT_START.sub(r"\g<0>\\", _SPECIAL.sub(r"\\\g<0>", text))
    return text.replace("$", "<span>$</span>")


def _prose(text: tuple[str | Node, ...]) -> str:
    shown = (escaped(part) if isinstance(part, str) else _inline(part) for part in text)
    return "".join(shown)


def _inline(node: Node) -> str:
    return f"${to_latex(node, inline=True)}$"


def aligned(formulas: tuple[Formula, ...] | list[Formula]) -> str:
    """Chains in one display, aligned at their first relations."""
    rows = [row for formula in formulas for row in _rows(formula)]
    body = " \\\\\n".join(rows)
    return f"$$\n\\begin{{aligned}}\n{body}\n\\end{{aligned}}\n$$"


def _rows(formula: Formula) -> list[str]:
    """The chain in one row, or in one for each relation where it is long."""
    sides = [to_unicode(side) for side in (formula.first, *(side for _, side in formula.links))]
    long = sum(len(side) + 3 for side in sides) > _LONGEST_CHAIN
    rows = [to_latex(formula.first)]
    for count, (relation, side) in enumerate(formula.links):
        sign = RELATIONS[relation][1]
        if count and long and sign != r"\approx":
            rows.append(f"&{sign} {to_latex(side)}")
        else:
            rows[-1] += f" {'' if count else '&'}{sign} {to_latex(side)}"
    if formula.condition:
        rows[-1] += rf" \qquad ({latex_condition(formula.condition)})"
    return rows
