"""Grading from Python."""

from __future__ import annotations

import pytest
import sympy as sp

from symattn.errors import InputError
from symattn.grading.api import grade, verify
from symattn.problems import load

WEIGHT = sp.exp(1) / (1 + sp.exp(1))


def test_a_truth_may_be_text_or_a_sympy_expression_or_nested() -> None:
    assert verify("exp(1)/(1+exp(1))", "0.731").verdict == "rounded"
    assert verify(WEIGHT, "0.731").verdict == "rounded"
    assert verify(sp.Matrix([[WEIGHT, 1 - WEIGHT]]), "(0.731, 0.269)").verdict == "rounded"
    assert verify([WEIGHT, "1/(1+e)"], "(0.731, 0.269)").verdict == "rounded"
    assert verify(3, "3.0").verdict == "exact"


def test_a_float_is_no_truth_and_a_number_is_no_answer() -> None:
    with pytest.raises(InputError, match=r"write '0\.5' as text"):
        verify(0.5, "0.5")
    with pytest.raises(InputError, match=r"answer=0\.5 should be text"):
        verify("1/2", 0.5)  # type: ignore[arg-type]


def test_the_policy_may_be_given() -> None:
    assert verify("1/3", "0.33", digits=3, points=2).score == 0
    assert verify("1/3", "0.333", digits=3, points=2).score == 2
    assert verify("1/3", "0.333", exact=True, points=2).score == 0
    assert verify("(1/3, 1)", "(0.333, 2)", partial=True, points=2).score == 1


def test_what_is_expected_is_text_that_is_read_back() -> None:
    expected = verify(WEIGHT, "0.7").expected
    assert verify(expected.exact, "exp(1)/(1+exp(1))").verdict == "exact"
    assert expected.decimal == "0.73105857863000488"


def test_answers_are_graded_as_flat_records() -> None:
    rows = grade("ex3", {"weights[1]": "1/4", "weights": "(0.25, 0.25, 0.25, 1/4)"})
    assert [row["verdict"] for row in rows] == ["exact", "exact"]
    assert all(not isinstance(x, list | dict | tuple) for row in rows for x in row.values())


def test_answers_in_a_mapping_are_one_students() -> None:
    rows = grade(load("ex1"), {"weights": "(0.7, 0.1, 0.2)", "output": "(2.1, 0.3)"})
    assert "carried-on" in rows[1]["mistakes"]
    assert "student" not in rows[1]


def test_rows_pass_their_columns_through() -> None:
    rows = grade("ex1", [{"who": "A", "part": "weights[1]", "answer": "0.576"}, {"who": "B"}])
    assert rows[0]["who"] == "A"
    assert rows[0]["verdict"] == "rounded"
    assert rows[1]["verdict"] is None
    assert "answer" in rows[1]["message"]


def test_a_data_frame_goes_in_and_its_records_come_out() -> None:
    class Frame:
        def to_dict(self, orient: str) -> list[dict[str, str]]:
            assert orient == "records"
            return [{"part": "weights[1]", "answer": "0.576"}]

    class Polars:
        def to_dicts(self) -> list[dict[str, str]]:
            return [{"part": "weights[1]", "answer": "0.576"}]

    assert grade("ex1", Frame())[0]["verdict"] == grade("ex1", Polars())[0]["verdict"] == "rounded"


def test_rows_that_are_none_are_refused() -> None:
    with pytest.raises(InputError, match=r"answers\[1\]='0.5'"):
        grade("ex1", ["0.5"])
    with pytest.raises(InputError, match="ex99"):
        grade("ex99", {"weights": "1"})


def test_a_true_value_too_long_to_be_read_is_given_in_decimals_alone() -> None:
    from symattn.exact.functions import exp
    from symattn.exact.numbers import rational
    from symattn.grading.truth import Truth

    row = tuple(exp(rational(i, 7)) for i in range(64))
    total = row[0]
    for x in row[1:]:
        total = total + x
    truth = Truth(tuple(tuple(x / total for x in row) for _ in range(8)))
    assert truth.expected().exact is None
    assert len(truth.expected().decimal) == 8
    assert truth.shown(3).startswith("≈ [[0.0")
