"""The JSON document: strict JSON, the schema's keys, and numbers that programs can use."""

from __future__ import annotations

import json
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import pytest

from symattn.derivation import Derivation, Result
from symattn.exact.equality import compare
from symattn.exact.evaluate import evaluate
from symattn.exact.numbers import rational
from symattn.exact.parse import parse
from tests.render.samples import SAMPLES

each_sample = pytest.mark.parametrize("derivation", SAMPLES, ids=lambda d: d.name)


def refuse(constant: str) -> None:
    raise AssertionError(f"{constant} is not JSON")


def document(derivation: Derivation, **options: Any) -> Any:
    return json.loads(derivation.to_json(**options), parse_constant=refuse)


def steps_of(steps: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    for step in steps:
        yield step
        yield from steps_of(step["steps"])


def leaves(found: Any) -> Iterator[Any]:
    for entry in found if isinstance(found, list) else [found]:
        yield from leaves(entry) if isinstance(entry, list) else [entry]


@each_sample
def test_the_keys_are_those_of_the_schema(derivation: Derivation) -> None:
    found = document(derivation)
    assert found["schema"] == "symattn.derivation/1"
    assert found.keys() >= {"name", "kind", "title", "statement", "assumptions", "given", "steps"}
    assert found.keys() >= {"conclusion", "results", "crosscheck"}
    for step in steps_of(found["steps"]):
        assert step.keys() == {"title", "what", "why", "rule", "chain", "check", "figures", "steps"}
        assert step["check"].keys() == {"claim", "method", "verdict", "lines"}
        assert step["check"]["verdict"] == "holds"
    for part in found["results"].values():
        assert all(leaf.keys() == {"exact", "decimal", "float"} for leaf in leaves(part))


@each_sample
@pytest.mark.parametrize("digits", [3, 17])
def test_results_are_those_of_the_derivation(derivation: Derivation, digits: int) -> None:
    found = document(derivation, digits=digits)["results"]
    assert found.keys() == derivation.results.keys()
    for part, results in derivation.results.items():
        for entry, result in zip(leaves(found[part]), leaves(results), strict=True):
            if result is None:
                assert entry == {"exact": "-oo", "decimal": "-Infinity", "float": None}
                continue
            assert isinstance(result, Result)
            exact = evaluate(parse(entry["exact"], symbols=None).tree, {"d_k": rational(2)})
            assert compare(exact, result.number).verdict == "equal"
            if result.is_open:
                assert (entry["decimal"], entry["float"]) == (None, None)
                continue
            assert Decimal(entry["decimal"]) == Decimal(result.rounded(digits).text)
            assert entry["float"] == (float(result) if float(result) < 1e308 else None)


def test_results_keep_their_nesting() -> None:
    vectors, matrices, _ = (document(sample)["results"] for sample in SAMPLES)
    assert len(vectors["weights"]) == 3
    assert [len(row) for row in matrices["weights"]] == [3, 3, 3]


def test_what_a_double_cannot_hold_has_a_decimal_and_no_float() -> None:
    results = document(SAMPLES[2])["results"]
    assert results["total"]["decimal"] == "1.9700711140170470e434"
    assert results["total"]["float"] is None
    assert results["CASE.weights"][1]["float"] == 0.0


@each_sample
def test_a_side_says_one_thing_in_three_ways(derivation: Derivation) -> None:
    found = document(derivation)
    chains = [found["given"], *(step["chain"] for step in steps_of(found["steps"]))]
    chains += [step["check"]["lines"] for step in steps_of(found["steps"])]
    sides = [side for chain in chains for line in chain for side in line["sides"]]
    scalar = 0
    for side in sides:
        assert side.keys() == {"relation", "text", "unicode", "latex"}
        if any(sign in side["text"] for sign in ("[", "dot(", "oo", "norm", "softmax", "matmul")):
            continue
        scalar += 1
        exact = evaluate(parse(side["text"], symbols=None).tree, {"d_k": rational(2)})
        for written in (side["unicode"], side["latex"]):
            again = evaluate(parse(written, symbols=None).tree, {"d_k": rational(2)})
            assert compare(again, exact).verdict == "equal"
    assert scalar > 5


def test_the_relations_of_a_chain_stand_with_its_sides() -> None:
    share, to_one, *_ = document(SAMPLES[2])["steps"][0]["chain"]
    assert [side["relation"] for side in share["sides"]] == [None, "=", "="]
    assert (to_one["sides"][-1]["relation"], to_one["condition"]) == ("->", "M -> oo")
    assert share["condition"] is None


def test_prose_is_plain_unicode() -> None:
    found = document(SAMPLES[0], digits=4)
    assert found["steps"][1]["what"] == "Divide each score by √dₖ."
    assert found["conclusion"] == "The output is about (1.728, 0.4201): never without v₂."
    assert found["crosscheck"]["worst_error_over_bound"] == 0.25
