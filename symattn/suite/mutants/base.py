"""A small attention with a seam for each thing that can go wrong, and a registry of wrong ones.

`Parts` holds the pieces of a correct implementation; a mutant replaces one of them, or wraps the
whole function. All take NumPy arrays as attention(q, k, v, *, mask, causal, scale), causal to the
lower right, with zeros for rows without a key.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import numpy as np

from symattn.suite.cases import Array

__all__ = ["MUTANTS", "Attention", "Mutant", "Parts", "build", "correct", "mutant"]

Attention: TypeAlias = Callable[..., Array]


@dataclass(frozen=True)
class Mutant:
    """A wrong attention: what kind of fault it has."""

    name: str
    group: str
    fault: str
    function: Attention


MUTANTS: dict[str, Mutant] = {}


def mutant(group: str) -> Callable[[Attention], Attention]:
    """Register a wrong function; its docstring says what is wrong."""

    def register(function: Attention) -> Attention:
        name = getattr(function, "__name__", "")
        fault = " ".join((function.__doc__ or "").split())
        MUTANTS[name] = Mutant(name, group, fault, function)
        return function

    return register


def scale_of(q: Array, scale: float | None) -> float:
    """The scale given, or 1/√d_k."""
    return 1 / math.sqrt(q.shape[1]) if scale is None else scale


def dot(q: Array, k: Array) -> Array:
    """Q Kᵀ."""
    product: Array = q @ k.T
    return product


def triangle(n: int, m: int) -> Array:
    """Where query i sees key j: j ≤ i + m − n."""
    return np.tri(n, m, m - n, dtype=bool)


def hidden(scores: Array, mask: Array | None, causal: bool, sees: Attention) -> Array:
    """Where a key is not seen."""
    gone = np.zeros(scores.shape, dtype=bool)
    if mask is not None:
        gone |= ~mask if mask.dtype == bool else mask == -np.inf
    if causal:
        gone |= ~sees(*scores.shape)
    return gone


def biased(scores: Array, mask: Array | None) -> Array:
    """Scores plus an additive mask."""
    if mask is None or mask.dtype == bool:
        return scores
    added: Array = scores + np.where(mask == -np.inf, 0, mask).astype(scores.dtype)
    return added


def fill(scores: Array, gone: Array) -> Array:
    """-inf where a key is not seen."""
    return np.where(gone, scores.dtype.type(-np.inf), scores)


def normalise(scores: Array) -> Array:
    """Row softmax; rows of nothing but -inf give zeros."""
    top = scores.max(axis=1, keepdims=True, initial=-np.inf)
    weights = np.exp(scores - np.where(top == -np.inf, 0, top))
    total = weights.sum(axis=1, keepdims=True)
    result: Array = weights / np.where(total == 0, 1, total)
    return result


def blend(weights: Array, v: Array, gone: Array) -> Array:
    """Weights times values, without touching what is not seen."""
    output = np.zeros((weights.shape[0], v.shape[1]), dtype=weights.dtype)
    for i, row in enumerate(weights):
        output[i] = row[~gone[i]] @ v[~gone[i]]
    return output


@dataclass(frozen=True)
class Parts:
    """The pieces of an attention; replace one and it is wrong."""

    scale: Callable[[Array, float | None], Any] = scale_of
    dot: Callable[[Array, Array], Array] = dot
    apply_scale: Callable[[Array, Any], Array] = lambda scores, scale: scores * scale
    sees: Callable[[int, int], Array] = triangle
    hidden: Callable[..., Array] = hidden
    biased: Callable[[Array, Array | None], Array] = biased
    fill: Callable[[Array, Array], Array] = fill
    normalise: Callable[[Array], Array] = normalise
    blend: Callable[[Array, Array, Array], Array] = blend

    def __call__(
        self,
        q: Array,
        k: Array,
        v: Array,
        *,
        mask: Array | None = None,
        causal: bool = False,
        scale: float | None = None,
    ) -> Array:
        """Attention made of these pieces."""
        with np.errstate(all="ignore"):
            dtype = np.result_type(q, v)
            wide = np.float64 if dtype == np.float64 else np.float32
            q, k, v = (x.astype(wide) for x in (q, k, v))
            scores = self.apply_scale(self.dot(q, k), wide(self.scale(q, scale)))
            gone = self.hidden(scores, mask, causal, self.sees)
            scores = self.fill(self.biased(scores, mask), gone)
            return self.blend(self.normalise(scores), v, gone).astype(dtype)


#: The correct implementation that all mutants depart from.
correct: Attention = Parts()


def build(**pieces: Any) -> Attention:
    """The correct attention with some pieces replaced."""
    return replace(Parts(), **pieces)
