"""Scaled dot-product attention in NumPy, independent of the exact definition.

    weights = softmax(scale · Q Kᵀ + mask),   output = weights · V,   scale = 1/√d_k

(Vaswani et al., "Attention Is All You Need", 2017, equation 1), the softmax taken along each row.
All arrays may have batch dimensions in front, which broadcast; entries are float16, bfloat16,
float32 or float64. Half-precision entries are computed in float32 and rounded once at the end.

A masked key has weight exactly 0 and its value is never touched, so a NaN stored there does not
leak; a NaN that is attended to does propagate. A row without any attendable key gives zeros.
"""

from __future__ import annotations

import math
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from symattn.errors import InputError, ShapeError

__all__ = ["attends", "attention", "multi_head", "scaled_scores", "scores", "softmax", "weights"]

#: An array of any floating type (NumPy cannot name bfloat16 in its types).
Array: TypeAlias = npt.NDArray[Any]
Mask: TypeAlias = npt.NDArray[Any]


def softmax(x: npt.ArrayLike, axis: int = -1) -> Array:
    """Softmax of x along an axis, stable for any finite entries; -inf entries get weight 0.

    >>> softmax([0.0, 0.0])
    array([0.5, 0.5])
    >>> softmax([1000.0, 0.0, -np.inf])
    array([1., 0., 0.])

    A slice with nothing but -inf has no distribution and gives zeros.
    """
    x = _floating("x", x)
    wide = x.astype(_working_type(x.dtype), copy=False)
    largest = wide.max(axis=axis, keepdims=True, initial=-np.inf)
    # exp(x − c)/Σ exp(x − c) is the same for every c; the largest entry rules out overflow.
    shift = np.where(largest == -np.inf, 0, largest)
    with np.errstate(over="ignore"):  # a difference beyond the type's range is -inf, and its exp 0
        exponentials = np.exp(wide - shift)
    total = exponentials.sum(axis=axis, keepdims=True)
    distribution: Array = exponentials / np.where(total == 0, 1, total)
    return distribution.astype(x.dtype, copy=False)


def scores(q: npt.ArrayLike, k: npt.ArrayLike) -> Array:
    """Raw scores Q Kᵀ: q (..., n, d_k) and k (..., m, d_k) give (..., n, m).

    >>> scores([[1.0, 0.0]], [[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0]])
    array([[ 1., -1.,  0.]])

    Raises ShapeError where the widths differ.
    """
    q, k = _floating("q", q), _floating("k", k)
    _check_matrices(q=q, k=k)
    if q.shape[-1] != k.shape[-1]:
        raise ShapeError(
            f"q and k must have one width d_k: q.shape={q.shape} ends in {q.shape[-1]}, "
            f"k.shape={k.shape} in {k.shape[-1]}"
        )
    wide = _working_type(np.result_type(q, k))
    product: Array = q.astype(wide, copy=False) @ np.swapaxes(k.astype(wide, copy=False), -1, -2)
    return product


def scaled_scores(
    q: npt.ArrayLike,
    k: npt.ArrayLike,
    *,
    mask: npt.ArrayLike | None = None,
    causal: bool = False,
    scale: float | None = None,
) -> Array:
    """Scores times scale, plus an additive mask; -inf where a key may not be attended.

    `scale` defaults to 1/√d_k. `mask` (broadcast to (..., n, m)) is boolean, True where attention
    is allowed, or additive. `causal` lets query i see key j iff j ≤ i + m − n.

    >>> scaled_scores([[2.0], [2.0]], [[1.0], [3.0]], causal=True)
    array([[  2., -inf],
           [  2.,   6.]])
    """
    raw = scores(q, k)
    factor = default_scale(np.shape(q)[-1]) if scale is None else float(scale)
    scaled = raw * raw.dtype.type(factor)
    if mask is not None:
        mask = _mask(mask, scaled.shape)
        if mask.dtype != bool:
            scaled = scaled + mask.astype(scaled.dtype, copy=False)
    allowed = attends(scaled.shape, mask, causal)
    masked: Array = np.where(allowed, scaled, scaled.dtype.type(-np.inf))
    return masked


def weights(
    q: npt.ArrayLike,
    k: npt.ArrayLike,
    *,
    mask: npt.ArrayLike | None = None,
    causal: bool = False,
    scale: float | None = None,
) -> Array:
    """Attention weights (..., n, m): the softmax of the scaled scores along each row.

    >>> weights([[0.0, 0.0]], [[1.0, 2.0], [3.0, 4.0]])
    array([[0.5, 0.5]])
    """
    return softmax(scaled_scores(q, k, mask=mask, causal=causal, scale=scale))


def attention(
    q: npt.ArrayLike,
    k: npt.ArrayLike,
    v: npt.ArrayLike,
    *,
    mask: npt.ArrayLike | None = None,
    causal: bool = False,
    scale: float | None = None,
) -> Array:
    """Attention output (..., n, d_v) for q (..., n, d_k), k (..., m, d_k), v (..., m, d_v).

    >>> attention([[0.0, 0.0]], [[1.0, 2.0], [3.0, 4.0]], [[2.0, 0.0], [0.0, 6.0]])
    array([[1., 3.]])

    Raises ShapeError where shapes do not fit together, InputError for entries that are no floats.
    """
    q, k, v = _floating("q", q), _floating("k", k), _floating("v", v)
    _check_matrices(q=q, k=k, v=v)
    if k.shape[-2] != v.shape[-2]:
        raise ShapeError(
            f"every key needs one value: k.shape={k.shape} has {k.shape[-2]} keys, "
            f"v.shape={v.shape} has {v.shape[-2]} values"
        )
    alpha = weights(q, k, mask=mask, causal=causal, scale=scale)
    allowed = attends(alpha.shape, mask, causal)
    return _blend(alpha, v, allowed).astype(np.result_type(q, k, v), copy=False)


