"""The set-ups of a problem file: [given], and [case.NAME] with what differs from it."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from symattn.errors import InputError
from symattn.exact.equality import equal
from symattn.exact.functions import root
from symattn.exact.numbers import Exact, rational
from symattn.exact.tree import Div, Node, Root, Symbol
from symattn.exact.writing import number
from symattn.problems.arrays import as_lists, exact, matrix, read_tree, vector_or_matrix
from symattn.problems.keys import check_keys, flag, kinds, string, words
from symattn.problems.mask import read_mask
from symattn.problems.model import FIGURES, Limit, SetUp

__all__ = ["GIVEN_KEYS", "read_setups"]

GIVEN_KEYS = {
    "title", "remark", "q", "Q", "K", "V", "X", "W_Q", "W_K", "W_V", "scores", "scaled", "scale",
    "d_k", "mask", "causal", "focus", "gradient", "permutation", "positional", "limits", "at",
    "figures", "tokens",
}  # fmt: skip
#: What a case that gives its own scores, queries or tokens does not take over from [given].
_REPLACED = {
    "scaled": {"scores", "q", "Q", "K", "X", "W_Q", "W_K", "W_V", "scale", "d_k"},
    "scores": {"scaled", "q", "Q", "K", "X", "W_Q", "W_K", "W_V"},
    "q": {"Q", "X", "W_Q", "W_K", "W_V", "scores", "scaled"},
    "Q": {"q", "X", "W_Q", "W_K", "W_V", "scores", "scaled"},
    "X": {"q", "Q", "K", "V", "scores", "scaled"},
}
#: More weights than this are refused before any work: 64 x 64 is a book of steps already.
MAX_WEIGHTS = 4096
_LIMIT = re.compile(r"(\s*\w+\s*)(?:->|→)\s*([+−-]?)\s*(?:oo|inf|infinity|∞)\s*")


def read_setups(content: Mapping[str, Any], folder: Path) -> dict[str, SetUp]:
    """The set-ups by name, [given] first under ""; it is left out where it is only common ground.

    Raises: `InputError` naming the key.
    """
    given, cases = content.get("given", {}), content.get("case", {})
    for key, table in (("given", given), ("case", cases)):
        if not isinstance(table, dict):
            raise InputError(f"{key} = {table!r}: a table is needed, under [{key}]")
    check_keys(given, GIVEN_KEYS, "given.")
    setups: dict[str, SetUp] = {}
    if not cases or (flag(content, "solve_given", "", True) and _is_complete(given)):
        setups[""] = read_setup(given, "", "given.", folder)
    for name, table in cases.items():
        where = f"case.{name}."
        if not re.fullmatch(r"[A-Za-z][\w-]*", name) or not isinstance(table, dict):
            raise InputError(f"case.{name}: a table with a plain name is needed, [case.unscaled]")
        if re.fullmatch(r"at|limit\d+", name):
            raise InputError(
                f"case.{name}: `{name}.` leads to the parts of [given] at its values and limits; "
                "give the case another name"
            )
        check_keys(table, GIVEN_KEYS, where)
        dropped = {old for key in table for old in _REPLACED.get(key, ())}
        kept = {
            key: value for key, value in given.items() if key not in dropped | {"title", "remark"}
        }
        setups[name] = read_setup({**kept, **table}, name, where, folder, own=table.keys())
    return setups


def _is_complete(given: Mapping[str, Any]) -> bool:
    return bool({"scaled", "scores", "X"} & set(given)) or (
        "K" in given and bool({"q", "Q"} & set(given))
    )


def read_setup(
    given: Mapping[str, Any],
    name: str,
    where: str,
    folder: Path,
    own: Collection[str] = GIVEN_KEYS,
) -> SetUp:
    """One set-up from the keys of its table; `own` are those that it did not take over.

    Raises: `InputError` naming the key.
    """
    if not _is_complete(given):
        raise InputError(
            f"{where[:-1]}: one of `q` or `Q` with `K`, `X`, `scores` and `scaled` is needed"
        )
    sources = [key for key in ("q", "Q", "X", "scores", "scaled") if key in given]
    if len(sources) > 1:
        raise InputError(
            f"{where}{sources[0]}, {where}{sources[1]}: only one source of scores can be given"
        )
    arrays, notes, single = _read_arrays(given, where, folder)
    setup = SetUp(
        name=name,
        title=string(given, "title", "", where),
        remark=string(given, "remark", "", where),
        single=single,
        causal=flag(given, "causal", where),
        gradient=flag(given, "gradient", where),
        figures=kinds(given, "figures", FIGURES, where),
        tokens=words(given, "tokens", where),
        limits=_limits(given.get("limits", []), f"{where}limits"),
        notes=tuple(notes),
        **arrays,
        **_substitutions(given.get("at", {}), f"{where}at"),
    )
    n, m = _shape(setup)
    if n * m > MAX_WEIGHTS:
        raise InputError(
            f"{where[:-1]}: {n} queries and {m} keys make {n * m} weights; "
            f"at most {MAX_WEIGHTS} are worked out"
        )
    return _opened(_finished(setup, given, where, n, m, folder), where, own)


def _opened(setup: SetUp, where: str, own: Collection[str]) -> SetUp:
    """The set-up with limits and values of its own symbols only.

    Raises: `InputError` where its own table names a symbol that no entry holds.
    """
    named = {"limits": [goal.symbol for goal in setup.limits], "at": [*setup.at]}
    for key, names in named.items():
        for name in names:
            if key in own and name not in setup.symbols:
                here = ", ".join(sorted(setup.symbols)) or "none"
                raise InputError(
                    f"{where}{key}: no entry holds the open symbol {name}; open here: {here}"
                )
    return replace(
        setup,
        limits=tuple(goal for goal in setup.limits if goal.symbol in setup.symbols),
        at={name: x for name, x in setup.at.items() if name in setup.symbols},
        at_shown={name: x for name, x in setup.at_shown.items() if name in setup.symbols},
    )


def _read_arrays(
    given: Mapping[str, Any], where: str, folder: Path
) -> tuple[dict[str, Any], list[str], bool]:
    arrays: dict[str, Any] = {}
    notes: list[str] = []
    single = False
    for key in ("q", "Q", "scores", "scaled"):
        if key in given:
            rows, single, new = vector_or_matrix(given[key], where + key, folder)
            arrays["Q" if key == "q" else key] = rows
            notes += new
            if key == "q" and not single:
                raise InputError(f"{where}q holds several rows: call it Q, or give one vector")
    for key in ("X", "K", "V", "W_Q", "W_K", "W_V", "positional"):
        if key in given:
            arrays[key], new = matrix(given[key], where + key, folder)
            notes += new
    return arrays, notes, single


def _shape(setup: SetUp) -> tuple[int, int]:
    """How many queries and keys there are."""
    rows = setup.scaled or setup.scores
    if rows is not None:
        return len(rows), len(rows[0])
    if setup.X is not None:
        return len(setup.X), len(setup.X)
    assert setup.Q is not None
    assert setup.K is not None
    return len(setup.Q), len(setup.K)


def _finished(
    setup: SetUp, given: Mapping[str, Any], where: str, n: int, m: int, folder: Path
) -> SetUp:
    """The set-up with its scale, masks and orders, which need its shape."""
    changes: dict[str, Any] = {}
    if setup.scaled is None:
        changes |= _scale(setup, given, where)
    elif {"scale", "d_k"} & set(given):
        raise InputError(f"{where}scale: scores that are scaled already take no scale")
    if setup.tokens and len(setup.tokens) != n:
        raise InputError(
            f"{where}tokens has {len(setup.tokens)} names, but the number of tokens is {n}"
        )
    if "mask" in given:
        changes |= read_mask(given["mask"], f"{where}mask", n, m, folder)
    if setup.gradient and n > 1:
        raise InputError(f"{where}gradient is worked out for one query, but there are {n}")
    if "focus" in given:
        changes["focus"] = _index(given["focus"], f"{where}focus", n)
    if "permutation" in given:
        changes["permutation"] = _permutation(given["permutation"], f"{where}permutation", n)
        if setup.X is None and (setup.Q is None or n != m):
            raise InputError(f"{where}permutation reorders tokens: X, or Q, K and V, are needed")
    if setup.positional is not None:
        if setup.X is None:
            raise InputError(f"{where}positional is added to tokens: X is needed")
        if [len(row) for row in setup.positional] != [len(row) for row in setup.X]:
            raise InputError(
                f"{where}positional has {len(setup.positional)} rows of "
                f"{len(setup.positional[0])}, but X has {n} rows of {len(setup.X[0])}"
            )
    return replace(setup, **changes)


def _scale(setup: SetUp, given: Mapping[str, Any], where: str) -> dict[str, Any]:
    width = setup.K or setup.W_K or setup.X
    d_k = len(width[0]) if width is not None else None
    if "d_k" in given:
        named = _index(given["d_k"], f"{where}d_k", 10**9)
        if d_k is not None and named != d_k:
            raise InputError(f"{where}d_k = {named}, but the keys have {d_k} entries")
        d_k = named
    if "scale" in given:
        shown: Node = read_tree(given["scale"], f"{where}scale")
        return {"scale": exact(given["scale"], f"{where}scale"), "scale_shown": shown, "d_k": d_k}
    if d_k is None:
        raise InputError(
            f"{where}scores need `d_k` (a whole number) or `scale` (a number) beside them"
        )
    value: Exact = 1 / root(rational(d_k), 2)
    return {"scale": value, "scale_shown": Div(number(1), Root(number(d_k), 2)), "d_k": d_k}


def _index(value: Any, key: str, most: int) -> int:
    value = as_lists(value)
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= most:
        raise InputError(f"{key} = {value!r}: a whole number from 1 to {most} is needed")
    return value


def _permutation(value: Any, key: str, n: int) -> tuple[int, ...]:
    order = as_lists(value)
    whole = isinstance(order, list) and all(type(k) is int for k in order)
    if not whole or sorted(order) != [*range(1, n + 1)]:
        raise InputError(
            f"{key} = {value!r}: each of the tokens 1 to {n} is needed once, as whole numbers"
        )
    return tuple(order)


def _limits(value: Any, key: str) -> tuple[Limit, ...]:
    found = []
    for text in value if isinstance(value, list) else [value]:
        match = _LIMIT.fullmatch(str(text))
        name = read_tree(match[1], key) if match is not None else None
        if match is None or not isinstance(name, Symbol):
            raise InputError(f'{key} = {text!r}: a limit such as "M -> oo" or "M -> -oo" is needed')
        found.append(Limit(name.name, -1 if match[2] in ("-", "−") else 1))
    return tuple(found)


def _substitutions(value: Any, key: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise InputError(f'{key} = {value!r}: a table such as {{ M = "20" }} is needed')
    numbers = {name: exact(text, f"{key}.{name}") for name, text in value.items()}
    for name, x in numbers.items():
        if x.symbols():
            raise InputError(f"{key}.{name} = {value[name]!r}: a number without symbols is needed")
    return {"at": numbers, "at_shown": {n: read_tree(t, f"{key}.{n}") for n, t in value.items()}}


def same_scale(setup: SetUp) -> bool:
    """Whether the scale is the default 1/√d_k."""
    if setup.scale is None or setup.d_k is None:
        return False
    return equal(setup.scale * setup.scale * setup.d_k, rational(1))
