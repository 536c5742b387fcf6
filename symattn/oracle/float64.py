r"""The first tier: attention in float64 with an a-priori bound on its error.

u = 2^-53, η = 2^-1074, γ_k = ku/(1 − ku); M is the largest computed score of a row. The matrix
products are conventional inner products in any order, fused or not (Higham, section 3.1). Scores
are counted in steps of L = ln 2/4096 (`exponential`), so that one constant c = σ/L on q does for
the scale and for the base of the exponential; errors below are stated for scores in units of 1.

1. **Scores** t = σ q·k + b. c is within γ_2 and η (σ is a float, or 1/(√d L) is rounded once), cq
   within another u and η, the product in γ_d |cq|·|k| and dη. Since |q|·|k| ≤ ‖q‖‖k‖, all keys of a
   row have |t̂ − t| ≤ D = γ_{d+3} |σ| ‖q‖ max‖k‖ + (d + √d max‖k‖ + ‖q‖ max‖k‖)η.
   A bias b/L is within γ_2|b| + η, and its sum rounds by u|t̂|: D is taken with γ_{d+4}, and B_j =
   γ_4|b_j| + η comes on top, with the largest B_j of the row. Left out are keys with x below −800
   and B_j below |x|/17: where D + uX < 1/16, they are below −700 for certain, so what their bias
   errs by is of no account, as that of a mask of −10^9 or less.
2. **Shift** x = t̂ − M rounds by u|x|. What lies below −700 is set to −700. Where all |t̂| of some
   rows are within 100, any M serves: M = 0, and nothing rounds (X = 0). So for computed
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

from symattn.oracle.exponential import EXP64_UNITS, LOWEST, STEP, powers, steps
from symattn.oracle.problem import Float64Array, Problem

__all__ = ["blend", "enclose", "quotient", "scale_in_steps", "score_bound", "shifted_scores"]

U = 2.0**-53
ETA = 2.0**-1074
UP = 1 + 2.0**-30
#: Bounds what an exponential below e^-700 can differ from e^-700 by.
TAU = 1.1 * math.exp(LOWEST)
#: Scores of this size need no shift: e^±100 is far from what overflows or underflows.
UNSHIFTED = 100
#: Scores at a time. Four arrays of them are one block of 4 MB: small enough for the cache, and so
#: large that common allocators keep that much from call to call (new pages cost a third more).
ENTRIES = 1 << 17


def enclose(problem: Problem) -> tuple[Float64Array, Float64Array]:
    """Midpoint and radius, each (n, d_v), of every output entry; infinite radius where unknown."""
    (n, d_v), m = (problem.q.shape[0], problem.v.shape[1]), problem.k.shape[0]
    if m == 0:
        return np.zeros((n, d_v)), np.zeros((n, d_v))
    values = np.hstack([problem.v, np.abs(problem.v), np.ones((m, 1))])
    sums, off = np.empty((n, values.shape[1])), np.empty((n, 1))
    step = max(1, min(n, max(16, ENTRIES // m)))
    room = np.empty((4, step, m))
    with np.errstate(all="ignore"):  # what overflows ends as an infinite radius
        bound = score_bound(problem)
        for start in range(0, n, step):
            rows = slice(start, start + step)
            part = problem.rows(rows)
            work = room[:, : part.q.shape[0]]
            shifted, off[rows] = shifted_scores(part, bound[rows], work[0])
            exponentials = powers(shifted, work[1:])
            if not part.allowed.all():
                exponentials *= part.allowed
            np.matmul(exponentials, values, out=sums[rows])
        epsilon = EXP64_UNITS * U
        rho = (np.expm1(off) * (1 + epsilon) + epsilon) * UP
        middle, radius = blend(sums, values, rho)
    dead = ~np.any(problem.allowed, axis=1)
    middle[dead], radius[dead] = 0.0, 0.0
    return middle, radius


def score_bound(problem: Problem) -> Float64Array:
    """D of step 1, one number (n, 1) for each row; the part of the bias comes in its turn."""
    d, sigma = problem.q.shape[1], scale_in_steps(problem)[0]
    queries = np.sqrt(np.einsum("ij,ij->i", problem.q, problem.q))[:, np.newaxis]
    keys = math.sqrt(np.einsum("ij,ij->i", problem.k, problem.k).max(initial=0.0))
    relative = gamma(d + 3) if problem.bias is None else gamma(d + 4)
    bound: Float64Array = relative * sigma * queries * keys * UP
    bound += (d + 1 + math.sqrt(d) * keys + queries * keys) * UP * ETA
    # The squares of tiny entries underflow in the norms.
    bound += relative * sigma * 2.0**-500 * (keys + queries + 1)
    return bound


def shifted_scores(
    problem: Problem, bound: Float64Array, out: Float64Array | None = None
) -> tuple[Float64Array, Float64Array]:
    """x = t̂ − M in steps of L, cut off at −700, and what x_j plus M is off by (n, 1), in ones.

    `bound` is that of `score_bound`.
    """
    scores = np.matmul(problem.q * scale_in_steps(problem)[1], problem.k.T, out=out)
    if problem.bias is not None:
        scores += problem.bias * steps(1)
    elif (bound <= gamma(problem.q.shape[1] + 3) * UNSHIFTED).all():
        return scores, bound
    masked = None if problem.allowed.all() else ~problem.allowed
    if masked is not None:
        scores[masked] = -np.inf
    scores -= scores.max(axis=1, keepdims=True)
    if masked is not None:
        scores[masked] = 0.0
    if problem.bias is not None:
        moved = gamma(4) * np.abs(problem.bias) + ETA
        far = (scores < -800 / STEP) & (moved < scores * (-STEP / 17))
        bound = bound + np.where(far, 0.0, moved).max(axis=1, keepdims=True)
    spread = -scores.min(axis=1, keepdims=True)
    if not spread.max() <= -LOWEST / STEP:  # NaN goes this way too
        np.maximum(scores, LOWEST / STEP, out=scores)
        np.minimum(spread, -LOWEST / STEP, out=spread)
    return scores, (bound + U * STEP * spread) * UP


def scale_in_steps(problem: Problem) -> tuple[float, float]:
    """|σ| to within 2u, and c = σ/L to within γ_2 and η."""
    if problem.scale is not None:
        return abs(problem.scale), problem.scale * steps(1)
    d = max(problem.q.shape[1], 1)
    return 1 / math.sqrt(d), steps(d)


def blend(
    sums: Float64Array, values: Float64Array, rho: Float64Array
) -> tuple[Float64Array, Float64Array]:
    """Steps 3 and 4: Σ e_j v_j / Σ e_j and its bound, for e_j within ρ e_j + τ of what was summed.

    `values` (m, 2 d_v + 1) holds v, |v| and a column of ones, `sums` is the exponentials (n, m)
    times that; `rho` is (n, 1).
    """
    m, d_v = values.shape[0], values.shape[1] // 2
    relative = (gamma(m) + np.where(rho < 1 / 16, rho / (1 - rho), np.inf)) * UP
    off = relative * sums[:, d_v:]
    off += 2 * TAU * values[:, d_v:].sum(axis=0) + m * ETA
    return quotient(sums[:, :d_v], sums[:, -1:], off)


def quotient(
    numerator: Float64Array, total: Float64Array, off: Float64Array
) -> tuple[Float64Array, Float64Array]:
    """Step 4: numerator/total and its bound; `off` (n, d_v + 1) bounds the errors of both."""
    middle = numerator / total
    size = np.abs(middle)
    radius = size * off[:, -1:]
    radius += off[:, :-1]
    radius /= total - off[:, -1:]
    size *= U
    radius += size
    radius *= UP
    radius += ETA
    radius[~(radius >= 0)] = np.inf  # NaN goes this way too
    return middle, radius


def gamma(k: float) -> float:
    """γ_k = ku/(1 − ku)."""
    return k * U / (1 - k * U)
