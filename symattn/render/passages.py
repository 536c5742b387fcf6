"""The blocks of a document as elements of HTML: sections, paragraphs, chains, checks, pictures."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from html import escape
from itertools import groupby

from symattn.derivation.blocks import (
    Block,
    Checked,
    Formula,
    Heading,
    Options,
    Paragraph,
    Picture,
)
from symattn.exact.tree import Node
from symattn.figures import paint, write_svg
from symattn.render.escapes import FORMULA, scripts, woven
from symattn.render.flow import cornered, display, inline
from symattn.render.text import visible

__all__ = ["Setting", "contents", "escaped", "passages", "sections"]

#: Role of a paragraph -> the word before it.
_LABELS = {"assumption": "Assumption", "note": "Note"}
_MARK = '<span class="mark" role="img" aria-label="Checked:">✓</span>'
#: Signs that stay on the line of the formula before them.
_CLOSING = ".,;:!?)’”"
#: With fewer sections than this, a list of contents is of no use.
_LISTED = 3


@dataclass(frozen=True)
class Setting:
    """How blocks are written: with the LaTeX of formulas or not, and large matrices by corners."""

    options: Options
    sources: bool = True
    corners: bool = False


def contents(headings: Sequence[Heading]) -> str:
    """Links to the sections, where there are several."""
    headings = [heading for heading in headings if heading.depth == 2]
    if len(headings) < _LISTED:
        return ""
    entries = []
    for heading in headings:
        number = f'<span class="number">{heading.number}</span>' if heading.number else ""
        entries.append(f'<li><a href="#{_id(heading)}">{number}{escaped(heading.text)}</a></li>\n')
    return (
        '<nav aria-label="Contents">\n<details>\n<summary>Contents</summary>\n'
        f"<ol>\n{''.join(entries)}</ol>\n</details>\n</nav>\n"
    )


def sections(stream: Iterable[Block], setting: Setting) -> Iterator[str]:
    """The blocks, from each heading on within a section that holds those of greater depth."""
    depths: list[int] = []
    for is_heading, group in groupby(stream, lambda block: isinstance(block, Heading)):
        if not is_heading:
            yield from passages(group, setting)
            continue
        for heading in group:
            assert isinstance(heading, Heading)
            while depths and depths[-1] >= heading.depth:
                depths.pop()
                yield "</section>\n"
            depths.append(heading.depth)
            yield _heading(heading)
    yield "</section>\n" * len(depths)


def _heading(heading: Heading) -> str:
    where, level = _id(heading), min(heading.depth, 6)
    number = f'<a class="number" href="#{where}">{heading.number}</a> ' if heading.number else ""
    return f'<section id="{where}">\n<h{level}>{number}{escaped(heading.text)}</h{level}>\n'


def _id(heading: Heading) -> str:
    if not heading.number:
        return heading.text.lower()
    return f"step-{heading.number.replace('.', '-')}"


def passages(stream: Iterable[Block], setting: Setting) -> Iterator[str]:
    """Blocks without headings; chains that follow each other stand in one display."""
    for is_formula, group in groupby(stream, lambda block: isinstance(block, Formula)):
        if is_formula:
            yield _display([b for b in group if isinstance(b, Formula)], setting)
        else:
            for block in group:
                yield _passage(block, setting)


def _display(formulas: Sequence[Formula], setting: Setting) -> str:
    if setting.corners:
        formulas = list(map(cornered, formulas))
    return display(formulas, source=setting.sources)


def _passage(block: Block, setting: Setting) -> str:
    match block:
        case Paragraph(role, text):
            return _paragraph(role, text)
        case Checked():
            return _checked(block, setting)
        case Picture(figure, number):
            scene = paint(figure, setting.options)
            svg = write_svg(scene, prefix=f"figure-{number}-", embedded=True).strip()
            return (
                f'<figure id="figure-{number}">\n<div class="picture">{svg}</div>\n'
                f"<figcaption><b>Figure {number}.</b> {escaped(figure.title)}</figcaption>\n"
                "</figure>\n"
            )
    raise TypeError(f"{type(block).__name__} is no passage")


def _checked(check: Checked, setting: Setting) -> str:
    how = f'<span class="method">— {_written(check.method)}</span>'
    shown = f'<p class="check">{_MARK}{_prose(check.claim)} {how}</p>\n'
    if not check.lines:
        return shown
    return shown + _folded("symbols", "The check in symbols", _display(check.lines, setting))


def _written(text: str) -> str:
    """Text of ours in which formulas stand as on a keyboard: `e^{x_j}`, `√d_k`, `W_Q`."""
    return woven(text, FORMULA, escaped, _scripts)


def _scripts(match: re.Match[str]) -> str:
    """A letter with its index and its exponent, which may hold such letters again."""
    shown = f"{match['root'] or ''}<i>{match['letter']}</i>"
    for sign, inner in scripts(match):
        tag = "sub" if sign == "_" else "sup"
        shown += f"<{tag}>{_written(inner)}</{tag}>"
    return shown


def _paragraph(role: str, text: Sequence[str | Node]) -> str:
    if role == "rule":
        return f'<p class="rule"><b>Rule.</b> {"".join(_written(str(part)) for part in text)}</p>\n'
    shown = _prose(text)
    match role:
        case "why":
            return _folded("why", "Why?", f"<p>{shown}</p>\n")
        case "crosscheck":
            return f'<p class="check crosscheck">{_MARK}{shown}</p>\n'
        case "forecast":
            asked = f"<p><b>Forecast</b> {shown}</p>"
            return f'<aside class="forecast" aria-label="Forecast">{asked}</aside>\n'
    label = f"<b>{_LABELS[role]}.</b> " if role in _LABELS else ""
    return f'<p class="{role}">{label}{shown}</p>\n'


def _folded(kind: str, summary: str, content: str) -> str:
    return f'<details class="{kind}"><summary>{summary}</summary>\n{content}</details>\n'


def _prose(text: Sequence[str | Node]) -> str:
    """A sentence; a sign that closes it stays with the formula before it."""
    shown: list[str] = []
    for part in text:
        if not isinstance(part, str):
            shown.append(inline(part))
        elif shown and part[:1] and part[0] in _CLOSING:
            word, blank, rest = part.partition(" ")
            shown[-1] = f'<span class="whole">{shown[-1]}{escaped(word)}</span>'
            shown.append(blank + escaped(rest))
        else:
            shown.append(escaped(part))
    return "".join(shown)


def escaped(text: str) -> str:
    """A text as HTML shows it.

    >>> escaped("a < b & c")
    'a &lt; b &amp; c'
    """
    return escape(visible(text), quote=False)
