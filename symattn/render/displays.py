r"""Chains of equalities as displayed LaTeX: `aligned` rows, aligned at their first relations.

A chain that is wide starts a row with each relation, below its first side where that is wide too,
and a side that is still too wide is broken at its signs. Every `\\` ends its line of source, which
is where GitHub leaves a double backslash alone.
"""

from __future__ import annotations

from collections.abc import Iterable

from symattn.derivation.blocks import Formula
from symattn.exact.tree import Node
from symattn.render.breaking import broken, columns
from symattn.render.conditions import latex_condition, unicode_condition
from symattn.render.latex import to_latex
from symattn.render.names import RELATIONS

__all__ = ["aligned"]

#: In digits: what a row holds, and how wide a first side may be that others are aligned with.
_LINE, _WIDEST_FIRST = 74, 26
#: The widths of a relation and of `\quad`.
_SIGN, _QUAD = 3, 2


def aligned(formulas: Iterable[Formula]) -> str:
    r"""Chains in one display, without its delimiters.

    >>> from symattn.exact.parse import parse
    >>> half, quotient = (parse(text).tree for text in ("0.5", "1/2"))
    >>> print(aligned([Formula(half, (("=", quotient),))]))
    \begin{aligned}
    0.5 &= \frac{1}{2}
    \end{aligned}
    """
    formulas = list(formulas)
    lead = max(columns(formula.first) for formula in formulas)
    if lead > _WIDEST_FIRST:
        rows = [row for formula in formulas for row in _hanging(formula)]
    else:
        rows = [row for formula in formulas for row in _beside(formula, _LINE - lead)]
    return "\\begin{aligned}\n" + " \\\\\n".join(rows) + "\n\\end{aligned}"


def _beside(formula: Formula, room: int) -> list[str]:
    """The rows of a chain that begins to the left of the alignment and has so much room beyond."""
    rows = _Rows(f"{to_latex(formula.first)} &", 0, room)
    wide = sum(columns(side) + _SIGN for _, side in formula.links) > room
    for count, (relation, side) in enumerate(formula.links):
        rows.add(relation, side, new=wide and count > 0)
    return rows.ended(formula.condition)


def _hanging(formula: Formula) -> list[str]:
    """The rows of a chain that begins at the alignment, what follows being set below it."""
    first = columns(formula.first)
    wide = first + sum(columns(side) + _SIGN for _, side in formula.links) > _LINE
    head, *rest = broken(formula.first, _LINE)
    rows = _Rows(f"&{head} ", first, _LINE, quads=1)
    rows.rows += [rf"&\quad {part} " for part in rest]
    for relation, side in formula.links:
        rows.add(relation, side, new=wide)
    return rows.ended(formula.condition)


class _Rows:
    """Rows as they fill; `taken` is how wide the last one is to the right of the alignment."""

    def __init__(self, first: str, taken: int, room: int, quads: int = 0) -> None:
        self.rows, self.taken, self.room = [first], taken, room
        self.indent, self.indented = r"\quad " * quads, _QUAD * quads

    def add(self, relation: str, side: Node, new: bool) -> None:
        """Join a side by its relation; a decimal stays in its row where it can."""
        width = columns(side) + _SIGN
        if relation == "≈":
            new = self.taken > 0 and self.taken + width > self.room
        if new:
            self.rows.append(f"&{self.indent}")
            self.taken = self.indented
        head, *rest = broken(side, self.room - _SIGN - self.indented)
        self.rows[-1] += f"{RELATIONS[relation][1]} {head} "
        self.rows += [rf"&{self.indent}\qquad {part} " for part in rest]
        self.taken = self.room if rest else self.taken + width

    def ended(self, condition: str) -> list[str]:
        """The rows, with the condition behind the last or below it."""
        if condition:
            if self.taken + len(unicode_condition(condition)) + 6 > self.room:
                self.rows.append("&")
            self.rows[-1] += rf"\qquad ({latex_condition(condition)})"
        return [row.strip() for row in self.rows]
