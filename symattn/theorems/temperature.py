r"""Softmax with a temperature: weights e^{s_j/T}/\sum e^{s_l/T} for T to 0 and T to infinity.

At 0 the maxima share equally; at infinity all keys do.
"""

from __future__ import annotations

import sympy as sp

from symattn.derivation.instances import Model
from symattn.derivation.proof import Proof, line
from symattn.exact.writing import number
from symattn.theorems.parts import instance, near_miss, tree
from symattn.theorems.pictures import profiles, weights

__all__ = ["prove"]

COLD = "exp((s[j] - m)/T)/(r + Sum(exp((s[l] - m)/T), l, r + 1, n))"


def prove(given: int | None = None) -> Proof:
    """Prove the theorem."""
    proof = Proof(
        "temperature",
        "Cold softmax picks the maxima, hot softmax is uniform",
        "Divide the scores by a temperature `T`. As `T` falls to 0, the r keys with the greatest "
        "score `m` share the weight equally, `1/r` each, and the others get 0; as `T` grows "
        "without bound, every key gets `1/n`.",
        "The scale of the scores decides between a hard choice and plain averaging; 1/√d_k is one "
        "fixed temperature.",
        given,
    )
    proof.sizes("n", "r")
    proof.define("alpha[j]", "exp(s[j]/T)/Sum(exp(s[l]/T), l, 1, n)")
    proof.assume("temperature", "T > 0", "The temperature is positive.")
    proof.assume("some top", "r >= 1")
    proof.assume(
        "keys",
        "r <= n",
        "There is at least one key, and no mask; r of them, at least 1, have the greatest score.",
    )
    proof.assume("top", "s[j] == m", j="1..r")
    proof.assume(
        "below",
        "s[j] < m",
        "The keys with the greatest score `m` stand first, by the theorem on equivariance; all "
        "other scores are less.",
        j="r + 1..n",
    )
    proof.model(_model)
    _cold(proof)
    uniform = sp.limit(sp.exp(1 / sp.Symbol("T")), sp.Symbol("T"), sp.oo)  # SymPy's 1
    proof.step(
        "Hot",
        "Let `T` grow without bound.",
        "Every exponent tends to 0 and every exponential to 1, and there are n of them.",
        line(
            f"lim(Sum(exp(s[l]/T), l, 1, n), T, oo) == Sum({uniform}, l, 1, n) == n",
            ["limit", "constant summand"],
            "hot total",
        ),
        line("lim(alpha[j], T, oo) == 1/n", "limit, alpha, constant summand", "hot", j="1..n"),
    )
    size = given or 3
    proof.picture(
        profiles(
            "Scores 2, 2, 1 at three temperatures",
            {
                "T = 1/10": weights("20", "20", "10"),
                "T = 1": weights("2", "2", "1"),
                "T = 10": weights("1/5", "1/5", "1/10"),
            },
        )
    )
    instance(
        proof,
        "A temperature of 1/10 is a scale of 10: two maxima, and the rest below.",
        scores=["1"] * min(2, size) + ["0"] * (size - 2),
        scale="10",
        figures=["scores", "softmax"],
    )
    near_miss(
        proof,
        "the temperature outside the softmax",
        "The weights of the scores (1, 0), not the scores, are divided by T = 1/2.",
        "They then add to 2, and their ratio is as it was.",
        tree("exp(1)/(exp(1) + 1)/(1/2) + 1/(exp(1) + 1)/(1/2)"),
        number(1),
    )
    near_miss(
        proof,
        "a tie at the top",
        "Of the scores (1, 1, 0), the first is taken to get all the weight as T falls to 0.",
        "At T = 1/10 it has less than half already, and it never has more.",
        tree("exp(10)/(2*exp(10) + 1)"),
        tree("1/2"),
        "<",
    )
    proof.conclude(
        "Between the two extremes every temperature gives some mixture. For n = 1 the weight is 1 "
        "at every temperature.",
        "maxima",
        "others",
        "hot",
    )
    return proof


def _cold(proof: Proof) -> None:
    proof.step(
        "Divide by the largest term",
        "Divide numerator and denominator by the exponential of `m/T`.",
        "As T falls to 0 both grow without bound; afterwards the r greatest terms are 1.",
        line(
            "alpha[j] == exp((s[j] - m)/T)/Sum(exp((s[l] - m)/T), l, 1, n)",
            "alpha, constant factor",
            "divided",
            j="1..n",
        ),
        line(
            "Sum(exp((s[l] - m)/T), l, 1, n)"
            " == Sum(1, l, 1, r) + Sum(exp((s[l] - m)/T), l, r + 1, n)"
            " == r + Sum(exp((s[l] - m)/T), l, r + 1, n)",
            ["split at r, top", "constant summand"],
            "total",
        ),
    )
    proof.step(
        "Cold",
        "Let `T` fall to 0.",
        "Every exponent that is left is a negative number over T and falls without bound.",
        line(
            f"lim(alpha[j], T, 0) == lim({COLD}, T, 0) == 0",
            ["limit, alpha, constant factor, split at r, top, constant summand", "limit"],
            "others",
            j="r + 1..n",
        ),
        line(
            f"lim(alpha[j], T, 0) == lim({COLD.replace('exp((s[j] - m)/T)', '1', 1)}, T, 0) == 1/r",
            ["limit, alpha, constant factor, split at r, top, constant summand", "limit"],
            "maxima",
            j="1..r",
        ),
    )


def _model(n: int) -> Model:
    r = 1 if n < 3 else 2
    scores = (number(3),) * r + tuple(number(2 - j) for j in range(n - r))
    return {"n": number(n), "r": number(r), "m": number(3), "T": number(2), "s": scores}
