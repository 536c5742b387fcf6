"""Faults of the softmax, of online merging and of the blend."""

from __future__ import annotations

import numpy as np

from symattn.suite.cases import Array
from symattn.suite.mutants.base import build, correct, mutant, normalise

__all__: list[str] = []


def _shifted(scores: Array, shift: Array) -> Array:
    """exp(scores − shift), normalised by rows."""
    weights = np.exp(scores - shift)
    total = weights.sum(axis=1, keepdims=True)
    result: Array = weights / np.where(total == 0, 1, total)
    return result


def _top(scores: Array) -> Array:
    top = scores.max(axis=1, keepdims=True, initial=-np.inf)
    return np.where(top == -np.inf, 0, top).astype(scores.dtype)


@mutant("softmax")
def without_maximum(q, k, v, **options):  # type: ignore[no-untyped-def]
    """exp of the raw scores."""
    return build(normalise=lambda s: _shifted(s, 0 * _top(s)))(q, k, v, **options)


@mutant("softmax")
def maximum_of_everything(q, k, v, **options):  # type: ignore[no-untyped-def]
    """One maximum for all rows: rows far below it vanish."""
    return build(normalise=lambda s: _shifted(s, _top(s).max(initial=-np.inf, keepdims=True)))(
        q, k, v, **options
    )


@mutant("softmax")
def maximum_starts_at_zero(q, k, v, **options):  # type: ignore[no-untyped-def]
    """The running maximum starts at 0: rows of large negative scores vanish."""
    return build(normalise=lambda s: _shifted(s, np.maximum(_top(s), 0)))(q, k, v, **options)


@mutant("softmax")
def maximum_of_the_first_block(q, k, v, **options):  # type: ignore[no-untyped-def]
    """Only the first four keys are looked at for the maximum."""
    return build(normalise=lambda s: _shifted(s, _top(s[:, :4])))(q, k, v, **options)


@mutant("softmax")
def softmax_over_queries(q, k, v, **options):  # type: ignore[no-untyped-def]
    """The wrong axis: columns sum to 1."""
    return build(normalise=lambda s: normalise(s.T).T)(q, k, v, **options)


@mutant("softmax")
def softmax_plus_one(q, k, v, **options):  # type: ignore[no-untyped-def]
    """exp(s)/(1 + Σ exp(s)): an extra sink takes weight."""

    def sink(scores: Array) -> Array:
        weights = np.exp(scores - _top(scores))
        extra = np.exp(-_top(scores))
        result: Array = weights / (weights.sum(axis=1, keepdims=True) + extra)
        return result

    return build(normalise=sink)(q, k, v, **options)


@mutant("softmax")
def base_two(q, k, v, **options):  # type: ignore[no-untyped-def]
    """2^s without the factor log2(e)."""

    def binary(scores: Array) -> Array:
        weights = np.exp2(scores - _top(scores))
        total = weights.sum(axis=1, keepdims=True)
        result: Array = weights / np.where(total == 0, 1, total)
        return result

    return build(normalise=binary)(q, k, v, **options)


@mutant("softmax")
def epsilon_in_the_sum(q, k, v, **options):  # type: ignore[no-untyped-def]
    """1e-6 added to the sum of exponentials to avoid a division by zero."""

    def padded(scores: Array) -> Array:
        weights = np.exp(scores - _top(scores))
        result: Array = weights / (weights.sum(axis=1, keepdims=True) + scores.dtype.type(1e-4))
        return result

    return build(normalise=padded)(q, k, v, **options)


@mutant("softmax")
def no_normalisation(q, k, v, **options):  # type: ignore[no-untyped-def]
    """Exponentials are never divided by their sum."""
    return build(normalise=lambda s: np.exp(s - _top(s)))(q, k, v, **options)


@mutant("softmax")
def sum_normalisation(q, k, v, **options):  # type: ignore[no-untyped-def]
    """Scores are divided by their sum, without exp."""

    def plain(scores: Array) -> Array:
        finite = np.where(np.isfinite(scores), scores, 0)
        total = finite.sum(axis=1, keepdims=True)
        result: Array = finite / np.where(total == 0, 1, total)
        return result

    return build(normalise=plain)(q, k, v, **options)


@mutant("softmax")
def hard_maximum(q, k, v, **options):  # type: ignore[no-untyped-def]
    """The largest score takes everything."""

    def hard(scores: Array) -> Array:
        first = (scores == scores.max(axis=1, keepdims=True, initial=-np.inf)) & (scores > -np.inf)
        total = first.sum(axis=1, keepdims=True)
        result: Array = first / np.where(total == 0, 1, total).astype(scores.dtype)
        return result

    return build(normalise=hard)(q, k, v, **options)


@mutant("softmax")
def low_order_exponential(q, k, v, **options):  # type: ignore[no-untyped-def]
    """exp by a table and a straight line, good to four digits."""

    def rough(scores: Array) -> Array:
        x = np.maximum(scores - _top(scores), -80)
        step = np.rint(x * 64) / 64
        weights = np.where(scores == -np.inf, 0, np.exp(step) * (1 + (x - step))).astype(x.dtype)
        total = weights.sum(axis=1, keepdims=True)
        result: Array = weights / np.where(total == 0, 1, total)
        return result

    return build(normalise=rough)(q, k, v, **options)


@mutant("softmax")
def weights_in_bfloat16(q, k, v, **options):  # type: ignore[no-untyped-def]
    """Weights keep eight bits between softmax and blend."""

    def short(scores: Array) -> Array:
        mantissa, exponent = np.frexp(normalise(scores))
        rounded: Array = np.ldexp(np.rint(mantissa * 256) / 256, exponent).astype(scores.dtype)
        return rounded

    return build(normalise=short)(q, k, v, **options)


@mutant("softmax")
def small_weights_dropped(q, k, v, **options):  # type: ignore[no-untyped-def]
    """Weights below 1 % are set to zero and not given to the others."""

    def sparse(scores: Array) -> Array:
        weights = normalise(scores)
        return np.where(weights < 0.01, 0, weights).astype(scores.dtype)

    return build(normalise=sparse)(q, k, v, **options)


@mutant("softmax")
def double_degraded_to_single(q, k, v, **options):  # type: ignore[no-untyped-def]
    """float64 inputs are computed in float32."""
    single = (x.astype(np.float32) if x.dtype == np.float64 else x for x in (q, k, v))
    return correct(*single, **options).astype(v.dtype)


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
