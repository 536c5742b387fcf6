"""Faults towards the caller: memory, types, shapes, state."""

from __future__ import annotations

import numpy as np

from symattn.suite.cases import Array
from symattn.suite.mutants.base import correct, mutant, scale_of

__all__: list[str] = []


@mutant("conduct")
def query_scaled_in_place(q, k, v, **options):  # type: ignore[no-untyped-def]
    """The caller's q is scaled."""
    output = correct(q, k, v, **options)
    q *= q.dtype.type(scale_of(q, options.get("scale")))
    return output


@mutant("conduct")
def mask_filled_in_place(q, k, v, **options):  # type: ignore[no-untyped-def]
    """The caller's mask is combined with the causal one in place."""
    output = correct(q, k, v, **options)
    mask = options.get("mask")
    if mask is not None:
        mask[...] = False if mask.dtype == bool else -1e9
    return output


@mutant("conduct")
def values_sorted_in_place(q, k, v, **options):  # type: ignore[no-untyped-def]
    """The caller's v is left sorted."""
    output = correct(q, k, v, **options)
    v.sort(axis=0)
    return output


@mutant("conduct")
def strides_ignored(q, k, v, **options):  # type: ignore[no-untyped-def]
    """Memory is read in its own order, whatever the strides say."""

    def raw(x: Array) -> Array:
        return np.ravel(x, order="K").reshape(x.shape)

    return correct(raw(q), raw(k), raw(v), **options)


@mutant("conduct")
def output_as_wide_as_keys(q, k, v, **options):  # type: ignore[no-untyped-def]
    """The output has d_k columns."""
    output = correct(q, k, v, **options)
    wide = np.zeros((len(q), q.shape[1]), dtype=output.dtype)
    width = min(output.shape[1], q.shape[1])
    wide[:, :width] = output[:, :width]
    return wide


@mutant("conduct")
def output_always_double(q, k, v, **options):  # type: ignore[no-untyped-def]
    """float64 comes out whatever went in."""
    return correct(q, k, v, **options).astype(np.float64)


@mutant("conduct")
def output_always_single(q, k, v, **options):  # type: ignore[no-untyped-def]
    """float32 comes out whatever went in."""
    return correct(q, k, v, **options).astype(np.float32)


@mutant("conduct")
def output_squeezed(q, k, v, **options):  # type: ignore[no-untyped-def]
    """A single query loses its dimension."""
    output = correct(q, k, v, **options)
    return output[0] if len(q) == 1 else output


@mutant("conduct")
def no_keys_crash(q, k, v, **options):  # type: ignore[no-untyped-def]
    """Without keys an index runs out of range."""
    if len(k) == 0:
        raise IndexError("index 0 is out of bounds for axis 0 with size 0")
    return correct(q, k, v, **options)


@mutant("conduct")
def no_keys_give_nan(q, k, v, **options):  # type: ignore[no-untyped-def]
    """Without keys the output is NaN."""
    output = correct(q, k, v, **options)
    return np.full_like(output, np.nan) if len(k) == 0 else output


@mutant("conduct")
def single_query_counts_last_key_twice(q, k, v, **options):  # type: ignore[no-untyped-def]
    """Decoding reads one key past the end, clamped to the last."""
    if len(q) != 1 or not len(k) or options.get("mask") is not None or options.get("causal"):
        return correct(q, k, v, **options)
    return correct(q, np.vstack([k, k[-1:]]), np.vstack([v, v[-1:]]), **options)


_previous: list[Array] = []


@mutant("conduct")
def state_kept_between_calls(q, k, v, **options):  # type: ignore[no-untyped-def]
    """A thousandth of the last output of the same shape is left in the buffer."""
    output = correct(q, k, v, **options)
    stale = [x for x in _previous if x.shape == output.shape]
    _previous[:] = [np.nan_to_num(output)]
    return (output + stale[0] / 1000).astype(output.dtype) if stale else output


@mutant("conduct")
def crash_on_many_keys(q, k, v, **options):  # type: ignore[no-untyped-def]
    """More than sixty keys overrun a buffer."""
    if len(k) > 60:
        raise IndexError("buffer of 60 keys overrun")
    return correct(q, k, v, **options)


@mutant("conduct")
def queries_coupled(q, k, v, **options):  # type: ignore[no-untyped-def]
    """The last query is answered with the first one's output."""
    output = correct(q, k, v, **options).copy()
    output[-1] = output[0]
    return output
