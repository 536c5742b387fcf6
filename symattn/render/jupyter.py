"""How objects show themselves in a notebook.

A derivation is Markdown there, as every notebook sets its LaTeX and its headings like those around
it; verdicts and figures are HTML first. A fragment brings its style along and changes nothing else.
"""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING, Any

from symattn.derivation.blocks import Checked, Formula, Heading, Options, blocks, decimal_tree
from symattn.derivation.figures import Figure
from symattn.derivation.model import Derivation, Result
from symattn.exact.tree import Array, Node, Symbol
from symattn.exact.writing import to_tree
from symattn.figures import describe
from symattn.render.displays import aligned
from symattn.render.escapes import tex_text
from symattn.render.markdown import escaped
from symattn.render.text import numbered

if TYPE_CHECKING:
    from symattn.grading.verdict import Verdict

__all__ = [
    "derivation_latex",
    "derivation_markdown",
    "figure_html",
    "figure_markdown",
    "result_latex",
    "verdict_html",
    "verdict_latex",
    "verdict_markdown",
]

#: Verdict -> its mark, and the colour of the line at its left.
_MARKS = {
    "exact": ("✓", "#00735a"),
    "rounded": ("✓", "#00735a"),
    "misrounded": ("✗", "#7f5a00"),
    "undecided": ("?", "#7f5a00"),
}
_WRONG = ("✗", "#b0450c")
#: What stands for the data of a figure until they are put in.
_HELD = "data:"
_LINK = re.compile(rf"\]\(({_HELD}[\w-]+\.svg)\)")


def derivation_markdown(derivation: Derivation, **options: Any) -> str:
    """The document as Markdown that holds its figures; options: digits, ties, level."""
    drawn = derivation.drawn(_HELD, **options)
    text = derivation.to_markdown(figures=_HELD, **options)
    return _LINK.sub(lambda match: f"]({_data(drawn[match[1]])})", text)


def derivation_latex(derivation: Derivation) -> str:
    """The formulas of each step under its title."""
    parts: list[str] = []
    chains: list[Formula] = []
    for block in [*blocks(derivation, Options()), Heading(2, "")]:
        if isinstance(block, Formula):
            chains.append(block)
        elif isinstance(block, Heading | Checked) and chains:
            parts.append(f"$$\n{aligned(chains)}\n$$")
            chains = []
        if isinstance(block, Heading) and block.text:
            parts.append(rf"$\textbf{{{numbered(block.number)}{tex_text(block.text)}}}$")
    return "\n\n".join(parts)


def figure_html(figure: Figure) -> str:
    """The figure as an image over its title; a notebook that is not trusted drops other SVG."""
    title, words = escape(figure.title), escape(describe(figure, Options()))
    return (
        f'<figure style="margin:0.5em 0"><img src="{_data(figure.to_svg())}" alt="{words}"'
        f' style="max-width:100%"><figcaption>{title}</figcaption></figure>'
    )


def figure_markdown(figure: Figure) -> str:
    """The figure as an image that the text holds."""
    words = f"{escaped(figure.title)}. {escaped(describe(figure, Options()))}"
    return f"![{words}]({_data(figure.to_svg())})"


def _data(svg: str) -> str:
    return f"data:image/svg+xml;base64,{b64encode(svg.encode()).decode()}"


def result_latex(result: Result | Sequence[Any]) -> str:
    """Numbers of a solution, exact and as decimals."""
    exact, (decimal, whole) = _exact(result), _decimal(result)
    links = () if decimal in (None, exact) else (("=" if whole else "≈", decimal),)
    return f"$\\displaystyle\n{aligned([Formula(exact, links)])}$"


def _exact(result: Any) -> Node:
    if isinstance(result, Sequence):
        return Array(tuple(map(_exact, result)))
    return Symbol("-oo") if result is None else to_tree(result.number)


def _decimal(result: Any) -> tuple[Any, bool]:
    """The decimals and whether they are the values themselves; None where a symbol is open."""
    if isinstance(result, Sequence):
        trees, whole = zip(*map(_decimal, result), strict=True)
        return (None if None in trees else Array(trees)), all(whole)
    if result is None:
        return Symbol("-oo"), True
    return (None, False) if result.is_open else decimal_tree(result.number, Options())


def verdict_html(verdict: Verdict) -> str:
    """The verdict, why, the mistakes that lead to the answer, and the true value."""
    mark, colour = _MARKS.get(verdict.verdict, _WRONG)
    rows = [f"<strong>{mark} {verdict.verdict}</strong>: {escape(verdict.message)}"]
    rows += [f"<em>{escape(found.id)}</em>: {escape(found.message)}" for found in verdict.mistakes]
    if verdict.score is not None:
        rows.append(f"score: {verdict.score:g}")
    if verdict.expected.exact is not None:
        rows.append(f"true value: <code>{escape(verdict.expected.exact)}</code>")
    inside = "".join(f'<div style="margin:0.15em 0">{row}</div>' for row in rows)
    return f'<div style="border-left:4px solid {colour};padding-left:0.8em">{inside}</div>'


def verdict_markdown(verdict: Verdict) -> str:
    """The same as a paragraph and a list."""
    mark, _ = _MARKS.get(verdict.verdict, _WRONG)
    rows = [f"**{mark} {verdict.verdict}**: {escaped(verdict.message)}", ""]
    rows += [f"- *{escaped(found.id)}*: {escaped(found.message)}" for found in verdict.mistakes]
    if verdict.score is not None:
        rows.append(f"- score: {verdict.score:g}")
    if verdict.expected.exact is not None:
        rows.append(f"- true value: {escaped(verdict.expected.exact)}")
    return "\n".join(rows).rstrip()


def verdict_latex(verdict: Verdict) -> str:
    """The verdict and why, as text within mathematics."""
    holds = verdict.verdict in ("exact", "rounded")
    mark = {True: r"\checkmark", False: r"\times"}[holds]
    return rf"${mark}\ \textbf{{{verdict.verdict}}}\text{{: {tex_text(verdict.message)}}}$"
