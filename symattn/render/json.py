"""The document as JSON, schema `symattn.derivation/1`, for programs.

Prose is plain Unicode. Each side of a chain is given as `text`, which our own parser reads back
where it is scalar, as `unicode` and as `latex`. A result has its `exact` text, its `decimal`, which
Python's `Decimal` reads, and as `float` the nearest double: null where a symbol is open, or where
the value is beyond the range of doubles, as JSON has no infinity.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from math import isfinite
from typing import Any

from symattn.derivation.blocks import Formula, Options, formulas, inline
from symattn.derivation.figures import Figure
from symattn.derivation.model import Derivation, Level, Result, Step
from symattn.derivation.prose import Prose
from symattn.exact.plain import to_text
from symattn.exact.rounding import Ties
from symattn.render.latex import to_latex
from symattn.render.text import plain_prose
from symattn.render.unicode import to_unicode

__all__ = ["SCHEMA", "document", "render"]

SCHEMA = "symattn.derivation/1"


def render(
    derivation: Derivation,
    *,
    digits: int = 17,
    ties: Ties = "half-up",
    level: Level = Level.FULL,
) -> str:
    """The document as one JSON text."""
    options = Options(digits, ties, level)
    found = document(derivation, options)
    return json.dumps(found, ensure_ascii=False, indent=2, allow_nan=False) + "\n"


def document(derivation: Derivation, options: Options) -> dict[str, Any]:
    """The document as what JSON holds: dicts, lists, texts and numbers."""
    cross = derivation.crosscheck
    return {
        "schema": SCHEMA,
        "name": derivation.name,
        "kind": derivation.kind,
        "title": derivation.title,
        "statement": _prose(derivation.statement, options),
        "assumptions": [_prose(text, options) for text in derivation.assumptions],
        "forecast": _prose(derivation.forecast, options),
        "given": _chain(formulas(derivation.given, options)),
        "notes": list(derivation.notes),
        "figures": _figures(derivation.figures, options),
        "steps": _steps(derivation.steps, options),
        "conclusion": _prose(derivation.conclusion, options),
        "results": {part: _result(r, options) for part, r in derivation.results.items()},
        "crosscheck": cross
        and {
            "against": cross.against + cross.conditions,
            "worst_error_over_bound": cross.worst,
            "verdict": cross.verdict,
        },
    }


def _prose(text: Prose, options: Options) -> str:
    return plain_prose(inline(text, options))


def _steps(steps: tuple[Step, ...], options: Options) -> list[dict[str, Any]]:
    return [
        {
            "title": step.title,
            "what": _prose(step.what, options),
            "why": _prose(step.why, options),
            "rule": step.rule,
            "chain": _chain(formulas(step.chain, options)),
            "check": {
                "claim": _prose(step.check.claim, options),
                "method": step.check.method,
                "verdict": step.check.verdict,
                "lines": _chain(formulas(step.check.lines, options)),
            },
            "figures": _figures(step.figures, options),
            "steps": _steps(step.steps, options),
        }
        for step in steps
        if step.level <= options.level
    ]


def _figures(figures: tuple[Figure, ...], options: Options) -> list[dict[str, str]]:
    """What a figure is called and what is seen on it; `symattn derive --figures` draws them."""
    from symattn.figures import describe

    shown = figures if options.level > Level.BRIEF else ()
    return [
        {"name": fig.name, "title": fig.title, "description": describe(fig, options)}
        for fig in shown
    ]


def _chain(lines: Iterable[Formula]) -> list[dict[str, Any]]:
    return [
        {
            "sides": [
                {
                    "relation": relation,
                    "text": to_text(side),
                    "unicode": to_unicode(side),
                    "latex": to_latex(side),
                }
                for relation, side in ((None, line.first), *line.links)
            ],
            "condition": line.condition or None,
        }
        for line in lines
    ]


def _result(result: Any, options: Options) -> Any:
    """A result, or nested lists of them; None stands for the score -∞ of a masked key."""
    if isinstance(result, list | tuple):
        return [_result(entry, options) for entry in result]
    if result is None:
        return {"exact": "-oo", "decimal": "-Infinity", "float": None}
    assert isinstance(result, Result)
    if result.is_open:
        return {"exact": result.text, "decimal": None, "float": None}
    decimal = result.rounded(options.digits, options.ties).text
    nearest = float(result)
    return {
        "exact": result.text,
        "decimal": decimal,
        "float": nearest if isfinite(nearest) else None,
    }
