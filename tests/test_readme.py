"""The README says what is true: its commands are those of CI, its picture is the program's."""

from __future__ import annotations

import re
from pathlib import Path

from symattn.api import derive
from tests import readme_picture

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_ci_runs_the_readme_s_test_command():
    command = next(block for block in code("sh") if "pytest" in block)
    pytest_call = command.split("&&")[-1].strip()
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    assert pytest_call in script
    assert "pip install --quiet" in command


def code(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", README, flags=re.S)


def test_the_pictures_are_what_the_program_draws_and_prints():
    drawn = readme_picture.draw()
    for name, picture in drawn.items():
        assert (readme_picture.PICTURES / name).read_text(encoding="utf-8") == picture
    assert set(re.findall(r"\.pictures/(\S+\.svg)", README)) <= set(drawn)


def test_every_picture_of_the_readme_is_there_and_every_one_is_used():
    used = set(re.findall(r"\.pictures/([\w.-]+)", README))
    assert used == {path.name for path in readme_picture.PICTURES.iterdir()}


def test_the_problem_file_of_the_readme_can_be_solved(tmp_path: Path):
    (text,) = code("toml")
    path = tmp_path / "mine.toml"
    path.write_text(text, encoding="utf-8")
    assert "My own three keys" in derive(path).to_text()


def test_the_python_of_the_readme_runs():
    (text,) = code("python")
    scope: dict[str, object] = {}
    lines = [line for line in text.splitlines() if not line.startswith("print")]
    exec(compile("\n".join(lines), "README", "exec"), scope)
    assert str(scope["w"].exact) == "exp(sqrt(2)/2)/(1 + exp(sqrt(2)/2))"  # type: ignore[attr-defined]
