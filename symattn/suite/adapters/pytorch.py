"""PyTorch: scaled_dot_product_attention and nn.MultiheadAttention, on the CPU."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

import numpy as np

from symattn.suite.cases import Array
from symattn.suite.declarations import Declarations
from symattn.suite.target import Target, differentiable

__all__ = ["multihead", "sdpa"]

_BFLOAT16 = "bfloat16"
_TYPES = ("float32", "float64")
#: `is_causal` is documented as tril(ones(L, S)); a masked value is multiplied by 0.
_DECLARED = Declarations(causal="upper-left", value_at_masked="any")


def to_torch(x: Array) -> Any:
    """A tensor with the same entries and, where PyTorch can, the same strides."""
    import torch

    if x.dtype.name == _BFLOAT16:
        return torch.from_numpy(np.ascontiguousarray(x).view(np.int16)).view(torch.bfloat16)
    return torch.from_numpy(x if all(stride >= 0 for stride in x.strides) else x.copy())


def to_numpy(x: Any, like: Array) -> Array:
    """The tensor's entries in NumPy's type of the same name."""
    import torch

    x = x.detach()
    if x.dtype == torch.bfloat16:
        bits: Array = x.contiguous().view(torch.int16).numpy().view(like.dtype)
        return bits
    array: Array = x.numpy()
    return array


def on_tensors(run: Callable[..., Any]) -> Callable[..., Array]:
    """A function of three tensors and options as one of arrays, with the gradients of autograd."""
    import torch

    torch.set_num_threads(1)

    @wraps(run)
    def attention(q: Array, k: Array, v: Array, **options: Any) -> Array:
        with torch.no_grad():
            return to_numpy(run(*(to_torch(x) for x in (q, k, v)), **options), v)

    def vjp(
        q: Array, k: Array, v: Array, cotangent: Array, **options: Any
    ) -> tuple[Array | None, ...]:
        tensors = [to_torch(x).requires_grad_() for x in (q, k, v)]
        output = run(*tensors, **options)
        found = torch.autograd.grad(output, tensors, to_torch(cotangent), allow_unused=True)
        return tuple(None if x is None else to_numpy(x, v) for x in found)

    return differentiable(attention, vjp)


def sdpa(spec: str) -> Target:
    """F.scaled_dot_product_attention with one head."""
    import torch

    def run(
        q: Any,
        k: Any,
        v: Any,
        *,
        mask: Array | None = None,
        causal: bool = False,
        scale: float | None = None,
    ) -> Any:
        added = None if mask is None else to_torch(mask)
        output = torch.nn.functional.scaled_dot_product_attention(
            *(x[None, None] for x in (q, k, v)), attn_mask=added, is_causal=causal, scale=scale
        )
        return output[0, 0]

    version = f"torch {torch.__version__}"
    return Target(spec, on_tensors(run), _DECLARED, _TYPES, version=version)


def multihead(spec: str) -> Target:
    """nn.MultiheadAttention with one head and identity projections; its masks say True = hide."""
    import torch

    def run(q: Any, k: Any, v: Any, *, mask: Array | None = None, causal: bool = False) -> Any:
        width = q.shape[1]
        if v.shape[1] != width:
            raise ValueError("values must be as wide as queries between identity projections")
        layer = torch.nn.MultiheadAttention(width, 1, bias=False, batch_first=True, dtype=q.dtype)
        eye = torch.eye(width, dtype=q.dtype)
        with torch.no_grad():
            layer.in_proj_weight.copy_(torch.cat([eye] * 3))
            layer.out_proj.weight.copy_(eye)
        hidden = None
        if mask is not None:
            hidden = to_torch(~mask if mask.dtype == bool else mask)
        if causal:
            future = torch.from_numpy(~np.tri(len(q), len(k), dtype=bool))
            if hidden is None:
                hidden = future
            elif hidden.dtype == torch.bool:
                hidden = hidden | future
            else:
                hidden = hidden.masked_fill(future, float("-inf"))
        tensors = (x[None] for x in (q, k, v))
        return layer(*tensors, attn_mask=hidden, need_weights=False)[0][0]

    version = f"torch {torch.__version__}"
    return Target(spec, on_tensors(run), _DECLARED, _TYPES, version=version)
