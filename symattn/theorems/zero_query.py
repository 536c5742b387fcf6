r"""A zero query: all scores are 0, every weight is 1/n, and the output is the mean."""

from __future__ import annotations

from symattn.derivation.instances import Model
from symattn.derivation.proof import Proof, line
from symattn.exact.writing import number
from symattn.theorems.parts import instance, near_miss, softmax, tree

__all__ = ["prove"]


def prove(given: int | None = None) -> Proof:
    """Prove the theorem."""
    proof = Proof(
        "zero-query",
        "A zero query gives the mean of the values",
        "If every entry of the query is 0, every weight is `1/n` and the output is the mean of the "
        "values, whatever the keys are.",
        "A query that asks for nothing is answered by everything alike, and nothing divides by "
        "zero.",
        given,
    )
    proof.sizes("n", "d", "w")
    proof.define("s[j]", "Sum(q[t]*k[j, t], t, 1, d)/sqrt(d)")
    proof.define("alpha[i]", "exp(s[i])/Sum(exp(s[l]), l, 1, n)")
    proof.define("z[c]", "Sum(alpha[j]*v[j, c], j, 1, n)")
    proof.assume("keys", "n >= 1", "There is at least one key, and no mask.")
    proof.assume("width", "d >= 1", "Queries and keys have at least one coordinate.")
    proof.assume("zero query", "q[t] == 0", "The query is zero: `q[t]` is 0.", t="1..d")
    proof.model(_model)
    proof.step(
        "All scores are zero",
        "Multiply the zero query with any key.",
        "Every product has a factor 0, and the scale has nothing left to scale.",
        line(
            "s[j] == Sum(0*k[j, t], t, 1, d)/sqrt(d) == 0",
            ["s, zero query", "constant factor"],
            "scores",
            j="1..n",
        ),
    )
    proof.step(
        "The weights are equal",
        "Raise e to the scores and divide.",
        "Every exponential is 1, so the total counts the keys.",
        line("Sum(exp(s[l]), l, 1, n) == n", "scores, constant summand", "total"),
        line("alpha[i] == 1/n", "alpha, scores, constant summand", "weights", i="1..n"),
    )
    proof.step(
        "The output is the mean",
        "Blend the values with equal weights.",
        "The common factor goes before the sum.",
        line(
            "z[c] == Sum(1/n*v[j, c], j, 1, n) == 1/n*Sum(v[j, c], j, 1, n)",
            ["z, weights", "constant factor"],
            "output",
            c="1..w",
        ),
    )
    size = given or 3
    instance(
        proof,
        "The query is (0, 0); the keys are as different as can be.",
        q=["0", "0"],
        K=[[str(5 * j), str(-j * j)] for j in range(1, size + 1)],
        V=[[str(j), str((-2) ** j)] for j in range(1, size + 1)],
        figures=["softmax", "blend"],
    )
    near_miss(
        proof,
        "zero keys for all but one",
        "One key is (1, 0) instead of all entries of the query being 0; the query is (1, 0).",
        "A zero key only gives its own score 0; the other score still counts.",
        softmax(tree("[1/sqrt(2), 0]")),
        tree("[1/2, 1/2]"),
    )
    proof.conclude("Every weight is `1/n` and the output is the mean.", "weights", "output")
    return proof


def _model(n: int) -> Model:
    return {"n": number(n), "d": number(2), "w": number(1), "q": (number(0), number(0))}
