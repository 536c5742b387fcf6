"""Faults of merging blocks of keys and of the blend with values."""

from __future__ import annotations

import numpy as np

from symattn.suite.cases import Array
from symattn.suite.mutants.base import build, correct, mutant

__all__: list[str] = []


def _online(
    scores: Array, v: Array, gone: Array, fault: str, block: int = 4
) -> Array:  # one pass over blocks of keys, as fused kernels do it
    output = np.zeros((scores.shape[0], v.shape[1]), dtype=scores.dtype)
    for i, row in enumerate(scores):
        top, total = -np.inf, 0.0
        sums = np.zeros(v.shape[1], dtype=scores.dtype)
        for start in range(0, len(row), block):
            seen = np.flatnonzero(~gone[i, start : start + block]) + start
            if not seen.size:
                continue
            new = max(top, row[seen].max())
            decay = np.exp(top - new) if top > -np.inf else 0.0
            weights = np.exp(row[seen] - new)
            if fault == "first maximum kept" and top > -np.inf:
                new, decay, weights = top, 1.0, np.exp(np.minimum(row[seen] - top, 0))
            total = total * (1.0 if fault == "sum" else decay) + weights.sum()
            sums = sums * (1.0 if fault == "values" else decay) + weights @ v[seen]
            if fault == "averaged":
                sums = sums / max(weights.sum(), 1e-30) if start else sums
            top = new
        output[i] = sums / total if total else 0
    return output


def _with_online(fault: str) -> object:
    """The correct attention with a faulty merge of blocks."""
    return build(
        normalise=lambda scores: scores,
        blend=lambda scores, v, gone: _online(scores, v, gone, fault),
    )


@mutant("online")
def sum_not_rescaled(q, k, v, **options):  # type: ignore[no-untyped-def]
    """A new maximum rescales the values but not the sum of weights."""
    return _with_online("sum")(q, k, v, **options)  # type: ignore[operator]


@mutant("online")
def values_not_rescaled(q, k, v, **options):  # type: ignore[no-untyped-def]
    """A new maximum rescales the sum of weights but not the values."""
    return _with_online("values")(q, k, v, **options)  # type: ignore[operator]


@mutant("online")
def first_maximum_kept(q, k, v, **options):  # type: ignore[no-untyped-def]
    """Later blocks are clipped at the first block's maximum."""
    return _with_online("first maximum kept")(q, k, v, **options)  # type: ignore[operator]


@mutant("online")
def blocks_averaged(q, k, v, **options):  # type: ignore[no-untyped-def]
    """Blocks are normalised one by one and then added."""
    return _with_online("averaged")(q, k, v, **options)  # type: ignore[operator]


@mutant("online")
def tail_dropped(q, k, v, **options):  # type: ignore[no-untyped-def]
    """Keys after the last full block of sixteen are not visited."""
    m = len(k) // 16 * 16 or len(k)
    mask = options.pop("mask", None)
    if options.get("causal") and m != len(k):  # the triangle of all keys, cut
        allowed = np.tri(len(q), len(k), len(k) - len(q), dtype=bool)[:, :m]
        cut = None if mask is None else mask[:, :m]
        if cut is None or cut.dtype == bool:
            mask = allowed if cut is None else allowed & cut
        else:
            mask = np.where(allowed, cut, -np.inf)
        options["causal"] = False
    elif mask is not None:
        mask = mask[:, :m]
    return correct(q, k[:m], v[:m], mask=mask, **options)


@mutant("online")
def padded_keys_attended(q, k, v, **options):  # type: ignore[no-untyped-def]
    """Keys are padded with zeros to a multiple of eight and not masked."""
    extra = -len(k) % 8
    if options.get("mask") is not None or options.get("causal") or not extra:
        return correct(q, k, v, **options)
    return correct(q, np.pad(k, ((0, extra), (0, 0))), np.pad(v, ((0, extra), (0, 0))), **options)


@mutant("blend")
def values_reversed(q, k, v, **options):  # type: ignore[no-untyped-def]
    """Weights and values run in opposite orders."""
    return build(blend=lambda w, x, gone: w @ np.where(np.isfinite(x), x, 0)[::-1])(
        q, k, v, **options
    )


@mutant("blend")
def first_value_column_everywhere(q, k, v, **options):  # type: ignore[no-untyped-def]
    """A stride of zero: every output column is the first."""
    output = correct(q, k, v, **options)
    return np.repeat(output[:, :1], v.shape[1], axis=1)


@mutant("blend")
def keys_instead_of_values(q, k, v, **options):  # type: ignore[no-untyped-def]
    """The keys are blended where they have the values' shape."""
    return correct(q, k, k if k.shape == v.shape else v, **options)


@mutant("blend")
def values_in_half_precision(q, k, v, **options):  # type: ignore[no-untyped-def]
    """The output passes through float16."""
    return correct(q, k, v, **options).astype(np.float16).astype(v.dtype)


@mutant("blend")
def residual_added(q, k, v, **options):  # type: ignore[no-untyped-def]
    """The query is added to the output where it fits."""
    output = correct(q, k, v, **options)
    return output + q if output.shape == q.shape else output


@mutant("blend")
def dropout_left_on(q, k, v, **options):  # type: ignore[no-untyped-def]
    """A tenth of the weights is dropped at random and the rest scaled up."""
    random = np.random.default_rng(len(k))

    def drop(weights: Array, x: Array, gone: Array) -> Array:
        kept = random.random(weights.shape) > 0.1
        result: Array = (weights * kept / 0.9) @ np.where(np.isfinite(x), x, 0)
        return result

    return build(blend=drop)(q, k, v, **options)
