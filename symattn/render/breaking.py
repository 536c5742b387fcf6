r"""Sides of a chain that are wider than the line, broken at their signs.

A sum is broken before a plus or minus, a product before a factor, a vector after a comma; the parts
of a part that is too wide itself are broken likewise, between brackets of one size.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise
from math import ceil

from symattn.exact.tree import (
    Add,
    Apply,
    Array,
    Call,
    Derivative,
    Div,
    Expectation,
    Indexed,
    Limit,
    Mul,
    Neg,
    Node,
    Pow,
    Root,
    Sum,
    Symbol,
)
from symattn.render.boxes import matrix_rows
from symattn.render.latex import binding, side_by_side, to_latex, within
from symattn.render.unicode import POWER, PRODUCT, Binding, to_unicode

__all__ = ["broken", "columns"]

#: How wide a small letter of an exponent or an index is.
_SMALL = 0.7


def columns(node: Node) -> int:
    """About how many digits wide a tree is in a display, where a fraction is as wide as its parts.

    >>> from symattn.exact.parse import parse
    >>> [columns(parse(text).tree) for text in ("1/1234", "e^(1/sqrt(2))", "1 + 2")]
    [4, 4, 5]
    """
    match node:
        case Div(numerator, denominator):
            return max(columns(numerator), columns(denominator))
        case Neg(body):
            return 1 + _guarded(body)
        case Add(terms=parts):
            return sum(_guarded(part) + 3 for part in parts) - 3
        case Mul(factors=parts) | Apply("dot" | "matmul", parts):
            return sum(_guarded(part) + 2 for part in parts) - 2
        case Array(entries):
            rows = matrix_rows(node) or [entries]
            return sum(max(map(columns, column)) + 2 for column in zip(*rows, strict=False))
        case Apply(operator, parts):
            return (1 if operator == "transpose" else len(operator) + 2) + sum(map(columns, parts))
        case Sum(body) | Limit(body) | Derivative(body) | Expectation(body):
            return 4 + _guarded(body)
        case Call("exp", exponent):
            return 1 + ceil(_SMALL * len(to_unicode(exponent)))
        case Pow(base, exponent):
            return _guarded(base) + ceil(_SMALL * len(to_unicode(exponent)))
        case Call(function, argument):
            return len(function) + 2 + columns(argument)
        case Root(radicand):
            return 2 + columns(radicand)
        case Indexed() | Symbol() if len(to_unicode(node)) > 1:
            return 1 + ceil(_SMALL * (len(to_unicode(node)) - 1))
    return len(to_unicode(node))


def _guarded(node: Node) -> int:
    """The width of a part that stands between brackets where it is a sum or a difference."""
    return columns(node) + 2 * isinstance(node, Add | Neg)


@dataclass(frozen=True)
class Piece:
    """What is kept together in a row."""

    text: str
    width: int


def broken(node: Node, room: int) -> list[str]:
    """A side in LaTeX, in as many rows of a number of columns as it takes."""
    head, *rest = _pieces(node, room)
    rows, taken = [head.text], head.width
    for piece in rest:
        if taken + piece.width > room:
            rows.append(piece.text)
            taken = piece.width
        else:
            rows[-1] += f" {piece.text}"
            taken += piece.width
    return rows


def _pieces(node: Node, room: int) -> list[Piece]:
    if columns(node) > room and not matrix_rows(node):
        match node:
            case Neg(body):
                return _after("-", 1, _within(body, PRODUCT, room - 1))
            case Add(terms):
                return [
                    piece
                    for count, term in enumerate(terms)
                    for piece in _term(term, room - 3, first=not count)
                ]
            case Mul(factors):
                return _factors(factors, room - 2)
            case Sum(body):
                head = to_latex(replace(node, body=Symbol("x"))).removesuffix(" x")
                return _after(head, 4, _within(body, PRODUCT, room - 4))
            case Array(entries, kind="array"):
                parts = [Piece(f"{to_latex(entry)},", columns(entry) + 2) for entry in entries]
                parts[-1] = Piece(parts[-1].text.removesuffix(","), parts[-1].width)
                return _bracketed(parts)
    return [Piece(to_latex(node), columns(node))]


def _term(term: Node, room: int, *, first: bool) -> list[Piece]:
    """A term with its sign in front."""
    negative = isinstance(term, Neg) and not first
    body = term.body if isinstance(term, Neg) and negative else term
    parts = _within(body, PRODUCT, room)
    return parts if first else _after("-" if negative else "+", 3, parts)


def _factors(factors: tuple[Node, ...], room: int) -> list[Piece]:
    pieces = _within(factors[0], POWER, room)
    for left, right in pairwise(factors):
        parts = _within(right, POWER, room)
        if side_by_side(left, right):
            # A number stays with the letter that it multiplies.
            last = pieces.pop()
            pieces += _after(last.text, last.width, parts)
        else:
            pieces += _after(r"\cdot", 2, parts)
    return pieces


def _within(node: Node, least: Binding, room: int) -> list[Piece]:
    """The pieces of a part, between brackets where it binds too loosely."""
    if binding(node) >= least:
        return _pieces(node, room)
    parts = _pieces(node, room - 2)
    if len(parts) > 1:
        return _bracketed(parts)
    return [Piece(within(node, least), parts[0].width + 2)]


def _bracketed(parts: list[Piece]) -> list[Piece]:
    """Pieces between brackets that stand in different rows and so must have one size."""
    tall = any(r"\left" in part.text or r"\frac" in part.text for part in parts)
    size = "bigg" if tall else "Big" if any(r"\sum" in part.text for part in parts) else "big"
    parts = _after(rf"\{size}l(", 1, parts)
    return [*parts[:-1], Piece(rf"{parts[-1].text}\{size}r)", parts[-1].width + 1)]


def _after(sign: str, width: int, parts: list[Piece]) -> list[Piece]:
    """The pieces with a sign before the first of them."""
    return [Piece(f"{sign} {parts[0].text}", parts[0].width + width), *parts[1:]]
