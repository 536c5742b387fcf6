"""Keras: ops.dot_product_attention on the backend that KERAS_BACKEND names (NumPy by default).

Its rules of type promotion make float32 of float64 on these backends (`keras.backend.result_type`),
so float64 is not asked for; nor is a row without a key, of which it says nothing.
"""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from symattn.suite.cases import Array
from symattn.suite.declarations import Declarations
from symattn.suite.target import Target

__all__ = ["dot_product_attention"]

_DECLARED = Declarations(causal="upper-left", dead_rows="any", value_at_masked="any")


def dot_product_attention(spec: str) -> Target:
    """keras.ops.dot_product_attention with one head."""
    os.environ.setdefault("KERAS_BACKEND", "numpy")
    import keras

    def tensor(x: Array) -> Any:
        return keras.ops.convert_to_tensor(np.ascontiguousarray(x), dtype=x.dtype.name)

    def attention(
        q: Array,
        k: Array,
        v: Array,
        *,
        mask: Array | None = None,
        causal: bool = False,
        scale: float | None = None,
    ) -> Array:
        given = {}
        if mask is not None:
            given["mask" if mask.dtype == bool else "bias"] = tensor(mask[None, None])
        output = keras.ops.dot_product_attention(
            *(tensor(x[None, :, None]) for x in (q, k, v)),
            is_causal=causal,
            scale=scale,
            flash_attention=False,
            **given,
        )
        return np.asarray(keras.ops.convert_to_numpy(output))[0, :, 0]

    backend = keras.backend.backend()
    version = f"keras {keras.__version__} on {backend}"
    return Target(
        spec,
        attention,
        _DECLARED,
        ("float32",),
        few_shapes=backend == "jax",
        layouts=False,
        version=version,
    )
