r"""A scene as a TikZ picture, its labels set by LaTeX in the fonts of the page.

A scene's points are scaled by one factor, so that 14 of them are the size of small print, or less
where the picture would be wider than the line.
"""

from __future__ import annotations

from collections.abc import Iterator

from symattn.exact.tree import Node
from symattn.figures.scene import Item, Label, Path, Point, Scene, Tone
from symattn.render.escapes import tex_text
from symattn.render.latex import to_latex

__all__ = ["PREAMBLE", "write_tikz"]

#: Points of TeX for a point of the scene: a label of size 14 is 10 pt high.
_SCALE = 10 / 14
_LINE = 455.0

#: Tone -> its colour: those of Okabe and Ito, darkened until they are legible as text.
_COLOURS: dict[Tone, str] = {
    "token": "555555",
    "query": "0B5F9E",
    "key": "A84300",
    "value": "00704F",
    "output": "8A2E6B",
    "weight": "0B5F9E",
    "score": "A84300",
    "ink": "1A1A1A",
    "muted": "666666",
    "faint": "CCCCCC",
    "paper": "FFFFFF",
}
_ANCHORS = {"start": "base west", "middle": "base", "end": "base east"}

#: What a document needs before its pictures.
PREAMBLE = "\n".join(
    [
        r"\usepackage{tikz}",
        r"\usetikzlibrary{arrows.meta,patterns}",
        *(
            rf"\definecolor{{tone-{tone}}}{{HTML}}{{{colour}}}"
            for tone, colour in _COLOURS.items()
        ),
        r"\newcommand{\sized}[2]{\fontsize{#1pt}{#1pt}\selectfont #2}",
    ]
)


def write_tikz(scene: Scene, *, line: float = _LINE) -> str:
    """The scene as a `tikzpicture`; `line` is the widest that it may be, in points of TeX."""
    scale = min(_SCALE, line / scene.width)
    rows = [
        rf"\begin{{tikzpicture}}[x={scale:.4f}pt,y=-{scale:.4f}pt,line join=round]",
        rf"\useasboundingbox (0,0) rectangle ({_number(scene.width)},{_number(scene.height)});",
        *(row for item in scene.items for row in _mark(item, scale)),
        r"\end{tikzpicture}",
    ]
    return "\n".join(rows)


def _mark(item: Item, scale: float) -> Iterator[str]:
    if isinstance(item, Label):
        yield _label(item, scale)
        return
    way = " -- ".join(map(_point, item.points)) + (" -- cycle" if item.closed else "")
    if item.fill:
        faded = f",fill opacity={item.strength:.3f}" if item.strength < 1 else ""
        yield rf"\fill[tone-{item.fill}{faded}] {way};"
    if item.hatched:
        tone = item.stroke or item.fill or "ink"
        yield rf"\fill[pattern=north east lines,pattern color=tone-{tone}] {way};"
    if item.stroke:
        yield rf"\draw[{','.join(_line(item, scale))}] {way};"


def _line(path: Path, scale: float) -> Iterator[str]:
    yield f"tone-{path.stroke}"
    yield f"line width={path.width * scale:.2f}pt"
    if path.dashed:
        yield f"dash pattern=on {5 * scale:.2f}pt off {4 * scale:.2f}pt"
    if path.arrow:
        yield "-{Stealth[round]}"


def _label(label: Label, scale: float) -> str:
    text = "".join(map(_part, label.text))
    if label.strong:
        text = rf"\bfseries\boldmath {text}"
    options = f"anchor={_ANCHORS[label.anchor]},inner sep=0pt,tone-{label.tone}"
    sized = rf"\sized{{{label.size * scale:.2f}}}{{{text}}}"
    return rf"\node[{options}] at {_point(label.at)} {{{sized}}};"


def _part(part: str | Node) -> str:
    return tex_text(part) if isinstance(part, str) else f"${to_latex(part, inline=True)}$"


def _point(point: Point) -> str:
    return f"({_number(point[0])},{_number(point[1])})"


def _number(x: float) -> str:
    return f"{x:.2f}".rstrip("0").rstrip(".")
