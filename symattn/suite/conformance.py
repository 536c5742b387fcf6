"""The table of real libraries by property.

    python -m symattn.suite.conformance proofs/conformance.md

Every installed library that has an adapter is checked in a process of its own, in the quick
profile, and the page is made from the JSON reports. It holds verdicts, versions and witnesses, no
timings and no errors in ulps: nothing that depends on the processor beyond the verdict.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from symattn.suite.adapters import KNOWN
from symattn.suite.properties import PROPERTIES

__all__ = ["main", "page", "reports"]

#: Targets, with the environment in which each runs.
RUNS: tuple[tuple[str, dict[str, str]], ...] = tuple(
    (spec, {"KERAS_BACKEND": backend})
    for spec in KNOWN
    for backend in (("numpy", "torch", "jax") if spec.startswith("keras") else ("numpy",))
)
_SIGNS = {"passed": "✓", "failed": "✗", "skipped": "–"}


def reports() -> Iterator[dict[str, Any]]:
    """The JSON report of every library that is installed."""
    for spec, environment in RUNS:
        done = subprocess.run(
            [sys.executable, "-m", "symattn", "check", spec, "--json"],
            env=os.environ | environment,
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode in (0, 1):
            yield json.loads(done.stdout)
        else:
            print(f"{spec}: {done.stderr.strip().splitlines()[-1]}", file=sys.stderr)


def page(documents: list[dict[str, Any]]) -> str:
    """The page in Markdown."""
    lines = [
        "# Real libraries under check",
        "",
        "Which properties of attention hold in real libraries, on the CPU, in the suite's quick",
        "profile: ✓ holds, ✗ fails with a witness below, – not tested (not offered, or declared",
        "otherwise). Made by `python -m symattn.suite.conformance proofs/conformance.md`. Each",
        "library's declarations stand with its findings.",
        "",
        *_table(documents),
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
    verdicts = [row["verdict"] for row in document["properties"] if row["name"] == name]
    for verdict in ("failed", "passed", "skipped"):
        if verdict in verdicts:
            return _SIGNS[verdict]
    return _SIGNS["skipped"]


def _library(number: int, document: dict[str, Any]) -> Iterator[str]:
    declared = ", ".join(
        f"{name.replace('_', '-')} {value}" for name, value in document["declarations"].items()
    )
    yield f"### {number}. {document['version']}"
    yield ""
    yield f"Declared: {declared}."
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
