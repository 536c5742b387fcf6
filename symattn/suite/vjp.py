r"""The exact vector-Jacobian product of attention, and how far a backward pass may be from it.

For a cotangent g (n, d_v) of the output, weights P and scale σ, the theorem `jacobian` gives

    dP = g vᵀ,  D_i = Σ_j P_ij dP_ij,  dS = P ∘ (dP − D),
    dq = σ dS k,  dk = σ dSᵀ q,  dv = Pᵀ g.

**Reference.** These lines in balls, on weights from `oracle.balls`; Arb proves each operation.

**Bound.** Notation as in `symattn.numeric_bounds`: u, γ_k, B_ij its bound on a scaled score, `tiny`
an underflow; ρ is the unit of what is stored between two products (0 unless that is narrow), and
e(x) bounds |x̂ − x|.

1. *Weights* are made anew, as a softmax or as exp(s − L) with the forward pass's log-sum-exp L.
   With η_j = B_j + 3u|s_j − max| and ζ = Σ P_j (e^{η_j} − 1) ≤ 1/2, the sum of exponentials is off
   by at most a factor 1 ± ζ and its logarithm by 2ζ. Base 2, the sum that makes L, its storage and
   the subtraction bring 5u(|s_j| + |L|); exponentials, sum and logarithm round less than
   c = (m + 4)(exp_units + 8) times, so P̂_j = P_j e^h with |h| ≤ H_j and

       H_j = B_j + 2ζ + 5u(|s_j| + |L|) + γ_c + 2ρ,      e(P_j) = P_j (e^{H_j} − 1) + tiny.

   Nothing divides by the sum again in the second way: a key alone has no exact weight here.
2. *dP* is a dot product of d_v terms: e(dP) = (γ_{d_v+1} + 2ρ) Σ_c |g_c||v_c| + (d_v + 1) tiny.
3. *D* is the row's sum of P̂ ∘ d̂P, or g · ô with the forward output (e(o) its bound):

       e(D) = max( Σ_j e(P)(|dP| + e(dP)) + P e(dP) + γ_{m+1} (P + e(P))(|dP| + e(dP)),
                   Σ_c |g| e(o) + γ_{d_v+1} |g|(|o| + e(o)) ) + (m + d_v) tiny.
4. *dS*, as P(dP − D), P dP − P D or a quotient's derivative, takes at most 8 roundings, each
   relative to P(|dP| + |D|) because of the second form:

       e(dS) = e(P)(|dP − D| + e(dP) + e(D)) + P(e(dP) + e(D))
               + γ_8 (P + e(P))(|dP| + e(dP) + |D| + e(D)) + 2 tiny,  then 2ρ(|dS| + e(dS)) more.
5. *dq* and *dk* are sums of m and n products with at most 6 roundings for σ; *dv* is one of n:

       e(dq) = |σ| Σ_j (e(dS) + γ_{m+6} (|dS| + e(dS))) |k|,
       e(dv) = Σ_i (e(P) + γ_{n+1} (P + e(P))) |g|,

   and dk as dq, over i with |q|; underflows and the output's own rounding come last.

A masked pair has P = 0 and gives nothing: the gradients of a key that no query sees are exactly 0.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from flint import arb, arb_mat, ctx

from symattn import numeric
from symattn.errors import InputError
from symattn.numeric_bounds import Arithmetic, Float64Array, scores_bound
from symattn.oracle.balls import row_balls
from symattn.oracle.problem import Problem, read
from symattn.suite.cases import Array, Case
from symattn.suite.declarations import Declarations, arithmetic
from symattn.suite.truth import Truth, allowance, explicit

__all__ = ["exact_vjp"]

_PRECISION = 256
#: Evaluating the bound rounds positive sums of few terms.
_EVALUATED = 1 + 2.0**-20


@dataclass(frozen=True)
class _Pass:
    """A backward pass in exact numbers, rounded once to float64, with the radii of its results."""

    weights: Float64Array
    d_weights: Float64Array
    row_sums: Float64Array
    d_scores: Float64Array
    results: dict[str, tuple[Float64Array, Float64Array]]


def exact_vjp(case: Case, cotangent: Array, declarations: Declarations) -> dict[str, Truth]:
    """dq (n, d_k), dk (m, d_k) and dv (m, d_v) of a case, each with its allowed error.

    >>> x = np.ones((1, 1))
    >>> exact_vjp(Case(x, x, x), x, Declarations())["dv"].output
    array([[1.]])

    Raises InputError for NaN, without keys, and for what the oracle refuses.
    """
    if case.m == 0:
        raise InputError("without keys there is nothing to give a gradient to")
    problem = read(case.q, case.k, case.v, **explicit(case, declarations))
    if problem.nan.any():
        raise InputError("gradients of outputs that are NaN are not defined")
    exact = _backward(problem, cotangent.astype(np.float64))
    with np.errstate(over="ignore", invalid="ignore"):
        bounds = _bounds(case, cotangent.astype(np.float64), declarations, problem, exact)
    dead = ~np.any(problem.allowed, axis=1)
    free = dead.any() and declarations.dead_rows != "zeros"
    truths = {}
    for name, (middle, radius) in exact.results.items():
        bound = bounds[name] * _EVALUATED + radius
        unknown = np.isnan(bound) | free
        truths[name] = Truth(middle, np.where(unknown, np.inf, bound))
    return truths


def _backward(problem: Problem, cotangent: Float64Array) -> _Pass:
    """The formulas at the top, in balls."""
    n, m = problem.allowed.shape
    before, ctx.prec = ctx.prec, _PRECISION
    try:
        chosen = replace(problem, v=np.eye(m), nan=np.zeros((n, m), dtype=bool))
        weights = arb_mat([row_balls(chosen, i, _PRECISION) for i in range(n)])
        q, k, v, g = (_exact(x) for x in (problem.q, problem.k, problem.v, cotangent))
        sigma = _scale(problem)
        d_weights = g * v.transpose()
        row_sums = arb_mat(
            [[sum((weights[i, j] * d_weights[i, j] for j in range(m)), arb(0))] for i in range(n)]
        )
        d_scores = arb_mat(
            [
                [weights[i, j] * (d_weights[i, j] - row_sums[i, 0]) for j in range(m)]
                for i in range(n)
            ]
        )
        results = {
            "dq": d_scores * k * sigma,
            "dk": d_scores.transpose() * q * sigma,
            "dv": weights.transpose() * g,
        }
        return _Pass(
            weights=_rounded(weights)[0],
            d_weights=_rounded(d_weights)[0],
            row_sums=_rounded(row_sums)[0],
            d_scores=_rounded(d_scores)[0],
            results={name: _rounded(x) for name, x in results.items()},
        )
    finally:
        ctx.prec = before


def _bounds(
    case: Case, g: Float64Array, declarations: Declarations, problem: Problem, exact: _Pass
) -> dict[str, Float64Array]:
    """Steps 1 to 5 of the derivation."""
    kind, seen = arithmetic(case.dtype, declarations), problem.allowed
    (n, m), width, tiny = seen.shape, problem.v.shape[1], kind.tiny
    p, dp, row, ds = exact.weights, exact.d_weights, exact.row_sums, exact.d_scores
    sizes = {name: np.abs(x) for name, x in (("q", problem.q), ("k", problem.k), ("g", g))}
    values = np.abs(problem.v)

    e_p = _weights_bound(case, declarations, kind, problem, p)
    relative = kind.gamma(width + 1) + 2 * kind.stored
    e_dp = relative * (sizes["g"] @ values.T) + (width + 1) * tiny + kind.stored_tiny
    p_high, dp_high = p + e_p, np.abs(dp) + e_dp
    summed = (e_p * dp_high + p * e_dp).sum(axis=1) + kind.gamma(m + 1) * (p_high * dp_high).sum(
        axis=1
    )
    e_o = allowance(case, declarations)
    dotted = sizes["g"] * (e_o + kind.gamma(width + 1) * (p @ values + e_o))
    e_row = np.maximum(summed, dotted.sum(axis=1))[:, np.newaxis] + (m + width) * tiny
    e_ds = e_p * (np.abs(dp - row) + e_dp + e_row) + p * (e_dp + e_row)
    e_ds = e_ds + kind.gamma(8) * p_high * (dp_high + np.abs(row) + e_row) + 2 * tiny
    e_ds = e_ds + 2 * kind.stored * (np.abs(ds) + e_ds) + kind.stored_tiny
    e_ds = np.where(seen, e_ds, 0.0)

    sigma = abs(numeric.default_scale(case.q.shape[1]) if case.scale is None else case.scale)
    products = {
        "dq": (sigma, e_ds, np.abs(ds), sizes["k"], kind.gamma(m + 6)),
        "dk": (sigma, e_ds.T, np.abs(ds).T, sizes["q"], kind.gamma(n + 6)),
        "dv": (1.0, e_p.T, p.T, sizes["g"], kind.gamma(n + 1)),
    }
    queries, keys = np.any(seen, axis=1, keepdims=True), np.any(seen, axis=0, keepdims=True)
    touched: dict[str, Any] = {"dq": queries, "dk": np.transpose(keys), "dv": np.transpose(keys)}
    bounds = {}
    for name, (factor, error, left, right, gamma) in products.items():
        bound = factor * (error @ right + gamma * ((left + error) @ right))
        bound = bound + tiny * ((left.shape[1] + 1) * (1 + factor) + right.sum(axis=0))
        bound = bound + kind.output * (np.abs(exact.results[name][0]) + bound) + kind.output_tiny
        bounds[name] = np.where(touched[name], bound, 0.0)
    return bounds


def _weights_bound(
    case: Case, declarations: Declarations, kind: Arithmetic, problem: Problem, p: Float64Array
) -> Float64Array:
    """Step 1; 0 where a key is masked."""
    options, seen = explicit(case, declarations), problem.allowed
    scores = np.where(seen, numeric.scaled_scores(problem.q, problem.k, **options), -np.inf)
    off = scores_bound(problem.q, problem.k, **options, input_units=0, arithmetic=kind)
    top = np.max(scores, axis=1, keepdims=True, initial=-np.inf)
    top = np.where(np.isfinite(top), top, 0.0)
    lse = top + np.log(np.maximum(np.exp(scores - top).sum(axis=1, keepdims=True), 1.0))
    size, below = (np.where(seen, np.abs(x), 0.0) for x in (scores, scores - top))
    spread = (p * np.expm1(off + 3 * kind.unit * below)).sum(axis=1, keepdims=True)
    spread = np.where(spread <= 0.5, spread, np.inf)
    rounds = kind.gamma((p.shape[1] + 4) * (kind.exp_units + 8)) + 2 * kind.stored
    exponent = off + 2 * spread + 5 * kind.unit * (size + np.abs(lse)) + rounds
    bound = p * np.expm1(exponent) + kind.tiny + kind.stored_tiny
    return np.where(seen, np.where(np.isnan(bound), np.inf, bound), 0.0)


def _scale(problem: Problem) -> Any:
    width = max(problem.q.shape[1], 1)
    return arb(width).rsqrt() if problem.scale is None else arb(problem.scale)


def _exact(x: Float64Array) -> Any:
    return arb_mat([[arb(entry) for entry in row] for row in x.tolist()])


def _rounded(x: Any) -> tuple[Float64Array, Float64Array]:
    """(nearest floats, how far the entries may be from them)."""
    shape = (x.nrows(), x.ncols())
    middle = np.array([float(entry.mid()) for entry in x.entries()]).reshape(shape)
    radius = np.array([float(entry.rad()) for entry in x.entries()]).reshape(shape)
    return middle, 2 * radius + np.abs(middle) * 2.0**-53
