"""Faults of the softmax."""

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
