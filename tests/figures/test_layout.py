"""Labels never collide, whatever the numbers are."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from symattn.derivation.blocks import Options
from symattn.derivation.figures import Figure
from symattn.figures.letters import Box, box
from symattn.figures.paint import PAINTERS, paint
from symattn.figures.scene import Label, Path, Scene
from tests.figures import samples, strategies
from tests.figures.layout import faults

SAMPLES = samples.ordinary() + samples.odd()


def test_the_samples_have_every_kind():
    assert {type(figure) for figure in SAMPLES} == set(PAINTERS)


@pytest.mark.parametrize("digits", [1, 4, 10])
@pytest.mark.parametrize("figure", SAMPLES, ids=lambda figure: figure.name)
def test_no_label_of_a_sample_collides(figure: Figure, digits: int):
    assert faults(paint(figure, Options(digits))) == []


@settings(max_examples=150)
@given(strategies.figures, strategies.options)
def test_no_label_of_any_figure_collides(figure: Figure, options: Options):
    assert faults(paint(figure, options)) == []


def test_the_check_sees_what_it_is_for():
    apart = Label((50, 20), ("far",))
    for wrong in (
        (Label((50, 20), ("here",)),),
        (Label((5, 40), ("out",)),),
        (Label((60, 98), ("low",), size=20),),
        (Path(((0, 0), (60, 16)), "key", arrow=True),),
        (Path(((0, 0), (101, 16)), "key"),),
    ):
        assert faults(Scene(100, 100, "", "", (apart,))) == []
        assert faults(Scene(100, 100, "", "", (apart, *wrong))) != []


def test_an_index_makes_a_label_deeper_and_wider():
    plain = Label((0, 0), ("k",), "start")
    indexed = Label((0, 0), samples.names("k", 1), "start")
    assert box(plain).bottom < box(indexed).bottom
    assert box(plain).right < box(indexed).right
    assert box(plain).meets(Box(0, -1, 1, 0))
