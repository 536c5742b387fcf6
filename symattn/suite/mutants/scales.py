"""Faults of the scale and of the scores."""

from __future__ import annotations

import math

import numpy as np

from symattn.suite.cases import Array
from symattn.suite.mutants.base import build, correct, mutant, scale_of

__all__: list[str] = []


@mutant("scale")
def no_scale(q, k, v, **options):  # type: ignore[no-untyped-def]
    """The default scale is forgotten: plain q·k."""
    options["scale"] = 1.0 if options.get("scale") is None else options["scale"]
    return correct(q, k, v, **options)


@mutant("scale")
def scale_is_one_over_width(q, k, v, **options):  # type: ignore[no-untyped-def]
    """1/d_k instead of 1/sqrt(d_k)."""
    return build(scale=lambda x, s: 1 / x.shape[1] if s is None else s)(q, k, v, **options)


@mutant("scale")
def scale_from_value_width(q, k, v, **options):  # type: ignore[no-untyped-def]
    """The default scale is taken from the values' width."""
    width = v.shape[1]
    return build(scale=lambda x, s: width**-0.5 if s is None else s)(q, k, v, **options)


@mutant("scale")
def scale_from_number_of_keys(q, k, v, **options):  # type: ignore[no-untyped-def]
    """The default scale is taken from the number of keys."""
    m = max(len(k), 1)
    return build(scale=lambda x, s: m**-0.5 if s is None else s)(q, k, v, **options)


@mutant("scale")
def scale_applied_twice(q, k, v, **options):  # type: ignore[no-untyped-def]
    """Queries are scaled by the caller's code and scores again."""
    return build(scale=lambda x, s: scale_of(x, s) ** 2)(q, k, v, **options)


@mutant("scale")
def scale_divides(q, k, v, **options):  # type: ignore[no-untyped-def]
    """A given scale divides the scores instead of multiplying them."""
    return build(scale=lambda x, s: scale_of(x, s) if not s else 1 / s)(q, k, v, **options)


@mutant("scale")
def zero_scale_is_default(q, k, v, **options):  # type: ignore[no-untyped-def]
    """`scale or default`: a scale of 0 counts as not given."""
    options["scale"] = options.get("scale") or None
    return correct(q, k, v, **options)


@mutant("scale")
def scale_ignored(q, k, v, **options):  # type: ignore[no-untyped-def]
    """A given scale is taken and never used."""
    return correct(q, k, v, **{**options, "scale": None})


@mutant("scale")
def negative_scale_loses_its_sign(q, k, v, **options):  # type: ignore[no-untyped-def]
    """The scale's size is used: sqrt(scale²)."""
    return build(scale=lambda x, s: abs(scale_of(x, s)))(q, k, v, **options)


@mutant("scale")
def scale_on_the_bias_too(q, k, v, **options):  # type: ignore[no-untyped-def]
    """Scores and additive mask are added first and scaled together."""

    def bias(scores: Array, mask: Array | None) -> Array:
        if mask is None or mask.dtype == bool:
            return scores
        factor = scores.dtype.type(scale_of(q, options.get("scale")))
        added: Array = scores + factor * np.where(mask == -np.inf, 0, mask).astype(scores.dtype)
        return added

    return build(biased=bias)(q, k, v, **options)


@mutant("scale")
def scale_rounded_to_bfloat16(q, k, v, **options):  # type: ignore[no-untyped-def]
    """The scale passes through eight bits on its way."""

    def short(x: Array, s: float | None) -> float:
        mantissa, exponent = math.frexp(scale_of(x, s))
        return math.ldexp(round(mantissa * 256) / 256, exponent)

    return build(scale=short)(q, k, v, **options)


@mutant("scale")
def scale_after_softmax(q, k, v, **options):  # type: ignore[no-untyped-def]
    """Weights are scaled, not scores."""
    scale = scale_of(q, options.pop("scale", None))
    return (correct(q, k, v, scale=1.0, **options) * scale).astype(v.dtype)


@mutant("scores")
def width_cut_at_four(q, k, v, **options):  # type: ignore[no-untyped-def]
    """Only the first four columns enter the dot product."""
    return build(dot=lambda a, b: a[:, :4] @ b[:, :4].T)(q, k, v, **options)


@mutant("scores")
def width_rounded_down_to_even(q, k, v, **options):  # type: ignore[no-untyped-def]
    """A vector unit of two takes pairs of columns and drops the odd one."""

    def pairs(a: Array, b: Array) -> Array:
        even = max(a.shape[1] // 2 * 2, 1)
        product: Array = a[:, :even] @ b[:, :even].T
        return product

    return build(dot=pairs)(q, k, v, **options)


@mutant("scores")
def cosine_instead_of_dot(q, k, v, **options):  # type: ignore[no-untyped-def]
    """Keys are normalised to length 1 first."""

    def cosine(a: Array, b: Array) -> Array:
        length = np.linalg.norm(b, axis=1, keepdims=True)
        product: Array = a @ (b / np.where(length == 0, 1, length)).T
        return product

    return build(dot=cosine)(q, k, v, **options)


@mutant("scores")
def scores_in_half_precision(q, k, v, **options):  # type: ignore[no-untyped-def]
    """Scores are stored in float16 between the product and the softmax."""
    return build(
        apply_scale=lambda scores, s: (scores * s).astype(np.float16).astype(scores.dtype)
    )(q, k, v, **options)


@mutant("scores")
def query_in_half_precision(q, k, v, **options):  # type: ignore[no-untyped-def]
    """The scaled query is stored in 8 bits of mantissa, as bfloat16 would."""

    def short(a: Array, b: Array) -> Array:
        mantissa, exponent = np.frexp(a * a.dtype.type(0.7))
        cut = np.ldexp(np.rint(mantissa * 256) / 256, exponent).astype(a.dtype)
        product: Array = (cut / a.dtype.type(0.7)) @ b.T
        return product

    return build(dot=short)(q, k, v, **options)


@mutant("scores")
def scores_clipped(q, k, v, **options):  # type: ignore[no-untyped-def]
    """Scores are clipped to ±50 to be safe."""
    return build(apply_scale=lambda scores, s: np.clip(scores * s, -50, 50))(q, k, v, **options)


@mutant("scores")
def soft_cap(q, k, v, **options):  # type: ignore[no-untyped-def]
    """Scores are capped by 30·tanh(s/30) though nobody asked."""
    return build(apply_scale=lambda scores, s: 30 * np.tanh(scores * s / 30))(q, k, v, **options)


@mutant("scores")
def keys_and_queries_swapped(q, k, v, **options):  # type: ignore[no-untyped-def]
    """K Qᵀ where both have the same shape."""
    return build(dot=lambda a, b: b @ a.T if a.shape == b.shape else a @ b.T)(q, k, v, **options)


@mutant("scores")
def sign_of_scores_lost(q, k, v, **options):  # type: ignore[no-untyped-def]
    """The size of the dot product is used."""
    return build(apply_scale=lambda scores, s: np.abs(scores) * s)(q, k, v, **options)
