"""One token that fans out into its query, its key and its value, each in a plane of its own."""

from __future__ import annotations

from symattn.derivation.figures import Fan, Vector
from symattn.exact.tree import Symbol
from symattn.figures.canvas import MARGIN, TEXT, WIDTH, Canvas
from symattn.figures.ground import as_points, draw_arrow, lay_ground
from symattn.figures.letters import Text, width
from symattn.figures.naming import is_zero, name_at, outward
from symattn.figures.plane import say_vectors

__all__ = ["paint_fan"]

#: The plane of the token, and those below it.
UPPER, LOWER, BETWEEN = 150.0, 108.0, 8.0


def paint_fan(canvas: Canvas, figure: Fan) -> None:
    """The token above, an arrow to each of its images below, and the matrix beside it."""
    canvas.say("One token is multiplied by three matrices, and each image has its own plane.")
    say_vectors(canvas, (figure.token, *figure.images))
    count = len(figure.images)
    wide = (WIDTH - 2 * MARGIN - (count - 1) * BETWEEN) / max(count, 1)
    _plane(canvas, figure.token, (WIDTH - UPPER) / 2, UPPER, 120.0)
    top = canvas.y + 4
    canvas.y = top + 62
    below = canvas.y
    bottom = below
    for j, image in enumerate(figure.images):
        left = MARGIN + j * (wide + BETWEEN)
        start = WIDTH / 2 + (j - (count - 1) / 2) * 26, top
        end = left + wide / 2, below - 6
        canvas.line([start, end], image.role, 1.8, arrow=True)
        matrix = Symbol(f"W_{image.role[0].upper()}")
        middle = (start[0] + end[0]) / 2, (start[1] + end[1]) / 2 + 4
        text: Text = (matrix,)
        leans = end[0] - start[0]
        x = (
            middle[0] - 14 - width(text, TEXT)
            if leans < -1
            else middle[0] + (10 if leans < 1 else 14)
        )
        canvas.label((x, middle[1]), text, "start", image.role)
        canvas.y = below
        _plane(canvas, image, left, wide, LOWER)
        bottom = max(bottom, canvas.y)
    canvas.y = bottom


def _plane(canvas: Canvas, vector: Vector, left: float, wide: float, tall: float) -> None:
    tips, top = as_points([vector.entries])
    ground = lay_ground(canvas, tips, top, left, wide, tall)
    placer = ground.placer()
    draw_arrow(canvas, placer, ground.origin, ground.at(tips[0]), vector.role)
    text: Text = (vector.name, " = 0") if is_zero(vector.entries) else (vector.name,)
    name_at(canvas, placer, ground.at(tips[0]), outward(vector, tips[0]), text, vector.role)
