"""tinygrad: Tensor.scaled_dot_product_attention.

It says nothing of rows without a key: a masked one gives NaN, and without any key it gives zeros.
"""

from __future__ import annotations

import os
import shutil
from importlib.metadata import version

import numpy as np

from symattn.suite.cases import Array
from symattn.suite.declarations import Declarations
from symattn.suite.target import Target

__all__ = ["sdpa"]

_DECLARED = Declarations(causal="upper-left", dead_rows="any", value_at_masked="any")


def sdpa(spec: str) -> Target:
    """Tensor.scaled_dot_product_attention with one head; it takes no scale."""
    if shutil.which("clang") is None:
        os.environ.setdefault("DEV", "PYTHON")  # its CPU device compiles C; this one interprets
    from tinygrad import Tensor

    def attention(
        q: Array, k: Array, v: Array, *, mask: Array | None = None, causal: bool = False
    ) -> Array:
        queries, keys, values = (Tensor(np.ascontiguousarray(x)[None, None]) for x in (q, k, v))
        added = None if mask is None else Tensor(np.ascontiguousarray(mask)[None, None])
        output = queries.scaled_dot_product_attention(
            keys, values, attn_mask=added, is_causal=causal
        )
        array: Array = np.asarray(output.numpy())[0, 0]
        return array

    return Target(
        spec,
        attention,
        _DECLARED,
        ("float32", "float64"),
        few_shapes=True,
        layouts=False,
        version=f"tinygrad {version('tinygrad')}",
    )
