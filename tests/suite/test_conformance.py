"""The page of real libraries says what the reports say, and nothing that a processor changes."""

from __future__ import annotations

import json

from symattn.suite.conformance import RUNS, page
from symattn.suite.mutants import MUTANTS
from symattn.suite.properties import PROPERTIES, property_named
from symattn.suite.report import to_json
from symattn.suite.run import check
from symattn.suite.target import Target


def test_the_page_shows_verdicts_versions_and_witnesses():
    target = Target("mylib:attention", MUTANTS["base_two"].function, version="mylib 1.2")
    few = [property_named(name) for name in ("agreement-plain", "single-token")]
    report = check(target, dtypes=["float32"], properties=few)
    text = page([json.loads(to_json(report))])
    assert "1. mylib 1.2: `mylib:attention` (float32)" in text
    assert "| agreement-plain | ✗ |" in text
    assert "| single-token | ✓ |" in text
    assert "| tie | – |" in text
    assert "- **agreement-plain** (float32, theorem definition)" in text
    assert "witness: q = `[[" in text
    assert "ulps" not in text
    assert f"{report.seconds:.3f}" not in text
    assert text.count("\n| ") == len(PROPERTIES) + 1


def test_every_adapter_is_run_and_keras_on_each_backend():
    backends = [env["KERAS_BACKEND"] for spec, env in RUNS if spec.startswith("keras")]
    assert backends == ["numpy", "torch", "jax"]
