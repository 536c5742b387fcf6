r"""The first tier: attention in float64 with an a-priori bound on its error.

u = 2^-53, η = 2^-1074, γ_k = ku/(1 − ku); M is the largest computed score of a row. The matrix
products are conventional inner products in any order, fused or not (Higham, section 3.1).

1. **Scores** t = σ q·k + b. The product errs by γ_d |q|·|k| ≤ γ_d ‖q‖‖k‖ and dη; σ = 1/√d, if it is
   no power of two, by γ_2 relatively, its application by u; the bias rounds by u|t|. Hence for all
   keys of a row at once |t̂ − t| ≤ D = γ_{d+3} σ ‖q‖ max‖k‖ + u max|t̂| [with a bias] + (dσ + 1)η.
2. **Shift** x = t̂ − M rounds by u|x|. What lies below −700 is set to −700. So for computed
   exponentials E and e_j = e^{t_j − M}:
   |E_j − e_j| ≤ ρ e_j + τ,  ρ = (e^{D + uX} − 1)(1 + ε) + ε,  X = max|x| ≤ 700,
   ε = 2.25 u (`exponential`), τ = 1.1 e^-700 for what was cut off.
   Then also |E_j − e_j| ≤ ρ'(E_j + τ) + τ with ρ' = ρ/(1 − ρ).
3. **Sums** N = Σ E_j v_j, Z = Σ E_j, A = Σ E_j |v_j|, from one matrix product:
   ΔN = (γ_m + ρ')A + 2τ Σ|v_j| + mη bounds |N̂ − Σ e_j v_j|, and ΔZ = (γ_m + ρ')Z + 2τm likewise.
4. **Quotient** r = N̂/Ẑ: with N̂ = N* + dN and Ẑ = Z* + dZ, N*/Z* − r = (r dZ − dN)/(Ẑ − dZ), so
   |N*/Z* − fl(r)| ≤ (|r|ΔZ + ΔN)/(Ẑ − ΔZ) + u|r| + η.

Evaluating the bound itself errs by less than (dimension + 60)u relatively; it is multiplied by
1 + 2^-30. Rows with ρ > 1/16 are given up (infinite radius) to a later tier.
"""

from __future__ import annotations

import math

import numpy as np

from symattn.oracle.exponential import EXP64_UNITS, LOWEST, exp64
from symattn.oracle.problem import Float64Array, Problem

__all__ = ["blend", "enclose", "score_bound", "shifted_scores"]

U = 2.0**-53
ETA = 2.0**-1074
UP = 1 + 2.0**-30
#: Bounds what an exponential below e^-700 can differ from e^-700 by.
TAU = 1.1 * math.exp(LOWEST)
#: Rows at a time, so that what belongs to them stays in the processor's cache.
ROWS = 64


def enclose(problem: Problem) -> tuple[Float64Array, Float64Array]:
    """Midpoint and radius, each (n, d_v), of every output entry; infinite radius where unknown."""
    n, d_v = problem.q.shape[0], problem.v.shape[1]
    middle, radius = np.zeros((n, d_v)), np.zeros((n, d_v))
    if problem.k.shape[0] == 0:
        return middle, radius
    values = np.hstack([problem.v, np.abs(problem.v), np.ones((problem.v.shape[0], 1))])
    with np.errstate(all="ignore"):  # what overflows ends as an infinite radius
        for start in range(0, n, ROWS):
            rows = slice(start, start + ROWS)
            middle[rows], radius[rows] = _enclose_rows(problem.rows(rows), values)
    return middle, radius


def score_bound(problem: Problem, scores: Float64Array) -> Float64Array:
    """D of step 1, one number (n, 1) for each row."""
    d = problem.q.shape[1]
    sigma, exact = scale_factor(problem)
    queries = np.sqrt(np.einsum("ij,ij->i", problem.q, problem.q))[:, np.newaxis]
    keys = math.sqrt(np.einsum("ij,ij->i", problem.k, problem.k).max(initial=0.0))
    bound: Float64Array = gamma(d + (1 if exact else 3)) * abs(sigma) * queries * keys
    if problem.bias is not None:
        seen = np.where(problem.allowed, np.abs(scores), 0.0)
        bound = bound + U * seen.max(axis=1, keepdims=True, initial=0.0)
    bound = bound * UP + (d * abs(sigma) + 1) * ETA
    # The squares of tiny entries underflow in the norms.
    bound += gamma(d + 3) * abs(sigma) * 2.0**-500 * (keys + queries + 1)
    return bound


def shifted_scores(problem: Problem) -> tuple[Float64Array, Float64Array]:
    """x = t̂ − M, cut off at −700, and the bound D + uX on what x_j, plus M, is off by (n, 1)."""
    sigma, _ = scale_factor(problem)
    scores = problem.q @ problem.k.T
    scores *= sigma
    if problem.bias is not None:
        scores += problem.bias
    bound = score_bound(problem, scores)
    masked = None if problem.allowed.all() else ~problem.allowed
    if masked is not None:
        scores[masked] = -np.inf
    scores -= scores.max(axis=1, keepdims=True)
    if masked is not None:
        scores[masked] = 0.0
    np.maximum(scores, LOWEST, out=scores)
    spread = -scores.min(axis=1, keepdims=True)
    return scores, (bound + U * spread) * UP


def scale_factor(problem: Problem) -> tuple[float, bool]:
    """(σ in float64, whether it is exact)."""
    if problem.scale is not None:
        return problem.scale, True
    d = max(problem.q.shape[1], 1)
    return 1 / math.sqrt(d), d & (d - 1) == 0 and d.bit_length() % 2 == 1


def gamma(k: float) -> float:
    """γ_k = ku/(1 − ku)."""
    return k * U / (1 - k * U)


def blend(
    exponentials: Float64Array, values: Float64Array, rho: Float64Array
) -> tuple[Float64Array, Float64Array]:
    """Steps 3 and 4: Σ e_j v_j / Σ e_j and its bound, for e_j within ρ e_j + τ of what is given.

    `values` (m, 2 d_v + 1) holds v, |v| and a column of ones; `rho` is (n, 1).
    """
    m, d_v = values.shape[0], values.shape[1] // 2
    sums = exponentials @ values
    numerator, magnitude, total = sums[:, :d_v], sums[:, d_v:-1], sums[:, -1:]
    relative = (gamma(m) + rho / (1 - rho)) * UP
    numerator_off = relative * magnitude + 2 * TAU * values[:, d_v:-1].sum(axis=0) + m * ETA
    total_off = relative * total + 2 * TAU * m
    middle = numerator / total
    quotient_off = (np.abs(middle) * total_off + numerator_off) / (total - total_off)
    radius = (quotient_off + U * np.abs(middle)) * UP + ETA
    unknown = (rho > 1 / 16) | ~np.isfinite(radius)
    return middle, np.where(unknown, np.inf, radius)


def _enclose_rows(problem: Problem, values: Float64Array) -> tuple[Float64Array, Float64Array]:
    shifted, off = shifted_scores(problem)
    exponentials = exp64(shifted)
    if not problem.allowed.all():
        exponentials *= problem.allowed
    epsilon = EXP64_UNITS * U
    rho = (np.expm1(off) * (1 + epsilon) + epsilon) * UP
    middle, radius = blend(exponentials, values, rho)
    dead = ~np.any(problem.allowed, axis=1, keepdims=True)
    return np.where(dead, 0.0, middle), np.where(dead, 0.0, radius)
