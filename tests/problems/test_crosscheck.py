"""The exact solution and the NumPy one agree within the derived bound, and no further.

The bound (`symattn.numeric_bounds`) is derived, not fitted: it counts the rounding of every input
to its nearest double (√2 is not one), amplified by the size of the scores; the roundings of the
dot products, of the exponential and of the blend; and underflow. So error/bound <= 1 is a theorem
about correct code, and the planted faults below are all caught by it.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings

from symattn import numeric
from symattn.errors import StepError
from symattn.exact.numbers import rational
from symattn.exact.rounding import nearest_float
from symattn.problems import from_mapping
from symattn.problems.crosscheck import crosscheck, worst_error
from symattn.problems.derive import derive_problem
from symattn.problems.model import Problem
from symattn.problems.solve import solve
from tests.problems.strategies import problems


@settings(max_examples=150)
@given(problems())
def test_exact_and_float_agree_within_the_derived_bound(problem: Problem):
    assert worst_error(solve(problem.setups[""])) <= 1


@settings(max_examples=150)
@given(problems())
def test_the_nearest_float_of_every_entry_is_near_the_float_result(problem: Problem):
    """Proved floats against NumPy's, with half an ulp more for their own rounding."""
    from symattn.problems import crosscheck as module

    solution = solve(problem.setups[""])
    q, k, options = module._inputs(solution)
    bound = module_bound(q, k, options)
    ours = np.array([[nearest_float(w) for w in row] for row in solution.forward.weights])
    gap = np.abs(ours - numeric.weights(q, k, **options))
    assert (gap <= bound + np.spacing(ours)).all()


def module_bound(q, k, options):
    from symattn.numeric_bounds import weights_bound

    return weights_bound(q, k, **options)


@settings(max_examples=25)
@given(problems())
def test_every_random_problem_has_a_derivation_and_all_its_steps_hold(problem: Problem):
    derivation = derive_problem(problem)
    assert derivation.crosscheck is not None
    assert derivation.crosscheck.worst <= 1
    assert "Verification" in derivation.to_text()


def small_problem() -> Problem:
    given_ = {
        "Q": [["1", "0"], ["sqrt(2)", "1"]],
        "K": [["1", "2"], ["0", "1"]],
        "V": [["3"], ["1"]],
    }
    return from_mapping({"given": given_}, name="small", folder=Path())


@pytest.mark.parametrize("error", [1e-12, -1e-13, 1e-3])
@pytest.mark.parametrize("stage", ["weights", "output"])
def test_a_small_error_in_an_exact_stage_is_caught(stage: str, error: float):
    solution = solve(small_problem().setups[""])
    rows = [list(row) for row in getattr(solution.forward, stage)]
    rows[1][0] = rows[1][0] + rational(int(error * 10**15), 10**15)
    wrong = replace(solution, forward=replace(solution.forward, **{stage: rows}))
    assert worst_error(solution) <= 1 < worst_error(wrong)


@pytest.mark.parametrize("name", ["weights", "attention"])
def test_a_fault_of_the_float_implementation_is_caught(name: str, monkeypatch: pytest.MonkeyPatch):
    right = getattr(numeric, name)
    monkeypatch.setattr(numeric, name, lambda *a, **o: right(*a, **o) * (1 + 1e-11))
    with pytest.raises(StepError, match="the cross-check against NumPy in float64 fails"):
        crosscheck(list(small_problem().setups.values()))


def test_open_symbols_get_numbers_for_the_cross_check():
    given_ = {"scaled": ["M", "0"], "V": [["v1"], ["v2"]]}
    found = crosscheck([from_mapping({"given": given_}, name="open", folder=Path()).setups[""]])
    assert 0 < found.worst <= 1
    assert "sample values" in found.conditions


def test_scores_of_a_thousand_neither_overflow_nor_fail():
    given_ = {"scaled": ["1000", "-1000", "999"], "V": [["1"], ["2"], ["3"]]}
    problem = from_mapping({"given": given_}, name="large", folder=Path())
    derivation = derive_problem(problem)
    weights = derivation.results["weights"]
    assert weights[0].rounded(6).text == "0.731059"
    assert weights[1].rounded(3).text == "1.88e-869"
    assert float(weights[1]) == 0.0


def test_numbers_beyond_float64_are_left_out_of_the_crosscheck_and_that_is_said():
    given = {"q": ["1e400"], "K": [["1e-400"], ["0"]], "V": [["1"], ["2"]]}
    derivation = derive_problem(from_mapping({"given": given}, name="x", folder=Path()))
    assert derivation.results["weights"][0].text == "e/(1 + e)"
    assert "wherever float64 can hold the numbers" in " ".join(derivation.to_text().split())
