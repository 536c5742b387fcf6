"""Functions of well-known libraries, recognised by their import path and adapted to NumPy.

Each adapter turns the library's layout, mask polarity and keywords into those of the suite, passes
on only what the library takes, and declares what the library documents. What it computes in between
is the library's.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

from symattn.errors import InputError

if TYPE_CHECKING:
    from symattn.suite.target import Target

__all__ = ["KNOWN", "adapted"]

#: Import path -> (module here, function there that builds the target).
KNOWN: dict[str, tuple[str, str]] = {
    "torch.nn.functional:scaled_dot_product_attention": ("pytorch", "sdpa"),
    "torch.nn:MultiheadAttention": ("pytorch", "multihead"),
    "jax.nn:dot_product_attention": ("jaxes", "dot_product_attention"),
    "flax.nnx:dot_product_attention": ("jaxes", "flax_attention"),
    "onnx.reference:ReferenceEvaluator": ("onnxes", "reference_evaluator"),
    "onnxruntime:InferenceSession": ("onnxes", "inference_session"),
    "keras.ops:dot_product_attention": ("kerases", "dot_product_attention"),
    "tinygrad:Tensor.scaled_dot_product_attention": ("tinygrads", "sdpa"),
}
_ALIASES = {
    "torch:scaled_dot_product_attention": "torch.nn.functional:scaled_dot_product_attention",
    "torch._C._nn:scaled_dot_product_attention": "torch.nn.functional:scaled_dot_product_attention",
    "torch.nn.modules.activation:MultiheadAttention": "torch.nn:MultiheadAttention",
    "jax._src.nn.functions:dot_product_attention": "jax.nn:dot_product_attention",
    "flax.nnx.nn.attention:dot_product_attention": "flax.nnx:dot_product_attention",
    "keras.src.ops.nn:dot_product_attention": "keras.ops:dot_product_attention",
    "tinygrad.tensor:Tensor.scaled_dot_product_attention": (
        "tinygrad:Tensor.scaled_dot_product_attention"
    ),
}


def adapted(spec: str) -> Target | None:
    """The adapted target for an import path that is known, or None.

    >>> adapted("mypackage:attention") is None
    True

    Raises InputError where the library is not installed.
    """
    spec = _ALIASES.get(spec, spec)
    if spec not in KNOWN:
        return None
    module, builder = KNOWN[spec]
    try:
        target: Target = getattr(importlib.import_module(f"{__name__}.{module}"), builder)(spec)
    except ImportError as error:
        raise InputError(f"target={spec!r}: {error}; is the library installed?") from error
    return target
