"""JAX and Flax: dot_product_attention, on the CPU with float64 enabled.

Neither says what a row without a key gives: it is a mean under a boolean mask, NaN under a bias of
-inf, and zeros without any key, so nothing is asked of it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial, wraps
from typing import Any

import numpy as np

from symattn.suite.cases import Array
from symattn.suite.declarations import Declarations
from symattn.suite.target import Target, differentiable

__all__ = ["dot_product_attention", "flax_attention"]

_TYPES = ("float32", "float64")
_DECLARED = Declarations(causal="upper-left", dead_rows="any", value_at_masked="any")


def _masks(mask: Array | None) -> dict[str, Any]:
    """A boolean mask as `mask`, an additive one as `bias`, each with a dimension for heads."""
    import jax.numpy as jnp

    if mask is None:
        return {}
    return {"mask" if mask.dtype == bool else "bias": jnp.asarray(mask)[None]}


def _on_arrays(run: Callable[..., Any]) -> Callable[..., Array]:
    """A function of three JAX arrays and options as one of NumPy's, with the gradients of JAX."""
    import jax
    import jax.numpy as jnp

    jax.config.update("jax_enable_x64", True)

    @wraps(run)
    def attention(q: Array, k: Array, v: Array, **options: Any) -> Array:
        return np.asarray(
            run(*(jnp.asarray(np.ascontiguousarray(x)) for x in (q, k, v)), **options)
        )

    def vjp(q: Array, k: Array, v: Array, cotangent: Array, **options: Any) -> tuple[Array, ...]:
        arrays = (jnp.asarray(np.ascontiguousarray(x)) for x in (q, k, v))
        _, pull = jax.vjp(partial(run, **options), *arrays)
        return tuple(np.asarray(x) for x in pull(jnp.asarray(cotangent)))

    return differentiable(attention, vjp)


def dot_product_attention(spec: str) -> Target:
    """jax.nn.dot_product_attention with one head."""
    import jax

    def run(
        q: Any,
        k: Any,
        v: Any,
        *,
        mask: Array | None = None,
        causal: bool = False,
        scale: float | None = None,
    ) -> Any:
        heads = (x[:, None] for x in (q, k, v))
        given = _masks(mask)
        return jax.nn.dot_product_attention(*heads, is_causal=causal, scale=scale, **given)[:, 0]

    return _target(spec, run, f"jax {jax.__version__}")


def flax_attention(spec: str) -> Target:
    """flax.nnx.dot_product_attention with one head; it takes no scale."""
    import flax
    from flax import nnx

    def run(q: Any, k: Any, v: Any, *, mask: Array | None = None, causal: bool = False) -> Any:
        heads = (x[None, :, None] for x in (q, k, v))
        given = {name: value[None] for name, value in _masks(mask).items()}
        output = nnx.dot_product_attention(*heads, is_causal=causal, deterministic=True, **given)
        return output[0, :, 0]

    return _target(spec, run, f"flax {flax.__version__}")


def _target(spec: str, run: Callable[..., Any], version: str) -> Target:
    return Target(
        spec, _on_arrays(run), _DECLARED, _TYPES, few_shapes=True, layouts=False, version=version
    )
