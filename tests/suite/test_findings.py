"""Findings name a cause once, with a small counterexample that can be run again."""

from __future__ import annotations

import json
import subprocess
import sys
from xml.etree import ElementTree

import numpy as np
import pytest

from symattn.errors import InputError
from symattn.suite import witness
from symattn.suite.findings import findings, reproducer
from symattn.suite.mutants import MUTANTS
from symattn.suite.report import to_json, to_junit, to_text
from symattn.suite.run import check
from symattn.suite.target import Target

MODULE = "symattn.suite.mutants.maskings"


@pytest.fixture(scope="module")
def report():
    """A function whose additive mask has the wrong sign."""
    name = f"{MODULE}:additive_subtracted"
    return check(Target(name, MUTANTS["additive_subtracted"].function), dtypes=["float32"])


def test_many_failures_of_one_cause_are_one_finding(report):
    assert len(report.failures) > 3
    (finding,) = findings(report)
    assert len(finding.explained) == len(report.failures) - 1


@pytest.mark.parametrize("name", ["tail_dropped", "boolean_inverted", "anti_causal"])
def test_counterexamples_are_small_and_exact(name):
    found = findings(check(Target(name, MUTANTS[name].function), dtypes=["float32"]))
    assert found
    for finding in found:
        assert finding.violation.shown.non_zeros <= 16
        assert finding.violation.case.non_zeros <= 16


def test_the_text_says_what_why_and_how_to_repeat(report):
    text = to_text(report, ["witness-1.json"])
    for piece in (
        "Finding 1: ",
        "what should hold",
        "why it matters",
        "mask               [[",
        "the function gave  [[",
        "exact              [[",
        "times the derived bound",
        "symattn check --replay witness-1.json",
        "failed, 8 skipped",
    ):
        assert piece in text


def test_the_reproducer_is_a_line_that_runs(report):
    line = reproducer(report.target.name, findings(report)[0].violation.shown)
    code = line.removeprefix('python -c "').removesuffix('"')
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    got = findings(report)[0].violation.got
    assert f"{got[0, 0]:.4g}"[:4] in done.stdout


def test_json_is_the_document_of_the_contract(report):
    document = json.loads(to_json(report))
    assert document["schema"] == "symattn.check/1"
    assert document["target"] == report.target.name
    assert document["dtype"] == "float32"
    assert document["failed"] == len(report.failures)
    failed = next(p for p in document["properties"] if p["verdict"] == "failed")
    assert set(failed) >= {"name", "theorem", "examples", "counterexample", "error", "message"}
    assert failed["counterexample"]["q"]
    passed = next(p for p in document["properties"] if p["verdict"] == "passed")
    assert passed["counterexample"] is None
    assert passed["error"]["bound"] <= 1


def test_junit_has_one_case_for_each_property(report):
    suite = ElementTree.fromstring(to_junit(report))
    assert len(suite) == len(report.outcomes)
    assert int(suite.get("failures")) == len(suite.findall("testcase/failure"))


def test_a_saved_witness_fails_again_on_its_function_and_not_on_a_correct_one(report, tmp_path):
    path = witness.save(findings(report)[0], report.target, tmp_path / "w.json")
    again = witness.replay(witness.read(path))
    assert again.verdict == "failed"
    assert again.message == findings(report)[0].violation.message
    correct = Target("numeric", MUTANTS["anti_causal"].function)
    assert witness.replay(witness.read(path), correct).verdict == "passed"


def test_a_known_failure_is_excused_and_a_mended_one_reported(report, tmp_path):
    path = witness.save(findings(report)[0], report.target, tmp_path / "w.json")
    known = {path: witness.read(path)}
    name = f"{MODULE}:additive_subtracted"
    again = check(Target(name, MUTANTS["additive_subtracted"].function), dtypes=["float32"])
    witness.excuse(again, known)
    assert again.failures == []
    assert any(f"known failure ({path})" == o.message for o in again.outcomes)

    mended = check(Target("correct", MUTANTS["anti_causal"].function), dtypes=["float32"],
                   properties=[findings(report)[0].smallest.property])  # fmt: skip
    mended.outcomes.clear()
    witness.excuse(mended, known)
    assert "does not fail any more" in mended.failures[0].message


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, "No such file"),
        ("{", "is no JSON"),
        ("{}", "schema=None should be 'symattn.witness/1'"),
        ('{"schema": "symattn.witness/1"}', "is no complete witness"),
    ],
)
def test_a_file_that_is_no_witness_is_explained(content, message, tmp_path):
    path = tmp_path / "w.json"
    if content is not None:
        path.write_text(content)
    with pytest.raises(InputError, match=message):
        witness.read(path)


def test_an_output_of_the_wrong_shape_is_a_finding_of_its_own():
    report = check(Target("squeezed", MUTANTS["output_squeezed"].function), dtypes=["float32"])
    assert "the output has shape" in findings(report)[0].violation.message
    assert np.isfinite(findings(report)[0].violation.shown.q).all()
