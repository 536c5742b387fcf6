"""A correct implementation under any declarations, to tell what a property may be asked of.

It is `symattn.numeric.attention` with the declared alignment and the declared rows without a key,
and the backward pass of the theorem `jacobian` in float64.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from symattn import numeric
from symattn.suite.cases import Array, Case, visible
from symattn.suite.declarations import Declarations
from symattn.suite.target import differentiable
from symattn.suite.truth import explicit

__all__ = ["reference"]


def reference(declarations: Declarations) -> Callable[..., Array]:
    """The attention function that these declarations describe.

    >>> f = reference(Declarations(dead_rows="nan"))
    >>> f(np.ones((1, 1)), np.ones((0, 1)), np.ones((0, 1)))
    array([[nan]])
    """

    def attention(q: Array, k: Array, v: Array, **options: Any) -> Array:
        case = Case(np.asarray(q), np.asarray(k), np.asarray(v), **options)
        output = numeric.attention(q, k, v, **explicit(case, declarations))
        dead = ~np.any(visible(case, declarations), axis=1)
        if declarations.dead_rows == "nan" or (declarations.dead_rows == "mean" and case.m == 0):
            output[dead] = np.nan
        elif declarations.dead_rows == "mean":
            output[dead] = case.v.astype(np.float64).mean(axis=0)
        return output

    def vjp(
        q: Array, k: Array, v: Array, cotangent: Array, **options: Any
    ) -> tuple[Array, Array, Array]:
        given = explicit(Case(q, k, v, **options), declarations)
        return _backward(q, k, v, cotangent, **given)

    return differentiable(attention, vjp)


def _backward(
    q: Array, k: Array, v: Array, g: Array, *, mask: Any, scale: float | None
) -> tuple[Array, Array, Array]:
    """dq, dk and dv."""
    dtype = q.dtype
    q, k, v, g = (x.astype(np.float64) for x in (q, k, v, g))
    sigma = numeric.default_scale(q.shape[1]) if scale is None else scale
    weights = numeric.weights(q, k, mask=mask, scale=scale)
    d_weights = g @ v.T
    d_scores = weights * (d_weights - (weights * d_weights).sum(axis=1, keepdims=True))
    products = (sigma * d_scores @ k, sigma * d_scores.T @ q, weights.T @ g)
    dq, dk, dv = (x.astype(dtype) for x in products)
    return dq, dk, dv
