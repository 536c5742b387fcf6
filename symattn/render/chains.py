"""Chains of equalities laid out in a number of columns.

A chain that fits stands in one line. Otherwise every relation starts a line of its own, aligned
under the first (a decimal stays beside what it rounds); a side that is still too long is broken
before an operator or after a comma, as far outside of brackets as can be; and a matrix that is too
wide is listed row by row.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from symattn.derivation.blocks import Formula
from symattn.exact.tree import Node
from symattn.render.boxes import Box, beside, layout, matrix_rows
from symattn.render.conditions import unicode_condition
from symattn.render.names import RELATIONS
from symattn.render.unicode import to_unicode

__all__ = ["fold", "lay_out"]

#: A first side longer than this does not push what follows it to the right.
_LONGEST_FIRST = 30
_INDENT = 4
_LOOSE = {",": 2, ";": 2, "+": 1, "−": 1}
_BREAK = re.compile(r" [+−] |, |; |[·/](?=\()| (?=[^+−])")


def lay_out(formula: Formula, width: int) -> list[str]:
    """The lines of a chain in at most `width` columns, where its numbers allow."""
    condition = f"   ({unicode_condition(formula.condition)})" if formula.condition else ""
    links = [(f"{RELATIONS[relation][0]} ", side) for relation, side in formula.links]
    first = layout(formula.first)
    whole = first
    for sign, side in links:
        whole = beside(whole, f" {sign}", layout(side))
    whole = beside(whole, condition)
    boxes = [whole] if whole.width <= width else _stacked(formula.first, links, condition, width)
    return [line.rstrip() for box in boxes for line in box.lines]


def _stacked(start: Node, links: list[tuple[str, Node]], condition: str, width: int) -> list[Box]:
    """A chain with its relations one below the other."""
    first = layout(start)
    hanging = first.width <= _LONGEST_FIRST and bool(links)
    lines = [] if hanging else _side(start, width, 0)
    margin = Box((" " * (first.width + 1 if hanging else _INDENT),))
    for count, (sign, side) in enumerate(links):
        lead = beside(first, " ", sign) if hanging and not count else beside(margin, sign)
        if count and sign == "≈ ":
            joined = beside(lines[-1], f" {sign}", layout(side))
            if joined.width <= width and not _is_listed(links[count - 1][1], width, lead.width):
                lines[-1] = joined
                continue
        head, *rest = _side(side, width, lead.width)
        lines += [beside(lead, head), *rest]
    joined = beside(lines[-1], condition)
    return [*lines[:-1], *([joined] if joined.width <= width else [lines[-1], Box((condition,))])]


def _is_listed(side: Node, width: int, column: int) -> bool:
    """Whether a side is a matrix too wide to stand as one."""
    return bool(matrix_rows(side)) and column + layout(side).width > width


def _side(side: Node, width: int, column: int) -> list[Box]:
    """One side that starts at a column, in one box or in several, one below the other."""
    box = layout(side)
    if column + box.width <= width:
        return [box]
    if not _is_listed(side, width, column):
        return [Box((line,)) for line in fold(to_unicode(side), width, column)]
    return [Box(("",)), *_listed(matrix_rows(side), width, column)]


def _listed(rows: list[tuple[Node, ...]], width: int, column: int) -> Iterator[Box]:
    """The rows of a matrix that is too wide, one below the other."""
    for count, row in enumerate(rows, start=1):
        lead = " " * column + f"row {count}: "
        text = "(" + ", ".join(map(to_unicode, row)) + ")"
        first, *rest = fold(text, width, len(lead))
        yield Box((lead + first,))
        yield from (Box((line,)) for line in rest)


def fold(text: str, width: int, column: int) -> list[str]:
    """A formula in lines of at most `width`; the first starts at `column`, the rest are indented.

    >>> fold("(1 + e^2)/(2 + e) + 3", 24, 6)
    ['(1 + e^2)/(2 + e)', '        + 3']
    """
    # Entries of a vector stand below the first, all else is indented.
    margin = " " * (column + (1 if text[0] in "([" and _closes_last(text) else 2))
    lines, hang, room = [], "", width - column
    while len(text) > room and (at := _best_break(text, room)) is not None:
        lines.append(hang + text[:at].rstrip())
        text, hang, room = text[at:].lstrip(), margin, width - len(margin)
    return [*lines, hang + text]


def _closes_last(text: str) -> bool:
    """Whether the bracket that opens a text is closed by its last sign."""
    return 0 not in _depths(text)[1:]


def _depths(text: str) -> list[int]:
    """How many brackets are open at each sign; a bracket itself stands outside of what it holds."""
    depths, depth = [], 0
    for char in text:
        depth -= char in ")]"
        depths.append(depth)
        depth += char in "(["
    return depths


def _best_break(text: str, room: int) -> int | None:
    """Where to break: as far out of brackets as can be, and then as far right."""
    depths, places = _depths(text), []
    for found in _BREAK.finditer(text):
        word = found.group()
        at = found.end() if word[0] in ",;" else found.start()
        if 0 < len(text[:at].rstrip()) <= room:
            loose = _LOOSE.get(word.strip()[:1], 0)
            places.append((at >= room // 3, -depths[found.start()], loose, at))
    return max(places)[-1] if places else None
