"""The suite catches every wrong function that ships with it, and lets correct ones pass."""

from __future__ import annotations

import json

import numpy as np
import pytest

from symattn import numeric
from symattn.suite.findings import findings
from symattn.suite.mutants import MUTANTS, correct
from symattn.suite.profiles import Profile
from symattn.suite.properties import PROPERTIES, extensions, gradients, property_named
from symattn.suite.reproducer import exact_output
from symattn.suite.run import check
from symattn.suite.selftest import KillMatrix, caught, self_test
from symattn.suite.target import Target

#: What goes beyond the formula, and these functions do not offer.
EXTENSIONS = {each.name for each in (*extensions.PROPERTIES, *gradients.PROPERTIES)}


def textbook(q, k, v, *, mask=None, causal=False, scale=None):
    """Attention as a textbook has it: -inf for what is masked, no care for rows without keys."""
    scores = q @ k.T * q.dtype.type(1 / np.sqrt(q.shape[1]) if scale is None else scale)
    if mask is not None:
        scores = np.where(mask, scores, -np.inf) if mask.dtype == bool else scores + mask
    if causal:
        scores = np.where(np.tri(*scores.shape, len(k) - len(q), dtype=bool), scores, -np.inf)
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    return ((weights / weights.sum(axis=1, keepdims=True)) @ v).astype(v.dtype)


def test_there_are_at_least_sixty_kinds_of_fault():
    assert len(MUTANTS) >= 60
    assert len({mutant.fault for mutant in MUTANTS.values()}) == len(MUTANTS)


@pytest.mark.parametrize("name", sorted(MUTANTS))
def test_a_wrong_function_is_caught_and_named_once_by_a_small_counterexample(name):
    function = MUTANTS[name].function
    report = check(Target(f"{function.__module__}:{name}", function), remember=True)
    assert report.failures, MUTANTS[name].fault
    found = findings(report)
    assert len(found) == 1, [f"{f.smallest.property.name}: {f.smallest.message}" for f in found]
    shown = found[0].violation.shown
    assert shown.non_zeros <= 16
    assert found[0].violation.case.non_zeros <= 16
    exact = exact_output(found[0].violation, report.target.declarations)
    assert exact is not None
    assert exact.shape == (shown.n, shown.v.shape[1])


@pytest.mark.parametrize(("function", "seed"), [(numeric.attention, 1), (correct, 0)])
def test_a_correct_function_passes(function, seed):
    report = check(Target("correct", function), seed=seed)
    assert [f"{o.property.name}: {o.message}" for o in report.failures] == []
    assert {o.property.name for o in report.outcomes if o.verdict == "skipped"} == EXTENSIONS
    assert report.count("passed") == 2 * (len(PROPERTIES) - len(EXTENSIONS))


def test_the_textbook_passes_with_its_declarations():
    declared = Target("textbook", textbook).declarations.overridden(
        dead_rows="nan", value_at_masked="any"
    )
    report = check(Target("textbook", textbook, declared))
    assert [f"{o.property.name}: {o.message}" for o in report.failures] == []
    skipped = {o.property.name for o in report.outcomes if o.verdict == "skipped"}
    assert skipped == EXTENSIONS | {"masked-value-untouched", "no-keys"}


def test_the_textbook_without_declarations_does_not():
    names = {o.property.name for o in check(Target("textbook", textbook)).failures}
    assert {"dead-rows", "masked-value-untouched"} <= names


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_sixteen_bit_types_pass_with_float32_inside_and_without(dtype):
    few = Profile("few", 6, 0)
    inside = Target("numeric", numeric.attention)
    assert check(inside, dtypes=[dtype], profile=few).failures == []

    def narrow(q, k, v, *, mask=None, causal=False, scale=None):
        factor = q.dtype.type(1 / np.sqrt(q.shape[1]) if scale is None else scale)
        scores = numeric.scaled_scores(q * factor, k, mask=mask, causal=causal, scale=1)
        weights = numeric.softmax(scores.astype(q.dtype)).astype(q.dtype)
        allowed = numeric.attends(weights.shape, mask, causal)
        return numeric._blend(weights.astype(np.float32), v, allowed).astype(v.dtype)

    agreement = [p for p in PROPERTIES if p.name == "agreement"]
    assert check(Target("narrow", narrow), dtypes=[dtype], properties=agreement).failures
    declared = Target("narrow", narrow).declarations.overridden(accumulate="input")
    report = check(Target("narrow", narrow, declared), dtypes=[dtype], profile=few)
    assert [f"{o.property.name}: {o.message}" for o in report.failures] == []


def test_many_ties_summed_in_bfloat16_are_caught():
    def stalls(q, k, v, **options):
        if len(k) < 257:
            return numeric.attention(q, k, v, **options)
        total = min(len(k), 256)  # 256 + 1 rounds to 256 with eight bits
        return (v.astype(np.float32).sum(axis=0, keepdims=True) / total).astype(v.dtype)

    tie = [property_named("tie")]
    report = check(Target("stalls", stalls), dtypes=["bfloat16"], properties=tie)
    assert report.failures


@pytest.mark.parametrize("name", ["causal_ignored", "no_keys_crash", "scale_divides"])
def test_remembered_cases_are_those_that_would_be_generated(name):
    target = Target(name, MUTANTS[name].function)
    few = Profile("few", 3, 200)
    first, second = (check(target, profile=few, remember=remember) for remember in (False, True))
    assert [o.examples for o in first.outcomes] == [o.examples for o in second.outcomes]
    assert [o.message for o in first.outcomes] == [o.message for o in second.outcomes]


def test_processes_change_nothing_of_the_matrix(monkeypatch):
    few = {name: MUTANTS[name] for name in ("causal_ignored", "base_two", "no_keys_crash")}
    monkeypatch.setattr("symattn.suite.selftest.MUTANTS", few)
    alone, together = (self_test(Profile("few", 3, 0), processes=n) for n in (1, 2))
    assert alone == together
    assert alone.passed


def test_the_matrix_says_who_catches_whom():
    name = "causal_ignored"
    found = caught(MUTANTS[name], Profile("few", 3, 0))
    matrix = KillMatrix({name: found, "base_two": []}, ["tie (float32)"])
    assert not matrix.passed
    text = matrix.to_text()
    assert "NOT CAUGHT" in text
    assert "1 of 2 wrong functions caught" in text
    assert "false alarms on the correct function: tie (float32)" in text
    document = json.loads(matrix.to_json())
    assert document["schema"] == "symattn.selftest/1"
    assert document["mutants"][0]["fault"] == "causal=True has no effect."


def test_a_check_repeats_itself_exactly():
    target = Target("mutant", MUTANTS["one_key_of_the_future"].function)
    first, second = (check(target, dtypes=["float32"]) for _ in range(2))
    assert [o.examples for o in first.outcomes] == [o.examples for o in second.outcomes]
    assert [o.message for o in first.outcomes] == [o.message for o in second.outcomes]
