"""Problem files: TOML (or JSON of the same shape) read into a `Problem`, every key checked.

A message names the file, the key, what is wrong and what would be right.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from symattn.errors import InputError
from symattn.problems.keys import check_keys, flag, number, share, string, strings, tables
from symattn.problems.model import Also, Ask, Claim, Problem
from symattn.problems.recipe import recipe
from symattn.problems.setups import read_setups

__all__ = ["from_mapping", "read_problem"]

_TOP = {
    "title", "statement", "forecast", "conclusion", "cells", "given", "case", "ask", "claim",
    "also",
    "verify", "follow_through", "solve_given", "case_title",
}  # fmt: skip
_ASK = {"part", "digits", "exact", "points", "partial", "follow_through"}
_CLAIM = {"part", "expression", "printed", "relation", "where", "names"}
_ALSO = {"title", "what", "why", "lines", "check", "claim", "method"}

#: More than this is refused before it is read.
MAX_BYTES = 8 << 20


def read_problem(path: Path) -> Problem:
    """The problem in a file.

    Raises: `InputError` with one line: file, key, what is wrong, what would be right.
    """
    try:
        if path.is_file() and path.stat().st_size > MAX_BYTES:
            raise InputError(f"{path}: the file is larger than {MAX_BYTES >> 20} MB; no problem is")
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise InputError(f"{path}: the file cannot be read: {reason}") from None
    try:
        if path.suffix.lower() == ".json":
            content = json.loads(text, parse_float=str)
        else:
            content = tomllib.loads(text, parse_float=str)
    except RecursionError:
        raise InputError(f"{path}: it is nested too deeply to be a problem") from None
    except ValueError as error:
        reason = str(error)
        if "set_int_max_str_digits" in reason:
            reason = "a whole number of more than 4300 digits; at most 4000 are read"
        raise InputError(f"{path}: {reason}") from None
    if not isinstance(content, dict):
        raise InputError(f"{path}: a table with a key `given` is needed")
    try:
        return from_mapping(content, name=path.stem, folder=path.parent)
    except InputError as error:
        raise InputError(f"{path}: {error}") from None


def from_mapping(content: Mapping[str, Any], *, name: str, folder: Path) -> Problem:
    """The problem of a mapping in the shape of a problem file; array files lie in `folder`.

    Raises: `InputError` naming the key.
    """
    check_keys(content, _TOP, "")
    setups = read_setups(content, folder)
    problem = Problem(
        name=name,
        title=_title(content) or name,
        setups=setups,
        statement=string(content, "statement"),
        forecast=string(content, "forecast"),
        conclusion=string(content, "conclusion"),
        cells=tuple(strings(content, "cells")),
        asks=tuple(_ask(table, where) for table, where in tables(content, "ask")),
        claims=tuple(_claim(table, where) for table, where in tables(content, "claim")),
        also=tuple(_also(table, where) for table, where in tables(content, "also")),
        verify=tuple(_also(table, where) for table, where in tables(content, "verify")),
        follow_through=share(content, "follow_through", ""),
        case_title=string(content, "case_title"),
        recipe=recipe(content, folder),
    )
    assert problem.parts  # solved here, so that a set-up at fault is told with its file
    for count, ask in enumerate(problem.asks, start=1):
        _within(f"ask[{count}].part", lambda part=ask.part: problem.value(part))
    return problem


def _title(content: Mapping[str, Any]) -> str:
    """The title, if it has a character that can be seen."""
    title = string(content, "title").strip()
    return title if any(char.isprintable() and char != " " for char in title) else ""


def _within(key: str, look: Any) -> None:
    try:
        look()
    except InputError as error:
        raise InputError(f"{key}: {error}") from None


def _ask(table: Mapping[str, Any], where: str) -> Ask:
    check_keys(table, _ASK, where)
    digits = table.get("digits")
    if digits is not None and (
        isinstance(digits, bool) or not isinstance(digits, int) or digits < 1
    ):
        raise InputError(f"{where}digits = {digits!r}: a whole number of at least 1 is needed")
    part = string(table, "part", where=where)
    if not part:
        raise InputError(f'{where}part is missing; it names what is asked, such as "weights[1]"')
    return Ask(
        part=part,
        digits=digits,
        exact=flag(table, "exact", where),
        points=number(table, "points", where),
        partial=flag(table, "partial", where),
        follow_through=share(table, "follow_through", where),
    )


def _claim(table: Mapping[str, Any], where: str) -> Claim:
    check_keys(table, _CLAIM, where)
    part, expression = string(table, "part", where=where), string(table, "expression", where=where)
    if bool(part) == bool(expression):
        raise InputError(f"{where}part, {where}expression: exactly one of the two is needed")
    printed = table.get("printed")
    if not isinstance(printed, str):
        raise InputError(f"{where}printed = {printed!r}: the text as printed is needed, in quotes")
    relation = string(table, "relation", "=", where)
    if relation not in ("=", "about"):
        raise InputError(f'{where}relation = {relation!r}: "=" or "about" is needed')
    return Claim(
        printed=printed,
        part=part,
        expression=expression,
        relation="=" if relation == "=" else "about",
        where=string(table, "where", where=where),
        names=_names(table, where),
    )


def _names(table: Mapping[str, Any], where: str) -> Mapping[str, str]:
    names = table.get("names", {})
    if not isinstance(names, dict) or any(not isinstance(part, str) for part in names.values()):
        raise InputError(
            f'{where}names = {names!r}: a table such as {{ z_A = "output[1]" }} is needed'
        )
    return names


def _also(table: Mapping[str, Any], where: str) -> Also:
    check_keys(table, _ALSO, where)
    check = tuple(strings(table, "check", where))
    if not check:
        raise InputError(
            f'{where}check is missing: a step needs a relation to prove, such as ["weights[1] < 1"]'
        )
    return Also(
        title=string(table, "title", "A closer look", where),
        what=string(table, "what", where=where),
        why=string(table, "why", where=where),
        lines=tuple(strings(table, "lines", where)),
        check=check,
        claim=string(table, "claim", "the relation holds", where),
        method=string(table, "method", "decided exactly", where),
    )
