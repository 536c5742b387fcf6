"""Hypothesis strategies for inputs of attention.

Entries are dyadic (quarters between -2 and 2, times a power of two), so that every type holds them
exactly and a failing case shrinks to a few small numbers among zeros. Sizes include one of
everything that implementations treat apart: a single query or key, n ≠ m, d_v ≠ d_k, edges of
blocks.

A case is drawn as two strings of bytes, one for its shape and options and one for its entries, in
which 0 is the simplest choice everywhere: that is many times faster than a draw for each number,
and an entry keeps its byte when the shape shrinks around it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt
from hypothesis import strategies as st

from symattn.suite.cases import LAYOUTS, Array, Case
from symattn.suite.declarations import dtype_named

__all__ = ["BLOCK_EDGES", "Abilities", "Draw", "cases", "masks", "matrices", "permutations"]

#: What a composite strategy draws with.
Draw: TypeAlias = st.DrawFn
T = TypeVar("T")

#: Numbers of keys around the sizes of blocks.
BLOCK_EDGES = (8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129)
#: Exponents of two that make the scores large, and huge, with each type.
_LARGE = (4, 8, 12)
_HUGE = {"float64": 31, "float32": 17, "bfloat16": 17, "float16": 6}
#: Quarters in the order in which they shrink.
_QUARTERS = np.array([0, 4, -4, 2, -2, 8, -8, 1, -1, 6, -6, 3, -3, 5, -5, 7, -7]) / 4
#: What an additive mask adds; the first is the simplest. A quarter of them hide the key.
_BIASES = np.array([0, 1, -1, 0.5, -0.5, 3, -3, -np.inf, 2, -2, -20, *[-np.inf] * 3, 8, -8])
_WIDTHS = (1, 2, 3, 4, 5, 8, 9)


@dataclass(frozen=True, slots=True)
class Abilities:
    """What a function takes, as its probe found it; everything by default."""

    boolean_mask: bool = True
    additive_mask: bool = True
    causal: bool = True
    mask_and_causal: bool = True
    scale: bool = True
    zero_scale: bool = True
    negative_scale: bool = True
    rectangular: bool = True
    value_width: bool = True
    no_keys: bool = True
    layouts: bool = True
    #: Whether it returns (output, log-sum-exp of the scores), and whether it takes heads.
    returns_lse: bool = True
    heads: bool = True
    #: Whether it has a `vjp`, which gives gradients.
    gradient: bool = True
    #: Few different shapes, for functions that compile one program for each.
    few_shapes: bool = False

    def allow(self, case: Case) -> bool:
        """Whether a function with these abilities takes a case."""
        kind = None if case.mask is None else case.mask.dtype == bool
        needed = {
            "boolean_mask": kind is True,
            "additive_mask": kind is False,
            "causal": case.causal,
            "mask_and_causal": kind is not None and case.causal,
            "scale": case.scale is not None,
            "zero_scale": case.scale == 0,
            "negative_scale": (case.scale or 0) < 0,
            "rectangular": case.n != case.m,
            "value_width": case.q.shape[-1] != case.v.shape[-1],
            "no_keys": case.m == 0,
            "layouts": case.layout != "C",
        }
        return all(getattr(self, name) for name, need in needed.items() if need)


def matrices(rows: int, columns: int, dtype: str = "float32") -> st.SearchStrategy[Array]:
    """Matrices of quarters between -2 and 2, shrinking to zeros."""
    size = rows * columns
    return st.binary(min_size=size, max_size=size).map(
        lambda data: _entries(np.frombuffer(data, dtype=np.uint8), dtype).reshape(rows, columns)
    )


def masks(n: int, m: int, kind: str, dtype: str = "float32") -> st.SearchStrategy[Array]:
    """Masks (n, m), kind boolean or additive, shrinking to one that hides nothing."""
    size = n * m
    return st.binary(min_size=size, max_size=size).map(
        lambda data: _mask(np.frombuffer(data, dtype=np.uint8).reshape(n, m), kind, dtype)
    )


def permutations(length: int) -> st.SearchStrategy[list[int]]:
    """Orders of `length` things, shrinking to the identity."""
    return st.permutations(range(length)).map(list)


@st.composite
def cases(
    draw: Draw,
    dtype: str = "float32",
    abilities: Abilities | None = None,
    *,
    mask: str = "any",
    causal: str = "any",
    scale: str = "any",
    magnitude: str = "any",
    dead_rows: bool = True,
    layout: bool = False,
    queries: tuple[int, int] = (1, 4),
    keys: tuple[int, int] = (1, 7),
    edges: bool = True,
) -> Case:
    """Inputs of attention that a function with these abilities takes.

    `mask` is any, none, boolean, additive, some (not none) or flat (no bias); `causal` any, never
    or always; `scale` any or none; `magnitude` any or plain.
    """
    able = abilities or Abilities()
    choice = _Choices(draw(st.binary(min_size=16, max_size=16)))
    n, m, d, d_v = _sizes(choice, able, queries, keys, edges)
    is_causal = causal != "never" and able.causal
    is_causal = is_causal and (causal == "always" or choice.of((False, True)))
    if mask in ("some", "boolean", "additive") and not able.mask_and_causal:
        is_causal = False  # a mask is what the caller is after
    kind = choice.of(_mask_kinds(able, mask, is_causal))
    sigma = choice.of(_scales(able)) if scale == "any" else None
    place = choice.of(LAYOUTS) if layout and able.layouts else "C"

    # Every matrix has rows of a fixed length in the bytes, so that shapes shrink around entries.
    lengths = [n * 9, m * 9, m * 3, n * m if kind != "none" else 0]
    data = np.frombuffer(draw(st.binary(min_size=sum(lengths), max_size=sum(lengths))), np.uint8)
    q_data, k_data, v_data, mask_data = np.split(data, np.cumsum(lengths)[:-1])
    q = _entries(q_data, dtype).reshape(n, 9)[:, :d]
    k = _entries(k_data, dtype).reshape(m, 9)[:, :d]
    v_width = 3 if d_v <= 3 else 9
    v = _entries(np.resize(v_data, m * v_width), dtype).reshape(m, v_width)[:, :d_v]
    if magnitude == "any":
        q, k = _magnified(choice, q, k, dtype)
    chosen = None if kind == "none" else _mask(mask_data.reshape(n, m), kind, dtype)
    q, k, v = (np.ascontiguousarray(x) for x in (q, k, v))
    case = Case(q, k, v, chosen, is_causal, sigma, place)
    return case if dead_rows else _all_see_a_key(case)


class _Choices:
    """Options decoded one byte at a time; byte 0 takes the first."""

    def __init__(self, data: bytes) -> None:
        self._data = iter(data)

    def of(self, options: Sequence[T]) -> T:
        """One of the options."""
        return options[next(self._data) % len(options)]


def _entries(data: npt.NDArray[np.uint8], dtype: str) -> Array:
    entries: Array = _QUARTERS[data % len(_QUARTERS)].astype(dtype_named(dtype))
    return entries


def _mask(data: npt.NDArray[np.uint8], kind: str, dtype: str) -> Array:
    mask: Any = data % 3 != 2
    if kind == "additive":
        mask = _BIASES[data % len(_BIASES)].astype(dtype_named(dtype))
    return np.array(mask)


def _sizes(
    choice: _Choices, able: Abilities, queries: tuple[int, int], keys: tuple[int, int], edges: bool
) -> tuple[int, int, int, int]:
    """n, m, d_k and d_v."""
    n, m = (choice.of(range(low, high + 1)) for low, high in (queries, keys))
    d, d_v = choice.of(_WIDTHS), choice.of((1, 2, 3))
    edge, rare = choice.of(BLOCK_EDGES), choice.of(range(8)) == 7
    if able.few_shapes:
        n = min(max(2, queries[0]), queries[1])
        m, d, d_v = min(3 + 2 * (m % 2), keys[1]), (2, 5)[d % 2], 3
    elif edges and rare and keys[1] > 1:
        m, d = edge, min(d, 3)
    if not able.value_width:
        d_v = d
    return (n, m, d, d_v) if able.rectangular else (m, m, d, d_v)


def _magnified(choice: _Choices, q: Array, k: Array, dtype: str) -> tuple[Array, Array]:
    """Ordinary, large, one-sided or huge scores, by powers of two."""
    regime = choice.of(("plain", "plain", "plain", "plain", "large", "one-sided", "huge"))
    if regime == "plain":
        return q, k
    kind = q.dtype.type
    if regime == "huge":
        factor = kind(2.0 ** _HUGE[dtype])
        return q * factor, k * factor
    factor = kind(2.0 ** choice.of(_LARGE))
    if regime == "one-sided":
        # All scores of a row lie far on one side of 0.
        sign = kind(choice.of((-1, 1)))
        return sign * (np.abs(q) + kind(0.25)) * factor, np.abs(k) + kind(0.25)
    return q * factor, k


def _mask_kinds(able: Abilities, mask: str, is_causal: bool) -> list[str]:
    if is_causal and not able.mask_and_causal:
        return ["none"]
    wanted = {"flat": ("boolean",), "any": ("boolean", "additive"), "some": ("boolean", "additive")}
    has = {"boolean": able.boolean_mask, "additive": able.additive_mask}
    kinds = [name for name in wanted.get(mask, (mask,)) if has.get(name, False)]
    return kinds if kinds and mask not in ("any", "none", "flat") else ["none", *kinds]


def _scales(able: Abilities) -> list[float | None]:
    scales: list[float | None] = [None, None, None]
    if able.scale:
        scales += [1.0, 0.125, 2.0]
        scales += [0.0] if able.zero_scale else []
        scales += [-0.5, -1.0] if able.negative_scale else []
    return scales


def _all_see_a_key(case: Case) -> Case:
    """The case with key 0 unmasked and, where causal, no query before the first key."""
    queries = case.q[: case.m] if case.causal else case.q
    if case.mask is None:
        return case.but(q=queries)
    mask = case.mask[: len(queries)].copy()
    mask[:, 0] = True if mask.dtype == bool else 0.0
    return case.but(q=queries, mask=mask)
