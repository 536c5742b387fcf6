"""Scores, softmax and weights as bars: raw beside scaled, scores in and weights out, profiles."""

from __future__ import annotations

from collections.abc import Sequence

from symattn.derivation.figures import Profile, Profiles, ScoreBars, SoftmaxBars
from symattn.exact.numbers import Exact
from symattn.exact.rounding import nearest_float
from symattn.exact.tree import Node
from symattn.figures.bars import SLIVER, TALL, Bar, Group, bar_chart, column_width, swatch
from symattn.figures.canvas import MARGIN, MIDDLE, SMALL, TEXT, WIDTH, Canvas
from symattn.figures.letters import Box, Text, width
from symattn.figures.scales import relative

__all__ = ["paint_profiles", "paint_scores", "paint_softmax"]

ROOM = WIDTH - 2 * MARGIN
STACK = 30.0


def paint_scores(canvas: Canvas, figure: ScoreBars) -> None:
    """Two bars for each key, the raw score pale and the scaled one full."""
    sizes, _ = relative([*figure.raw, *figure.scaled])
    count = len(figure.keys)
    groups = []
    for j, (key, raw, scaled) in enumerate(
        zip(figure.keys, figure.raw, figure.scaled, strict=True)
    ):
        bars = Bar(raw, sizes[j], "score", pale=True), Bar(scaled, sizes[count + j], "score")
        groups.append(Group((key,), bars))
        said = f" is {canvas.plain(raw)}, and {canvas.plain(scaled)} when scaled."
        canvas.say("The score of ", key, said)
    canvas.y += SMALL
    x = swatch(canvas, MARGIN, "score", True, ("raw score",))
    swatch(canvas, x + 24, "score", False, ("scaled score",))
    canvas.y += 10
    bar_chart(canvas, groups)


def paint_softmax(canvas: Canvas, figure: SoftmaxBars) -> None:
    """Scores above, weights below, and the weights stacked in one bar of length 1."""
    kept = [x for x in figure.scaled if x is not None]
    parts, _ = relative(kept)
    span = max([0.0, *parts]) - min([0.0, *parts]) or 1.0
    sizes = iter(parts)
    largest = max(map(nearest_float, figure.weights)) or 1.0
    scores, weights = [], []
    for key, score, weight in zip(figure.keys, figure.scaled, figure.weights, strict=True):
        size = 0.0 if score is None else next(sizes) / span
        scores.append(Group((key,), (Bar(score, size, "score"),)))
        weights.append(Group((key,), (Bar(weight, nearest_float(weight) / largest, "weight"),)))
        before = " is masked" if score is None else f" has the score {canvas.plain(score)}"
        canvas.say(key, before, f" and the weight {canvas.plain(weight)}.")
    canvas.say("Stacked, the weights fill a bar of length 1 exactly.")
    column = max(column_width(canvas, groups) for groups in (scores, weights))
    canvas.heading("in: scores")
    bar_chart(canvas, scores, column)
    _softmax_arrow(canvas)
    canvas.heading("out: weights")
    bar_chart(canvas, weights, column)
    canvas.y += 6
    canvas.heading("stacked: they add to exactly 1")
    _stack(canvas, figure.keys, figure.weights)
    _thin(canvas, figure.weights, largest)


def _softmax_arrow(canvas: Canvas) -> None:
    y = canvas.y + 4
    canvas.line([(MARGIN + 14, y), (MARGIN + 14, y + 30)], "ink", 1.8, arrow=True)
    canvas.label((MARGIN + 28, y + 19), ("softmax",), "start", size=TEXT, strong=True)
    canvas.y = y + 38


def _stack(canvas: Canvas, keys: Sequence[Node], weights: Sequence[Exact]) -> None:
    """The weights end to end; a name stands where its piece has room for it."""
    left, wide, y = MARGIN, ROOM, canvas.y
    edge = left
    total = 0.0
    for key, weight in zip(keys, weights, strict=True):
        total += nearest_float(weight)
        end = left + wide * total
        if end - edge >= SLIVER:
            canvas.rectangle(Box(edge, y, end, y + STACK), "weight", "ink")
        if width((key,), TEXT) + 6 <= end - edge:
            canvas.label(((edge + end) / 2, y + STACK / 2 + MIDDLE * TEXT), key)
        edge = end
    base = y + STACK
    for x, text in ((left, "0"), (left + wide, "1")):
        canvas.line([(x, base), (x, base + 5)], "ink", 1.2)
        canvas.label((x, base + 5 + SMALL), text, "start" if x == left else "end", size=SMALL)
    canvas.y = base + 10 + SMALL


def _thin(canvas: Canvas, weights: Sequence[Exact], largest: float = 1.0) -> None:
    """Say so where a weight is there but its bar is not."""
    thin = [w for w in map(nearest_float, weights) if 0 <= w < SLIVER / TALL * largest]
    exact_zero = [w for w in weights if not w.numerator]
    if len(thin) > len(exact_zero):
        canvas.note("A line stands for a weight that is positive but too small for a bar.")


def paint_profiles(canvas: Canvas, figure: Profiles) -> None:
    """Small charts of one scale, as many beside one another as fit."""
    charts = [(profile, _groups(profile)) for profile in figure.profiles]
    for profile, _ in charts:
        weights = ", ".join(canvas.plain(w) for w in profile.entries)
        canvas.say(f"{profile.title}: the weights are {weights}.")
    for profile, groups in charts:
        canvas.heading(profile.title)
        bar_chart(canvas, groups)
        canvas.y += 8
    _thin(canvas, [w for profile in figure.profiles for w in profile.entries])


def _groups(profile: Profile) -> list[Group]:
    pairs = zip(profile.labels, profile.entries, strict=True)
    found: list[Group] = []
    for label, weight in pairs:
        text: Text = (label,)
        found.append(Group(text, (Bar(weight, nearest_float(weight), "weight"),)))
    return found
