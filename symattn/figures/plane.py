"""Arrows from the origin of the plane, with their angles, or with the hull of the values."""

from __future__ import annotations

from collections.abc import Sequence

from symattn.derivation.figures import Plane, Vector
from symattn.exact.vectors import Value
from symattn.figures.angles import draw_angles
from symattn.figures.canvas import SMALL, Canvas
from symattn.figures.ground import as_points, draw_together, lay_ground
from symattn.figures.lanes import Lane, paint_lanes
from symattn.figures.naming import name_at, names_together, outward
from symattn.figures.place import hull
from symattn.figures.scene import Path
from symattn.figures.tables import paint_vectors

__all__ = ["paint_plane", "say_vectors"]


def paint_plane(canvas: Canvas, figure: Plane) -> None:
    """Arrows in a plane; on lines of their own where vectors have one entry."""
    say_vectors(canvas, figure.vectors)
    if figure.hull:
        canvas.say("The values span the shaded area, and each output lies in it.")
    sizes = {len(vector.entries) for vector in figure.vectors}
    if max(sizes) > 2:
        paint_vectors(canvas, figure.vectors)
    elif sizes == {1}:
        paint_lanes(canvas, [Lane((v.name,), v.role, None, v.entries[0]) for v in figure.vectors])
    else:
        _arrows(canvas, figure)
    outputs = [v for v in figure.vectors if v.role == "output"]
    canvas.flow(
        [((v.name, f" {canvas.sign(v.entries)}"), False), (canvas.number(v.entries), True)]
        for v in outputs
    )


def say_vectors(canvas: Canvas, vectors: Sequence[Vector]) -> None:
    """Say what each vector is."""
    for vector in vectors:
        entries: Value = vector.entries
        canvas.say(f"The {vector.role} ", vector.name, f" {canvas.stated(entries)}.")


def _arrows(canvas: Canvas, figure: Plane) -> None:
    vectors = figure.vectors
    tips, top = as_points([vector.entries for vector in vectors])
    ground = lay_ground(canvas, tips, top)
    placer = ground.placer()
    if figure.hull:
        ends = [tip for v, tip in zip(vectors, tips, strict=True) if v.role == "value"]
        corners = tuple(map(ground.at, hull(ends)))
        if len(corners) > 1:
            canvas.items.append(Path(corners, "value", "value", 1.0, closed=True, strength=0.18))
    marks, cosines = (
        draw_angles(canvas, placer, ground, vectors, tips) if figure.angles else ([], [])
    )
    seen = draw_together(canvas, placer, ground, vectors, tips)
    for text, tone, i in names_together(vectors, tips):
        toward = outward(vectors[i], tips[i])
        name_at(canvas, placer, ground.at(tips[i]), toward, text, tone)
    for mark in marks:
        name_at(canvas, placer, mark.at, mark.toward, mark.name, "ink", SMALL)
    canvas.flow(cosines)
    if not seen:
        canvas.note("A dot is an arrow that is too short to be seen on this scale.")
