"""`symattn check`: the property suite on an implementation of attention."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from symattn.errors import InputError

if TYPE_CHECKING:
    from symattn.suite.outcomes import Report

__all__ = ["command"]

EPILOG = """
\b
Examples:
  symattn check mypackage.nn:attention
  symattn check mypackage.nn:attention --dead-rows nan --value-at-masked any
  symattn check torch.nn.functional:scaled_dot_product_attention --profile ci
  symattn check mypackage.nn:attention --witnesses .
  symattn check --replay witness-1.json
  symattn check --self-test -j 2
"""
FORMATS = ("text", "json", "junit")


@click.command(name="check", epilog=EPILOG)
@click.argument("target", required=False, metavar="MODULE:FUNCTION")
@click.option(
    "--dtype",
    "dtypes",
    multiple=True,
    metavar="NAME",
    help="A type to check with: float16, bfloat16, float32, float64 (repeatable).",
)
@click.option(
    "--causal",
    type=click.Choice(["lower-right", "upper-left"]),
    help="Which keys causal=True shows: j <= i + m - n (default), or j <= i.",
)
@click.option(
    "--dead-rows",
    type=click.Choice(["zeros", "nan", "mean", "any"]),
    help="What a row without an attendable key gives (default: zeros).",
)
@click.option(
    "--value-at-masked",
    type=click.Choice(["untouched", "any"]),
    help="Whether a NaN at a masked value may leak (default: untouched).",
)
@click.option(
    "--nan",
    type=click.Choice(["propagate", "any"]),
    help="Whether a NaN that is attended to gives NaN (default: propagate).",
)
@click.option(
    "--accumulate",
    type=click.Choice(["float32", "input"]),
    help="In what 16-bit inputs are accumulated (default: float32).",
)
@click.option(
    "--profile",
    default="quick",
    show_default=True,
    type=click.Choice(["quick", "ci", "nightly"]),
    help="How thoroughly to check.",
)
@click.option(
    "--property", "names", multiple=True, metavar="NAME", help="Only this property (repeatable)."
)
@click.option(
    "--seed", default=0, metavar="N", help="Other examples; without it every run has the same."
)
@click.option(
    "--replay", type=click.Path(path_type=Path), metavar="FILE", help="Run a saved witness again."
)
@click.option(
    "--witnesses",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Save the smallest witness of each finding there.",
)
@click.option(
    "--known",
    "known",
    multiple=True,
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="A saved witness of a failure that is known (repeatable).",
)
@click.option(
    "--self-test",
    is_flag=True,
    help="Check the suite itself: print which property catches which wrong function.",
)
@click.option(
    "-j", "--jobs", type=click.IntRange(1), default=1, help="Processes for the self-test."
)
@click.option("-f", "--format", "form", type=click.Choice(FORMATS), help="The report's format.")
@click.option("--json", "as_json", is_flag=True, help="The same as -f json.")
@click.option("-o", "--output", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE",
              help="Write the report there; .json and .xml choose the format.")  # fmt: skip
def command(**given: Any) -> int:
    """Put an implementation of attention under check.

    The function is called as attention(q, k, v, mask=..., causal=..., scale=...) on NumPy arrays;
    keywords that it does not take are skipped. Functions of torch, JAX, flax, ONNX, onnxruntime,
    Keras and tinygrad are recognised by their import path.
    """
    form = "json" if given["as_json"] else given["form"] or _form_of(given["output"])
    # A function is looked for where Python would look for a script's modules.
    sys.path.insert(0, os.getcwd())
    if given["self_test"]:
        return _self_test(given, form)
    if given["replay"]:
        report = _replayed(given["replay"], given["target"])
    elif given["target"]:
        report = _checked(given)
    else:
        raise InputError("a target is missing: symattn check MODULE:FUNCTION")
    witnesses = _save(report, given["witnesses"]) if given["witnesses"] else None
    _write(_rendered(report, form, witnesses), given["output"])
    return 1 if report.failures else 0


def _checked(given: dict[str, Any]) -> Report:
    from dataclasses import replace

    from symattn.suite import witness
    from symattn.suite.declarations import CHOICES, dtype_named
    from symattn.suite.profiles import profile_named
    from symattn.suite.properties import PROPERTIES, property_named
    from symattn.suite.run import check
    from symattn.suite.target import load

    known = {path: witness.read(path) for path in given["known"]}
    for dtype in given["dtypes"]:
        dtype_named(dtype)
    target = load(given["target"])
    declared = target.declarations.overridden(**{name: given[name] for name in CHOICES})
    target = replace(target, declarations=declared)
    with _progress(given["target"]) as tick:
        report = check(
            target,
            dtypes=given["dtypes"] or None,
            profile=profile_named(given["profile"]),
            properties=[property_named(n) for n in given["names"]] or PROPERTIES,
            seed=given["seed"],
            tick=tick,
        )
    witness.excuse(report, known)
    return report


def _replayed(path: Path, target: str | None) -> Report:
    from symattn.suite.outcomes import Report
    from symattn.suite.target import load
    from symattn.suite.witness import read, replay

    witness = read(path)
    found = load(target or witness.target)
    outcome = replay(witness, found if target else None)
    return Report(found, "replay", [outcome])


def _self_test(given: dict[str, Any], form: str) -> int:
    from symattn.suite.selftest import self_test

    with _progress("self-test") as tick:
        matrix = self_test(tick=tick, processes=given["jobs"])
    _write(matrix.to_json() if form == "json" else matrix.to_text(), given["output"])
    return 0 if matrix.passed else 1


def _save(report: Report, folder: Path) -> list[str]:
    from symattn.suite.findings import findings
    from symattn.suite.witness import save

    folder.mkdir(parents=True, exist_ok=True)
    return [
        str(save(finding, report.target, folder / f"witness-{number}.json"))
        for number, finding in enumerate(findings(report), start=1)
    ]


def _rendered(report: Report, form: str, witnesses: list[str] | None) -> str:
    from symattn.suite import report as reports

    if form == "json":
        return reports.to_json(report)
    if form == "junit":
        return reports.to_junit(report)
    return reports.to_text(report, witnesses)


def _write(text: str, output: Path | None) -> None:
    if output is None:
        click.echo(text)
    else:
        output.write_text(text + "\n", encoding="utf-8")


def _form_of(output: Path | None) -> str:
    return {".json": "json", ".xml": "junit"}.get(output.suffix if output else "", "text")


def _progress(title: str) -> Any:
    """A bar on stderr where that is a terminal; a context that gives a function to call."""
    from symattn.suite.progress import progress

    return progress(title)
