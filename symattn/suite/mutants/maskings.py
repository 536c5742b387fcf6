"""Faults of masks and of causal attention."""

from __future__ import annotations

import numpy as np

from symattn.suite.cases import Array
from symattn.suite.mutants.base import build, correct, mutant

__all__: list[str] = []


def _filled(value: float) -> object:
    """The correct attention with a finite number for what is masked, whose values are touched."""
    return build(
        fill=lambda scores, gone: np.where(gone, scores.dtype.type(value), scores),
        blend=lambda weights, v, gone: weights @ v,
    )


@mutant("mask")
def boolean_inverted(q, k, v, **options):  # type: ignore[no-untyped-def]
    """True read as masked out."""
    mask = options.pop("mask", None)
    return correct(
        q, k, v, mask=~mask if mask is not None and mask.dtype == bool else mask, **options
    )


@mutant("mask")
def boolean_ignored(q, k, v, **options):  # type: ignore[no-untyped-def]
    """A boolean mask has no effect."""
    mask = options.pop("mask", None)
    kept = None if mask is not None and mask.dtype == bool else mask
    return correct(q, k, v, mask=kept, **options)


@mutant("mask")
def boolean_added_as_numbers(q, k, v, **options):  # type: ignore[no-untyped-def]
    """True and False are added to the scores as 1 and 0."""
    mask = options.pop("mask", None)
    if mask is not None and mask.dtype == bool:
        mask = mask.astype(q.dtype)
    return correct(q, k, v, mask=mask, **options)


@mutant("mask")
def additive_read_as_boolean(q, k, v, **options):  # type: ignore[no-untyped-def]
    """An additive mask only says where it is -inf; its numbers are lost."""
    mask = options.pop("mask", None)
    if mask is not None and mask.dtype != bool:
        mask = mask != -np.inf
    return correct(q, k, v, mask=mask, **options)


@mutant("mask")
def additive_multiplied(q, k, v, **options):  # type: ignore[no-untyped-def]
    """The additive mask multiplies the scores."""

    def product(scores: Array, mask: Array | None) -> Array:
        if mask is None or mask.dtype == bool:
            return scores
        result: Array = scores * np.where(mask == -np.inf, 1, 1 + mask).astype(scores.dtype)
        return result

    return build(biased=product)(q, k, v, **options)


@mutant("mask")
def additive_subtracted(q, k, v, **options):  # type: ignore[no-untyped-def]
    """The additive mask has the wrong sign."""

    def minus(scores: Array, mask: Array | None) -> Array:
        if mask is None or mask.dtype == bool:
            return scores
        result: Array = scores - np.where(mask == -np.inf, 0, mask).astype(scores.dtype)
        return result

    return build(biased=minus)(q, k, v, **options)


@mutant("mask")
def first_mask_row_for_all(q, k, v, **options):  # type: ignore[no-untyped-def]
    """The mask of query 0 is used for every query."""
    mask = options.pop("mask", None)
    rows = None if mask is None else np.repeat(mask[:1], len(q), axis=0)
    return correct(q, k, v, mask=rows, **options)


@mutant("mask")
def mask_transposed(q, k, v, **options):  # type: ignore[no-untyped-def]
    """A square mask is transposed."""
    mask = options.pop("mask", None)
    square = mask is not None and mask.shape[0] == mask.shape[1]
    return correct(q, k, v, mask=mask.T if square else mask, **options)


@mutant("mask")
def masked_with_minus_ten_thousand(q, k, v, **options):  # type: ignore[no-untyped-def]
    """-1e4 for -inf: leaks where scores are that low."""
    return _filled(-1e4)(q, k, v, **options)  # type: ignore[operator]


@mutant("mask")
def masked_with_a_tiny_number(q, k, v, **options):  # type: ignore[no-untyped-def]
    """-1e-9 for -1e9."""
    return _filled(-1e-9)(q, k, v, **options)  # type: ignore[operator]


@mutant("mask")
def masked_with_zero(q, k, v, **options):  # type: ignore[no-untyped-def]
    """Scores multiplied by the mask: masked keys score 0."""
    return _filled(0.0)(q, k, v, **options)  # type: ignore[operator]


