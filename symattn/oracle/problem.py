"""Attention problems as the oracle sees them: floats read as the exact numbers that they are.

Everything that is not attended is set to zero here, so that the tiers meet finite numbers only.
What cannot be answered is refused by name: an attended infinity, and scores beyond the range of
the type in which implementations accumulate (float32 for 16-bit inputs).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from symattn.errors import InputError, ShapeError

__all__ = ["Alignment", "BoolArray", "Float64Array", "Problem", "read"]

Float64Array: TypeAlias = npt.NDArray[np.float64]
BoolArray: TypeAlias = npt.NDArray[np.bool_]
#: Query i sees key j iff j ≤ i + m − n ("lower-right") or iff j ≤ i ("upper-left").
Alignment: TypeAlias = Literal["lower-right", "upper-left"]

#: The derivations of the tiers absorb (dimension)·u into a factor 1 + 2^-30.
LARGEST_DIMENSION = 2**20


@dataclass(frozen=True, slots=True)
class Problem:
    """q (n, d_k), k (m, d_k), v (m, d_v) and bias (n, m) in float64, finite, zero where unseen.

    `scale` is None for 1/√d_k, which is not a float in general. `nan` (n, d_v) says where an
    attended NaN makes the output NaN.
    """

    q: Float64Array
    k: Float64Array
    v: Float64Array
    bias: Float64Array | None
    allowed: BoolArray
    scale: float | None
    nan: BoolArray
    dtype: np.dtype[Any]

    def rows(self, chosen: npt.NDArray[np.intp] | slice) -> Problem:
        """The same problem for some of its queries."""
        return replace(
            self,
            q=self.q[chosen],
            bias=None if self.bias is None else self.bias[chosen],
            allowed=self.allowed[chosen],
            nan=self.nan[chosen],
        )

    def columns(self, chosen: npt.NDArray[np.intp]) -> Problem:
        """The same problem for some columns of its output."""
        return replace(self, v=self.v[:, chosen], nan=self.nan[:, chosen])


def read(
    q: npt.ArrayLike,
    k: npt.ArrayLike,
    v: npt.ArrayLike,
    *,
    mask: npt.ArrayLike | None = None,
    causal: bool = False,
    scale: float | None = None,
    alignment: Alignment = "lower-right",
) -> Problem:
    """The problem that these arrays pose.

    Raises ShapeError where shapes do not fit, InputError for what cannot be answered.
    """
    given = {name: _floating(name, array) for name, array in (("q", q), ("k", k), ("v", v))}
    dtype = np.result_type(*given.values())
    wide = {name: array.astype(np.float64) for name, array in given.items()}
    _check_shapes(**{name: array.shape for name, array in wide.items()})
    shape = (wide["q"].shape[0], wide["k"].shape[0])
    bias, allowed = _read_mask(mask, shape)
    if causal:
        offset = shape[1] - shape[0] if alignment == "lower-right" else 0
        allowed = allowed & np.tri(*shape, offset, dtype=bool)
    if scale is not None and not np.isfinite(scale):
        raise InputError(f"scale={scale} must be finite")
    nan = np.broadcast_to(False, (shape[0], wide["v"].shape[1]))
    if not all(np.isfinite(array).all() for array in wide.values()) or bias is not None:
        nan = _find_nan(wide["q"], wide["k"], wide["v"], bias, allowed)
        _refuse_infinities(wide, bias, allowed)
        wide = {name: np.where(np.isfinite(array), array, 0.0) for name, array in wide.items()}
    if not allowed.all():  # what stands in padding must not widen any bound
        seen = _seen(allowed)
        wide = {name: np.where(seen[name], array, 0.0) for name, array in wide.items()}
    if bias is not None:
        bias = np.where(allowed & np.isfinite(bias), bias, 0.0)
    problem = Problem(
        **wide,
        bias=bias,
        allowed=allowed,
        scale=None if scale is None else float(scale),
        nan=nan,
        dtype=dtype,
    )
    _refuse_large_scores(problem)
    return problem


def _floating(name: str, array: npt.ArrayLike) -> npt.NDArray[Any]:
    array = np.asarray(array)
    if array.dtype.kind in "iu":
        array = array.astype(np.float64)
    if array.dtype.name not in ("float64", "float32", "float16", "bfloat16"):
        raise InputError(
            f"{name}.dtype={array.dtype} must be float64, float32, float16 or bfloat16"
        )
    return array


def _check_shapes(*, q: tuple[int, ...], k: tuple[int, ...], v: tuple[int, ...]) -> None:
    for name, shape in (("q", q), ("k", k), ("v", v)):
        if len(shape) != 2:
            raise ShapeError(f"{name}.shape={shape} must have two dimensions")
        if max(shape) > LARGEST_DIMENSION:
            raise ShapeError(f"{name}.shape={shape} must not exceed {LARGEST_DIMENSION} anywhere")
    if q[1] != k[1]:
        raise ShapeError(f"q.shape={q} and k.shape={k} must agree in d_k, their last dimension")
    if k[0] != v[0]:
        raise ShapeError(f"k.shape={k} and v.shape={v} must agree in m, their first dimension")


def _read_mask(
    mask: npt.ArrayLike | None, shape: tuple[int, int]
) -> tuple[Float64Array | None, BoolArray]:
    """(bias or None, allowed), both of shape (n, m)."""
    if mask is None:
        return None, np.ones(shape, dtype=bool)
    mask = np.asarray(mask)
    if mask.dtype != bool:
        mask = _floating("mask", mask)
    try:
        mask = np.broadcast_to(mask, shape)
    except ValueError:
        raise ShapeError(
            f"mask.shape={mask.shape} does not broadcast to (n, m) = {shape}"
        ) from None
    if mask.dtype == bool:
        return None, mask.copy()
    bias = mask.astype(np.float64)
    return bias, bias != -np.inf


def _find_nan(
    q: Float64Array,
    k: Float64Array,
    v: Float64Array,
    bias: Float64Array | None,
    allowed: BoolArray,
) -> BoolArray:
    """Where the output is NaN: a NaN score poisons its row, a NaN value its row and column."""
    score = np.any(np.isnan(q), axis=1, keepdims=True) | np.any(np.isnan(k), axis=1)
    if bias is not None:
        score = score | np.isnan(bias)
    poisoned: BoolArray = np.any(score & allowed, axis=1, keepdims=True)
    values = np.isnan(v)
    if values.any():
        poisoned = poisoned | ((allowed.astype(np.float64) @ values.astype(np.float64)) > 0)
    return np.broadcast_to(poisoned, (q.shape[0], v.shape[1]))


def _seen(allowed: BoolArray) -> dict[str, BoolArray]:
    """Which rows of q, k and v take part at all, as columns (n, 1) and (m, 1)."""
    queries: BoolArray = np.any(allowed, axis=1, keepdims=True)
    keys: BoolArray = np.any(allowed, axis=0)[:, np.newaxis]
    return {"q": queries, "k": keys, "v": keys}


def _refuse_infinities(
    wide: dict[str, Float64Array], bias: Float64Array | None, allowed: BoolArray
) -> None:
    seen = _seen(allowed)
    for name, array in wide.items():
        infinite: BoolArray = np.isinf(array)
        if infinite.any() and (infinite & seen[name]).any():
            i, j = np.argwhere(infinite & seen[name])[0].tolist()
            raise InputError(f"{name}[{i}, {j}]={array[i, j]} is attended and must be finite")
    if bias is not None:
        infinite = np.isinf(bias) & allowed
        if infinite.any():
            i, j = np.argwhere(infinite)[0].tolist()
            raise InputError(f"mask[{i}, {j}]={bias[i, j]} must be finite or -inf")


def _refuse_large_scores(problem: Problem) -> None:
    """No partial sum of a score, scaled or not, and of the output may leave the type's range.

    A bias may reach to its very end, as that of a mask made of the lowest number does.
    """
    narrow = problem.dtype.name != "float64"
    name = "float32" if narrow else "float64"
    largest = float(np.finfo(np.float32 if narrow else np.float64).max)
    beyond = largest * (1 + 2.0**-25) if narrow else np.inf  # what rounds to infinity
    factor = max(1.0, abs(problem.scale or 0.0))
    with np.errstate(over="ignore", invalid="ignore"):
        if not np.isfinite(np.abs(problem.v).sum(axis=0) * 2).all():
            raise InputError("the sum of |v| in a column of v goes beyond float64; scale v down")
        # One number for all scores first: it settles every ordinary problem.
        size = np.abs(problem.q).sum(axis=1).max(initial=0.0) * np.abs(problem.k).max(initial=0.0)
        bias = 0.0 if problem.bias is None else np.abs(problem.bias)
        if np.max(size * factor + bias, initial=0.0) < largest / 2:
            return
        size = np.abs(problem.q) @ np.abs(problem.k).T * factor
        reach = size + bias
        bad = problem.allowed & ((size >= largest / 2) | (reach >= beyond))
    if bad.any():
        i, j = np.argwhere(bad)[0].tolist()
        raise InputError(
            f"the score of query {i} and key {j} may reach {reach[i, j]:.3g}, beyond {name}; "
            "scale the inputs down"
        )
