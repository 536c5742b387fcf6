"""The whole formula in one picture, from the inputs over the weights down to the outputs."""

from __future__ import annotations

from collections.abc import Sequence

from symattn.derivation.figures import Pipeline, Stage
from symattn.exact.tree import Symbol
from symattn.figures.canvas import MARGIN, SMALL, TEXT, WIDTH, Canvas
from symattn.figures.letters import Text, width
from symattn.figures.scene import Tone
from symattn.figures.tables import Table, table, table_size

__all__ = ["paint_pipeline"]

ARROW, BETWEEN = 28.0, 20.0
ROOM = WIDTH - 2 * MARGIN
#: The name of a matrix -> the tone of its frame.
FRAMES: dict[str, Tone] = {
    "X": "token",
    "Q": "query",
    "K": "key",
    "V": "value",
    "Z": "output",
    "S": "score",
    "S_scaled": "score",
    "A": "weight",
}


def paint_pipeline(canvas: Canvas, figure: Pipeline) -> None:
    """Rows of matrices below one another; each is made of what stands above it."""
    _rows(canvas, figure.inputs)
    *before, weights = figure.middle
    for stage in before:
        _arrow(canvas, stage)
        _rows(canvas, (stage,))
    _arrow(canvas, weights)
    _rows(canvas, (weights, figure.values))
    _arrow(canvas, figure.output)
    _rows(canvas, (figure.output,))


def _rows(canvas: Canvas, stages: Sequence[Stage]) -> None:
    """Stages side by side, in as many rows as they need."""
    row: list[tuple[Stage, Table]] = []
    for stage in stages:
        shown = _shown(stage)
        wide = sum(_width(canvas, *each) + BETWEEN for each in (*row, (stage, shown)))
        if row and wide - BETWEEN > ROOM:
            _row(canvas, row)
            row = []
        row.append((stage, shown))
    _row(canvas, row)


def _shown(stage: Stage) -> Table:
    empty: Text = ()
    name = stage.name.name if isinstance(stage.name, Symbol) else ""
    return Table(
        (empty,) * len(stage.entries),
        (empty,) * len(stage.entries[0]),
        stage.entries,
        tinted=name == "A",
        frame=FRAMES.get(name, "muted"),
    )


def _width(canvas: Canvas, stage: Stage, shown: Table) -> float:
    captions = width((stage.name,), TEXT), width((stage.words,), SMALL)
    return max(table_size(canvas, shown)[0], *captions)


def _row(canvas: Canvas, row: Sequence[tuple[Stage, Table]]) -> None:
    widths = [_width(canvas, *each) for each in row]
    x = max(MARGIN, (WIDTH - sum(widths) - BETWEEN * (len(row) - 1)) / 2)
    top = bottom = canvas.y
    for (stage, shown), wide in zip(row, widths, strict=True):
        middle = x + wide / 2
        tone = shown.frame
        canvas.label((middle, top + TEXT), stage.name, "middle", tone)
        canvas.label((middle, top + TEXT + SMALL + 4), stage.words, "middle", "muted", SMALL)
        canvas.y = top + TEXT + SMALL + 10
        table(canvas, shown, middle - table_size(canvas, shown)[0] / 2)
        bottom = max(bottom, canvas.y)
        x += wide + BETWEEN
        rows = "; ".join(
            ", ".join("masked" if x is None else canvas.plain(x) for x in entries)
            for entries in stage.entries
        )
        made = () if stage.operation is None else (" = ", stage.operation)
        canvas.say(stage.name, *made, f", the {stage.words}, has the rows {rows}.")
    canvas.y = bottom


def _arrow(canvas: Canvas, stage: Stage) -> None:
    x, y = WIDTH / 2, canvas.y + 2
    canvas.line([(x, y), (x, y + ARROW)], "ink", 1.8, arrow=True)
    operation: Text = (stage.operation,) if stage.operation is not None else ("softmax",)
    canvas.label((x + 12, y + ARROW / 2 + 5), operation, "start")
    canvas.y = y + ARROW + 6