def multi_head(
    x: npt.ArrayLike,
    W_Q: npt.ArrayLike,
    W_K: npt.ArrayLike,
    W_V: npt.ArrayLike,
    W_O: npt.ArrayLike | None = None,
    *,
    heads: int,
    context: npt.ArrayLike | None = None,
    mask: npt.ArrayLike | None = None,
    causal: bool = False,
    scale: float | None = None,
) -> Array:
    """Concat(head_1, ..., head_h) W_O with head_i = attention(X W_Q_i, C W_K_i, C W_V_i).

    x is (..., n, d_model); C is `context` (..., m, d_model) and defaults to x; the projections
    hold the heads side by side, (d_model, heads · d). Without W_O the heads are only concatenated.

    >>> eye = np.eye(2)
    >>> multi_head([[1.0, 5.0]], eye, eye, eye, heads=2)
    array([[1., 5.]])
    """
    queries = _floating("x", x)
    sources = queries if context is None else _floating("context", context)

    def split(name: str, tokens: Array, projection: npt.ArrayLike) -> Array:
        projected = tokens @ _floating(name, projection)
        width = projected.shape[-1]
        if heads < 1 or width % heads:
            raise ShapeError(f"heads={heads} must divide the {width} columns of {name}")
        return np.swapaxes(projected.reshape(*projected.shape[:-1], heads, width // heads), -2, -3)

    q, k = split("W_Q", queries, W_Q), split("W_K", sources, W_K)
    v = split("W_V", sources, W_V)
    if mask is not None and np.ndim(mask) > 2:
        mask = np.expand_dims(np.asarray(mask), -3)  # one mask for all heads of a batch entry
    z = np.swapaxes(attention(q, k, v, mask=mask, causal=causal, scale=scale), -2, -3)
    joined = z.reshape(*z.shape[:-2], -1)
    return joined if W_O is None else joined @ _floating("W_O", W_O)


def attends(shape: tuple[int, ...], mask: npt.ArrayLike | None, causal: bool) -> npt.NDArray[Any]:
    """Which query may attend to which key, as a boolean array of `shape` (..., n, m).

    >>> attends((2, 3), None, True)
    array([[ True,  True, False],
           [ True,  True,  True]])
    """
    n, m = shape[-2:]
    allowed = np.tri(n, m, m - n, dtype=bool) if causal else np.ones((n, m), dtype=bool)
    if mask is not None:
        mask = _mask(mask, shape)
        allowed = allowed & (mask if mask.dtype == bool else mask != -np.inf)
    return np.broadcast_to(allowed, shape)


def default_scale(d_k: int) -> float:
    """1/√d_k, the scale of the paper; a width of 0 leaves nothing to scale.

    >>> default_scale(16)
    0.25
    """
    return 1 / math.sqrt(d_k) if d_k else 1.0


def _blend(alpha: Array, v: Array, allowed: npt.NDArray[Any]) -> Array:
    """Σ_j alpha_j v_j over the keys that may be attended."""
    wide = alpha.dtype
    finite = np.isfinite(v)
    z: Array = alpha @ np.where(finite, v, 0).astype(wide)
    if not finite.all():
        # 0 · NaN is NaN, so what is not finite is added apart, and only where it is attended.
        unusual = np.where(finite, 0, v).astype(wide)[..., np.newaxis, :, :]
        z = z + np.where(allowed[..., np.newaxis], unusual, 0).sum(axis=-2)
    return z


def _working_type(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """float32 for half-precision types, otherwise the type itself."""
    return np.dtype(np.float32) if dtype.itemsize < 4 else dtype


def _floating(name: str, x: npt.ArrayLike) -> Array:
    """x as an array of floats; integers become float64."""
    array = np.asarray(x)
    if array.dtype.kind in "iu":
        return array.astype(np.float64)
    # bfloat16 has kind "V" in ml_dtypes: only its name tells it from a record.
    if array.dtype.kind == "f" or array.dtype.name == "bfloat16":
        return array
    raise InputError(f"{name}.dtype={array.dtype} must be a real floating type")


def _mask(mask: npt.ArrayLike, shape: tuple[int, ...]) -> Mask:
    """The mask as an array, checked to be boolean or floating and to fit the scores."""
    array = np.asarray(mask)
    array = array if array.dtype == bool else _floating("mask", array)
    try:
        return np.broadcast_to(array, shape)
    except ValueError:
        raise ShapeError(
            f"mask.shape={array.shape} does not broadcast to the scores' shape {shape}"
        ) from None


def _check_matrices(**arrays: Array) -> None:
    for name, array in arrays.items():
        if array.ndim < 2:
            raise ShapeError(f"{name}.shape={array.shape} must have at least two dimensions")
