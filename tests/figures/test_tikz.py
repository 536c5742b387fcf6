"""Scenes as TikZ: every mark is there, labels are LaTeX, nothing is wider than the line."""

from __future__ import annotations

import re

import pytest

from symattn.derivation.blocks import Options
from symattn.derivation.figures import Figure
from symattn.exact.parse import parse
from symattn.figures.paint import paint
from symattn.figures.scene import Label, Path, Scene
from symattn.figures.tikz import PREAMBLE, write_tikz
from tests.figures.samples import odd, ordinary


def scene(*items: Path | Label, width: float = 100) -> Scene:
    return Scene(width, 50, "title", "words", items)


@pytest.mark.parametrize("figure", [*ordinary(), *odd()], ids=lambda figure: figure.name)
def test_every_mark_of_a_scene_is_in_the_picture(figure: Figure) -> None:
    painted = paint(figure, Options())
    picture = write_tikz(painted)
    labels = [item for item in painted.items if isinstance(item, Label)]
    strokes = [item for item in painted.items if isinstance(item, Path) and item.stroke]
    assert picture.count(r"\node[") == len(labels)
    assert picture.count(r"\draw[") == len(strokes)
    colours = set(re.findall(r"(\w+-(?:ink|fill))", picture))
    assert colours <= set(re.findall(r"\\definecolor\{([\w-]+)\}", PREAMBLE))


def test_a_label_is_mathematics_and_escaped_text() -> None:
    tree = parse("alpha_1", symbols=None).tree
    picture = write_tikz(scene(Label((10, 20), ("50% ", tree), "start", "key")))
    assert r"\node[anchor=base west,inner sep=0pt,key-ink] at (10,20)" in picture
    assert r"{\sized{9}{50\% $\alpha_{1}$}};" in picture


def test_a_picture_is_scaled_to_the_line_with_its_text() -> None:
    label = Label((0, 0), ("x",))
    assert "[x=0.6429pt,y=-0.6429pt]" in write_tikz(scene(label, width=600))
    wide = write_tikz(scene(label, width=910))
    assert "[x=0.5000pt,y=-0.5000pt]" in wide
    assert r"\sized{7}{x}" in wide


def test_lines_are_dashed_hatched_faded_and_end_in_a_head() -> None:
    ends = (0.0, 0.0), (50.0, 0.0)
    arrow, faded = (
        Path(ends, "query", dashed=True, arrow=True),
        Path(ends, None, "key", strength=0.4),
    )
    square = Path(((0, 0), (9, 0), (9, 9)), "ink", hatched=True, closed=True)
    picture = write_tikz(scene(arrow, faded, square))
    assert r"\fill[query-ink] (50,0) --" in picture
    assert "dash pattern=on 2.89pt off 1.93pt" in picture
    assert r"\fill[key-fill,fill opacity=0.4]" in picture
    assert r"\fill[pattern=north east lines,pattern color=muted-ink] (0,0) -- (9,0)" in picture
    assert picture.count("-- cycle") == 3


def test_a_picture_is_the_same_bytes_each_time() -> None:
    for figure in ordinary():
        assert write_tikz(paint(figure, Options())) == write_tikz(paint(figure, Options()))
