"""The document as one page of HTML that loads nothing: MathML, pictures, styles and its own font.

A page is a header, the contents, a section with an id for each step, and a footer. It needs no
script: "why?", the LaTeX of formulas and the checks in symbols are elements `details`. A page that
would be heavy leaves something out, and says so.
"""

from __future__ import annotations

import sys
import textwrap
import warnings
from collections.abc import Iterable, Iterator
from dataclasses import replace
from html import escape
from itertools import chain

from symattn import __version__
from symattn.derivation.blocks import Block, Heading, Options, Paragraph, blocks, inline
from symattn.derivation.model import Derivation, Level
from symattn.exact.rounding import Ties
from symattn.render import fonts
from symattn.render.passages import Setting, contents, escaped, passages, sections
from symattn.render.styles import FRAGMENT, fragment_style, page_style
from symattn.render.text import plain_prose, visible

__all__ = ["HEAVIEST", "fragment", "render"]

#: A page has at most so many bytes, wherever leaving something out can help.
HEAVIEST = 300_000
_KINDS = {"theorem": "A theorem of attention", "problem": "A worked problem"}
#: What the font, the styles and the header take of them at the least.
_FRAME = 35_000
_DESCRIBED = 160
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
    asked = Setting(Options(digits, ties, level))
    *settings, last = _settings(asked)
    if not fonts.available():
        warnings.warn(fonts.MISSING, stacklevel=2)
    for setting in settings:
        body = _body(derivation, setting, _left_out(asked, setting), HEAVIEST - _FRAME)
        page = body and _page(derivation, body)
        if page and len(page.encode()) <= HEAVIEST:
            return page
    body = _body(derivation, last, _left_out(asked, last), sys.maxsize)
    assert body is not None
    return _page(derivation, body)


def _settings(asked: Setting) -> Iterator[Setting]:
    """As asked, then ever lighter: without LaTeX, with less detail, matrices by their corners."""
    for level in range(asked.options.level, -1, -1):
        setting = Setting(replace(asked.options, level=Level(level)))
        yield from (setting, replace(setting, sources=False))
        if level < Level.FULL:
            yield replace(setting, corners=True)
    yield replace(setting, sources=False, corners=True)


def _left_out(asked: Setting, setting: Setting) -> list[Block]:
    """The note that says what a lighter page leaves out."""
    level = setting.options.level
    what = []
    if level < asked.options.level:
        names = asked.options.level.name.lower(), level.name.lower()
        what.append(f"what the level {names[0]} has beyond {names[1]}")
    if asked.sources and not setting.sources:
        what.append("the LaTeX of the formulas")
    if setting.corners:
        what.append("the inner part of large matrices, and of long rows")
    if not what:
        return []
    text = f"To be light enough to read, this page leaves out {'; '.join(what)}. "
    return [Paragraph("note", (text + "The formats md and json hold everything.",))]


def fragment(
    derivation: Derivation,
    *,
    digits: int = 4,
    ties: Ties = "half-up",
    level: Level = Level.NORMAL,
) -> str:
    """The document as one element with its own style, for a page that somebody else makes."""
    asked = Setting(Options(digits, ties, level), sources=False)
    *settings, last = (setting for setting in _settings(asked) if not setting.sources)
    tries = (_parts(derivation, one, _left_out(asked, one), HEAVIEST) for one in settings)
    parts = next(filter(None, tries), None)
    parts = parts or _parts(derivation, last, _left_out(asked, last), sys.maxsize)
    assert parts is not None
    header, _, main = parts
    style = f"{fonts.face(header + main)}{fragment_style()}"
    return f'<div class="{FRAGMENT}">\n<style>\n{style}\n</style>\n{header}{main}</div>\n'


def _body(derivation: Derivation, setting: Setting, note: list[Block], most: int) -> str | None:
    """What stands between the tags of the body, or None as soon as it is too much."""
    parts = _parts(derivation, setting, note, most)
    if parts is None:
        return None
    header, headings, main = parts
    return f"{header}{contents(headings)}<main>\n{main}</main>\n"


def _parts(
    derivation: Derivation, setting: Setting, note: list[Block], most: int
) -> tuple[str, list[Heading], str] | None:
    """The header, the headings below it and the sections, or None as soon as it is too much."""
    stream = blocks(derivation, setting.options)
    title, first = next(stream), next(stream, None)
    assert isinstance(title, Heading)
    lead = [first] if isinstance(first, Paragraph) and first.role == "statement" else []
    rest = stream if lead or first is None else chain([first], stream)
    headings: list[Heading] = []
    main, size = [], 0
    for part in sections(_listed(chain(note, rest), headings), setting):
        main.append(part)
        size += len(part.encode())
        if size > most:
            return None
    header = (
        f'<header>\n<p class="kind">{_KINDS[derivation.kind]}</p>\n'
        f"<h1>{escaped(title.text)}</h1>\n{''.join(passages(lead, setting))}</header>\n"
    )
    return header, headings, "".join(main)


def _listed(stream: Iterable[Block], headings: list[Heading]) -> Iterator[Block]:
    """The stream, with its headings put into a list as they go by."""
    for block in stream:
        if isinstance(block, Heading):
            headings.append(block)
        yield block


def _page(derivation: Derivation, body: str) -> str:
    """The page around its body."""
    font = fonts.face(body)
    title = escaped(derivation.title)
    credit = ' Mathematics is set in <a href="https://www.stixfonts.org">STIX Two Math</a>.'
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        f'<title>{title}</title>\n<meta name="description" content="{_description(derivation)}">\n'
        f'<meta name="generator" content="symattn {__version__}">\n'
        f"{_NOTICE if font else ''}<style>\n{font}{page_style()}\n</style>\n</head>\n<body>\n{body}"
        f"<footer>\n<p>Made by symattn {__version__}: every step was checked when it was built, and"
        f" every decimal is proved to be correctly rounded.{credit if font else ''}</p>\n"
        "</footer>\n</body>\n</html>\n"
    )


def _description(derivation: Derivation) -> str:
    """The statement, or its first words, as an attribute."""
    text = plain_prose(inline(derivation.statement, Options())) or derivation.title
    words = textwrap.shorten(text, _DESCRIBED, placeholder=" …")
    return escape(visible(words))
