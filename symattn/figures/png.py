"""A scene as a PNG, drawn by resvg from the SVG."""

from __future__ import annotations

from functools import cache
from typing import Any

from symattn.errors import InputError
from symattn.figures.palette import DARK, LIGHT
from symattn.figures.scene import Scene
from symattn.figures.svg import FONT, dark_rules, write_svg

__all__ = ["write_png"]


def write_png(scene: Scene, scale: float = 2, *, dark: bool = False) -> bytes:
    """The bytes of a PNG, with so many pixels for each point.

    Raises: `InputError` where the extra symattn[png] is not installed, or the system has no font.
    """
    try:
        from resvg_py import svg_to_bytes
    except ImportError:
        message = "a PNG needs resvg-py, which is not installed: pip install symattn[png]"
        raise InputError(message) from None
    _check_font(svg_to_bytes)
    image: bytes = svg_to_bytes(
        svg_string=write_svg(scene, embedded=True),
        background=(DARK if dark else LIGHT)["paper"].fill,
        style_sheet=dark_rules() if dark else None,
        zoom=scale,
    )
    return image


@cache
def _check_font(svg_to_bytes: Any) -> None:
    """Refuse to draw pictures without words: resvg leaves text out where it finds no font."""
    sheet = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">{}</svg>'
    letter = f'<text y="9" font-family="{FONT}">M</text>'
    empty, written = (svg_to_bytes(svg_string=sheet.format(text)) for text in ("", letter))
    if empty == written:
        raise InputError(
            "a PNG needs a font, and none of those that figures name is installed: "
            "install one, such as DejaVu Sans, or use the SVG"
        )
