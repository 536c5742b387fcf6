r"""A scene as a TikZ picture, its labels set by LaTeX in the fonts of the page.

All points are scaled by one factor: 14 of a scene are 9 of the page, the size of its small print,
or less where the picture would be wider than the line.
"""

from __future__ import annotations

from collections.abc import Iterator

from symattn.exact.tree import Node
from symattn.figures.palette import LIGHT
from symattn.figures.scene import Item, Label, Path, Point, Scene, head
from symattn.render.escapes import tex_text
from symattn.render.latex import to_latex

__all__ = ["PREAMBLE", "write_tikz"]

_SCALE = 9 / 14
#: The width of A4 between margins of 25 mm, in points of TeX.
_LINE = 455.0
_ANCHORS = {"start": "base west", "middle": "base", "end": "base east"}

#: What a document needs before its pictures.
PREAMBLE = "\n".join(
    [
        r"\usepackage{tikz}",
        r"\usetikzlibrary{patterns}",
        *(
            rf"\definecolor{{{tone}-{kind}}}{{HTML}}{{{colour[1:].upper()}}}"
            for tone, shade in LIGHT.items()
            for kind, colour in zip(("ink", "fill"), shade, strict=True)
        ),
        r"\newcommand{\sized}[2]{\fontsize{#1pt}{#1pt}\selectfont #2}",
        "",
    ]
)


def write_tikz(scene: Scene, *, line: float = _LINE) -> str:
    """The scene as a `tikzpicture`, at most `line` points of TeX wide."""
    scale = min(_SCALE, line / scene.width)
    corner = _point((scene.width, scene.height))
    rows = [
        rf"\begin{{tikzpicture}}[x={scale:.4f}pt,y=-{scale:.4f}pt]",
        rf"\useasboundingbox (0,0) rectangle {corner};",
        *(row for item in scene.items for row in _mark(item, scale)),
        r"\end{tikzpicture}",
    ]
    return "\n".join(rows)


def _mark(item: Item, scale: float) -> Iterator[str]:
    if isinstance(item, Label):
        yield _label(item, scale)
        return
    way = _way(item.points, item.closed)
    if item.hatched:
        yield rf"\fill[pattern=north east lines,pattern color=muted-ink] {way};"
    elif item.fill:
        faded = f",fill opacity={_number(item.strength)}" if item.strength < 1 else ""
        yield rf"\fill[{item.fill}-fill{faded}] {way};"
    if item.stroke:
        tip = head(item)
        if tip is not None:
            (tx, ty), (ax, ay), (bx, by) = tip
            # The line ends within its head, so that the tip is sharp.
            neck = (tx + 2 * (ax + bx)) / 5, (ty + 2 * (ay + by)) / 5
            way = _way((*item.points[:-1], neck), closed=False)
            yield rf"\fill[{item.stroke}-ink] {_way(tip, closed=True)};"
        yield rf"\draw[{','.join(_line(item, scale))}] {way};"


def _line(path: Path, scale: float) -> Iterator[str]:
    width = path.width * scale
    yield f"{path.stroke}-ink"
    yield f"line width={_number(width)}pt"
    if path.dashed:
        yield f"dash pattern=on {_number(3 * width)}pt off {_number(2 * width)}pt"
    if path.strength < 1 and path.fill is None:
        yield f"draw opacity={_number(path.strength)}"


def _label(label: Label, scale: float) -> str:
    text = "".join(map(_part, label.text))
    if label.strong:
        # In a group, as \boldmath leaves a token behind its group that no path may meet.
        text = rf"{{\bfseries\boldmath {text}}}"
    options = f"anchor={_ANCHORS[label.anchor]},inner sep=0pt,{label.tone}-ink"
    sized = rf"\sized{{{_number(label.size * scale)}}}{{{text}}}"
    return rf"\node[{options}] at {_point(label.at)} {{{sized}}};"


def _part(part: str | Node) -> str:
    return tex_text(part) if isinstance(part, str) else f"${to_latex(part, inline=True)}$"


def _way(points: tuple[Point, ...], closed: bool) -> str:
    return " -- ".join(map(_point, points)) + (" -- cycle" if closed else "")


def _point(point: Point) -> str:
    return f"({_number(point[0])},{_number(point[1])})"


def _number(x: float) -> str:
    """A length with two decimals at most."""
    text = f"{x:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text
