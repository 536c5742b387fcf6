"""JAX and Flax: dot_product_attention, on the CPU with float64 enabled.

Neither says what a row without a key gives: it is a mean under a boolean mask, NaN under a bias of
-inf, and zeros without any key, so nothing is asked of it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from symattn.suite.cases import Array
from symattn.suite.declarations import Declarations
from symattn.suite.target import Target

__all__ = ["dot_product_attention", "flax_attention"]

_TYPES = ("float32", "float64")
_DECLARED = Declarations(causal="upper-left", dead_rows="any", value_at_masked="any")


def _masks(q: Array, mask: Array | None) -> dict[str, Any]:
    """A boolean mask as `mask`, an additive one as `bias`, each with a dimension for heads."""
    import jax.numpy as jnp

    if mask is None:
        return {}
    return {"mask" if mask.dtype == bool else "bias": jnp.asarray(mask)[None]}


def dot_product_attention(spec: str) -> Target:
    """jax.nn.dot_product_attention with one head."""
    import jax
    import jax.numpy as jnp

    jax.config.update("jax_enable_x64", True)

    def attention(
        q: Array,
        k: Array,
        v: Array,
        *,
        mask: Array | None = None,
        causal: bool = False,
        scale: float | None = None,
    ) -> Array:
        heads = (jnp.asarray(np.ascontiguousarray(x))[:, None] for x in (q, k, v))
        output = jax.nn.dot_product_attention(
            *heads, is_causal=causal, scale=scale, **_masks(q, mask)
        )
        return np.asarray(output)[:, 0]

    version = f"jax {jax.__version__}"
    return Target(
        spec, attention, _DECLARED, _TYPES, few_shapes=True, layouts=False, version=version
    )


def flax_attention(spec: str) -> Target:
    """flax.nnx.dot_product_attention with one head; it takes no scale."""
    import flax
    import jax
    import jax.numpy as jnp
    from flax import nnx

    jax.config.update("jax_enable_x64", True)

    def attention(
        q: Array, k: Array, v: Array, *, mask: Array | None = None, causal: bool = False
    ) -> Array:
        heads = (jnp.asarray(np.ascontiguousarray(x))[None, :, None] for x in (q, k, v))
        given = {name: value[None] for name, value in _masks(q, mask).items()}
        output = nnx.dot_product_attention(*heads, is_causal=causal, deterministic=True, **given)
        return np.asarray(output)[0, :, 0]

    version = f"flax {flax.__version__}"
    return Target(
        spec, attention, _DECLARED, _TYPES, few_shapes=True, layouts=False, version=version
    )
