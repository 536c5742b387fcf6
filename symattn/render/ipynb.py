"""The document as a Jupyter notebook (nbformat 4.5) that runs from top to bottom.

The numbers stand in a cell of their own, as Python, where a reader changes them; the text follows,
with its figures in it, and behind it cells that work out, show and grade the new numbers. No
outputs are stored: what a cell shows, it has computed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from symattn.derivation.model import Derivation, Level, Recipe, Result
from symattn.exact.rounding import Ties
from symattn.render.jupyter import derivation_markdown

__all__ = ["render"]

#: A list is written in one line up to this length.
_LINE = 76
_HEADINGS = re.compile(r"^(?=## )", re.MULTILINE)
_NUMBERS = """\
## The numbers

Change them and run all cells: the cells at the end work the new numbers out. The text in between \
keeps speaking of the numbers that it was written for."""
_THEOREM = """\
## The theorem in Python

The cells at the end show its numbers, its figures, and its lines written out for as many keys as \
you like."""


def render(
    derivation: Derivation,
    *,
    digits: int = 4,
    ties: Ties = "half-up",
    level: Level = Level.NORMAL,
) -> str:
    """The document as a notebook."""
    options: dict[str, Any] = {"digits": digits, "ties": ties, "level": level}
    head, *sections = _HEADINGS.split(derivation_markdown(derivation, **options))
    cells = [_text(head)]
    if derivation.recipe is not None:
        cells += [_text(_opening(derivation.recipe)), _code(_call(derivation.recipe))]
    cells += map(_text, sections)
    if derivation.recipe is not None:
        cells += _closing(derivation, derivation.recipe)
    notebook = {
        "cells": [{"id": f"cell-{n}", **cell} for n, cell in enumerate(cells, start=1)],
        "metadata": {
            "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
            "language_info": {"name": "python"},
            "title": derivation.title,
        },
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    return json.dumps(notebook, ensure_ascii=False, indent=1) + "\n"


def _text(source: str) -> dict[str, Any]:
    return {"cell_type": "markdown", "metadata": {}, "source": _lines(source)}


def _code(source: str) -> dict[str, Any]:
    return {
        "cell_type": "code",
        "execution_count": None,
        "metadata": {},
        "outputs": [],
        "source": _lines(source),
    }


def _lines(source: str) -> list[str]:
    return source.strip("\n").splitlines(keepends=True)


def _opening(recipe: Recipe) -> str:
    return _NUMBERS if recipe.function == "solve" else _THEOREM


def _call(recipe: Recipe) -> str:
    """The cell that makes the derivation again."""
    if recipe.function == "derive":
        given = recipe.arguments.get("given")
        more = f", given={given!r}" if given else ""
        return f'import symattn as sa\n\nd = sa.derive("{recipe.arguments["target"]}"{more})'
    rows = [f"{name} = {_literal(value)}" for name, value in recipe.arguments.items()]
    names = "".join(f"    {name}={name},\n" for name in recipe.arguments)
    return "\n".join(["import symattn as sa", "", *rows, "", f"d = sa.solve(\n{names})"])


def _literal(value: Any, indent: str = "") -> str:
    """A value as Python, lists that are too long for a line entry by entry."""
    short = _quoted(value)
    if len(indent) + len(short) <= _LINE and not _is_matrix(value):
        return short
    inner = indent + "    "
    if isinstance(value, Mapping):
        rows = [f"{inner}{_quoted(k)}: {_literal(x, inner)},\n" for k, x in value.items()]
        return f"{{\n{''.join(rows)}{indent}}}"
    if isinstance(value, Sequence) and not isinstance(value, str):
        return f"[\n{''.join(f'{inner}{_literal(x, inner)},{chr(10)}' for x in value)}{indent}]"
    return short


def _is_matrix(value: Any) -> bool:
    return isinstance(value, list) and len(value) > 1 and isinstance(value[0], list)


def _quoted(value: Any) -> str:
    """A value as Python in one line, its texts in double quotes."""
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_quoted(k)}: {_quoted(x)}" for k, x in value.items()) + "}"
    if isinstance(value, Sequence):
        return "[" + ", ".join(map(_quoted, value)) + "]"
    return repr(value)


def _closing(derivation: Derivation, recipe: Recipe) -> Iterator[dict[str, Any]]:
    """The cells that show what the numbers give, figures, a verdict, and the whole again."""
    words = "the numbers above give" if recipe.function == "solve" else "the instance gives"
    yield _text(
        f"## What {words}\n\nExact and to 4 digits; `rounded(n)` of a "
        f"number gives n proved digits, and `d.results` names all parts."
    )
    for part in ("weights", "output"):
        for name in derivation.results:
            if name == part or name.endswith(f".{part}"):
                yield _code(f'd.results["{name}"]')
    if derivation.pictures():
        yield _text("The figures:")
        yield _code("for figure in d.pictures():\n    display(figure)")
    found = _first_number(derivation.results)
    if found is not None:
        path, result = found
        answer = result.rounded(4).text
        yield _text("An answer under check; try a wrong one, or a fraction:")
        yield _code(f'answer = "{answer}"\n\nsa.verify({path}.text, answer)')
    if recipe.variation:
        n = recipe.variation["given"]["n"]
        target = recipe.arguments["target"]
        yield _text("Every line written out for a number of keys:")
        yield _code(f'n = {n}\n\nsa.derive("{target}", given={{"n": n}})')
    else:
        yield _text("The whole derivation, for the numbers above:")
        yield _code("d")


def _first_number(results: Mapping[str, Any]) -> tuple[str, Result] | None:
    """The first weight that has a decimal, and the way to it."""
    for name, result in results.items():
        if name == "weights" or name.endswith(".weights"):
            path = f'd.results["{name}"]'
            while isinstance(result, list):
                path, result = f"{path}[0]", result[0]
            if not result.is_open:
                return path, result
    return None
