"""PyTorch: scaled_dot_product_attention and nn.MultiheadAttention, on the CPU."""

from __future__ import annotations

from typing import Any

import numpy as np

from symattn.suite.cases import Array
from symattn.suite.declarations import Declarations
from symattn.suite.target import Target

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


def sdpa(spec: str) -> Target:
    """F.scaled_dot_product_attention with one head."""
    import torch

    torch.set_num_threads(1)

    def attention(
        q: Array,
        k: Array,
        v: Array,
        *,
        mask: Array | None = None,
        causal: bool = False,
        scale: float | None = None,
    ) -> Array:
        tensors = [to_torch(x)[None, None] for x in (q, k, v)]
        added = None if mask is None else to_torch(mask)
        output = torch.nn.functional.scaled_dot_product_attention(
            *tensors, attn_mask=added, is_causal=causal, scale=scale
        )
        return to_numpy(output[0, 0], v)

    return Target(spec, attention, _DECLARED, _TYPES, version=f"torch {torch.__version__}")


def multihead(spec: str) -> Target:
    """nn.MultiheadAttention with one head and identity projections; its masks say True = hide."""
    import torch

    torch.set_num_threads(1)

    def attention(
        q: Array, k: Array, v: Array, *, mask: Array | None = None, causal: bool = False
    ) -> Array:
        width = q.shape[1]
        if v.shape[1] != width:
            raise ValueError("values must be as wide as queries between identity projections")
        kind = to_torch(q).dtype
        layer = torch.nn.MultiheadAttention(width, 1, bias=False, batch_first=True, dtype=kind)
        eye = torch.eye(width, dtype=kind)
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
        with torch.no_grad():
            layer.in_proj_weight.copy_(torch.cat([eye] * 3))
            layer.out_proj.weight.copy_(eye)
            tensors = [to_torch(x)[None] for x in (q, k, v)]
            output, _ = layer(*tensors, attn_mask=hidden, need_weights=False)
        return to_numpy(output[0], v)

    return Target(spec, attention, _DECLARED, _TYPES, version=f"torch {torch.__version__}")
