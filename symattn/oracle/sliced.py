r"""The tier between: exponentials in float64, but both matrix products by slices.

It serves the few rows that the first tier leaves undecided: its error does not grow with the number
of keys and hardly with d. u = 2^-53, η = 2^-1074; `slices` proves the products and their errors Δ,
`exponential` the powers; scores count in steps of L as in `float64`, errors are stated in ones.

1. **Scores** t = σ q·k + b, from h = q·k within Δ. c = σ/L is within γ_2 and η, its product with h
   rounds by u and η: |t̂ − t| ≤ γ_3 |σh| + |σ|Δ + (|h| + 3)η. With a bias γ_4 |b| more, and γ_4 for
   γ_3, since the last sum rounds.
2. **Shift** x = t̂ − M, M the largest of the row, rounds by u|x|: with it δ is each key's own
   error.
3. **Exponentials** E are within ε = 2.25 u. Where x + δ < −700, 0 is known within τ = 1.1 e^-700;
   other x below −700 are set to it, which moves them by δ at most: 2δ.
4. **Sums** as in `pairs`: with ρ_j = (e^δ_j − 1)(1 + ε) + ε and ρ' = ρ/(1 − ρ),
   ΔN_c = Σ_j ρ'_j E_j |v_jc| + Δ_c + 2τ Σ|v_jc|, and ΔZ with v = 1.
5. **Quotient** as in `float64`.
"""

from __future__ import annotations

import numpy as np

from symattn.oracle.exponential import EXP64_UNITS, LOWEST, STEP, powers, steps
from symattn.oracle.float64 import ETA, TAU, UP, U, gamma, quotient, scale_in_steps
from symattn.oracle.problem import Float64Array, Problem
from symattn.oracle.rows import by_rows, cut, relative_error
from symattn.oracle.slices import product64

__all__ = ["blend", "enclose", "shifted_scores"]


def enclose(problem: Problem) -> tuple[Float64Array, Float64Array, Float64Array]:
    """hi, lo = 0 and radius, each (n, d_v); the radius is infinite where this tier cannot tell."""
    return by_rows(problem, _enclose)


def shifted_scores(problem: Problem) -> tuple[Float64Array, Float64Array]:
    """x = t̂ − M in steps of L (n, m), 0 where masked, and the bound δ of step 2, in ones."""
    scores, off = product64(problem.q, problem.k)
    sigma, constant = scale_in_steps(problem)
    size = np.abs(scores)
    off = gamma(3 if problem.bias is None else 4) * sigma * size + sigma * off + (size + 3) * ETA
    scores *= constant
    if problem.bias is not None:
        scores += problem.bias * steps(1)
        off += gamma(4) * np.abs(problem.bias)
    scores -= np.where(problem.allowed, scores, -np.inf).max(axis=1, keepdims=True)
    off += U * STEP * np.abs(scores)
    return np.where(problem.allowed, scores, 0.0), np.where(problem.allowed, off * UP, 0.0)


def blend(
    exponentials: Float64Array, values: Float64Array, rho: Float64Array
) -> tuple[Float64Array, Float64Array]:
    """Steps 4 and 5: Σ e_j v_j / Σ e_j and its bound, for e_j within ρ'_j E_j + 2τ of E_j.

    `values` (m, d_v + 1) ends in a column of ones; `rho` (n, m) is ρ'.
    """
    sums, off = product64(exponentials, np.ascontiguousarray(values.T))
    magnitude = np.abs(values)
    off += np.where(exponentials > 0, exponentials * rho, 0.0) @ magnitude
    off += 2 * TAU * magnitude.sum(axis=0)
    return quotient(sums[:, :-1], sums[:, -1:], off * UP)


def _enclose(problem: Problem) -> tuple[Float64Array, Float64Array, Float64Array]:
    shifted, off = shifted_scores(problem)
    known, below, off = cut(shifted * STEP, off)
    shifted[below] = LOWEST / STEP
    exponentials = powers(shifted)
    exponentials[known | ~problem.allowed] = 0.0
    values = np.hstack([problem.v, np.ones((problem.v.shape[0], 1))])
    middle, radius = blend(exponentials, values, relative_error(off, EXP64_UNITS * U))
    return middle, np.zeros_like(middle), radius
