r"""One token: with n = 1 the weight is 1 and the output is the token's own value."""

from __future__ import annotations

from symattn.derivation.instances import Model
from symattn.derivation.proof import Proof, line
from symattn.exact.writing import number
from symattn.theorems.parts import instance, near_miss, softmax, tree

__all__ = ["prove"]


def prove(given: int | None = None) -> Proof:
    """Prove the theorem."""
    proof = Proof(
        "single-token",
        "One token alone returns its own value",
        "For n = 1 the only weight is 1 and the output is the value `v[1, t]`, whatever the score.",
        "It is the smallest case of every formula, and the first that a wrong one gets wrong.",
        given,
    )
    proof.sizes("n", "d")
    proof.define("alpha[i]", "exp(s[i])/Sum(exp(s[l]), l, 1, n)")
    proof.define("z[t]", "Sum(alpha[j]*v[j, t], j, 1, n)")
    proof.assume("one", "n == 1", "There is one key, and it is not masked.")
    proof.model(_model, sizes=(1,))
    proof.step(
        "The weight",
        "The sum below the weight has one term.",
        "An exponential is positive, so it may be divided by itself.",
        line("alpha[1] == exp(s[1])/exp(s[1]) == 1", ["alpha, one", ""], "weight"),
    )
    proof.step(
        "The output",
        "The blend has one term too.",
        "Its weight is 1.",
        line("z[t] == alpha[1]*v[1, t] == v[1, t]", ["z, one", "weight"], "output", t="1..d"),
    )
    instance(
        proof,
        "One key, with a score far below zero.",
        q=["1", "0"],
        K=[["-20", "3"]],
        V=[["3", "5"]],
        figures=["softmax"],
    )
    near_miss(
        proof,
        "the scaling after the softmax",
        "With d_k = 4 the weights are divided by 2 instead of the scores.",
        "The weight of a single token is then 1/2, and its value comes back halved.",
        tree("exp(-20)/exp(-20)/sqrt(4)"),
        number(1),
    )
    near_miss(
        proof,
        "a second token",
        "A second key is there, with a score of 0.",
        "Then the weight depends on the scores.",
        softmax(tree("[-20, 0]")),
        tree("[1, 0]"),
    )
    proof.conclude("The weight is 1 and the output is the value.", "weight", "output")
    return proof


def _model(n: int) -> Model | None:
    return {"n": number(1), "d": number(2)} if n == 1 else None
