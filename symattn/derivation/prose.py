"""Sentences with mathematics in them, whose numbers are as proved as any other.

In the markup, `` `sqrt(d_k)` `` is mathematics to be shown and `{alpha_1}` is the decimal of an
expression, made when the document is rendered. Prose is a tuple of strings, trees and exact values.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TypeAlias

from symattn.exact.evaluate import Scope, value_of
from symattn.exact.parse import parse
from symattn.exact.tree import Node, Symbol
from symattn.exact.vectors import Value

__all__ = ["Decimal", "Prose", "Shown", "prose"]


@dataclass(frozen=True)
class Shown:
    """Mathematics in a sentence."""

    node: Node


@dataclass(frozen=True)
class Decimal:
    """A value in a sentence, to be shown as a decimal."""

    value: Value


Prose: TypeAlias = tuple[str | Shown | Decimal, ...]

_MARKUP = re.compile(r"`([^`]+)`|\{([^{}]+)\}")
#: What may be shown but has no value.
_INFINITE = ("oo", "-oo")


def prose(markup: str, scope: Scope | None = None) -> Prose:
    """A sentence from its markup.

    >>> prose("divide by `2`")
    ('divide by ', Shown(node=Number(value=Fraction(2, 1), text='2', decimal=False, exponent=0)))

    Raises: `ParseError` where the mathematics cannot be read.
    """
    parts: list[str | Shown | Decimal] = []
    end = 0
    for match in _MARKUP.finditer(markup):
        if match.start() > end:
            parts.append(markup[end : match.start()])
        shown, decimal = match.groups()
        if shown in _INFINITE:
            parts.append(Shown(Symbol(shown)))
        elif shown:
            parts.append(Shown(parse(shown, symbols=None).tree))
        else:
            parts.append(Decimal(value_of(parse(decimal, symbols=None).tree, scope or {})))
        end = match.end()
    if end < len(markup):
        parts.append(markup[end:])
    return tuple(parts)
