"""Figures that a theorem names, from numbers written as text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from symattn.attention import EXACT, forward
from symattn.derivation.figures import Curve, Plane, Profile, Profiles, Role, Spread, Vector
from symattn.exact.evaluate import evaluate
from symattn.exact.functions import root
from symattn.exact.numbers import Exact, rational
from symattn.exact.parse import parse
from symattn.exact.tree import Symbol

__all__ = ["curve", "hull", "plane", "profiles", "row", "spread", "weights"]


def row(*entries: str) -> tuple[Exact, ...]:
    """Numbers from their texts.

    >>> row("1/2", "sqrt(2)")
    (Exact('1/2'), Exact('sqrt(2)'))
    """
    return tuple(evaluate(parse(entry, symbols=None).tree) for entry in entries)


def weights(*scaled: str) -> tuple[Exact, ...]:
    """The exact weights of scaled scores."""
    return tuple(forward([row(*scaled)], None, EXACT).weights[0])


def profiles(title: str, rows: Mapping[str, Sequence[Exact]]) -> Profiles:
    """Rows of weights side by side, each with its words."""
    found = [
        Profile(words, tuple(Symbol(f"alpha_{j}") for j in range(1, len(entries) + 1)), (*entries,))
        for words, entries in rows.items()
    ]
    return Profiles("profiles", title, tuple(found))


def plane(
    name: str,
    title: str,
    vectors: Mapping[str, Sequence[str]],
    *,
    angles: bool = False,
) -> Plane:
    """Arrows in the plane; a name starts with q, k, v or z, for query, key, value or output."""
    roles: dict[str, Role] = {"q": "query", "k": "key", "v": "value", "z": "output"}
    found = [Vector(Symbol(x), row(*entries), roles[x[0]]) for x, entries in vectors.items()]
    return Plane(name, title, tuple(found), angles)


def hull(title: str, *, values: Sequence[Sequence[str]], scaled: Sequence[Sequence[str]]) -> Plane:
    """Values in the plane, what they span, and the output of each row of scaled scores."""
    V = [row(*entries) for entries in values]
    outputs = forward([row(*entries) for entries in scaled], V, EXACT).output
    found = [Vector(Symbol(f"v_{j}"), tuple(v), "value") for j, v in enumerate(V, start=1)]
    found += [
        Vector(Symbol(f"z_{i}"), tuple(z), "output") for i, z in enumerate(outputs or (), start=1)
    ]
    return Plane("outputs", title, tuple(found), hull=True)


def curve(title: str, symbol: str, functions: Mapping[str, str], levels: Sequence[str]) -> Curve:
    """Functions of one symbol from -8 to 8."""
    pairs = tuple((parse(x, symbols=None).tree, row(text)[0]) for x, text in functions.items())
    low, high = row("-8", "8")
    return Curve("curve", title, symbol, pairs, low, high, (), row(*levels))


def spread(title: str, dimensions: Sequence[int]) -> Spread:
    """The standard deviation of q·k: √d_k raw, 1 after the scaling, 1/√d_k over d_k."""
    raw = tuple(root(rational(d), 2) for d in dimensions)
    pairs = list(zip(dimensions, raw, strict=True))
    scaled = tuple(x / root(rational(d), 2) for d, x in pairs)
    return Spread(
        "spread", title, tuple(dimensions), raw, scaled, tuple(x / rational(d) for d, x in pairs)
    )
