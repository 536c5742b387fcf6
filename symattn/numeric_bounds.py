"""Derived bounds on the rounding errors of attention in floating point, entry by entry.

Notation: u is the unit roundoff, γ_k = ku/(1 − ku) bounds k roundings together (Higham, "Accuracy
and Stability of Numerical Algorithms", 2nd ed., lemma 3.1), hats mark computed values.

1. **Scaled scores.** s = σ Σ_t q_t k_t + b. The dot product in any order, fused or not, takes d
   roundings (Higham, section 3.1); computing and applying σ, on the product or on q and k, takes
   at most 6; inputs that are nearest floats of exact numbers bring a relative error ε each. Hence

       |ŝ − s| ≤ (γ_{d+6} + (1+ε)³ − 1) |σ| Σ|q_t||k_t| + (2u + ε)(|b| + |s|) + (d+1) tiny.

2. **Exponents.** x = s − max is computed with relative error u, or 3u by way of base 2 (one
   product, one constant). A shift common to a row cancels in the softmax, so key j's exponent is
   off by |η_j| ≤ |ŝ_j − s_j| + 3u |x_j|. Rescaling by a running maximum moves down monotonically
   and its errors telescope into the same 3u |x_j|.
3. **Weights.** p̂_j = p_j e^{η_j} / Σ p_l e^{η_l}. With R = Σ_{l≠j} p_l the extreme values give

       p̂_j − p_j ≤ p_j (R (e^{η_j} − 1) + Σ_{l≠j} p_l (1 − e^{−η_l}))
                   / (p_j e^{η_j} + Σ_{l≠j} p_l e^{−η_l}),
       p_j − p̂_j ≤ p_j (R (1 − e^{−η_j}) + Σ_{l≠j} p_l (e^{η_l} − 1))
                   / (p_j e^{−η_j} + Σ_{l≠j} p_l e^{η_l}),

   sums of positive terms, exactly 0 for a single key however large its score. Then γ of
   2 exp_units + m + 2 roundings, and exp_units + 2 more for every rescaling; an exponential or a
   weight that underflows adds `tiny`.
4. **Output.** For any constant c, Σ p̂_j v_j − Σ p_j v_j = Σ (p̂_j − p_j)(v_j − c) + c (Σ p̂_j − 1):
   with c the middle of the attended values, the first part is at most Σ |p̂_j − p_j||v_j − c| and
   at most max v − min v; rounding (weights, m products and sums, storage, the output's own) is
   relative to Σ p̂_j |v_j|.

The bound compares with weights that were computed here in float64. They are themselves perturbed
by some η⁶⁴, so the distance from them is bounded with η + η⁶⁴, and that of them from the exact ones
with η⁶⁴. The only assumption is `exp_units`, the error of the exponential in units of u: libraries
document less (NumPy tests its own to 4 ulp or better, at most 8u) but no standard promises it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from symattn.numeric import attends, default_scale, scaled_scores, softmax

__all__ = ["FLOAT64", "Arithmetic", "output_bound", "scores_bound", "weights_bound"]

Float64Array: TypeAlias = npt.NDArray[np.float64]

#: Evaluating a bound is itself rounded, by relative errors of at most (d + m + 50) 2^-53 because
#: only positive terms are added: this factor covers any d and m below 10^9.
_EVALUATED = 1 + 2.0**-20
#: Exponent errors above this saturate: nothing is known but that weights are in [0, 1].
_SATURATED = 300.0


@dataclass(frozen=True, slots=True)
class Arithmetic:
    """The floating-point arithmetic of an implementation: what its bound depends on.

    `unit` and `tiny` are the unit roundoff and the largest error of an underflow where it
    accumulates; `stored` and `stored_tiny` where it keeps weights between the two products;
    `output` and `output_tiny` of its result. A value of 0 stands for no rounding of its own.
    """

    unit: float
    tiny: float
    exp_units: float = 8.0
    stored: float = 0.0
    stored_tiny: float = 0.0
    output: float = 0.0
    output_tiny: float = 0.0
    #: True where the weights may be rescaled after each key (online softmax).
    rescales: bool = False

    def gamma(self, roundings: float) -> float:
        """γ_k for k roundings, infinite where ku ≥ 1."""
        product = roundings * self.unit
        return product / (1 - product) if product < 1 else np.inf


#: Double precision throughout, as in `symattn.numeric` on float64 arrays.
FLOAT64 = Arithmetic(unit=2.0**-53, tiny=2.0**-1022)


def scores_bound(
    q: npt.ArrayLike,
    k: npt.ArrayLike,
    *,
    mask: npt.ArrayLike | None = None,
    causal: bool = False,
    scale: float | None = None,
    input_units: float = 1.0,
    arithmetic: Arithmetic = FLOAT64,
) -> Float64Array:
    """Bound (..., n, m) on |computed − exact| of the scaled scores; 0 where a key is masked.

    The exact scores are those of exact inputs of which q, k, mask and scale hold the nearest
    floats: each entry within `input_units` · 2^-53 of it, relatively (0: the floats are exact).
    For raw scores give `scale=1` and no mask.

    >>> scores_bound([[1.0]], [[1.0]], scale=1, input_units=0).item() < 12 * 2.0**-53
    True
    """
    terms = _terms(q, k, mask, causal, scale)
    bound = _scores_bound(terms, input_units * 2.0**-53, arithmetic)
    return _finite(bound * _EVALUATED, terms.allowed)


def weights_bound(
    q: npt.ArrayLike,
    k: npt.ArrayLike,
    *,
    mask: npt.ArrayLike | None = None,
    causal: bool = False,
    scale: float | None = None,
    input_units: float = 1.0,
    arithmetic: Arithmetic = FLOAT64,
) -> Float64Array:
    """Bound (..., n, m) on |computed − exact| of the attention weights; 0 where a key is masked.

    >>> weights_bound([[1e12]], [[1e12]], input_units=0).item() < 1e-14  # one key: weight 1
    True
    """
    terms = _terms(q, k, mask, causal, scale)
    moved, rounded = _weights_bound(terms, input_units * 2.0**-53, arithmetic)
    return _finite(np.minimum((moved + rounded) * _EVALUATED, 2.0), terms.allowed)


def output_bound(
    q: npt.ArrayLike,
    k: npt.ArrayLike,
    v: npt.ArrayLike,
    *,
    mask: npt.ArrayLike | None = None,
    causal: bool = False,
    scale: float | None = None,
    input_units: float = 1.0,
    arithmetic: Arithmetic = FLOAT64,
) -> Float64Array:
    """Bound (..., n, d_v) on |computed − exact| of the attention output; 0 for rows without a key.

    >>> bound = output_bound([[0.0]], [[1.0], [2.0]], [[3.0], [5.0]])
    >>> bool(bound < 1e-13)
    True
    """
    terms = _terms(q, k, mask, causal, scale)
    epsilon = input_units * 2.0**-53
    moved, rounded = _weights_bound(terms, epsilon, arithmetic)
    v = np.asarray(v).astype(np.float64)[..., np.newaxis, :, :]
    attended = np.where(terms.allowed[..., np.newaxis], v, np.nan)
    some: npt.NDArray[Any] = np.any(terms.allowed, axis=-1, keepdims=True)
    highest = np.where(some, np.fmax.reduce(attended, axis=-2, initial=-np.inf), 0.0)
    lowest = np.where(some, np.fmin.reduce(attended, axis=-2, initial=np.inf), 0.0)
    attended = np.where(terms.allowed[..., np.newaxis], attended, 0.0)
    magnitude = np.abs(attended)
    blended = _blend(terms.weights, magnitude)
    with np.errstate(invalid="ignore", over="ignore"):  # attended NaN and infinities: no bound
        middle = (highest / 2 + lowest / 2)[..., np.newaxis, :]
        centred = np.where(terms.allowed[..., np.newaxis], np.abs(attended - middle), 0.0)
        bound = np.minimum(_blend(moved, centred), highest - lowest)
        bound += _blend(rounded, magnitude)
        bound += epsilon * (blended + _blend(moved, magnitude))
        last = arithmetic.gamma(terms.keys + 2) + 2 * arithmetic.stored + arithmetic.output
        bound += last * (blended + bound) + arithmetic.output_tiny
        bound += (terms.keys + 1) * arithmetic.tiny
    return np.where(some, _finite(bound * _EVALUATED, some), 0.0)


@dataclass(frozen=True, slots=True)
class _Terms:
    """What all bounds are made of, in float64: |σ| Σ|q||k|, |b|, s, weights, and who attends."""

    magnitude: Float64Array
    bias: Float64Array
    scores: Float64Array
    weights: Float64Array
    allowed: npt.NDArray[Any]
    width: int
    keys: int


def _terms(
    q: npt.ArrayLike,
    k: npt.ArrayLike,
    mask: npt.ArrayLike | None,
    causal: bool,
    scale: float | None,
) -> _Terms:
    q, k = np.asarray(q).astype(np.float64), np.asarray(k).astype(np.float64)
    mask = None if mask is None else np.asarray(mask)
    if mask is not None and mask.dtype != bool:
        mask = mask.astype(np.float64)
    factor = abs(default_scale(q.shape[-1]) if scale is None else float(scale))
    with np.errstate(over="ignore", invalid="ignore"):  # what overflows gets an infinite bound
        scores = scaled_scores(q, k, mask=mask, causal=causal, scale=scale)
        magnitude = (np.abs(q) @ np.swapaxes(np.abs(k), -1, -2)) * factor
        weights = softmax(scores)
    allowed = attends(scores.shape, mask, causal)
    bias = np.zeros(scores.shape)
    if mask is not None and mask.dtype != bool:
        bias = np.abs(np.broadcast_to(mask, scores.shape))
    return _Terms(
        magnitude=np.where(allowed, magnitude, 0.0),
        bias=np.where(allowed, bias, 0.0),
        scores=scores,
        weights=weights,
        allowed=allowed,
        width=q.shape[-1],
        keys=k.shape[-2],
    )


def _scores_bound(terms: _Terms, epsilon: float, arithmetic: Arithmetic) -> Float64Array:
    """Step 1 of the derivation."""
    relative = arithmetic.gamma(terms.width + 6) + ((1 + epsilon) ** 3 - 1)
    with np.errstate(over="ignore"):  # what overflows gets an infinite bound
        size = terms.bias + np.where(terms.allowed, np.abs(terms.scores), 0.0)
        bound = _relative(relative, terms.magnitude) + (2 * arithmetic.unit + epsilon) * size
    return bound + (terms.width + 1) * arithmetic.tiny


def _weights_bound(
    terms: _Terms, epsilon: float, arithmetic: Arithmetic
) -> tuple[Float64Array, Float64Array]:
    """Steps 2 and 3: how far scores move the weights, and what rounding adds."""
    eta = _exponent_bound(terms, epsilon, arithmetic)
    moved = _spread(terms, eta)
    count = 2 * arithmetic.exp_units + terms.keys + 2
    if arithmetic.rescales:
        count += terms.keys * (arithmetic.exp_units + 2)
    relative = arithmetic.gamma(count)
    if arithmetic != FLOAT64:
        eta64 = _exponent_bound(terms, epsilon, FLOAT64)
        with np.errstate(over="ignore"):  # an infinite η saturates
            moved = _spread(terms, eta + eta64) + _spread(terms, eta64)
        relative += FLOAT64.gamma(2 * FLOAT64.exp_units + terms.keys + 2)
    if np.isinf(relative):
        # So many roundings that nothing is known, not even of a weight that underflowed to 0 here.
        return moved, np.where(terms.allowed, np.inf, 0.0)
    rounded = relative * (terms.weights + moved) + arithmetic.tiny + arithmetic.stored_tiny
    return moved, _finite(rounded, terms.allowed)


def _exponent_bound(terms: _Terms, epsilon: float, arithmetic: Arithmetic) -> Float64Array:
    """η: how far each key's exponent is off, infinite where it is not finite."""
    largest = np.max(terms.scores, axis=-1, keepdims=True, initial=-np.inf)
    with np.errstate(invalid="ignore", over="ignore"):
        shifted = np.abs(terms.scores - largest)
        eta = _scores_bound(terms, epsilon, arithmetic) + 3 * arithmetic.unit * shifted
    return np.where(terms.allowed, np.where(np.isfinite(eta), eta, np.inf), 0.0)


