r"""The derivative of softmax: \partial\alpha_i/\partial s_j = \alpha_i (\delta_{ij} - \alpha_j).

Its rows sum to 0, no entry exceeds 1/4 in size, and all of it vanishes in the one-hot limit.
"""

from __future__ import annotations

from typing import Any

import sympy as sp

from symattn.derivation.instances import Model
from symattn.derivation.proof import Proof, line
from symattn.exact.writing import number
from symattn.theorems.parts import fractions, instance, near_miss, tree
from symattn.theorems.pictures import curve

__all__ = ["prove"]

PAIR: dict[str, Any] = {"i": "1..n", "j": "1..n"}
SQUARES = "Sum(alpha[l]*((1 - delta(i, l))*(1 - delta(j, l)))**2, l, 1, n)"


def prove(given: int | None = None) -> Proof:
    """Prove the theorem."""
    proof = Proof(
        "jacobian",
        "The derivative of the weights",
        "The derivative of the weight `alpha[i]` by the score `s[j]` is "
        "`alpha[i]*(delta(i, j) - alpha[j])`. These derivatives add to 0 over j, none exceeds 1/4 "
        "in size, and where one weight tends to 1 all of them tend to 0.",
        "Saturated weights pass no gradient: that is what the scale 1/√d_k keeps away.",
        given,
    )
    proof.sizes("n")
    proof.define("alpha[i]", "exp(s[i])/Sum(exp(s[l]), l, 1, n)")
    proof.assume("keys", "n >= 1", "There is at least one key, and no mask.")
    proof.model(_model)
    _derivative(proof)
    _bound(proof)
    _saturation(proof)
    others = (given or 2) - 1
    proof.picture(
        curve(
            "A weight and its slope: saturated on both sides",
            "x",
            {"alpha_1": "1/(1 + e^(-x))", "alpha_1*(1 - alpha_1)": "e^(-x)/(1 + e^(-x))^2"},
            ("1", "0"),
        )
    )
    instance(
        proof,
        "Raw scores 10 and 0 with d_k = 100: the gradient by the scaled scores (1, 0, ...).",
        scores=["10"] + ["0"] * others,
        scale="1/10",
        gradient=True,
        figures=["softmax"],
    )
    near_miss(
        proof,
        "without the scale",
        "The same raw scores (10, 0) are not divided by 10.",
        "The derivative then is more than a thousand times smaller.",
        tree("1000*exp(10)/(exp(10) + 1)^2"),
        tree("exp(1)/(exp(1) + 1)^2"),
        "<",
    )
    near_miss(
        proof,
        "the sigmoid's derivative for every entry",
        "The entry for two different keys with scores (0, 0) is taken to be `a*(1 - a)`.",
        "It is negative: what one weight gains the others lose.",
        tree("1/2*(1 - 1/2)"),
        tree("1/2*(0 - 1/2)"),
    )
    proof.conclude(
        "The derivative is largest where two weights are 1/2 each, and vanishes where one has all. "
        "By the raw scores it is `1/sqrt(d)` times this. For n = 1 it is 0.",
        "derivative",
        "row sum",
        "diagonal bound",
        "other bound",
        "saturated",
        "saturated beside",
    )
    return proof


def _derivative(proof: Proof) -> None:
    s, n = sp.IndexedBase("s"), sp.Symbol("n", integer=True, positive=True)
    i, j, k = (sp.Symbol(name, integer=True) for name in ("i", "j", "l"))
    total = sp.Sum(sp.exp(s[k]), (k, 1, n))
    derived = sp.diff(sp.exp(s[i]) / total, s[j])
    proof.step(
        "The derivative",
        "Differentiate the quotient, and pick the one term of the sum that depends on `s[j]`.",
        "SymPy differentiates; the delta says whether the numerator depends on the score.",
        line(
            f"D(alpha[i], s[j]) == {derived} == alpha[i]*(delta(i, j) - alpha[j])",
            ["alpha, differentiation, sifting", "alpha, sifting"],
            "derivative",
            **PAIR,
        ),
    )
    proof.step(
        "A row sums to 0",
        "Add the entries of row i.",
        "The weights add to 1, whatever the scores: a change takes as much as it gives.",
        line("alpha[j] > 0", "alpha", "positive", j="1..n"),
        line("Sum(alpha[l], l, 1, n) == 1", "alpha, constant factor", "sum"),
        line(
            "Sum(alpha[i]*(delta(i, j) - alpha[j]), j, 1, n)"
            " == alpha[i]*(1 - Sum(alpha[l], l, 1, n)) == 0",
            ["linearity, constant factor, sifting", "sum"],
            "row sum",
            i="1..n",
        ),
    )


def _bound(proof: Proof) -> None:
    proof.step(
        "The diagonal is at most 1/4",
        "Complete the square.",
        "A square is not negative.",
        line("1/4 - alpha[i]*(1 - alpha[i]) == (1/2 - alpha[i])**2", label="square", i="1..n"),
        line("(1/2 - alpha[i])**2 >= 0", label="square sign", i="1..n"),
        line("alpha[i]*(1 - alpha[i]) <= 1/4", "square", "diagonal bound", i="1..n"),
    )
    proof.step(
        "So is every other entry",
        "For two different keys, bound the product of their weights.",
        "Two weights add to at most 1, since what is missing is the weight of the other keys.",
        line(
            f"1 - alpha[i] - alpha[j] == {SQUARES} >= 0",
            ["sum, linearity, constant factor, sifting", ""],
            "rest",
            distinct=("i", "j"),
            **PAIR,
        ),
        line(
            "alpha[i]*(1 - alpha[i]) - alpha[i]*alpha[j] == alpha[i]*(1 - alpha[i] - alpha[j]) >= "
            "0",
            ["", ""],
            "product",
            distinct=("i", "j"),
            **PAIR,
        ),
        line(
            "alpha[i]*alpha[j] <= alpha[i]*(1 - alpha[i]) <= 1/4",
            ["", ""],
            "other bound",
            distinct=("i", "j"),
            **PAIR,
        ),
    )


def _saturation(proof: Proof) -> None:
    top = "1/(1 + Sum(exp(s[l] - M), l, 1, n - 1))"
    other = "exp(s[j] - M)/(1 + Sum(exp(s[l] - M), l, 1, n - 1))"
    proof.step(
        "Saturation",
        "Let one score `M` grow without bound while the other n - 1 stay.",
        "Its weight tends to 1 and the others to 0, so every product below has a factor that tends "
        "to 0.",
        line(f"lim({top}*(1 - {top}), M, oo) == 1*(1 - 1) == 0", ["limit", ""], "saturated"),
        line(f"lim(-{top}*({other}), M, oo) == 0", "limit", "saturated beside", j="1..n - 1"),
    )


def _model(n: int) -> Model:
    return {"n": number(n), "s": fractions(n, 1), "M": number(9)}
