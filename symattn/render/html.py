"""The document as one page of HTML that loads nothing: MathML, pictures, styles and its own font.

A page is a header, the contents, a section with an id for each step, and a footer. It needs no
script: "why?", the LaTeX of formulas and the checks in symbols are elements `details`.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from html import escape
from importlib import resources
from itertools import groupby

from symattn import __version__
from symattn.derivation.blocks import (
    Block,
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
from symattn.figures import paint, write_svg
from symattn.render import fonts
from symattn.render.flow import display, inline
from symattn.render.text import plain_prose, visible

__all__ = ["render"]

_KINDS = {"theorem": "A theorem of attention", "problem": "A worked problem"}
#: Role of a paragraph -> the word before it.
_LABELS = {
    "assumption": "Assumption",
    "forecast": "Forecast",
    "note": "Note",
    "rule": "Rule",
}
#: Signs that stay on the line of the formula before them.
_CLOSING = ".,;:!?)’”"
_DESCRIBED = 160
#: With fewer sections than this, a list of contents is of no use.
_LISTED = 3
_NOTICE = (
    "<!-- The embedded font is a part of STIX Two Math, Copyright 2001-2020 The STIX Fonts Project"
    " Authors\n(https://github.com/stipub/stixfonts), under the SIL Open Font License, Version 1.1:"
    " https://openfontlicense.org -->\n"
)


def render(
    derivation: Derivation,
    *,
    digits: int = 4,
    ties: Ties = "half-up",
    level: Level = Level.NORMAL,
) -> str:
    """The document as one self-contained page."""
    options = Options(digits, ties, level)
    title, *stream = blocks(derivation, options)
    assert isinstance(title, Heading)
    lead = [block for block in stream[:1] if isinstance(block, Paragraph)]
    last = [block for block in stream[-1:] if _role(block) == "crosscheck"]
    stream = stream[len(lead) : len(stream) - len(last)]
    name = _escaped(title.text)
    body = (
        f'<header>\n<p class="kind">{_KINDS[derivation.kind]}</p>\n<h1>{name}</h1>\n'
        f"{_passages(lead, options)}</header>\n{_contents(stream)}"
        f"<main>\n{''.join(_sections(stream, options))}{_passages(last, options)}</main>\n"
    )
    about = plain_prose(lead[0].text) if lead else title.text
    return _page(name, about, body)


def _page(name: str, about: str, body: str) -> str:
    """The page around its body."""
    style = resources.files(__package__).joinpath("page.css").read_text("utf-8")
    font = fonts.face(body)
    if not font:
        warnings.warn(fonts.MISSING, stacklevel=3)
    about = about if len(about) <= _DESCRIBED else f"{about[:_DESCRIBED].rsplit(' ', 1)[0]} …"
    set_in = ' Mathematics is set in <a href="https://www.stixfonts.org">STIX Two Math</a>.'
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        f"<title>{name}</title>\n"
        f'<meta name="description" content="{escape(visible(about))}">\n'
        f'<meta name="generator" content="symattn {__version__}">\n'
        f"{_NOTICE if font else ''}<style>\n{font}\n{style}</style>\n</head>\n<body>\n{body}"
        f"<footer>\n<p>Made by symattn {__version__}: every step was checked when it was built, and"
        f" every decimal is proved to be rounded correctly.{set_in if font else ''}</p>\n"
        "</footer>\n</body>\n</html>\n"
    )


def _contents(stream: Sequence[Block]) -> str:
    """Links to the sections, where there are several."""
    sections = [b for b in stream if isinstance(b, Heading) and b.depth == 2]
    if len(sections) < _LISTED:
        return ""
    entries = "".join(
        f'<li><a href="#{_id(heading)}">{_number(heading)}{_escaped(heading.text)}</a></li>\n'
        for heading in sections
    )
    return (
        '<nav aria-label="Contents">\n<details>\n<summary>Contents</summary>\n'
        f"<ol>\n{entries}</ol>\n</details>\n</nav>\n"
    )


def _sections(stream: Sequence[Block], options: Options) -> Iterator[str]:
    """The blocks, from each heading on within a section that holds those of greater depth."""
    depths: list[int] = []
    for is_heading, group in groupby(stream, lambda block: isinstance(block, Heading)):
        for heading in group if is_heading else ():
            assert isinstance(heading, Heading)
            while depths and depths[-1] >= heading.depth:
                depths.pop()
                yield "</section>\n"
            depths.append(heading.depth)
            yield _heading(heading)
        if not is_heading:
            yield _passages(list(group), options)
    yield "</section>\n" * len(depths)


def _heading(heading: Heading) -> str:
    where, level = _id(heading), min(heading.depth, 6)
    number = f'<a class="number" href="#{where}">{heading.number}</a> ' if heading.number else ""
    kind = "step" if heading.number else where
    return (
        f'<section id="{where}" class="{kind}">\n'
        f"<h{level}>{number}{_escaped(heading.text)}</h{level}>\n"
    )


def _id(heading: Heading) -> str:
    if not heading.number:
        return heading.text.lower()
    return f"step-{heading.number.replace('.', '-')}"


def _number(heading: Heading) -> str:
    return f'<span class="number">{heading.number}</span> ' if heading.number else ""


def _passages(stream: Sequence[Block], options: Options) -> str:
    """Blocks without headings; chains that follow each other stand in one display."""
    passages: list[str] = []
    for is_formula, group in groupby(stream, lambda block: isinstance(block, Formula)):
        if is_formula:
            passages.append(display([block for block in group if isinstance(block, Formula)]))
        else:
            passages += (_passage(block, options) for block in group)
    return "".join(passages)


def _passage(block: Block, options: Options) -> str:
    match block:
        case Paragraph(role, text):
            return _paragraph(role, text)
        case Checked(claim, method, lines):
            how = f'<span class="method">{_escaped(method)}</span>'
            shown = f'<p class="check">{_MARK}{_prose(claim)} <span class="by">—</span> {how}</p>\n'
            return shown + (
                _folded("symbols", "The check in symbols", display(lines)) if lines else ""
            )
        case Picture(figure, number):
            svg = write_svg(paint(figure, options), prefix=f"figure-{number}-", embedded=True)
            caption = f"<b>Figure {number}.</b> {_escaped(figure.title)}"
            return (
                f'<figure id="figure-{number}">\n<div class="picture">{svg.strip()}</div>\n'
                f"<figcaption>{caption}</figcaption>\n</figure>\n"
            )
    raise TypeError(f"{type(block).__name__} is no passage")


_MARK = '<span class="mark" role="img" aria-label="Checked:">✓</span>'


def _paragraph(role: str, text: Sequence[str | Node]) -> str:
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
            words = part.split(" ", 1)
            shown[-1] = f'<span class="whole">{shown[-1]}{_escaped(words[0])}</span>'
            shown += [f" {_escaped(rest)}" for rest in words[1:]]
        else:
            shown.append(_escaped(part))
    return "".join(shown)


def _escaped(text: str) -> str:
    return escape(visible(text), quote=False)


def _role(block: Block) -> str:
    return block.role if isinstance(block, Paragraph) else ""
