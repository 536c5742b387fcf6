"""The page of real libraries says what the reports say, and nothing that a processor changes."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np

from symattn import numeric
from symattn.suite.adapters import KNOWN
from symattn.suite.conformance import NOTES, RUNS, dead_rows, page
from symattn.suite.mutants import MUTANTS
from symattn.suite.properties import PROPERTIES, property_named
from symattn.suite.report import to_json
from symattn.suite.run import check
from symattn.suite.target import Target


def test_the_page_shows_verdicts_versions_and_witnesses():
    target = Target("mylib:attention", MUTANTS["base_two"].function, version="mylib 1.2")
    few = [property_named(name) for name in ("agreement-plain", "single-token")]
    report = check(target, dtypes=["float32"], properties=few)
    text = page([json.loads(to_json(report)) | {"dead_rows": dead_rows(target)}])
    assert "1. mylib 1.2: `mylib:attention` (float32)" in text
    assert "| agreement-plain | ✗ |" in text
    assert "| single-token | ✓ |" in text
    assert "| tie | – |" in text
    assert "- **agreement-plain** (float32, theorem definition)" in text
    assert "witness: q = `[[" in text
    assert "ulps" not in text
    assert f"{report.seconds:.3f}" not in text
    assert "| additive mask | zeros |" in text
    assert text.count("\n| ") == len(PROPERTIES) + 1 + 4


def test_a_property_that_fails_with_one_type_shows_both_signs():
    def single(q, k, v):
        return numeric.attention(*(x.astype(np.float32) for x in (q, k, v))).astype(q.dtype)

    target = Target("mylib:attention", single, version="mylib 1.2")
    report = check(target, properties=[property_named(name) for name in ("agreement-plain", "tie")])
    text = page([json.loads(to_json(report)) | {"dead_rows": dead_rows(target)}])
    assert "| agreement-plain | ✓ ✗ |" in text


def test_what_a_row_without_a_key_gives_is_measured():
    def attention(q, k, v, *, mask=None):
        if not len(k):
            raise ValueError("no keys")
        output = numeric.attention(q, k, v, mask=mask)
        dead = ~numeric.attends((len(q), len(k)), mask, False).any(axis=1)
        output[dead] = v.mean(axis=0) if mask.dtype == bool else np.nan
        return output

    assert dead_rows(Target("mine", attention)) == {
        "boolean mask": "mean",
        "additive mask": "NaN",
        "no keys": "refused",
    }
    assert dead_rows(Target("mine", lambda q, k, v, mask=None: q + 7))["no keys"] == "other"


def test_every_library_has_a_note_on_its_declarations():
    assert set(NOTES) == set(KNOWN)


def test_every_adapter_is_run_and_keras_on_each_backend():
    backends = [env["KERAS_BACKEND"] for spec, env in RUNS if spec.startswith("keras")]
    assert backends == ["numpy", "torch", "jax"]


def test_the_readme_names_each_library_that_fails_with_its_version():
    root = Path(__file__).parent.parent.parent
    readme = (root / "README.md").read_text(encoding="utf-8")
    firsts = [line.split("|")[1] for line in readme.splitlines() if line.startswith("| ")]
    written = (root / "proofs" / "conformance.md").read_text(encoding="utf-8")
    section = r"^### \d+\. (\w+ [\d.]+)\S*( on \w+)?\n(.*?)(?=^### |\Z)"
    parts = re.findall(section, written, re.MULTILINE | re.DOTALL)
    assert len(parts) == len(RUNS)
    for version, backend, text in parts:
        fails = "Nothing fails." not in text
        assert any(f"{version}{backend}" in first for first in firsts) == fails, version
