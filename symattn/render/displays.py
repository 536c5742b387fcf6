r"""Chains of equalities as displayed LaTeX: `aligned` rows, aligned at their first relations.

A chain that is wide starts a row with each relation, and a side that is still too wide is broken
before a plus or minus or after a comma. Every `\\` ends its line of source, which is where GitHub
leaves a double backslash alone.
"""

from __future__ import annotations

from collections.abc import Iterable

from symattn.derivation.blocks import Formula
from symattn.exact.tree import Add, Array, Div, Mul, Neg, Node
from symattn.render.boxes import matrix_rows
from symattn.render.conditions import latex_condition
from symattn.render.latex import to_latex
from symattn.render.names import RELATIONS
from symattn.render.unicode import to_unicode

__all__ = ["aligned"]

#: In columns of text: a chain that is wider has a row for each relation, a wider side is broken.
_WIDEST_CHAIN, _WIDEST_SIDE = 72, 90


def aligned(formulas: Iterable[Formula]) -> str:
    r"""Chains in one display, without its delimiters.

    >>> from symattn.exact.parse import parse
    >>> half, quotient = (parse(text).tree for text in ("0.5", "1/2"))
    >>> print(aligned([Formula(half, (("=", quotient),))]))
    \begin{aligned}
    0.5 &= \frac{1}{2}
    \end{aligned}
    """
    body = " \\\\\n".join(row for formula in formulas for row in _rows(formula))
    return f"\\begin{{aligned}}\n{body}\n\\end{{aligned}}"


def _rows(formula: Formula) -> list[str]:
    sides = [formula.first, *(side for _, side in formula.links)]
    wide = sum(_width(side) + 3 for side in sides) > _WIDEST_CHAIN
    rows = _broken(formula.first)
    for count, (relation, side) in enumerate(formula.links):
        head, *rest = _broken(side)
        sign = RELATIONS[relation][1]
        if count and wide and relation != "≈":
            rows.append(f"&{sign} {head}")
        else:
            rows[-1] += f" {'' if count else '&'}{sign} {head}"
        rows += [rf"&\qquad {part}" for part in rest]
    if formula.condition:
        rows[-1] += rf" \qquad ({latex_condition(formula.condition)})"
    return rows


def _width(node: Node) -> int:
    """About how many columns of text a display takes, where a fraction is as wide as its parts."""
    match node:
        case Div(numerator, denominator):
            return max(_width(numerator), _width(denominator))
        case Neg(body):
            return 1 + _width(body)
        case Add(terms=parts) | Mul(factors=parts):
            return sum(_width(part) + 3 for part in parts)
        case Array(entries):
            rows = matrix_rows(node) or [entries]
            columns = zip(*rows, strict=False)
            return sum(max(map(_width, column)) + 2 for column in columns)
    return len(to_unicode(node))


def _broken(node: Node) -> list[str]:
    """A side in LaTeX, in as many rows as it takes."""
    if _width(node) <= _WIDEST_SIDE or matrix_rows(node):
        return [to_latex(node)]
    match node:
        case Add(terms):
            signs = ["", *("-" if isinstance(term, Neg) else "+" for term in terms[1:])]
            bodies = [
                terms[0],
                *(term.body if isinstance(term, Neg) else term for term in terms[1:]),
            ]
            parts = [
                f"{sign} {_term(body)}".strip() for sign, body in zip(signs, bodies, strict=True)
            ]
            return _filled(parts, [_width(body) + 3 for body in bodies])
        case Array(entries, kind="array"):
            parts = [to_latex(entry) + "," for entry in entries]
            rows = _filled(parts, [_width(entry) + 2 for entry in entries])
            rows[0] = rf"\Bigl({rows[0]}"
            rows[-1] = rf"{rows[-1].removesuffix(',')}\Bigr)"
            return rows
    return [to_latex(node)]


def _term(node: Node) -> str:
    return rf"\left({to_latex(node)}\right)" if isinstance(node, Add) else to_latex(node)


def _filled(parts: list[str], widths: list[int]) -> list[str]:
    """Parts joined into rows that are not too wide."""
    rows, taken = [parts[0]], widths[0]
    for part, width in zip(parts[1:], widths[1:], strict=True):
        if taken + width > _WIDEST_SIDE:
            rows.append(part)
            taken = width
        else:
            rows[-1] += f" {part}"
            taken += width
    return rows
