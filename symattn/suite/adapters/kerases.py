"""Keras: ops.dot_product_attention on the backend that KERAS_BACKEND names (NumPy by default)."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from symattn.suite.cases import Array
from symattn.suite.declarations import Declarations
from symattn.suite.target import Target

__all__ = ["dot_product_attention"]

_DECLARED = Declarations(causal="upper-left", dead_rows="mean", value_at_masked="any")


def dot_product_attention(spec: str) -> Target:
    """keras.ops.dot_product_attention with one head."""
    os.environ.setdefault("KERAS_BACKEND", "numpy")
    if os.environ["KERAS_BACKEND"] == "jax":
        import jax

        jax.config.update("jax_enable_x64", True)
    import keras

    def tensor(x: Array) -> Any:
        # Without a type Keras makes float64 its own default, float32.
        kind = "bool" if x.dtype == bool else x.dtype.name
        return keras.ops.convert_to_tensor(np.ascontiguousarray(x), dtype=kind)

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
    few = backend == "jax"
    types = ("float32", "float64")
    return Target(spec, attention, _DECLARED, types, few_shapes=few, layouts=False, version=version)
