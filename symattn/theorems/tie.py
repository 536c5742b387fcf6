r"""Equal scores: s_j = c for all j gives \alpha_j = 1/n and the mean of the values as output."""

from __future__ import annotations

import sympy as sp

from symattn.derivation.instances import Model
from symattn.derivation.proof import Proof, line
from symattn.exact.tree import Symbol
from symattn.exact.writing import number
from symattn.theorems.parts import instance, near_miss, softmax, transpose, tree
from symattn.theorems.pictures import profiles, weights

__all__ = ["prove"]


def prove(given: int | None = None) -> Proof:
    """Prove the theorem."""
    proof = Proof(
        "tie",
        "Equal scores give equal weights",
        "If all n scaled scores are equal, every weight is `1/n` and the output is the mean of the "
        "values, whatever the common score `c` is.",
        "It is the neutral state of attention: without a preference, nothing but averaging is "
        "left.",
        given,
    )
    proof.sizes("n", "d")
    proof.define("Z", "Sum(exp(s[l]), l, 1, n)")
    proof.define("alpha[i]", "exp(s[i])/Z")
    proof.define("z[t]", "Sum(alpha[j]*v[j, t], j, 1, n)")
    proof.assume("keys", "n >= 1", "There is at least one key, and no mask.")
    proof.assume("tie", "s[j] == c", "All scaled scores are equal: `s[j]` is `c`.", j="1..n")
    proof.model(_model)

    c, index, n = sp.Symbol("c"), sp.Symbol("l", integer=True), sp.Symbol("n", positive=True)
    total = sp.Sum(sp.exp(c), (index, 1, n)).doit()
    proof.step(
        "The total",
        "Add the n exponentials, which are all the same.",
        "The total stands below every weight, so it comes first.",
        line(f"Z == Sum(exp(c), l, 1, n) == {total}", ["Z, tie", "constant summand"], "total"),
    )
    proof.step(
        "The weights",
        "Divide one exponential by the total.",
        "The exponential of `c` is positive, so it cancels, and `c` is gone.",
        line(
            f"alpha[i] == exp(c)/({total}) == {sp.exp(c) / total}",
            ["alpha, tie, total", ""],
            "weights",
            i="1..n",
        ),
    )
    proof.step(
        "The output",
        "Blend the values with these weights.",
        "A common factor goes before the sum, and what is left is the mean.",
        line(
            "z[t] == Sum(1/n*v[j, t], j, 1, n) == 1/n*Sum(v[j, t], j, 1, n)",
            ["z, weights", "constant factor"],
            "output",
            t="1..d",
        ),
    )
    n_given = given or 4
    values = [[str(3 * j), str(j * j)] for j in range(1, n_given + 1)]
    proof.picture(
        profiles(
            "Whatever the common score is, each of n keys gets 1/n",
            {
                "two scores of 0": weights("0", "0"),
                "three of 4": weights("4", "4", "4"),
                "four of −7": weights("-7", "-7", "-7", "-7"),
            },
        )
    )
    instance(
        proof, "All scores are 4.", scaled=["4"] * n_given, V=values, figures=["softmax", "blend"]
    )
    wrong = transpose(softmax(transpose(tree("[[4, 4, 4], [4, 1, 0]]"))))
    near_miss(
        proof,
        "the softmax of each column",
        "The softmax is taken along the columns of the scores instead of the rows.",
        "The first query's scores tie, but its weights then depend on the other query's.",
        wrong,
        softmax(tree("[[4, 4, 4], [4, 1, 0]]")),
    )
    proof.conclude(
        "Every weight is `1/n`, and the output is the mean of the values. A tie at the top alone "
        "is a matter of the theorem on temperature; for n = 1 the weight is 1.",
        "weights",
        "output",
    )
    return proof


def _model(n: int) -> Model:
    return {"n": number(n), "d": number(2), "s": (Symbol("c"),) * n}
