"""What a question pays, whatever the verdict is called."""

from __future__ import annotations

import pytest

from symattn.grading.judge import judge
from symattn.grading.policy import Policy, score
from symattn.grading.truth import Truth

SCORES = [
    # policy, truth, answer, points
    (Policy(), "1/3", "0.333", None),
    (Policy(points=3), "1/3", "0.3", 3),
    (Policy(points=3), "2e-9", "0.000", 0),
    (Policy(points=3), "1/3", "0.34", 0),
    (Policy(points=3), "1/3", "one third", 0),
    (Policy(digits=4, points=3), "1/3", "0.3333", 3),
    (Policy(digits=4, points=3), "1/3", "0.333", 0),
    (Policy(digits=4, points=3), "1/3", "1/3", 3),
    (Policy(digits=4, points=3), "1/2", "0.5", 3),
    (Policy(exact=True, points=3), "1/3", "0.3333", 0),
    (Policy(exact=True, points=3), "1/3", "2/6", 3),
    (Policy(exact=True, points=3), "1/2", "0.5", 3),
    (Policy(points=3), "(1/3, 1/2, 1/6)", "(0.333, 0.5, 0.25)", 0),
    (Policy(points=3, partial=True), "(1/3, 1/2, 1/6)", "(0.333, 0.5, 0.25)", 2),
    (Policy(points=3, partial=True, digits=3), "(1/3, 1/2, 1/6)", "(0.33, 0.5, 0.167)", 2),
    (Policy(points=3, partial=True), "(1/3, 1/2, 1/6)", "(0.333, 0.5)", 0),
    (Policy(points=4, partial=True), "[[1, 2], [3, 4]]", "[[1, 2], [4, 3]]", 2),
]


@pytest.mark.parametrize(("policy", "truth", "answer", "points"), SCORES)
def test_the_policy_decides_the_points(
    policy: Policy, truth: str, answer: str, points: float | None
) -> None:
    assert score(policy, judge(Truth.read(truth), answer)).points == points


def test_a_right_answer_that_earns_nothing_is_told_why() -> None:
    truth = Truth.read("1/3")
    few = score(Policy(digits=4, points=1), judge(truth, "0.33"))
    assert few.remark == "it states 2 significant digits, but 4 are asked for"
    decimal = score(Policy(exact=True, points=1), judge(truth, "0.33"))
    assert decimal.remark == "the exact value is asked for, not a decimal"


def test_the_engine_knows_nothing_of_the_policy() -> None:
    assert judge(Truth.read("1/3"), "0.33").verdict == "rounded"


def test_what_is_undecided_is_left_to_a_person() -> None:
    from dataclasses import replace

    undecided = replace(judge(Truth.read("1/3"), "0.33"), verdict="undecided")
    found = score(Policy(points=1), undecided)
    assert found.points is None
    assert found.remark == "the points are for a person to decide"
