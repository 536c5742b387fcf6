"""An author is warned of mistakes that his numbers do not show, and of no others."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from symattn.grading.authors import indistinguishable
from symattn.problems import from_mapping

GOOD: dict[str, Any] = {
    "q": ["2", "-1", "1"],
    "K": [["1", "0", "2"], ["-1", "1", "1"], ["0", "2", "1"], ["1", "1", "-1"]],
    "V": [["3", "1"], ["0", "3"], ["-1", "2"], ["1", "5"]],
}


def warned(given: dict[str, Any], part: str, **policy: Any) -> set[str]:
    content = {"given": given, "ask": [{"part": part, **policy}]}
    problem = from_mapping(content, name="mine", folder=Path("."))
    return {warning.mistake for warning in indistinguishable(problem)}


def test_numbers_that_show_every_mistake_bring_no_warning() -> None:
    assert warned(GOOD, "weights", digits=4) == set()
    assert warned(GOOD, "output", digits=4) == set()


def test_values_as_wide_as_keys_hide_a_scale_by_d_v() -> None:
    wide = {**GOOD, "V": [["3", "1", "0"], ["0", "3", "1"], ["-1", "2", "2"], ["1", "5", "4"]]}
    assert warned(wide, "weights", digits=4) == {"scaled-by-d_v"}


def test_as_many_keys_as_they_are_wide_hide_a_scale_by_their_number() -> None:
    few = {**GOOD, "K": GOOD["K"][:3], "V": GOOD["V"][:3]}
    assert "scaled-by-keys" in warned(few, "weights", digits=4)


def test_scores_without_a_minus_hide_its_loss() -> None:
    positive = {"scaled": ["1", "2", "1/2"], "V": [["1"], ["2"], ["4"]]}
    assert warned(positive, "weights", digits=3) == {"lost-minus"}


def test_few_digits_hide_what_many_show() -> None:
    close = {"scaled": ["0", "1/50"], "V": [["0"], ["1"]]}
    assert "unweighted-mean" in warned(close, "output", digits=1)
    assert "unweighted-mean" not in warned(close, "output", digits=3)
    assert "unweighted-mean" not in warned(close, "output", exact=True)


def test_equal_rows_hide_the_wrong_row() -> None:
    rows = {"scaled": [["1", "0"], ["1", "0"]], "V": [["1"], ["2"]]}
    assert "wrong-row" in warned(rows, "weights[1]", digits=4)


def test_equal_entries_that_change_places_are_no_matter() -> None:
    tied = {"scaled": ["1", "-2", "1"], "V": [["1"], ["2"], ["4"]]}
    assert "permuted-entries" not in warned(tied, "weights", digits=4)


def test_keys_that_are_the_values_hide_that_they_are_blended() -> None:
    same = {**GOOD, "V": GOOD["K"]}
    assert "blended-keys" in warned(same, "output", digits=4)
    assert "blended-keys" not in warned(same, "weights", digits=4)


def test_a_mistake_that_comes_after_the_asked_part_is_no_matter() -> None:
    assert warned(GOOD, "scores", digits=4) == set()