@mutant("mask")
def masked_with_the_smallest_float(q, k, v, **options):  # type: ignore[no-untyped-def]
    """The most negative float32 for -inf: dead rows become the mean of everything."""
    return _filled(float(np.finfo(np.float32).min))(q, k, v, **options)  # type: ignore[operator]


@mutant("mask")
def weights_zeroed_after_softmax(q, k, v, **options):  # type: ignore[no-untyped-def]
    """Masked weights are zeroed without normalising again."""
    return build(fill=lambda scores, gone: scores)(q, k, v, **options)


@mutant("mask")
def dead_rows_are_nan(q, k, v, **options):  # type: ignore[no-untyped-def]
    """0/0 in rows without a key."""

    def bare(scores: Array) -> Array:
        weights = np.exp(scores - scores.max(axis=1, keepdims=True, initial=-np.inf))
        result: Array = weights / weights.sum(axis=1, keepdims=True)
        return result

    def touch(weights: Array, v: Array, gone: Array) -> Array:
        result: Array = np.where(gone, weights * 0, weights) @ np.where(np.isfinite(v), v, 0)
        return result

    return build(normalise=bare, blend=touch)(q, k, v, **options)


@mutant("mask")
def masked_values_touched(q, k, v, **options):  # type: ignore[no-untyped-def]
    """0 · NaN: what lies at masked values reaches the output."""
    return build(blend=lambda weights, x, gone: weights @ x)(q, k, v, **options)


@mutant("mask")
def last_key_always_seen(q, k, v, **options):  # type: ignore[no-untyped-def]
    """The mask's last column is not read."""
    mask = options.pop("mask", None)
    if mask is not None and mask.shape[1]:
        mask = mask.copy()
        mask[:, -1] = True if mask.dtype == bool else 0
    return correct(q, k, v, mask=mask, **options)


@mutant("mask")
def nan_turned_into_zero(q, k, v, **options):  # type: ignore[no-untyped-def]
    """NaN in the output is replaced by zero."""
    return np.nan_to_num(correct(q, k, v, **options))


@mutant("causal")
def causal_ignored(q, k, v, **options):  # type: ignore[no-untyped-def]
    """causal=True has no effect."""
    return correct(q, k, v, **{**options, "causal": False})


@mutant("causal")
def causal_ignored_with_a_mask(q, k, v, **options):  # type: ignore[no-untyped-def]
    """causal=True has no effect beside a mask."""
    masked = options.get("mask") is not None
    return correct(q, k, v, **{**options, "causal": options.get("causal", False) and not masked})


@mutant("causal")
def mask_ignored_with_causal(q, k, v, **options):  # type: ignore[no-untyped-def]
    """A mask has no effect beside causal=True."""
    return correct(q, k, v, **({**options, "mask": None} if options.get("causal") else options))


@mutant("causal")
def causal_to_the_upper_left(q, k, v, **options):  # type: ignore[no-untyped-def]
    """Query i sees j ≤ i, wrong for a decoder with more keys than queries."""
    return build(sees=lambda n, m: np.tri(n, m, dtype=bool))(q, k, v, **options)


@mutant("causal")
def one_key_of_the_future(q, k, v, **options):  # type: ignore[no-untyped-def]
    """The diagonal lies one too far to the right."""
    return build(sees=lambda n, m: np.tri(n, m, m - n + 1, dtype=bool))(q, k, v, **options)


@mutant("causal")
def own_key_unseen(q, k, v, **options):  # type: ignore[no-untyped-def]
    """The diagonal itself is masked."""
    return build(sees=lambda n, m: np.tri(n, m, m - n - 1, dtype=bool))(q, k, v, **options)


@mutant("causal")
def anti_causal(q, k, v, **options):  # type: ignore[no-untyped-def]
    """The other triangle."""
    return build(sees=lambda n, m: np.tri(m, n, n - m, dtype=bool).T)(q, k, v, **options)


@mutant("causal")
def window_of_four(q, k, v, **options):  # type: ignore[no-untyped-def]
    """Causal attention looks back over four keys only."""

    def window(n: int, m: int) -> Array:
        far = np.tri(n, m, m - n - 4, dtype=bool)
        near: Array = np.tri(n, m, m - n, dtype=bool) & ~far
        return near

    return build(sees=window)(q, k, v, **options)
