"""One painter for each kind of figure."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from symattn.derivation import figures
from symattn.derivation.blocks import Options
from symattn.derivation.figures import Figure
from symattn.figures.blend import paint_blend
from symattn.figures.canvas import Canvas
from symattn.figures.curve import paint_curve, paint_spread
from symattn.figures.fan import paint_fan
from symattn.figures.pipeline import paint_pipeline
from symattn.figures.plane import paint_plane
from symattn.figures.reordering import paint_reordering
from symattn.figures.scene import Scene
from symattn.figures.softmax import paint_profiles, paint_scores, paint_softmax
from symattn.figures.tables import paint_grid

__all__ = ["PAINTERS", "paint"]

#: Kind of figure -> what draws it on a canvas.
PAINTERS: dict[type[Figure], Callable[[Canvas, Any], None]] = {
    figures.Plane: paint_plane,
    figures.Fan: paint_fan,
    figures.ScoreBars: paint_scores,
    figures.SoftmaxBars: paint_softmax,
    figures.TipToTail: paint_blend,
    figures.Grid: paint_grid,
    figures.Profiles: paint_profiles,
    figures.Curve: paint_curve,
    figures.Spread: paint_spread,
    figures.Reordering: paint_reordering,
    figures.Pipeline: paint_pipeline,
}


def paint(figure: Figure, options: Options) -> Scene:
    """The scene of a figure, its decimals made as the options ask."""
    canvas = Canvas(options)
    PAINTERS[type(figure)](canvas, figure)
    return canvas.scene(figure)
