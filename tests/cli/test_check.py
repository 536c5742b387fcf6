"""`symattn check` on the command line: status, formats, witnesses, refusals."""

from __future__ import annotations

import json

import pytest

from symattn.cli import main

WRONG = "symattn.suite.mutants.softmaxes:base_two"
ONE = ["--dtype", "float32", "--property", "agreement"]


def run(capsys, *arguments):
    with pytest.raises(SystemExit) as stop:
        main(["check", *arguments])
    captured = capsys.readouterr()
    return stop.value.code, captured.out, captured.err


def test_status_0_when_nothing_failed(capsys):
    status, out, _ = run(capsys, "symattn.numeric:attention", *ONE)
    assert status == 0
    assert "1 passed, 0 failed, 0 skipped" in out


def test_status_1_and_a_counterexample_when_something_failed(capsys):
    status, out, _ = run(capsys, WRONG, *ONE)
    assert status == 1
    assert "Finding 1: agreement (float32)" in out


def test_json_on_stdout(capsys):
    status, out, _ = run(capsys, WRONG, *ONE, "--json")
    document = json.loads(out)
    assert status == 1
    assert (document["failed"], document["passed"], document["skipped"]) == (1, 0, 0)


def test_the_suffix_of_the_output_chooses_its_format(capsys, tmp_path):
    status, out, _ = run(capsys, WRONG, *ONE, "-o", str(tmp_path / "report.xml"))
    assert (status, out) == (1, "")
    assert (tmp_path / "report.xml").read_text().startswith("<?xml")
    run(capsys, WRONG, *ONE, "-o", str(tmp_path / "report.json"))
    assert json.loads((tmp_path / "report.json").read_text())["failed"] == 1


def test_a_witness_is_saved_replayed_and_excused(capsys, tmp_path):
    _, out, _ = run(capsys, WRONG, *ONE, "--witnesses", str(tmp_path))
    saved = str(tmp_path / "witness-1.json")
    assert f"symattn check --replay {saved}" in out
    assert run(capsys, "--replay", saved)[0] == 1
    assert run(capsys, "symattn.numeric:attention", "--replay", saved)[0] == 0
    status, out, _ = run(capsys, WRONG, *ONE, "--known", saved)
    assert status == 0
    assert "known failure" in out


def test_declarations_are_passed_on(capsys):
    _, out, _ = run(
        capsys, "symattn.numeric:attention", "--nan", "any", "--property", "nan-propagates"
    )
    assert "Skipped (declared --nan any): nan-propagates" in out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "a target is missing"),
        (["nowhere"], "target='nowhere' should be MODULE:FUNCTION"),
        (["no.module:f"], "cannot import 'no.module'"),
        (["symattn.numeric:attention", "--dtype", "int8"], "dtype='int8' must be one of float16"),
        (["symattn.numeric:attention", "--property", "x"], "there is no property 'x'"),
        (["symattn.numeric:attention", "--dead-rows", "x"], "Invalid value for '--dead-rows'"),
        (["--replay", "missing.json"], "missing.json: No such file"),
    ],
)
def test_what_cannot_be_used_is_one_line_and_status_2(capsys, arguments, message):
    status, out, err = run(capsys, *arguments)
    assert (status, out) == (2, "")
    assert message in err
    assert err.count("\n") == 1


def test_seeds_give_other_examples(capsys):
    """A fault that few examples meet is met by one seed and not by another, or by both; never by
    chance: the same seed says the same twice."""
    first = run(capsys, WRONG, *ONE, "--json", "--seed", "3")[1]
    second = run(capsys, WRONG, *ONE, "--json", "--seed", "3")[1]
    one, two = json.loads(first), json.loads(second)
    one.pop("seconds"), two.pop("seconds")
    assert one == two
