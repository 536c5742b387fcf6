"""Chains of equalities laid out in a number of columns.

A chain that fits stands in one line. Otherwise every relation starts a line of its own, aligned
under the first (a decimal stays beside what it rounds). A side that is still too long is broken
before an operator or after a comma, as far outside of brackets as can be; a matrix that is too wide
is listed row by row.
"""

from __future__ import annotations

import re

from symattn.derivation.blocks import Formula
from symattn.exact.tree import Array, Node
from symattn.render.boxes import Box, beside, layout, matrix_rows, stacked
from symattn.render.conditions import unicode_condition
from symattn.render.names import RELATIONS
from symattn.render.unicode import to_unicode

__all__ = ["fold", "lay_out"]

#: A first side longer than this does not push what follows it to the right.
_LONGEST_FIRST = 30
_INDENT = 4
_BREAK = re.compile(r" [+−] |, |; |[·/](?=\()|(?<![+−]) (?=[^+−])")
#: How loosely a sign binds before or after which a line may be broken.
_LOOSE = {",": 2, ";": 2, "+": 1, "−": 1}


def lay_out(formula: Formula, width: int) -> list[str]:
    """The lines of a chain in at most `width` columns, where its numbers allow."""
    links = [(RELATIONS[relation][0], side) for relation, side in formula.links]
    condition = f"   ({unicode_condition(formula.condition)})" if formula.condition else ""
    whole = layout(formula.first)
    for sign, side in links:
        whole = beside(whole, f" {sign} ", layout(side))
    whole = beside(whole, condition)
    boxes = [whole] if whole.width <= width else _rows(formula.first, links, condition, width)
    return [line.rstrip() for box in boxes for line in box.lines]


def _rows(start: Node, links: list[tuple[str, Node]], condition: str, width: int) -> list[Box]:
    """A chain with its relations one below the other."""
    first = _side(start, width)
    hanging = first.width <= _LONGEST_FIRST and bool(links)
    rows = [] if hanging else [first]
    margin = Box((" " * (first.width + 1 if hanging else _INDENT),))
    for count, (sign, side) in enumerate(links):
        lead = beside(first, f" {sign} ") if hanging and not count else beside(margin, f"{sign} ")
        joined = _joined(rows[-1], sign, layout(side)) if count and sign == "≈" else None
        if joined is not None and joined.width <= width:
            rows[-1] = joined
        else:
            rows.append(beside(lead, _side(side, width - lead.width)))
    return [*rows, Box((condition,))] if condition else rows


def _joined(row: Box, sign: str, side: Box) -> Box | None:
    """A row with one more side behind it; behind a block of lines, at the end of its last."""
    if row.height == 1 or row.base > 0:
        return beside(row, f" {sign} ", side)
    if side.height > 1:
        return None
    return stacked([*row.lines[:-1], f"{row.lines[-1].rstrip()} {sign} {side.lines[0]}"])


def _side(side: Node, room: int) -> Box:
    """One side: as it is where there is room, else as a block of lines on the first as base."""
    box = layout(side)
    if box.width <= room:
        return box
    rows = matrix_rows(side)
    if rows:
        lines: list[str] = []
        for count, row in enumerate(rows, start=1):
            lead = f"row {count}: "
            lines += beside(lead, stacked(_entries(row, room - len(lead)))).lines
        return stacked(lines)
    if isinstance(side, Array) and side.kind == "array":
        return stacked(_entries(side.entries, room))
    return stacked(fold(to_unicode(side), room))


def _entries(entries: tuple[Node, ...], room: int) -> list[str]:
    """A vector in several lines, broken within an entry only where the entry fills a line."""
    lines = [""]
    for count, entry in enumerate(entries, start=1):
        text = to_unicode(entry) + ("," if count < len(entries) else ")")
        if len(f"{lines[-1]} {text}") > room:
            lines.append("")
        head, *rest = fold(text, room - 1) if not lines[-1] else [text]
        lines[-1] += f" {head}"
        lines += [f" {line}" for line in rest]
    lines = lines[1:] if not lines[0] else lines
    return [f"({lines[0][1:]}", *lines[1:]]


def fold(text: str, room: int) -> list[str]:
    """A formula in lines of at most `room` columns, of which all but the first are indented.

    >>> fold("(1 + e^2)/(2 + e) + 3", 18)
    ['(1 + e^2)/(2 + e)', '  + 3']
    """
    lines, margin = [], ""
    while len(margin + text) > room and (at := _best_break(text, room - len(margin))) is not None:
        lines.append(margin + text[:at].rstrip())
        text, margin = text[at:].lstrip(), "  "
    return [*lines, margin + text]


def _best_break(text: str, room: int) -> int | None:
    """Where to break: as far out of brackets as can be, where it binds least, then far right."""
    depths, depth = [], 0
    for char in text:
        depth -= char in ")]"
        depths.append(depth)
        depth += char in "(["
    places = []
    for found in _BREAK.finditer(text):
        sign = found.group().strip()[:1]
        at = found.end() if sign in {",", ";"} else found.start()
        if 0 < len(text[:at].rstrip()) <= room:
            places.append((at >= room // 3, -depths[found.start()], _LOOSE.get(sign, 0), at))
    return max(places)[-1] if places else None
