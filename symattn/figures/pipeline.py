"""The whole formula in one picture, from the inputs over the weights down to the outputs."""

from __future__ import annotations

from collections.abc import Sequence

from symattn.derivation.figures import Pipeline, Stage
from symattn.figures.canvas import MARGIN, SMALL, WIDTH, Canvas
from symattn.figures.letters import Text, width
from symattn.figures.scene import Tone
from symattn.figures.tables import Table, table, table_size

__all__ = ["paint_pipeline"]

ARROW, BETWEEN = 30.0, 16.0
TONES: dict[str, Tone] = {"X": "token", "Q": "query", "K": "key", "V": "value"}


def paint_pipeline(canvas: Canvas, figure: Pipeline) -> None:
    """Stages below one another; what stands in one row is made of what stands above it."""
    _row(canvas, figure.inputs)
    for stage in figure.middle:
        _arrow(canvas, stage)
        _row(canvas, (stage,))
    canvas.y += 6
    _row(canvas, (figure.values,))
    _arrow(canvas, figure.output)
    _row(canvas, (figure.output,))


def _row(canvas: Canvas, stages: Sequence[Stage]) -> None:
    """Stages side by side, in as many lines as they need."""
    line: list[tuple[Stage, Table, float]] = []
    for stage in stages:
        shown = _shown(stage)
        wide = max(table_size(canvas, shown)[0], width(_caption(stage), SMALL))
        used = sum(w + BETWEEN for _, _, w in line)
        if line and used + wide > WIDTH - 2 * MARGIN:
            _line(canvas, line)
            line = []
        line.append((stage, shown, wide))
    _line(canvas, line)


def _shown(stage: Stage) -> Table:
    names: tuple[Text, ...] = ((),) * len(stage.entries)
    columns: tuple[Text, ...] = ((),) * len(stage.entries[0])
    weights = stage.words.startswith("weights")
    return Table(names, columns, stage.entries, "weight", tinted=weights)


def _caption(stage: Stage) -> Text:
    return stage.name, f"  {stage.words}"


def _line(canvas: Canvas, line: Sequence[tuple[Stage, Table, float]]) -> None:
    total = sum(w for _, _, w in line) + BETWEEN * (len(line) - 1)
    x = max(MARGIN, (WIDTH - total) / 2)
    top = bottom = canvas.y
    for stage, shown, wide in line:
        canvas.y = top
        canvas.heading(_caption(stage), x)
        table(canvas, shown, x - 10)
        bottom = max(bottom, canvas.y)
        x += wide + BETWEEN
        rows = "; ".join(", ".join(canvas.plain(e) for e in row) for row in stage.entries)
        canvas.say(stage.name, f", {stage.words}: {rows}.")
    canvas.y = bottom


def _arrow(canvas: Canvas, stage: Stage) -> None:
    x, y = WIDTH / 2, canvas.y + 2
    canvas.line([(x, y), (x, y + ARROW)], "ink", 1.8, arrow=True)
    text: Text = (stage.operation,) if stage.operation is not None else ("softmax",)
    canvas.label((x + 12, y + ARROW / 2 + 5), text, "start")
    canvas.y = y + ARROW + 4
