"""The figures of a solution: those it names, with its own exact values, where they can be drawn."""

from __future__ import annotations

import pytest

import symattn as sa
from symattn.derivation import Result
from symattn.derivation.figures import (
    Fan,
    Grid,
    Plane,
    Profiles,
    Reordering,
    SoftmaxBars,
    TipToTail,
)
from symattn.derivation.model import Level, walk
from symattn.errors import InputError
from symattn.exact.equality import compare
from symattn.names import PROBLEMS, THEOREMS
from symattn.render.unicode import to_unicode

ROWS = {"Q": [[1, 0], [0, 1]], "K": [[1, 0], [0, 1]], "V": [[1, 0], [0, 2]]}


def kinds(derivation, level=Level.NORMAL):
    return [type(figure).__name__ for figure in derivation.pictures(level)]


def same(numbers, results):
    pairs = zip(numbers, results, strict=True)
    return all(compare(x, result.number).verdict == "equal" for x, result in pairs)


@pytest.mark.parametrize("name", [*PROBLEMS, *THEOREMS])
def test_every_problem_and_theorem_has_figures(name):
    assert sa.derive(name).pictures()


def test_each_of_the_eight_steps_of_the_walkthrough_has_a_figure():
    top = sa.derive("walkthrough").steps[:8]
    assert [step.title for step in top[-1:]] == ["Edge cases"]
    for step in top:
        assert any(one.figures for one in walk((step,))), step.title


def test_figures_hold_the_numbers_of_the_results():
    found = sa.derive("ex1")
    bars, blend = (
        figure for figure in found.pictures() if isinstance(figure, SoftmaxBars | TipToTail)
    )
    assert same(bars.weights, found.results["weights"])
    assert same(blend.weights, found.results["weights"])
    assert same(bars.scaled, found.results["scaled"])
    assert same(blend.output.entries, found.results["output"])


def test_without_a_word_a_solution_has_all_that_can_be_drawn():
    assert kinds(sa.solve(**ROWS)) == [
        "Plane", "ScoreBars", "Grid", "SoftmaxBars", "SoftmaxBars", "TipToTail", "Plane",
    ]  # fmt: skip


def test_figures_are_named_or_left_out():
    assert kinds(sa.solve(**ROWS, figures=["grid", "pipeline"])) == ["Pipeline", "Grid"]
    assert kinds(sa.solve(**ROWS, figures=[])) == []
    assert kinds(sa.solve(**ROWS), Level.BRIEF) == []


def test_what_cannot_be_drawn_is_left_out():
    three = [[1, 0, 0], [0, 1, 0]]
    assert "Plane" not in kinds(sa.solve(Q=three, K=three, V=three))
    assert kinds(sa.solve(scaled=["M", 0])) == []
    assert kinds(sa.solve(scaled=[0, 1], V=[["v1"], ["v2"]])) == ["SoftmaxBars"]
    assert kinds(sa.solve(scaled=[str(j) for j in range(40)])) == []


def test_a_masked_key_is_masked_in_the_figures():
    (grid,) = (f for f in sa.solve(**ROWS, causal=True).pictures() if isinstance(f, Grid))
    assert grid.masked == ((False, True), (False, False))
    row = sa.solve(scaled=[1, 2, 3], mask=[True, False, True], V=[[1], [2], [3]])
    (bars,) = (f for f in row.pictures() if isinstance(f, SoftmaxBars))
    assert [x is None for x in bars.scaled] == [False, True, False]


def test_a_row_without_a_key_has_no_blend():
    row = sa.solve(scaled=[1, 2], mask=[False, False], V=[[1], [2]])
    assert kinds(row) == []


def test_an_unknown_kind_is_refused_by_name():
    with pytest.raises(InputError, match=r"given\.figures: 'grids' is unknown; known are tokens,"):
        sa.solve(**ROWS, figures=["grids"])
    with pytest.raises(InputError, match="a list of texts is needed"):
        sa.solve(**ROWS, figures="grid")


