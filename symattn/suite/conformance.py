"""The table of real libraries by property.

    python -m symattn.suite.conformance proofs/conformance.md

Every installed library that has an adapter is checked in a process of its own, in the quick
profile, and the page is made from the JSON reports. It holds verdicts, versions and witnesses, no
timings and no errors in ulps: nothing that depends on the processor beyond the verdict. What a row
without a key gives, which the formula leaves open, is not judged but measured.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from symattn.suite.adapters import KNOWN
from symattn.suite.cases import Case
from symattn.suite.properties import PROPERTIES
from symattn.suite.target import Target, load

__all__ = ["dead_rows", "main", "page", "reports"]

#: Targets, with the environment in which each runs.
RUNS: tuple[tuple[str, dict[str, str]], ...] = tuple(
    (spec, {"KERAS_BACKEND": backend})
    for spec in KNOWN
    for backend in (("numpy", "torch", "jax") if spec.startswith("keras") else ("numpy",))
)
_SIGNS = {"passed": "✓", "failed": "✗", "skipped": "–"}
#: What the declarations rest on, and what is not asked.
NOTES = {
    "torch.nn.functional:scaled_dot_product_attention": (
        "The causal triangle from the upper left is documented, and so is an error for a mask with "
        "causal, which it raises only where values are not as wide as keys."
    ),
    "torch.nn:MultiheadAttention": "One head, identity projections, need_weights=False.",
    "jax.nn:dot_product_attention": (
        "With jax_enable_x64. Rows without a key are not documented, so they are not asked."
    ),
    "flax.nnx:dot_product_attention": (
        "It calls jax.nn.dot_product_attention unless weights are dropped or kept."
    ),
    "onnx.reference:ReferenceEvaluator": (
        "The operator's text promises zeros for rows without a key, and multiplies q and k by "
        "sqrt(scale): a negative scale is not asked."
    ),
    "onnxruntime:InferenceSession": (
        "The same operator; no kernel for float64, and an error for a scale that is not positive."
    ),
    "keras.ops:dot_product_attention": (
        "Type promotion makes float64 float32 on these backends, so it is not asked; nor are rows "
        "without a key, which are not documented."
    ),
    "tinygrad:Tensor.scaled_dot_product_attention": (
        "Rows without a key are not documented, so they are not asked."
    ),
}


def reports() -> Iterator[dict[str, Any]]:
    """The JSON report of every library that is installed."""
    for spec, environment in RUNS:
        done = _run(environment, "-m", "symattn", "check", spec, "--json")
        if done.returncode not in (0, 1):
            print(f"{spec}: {done.stderr.strip().splitlines()[-1]}", file=sys.stderr)
            continue
        code = "from symattn.suite.conformance import dead_rows; import json"
        code = f"{code}; print(json.dumps(dead_rows({spec!r})))"
        measured = _run(environment, "-c", code).stdout.splitlines()[-1]
        yield json.loads(done.stdout) | {"dead_rows": json.loads(measured)}


def dead_rows(target: str | Target) -> dict[str, str]:
    """What a function gives for a row without a key, by what leaves it without one.

    >>> dead_rows("symattn.numeric:attention")
    {'boolean mask': 'zeros', 'additive mask': 'zeros', 'no keys': 'zeros'}
    """
    function = (load(target) if isinstance(target, str) else target).function
    q, k = np.ones((2, 2), np.float32), np.ones((3, 2), np.float32)
    v = np.array([[1, 1], [2, 2], [6, 6]], np.float32)
    keep = np.array([[False] * 3, [True] * 3])
    bias = np.where(keep, 0, -np.inf).astype(np.float32)
    given = {
        "boolean mask": Case(q, k, v, keep),
        "additive mask": Case(q, k, v, bias),
        "no keys": Case(q, k[:0], v[:0]),
    }
    return {name: _kind(function, case, v.mean(axis=0)) for name, case in given.items()}


def _kind(function: Callable[..., Any], case: Case, mean: Any) -> str:
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            row = np.asarray(function(*case.arrays(), **case.keywords()))[0]
    except Exception:
        return "refused"
    kinds = {"NaN": np.isnan(row), "zeros": row == 0, "mean": np.isclose(row, mean)}
    return next((name for name, found in kinds.items() if found.all()), "other")


def _run(environment: dict[str, str], *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments],
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=False,
    )


def page(documents: list[dict[str, Any]]) -> str:
    """The page in Markdown."""
    lines = [
        "# Real libraries under check",
        "",
        "Which properties of attention hold in real libraries, on the CPU, in the suite's quick",
        "profile: ✓ holds, ✗ fails with a witness below, – not tested (not offered, or declared",
        "otherwise); two signs are those of float32 and of float64, whose examples differ: a fault",
        "of both may show in one. Made by",
        "`python -m symattn.suite.conformance proofs/conformance.md`. Each library's declarations",
        "stand with its findings.",
        "",
        *_table(documents),
        "",
        "## Rows without a key",
        "",
        "The formula divides 0 by 0 there. This is what each gives:",
        "",
        *_rows_without_a_key(documents),
        "",
        "## What fails",
        "",
    ]
    for number, document in enumerate(documents, start=1):
        lines += _library(number, document)
    return "\n".join(lines).rstrip() + "\n"


def main() -> None:
    """Write the page to the file named on the command line, or print it."""
    documents: list[dict[str, Any]] = []
    for document in reports():
        documents.append(document)
        print(f"{document['version']}: {document['failed']} failed", file=sys.stderr)
    text = page(documents)
    if len(sys.argv) > 1:
        Path(sys.argv[1]).write_text(text, encoding="utf-8")
    else:
        print(text)


def _table(documents: list[dict[str, Any]]) -> Iterator[str]:
    numbers = range(1, len(documents) + 1)
    for number, document in zip(numbers, documents, strict=True):
        yield f"{number}. {document['version']}: `{document['target']}` ({document['dtype']})"
    yield ""
    yield "| property | " + " | ".join(map(str, numbers)) + " |"
    yield "|---|" + ":-:|" * len(documents)
    for each in PROPERTIES:
        cells = [_cell(document, each.name) for document in documents]
        yield f"| {each.name} | " + " | ".join(cells) + " |"


def _cell(document: dict[str, Any], name: str) -> str:
    """One sign, or one for each type where they differ."""
    signs = [_SIGNS[row["verdict"]] for row in document["properties"] if row["name"] == name]
    return " ".join(signs if len(set(signs)) > 1 else signs[:1]) or _SIGNS["skipped"]


def _rows_without_a_key(documents: list[dict[str, Any]]) -> Iterator[str]:
    measured = [document["dead_rows"] for document in documents]
    yield "| left by | " + " | ".join(map(str, range(1, len(documents) + 1))) + " |"
    yield "|---|" + ":-:|" * len(documents)
    for name in measured[0] if measured else ():
        yield f"| {name} | " + " | ".join(one[name] for one in measured) + " |"


def _library(number: int, document: dict[str, Any]) -> Iterator[str]:
    declared = ", ".join(
        f"{name.replace('_', '-')} {value}" for name, value in document["declarations"].items()
    )
    yield f"### {number}. {document['version']}"
    yield ""
    yield " ".join([f"Declared: {declared}.", NOTES.get(document["target"], "")]).strip()
    yield ""
    if not document["findings"]:
        yield "Nothing fails."
        yield ""
    for finding in document["findings"]:
        row = next(
            row
            for row in document["properties"]
            if (row["name"], row["dtype"]) == (finding["property"], finding["dtype"])
        )
        yield from _finding(row, finding)


def _finding(row: dict[str, Any], finding: dict[str, Any]) -> Iterator[str]:
    case = row["counterexample"]
    yield f"- **{row['name']}** ({row['dtype']}, theorem {row['theorem']})"
    shown = {name: case[name] for name in ("q", "k", "v")}
    if case["mask"] is not None:
        shown["mask"] = case["mask"]
    if case["causal"]:
        shown["causal"] = True
    if case["scale"] is not None:
        shown["scale"] = case["scale"]
    shown |= case["extra"]
    yield "  - witness: " + ", ".join(f"{name} = `{_short(x)}`" for name, x in shown.items())
    if case["got"] is not None:
        digits = 4 if _short(case["got"]) != _short(case["exact"]) else 9
        got, exact = _short(case["got"], digits), _short(case["exact"], digits)
        yield f"  - gives `{got}`, exact `{exact}`"
    else:
        yield f"  - {row['message'].splitlines()[0][:200]}"
    if finding["explains"]:
        names = sorted({name.split(" ")[0] for name in finding["explains"]} - {row["name"]})
        if names:
            yield f"  - probably the same: {', '.join(names)}"
    yield ""


def _short(x: Any, digits: int = 4) -> str:
    """Nested lists with numbers of few digits, which no processor changes."""
    if isinstance(x, list):
        return "[" + ", ".join(_short(entry, digits) for entry in x) + "]"
    return f"{x:.{digits}g}" if isinstance(x, float) else str(x)


if __name__ == "__main__":
    main()
