"""A wrong number anywhere in a solution makes its steps impossible to build."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from symattn.attention import Forward
from symattn.derivation import Level
from symattn.errors import InputError, StepError
from symattn.exact.numbers import Exact, rational
from symattn.problems import from_mapping
from symattn.problems.derive import derive_problem
from symattn.problems.extras import permutation_step, projection_step
from symattn.problems.matrix import matrix_steps
from symattn.problems.page import Page
from symattn.problems.row import row_steps
from symattn.problems.solve import Solution, solve

ROW = {
    "q": ["1", "2"],
    "K": [["1", "0"], ["-1", "1"], ["0", "1/2"]],
    "V": [["3", "0"], ["0", "3"], ["1", "1"]],
}
MATRIX = {"Q": [["1", "2"], ["0", "1"]], "K": ROW["K"], "V": ROW["V"]}
MASKED = {**ROW, "mask": [True, False, True]}
TOKENS = {"X": [["1", "0"], ["1", "1"]], "W_Q": [["2", "1"], ["0", "1"]]}


def solution_of(given: dict[str, Any]) -> Solution:
    return solve(from_mapping({"given": given}, name="x", folder=Path()).setups[""])


def nudge(rows: Any, i: int, j: int | None) -> Any:
    """The rows with one entry moved by 1/1000."""
    moved = [list(row) if isinstance(row, list | tuple) else row for row in rows]
    if j is None:
        moved[i] = moved[i] + rational(1, 1000)
    else:
        moved[i][j] = moved[i][j] + rational(1, 1000)
    return moved


STAGES = [
    ("scores", 0, 1),
    ("unmasked", 0, 0),
    ("exponentials", 0, 2),
    ("total", 0, None),
    ("weights", 0, 0),
    ("output", 0, 1),
]


def spoilt(solution: Solution, stage: str, i: int, j: int | None) -> Solution:
    if stage in ("scores", "unmasked"):
        return replace(solution, **{stage: nudge(getattr(solution, stage), i, j)})
    passed: Forward[Exact] = solution.forward
    changed = replace(passed, **{stage: nudge(getattr(passed, stage), i, j)})
    return replace(solution, forward=changed)


@pytest.mark.parametrize(("stage", "i", "j"), STAGES)
@pytest.mark.parametrize(
    ("given", "steps"), [(ROW, row_steps), (MASKED, row_steps), (MATRIX, matrix_steps)]
)
def test_a_wrong_number_in_any_stage_is_refused(given, steps, stage, i, j):
    right = solution_of(given)
    assert steps(Page(right))
    with pytest.raises(StepError, match=r"does not hold|is undecided"):
        steps(Page(spoilt(right, stage, i, j)))


@pytest.mark.parametrize("name", ["Q", "K", "V"])
def test_a_wrong_projection_is_refused(name: str):
    right = solution_of(TOKENS)
    assert projection_step(Page(right))
    with pytest.raises(StepError):
        projection_step(Page(replace(right, **{name: nudge(getattr(right, name), 1, 0)})))


def test_equivariance_is_only_claimed_where_it_holds():
    plain = solution_of({**TOKENS, "permutation": [2, 1]})
    assert permutation_step(Page(plain)).title == "Equivariance"
    encoded = solution_of({**TOKENS, "permutation": [2, 1], "positional": [["0", "0"], ["1", "0"]]})
    assert permutation_step(Page(encoded)).title == "Equivariance is broken"


def derivation_of(given: dict[str, Any]):
    return derive_problem(from_mapping({"given": given}, name="x", folder=Path()))


def test_one_key_gets_all_the_weight():
    derivation = derivation_of({"q": ["7"], "K": [["-3"]], "V": [["5"]]})
    assert [w.text for w in derivation.results["weights"]] == ["1"]
    assert [z.text for z in derivation.results["output"]] == ["5"]


def test_a_width_that_is_no_square_keeps_its_root():
    derivation = derivation_of({"q": ["1"] * 3, "K": [["1"] * 3, ["0"] * 3], "V": [["1"], ["0"]]})
    assert derivation.results["scaled"][0].text == "sqrt(3)"
    assert "1/√3" not in derivation.to_text()
    assert "3/√3" in derivation.to_text()


def test_a_masked_weight_is_exactly_zero_and_a_row_without_a_key_is_all_zeros():
    derivation = derivation_of({**MATRIX, "mask": [[True, False, True], [False, False, False]]})
    weights = derivation.results["weights"]
    assert weights[0][1].text == "0"
    assert [w.text for w in weights[1]] == ["0", "0", "0"]
    assert [z.text for z in derivation.results["output"][1]] == ["0", "0"]


def test_full_shows_the_products_of_a_dot_product_and_brief_only_results():
    derivation = derivation_of(ROW)
    full, brief = (derivation.to_text(level=level) for level in (Level.FULL, Level.BRIEF))
    assert "1·(−1) + 2·1" in full
    assert "1·(−1) + 2·1" not in derivation.to_text(level=Level.NORMAL)
    assert "Why:" not in brief
    assert len(brief) < len(derivation.to_text()) < len(full)


def test_a_causal_mask_shows_who_sees_whom():
    derivation = derivation_of({**TOKENS, "causal": True})
    assert derivation.results["weights"][0][1].text == "0"
    assert "Query i sees key j where j ≤ i." in " ".join(derivation.to_text().split())
    wide = derivation_of({**MATRIX, "causal": True})
    assert "key j where j ≤ i + 1." in " ".join(wide.to_text().split())


def test_a_token_without_a_key_is_not_walked_through():
    derivation = derivation_of({**TOKENS, "focus": 1, "mask": [[False, False], [True, True]]})
    assert [w.text for w in derivation.results["weights"][0]] == ["0", "0"]


def test_limits_of_three_scores_leave_the_softmax_of_the_rest():
    given = {"scaled": ["M", "0", "1"], "limits": ["M -> oo", "M -> -oo"], "at": {"M": "20"}}
    results = derivation_of(given).results
    assert [w.text for w in results["limit1.weights"]] == ["1", "0", "0"]
    assert [w.text for w in results["limit2.weights"]] == ["0", "1/(1 + e)", "e/(1 + e)"]
    assert results["at.weights"][0].rounded(12).text == "0.999999992336"


def told(given: dict[str, Any], **more: Any) -> str:
    content = {"given": given, **more}
    text = derive_problem(from_mapping(content, name="x", folder=Path())).to_text()
    return " ".join(text.split())


DEAD = "add to 1, or to 0 where it has no key"


@pytest.mark.parametrize(
    "given", [{**ROW, "mask": [False] * 3}, {**MATRIX, "mask": [[False] * 3] * 2}]
)
def test_weights_that_add_to_0_are_not_said_to_add_to_1(given):
    text = told(given, case={"again": {"remark": "The same."}})
    assert "the written-out weights add to exactly 1, or to 0 where a query has no key" in text
    assert text.count(f"the weights of a query {DEAD}") == 1
    assert "add to exactly 1 (" not in text


@pytest.mark.parametrize("given", [ROW, MATRIX])
def test_the_scale_0_is_not_said_to_be_undone(given):
    text = told({**given, "scale": "0"})
    assert "with the scale 0 nothing of the scores is left" in text
    assert "undoing the scaling" not in text


@pytest.mark.parametrize(
    ("given", "mask", "line"),
    [(ROW, ["0", "1/2", "-oo"], "s₂/√2 + 1/2"), (MATRIX, [["0", "1/2", "-oo"]] * 2, "S/√2 +")],
)
def test_what_an_additive_mask_adds_is_said_and_shown(given, mask, line: str):
    text = told({**given, "mask": mask})
    assert "and add what the mask holds for its key." in text
    assert line in text
    assert "taking the mask away and undoing the scaling gives the scores back" in text


def test_an_additive_mask_is_all_that_the_scale_0_leaves():
    assert "e^(1/2)" in told({**ROW, "scale": "0", "mask": ["0", "1/2", "0"]})


def test_exponentials_of_large_scores_are_written_out():
    text = told({"scaled": ["12345", "-99999"]})
    assert "e^x₁ = e^12345 ≈ 2.319e5361" in text
    assert "e^x₂ = e^(−99999) ≈ 9.685e-43430" in text


@pytest.mark.parametrize("score", ["100001", "-10^9", "1e400", "9" * 2000])
def test_scores_beyond_what_can_be_written_out_are_refused_by_name(score: str):
    with pytest.raises(
        InputError, match="given: the scaled score of query 1 and key 2 lies beyond"
    ):
        told({"scaled": ["0", score]})


@pytest.mark.parametrize("mask", [{"causal": True}, {"mask": [[True, False], [True, True]]}])
def test_a_mask_that_stays_in_its_place_breaks_equivariance_though_the_scores_follow(mask):
    text = told({"X": [["1"], ["2"]], "permutation": [2, 1], **mask})
    assert "Equivariance is broken" in text
    assert "The mask belongs to the place and not to the token" in text
    assert "the scores are reordered in rows and columns alike" in text


@pytest.mark.parametrize("level", Level)
@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ({"scaled": ["M", "0"], "V": [["1"], ["2"]]}, ["(2 + e^M)/(1 + e^M)"]),
        ({"scaled": [["M"], ["0"]], "V": [["a"]]}, ["Z = A V = ⎣ a ⎦"]),
        (
            {"scaled": [["M", "0"], ["0", "0"]], "V": [["1"], ["2"]]},
            ["A = ⎣ 1/2 1/2 ⎦", "e^M/(1 + e^M)", "(2 + e^M)/(1 + e^M)", "Z = A V = ⎣ 3/2 ⎦"],
        ),
    ],
)
def test_what_has_no_decimals_is_shown_in_closed_form_at_every_level(given, shown, level: Level):
    text = " ".join(derivation_of(given).to_text(level=level).split())
    for part in shown:
        assert part in text
