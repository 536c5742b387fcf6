"""Chains in HTML that wrap by themselves: aligned at their relations on a desk and on a phone.

Each side is an element `math` with its relation before it, and a wide side is several, broken
before a sign or after a comma; so the browser breaks lines where the screen ends, which it does not
do within one formula. What cannot be broken, such as a wide matrix, scrolls in its own box.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from html import escape
from itertools import groupby, pairwise

from symattn.derivation.blocks import Formula
from symattn.exact.tree import Add, Apply, Array, Limit, Mul, Neg, Node, Sum, Symbol, rebuild
from symattn.render.boxes import matrix_rows
from symattn.render.conditions import condition_pieces
from symattn.render.displays import aligned
from symattn.render.latex import side_by_side, to_latex
from symattn.render.marks import MINUS, Made, bracketed, math, operator, relation, row
from symattn.render.mathml import Writer, opposite, sign_between
from symattn.render.names import RELATIONS
from symattn.render.unicode import NEGATIVE, POWER, PRODUCT, SUM, Binding, is_matmul

__all__ = ["cornered", "display", "inline"]

#: In em of the formula's size: a side that is wider is offered in pieces; a first side that is
#: wider has a line of its own; and what the smallest phone has room for.
_WIDE_SIDE, _WIDE_FIRST, _PHONE = 9.0, 5.5, 14.5
_INLINE, _DISPLAY = Writer(small=True), Writer()
_HANGING = 1.5
#: Of more entries than these, where room is short, the first few and the last are shown.
_LONGEST, _SHOWN = 12, 5
_DOTS = Symbol("⋯")


def inline(node: Node) -> str:
    """A formula in a sentence."""
    pieces = _broken(_INLINE, node)
    source = to_latex(node, inline=True) if len(pieces) == 1 else ""
    return "<wbr>".join(math(made, source) for made in pieces)


def display(formulas: Sequence[Formula], *, source: bool = True) -> str:
    """Chains one below the other, and their LaTeX as the `source`."""
    chains, widths = zip(*map(_chain, formulas), strict=True)
    scrolls = ' tabindex="0" role="group" aria-label="Wide formula"' if max(widths) > _PHONE else ""
    shown = f'<div class="chains"{scrolls}>{"".join(chains)}</div>\n'
    if not source:
        return shown
    latex = escape(aligned(formulas), quote=False)
    return f'{shown}<details class="tex"><summary>LaTeX</summary><pre>{latex}</pre></details>\n'


def cornered(formula: Formula) -> Formula:
    """A chain in which large matrices and long rows are shown by their ends."""
    links = tuple((sign, rebuild(side, _ends)) for sign, side in formula.links)
    return Formula(rebuild(formula.first, _ends), links, formula.condition)


def _ends(node: Node) -> Node:
    match node:
        case Array(entries) if len(entries) > _LONGEST:
            return replace(node, entries=(*entries[:_SHOWN], _gap(entries[0]), entries[-1]))
        case Add(terms) if len(terms) > _LONGEST:
            return Add((*terms[:_SHOWN], _DOTS, terms[-1]))
    return node


def _gap(entry: Node) -> Node:
    """What stands for entries that are left out: dots, as wide as a row of a matrix."""
    return Array((_DOTS,) * len(entry.entries)) if isinstance(entry, Array) else _DOTS


def _chain(formula: Formula) -> tuple[str, float]:
    """A chain, and how wide it is at least."""
    whole = _DISPLAY.write(formula.first)
    long = whole.width > _WIDE_FIRST or not formula.links
    first = _broken(_DISPLAY, formula.first) if long else [whole]
    links = [_side(sign, side) for sign, side in formula.links]
    margin = _HANGING + (1.0 if long else whole.width + 0.3)
    width = max(made.width for made in first)
    width = max([width, *(margin + made.width for link in links for made in link)])
    sides = [_link(pieces) for pieces in ([first, *links] if long else links)]
    parts = ["<wbr>".join(sides)] if sides else []
    if formula.condition:
        parts.append(f'<span class="condition">({condition(formula.condition)})</span>')
    flow = " ".join(parts)
    if long:
        return f'<div class="long">{flow}</div>', width
    return f'<div class="chain">{_link(first)}<div class="links">{flow}</div></div>', width


def _link(pieces: Sequence[Made]) -> str:
    """The pieces of a side, which hang together where there are several."""
    shown = "<wbr>".join(map(math, pieces))
    return shown if len(pieces) == 1 else f'<span class="link">{shown}</span>'


def _side(sign: str, side: Node) -> list[Made]:
    """A side in pieces, the first of them with its relation."""
    return _led(relation(sign), _broken(_DISPLAY, side))


def _led(sign: Made, pieces: list[Made]) -> list[Made]:
    return [row([sign, pieces[0]]), *pieces[1:]]


def _broken(writer: Writer, node: Node, binding: Binding = SUM) -> list[Made]:
    """A part in the pieces that it may be broken into, or in one."""
    whole = writer.write(node)
    pieces = [whole]
    if whole.width > _WIDE_SIDE:
        match node:
            case Neg(body):
                pieces = _led(MINUS, _broken(writer, body, PRODUCT))
            case Add(terms):
                pieces = _sum(writer, terms)
            case Mul(factors):
                pieces = _product(writer, factors)
            case Array(entries, "array") if not matrix_rows(node):
                found = [_broken(writer, entry) for entry in entries]
                closed = [[*some[:-1], row([some[-1], operator(",")])] for some in found[:-1]]
                pieces = [made for some in [*closed, found[-1]] for made in some]
                return _between(pieces)
            case Sum(body) | Limit(body):
                pieces = _led(writer.head(node), _broken(writer, body, PRODUCT))
            case Apply("matmul", (left, right)):
                first = _broken(writer, left, PRODUCT if is_matmul(left) else POWER)
                pieces = [*first, *_broken(writer, right, POWER)]
    if whole.binding >= binding:
        return pieces
    return [bracketed(whole)] if len(pieces) == 1 else _between(pieces)


def _between(pieces: list[Made]) -> list[Made]:
    """Pieces with a bracket before the first and one behind the last."""
    left, right = operator("("), operator(")")
    if len(pieces) == 1:
        return [row([left, pieces[0], right])]
    return [row([left, pieces[0]]), *pieces[1:-1], row([pieces[-1], right])]


def _sum(writer: Writer, terms: Sequence[Node]) -> list[Made]:
    pieces = _broken(writer, terms[0], NEGATIVE)
    for term in terms[1:]:
        body = opposite(term, writer.small)
        sign = operator("+" if body is None else "−", "infix")
        parts = _broken(writer, term, NEGATIVE) if body is None else _broken(writer, body, PRODUCT)
        pieces += _led(sign, parts)
    return pieces


def _product(writer: Writer, factors: Sequence[Node]) -> list[Made]:
    """Factors, broken before a dot; those that stand side by side stay together."""
    pieces = _broken(writer, factors[0], POWER)
    for left, right in pairwise(factors):
        parts = _broken(writer, right, POWER)
        if side_by_side(left, right):
            pieces[-1] = row([pieces[-1], *sign_between(left, right), parts[0]])
            pieces += parts[1:]
        else:
            pieces += _led(operator("⋅", "infix"), parts)
    return pieces


def condition(text: str) -> str:
    """The condition behind a line: words as they are, and between them formulas.

    >>> print(condition("as M -> oo"))
    as <math><mi>M</mi><mo>→</mo><mi>∞</mi></math>
    """
    shown: list[str] = []
    for words, pieces in groupby(condition_pieces(text), _is_word):
        if words:
            shown += [escape(str(piece), quote=False) for piece in pieces]
        else:
            shown.append(math(row(list(map(_piece, pieces)))))
    return " ".join(shown)


def _is_word(piece: Node | str) -> bool:
    return isinstance(piece, str) and piece not in RELATIONS and piece != ","


def _piece(piece: Node | str) -> Made:
    if isinstance(piece, str):
        return operator(",") if piece == "," else relation(piece)
    return _INLINE.write(piece)
