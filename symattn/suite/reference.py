"""A correct implementation under any declarations, to tell what a property may be asked of.

It is `symattn.numeric.attention` with the declared alignment and the declared rows without a key.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from symattn import numeric
from symattn.suite.cases import Array, Case, visible
from symattn.suite.declarations import Declarations
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

    return attention
