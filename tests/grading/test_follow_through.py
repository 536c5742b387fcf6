"""What follows from an earlier wrong answer earns its share, unless nothing is left to do."""

from __future__ import annotations

from pathlib import Path

import pytest

from symattn.grading.follow_through import follow_through
from symattn.grading.question import Question
from symattn.grading.verdict import Verdict
from symattn.problems import Problem, from_mapping

SHARE = 0.5


def problem(**given: object) -> Problem:
    """One query over three keys; every part is worth 2 points, half of them by follow-through."""
    setup = {
        "q": ["1", "0"],
        "K": [["1", "0"], ["-1", "0"], ["0", "1"]],
        "V": [["3", "0"], ["0", "3"], ["1", "1"]],
        **given,
    }
    parts = ("scores", "scaled", "exponentials", "total", "weights", "weights[1]", "output")
    asks = [{"part": part, "digits": 3, "points": 2} for part in parts]
    content = {"given": setup, "ask": asks, "follow_through": SHARE}
    return from_mapping(content, name="three keys", folder=Path("."))


def graded(answers: dict[str, str], of: Problem | None = None) -> dict[str, Verdict]:
    of = of or problem()
    attempts = [Question.of(of, part).attempt(answer) for part, answer in answers.items()]
    return dict(zip(answers, follow_through(attempts), strict=True))


def carried(verdict: Verdict) -> bool:
    return "carried-on" in {found.id for found in verdict.mistakes}


FOLLOWING = [
    # wrong scores, scaled rightly
    ({"scores": "(2, -1, 0)", "scaled": "(sqrt(2), -1/sqrt(2), 0)"}, "scaled"),
    # wrong scaled scores, and their exponentials
    ({"scaled": "(0.5, -0.5, 0)", "exponentials": "(1.649, 0.6065, 1)"}, "exponentials"),
    # wrong exponentials, their own sum, and weights from either
    ({"exponentials": "(2.5, 0.5, 1)", "total": "4"}, "total"),
    ({"exponentials": "(2.5, 0.5, 1)", "weights": "(0.625, 0.125, 0.250)"}, "weights"),
    # a wrong sum under right exponentials
    ({"total": "3.62", "weights[1]": "0.560"}, "weights[1]"),
    # wrong weights, blended rightly
    ({"weights": "(0.7, 0.1, 0.2)", "output": "(2.3, 0.5)"}, "output"),
    ({"weights": "(0.7, 0.1, 0.2)", "output": "(2.30, 0.500)"}, "output"),
    # the order of the answers is no matter
    ({"output": "(2.30, 0.500)", "weights": "(0.7, 0.1, 0.2)"}, "output"),
]


@pytest.mark.parametrize(("answers", "part"), FOLLOWING)
def test_a_right_continuation_is_recognised(answers: dict[str, str], part: str) -> None:
    found = graded(answers)[part]
    assert found.verdict == "wrong"
    assert carried(found)


def test_a_right_continuation_earns_its_share() -> None:
    found = graded({"weights": "(0.70, 0.10, 0.20)", "output": "(2.30, 0.500)"})
    assert found["weights"].score == 0
    assert found["output"].score == 2 * SHARE


def test_too_few_digits_earn_nothing_by_follow_through_either() -> None:
    found = graded({"weights": "(0.65, 0.15, 0.22)", "output": "(2.2, 0.7)"})["output"]
    assert carried(found)
    assert found.score == 0


def test_without_a_policy_nothing_is_earned_but_it_is_named() -> None:
    of = from_mapping(
        {
            "given": {"scaled": ["1", "0", "2"], "V": [["1"], ["2"], ["5"]]},
            "ask": [{"part": "output", "points": 2}],
        },
        name="no share",
        folder=Path("."),
    )
    found = graded({"weights": "(0.3, 0.2, 0.5)", "output": "3.2"}, of)["output"]
    assert carried(found)
    assert found.score == 0


TRIVIAL = [
    # one-hot weights: the output is a value
    {"weights": "(1, 0, 0)", "output": "(3, 0)"},
    # weights with a zero
    {"weights": "(0.5, 0, 0.5)", "output": "(2, 0.5)"},
    # equal weights: the plain mean
    {"weights": "(1/3, 1/3, 1/3)", "output": "(4/3, 4/3)"},
    # equal scores: equal weights
    {"scaled": "(0, 0, 0)", "weights": "(1/3, 1/3, 1/3)"},
    # a sum of 1: the weights are the exponentials
    {"total": "1", "weights": "(2.028, 0.4931, 1)"},
    # a mistake that spares all work, made twice
    {"weights": "(1, 0, 0)", "output": "(3.00, 0)"},
]


@pytest.mark.parametrize("answers", TRIVIAL)
def test_an_earlier_result_that_makes_the_rest_trivial_earns_nothing(
    answers: dict[str, str],
) -> None:
    last = list(graded(answers).values())[-1]
    assert not carried(last)
    assert last.score == 0


def test_a_wrong_continuation_is_not_one() -> None:
    found = graded({"weights": "(0.7, 0.1, 0.2)", "output": "(2.3, 0.7)"})["output"]
    assert not carried(found)
    assert found.score == 0


def test_a_right_answer_after_a_wrong_one_is_just_right() -> None:
    found = graded({"weights": "(0.7, 0.1, 0.2)", "output": "(2.01, 0.704)"})["output"]
    assert found.verdict == "rounded"
    assert found.score == 2
    assert not found.mistakes


def test_the_same_mistake_with_unrounded_numbers_follows_too() -> None:
    # The weights without scaling, and the output from their unrounded values: from the rounded
    # ones it would be (2.240, 0.515).
    found = graded({"weights": "(0.665, 0.0900, 0.245)", "output": "(2.24045, 0.51482)"})["output"]
    assert carried(found)
    assert found.score == 2 * SHARE


def test_rows_of_a_matrix_follow_through_one_by_one() -> None:
    of = from_mapping(
        {
            "given": {"scaled": [["1", "0"], ["0", "2"]], "V": [["1"], ["3"]]},
            "ask": [{"part": "output[2]", "points": 1}],
            "follow_through": SHARE,
        },
        name="two rows",
        folder=Path("."),
    )
    found = graded({"weights[2]": "(0.2, 0.8)", "output[2]": "2.6"}, of)["output[2]"]
    assert carried(found)
    assert found.score == SHARE
    other = graded({"weights[1]": "(0.2, 0.8)", "output[2]": "2.6"}, of)["output[2]"]
    assert not carried(other)


def test_another_set_up_is_another_matter() -> None:
    of = from_mapping(
        {
            "given": {"q": ["1", "0"], "K": [["1", "0"], ["0", "1"]], "V": [["2"], ["3"]]},
            "case": {"scaled": {}, "unscaled": {"scale": "1"}},
        },
        name="two cases",
        folder=Path("."),
    )
    answers = {"unscaled.weights": "(0.6, 0.4)", "scaled.output": "2.4"}
    assert not carried(graded(answers, of)["scaled.output"])
    answers = {"unscaled.weights": "(0.6, 0.4)", "unscaled.output": "2.4"}
    assert carried(graded(answers, of)["unscaled.output"])