def test_tokens_have_the_names_that_their_author_gives_them():
    figure = next(f for f in sa.derive("ex9").pictures() if isinstance(f, Reordering))
    assert [name.name for name in figure.tokens] == ["A", "B", "C"]
    assert figure.order == (3, 1, 2)
    with pytest.raises(InputError, match="tokens has 1 names, but the number of tokens is 2"):
        sa.solve(**ROWS, tokens=["A"])
    for names in (["A", "A"], ["A", "x_1"], ["A", "<b>"]):
        with pytest.raises(InputError, match="different names are needed"):
            sa.solve(**ROWS, tokens=names)


def test_cases_stand_side_by_side():
    (side_by_side,) = (f for f in sa.derive("ex5").pictures() if isinstance(f, Profiles))
    assert [p.title for p in side_by_side.profiles] == ["Without the scaling", "With the scaling"]


def test_a_token_fans_out_into_its_projections():
    (fan,) = (f for f in sa.derive("walkthrough").pictures() if isinstance(f, Fan))
    assert [image.role for image in fan.images] == ["query", "key", "value"]
    tokens = next(f for f in sa.derive("walkthrough").pictures() if isinstance(f, Plane))
    assert fan.token in tokens.vectors


def test_a_pipeline_says_what_was_done_to_the_scores():
    masked = sa.solve(**ROWS, scale="2", mask=[["0", "5"], ["-oo", "3"]], figures=["pipeline"])
    (pipeline,) = masked.pictures()
    scaled = pipeline.middle[1]
    assert to_unicode(scaled.operation) == "2S + mask"
    assert [[x is None for x in row] for row in scaled.entries] == [[False, False], [True, False]]
    assert "hatched: masked" in scaled.words
    (plain,) = sa.solve(**ROWS, figures=["pipeline"]).pictures()
    assert to_unicode(plain.middle[1].operation) == "S/√dₖ"


def test_bars_of_scaled_scores_are_without_what_a_mask_adds():
    found = sa.solve(**ROWS, scale="2", mask=[["0", "5"], ["0", "3"]], figures=["scores"])
    (bars,) = found.pictures()
    assert [float(Result(x)) for x in bars.scaled] == [2, 0]


def test_an_output_without_a_key_is_not_said_to_lie_among_the_values():
    found = sa.solve(Q=[[1, 0], [0, 1], [1, 1]], K=[[1, 0], [0, 1]], V=[[5, 5], [6, 5]],
                     causal=True, figures=["outputs", "grid"])  # fmt: skip
    (outputs,) = (f for f in found.pictures() if isinstance(f, Plane))
    assert [v.name.name for v in outputs.vectors] == ["v_1", "v_2", "z_2", "z_3"]
    assert outputs.title == "The output of every query with a key lies among the values"
    assert "or to 0 where no key is seen" in found.picture("grid").to_svg()


@pytest.mark.parametrize("names", [("a-b", "a_b"), ("aé", "a"), ("x-", "x"), ("A", "a")])
def test_figures_of_cases_have_names_that_differ(names):
    cases = {name: {"scaled": [str(count), "0"]} for count, name in enumerate(names, start=1)}
    found = sa.solve(scaled=[1, 0], cases=cases).pictures()
    assert len({figure.name.lower() for figure in found}) == len(found) == 3


def test_what_was_asked_for_and_cannot_be_drawn_is_told():
    found = sa.solve(scaled=["M", 0], figures=["softmax", "grid"])
    assert found.notes == ("Figures that these numbers do not allow: softmax, grid.",)
    for name in PROBLEMS:
        assert not any("do not allow" in note for note in sa.derive(name).notes)


def test_tokens_that_are_their_own_queries_can_be_drawn():
    X = [[1, 0], [0, 1]]
    found = sa.solve(X=X, tokens=["A", "B"], figures=["tokens", "grid"])
    assert kinds(found) == ["Plane", "Grid"]
    assert [name.name for name in found.picture("grid").rows] == ["A", "B"]


def test_a_curve_says_where_its_symbol_goes():
    found = sa.solve(scaled=["M", 0], limits=["M -> -oo"])
    assert found.picture("curve").title == "The weights as M falls"
