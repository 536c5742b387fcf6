"""Make a failing case small: fewer tokens, fewer options, zeros, ones.

Every step keeps the failure. A smaller case counts only where a correct implementation passes the
property, since some properties hold for cases of a certain form only. Steps are counted, not timed,
so that a witness is the same on every machine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from symattn.suite.cases import Case
from symattn.suite.properties.base import Violation
from symattn.suite.strategies import Abilities

__all__ = ["reduce"]

#: What a property adds to a case that speaks of rows or keys by their numbers.
_INDICES = frozenset({"order", "row", "keep", "winner", "heads"})
_PLAIN: dict[str, Any] = {"mask": None, "causal": False, "scale": None, "layout": "C"}


def reduce(
    found: Violation,
    fails: Callable[[Case], Violation | None],
    abilities: Abilities,
    calls: int,
) -> tuple[Violation, int]:
    """(A violation on a smaller case, the calls of `fails` it took)."""
    smallest, left = found, calls
    shapes = not abilities.few_shapes and not (_INDICES & set(found.case.extra))
    improved = True
    while improved and left > 0:
        improved = False
        for step in (_options, _deletions, _zeros, _unmasked, _simpler_numbers):
            if step is _deletions and not shapes:
                continue
            position = 0
            while left > 0:
                # Candidates are made anew from each smaller case, from where the last one was.
                candidates = step(smallest.case, abilities)
                candidate = next(_skip(candidates, position), None)
                if candidate is None:
                    break
                left -= 1
                violation = fails(candidate)
                if violation is None:
                    position += 1
                else:
                    smallest, improved = violation, True
    return smallest, calls - left


def _skip(candidates: Iterator[Case], count: int) -> Iterator[Case]:
    for _ in range(count):
        next(candidates, None)
    return candidates


def _options(case: Case, abilities: Abilities) -> Iterator[Case]:
    used = {
        "mask": case.mask is not None,
        "causal": case.causal,
        "scale": case.scale is not None,
        "layout": case.layout != "C",
    }
    for name, plain in _PLAIN.items():
        if used[name]:
            yield case.but(**{name: plain})


def _deletions(case: Case, abilities: Abilities) -> Iterator[Case]:
    """Cases without some queries, keys or columns: large pieces first."""
    if abilities.rectangular:
        for kept in _kept(case.n):
            mask = None if case.mask is None else case.mask[kept]
            yield case.but(q=case.q[kept], mask=mask)
        for kept in _kept(case.m):
            mask = None if case.mask is None else case.mask[:, kept]
            yield case.but(k=case.k[kept], v=case.v[kept], mask=mask)
    else:
        for kept in _kept(case.n):
            mask = None if case.mask is None else case.mask[kept][:, kept]
            yield case.but(q=case.q[kept], k=case.k[kept], v=case.v[kept], mask=mask)
    if abilities.value_width:
        for kept in _kept(case.q.shape[1]):
            yield case.but(q=case.q[:, kept], k=case.k[:, kept])
        for kept in _kept(case.v.shape[1]):
            yield case.but(v=case.v[:, kept])
    else:
        for kept in _kept(case.q.shape[1]):
            yield case.but(q=case.q[:, kept], k=case.k[:, kept], v=case.v[:, kept])


def _kept(length: int) -> Iterator[list[int]]:
    """Index lists with one run left out, never empty: halves, quarters, ..., single places."""
    run = length // 2
    while run >= 1:
        for start in reversed(range(0, length, run)):
            kept = [i for i in range(length) if not start <= i < start + run]
            if kept:
                yield kept
        run //= 2


def _zeros(case: Case, abilities: Abilities) -> Iterator[Case]:
    """Cases with an array, a row or an entry set to zero."""
    for name in ("v", "k", "q"):
        array = getattr(case, name)
        if array.astype(bool).any():
            yield case.but(**{name: np.zeros_like(array)})
        rows = np.flatnonzero(array.astype(bool).any(axis=1)).tolist()
        for where in [*rows, *map(tuple, np.argwhere(array.astype(bool)).tolist())]:
            smaller = array.copy()
            smaller[where] = 0
            yield case.but(**{name: smaller})


def _unmasked(case: Case, abilities: Abilities) -> Iterator[Case]:
    if case.mask is None:
        return
    neutral = True if case.mask.dtype == bool else 0
    for i, j in np.argwhere(case.mask != neutral).tolist():
        mask = case.mask.copy()
        mask[i, j] = neutral
        yield case.but(mask=mask)


def _simpler_numbers(case: Case, abilities: Abilities) -> Iterator[Case]:
    """Cases with an entry replaced by 1 or -1, or moved towards them by powers of two."""
    for name in ("v", "k", "q"):
        array = getattr(case, name)
        for where in map(tuple, np.argwhere(array.astype(bool)).tolist()):
            value = float(array[where])
            if value == 1 or not np.isfinite(value):
                continue
            sign = 1.0 if value > 0 else -1.0
            smaller = [1.0, -1.0] if abs(value) != 1 else [1.0]
            if abs(value) > 2:
                smaller += [sign * abs(value) ** 0.5 // 1, value / 2]
            for number in smaller:
                changed = array.copy()
                changed[where] = number
                yield case.but(**{name: changed})