def _spread(terms: _Terms, eta: Float64Array) -> Float64Array:
    """How far weights can move when exponents do by at most eta."""
    p = terms.weights
    bounded = np.minimum(eta, _SATURATED)
    growth, decay = np.expm1(bounded), -np.expm1(-bounded)
    shrunk, grown = p * np.exp(-bounded), p * np.exp(bounded)
    stacked = np.stack([p, p * decay, p * growth, shrunk, grown])
    others, decayed, raised, smallest, largest = _sum_of_others(stacked)
    up = p * (others * growth + decayed) / (grown + smallest + 2.0**-1000)
    down = p * (others * decay + raised) / (shrunk + largest + 2.0**-1000)
    moved = np.minimum(np.maximum(up, down), 1.0)
    several = terms.allowed.sum(axis=-1, keepdims=True) > 1
    saturated = (eta > _SATURATED).any(axis=-1, keepdims=True) & several & terms.allowed
    return np.where(saturated, 1.0, moved)


def _sum_of_others(x: Float64Array) -> Float64Array:
    """Σ_{l≠j} x_l for each j, without subtracting: what comes before plus what comes after."""
    before = np.zeros_like(x)
    after = np.zeros_like(x)
    before[..., 1:] = np.cumsum(x, axis=-1)[..., :-1]
    after[..., :-1] = np.cumsum(x[..., ::-1], axis=-1)[..., ::-1][..., 1:]
    return before + after


def _blend(weights: Float64Array, per_query: Float64Array) -> Float64Array:
    """Σ_j weights_ij x_ijc for x (..., n, m, d_v)."""
    blended: Float64Array = np.einsum("...ij,...ijc->...ic", weights, per_query)
    return blended


def _relative(factor: float, size: Float64Array) -> Float64Array:
    """factor · size, and 0 for sizes of 0 even where the factor is infinite."""
    if np.isinf(factor):
        return np.where(size == 0, 0.0, np.inf)
    return factor * size


def _finite(bound: Float64Array, where: npt.NDArray[Any]) -> Float64Array:
    """The bound, infinite where it could not be evaluated, 0 outside `where`."""
    return np.where(where, np.where(np.isnan(bound), np.inf, bound), 0.0)
