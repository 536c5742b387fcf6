"""Notebooks: valid, the same bytes each time, running from top to bottom with other numbers too."""

from __future__ import annotations

import json
import warnings
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import symattn as sa
from symattn.derivation import Derivation, Level, Result
from symattn.derivation.figures import Figure
from symattn.grading.verdict import Verdict
from symattn.names import PROBLEMS, THEOREMS
from tests.render.samples import SAMPLES

REASON = "notebooks are run by ipykernel, nbclient and nbformat: pip install -e '.[dev]'"
nbformat = pytest.importorskip("nbformat", reason=REASON)
nbclient = pytest.importorskip("nbclient", reason=REASON)
pytest.importorskip("ipykernel", reason=REASON)


def cells(document: str, kind: str) -> list[str]:
    notebook = json.loads(document)
    return ["".join(c["source"]) for c in notebook["cells"] if c["cell_type"] == kind]


def run(document: str, **changes: str) -> dict[str, Any]:
    """Run the code cells in one scope with other numbers; what cells show stands under `shown`."""
    shown: list[Any] = []
    scope: dict[str, Any] = {"display": shown.append}
    for number, source in enumerate(cells(document, "code")):
        for old, new in changes.items() if not number else ():
            assert f"{old} = " in source
            start = source.index(f"{old} = ")
            source = f"{source[:start]}{old} = {new}\n{source[source.index(chr(10), start) + 1 :]}"
        *body, last = source.split("\n\n")
        exec("\n\n".join(body), scope)
        if last.startswith(("d.", "sa.")) or last == "d":
            shown.append(eval(last, scope))
        else:
            exec(last, scope)
    return {**scope, "shown": shown}


def plain(results: Any) -> Any:
    """Results as texts, which compare."""
    if isinstance(results, dict):
        return {part: plain(result) for part, result in results.items()}
    if isinstance(results, list | tuple):
        return [plain(entry) for entry in results]
    return results.text if isinstance(results, Result) else results


@pytest.mark.parametrize("name", [*PROBLEMS, *THEOREMS])
def test_every_notebook_is_valid_and_gives_the_numbers_of_its_text(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    derivation = sa.derive(name)
    derive = sa.derive
    # What was derived for the text is not derived again, as it is the same call.
    monkeypatch.setattr(
        sa, "derive", lambda target, **given: derive(target, **given) if given else derivation
    )
    document = derivation.to_notebook(level=Level.FULL)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        nbformat.validate(nbformat.reads(document, as_version=4))
    done = run(document)
    assert plain(done["d"].results) == plain(derivation.results)
    kinds = {type(value) for value in done["shown"]}
    assert {Verdict, Derivation} <= kinds or name == "ex6-limit"
    assert done["shown"][-1].kind == derivation.kind
    assert all(v.verdict in ("rounded", "exact") for v in done["shown"] if isinstance(v, Verdict))


@pytest.mark.parametrize("name", ["ex1-aligned", "ex5-scaling", "tie"])
def test_a_kernel_runs_them_from_top_to_bottom(name: str) -> None:
    notebook = nbformat.reads(sa.derive(name).to_notebook(), as_version=4)
    folder = Path(sa.__file__).parent.parent
    nbclient.NotebookClient(
        notebook, timeout=120, kernel_name="python3", resources={"metadata": {"path": str(folder)}}
    ).execute()
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", ())]
    data: set[str] = set().union(*(output.get("data", {}) for output in outputs))
    assert {"text/latex", "text/html", "text/markdown", "text/plain"} <= data
    assert not any(output.output_type in ("error", "stream") for output in outputs)
    assert all(len(output.data["text/plain"]) < 4000 for output in outputs)


def test_a_reader_changes_the_numbers_and_runs_again() -> None:
    document = sa.derive("ex1").to_notebook()
    done = run(document, q='["0", "1"]')
    assert plain(done["d"].results["scores"]) == ["0", "0", "1"]
    steps = "\n".join(cells(document, "markdown"))
    assert "0.5760" in steps


@pytest.mark.parametrize("name", ["ex1", "tie"])
def test_a_notebook_is_the_same_bytes_each_time_and_holds_no_outputs(name: str) -> None:
    document = sa.derive(name).to_notebook()
    assert document == sa.derive(name).to_notebook()
    notebook = json.loads(document)
    ids = [cell["id"] for cell in notebook["cells"]]
    assert len(set(ids)) == len(ids)
    for cell in notebook["cells"]:
        assert cell.get("outputs", []) == []
        assert cell.get("execution_count") is None


def test_numbers_of_every_kind_come_back_as_they_were_given(tmp_path: Path) -> None:
    import sympy as sp

    np.save(tmp_path / "K.npy", np.array([[0.1, 1.0], [2.0, -0.3]], dtype=np.float32))
    (tmp_path / "V.csv").write_text("0.5,1/3\n2,sqrt(2)\n", encoding="utf-8")
    (tmp_path / "mask.csv").write_text("0,-oo\n0,1/2\n", encoding="utf-8")
    problem = tmp_path / "mine.toml"
    problem.write_text(
        'title = "Say \\"hello\\" \\\\ and {x}"\n[given]\nQ = [[1, 0.1], ["sqrt(2)", "1/3"]]\n'
        'K = "K.npy"\nV = "V.csv"\nmask = "mask.csv"\nscale = 0.25\n'
        '[case.other]\nscale = "1/sqrt(3)"\n',
        encoding="utf-8",
    )
    for derivation in (
        sa.derive(problem),
        sa.solve(q=[sp.sqrt(2), Fraction(1, 3)], K=np.eye(2) / 3, V=[[0.1], [sp.exp(1)]]),
        sa.solve(scaled=["M", 0], limits=["M -> oo"], at={"M": "20"}),
    ):
        done = run(derivation.to_notebook())
        assert plain(done["d"].results) == plain(derivation.results)
        assert done["d"].title == derivation.title


def test_given_stays_given() -> None:
    document = sa.derive("tie", given={"n": 2}).to_notebook()
    assert "sa.derive(\"tie\", given={'n': 2})" in document.replace('\\"', '"')
    assert run(document)["d"].title.endswith("n = 2)")


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda d: d.name)
def test_a_derivation_that_no_call_makes_is_text_alone(sample: Derivation) -> None:
    document = sample.to_notebook()
    assert cells(document, "code") == []
    nbformat.validate(nbformat.reads(document, as_version=4))


def test_figures_stand_in_the_text_and_are_shown_anew() -> None:
    derivation = sa.derive("ex1")
    document = derivation.to_notebook()
    names = [figure.name for figure in derivation.pictures()]
    assert len(names) >= 2
    text = "\n".join(cells(document, "markdown"))
    assert text.count("](data:image/svg+xml;base64,") == len(names)
    shown = [figure for figure in run(document)["shown"] if isinstance(figure, Figure)]
    assert [figure.name for figure in shown] == names
