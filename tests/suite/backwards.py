"""Backward passes in NumPy for the tests: three that are right, and many that are wrong."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from symattn import numeric
from symattn.suite.target import differentiable


@dataclass
class Forward:
    """What a forward pass leaves for the backward one, in the type of its inputs."""

    q: np.ndarray
    k: np.ndarray
    v: np.ndarray
    g: np.ndarray
    allowed: np.ndarray
    scale: np.floating
    scores: np.ndarray

    @property
    def weights(self):
        return numeric.softmax(self.scores)

    @property
    def d_weights(self):
        return self.g @ self.v.T

    @property
    def row_sums(self):
        return (self.weights * self.d_weights).sum(axis=1, keepdims=True)

    @property
    def d_scores(self):
        return self.weights * (self.d_weights - self.row_sums)

    def finish(self, d_scores=None, **replaced):
        d_scores = self.d_scores if d_scores is None else d_scores
        results = {
            "dq": self.scale * d_scores @ self.k,
            "dk": self.scale * d_scores.T @ self.q,
            "dv": self.weights.T @ self.g,
        } | replaced
        return tuple(results.values())


def forward(q, k, v, g, *, mask=None, causal=False, scale=None):
    kind = q.dtype.type
    sigma = kind(numeric.default_scale(q.shape[1]) if scale is None else scale)
    scores = numeric.scaled_scores(q, k, mask=mask, causal=causal, scale=scale)
    allowed = numeric.attends(scores.shape, mask, causal)
    return Forward(q, k, v, g, allowed, sigma, scores)


def function_with(backward):
    """The NumPy attention with a backward pass: a function of what the forward pass left."""

    def attention(q, k, v, *, mask=None, causal=False, scale=None):
        return numeric.attention(q, k, v, mask=mask, causal=causal, scale=scale)

    def vjp(q, k, v, cotangent, **options):
        return backward(forward(q, k, v, cotangent, **options))

    return differentiable(attention, vjp)


def by_the_formula(f):
    return f.finish()


def by_the_log_sum_exp(f):
    """As fused kernels do: weights from scores and log-sum-exp, row sums from the output."""
    top = f.scores.max(axis=1, keepdims=True)
    top = np.where(np.isfinite(top), top, 0)
    total = np.exp(f.scores - top).sum(axis=1, keepdims=True)
    lse = top + np.log(np.where(total == 0, 1, total))
    weights = np.exp(f.scores - lse)
    row_sums = (f.g * (weights @ f.v)).sum(axis=1, keepdims=True)
    return f.finish(weights * (f.d_weights - row_sums), dv=weights.T @ f.g)


def by_two_products(f):
    """As derived softmaxes do: P dP − P D, the scale last."""
    d_scores = f.weights * f.d_weights - f.weights * f.row_sums
    return f.finish(dq=(d_scores @ f.k) * f.scale, dk=(d_scores.T @ f.q) * f.scale)


CORRECT = [by_the_formula, by_the_log_sum_exp, by_two_products]


def without_the_row_sums(f):
    return f.finish(f.weights * f.d_weights)


def row_sums_over_queries(f):
    return f.finish(f.weights * (f.d_weights - (f.weights * f.d_weights).sum(axis=0)))


def row_sums_unweighted(f):
    return f.finish(f.weights * (f.d_weights - f.d_weights.mean(axis=1, keepdims=True)))


def scale_forgotten_in_dk(f):
    return f.finish(dk=f.d_scores.T @ f.q)


def scale_forgotten_in_dq(f):
    return f.finish(dq=f.d_scores @ f.k)


def scale_twice(f):
    return f.finish(f.d_scores * f.scale)


def default_scale_always(f):
    f.scale = f.q.dtype.type(numeric.default_scale(f.q.shape[1]))
    return f.finish()


def d_scores_transposed(f):
    if f.scores.shape[0] != f.scores.shape[1]:
        return f.finish()
    return f.finish(f.d_scores.T)


def weights_transposed_in_dv(f):
    if f.scores.shape[0] != f.scores.shape[1]:
        return f.finish()
    return f.finish(dv=f.weights @ f.g)


def gradient_through_the_mask(f):
    """The backward pass forgets the mask."""
    f.scores = f.scale * (f.q @ f.k.T)
    return f.finish()


def masked_values_get_a_share(f):
    leak = np.where(f.allowed, f.weights, f.q.dtype.type(1e-6))
    return f.finish(dv=leak.T @ f.g)


def weights_divided_out(f):
    """P ∘ dP is divided by P again: 0/0 where a weight underflows."""
    with np.errstate(all="ignore"):
        d_weights = (f.weights * f.d_weights) / f.weights
    return f.finish(f.weights * (d_weights - f.row_sums))


def maximum_differentiated(f):
    """The maximum's derivative enters: once for every key that ties for it."""
    ties = f.allowed & (f.scores == f.scores.max(axis=1, keepdims=True, initial=-np.inf))
    more = np.maximum(ties.sum(axis=1, keepdims=True) - 1, 0).astype(f.q.dtype)
    return f.finish(f.d_scores + ties * more * f.row_sums)


def dead_rows_are_nan(f):
    weights = np.where(f.allowed.any(axis=1, keepdims=True), f.weights, f.q.dtype.type(np.nan))
    return f.finish(weights * (f.d_weights - f.row_sums), dv=weights.T @ f.g)


def cotangent_ignored(f):
    f.g = np.ones_like(f.g)
    return f.finish()


def half_precision_weights(f):
    weights = f.weights.astype(np.float16).astype(f.q.dtype)
    return f.finish(dv=weights.T @ f.g)


def keys_and_queries_swapped(f):
    dq, dk, dv = f.finish()
    return (dk, dq, dv) if dq.shape == dk.shape else (dq, dk, dv)


#: Wrong backward pass -> a property that must catch it.
WRONG = {
    without_the_row_sums: "gradient",
    row_sums_over_queries: "gradient",
    row_sums_unweighted: "gradient",
    scale_forgotten_in_dk: "gradient",
    scale_forgotten_in_dq: "gradient",
    scale_twice: "gradient",
    default_scale_always: "gradient",
    d_scores_transposed: "gradient",
    weights_transposed_in_dv: "gradient",
    gradient_through_the_mask: "gradient-masked",
    masked_values_get_a_share: "gradient-masked",
    weights_divided_out: "gradient-saturated",
    maximum_differentiated: "gradient-tie",
    dead_rows_are_nan: "gradient-dead-rows",
    cotangent_ignored: "gradient",
    half_precision_weights: "gradient",
    keys_and_queries_swapped: "gradient",
}
