"""`symattn derive`, `symattn list` and what every command shares, as a user meets them."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from decimal import Decimal
from pathlib import Path
from urllib.parse import unquote

import pytest
from click.testing import CliRunner

from symattn.cli import COMMANDS, cli, main
from symattn.derivation.formats import FORMATS
from symattn.names import PROBLEMS


def run(*arguments: str) -> tuple[int, str, str]:
    """The program as a user calls it: status, stdout, stderr."""
    runner = CliRunner()
    with runner.isolation() as streams:
        try:
            main(list(arguments))
        except SystemExit as stop:
            status = stop.code or 0
        out, err = streams[0].getvalue().decode(), streams[1].getvalue().decode()
    assert isinstance(status, int)
    return status, out, err


@pytest.mark.parametrize("name", PROBLEMS)
def test_every_problem_is_solved_on_the_screen_within_80_columns(name: str):
    status, out, err = run("derive", name)
    assert (status, err) == (0, "")
    assert "✓" in out
    assert "≈" in out or name in ("ex3-tie", "ex4-zero-query")
    assert max(map(len, out.splitlines())) <= 80


def test_json_has_the_schema_and_decimals_that_decimal_reads():
    status, out, _ = run("derive", "ex1", "--json")
    document = json.loads(out)
    assert status == 0
    assert document["schema"] == "symattn.derivation/1"
    assert document["name"] == "ex1-aligned"
    (first, *_) = document["results"]["weights"]
    assert set(first) == {"exact", "decimal", "float"}
    assert Decimal(first["decimal"]) == Decimal("0.57597534521536197")
    assert first["float"] == 0.575975345215362


def test_results_of_cases_stand_under_their_names_and_open_symbols_have_no_decimal():
    results = json.loads(run("derive", "ex5", "--json")[1])["results"]
    assert {"scaled.weights", "unscaled.weights"} <= set(results)
    opened = json.loads(run("derive", "ex6", "--json")[1])["results"]
    assert opened["weights"][0]["decimal"] is None
    assert opened["weights"][0]["float"] is None


def test_the_suffix_of_the_output_chooses_the_format(tmp_path: Path):
    starts = {".md": "# Example 7", ".json": "{", ".txt": "Example 7", ".ipynb": "{", ".tex": "%"}
    for suffix, start in starts.items():
        path = tmp_path / f"ex7{suffix}"
        status, out, _ = run("derive", "ex7", "-o", str(path))
        assert (status, out) == (0, "")
        content = path.read_text(encoding="utf-8")
        assert content.startswith(start)
        assert content.endswith("\n")
        assert not content.endswith("\n\n")


def test_the_figures_of_a_markdown_page_lie_beside_it(tmp_path: Path):
    page, folder = tmp_path / "my ex1.md", tmp_path / "my ex1-figures"
    assert run("derive", "ex1", "-o", str(page), "--digits", "6")[0] == 0
    links = re.findall(r"\]\((.*?)\)", page.read_text(encoding="utf-8"))
    files = {f"{folder.name}/{path.name}" for path in folder.iterdir()}
    assert {unquote(link) for link in links} == files
    assert len(files) == len(links) >= 3
    assert "0.575975" in (folder / "softmax.svg").read_text(encoding="utf-8")
    assert "](" not in run("derive", "ex1", "-f", "md")[1]
    (tmp_path / "brief-figures").write_text("in the way", encoding="utf-8")
    assert run("derive", "ex1", "-o", str(tmp_path / "brief.md"), "--level", "brief")[0] == 0
    status, _, err = run("derive", "ex1", "-o", str(tmp_path / "brief.md"))
    assert status == 2
    assert "the file cannot be written" in err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["derive", "ex11"], "'ex11' is no theorem, no problem and no file; did you mean 'ex1'?"),
        (["derive", "nothing-like-it"], "`symattn list` names them"),
        (["derive", "missing.toml"], "missing.toml: the file cannot be read"),
        (["derive", "ex1", "-f", "docx"], "-f docx: this format is unknown; known are text"),
        (["derive", "ex1", "-o", "x.docx"], "the suffix '.docx' names no format"),
        (["derive", "ex1", "-o", "no/such/folder.md"], "the file cannot be written"),
        (["derive", "ex1", "--json", "-f", "md"], "name two formats"),
        (["derive", "ex1", "--digits", "0"], "'--digits'"),
        (["derive", "ex1", "--digits", "many"], "'--digits'"),
        (["derive", "ex1", "--level", "huge"], "'--level'"),
        (["derive", "ex1", "--given", "n=3"], "only theorems take it"),
        (["derive", "ex1", "--given", "n"], "as in n=3"),
        (["derive"], "TARGET"),
        (["derive", "ex1", "ex2"], "ex2"),
        (["dervie", "ex1"], "No such command 'dervie'"),
        (["--nothing"], "--nothing"),
    ],
)
def test_what_cannot_be_used_is_told_in_one_line_with_status_2(arguments, message: str):
    status, out, err = run(*arguments)
    assert (status, out) == (2, "")
    assert message in err
    assert err.startswith("symattn: ")
    assert err.count("\n") == 1


@pytest.mark.parametrize("digits", [1, 2, 30])
def test_digits_are_those_of_every_decimal(digits: int):
    out = run("derive", "ex2", "--digits", str(digits))[1]
    wanted = {1: "≈ 0.7", 2: "≈ 0.72", 30: "≈ 0.721399184273968654270970315404"}
    assert wanted[digits] in out


def test_list_names_every_problem_and_json_is_the_same():
    out = run("list")[1]
    document = json.loads(run("list", "--json")[1])
    assert set(document["problems"]) == set(PROBLEMS)
    assert all(name in out for group in ("problems", "theorems") for name in document[group])


def test_help_has_examples_and_names_every_command():
    out = run("--help")[1]
    assert all(command in out for command in COMMANDS)
    assert "Examples:" in run("derive", "--help")[1]


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(command: str):
    status, out, _ = run(command, "--help")
    assert status == 0
    assert out.startswith(f"Usage: symattn {command}")


def test_names_complete():
    from click.shell_completion import ShellComplete

    complete = ShellComplete(cli, {}, "symattn", "_SYMATTN_COMPLETE")
    found = {item.value for item in complete.get_completions(["derive"], "ex")}
    assert {name for name in PROBLEMS if name.startswith("ex")} <= found


def test_the_module_is_the_program_and_a_closed_pipe_is_no_fault():
    command = f"{sys.executable} -m symattn derive ex7 --level full | head -1"
    done = subprocess.run(command, shell=True, capture_output=True, text=True, check=True)
    assert done.stdout.startswith("Example 7")
    assert done.stderr == ""


def test_every_format_is_a_module_that_exists():
    for name in FORMATS:
        assert run("derive", "ex3", "-f", name)[0] == 0


def test_the_bare_program_shows_its_help_as_it_is():
    status, out, err = run()
    assert (status, out) == (2, "")
    assert "\nCommands:\n  derive" in err


def test_a_page_without_the_extra_is_written_and_one_line_says_what_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("symattn.render.fonts.available", lambda: False)
    page = tmp_path / "page.html"
    code, out, err = run("derive", "ex3", "-o", str(page))
    assert (code, out, err.count("\n")) == (0, "", 1)
    assert err.startswith("symattn: the page names the mathematics fonts")
    assert page.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
