"""One input of attention, as the suite generates, shrinks, shows, saves and replays it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from symattn.suite.declarations import Declarations, dtype_named

__all__ = ["LAYOUTS", "Array", "Case", "visible"]

Array: TypeAlias = npt.NDArray[Any]

#: How arrays lie in memory when the function gets them.
LAYOUTS = ("C", "fortran", "strided", "reversed")


@dataclass(frozen=True, eq=False)
class Case:
    """q (n, d_k), k (m, d_k), v (m, d_v), the options, and what a property adds (`extra`)."""

    q: Array
    k: Array
    v: Array
    mask: Array | None = None
    causal: bool = False
    scale: float | None = None
    layout: str = "C"
    extra: Mapping[str, Any] = field(default_factory=dict)

    @property
    def n(self) -> int:
        """The number of queries."""
        return int(self.q.shape[-2])

    @property
    def m(self) -> int:
        """The number of keys."""
        return int(self.k.shape[-2])

    @property
    def dtype(self) -> str:
        """The type of q, k and v by name."""
        return str(self.q.dtype.name)

    @property
    def non_zeros(self) -> int:
        """How many numbers of q, k, v and a cotangent are not zero: what a reader looks at."""
        arrays = (self.q, self.k, self.v, self.extra.get("cotangent", ()))
        return sum(int(np.count_nonzero(x)) for x in arrays)

    @property
    def size(self) -> tuple[int, int, int]:
        """What makes one witness smaller than another."""
        options = (self.mask is not None) + self.causal + (self.scale is not None)
        cells = self.q.size + self.k.size + self.v.size
        return self.non_zeros, options + (self.layout != "C"), int(cells)

    def arrays(self) -> tuple[Array, Array, Array]:
        """Fresh copies of q, k and v in the case's layout."""
        q, k, v = (laid_out(x, self.layout) for x in (self.q, self.k, self.v))
        return q, k, v

    def keywords(self) -> dict[str, Any]:
        """The options that differ from their defaults, with a fresh copy of the mask."""
        given: dict[str, Any] = {}
        if self.mask is not None:
            given["mask"] = self.mask.copy()
        if self.causal:
            given["causal"] = True
        if self.scale is not None:
            given["scale"] = self.scale
        return given

    def but(self, **changes: Any) -> Case:
        """The same case with some fields changed."""
        return replace(self, **changes)

    def typed(self, dtype: str) -> Case:
        """The case with its numbers in another type."""
        kind = dtype_named(dtype)
        with np.errstate(all="ignore"):
            q, k, v = (x.astype(kind) for x in (self.q, self.k, self.v))
            biased = self.mask is not None and self.mask.dtype != bool
            mask = self.mask.astype(kind) if self.mask is not None and biased else self.mask
        return self.but(q=q, k=k, v=v, mask=mask)

    def features(self) -> frozenset[str]:
        """What the case uses beyond three plain arrays."""
        found = set()
        if self.mask is not None:
            found.add("mask")
        if self.causal:
            found.add("causal")
        if self.scale is not None:
            found.add("scale")
        if self.layout != "C":
            found.add("layout")
        if self.m == 0:
            found.add("no keys")
        if any(np.isnan(np.asarray(x, dtype=np.float64)).any() for x in (self.q, self.k, self.v)):
            found.add("NaN")
        return frozenset(found)

    def to_json(self) -> dict[str, Any]:
        """The case as JSON values; numbers in hexadecimal where decimals would be long."""
        return {
            "dtype": self.dtype,
            **{name: _numbers(getattr(self, name)) for name in ("q", "k", "v")},
            "shapes": {name: list(getattr(self, name).shape) for name in ("q", "k", "v")},
            "mask": None if self.mask is None else _numbers(self.mask),
            "causal": self.causal,
            "scale": self.scale,
            "layout": self.layout,
            "extra": dict(self.extra),
        }

    @classmethod
    def from_json(cls, saved: Mapping[str, Any]) -> Case:
        """The case that `to_json` wrote."""
        dtype = dtype_named(saved["dtype"])
        arrays = {}
        for name in ("q", "k", "v"):
            numbers = np.array(_floats(saved[name]), dtype=np.float64)
            arrays[name] = numbers.reshape(saved["shapes"][name]).astype(dtype)
        mask = saved["mask"]
        if mask is not None:
            flat = np.array(_floats(mask) if not _is_boolean(mask) else mask)
            mask = flat if flat.dtype == bool else flat.astype(dtype)
            mask = mask.reshape(arrays["q"].shape[-2], arrays["k"].shape[-2])
        options = {name: saved[name] for name in ("causal", "scale", "layout", "extra")}
        return cls(arrays["q"], arrays["k"], arrays["v"], mask, **options)


def visible(case: Case, declarations: Declarations) -> npt.NDArray[np.bool_]:
    """Which query may attend to which key (n, m), with causal as it is declared."""
    allowed = np.ones((case.n, case.m), dtype=bool)
    if case.mask is not None:
        seen = case.mask if case.mask.dtype == bool else case.mask.astype(np.float64) != -np.inf
        allowed &= seen
    if case.causal:
        offset = case.m - case.n if declarations.causal == "lower-right" else 0
        allowed &= np.tri(case.n, case.m, offset, dtype=bool)
    return allowed


def laid_out(x: Array, layout: str) -> Array:
    """A copy of x with the same entries, in another place in memory."""
    if layout == "fortran":
        return np.array(x, order="F")
    if layout == "strided":
        wide = np.full((*x.shape[:-1], 2 * x.shape[-1]), 7, dtype=x.dtype)
        wide[..., ::2] = x
        return wide[..., ::2]
    if layout == "reversed":
        return np.array(x[..., ::-1, ::-1])[..., ::-1, ::-1]
    return np.array(x, order="C")


def _numbers(x: Array) -> list[Any]:
    """A flat list of booleans or of numbers as text (JSON has no NaN and no infinity)."""
    if x.dtype == bool:
        return [bool(value) for value in x.ravel()]
    return [repr(float(value)) for value in x.ravel()]


def _floats(saved: list[str]) -> list[float]:
    return [float(value) for value in saved]


def _is_boolean(saved: list[Any]) -> bool:
    return all(isinstance(value, bool) for value in saved)
