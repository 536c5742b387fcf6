r"""Softmax weights are a distribution: \alpha_{ij} > 0 and \sum_j \alpha_{ij} = 1 for each i."""

from __future__ import annotations

from symattn.derivation.instances import Model
from symattn.derivation.proof import Proof, line
from symattn.exact.writing import number
from symattn.theorems.parts import fractions, instance, near_miss, tree

__all__ = ["prove"]


def prove(given: int | None = None) -> Proof:
    """Prove the theorem."""
    proof = Proof(
        "normalised",
        "Weights are positive and add to 1",
        "Each query's weights are positive and add to 1, whatever the scores are.",
        "So an output is a weighted mean of all values, and no token is ever ignored altogether, "
        "however negative its score.",
        given,
    )
    proof.sizes("n", "q")
    proof.define("alpha[i, j]", "exp(s[i, j])/Sum(exp(s[i, l]), l, 1, n)")
    proof.assume("keys", "n >= 1", "There is at least one key, and no mask.")
    proof.remark("The scores are any real numbers; the softmax is taken along each row of them.")
    proof.model(_model)
    proof.step(
        "The total is positive",
        "Look at the sum that stands below every weight.",
        "A sum of at least one exponential is positive, so the quotient exists.",
        line("Sum(exp(s[i, l]), l, 1, n) > 0", label="total", i="1..q"),
    )
    proof.step(
        "Each weight is positive",
        "Divide one exponential by the total.",
        "A quotient of positive numbers is positive: a negative score makes a weight small, never "
        "negative and never zero.",
        line("alpha[i, j] > 0", "alpha", "positive", i="1..q", j="1..n"),
    )
    proof.step(
        "The weights of a row add to 1",
        "Take the common denominator out of the sum.",
        "The total does not depend on the index of summation.",
        line(
            "Sum(alpha[i, j], j, 1, n)"
            " == Sum(exp(s[i, j]), j, 1, n)/Sum(exp(s[i, l]), l, 1, n) == 1",
            ["alpha, constant factor", ""],
            "sum",
            i="1..q",
        ),
    )
    proof.step(
        "No weight exceeds 1",
        "Leave all the other terms out of the total.",
        "What is left out is not negative, so a weight is at most 1; with a second key it is less.",
        line(
            "1 - alpha[i, j] == Sum(alpha[i, l]*(1 - delta(j, l))**2, l, 1, n) >= 0",
            ["sum, linearity, constant factor, sifting", ""],
            "rest",
            i="1..q",
            j="1..n",
        ),
        line("alpha[i, j] <= 1", label="at most 1", i="1..q", j="1..n"),
    )
    size = given or 3
    instance(
        proof,
        "One score is high, one is low, and the rest lie between.",
        scaled=[str(x) for x in ([2, -3] + [0] * size)[:size]],
        figures=["softmax"],
    )
    near_miss(
        proof,
        "the softmax of each column",
        "The softmax is taken along the columns of the scores, which makes the columns add to 1.",
        "For the scores (1, 0) and (2, 0) of two queries, the first query's weights then add to "
        "something else.",
        tree("exp(1)/(exp(1) + exp(2)) + exp(0)/(exp(0) + exp(0))"),
        number(1),
    )
    proof.conclude(
        "Every weight is positive and every row of weights adds to 1. In floats a weight may "
        "underflow to 0, and then only the exact one is positive.",
        "positive",
        "sum",
        "at most 1",
    )
    return proof


def _model(n: int) -> Model:
    return {"n": number(n), "q": number(2), "s": (fractions(n, 1), fractions(n, 2))}
