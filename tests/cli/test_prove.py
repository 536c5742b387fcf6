"""`symattn prove`: exit status, one line for each theorem, files in and out."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from symattn.cli import cli
from symattn.errors import InputError

QUICK = ["single-token", "order"]


def run(*arguments: str):
    return CliRunner().invoke(cli, ["prove", *arguments], standalone_mode=False)


def test_each_theorem_has_its_line():
    result = run(*QUICK)
    assert result.return_value == 0
    lines = result.stdout.splitlines()
    assert [line.split()[:2] for line in lines[:-1]] == [["✓", name] for name in QUICK]
    assert lines[-1] == "2 hold, 0 fail"


def test_written_certificates_are_checked_without_deriving(tmp_path: Path):
    run(*QUICK, "--write", str(tmp_path))
    files = {"README.md", "order.md", "order.json", "single_token.md", "single_token.json"}
    assert {path.name for path in tmp_path.iterdir()} == {*files, "figures"}
    figures = {path.name for path in (tmp_path / "figures").iterdir()}
    assert figures
    page = (tmp_path / "order.md").read_text(encoding="utf-8")
    assert {name for name in figures if f"](figures/{name})" in page} == {
        name for name in figures if name.startswith("order-")
    }
    result = run("--certificates", str(tmp_path), "--json")
    document = json.loads(result.stdout)
    assert document["schema"] == "symattn.prove/1"
    assert [row["name"] for row in document["theorems"]] == ["order", "single-token"]
    assert result.return_value == document["failed"] == 0


def test_a_tampered_file_fails_and_names_the_step(tmp_path: Path):
    run("order", "--write", str(tmp_path))
    file = tmp_path / "order.json"
    text = file.read_text(encoding="utf-8")
    assert '"relation": ">"' in text
    negative, positive = '["Neg", ["Indexed", "s", ["Symbol", "j"]]]', '["Symbol", "M"]'
    file.write_text(text.replace(negative, positive), encoding="utf-8")
    result = run("--certificates", str(file))
    assert result.return_value == 1
    assert "✗ order" in result.stdout
    assert "step 'The ratio'" in result.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nonsense"], "nonsense"),
        (["tie", "--certificates", "."], "no certificate of tie"),
        (["--certificates", ".", "--write", "."], "exclude each other"),
    ],
)
def test_unusable_input_is_an_error(
    arguments: list[str], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(tmp_path)
    result = run(*arguments)
    assert isinstance(result.exception, InputError)
    assert message in str(result.exception)
