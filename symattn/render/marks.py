"""The vocabulary of MathML Core: identifiers, operators, rows, brackets and scripts.

Each part knows how tightly it binds and about how many em it is wide, so that the writer of trees
can bracket it and a page can break what is too wide for a phone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from html import escape
from typing import NamedTuple

from symattn.render.names import RELATIONS
from symattn.render.unicode import ATOM, NEGATIVE, Binding

__all__ = [
    "APPLY",
    "MINUS",
    "NEXT",
    "SCRIPT",
    "SLASH",
    "SPACE",
    "TIMES",
    "Made",
    "bracketed",
    "commas",
    "fraction",
    "identifier",
    "large",
    "math",
    "negative",
    "number",
    "operator",
    "relation",
    "root",
    "row",
    "scripted",
    "under",
    "upright",
]

#: Signs that are heard and not seen: function application, times, and the comma between indices.
APPLY, TIMES, NEXT = "\u2061", "\u2062", "\u2063"
#: The size of a script beside what it belongs to.
SCRIPT = 0.72
_ROW = re.compile("</?mrow>")
_TALL = ("<mfrac", "<mtable", "<munder")
#: Width of a sign with the room around it, in em.
_WIDTHS = {"+": 1.05, "−": 1.05, "⋅": 0.6, ",": 0.45}
_WIDTHS |= dict.fromkeys((APPLY, TIMES, NEXT), 0.0)


class Made(NamedTuple):
    """Markup, how tightly it binds, and about how many em of the text's size it is wide."""

    markup: str
    binding: Binding
    width: float


def math(made: Made, source: str = "") -> str:
    """The element `math` around a part, with its LaTeX as an annotation where it is given.

    >>> print(math(row([identifier("a"), operator(","), identifier("b")])))
    <math><mi>a</mi><mo>,</mo><mi>b</mi></math>
    """
    if source:
        source = escape(source, quote=False)
        note = f'<annotation encoding="application/x-tex">{source}</annotation>'
        return f"<math><semantics>{made.markup}{note}</semantics></math>"
    return f"<math>{_opened(made.markup)}</math>"


def _opened(markup: str) -> str:
    """The inside of a row that is all there is: the element `math` is a row itself."""
    depth = 0
    for tag in _ROW.finditer(markup):
        depth += -1 if tag.group() == "</mrow>" else 1
        if not depth:
            whole = tag.end() == len(markup) and markup.startswith("<mrow>")
            return markup[len("<mrow>") : tag.start()] if whole else markup
    return markup


def row(parts: Sequence[Made], binding: Binding = ATOM) -> Made:
    """Parts side by side, as one."""
    if len(parts) == 1:
        return parts[0]
    markup = "".join(part.markup for part in parts)
    return Made(f"<mrow>{markup}</mrow>", binding, sum(part.width for part in parts))


def commas(parts: Iterable[Made], sign: str = ",") -> Made:
    """Parts with a comma between each two of them."""
    return row([part for made in parts for part in (operator(sign), made)][1:])


def number(text: str) -> Made:
    """Digits with their point, minus and power of ten."""
    return Made(f"<mn>{escape(text.replace('-', '−'))}</mn>", ATOM, 0.5 * len(text))


def identifier(text: str) -> Made:
    """A name or a number: one letter is slanted, but no Greek capital; a word is upright."""
    if text.isdigit():
        return number(text)
    return upright(text) if len(text) == 1 and "Α" <= text <= "Ω" else _identifier(text)


def upright(text: str) -> Made:
    """A name that is upright even where it is one letter."""
    return _identifier(text, ' mathvariant="normal"' if len(text) == 1 else "")


def _identifier(text: str, attribute: str = "") -> Made:
    return Made(f"<mi{attribute}>{escape(text, quote=False)}</mi>", ATOM, 0.1 + 0.48 * len(text))


def operator(sign: str, form: str = "") -> Made:
    """A sign; `form` is for one that stands elsewhere in its row than in the formula."""
    attribute = f' form="{form}"' if form else ""
    return Made(f"<mo{attribute}>{escape(sign)}</mo>", ATOM, _WIDTHS.get(sign, 1.2))


def relation(name: str) -> Made:
    """A relation by its name in a chain, such as `<=`."""
    return operator(RELATIONS[name][0])


def large(sign: str, *, beside: bool = False) -> str:
    """An operator with its limits above and below, or `beside` it as within a sentence."""
    if len(sign) > 1:
        return f"<mi>{sign}</mi>"
    return f"<mo>{sign}</mo>" if beside else f'<mo movablelimits="false">{sign}</mo>'


def under(base: str, below: Made, above: Made | None = None) -> Made:
    """A large operator with its limits."""
    wide = max(1.3, *(SCRIPT * made.width for made in (below, above) if made)) + 0.2
    if above is None:
        return Made(f"<munder>{base}{below.markup}</munder>", ATOM, wide)
    return Made(f"<munderover>{base}{below.markup}{above.markup}</munderover>", ATOM, wide)


def negative(body: Made) -> Made:
    """A minus before a part."""
    return row([MINUS, body], NEGATIVE)


def fraction(above: Made, below: Made, binding: Binding) -> Made:
    """One part over another."""
    markup = f"<mfrac>{above.markup}{below.markup}</mfrac>"
    return Made(markup, binding, max(above.width, below.width) + 0.2)


def root(made: Made, index: int) -> Made:
    """The root of a part."""
    if index == 2:
        return Made(f"<msqrt>{made.markup}</msqrt>", ATOM, made.width + 0.95)
    return Made(f"<mroot>{made.markup}<mn>{index}</mn></mroot>", ATOM, made.width + 1.1)


def bracketed(made: Made, signs: str = "()") -> Made:
    """A part between brackets that are as high as what they hold."""
    tall = any(tag in made.markup for tag in _TALL)
    attributes = "" if tall else ' stretchy="false"'
    left, right = (f"<mo{attributes}>{sign}</mo>" for sign in signs)
    return Made(f"<mrow>{left}{made.markup}{right}</mrow>", ATOM, made.width + 0.7)


def scripted(base: Made, below: Made | None, above: Made | None) -> Made:
    """A part with its index and what stands above it; an index that it has already is joined."""
    wide = base.width + SCRIPT * max(made.width for made in (below, above, _NOTHING) if made)
    if above is None:
        return Made(f"<msub>{base.markup}{below.markup}</msub>", ATOM, wide) if below else base
    if below is not None:
        markup = f"<msubsup>{base.markup}{below.markup}{above.markup}</msubsup>"
    elif base.markup.startswith("<msub>"):
        inside = base.markup.removeprefix("<msub>").removesuffix("</msub>")
        markup = f"<msubsup>{inside}{above.markup}</msubsup>"
    else:
        markup = f"<msup>{base.markup}{above.markup}</msup>"
    return Made(markup, ATOM, wide)


#: The minus before a part, not between two.
MINUS = Made("<mo>−</mo>", ATOM, 0.65)
SLASH = Made('<mo lspace="0" rspace="0">/</mo>', ATOM, 0.35)
#: A thin space, as before the name of a function.
SPACE = Made('<mspace width="0.17em"></mspace>', ATOM, 0.17)
_NOTHING = Made("", ATOM, 0.0)
