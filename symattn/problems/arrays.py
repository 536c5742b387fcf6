"""Exact arrays from what a problem file gives: text, nested lists, or a file beside it.

A decimal is the rational that it spells. Floats of a binary file are taken at their exact value, so
0.1 in a `.npy` file is 3602879701896397/36028797018963968; a note says so.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

from symattn.errors import InputError, SymattnError
from symattn.exact.evaluate import evaluate
from symattn.exact.numbers import Exact
from symattn.exact.parse import parse
from symattn.exact.tree import Node
from symattn.exact.writing import number as number_tree
from symattn.problems.model import Matrix

__all__ = ["MAX_ENTRIES", "as_lists", "exact", "matrix", "read_tree", "vector_or_matrix"]

#: More entries than this in one array are refused: a page of steps would be unreadable long before.
MAX_ENTRIES = 16_384
_SUFFIXES = (".npy", ".npz", ".csv", ".json")


def exact(value: Any, key: str) -> Exact:
    """One exact number from text, a whole number, a fraction, or a float at its binary value.

    >>> exact("1/3", "scale").as_rational()
    1/3

    Raises: `InputError` naming the key, the text and what would be right.
    """
    if isinstance(value, Exact):
        return value
    tree = read_tree(value, key)
    try:
        return evaluate(tree)
    except SymattnError as error:
        raise InputError(f"{key} = {_shown(value)}: {error}") from None


def read_tree(value: Any, key: str) -> Node:
    """The tree of one exact number, as it was written.

    Raises: as `exact`.
    """
    if isinstance(value, bool) or not isinstance(value, str | int | float | Fraction):
        value = _from_python(value, key)
    if isinstance(value, Node):
        return value
    if isinstance(value, float):
        try:
            return number_tree(Fraction(value))
        except (OverflowError, ValueError):
            raise InputError(f"{key} = {value}: a finite number is needed") from None
    if isinstance(value, int | Fraction):
        return number_tree(value)
    try:
        return parse(value, symbols=None).tree
    except SymattnError as error:
        raise InputError(
            f'{key} = {_shown(value)}: {error}; an exact number such as "1/3", "sqrt(2)" or '
            '"-0.5" is needed'
        ) from None


def _from_python(value: Any, key: str) -> Any:
    """NumPy scalars and SymPy expressions in the types that are read."""
    module = type(value).__module__.partition(".")[0]
    if module == "numpy" and getattr(value, "ndim", 1) == 0 and value.dtype.kind in "fiu":
        return value.item() if value.dtype.kind != "f" else float(value)
    if module == "sympy":
        from symattn.exact.bridge import sympy_to_tree

        return sympy_to_tree(value)
    raise InputError(
        f'{key} = {_shown(value)}: a number is needed, as text such as "1/3" or "sqrt(2)"'
    )


def vector_or_matrix(value: Any, key: str, folder: Path) -> tuple[Matrix, bool, list[str]]:
    """A matrix of exact numbers, whether it was one vector, and notes on where it came from."""
    notes: list[str] = []
    if isinstance(value, str) and Path(value.partition("#")[0]).suffix.lower() in _SUFFIXES:
        value, note = _load(folder / value.partition("#")[0], value.partition("#")[2], key)
        notes.append(note)
    value = value.tolist() if hasattr(value, "tolist") else value
    if not isinstance(value, Sequence) or isinstance(value, str) or not value:
        raise InputError(
            f"{key} = {_shown(value)}: a list of numbers is needed, such as "
            '["1", "0"] or [["1", "0"], ["0", "1"]]'
        )
    single = not any(_is_row(row) for row in value)
    rows = [value] if single else value
    return _exact_rows(rows, key, single), single, notes


def _exact_rows(rows: Sequence[Any], key: str, single: bool) -> Matrix:
    found = []
    for i, row in enumerate(rows, start=1):
        if not _is_row(row) or not row:
            raise InputError(f"{key}[{i}] = {_shown(row)}: a row of numbers is needed, as in row 1")
        if len(row) != len(rows[0]):
            raise InputError(
                f"{key}[{i}] has {len(row)} entries, but {key}[1] has {len(rows[0])}: "
                "all rows must be equally long"
            )
        if len(rows) * len(row) > MAX_ENTRIES:
            raise InputError(
                f"{key} has {len(rows)} x {len(row)} entries; at most {MAX_ENTRIES} are read"
            )
        place = key if single else f"{key}[{i}]"
        found.append(tuple(exact(x, f"{place}[{j}]") for j, x in enumerate(row, start=1)))
    return tuple(found)


def matrix(value: Any, key: str, folder: Path) -> tuple[Matrix, list[str]]:
    """A matrix; one vector is read as its column where values are due, `v = ["1", "2"]`."""
    rows, single, notes = vector_or_matrix(value, key, folder)
    return (tuple((x,) for x in rows[0]) if single else rows), notes


def as_lists(value: Any) -> Any:
    """NumPy arrays and scalars, and tuples, in the types that TOML has; others as they are."""
    if hasattr(value, "tolist"):
        return value.tolist()
    return [as_lists(x) for x in value] if isinstance(value, list | tuple) else value


def _is_row(row: Any) -> bool:
    return (isinstance(row, Sequence) and not isinstance(row, str)) or getattr(row, "ndim", 0) > 0


def _load(path: Path, member: str, key: str) -> tuple[Any, str]:
    """The content of an array file, and the note that says how its numbers were taken."""
    if not path.is_file():
        raise InputError(f"{key} = {path.name!r}: there is no such file beside the problem file")
    try:
        if path.suffix.lower() == ".csv":
            with path.open(newline="", encoding="utf-8-sig") as lines:
                rows = [row for row in csv.reader(lines) if row]
            return rows, f"{key} was read from {path.name}; each number is what its text spells."
        if path.suffix.lower() == ".json":
            content = json.loads(path.read_text(encoding="utf-8"), parse_float=str)
            content = (
                content[member or key.rpartition(".")[2]] if isinstance(content, dict) else content
            )
            return content, f"{key} was read from {path.name}; each number is what its text spells."
        return _load_binary(path, member, key)
    except (KeyError, ValueError, OSError, EOFError) as error:
        reason = f"no array called {error}" if isinstance(error, KeyError) else str(error)
        raise InputError(f"{key}: {path.name} cannot be read: {' '.join(reason.split())}") from None


def _load_binary(path: Path, member: str, key: str) -> tuple[Any, str]:
    import numpy as np

    loaded = np.load(path, allow_pickle=False)
    if path.suffix.lower() == ".npz":
        with loaded:
            loaded = loaded[member or key.rpartition(".")[2]]
    if loaded.dtype.kind not in "fiu" or not 1 <= loaded.ndim <= 2 or not np.isfinite(loaded).all():
        raise InputError(
            f"{key}: {path.name} holds {loaded.dtype} of shape {loaded.shape}; "
            "one or two dimensions of finite real numbers are needed"
        )
    exactly = " at its exact binary value" if loaded.dtype.kind == "f" else ""
    return loaded.tolist(), (
        f"{key} was read from {path.name} ({loaded.dtype}), each number{exactly}."
    )


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
