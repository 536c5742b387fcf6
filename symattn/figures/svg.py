"""A scene as SVG.

Colours stand as attributes for paper and as rules of a style sheet for a dark ground, so that a
rasteriser, an old reader and a browser each find theirs. Print is always light.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html import escape
from itertools import groupby

from symattn.figures.letters import Run, runs
from symattn.figures.palette import DARK, LIGHT, TONES
from symattn.figures.scene import Item, Label, Path, Point, Scene, head

__all__ = ["FONT", "STYLE", "dark_rules", "write_svg"]

FONT = (
    "system-ui,'Segoe UI',Roboto,'Helvetica Neue',Arial,'Noto Sans','Liberation Sans',"
    "'DejaVu Sans',sans-serif"
)


def dark_rules() -> str:
    """The rules that give each role its colour on a dark ground."""
    return "".join(
        f".sa-s-{tone}{{stroke:{DARK[tone].ink}}}.sa-t-{tone}{{fill:{DARK[tone].ink}}}"
        f".sa-f-{tone}{{fill:{DARK[tone].fill}}}"
        for tone in TONES
    )


#: What a page needs once, that holds figures written with `embedded`.
STYLE = f"@media screen and (prefers-color-scheme:dark){{{dark_rules()}}}"


def write_svg(scene: Scene, *, prefix: str = "", embedded: bool = False) -> str:
    """The scene as an SVG document, or `embedded` as an element for a page in HTML.

    `prefix` stands before every id, so that several can be in one page. A page that embeds figures
    holds `STYLE` once, and its own ground is seen behind them.
    """
    width, height = _number(scene.width), _number(scene.height)
    ids = f"{prefix}title", f"{prefix}desc"
    ground = "" if embedded else _ground(width, height)
    hatch = _hatch(prefix) if any(isinstance(x, Path) and x.hatched for x in scene.items) else ""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}"'
        f' height="{height}" role="img" aria-labelledby="{ids[0]} {ids[1]}" font-family="{FONT}">\n'
        f'<title id="{ids[0]}">{_escaped(scene.title)}</title>\n'
        f'<desc id="{ids[1]}">{_escaped(scene.description)}</desc>\n'
        f"{ground}{hatch}{''.join(_items(scene.items, prefix))}</svg>\n"
    )


def _ground(width: str, height: str) -> str:
    paper = LIGHT["paper"].fill
    return (
        f"<style>{STYLE}</style>\n"
        f'<path class="sa-f-paper" fill="{paper}" d="M0 0H{width}V{height}H0z"/>\n'
    )


def _hatch(prefix: str) -> str:
    ink = LIGHT["muted"].ink
    return (
        f'<pattern id="{prefix}hatch" width="6" height="6" patternUnits="userSpaceOnUse">'
        f'<path class="sa-s-muted" stroke="{ink}" stroke-width="1" d="M-1 1L1-1M0 6L6 0M5 7L7 5"/>'
        "</pattern>\n"
    )


def _items(items: Iterable[Item], prefix: str) -> Iterator[str]:
    for key, group in groupby(items, _look):
        if isinstance(key, str):
            yield from (_path(path, prefix) for path in group if isinstance(path, Path))
        elif key is None:
            yield from (_label(label) for label in group if isinstance(label, Label))
        else:
            paths = [path for path in group if isinstance(path, Path)]
            outline = "".join(_outline(path.points, path.closed) for path in paths)
            yield f'<path{_paint(paths[0], prefix)} d="{outline}"/>\n'


def _look(item: Item) -> object:
    """What paths must have in common to be written as one; None for labels."""
    if isinstance(item, Label):
        return None
    if item.arrow:
        return "arrow"
    return item.stroke, item.fill, item.width, item.dashed, item.closed, item.hatched, item.strength


def _path(path: Path, prefix: str) -> str:
    """A path with an arrow head: its line ends within the head, so that the tip is sharp."""
    corners = head(path)
    if corners is None or path.stroke is None:
        return f'<path{_paint(path, prefix)} d="{_outline(path.points, path.closed)}"/>\n'
    (tx, ty), (ax, ay), (bx, by) = corners
    neck = (tx + 2 * (ax + bx)) / 5, (ty + 2 * (ay + by)) / 5
    line = _outline((*path.points[:-1], neck), closed=False)
    tone = path.stroke
    return (
        f'<path{_paint(path, prefix)} d="{line}"/>'
        f'<path class="sa-t-{tone}" fill="{LIGHT[tone].ink}" d="{_outline(corners, True)}"/>\n'
    )


def _paint(path: Path, prefix: str) -> str:
    """The attributes that say how a path looks."""
    classes, attributes = [], ""
    if path.fill is None or path.hatched:
        attributes += f' fill="url(#{prefix}hatch)"' if path.hatched else ' fill="none"'
    else:
        classes.append(f"sa-f-{path.fill}")
        attributes += f' fill="{LIGHT[path.fill].fill}"'
    if path.stroke is not None:
        classes.append(f"sa-s-{path.stroke}")
        attributes += f' stroke="{LIGHT[path.stroke].ink}" stroke-width="{_number(path.width)}"'
    if path.dashed:
        attributes += f' stroke-dasharray="{_number(3 * path.width)} {_number(2 * path.width)}"'
    if path.strength != 1:
        kind = "stroke" if path.fill is None else "fill"
        attributes += f' {kind}-opacity="{_number(path.strength)}"'
    named = f' class="{" ".join(classes)}"' if classes else ""
    return named + attributes


def _outline(points: Iterable[Point], closed: bool) -> str:
    """A path's data; a run of horizontal or vertical pieces is written shortly."""
    text, last = "", ("", "")
    for x, y in points:
        here = _number(x), _number(y)
        if not text:
            text = f"M{here[0]} {here[1]}"
        elif here[1] == last[1]:
            text += f"H{here[0]}"
        elif here[0] == last[0]:
            text += f"V{here[1]}"
        else:
            text += f"L{here[0]} {here[1]}"
        last = here
    return text + ("z" if closed else "")


def _label(label: Label) -> str:
    x, y = map(_number, label.at)
    names = f"{'decimal ' if label.decimal else ''}sa-t-{label.tone}"
    anchor = "" if label.anchor == "start" else f' text-anchor="{label.anchor}"'
    weight = ' font-weight="bold"' if label.strong else ""
    fill = LIGHT[label.tone].ink
    return (
        f'<text class="{names}" x="{x}" y="{y}" font-size="{_number(label.size)}"{anchor}{weight}'
        f' fill="{fill}">{"".join(_spans(runs(label.text), label.size))}</text>\n'
    )


def _spans(found: Iterable[Run], size: float) -> Iterator[str]:
    height = 0.0
    for run in found:
        attributes = ""
        if run.rise != height:
            attributes += f' dy="{_number((height - run.rise) * size)}"'
        if run.size != 1:
            attributes += f' font-size="{_number(run.size * size)}"'
        if run.italic:
            attributes += ' font-style="italic"'
        text = _escaped(run.text)
        yield f"<tspan{attributes}>{text}</tspan>" if attributes else text
        height = run.rise


def _number(x: float) -> str:
    """A length with two decimals at most."""
    text = f"{x:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def _escaped(text: str) -> str:
    """Text for XML, without the characters that XML has no place for."""
    return escape("".join(c if c >= " " and c not in "\ufffe\uffff" else " " for c in text))
