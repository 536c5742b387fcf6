"""A scene as a PNG, drawn by resvg from the SVG."""

from __future__ import annotations

from symattn.errors import InputError
from symattn.figures.palette import DARK, LIGHT
from symattn.figures.scene import Scene
from symattn.figures.svg import dark_rules, write_svg

__all__ = ["write_png"]


def write_png(scene: Scene, scale: float = 2, *, dark: bool = False) -> bytes:
    """The bytes of a PNG, with so many pixels for each point.

    Raises: `InputError` where the extra symattn[png] is not installed.
    """
    try:
        from resvg_py import svg_to_bytes
    except ImportError:
        message = "a PNG needs resvg, which is not installed: pip install symattn[png]"
        raise InputError(message) from None
    shades = DARK if dark else LIGHT
    image: bytes = svg_to_bytes(
        svg_string=write_svg(scene, embedded=True),
        background=shades["paper"].fill,
        style_sheet=dark_rules() if dark else None,
        zoom=scale,
    )
    return image
