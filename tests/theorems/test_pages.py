"""The pages of the theorems, the folder `proofs/`, and `--given`."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from symattn import theorems
from symattn.derivation.model import Level
from symattn.derivation.proof import Proof
from symattn.derivation.replay import replay
from symattn.errors import InputError
from symattn.names import THEOREMS
from symattn.theorems.pages import contents, files, stem
from symattn.theorems.scaling import normal_moments


@cache
def proved(name: str) -> Proof:
    return theorems.prove(name)


PROOFS = Path(__file__).parent.parent.parent / "proofs"


@pytest.mark.parametrize("name", THEOREMS)
def test_page_figures_and_certificate_in_the_folder_are_what_the_theorem_gives(name: str):
    """Byte for byte; `symattn prove --write proofs` makes them again."""
    expected = files(proved(name))
    assert {f"{stem(name)}.md", f"{stem(name)}.json"} <= expected.keys()
    for path, text in expected.items():
        assert (PROOFS / path).read_text(encoding="utf-8") == text


def test_no_figure_in_the_folder_is_without_its_page():
    pages = {path.stem: path.read_text(encoding="utf-8") for path in PROOFS.glob("*.md")}
    figures = [path.name for path in (PROOFS / "figures").iterdir()]
    assert len(figures) >= len(THEOREMS)
    for figure in figures:
        assert f"](figures/{figure})" in pages[figure.partition("-")[0]]


def test_the_table_of_contents_is_up_to_date():
    assert (PROOFS / "README.md").read_text(encoding="utf-8") == contents()


def test_every_theorem_has_a_module_and_every_module_a_name():
    folder = Path(theorems.__file__).parent
    modules = {path.stem for path in folder.glob("*.py")} - {
        "__init__",
        "parts",
        "pages",
        "pictures",
    }
    assert modules == {stem(name) for name in THEOREMS}


@pytest.mark.parametrize("name", THEOREMS)
def test_a_page_has_all_that_a_theorem_carries(name: str):
    derivation = proved(name).derivation()
    titles = [step.title for step in derivation.steps]
    assert derivation.statement
    assert derivation.assumptions
    assert derivation.conclusion
    assert any(note.startswith("Why it matters: ") for note in derivation.notes)
    assert any(title.startswith("A near miss: ") for title in titles)
    assert "An instance with numbers" in titles
    assert derivation.crosscheck is not None
    assert derivation.results["weights"]
    for step in derivation.steps:
        assert step.title == "An instance with numbers" or step.chain
        assert step.check.lines


@pytest.mark.parametrize("name", THEOREMS)
def test_no_machine_float_stands_in_the_folder(name: str):
    certificate = (PROOFS / f"{stem(name)}.json").read_text(encoding="utf-8")
    assert not re.search(r"\d\.\d", certificate)


@pytest.mark.parametrize("name", sorted(set(THEOREMS) - {"single-token"}))
def test_given_writes_the_lines_out_for_that_number(name: str):
    plain, given = proved(name).derivation(), theorems.derive(name, {"n": 3})
    assert "n = 3" in given.title
    lines = [sum(len(step.chain) for step in d.steps) for d in (plain, given)]
    assert lines[1] > lines[0]


def test_tie_for_three_keys_shows_a_third_for_each():
    text = theorems.derive("tie", {"n": 3}).to_text()
    assert "1/3" in text
    assert "3·e^c" in text or "3e^c" in text


@pytest.mark.parametrize("given", [{"m": 3}, {"n": 0}, {"n": -2}])
def test_given_takes_a_number_of_keys_alone(given: dict[str, int]):
    with pytest.raises(InputError, match="given="):
        theorems.prove("tie", given)


def test_given_outside_of_the_assumptions_is_refused():
    with pytest.raises(InputError, match="onehot says nothing"):
        theorems.prove("onehot", {"n": 1})


@pytest.mark.parametrize("name", ["tie", "scaling", "online"])
@pytest.mark.parametrize("format", ["text", "md", "json"])
def test_every_format_prints_every_line(name: str, format: str):
    derivation = proved(name).derivation()
    document = derivation.render(format, level=Level.FULL)
    if format == "json":
        steps = json.loads(document)["steps"]
        assert [len(step["chain"]) for step in steps] == [len(s.chain) for s in derivation.steps]
    for step in derivation.steps:
        assert step.title.split(":")[0] in document


@pytest.mark.parametrize("d", [1, 2, 3])
def test_normal_entries_have_the_variance_that_the_moments_give(d: int):
    assert normal_moments(d) == (0, d)


def test_the_theorem_that_shows_how_to_add_one_is_proved():
    """The example in the table of contents, run as it stands there."""
    code = contents().split("```python\n")[1].split("```")[0]
    scope: dict[str, Any] = {}
    exec(code, scope)
    proof = scope["prove"]()
    assert replay(proof.certificate()).lines == 1
    assert "moves" in proof.derivation().to_text()
