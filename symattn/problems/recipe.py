"""The call `sa.solve(...)` that works a problem's set-ups out again, its arguments as literals.

Arrays from files are written out, so that the call stands on its own; an author's texts, steps and
claims are left out, as they speak of these very numbers and a reader is to change them.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import isfinite
from pathlib import Path
from typing import Any

from symattn.derivation import Recipe
from symattn.exact.plain import to_text
from symattn.problems.arrays import as_lists, is_array_file, load_array, read_tree

__all__ = ["recipe"]


def recipe(content: Mapping[str, Any], folder: Path) -> Recipe:
    """The call for the set-ups of a problem file.

    >>> recipe({"title": "Two", "given": {"scaled": ["1/2", 0]}}, Path()).arguments
    {'title': 'Two', 'scaled': ['1/2', 0]}
    """
    arguments: dict[str, Any] = {"title": content["title"]} if content.get("title") else {}
    arguments |= _table(content.get("given", {}), folder)
    if cases := content.get("case", {}):
        arguments["cases"] = {name: _table(table, folder) for name, table in cases.items()}
        if content.get("solve_given", True) is False:
            arguments["solve_given"] = False
    return Recipe("solve", arguments)


def _table(table: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    return {key: _literal(value, key, folder) for key, value in table.items()}


def _literal(value: Any, key: str, folder: Path) -> Any:
    if is_array_file(value):
        value, _ = load_array(value, key, folder, mask=key == "mask")
    value = as_lists(value)
    if isinstance(value, list):
        return [_literal(entry, key, folder) for entry in value]
    if isinstance(value, Mapping):
        return _table(value, folder)
    if isinstance(value, str | int) or (isinstance(value, float) and isfinite(value)):
        return value
    if isinstance(value, float):
        return "-oo"  # a mask alone may hold an infinity
    return to_text(read_tree(value, key))
