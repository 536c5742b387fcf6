r"""The document as LaTeX for pdflatex, in one file, its figures drawn by TikZ.

Chains stand in `aligned` displays at the left, a display that is wider than the line is scaled to
it, and long groups of chains are split so that a page can end between them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from symattn.derivation.blocks import (
    Block,
    Checked,
    Formula,
    Heading,
    Options,
    Paragraph,
    Picture,
    blocks,
)
from symattn.derivation.model import Derivation, Level
from symattn.exact.rounding import Ties
from symattn.exact.tree import Node
from symattn.figures import paint
from symattn.figures.tikz import PREAMBLE, write_tikz
from symattn.render.displays import aligned
from symattn.render.escapes import formula_text, pdf_text, tex_text
from symattn.render.latex import to_latex

__all__ = ["render"]

#: Lines of print that a display may take before it is split, and digits that stand in one row.
_TALLEST, _LONGEST = 24, 60
#: Characters of inline mathematics that must not be kept in one piece.
_UNBROKEN = 50

_HEAD = r"""% For pdflatex, with texlive-latex-recommended, texlive-pictures and lmodern of Debian
\documentclass[11pt,a4paper]{article}
\usepackage[T1]{fontenc}
\usepackage[utf8]{inputenc}
\IfFileExists{lmodern.sty}{\usepackage{lmodern}}{}
\usepackage{textcomp,amsmath,amssymb,graphicx}
\usepackage[a4paper,hmargin=25mm,vmargin=24mm]{geometry}
\IfFileExists{microtype.sty}{\usepackage{microtype}}{}
"""
#: What a matrix of amsmath has at most where nothing is said.
_COLUMNS = 10
_MACROS = r"""
\usepackage[unicode,hidelinks]{hyperref}
\IfFileExists{bookmark.sty}{\usepackage{bookmark}}{}
\setlength{\jot}{6pt}
\renewcommand{\arraystretch}{1.15}
\clubpenalty=10000 \widowpenalty=10000
\setlength{\fboxsep}{7pt}
\setlength{\parindent}{0pt}
\setlength{\parskip}{6pt plus 2pt minus 1pt}
\setlength{\emergencystretch}{4em}
\setcounter{secnumdepth}{5}
\definecolor{holds}{HTML}{00704F}
\newsavebox{\formula}
% What is wider than the line is scaled to it.
\newcommand{\fitted}[2][\linewidth]{\sbox{\formula}{#2}%
  \ifdim\wd\formula>#1\typeout{Scaled: \the\wd\formula}%
  \resizebox{#1}{!}{\usebox{\formula}}\else\usebox{\formula}\fi}
\newcommand{\display}[1]{\par\nopagebreak\vskip 3pt\hspace*{1.6em}%
  \fitted[\dimexpr\linewidth-1.6em]{$\displaystyle #1$}\par\vskip 3pt}
\newcommand{\broken}{\penalty100\hskip 0pt plus 2pt\relax}
\newcommand{\why}[1]{{\itshape Why?} #1\par}
\newcommand{\labelled}[2]{\textbf{#1.} #2\par}
\newcommand{\holds}[1]{{\leftskip=1.6em\noindent\llap{\makebox[1.6em][l]{%
  \color{holds}$\checkmark$}}#1\par}}
\newcommand{\boxed@text}[1]{\fbox{\parbox{\dimexpr\linewidth-2\fboxsep-2\fboxrule}{#1}}\par}
"""


def render(
    derivation: Derivation,
    *,
    digits: int = 4,
    ties: Ties = "half-up",
    level: Level = Level.NORMAL,
) -> str:
    """The document as LaTeX."""
    options = Options(digits, ties, level)
    title = f"\\hypersetup{{pdftitle={{{pdf_text(derivation.title)}}},pdfcreator={{symattn}}}}"
    passages = "\n\n".join(_passages(blocks(derivation, options), options))
    widest = max((row.count("&") for row in passages.splitlines()), default=0) + 1
    if widest > _COLUMNS:
        title = f"\\setcounter{{MaxMatrixCols}}{{{widest}}}\n{title}"
    head = _HEAD + PREAMBLE + _MACROS.replace("boxed@text", "boxedtext")
    return f"{head}{title}\n\\begin{{document}}\n\n{passages}\n\n\\end{{document}}\n"


def _passages(stream: Iterator[Block], options: Options) -> Iterator[str]:
    formulas: list[Formula] = []
    for block in stream:
        if isinstance(block, Formula):
            formulas.append(block)
            continue
        yield from _displays(formulas)
        formulas = []
        match block:
            case Heading():
                yield _heading(block)
            case Paragraph(role, text):
                yield _paragraph(role, text)
            case Checked(claim, method, lines):
                yield rf"\holds{{{_prose(claim)} \emph{{({formula_text(method)})}}}}"
                yield from _displays(lines)
            case Picture():
                yield _picture(block, options)
    yield from _displays(formulas)


def _heading(heading: Heading) -> str:
    title = tex_text(heading.text)
    if heading.depth == 1:
        return rf"{{\raggedright\LARGE\bfseries {title}\par}}" + "\n\\medskip\\hrule\\medskip"
    name = ("section", "subsection", "subsubsection", "paragraph")[min(heading.depth, 5) - 2]
    star = "" if heading.number else "*"
    return rf"\{name}{star}{{\texorpdfstring{{{title}}}{{{pdf_text(heading.text)}}}}}"


def _paragraph(role: str, parts: tuple[str | Node, ...]) -> str:
    text = _prose(parts, formula_text if role == "rule" else tex_text)
    match role:
        case "assumption" | "note" | "rule":
            return rf"\labelled{{{role.capitalize()}}}{{{text}}}"
        case "forecast":
            return rf"\boxedtext{{\textbf{{Forecast.}} {text}}}"
        case "why":
            return rf"\why{{{text}}}"
        case "crosscheck":
            return rf"\holds{{{text}}}"
    return text


def _prose(parts: tuple[str | Node, ...], words: Callable[[str], str] = tex_text) -> str:
    return "".join(words(part) if isinstance(part, str) else _inline(part) for part in parts)


def _inline(node: Node) -> str:
    """Mathematics in a sentence; what is long may be broken after commas and within numbers."""
    text = to_latex(node, inline=True)
    if len(text) > _UNBROKEN:
        text = re.sub(r"\\text\{([0-9.]+)(e[0-9-]+)\}", r"\1\\text{\2}", text)
        text = re.sub(r", |\d{5}(?=\d)", r"\g<0>\\broken ", text)
    return f"${text}$"


def _displays(formulas: Iterable[Formula]) -> Iterator[str]:
    group: list[Formula] = []
    taken = 0
    for formula in formulas:
        tall = _height(aligned([formula]))
        if group and taken + tall > _TALLEST:
            yield _display(group)
            group, taken = [], 0
        group.append(formula)
        taken += tall
    if group:
        yield _display(group)


def _height(display: str) -> int:
    """About how many lines of print a display takes."""
    return display.count("\\\\\n") + 1 + (r"\frac" in display)


def _display(formulas: list[Formula]) -> str:
    text = re.sub(rf"[0-9.]{{{_LONGEST + 1},}}", _rows, aligned(formulas))
    return f"\\display{{%\n{text}}}"


def _rows(number: re.Match[str]) -> str:
    """A long number in rows."""
    rows = " \\\\ ".join(re.findall(rf".{{1,{_LONGEST}}}", number[0]))
    return rf"\ensuremath{{\begin{{array}}{{@{{}}l@{{}}}}{rows}\end{{array}}}}"


def _picture(picture: Picture, options: Options) -> str:
    scene = paint(picture.figure, options)
    caption = rf"\small\textbf{{Figure {picture.number}.}} {tex_text(picture.figure.title)}"
    words = f"% {' '.join(scene.description.split())}"
    return f"\\begin{{center}}\n{words}\n{write_tikz(scene)}\\\\*[4pt]\n{caption}\n\\end{{center}}"
