"""The condition behind a line, such as `M -> oo`: its relations, its mathematics and its words."""

from __future__ import annotations

import re
from collections.abc import Iterator

from symattn.errors import InputError
from symattn.exact.parse import parse
from symattn.exact.tree import Node, Symbol
from symattn.render.latex import to_latex
from symattn.render.names import RELATIONS
from symattn.render.unicode import to_unicode

__all__ = ["condition_pieces", "latex_condition", "unicode_condition"]

_SEPARATORS = re.compile(r"(->|<=|>=|!=|=|<|>|,)|\s+")
_WORD = re.compile(r"[A-Za-z]{2,}")


def unicode_condition(condition: str) -> str:
    """The condition in Unicode.

    >>> unicode_condition("as M -> -oo"), unicode_condition("alpha_1>0, n = 3")
    ('as M → −∞', 'α₁ > 0, n = 3')
    """
    return _joined(_unicode(piece) for piece in condition_pieces(condition))


def latex_condition(condition: str) -> str:
    r"""The condition in LaTeX.

    >>> print(latex_condition("as M -> -oo"))
    \text{as } M \to -\infty
    """
    return _joined(_latex(piece) for piece in condition_pieces(condition)).replace(r"} \text{", "")


def condition_pieces(condition: str) -> Iterator[Node | str]:
    """Trees, and as text the relations, commas and words."""
    for text in filter(None, (part and part.strip() for part in _SEPARATORS.split(condition))):
        if text in ("oo", "-oo"):
            yield Symbol(text)
        elif text in RELATIONS or text == ",":
            yield text
        else:
            yield _tree(text)


def _tree(text: str) -> Node | str:
    try:
        tree = parse(text, symbols=None).tree
    except InputError:
        return text
    is_word = isinstance(tree, Symbol) and _WORD.fullmatch(text) and to_unicode(tree) == text
    return text if is_word else tree


def _joined(texts: Iterator[str]) -> str:
    return " ".join(texts).replace(" ,", ",")


def _unicode(piece: Node | str) -> str:
    if isinstance(piece, str):
        return RELATIONS[piece][0] if piece in RELATIONS else piece
    return to_unicode(piece)


def _latex(piece: Node | str) -> str:
    if not isinstance(piece, str):
        return to_latex(piece, inline=True)
    if piece in RELATIONS:
        return RELATIONS[piece][1]
    return piece if piece == "," else rf"\text{{{piece} }}"
