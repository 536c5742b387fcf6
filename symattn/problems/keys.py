"""Keys of a problem file, each read with a message that says what would be right."""

from __future__ import annotations

import difflib
import re
from collections.abc import Collection, Mapping
from typing import Any

from symattn.errors import InputError

__all__ = [
    "check_keys",
    "flag",
    "kinds",
    "number",
    "share",
    "string",
    "strings",
    "tables",
    "words",
]

#: What can stand as a name in a formula and in a picture.
_WORD = re.compile(r"[A-Za-z][A-Za-z0-9]{0,15}")


def check_keys(table: Mapping[str, Any], known: Collection[str], where: str) -> None:
    """Refuse an unknown key, naming the nearest known one."""
    for key in table:
        if key not in known:
            near = difflib.get_close_matches(key, known, 1)
            hint = f"did you mean {near[0]!r}?" if near else f"known are {', '.join(sorted(known))}"
            raise InputError(f"{where}{key}: this key is unknown; {hint}")


def string(table: Mapping[str, Any], key: str, default: str = "", where: str = "") -> str:
    """The text under a key."""
    value = table.get(key, default)
    if not isinstance(value, str):
        raise InputError(f"{where}{key} = {value!r}: text in quotes is needed")
    return value


def strings(table: Mapping[str, Any], key: str, where: str = "") -> list[str]:
    """The list of texts under a key."""
    value = table.get(key, [])
    if not isinstance(value, list | tuple) or any(not isinstance(item, str) for item in value):
        raise InputError(f'{where}{key} = {value!r}: a list of texts is needed, such as ["A", "B"]')
    return list(value)


def kinds(
    table: Mapping[str, Any], key: str, known: Collection[str], where: str
) -> tuple[str, ...] | None:
    """The known words under a key, or None where nothing is said."""
    if key not in table:
        return None
    found = strings(table, key, where)
    for kind in found:
        if kind not in known:
            raise InputError(f"{where}{key}: {kind!r} is unknown; known are {', '.join(known)}")
    return tuple(found)


def words(table: Mapping[str, Any], key: str, where: str) -> tuple[str, ...]:
    """Names of one word each under a key; none where it is missing."""
    found = strings(table, key, where)
    for word in found:
        if not _WORD.fullmatch(word) or found.count(word) > 1:
            raise InputError(
                f"{where}{key}: {word!r}: different names are needed, each a letter and then "
                "at most 15 letters and digits"
            )
    return tuple(found)


def tables(content: Mapping[str, Any], key: str) -> list[tuple[Mapping[str, Any], str]]:
    """The tables under [[key]], each with the words that lead to its keys in a message."""
    found = content.get(key, [])
    if not isinstance(found, list) or any(not isinstance(table, dict) for table in found):
        raise InputError(f"{key}: a list of tables is needed, each under its own [[{key}]]")
    return [(table, f"{key}[{count}].") for count, table in enumerate(found, start=1)]


def share(table: Mapping[str, Any], key: str, where: str) -> float:
    """A share between 0 and 1 under a key, 0 where it is missing."""
    value = number(table, key, where)
    if value is not None and not 0 <= value <= 1:
        raise InputError(f"{where}{key} = {value}: a share between 0 and 1 is needed")
    return value or 0.0


def number(table: Mapping[str, Any], key: str, where: str) -> float | None:
    """A number under a key, or None where it is missing."""
    value = table.get(key)
    try:
        return None if value is None or isinstance(value, bool) else float(value)
    except (TypeError, ValueError):
        raise InputError(f"{where}{key} = {value!r}: a number is needed") from None


def flag(table: Mapping[str, Any], key: str, where: str, default: bool = False) -> bool:
    """True or false under a key."""
    value = table.get(key, default)
    value = value.item() if hasattr(value, "item") else value
    if not isinstance(value, bool):
        raise InputError(f"{where}{key} = {value!r}: true or false is needed")
    return value
