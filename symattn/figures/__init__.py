"""Figures painted from exact values: a figure becomes a scene, a scene becomes SVG or TikZ."""

from __future__ import annotations

from symattn.derivation.blocks import Options
from symattn.derivation.figures import Figure
from symattn.exact.rounding import Ties
from symattn.figures.paint import paint
from symattn.figures.svg import write_svg

__all__ = ["describe", "paint", "to_svg", "write_svg"]


def describe(figure: Figure, options: Options) -> str:
    """What is seen on the figure, in words."""
    return paint(figure, options).description


def to_svg(figure: Figure, *, digits: int = 4, ties: Ties = "half-up") -> str:
    """The figure as a self-contained SVG document."""
    return write_svg(paint(figure, Options(digits, ties)))
