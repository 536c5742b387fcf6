"""Plain text of a tree: what a reader sees and what our own parser reads back to the same value.

Brackets stand where the grammar needs them and nowhere else, so that the reading is the tree.
"""

from __future__ import annotations

import re
from fractions import Fraction

from symattn.exact.tree import (
    Add,
    Apply,
    Array,
    Call,
    Constant,
    Delta,
    Derivative,
    Div,
    Expectation,
    Indexed,
    Limit,
    Mul,
    Neg,
    Node,
    Number,
    Percent,
    Pow,
    Root,
    Sum,
    Symbol,
)

__all__ = ["to_text"]

# How tightly a text binds; a part is put in brackets where its place binds more tightly.
_SUM, _NEGATIVE, _PRODUCT, _POWER, _ATOM = range(5)
_PLAIN = re.compile(r"(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_SMALLEST = -6


def to_text(tree: Node) -> str:
    r"""Return plain text that `parse` reads back to a tree of equal value.

    Operations on vectors, which no text is read as, are written as functions: `dot(q, k_1)`.

    >>> from symattn.exact.parse import parse
    >>> to_text(parse(r"\frac{e^{1/\sqrt2}}{1+e^{-1/\sqrt2}}").tree)
    'e^(1/sqrt(2))/(1 + e^(-1/sqrt(2)))'
    """
    return _write(tree)[0]


def _within(node: Node, level: int) -> str:
    text, own = _write(node)
    return text if own >= level else f"({text})"


def _write(node: Node) -> tuple[str, int]:
    """The text of a node and how tightly it binds."""
    match node:
        case Number():
            return _number(node)
        case Constant(name) | Symbol(name):
            return name, _ATOM
        case Neg(body):
            return "-" + _within(body, _PRODUCT), _NEGATIVE
        case Percent(body):
            return _within(body, _ATOM) + "%", _POWER
        case Add(terms):
            return _sum(terms), _SUM
        case Mul(factors):
            first, *rest = factors
            parts = [_within(first, _PRODUCT), *(_factor(factor) for factor in rest)]
            return "*".join(parts), _PRODUCT
        case Div(numerator, denominator):
            return f"{_within(numerator, _PRODUCT)}/{_within(denominator, _POWER)}", _PRODUCT
        case Pow(base, exponent):
            return f"{_within(base, _ATOM)}^{_within(exponent, _ATOM)}", _POWER
        case Root(radicand, index):
            named = {2: "sqrt", 3: "cbrt"}.get(index)
            inner = to_text(radicand)
            return (f"{named}({inner})" if named else f"root({inner}, {index})"), _ATOM
        case Call(function, argument):
            return f"{function}({to_text(argument)})", _ATOM
        case Apply(operator, arguments):
            return f"{operator}({', '.join(map(to_text, arguments))})", _ATOM
        case Array(entries, kind):
            return _array([to_text(entry) for entry in entries], kind), _ATOM
        case Indexed(name, indices):
            return f"{name}[{', '.join(map(to_text, indices))}]", _ATOM
        case Sum(body, index, lower, upper):
            return f"Sum({to_text(body)}, {index}, {to_text(lower)}, {to_text(upper)})", _ATOM
        case Delta(left, right):
            return f"delta({to_text(left)}, {to_text(right)})", _ATOM
        case Limit(body, variable, target):
            return f"lim({to_text(body)}, {variable}, {target})", _ATOM
        case Derivative(body, variable):
            return f"D({to_text(body)}, {to_text(variable)})", _ATOM
        case Expectation(body):
            return f"E({to_text(body)})", _ATOM


def _sum(terms: tuple[Node, ...]) -> str:
    text = _within(terms[0], _NEGATIVE)
    for term in terms[1:]:
        shown, level = _write(term)
        if level == _SUM:
            text += f" + ({shown})"
        elif level == _NEGATIVE:
            text += f" - {shown[1:]}"
        else:
            text += f" + {shown}"
    return text


def _factor(node: Node) -> str:
    """A factor after the first; a quotient needs brackets to stay one."""
    text, level = _write(node)
    return text if level >= _POWER else f"({text})"


def _array(entries: list[str], kind: str) -> str:
    if kind == "set":
        return r"\{" + entries[0] + r"\}" if len(entries) == 1 else "{" + ", ".join(entries) + "}"
    return "[" + ", ".join(entries) + "]"


def _number(number: Number) -> tuple[str, int]:
    value = number.value
    if value < 0:
        positive = Number(-value, number.text.lstrip("-"), number.decimal, number.exponent)
        return "-" + _number(positive)[0], _NEGATIVE
    if not number.decimal:
        if value.denominator == 1:
            return str(value.numerator), _ATOM
        return f"{value.numerator}/{value.denominator}", _PRODUCT
    if _PLAIN.fullmatch(number.text):
        return number.text, _ATOM
    return _decimal(value, number.exponent), _ATOM


def _decimal(value: Fraction, exponent: int) -> str:
    """A decimal of which only the value and the place of the last digit are known."""
    units = str(int(value / Fraction(10) ** exponent))
    leading = len(units) + exponent - 1  # the power of ten that the first digit counts
    if exponent > 0 or leading < _SMALLEST:
        point = "." if len(units) > 1 else ""
        return f"{units[0]}{point}{units[1:]}e{leading}"
    if exponent == 0:
        return units + "."
    units = units.rjust(1 - exponent, "0")
    return f"{units[:exponent]}.{units[exponent:]}"
