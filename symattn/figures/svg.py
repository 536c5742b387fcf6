"""A scene as SVG."""

from __future__ import annotations

from html import escape

from symattn.figures.scene import Path, Scene
from symattn.render.text import plain_prose

__all__ = ["write_svg"]


def write_svg(scene: Scene, *, prefix: str = "", embedded: bool = False) -> str:
    """The scene as an SVG document, or `embedded` as an element for a page in HTML.

    `prefix` stands before every id, so that several can be in one page.
    """
    marks = []
    for item in scene.items:
        if isinstance(item, Path):
            points = " ".join(f"{x:g},{y:g}" for x, y in item.points)
            fill = "#2b6cb0" if item.fill else "none"
            marks.append(
                f'<polygon points="{points}" stroke="#222" fill="{fill}"'
                f' fill-opacity="{item.strength:.3f}"/>'
            )
        else:
            x, y = item.at
            kind = ' class="decimal"' if item.decimal else ""
            marks.append(
                f'<text x="{x:g}" y="{y:g}" font-size="{item.size:g}"{kind}'
                f' text-anchor="{item.anchor}">{escape(plain_prose(item.text))}</text>'
            )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {scene.width:g} {scene.height:g}"'
        f' width="{scene.width:g}" height="{scene.height:g}" role="img"'
        f' aria-labelledby="{prefix}title {prefix}desc"><title id="{prefix}title">'
        f'{escape(scene.title)}</title><desc id="{prefix}desc">{escape(scene.description)}</desc>'
        f"{''.join(marks)}</svg>\n"
    )
