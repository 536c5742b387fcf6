"""One painter for each kind of figure."""

from __future__ import annotations

from symattn.derivation.blocks import Options, decimal_tree
from symattn.derivation.figures import Figure, Grid
from symattn.exact.rounding import nearest_float
from symattn.figures.scene import Item, Label, Path, Scene
from symattn.render.unicode import to_unicode

__all__ = ["paint"]

CELL = 72.0


def paint(figure: Figure, options: Options) -> Scene:
    """The scene of a figure, its decimals made as the options ask."""
    if isinstance(figure, Grid):
        return _grid(figure, options)
    text = f"{type(figure).__name__}: {figure.title}"
    return Scene(320, 40, figure.title, text, (Label((160, 24), (text,)),))


def _grid(figure: Grid, options: Options) -> Scene:
    items: list[Item] = []
    said: list[str] = []
    for i, row in enumerate(figure.entries):
        for j, entry in enumerate(row):
            x, y = 40 + j * CELL, 40 + i * CELL
            corners = ((x, y), (x + CELL, y), (x + CELL, y + CELL), (x, y + CELL))
            strength = nearest_float(entry)
            items.append(Path(corners, "ink", "weight", 1, closed=True, strength=strength))
            decimal = decimal_tree(entry, options)[0]
            at = (x + CELL / 2, y + CELL / 2 + 5)
            tone = "paper" if strength > 0.5 else "ink"
            items.append(Label(at, (decimal,), tone=tone, decimal=True))  # type: ignore[arg-type]
            said.append(to_unicode(decimal))
    size = 40 + CELL * len(figure.rows) + 8, 40 + CELL * len(figure.columns) + 8
    return Scene(size[1], size[0], figure.title, "Weights: " + ", ".join(said), tuple(items))
