"""Weights before and after the tokens are put in another order, and where each token goes."""

from __future__ import annotations

from symattn.derivation.figures import Reordering
from symattn.figures.canvas import MARGIN, MIDDLE, TEXT, WIDTH, Canvas
from symattn.figures.letters import Box, Text
from symattn.figures.tables import Table, table, table_size

__all__ = ["paint_reordering"]

HIGH, APART = 26.0, 44.0


def paint_reordering(canvas: Canvas, figure: Reordering) -> None:
    """Lines from the old places to the new, then both grids."""
    tokens: tuple[Text, ...] = tuple((token,) for token in figure.tokens)
    after = tuple(tokens[i - 1] for i in figure.order)
    old = [part for name in tokens for part in (", ", *name)][1:]
    new = [part for name in after for part in (", ", *name)][1:]
    canvas.say("The tokens ", *old, " are put in the order ", *new, ".")
    _crossing(canvas, figure, tokens, after)
    shown = []
    for rows, names in ((figure.before, tokens), (figure.after, after)):
        square = all(len(row) == len(names) for row in rows)
        columns = names if square else tuple((str(j + 1),) for j in range(len(rows[0])))
        shown.append(Table(names, columns, rows))
    sizes = [table_size(canvas, each)[0] for each in shown]
    beside = sum(sizes) + 18 <= WIDTH - 2 * MARGIN
    top = canvas.y
    for k, (each, words) in enumerate(zip(shown, ("before", "after"), strict=True)):
        for name, row in zip(each.rows, each.entries, strict=True):
            said = ", ".join(canvas.plain(x) for x in row if x is not None)
            canvas.say(f"{words.capitalize()}, the row of ", *name, f" is {said}.")
        left = MARGIN + k * (sizes[0] + 18) if beside else max(MARGIN, (WIDTH - sizes[k]) / 2)
        canvas.y = top if beside else canvas.y
        canvas.heading(words, left)
        table(canvas, each, left)
        canvas.y += 0 if beside else 6
    if figure.follows:
        canvas.note("The same numbers, in the new order: each row goes with its token.")
    else:
        canvas.note("The numbers differ: they do not merely follow their tokens.")


def _crossing(
    canvas: Canvas, figure: Reordering, tokens: tuple[Text, ...], after: tuple[Text, ...]
) -> None:
    """The tokens in a row, and below it in their new order, each joined to itself."""
    count = len(tokens)
    wide = min(64.0, (WIDTH - 2 * MARGIN) / count)
    left = (WIDTH - wide * count) / 2
    top = canvas.y
    below = top + HIGH + APART
    for row, y in ((tokens, top), (after, below)):
        for j, name in enumerate(row):
            x = left + j * wide
            canvas.rectangle(Box(x + 3, y, x + wide - 3, y + HIGH), "faint", "token")
            canvas.label((x + wide / 2, y + HIGH / 2 + MIDDLE * TEXT), name)
    for j, i in enumerate(figure.order):
        start, end = left + (i - 0.5) * wide, left + (j + 0.5) * wide
        points = [(start, top + HIGH + 2), (end, below - 3)]
        canvas.line(points, "token", 1.8, arrow=True)
    canvas.y = below + HIGH + 10
