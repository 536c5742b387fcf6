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
from symattn.suite.findings import findings
from symattn.suite.mutants import MUTANTS
from symattn.suite.outcomes import Judge
from symattn.suite.properties import property_named
from symattn.suite.report import to_json, to_junit, to_text
from symattn.suite.reproducer import reproducer
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


def test_faults_that_need_different_things_are_different_findings():
    def twice_wrong(q, k, v, *, mask=None, **options):
        """A boolean mask is inverted, and a given scale is not used."""
        inverted = MUTANTS["boolean_inverted"].function(q, k, v, mask=mask, **options)
        if options.get("scale") is None or mask is not None:
            return inverted
        return MUTANTS["scale_ignored"].function(q, k, v, **options)

    found = findings(check(Target("twice", twice_wrong), dtypes=["float32"]))
    assert [sorted(f.violation.shown.features()) for f in found] == [["mask"], ["scale"]]


def test_what_is_declared_wrongly_is_told_from_what_is_wrong():
    def careless(q, k, v, *, mask=None, **options):
        """Rows without a key give NaN, and the scale of the paper is forgotten."""
        scale = options.pop("scale", None)
        return MUTANTS["dead_rows_are_nan"].function(
            q, k, v, mask=mask, scale=1.0 if scale is None else scale, **options
        )

    found = findings(check(Target("careless", careless), dtypes=["float32"]))
    names = [finding.smallest.property.name for finding in found]
    assert names == ["default-scale", "dead-rows"]


def test_a_function_that_changes_its_mind_is_one_finding():
    function = MUTANTS["state_kept_between_calls"].function
    (finding,) = findings(check(Target("state", function), dtypes=["float32"]))
    assert finding.smallest.property.name == "determinism"


@pytest.mark.parametrize(
    ("name", "mutant"),
    [
        ("key-value-permutation", "values_reversed"),
        ("future-is-unseen", "one_key_of_the_future"),
        ("linear-in-values", "values_in_half_precision"),
        ("masking-is-deletion", "weights_zeroed_after_softmax"),
    ],
)
def test_what_is_shown_is_wrong_in_itself(name, mutant):
    """These compare several calls, of which only one may be wrong."""
    target = Target(mutant, MUTANTS[mutant].function)
    report = check(target, dtypes=["float32"], properties=[property_named(name)])
    (failure,) = report.failures
    assert Judge(target)(property_named("agreement"), failure.violation.shown) is not None


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
    assert document["findings"][0]["message"] == findings(report)[0].smallest.message
    passed = next(p for p in document["properties"] if p["verdict"] == "passed")
    assert passed["counterexample"] is None
    assert passed["error"]["bound"] <= 1


def test_junit_has_one_case_for_each_property(report):
    suite = ElementTree.fromstring(to_junit(report))
    assert len(suite) == len(report.outcomes)
    assert int(suite.get("failures")) == len(suite.findall("testcase/failure"))


def test_junit_holds_what_xml_can_hold():
    def colourful(q, k, v):
        raise OSError("\x1b[31mno memory\x00 left\x1b[0m")

    report = check(Target("colourful", colourful), dtypes=["float32"],
                   properties=[property_named("agreement-plain")])  # fmt: skip
    failure = ElementTree.fromstring(to_junit(report)).find("testcase/failure")
    assert "raised OSError" in failure.get("message")
    assert failure.text.startswith("The same on three plain arrays")


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
