r"""The ratio of two weights is e^{s_i - s_j}, so weights keep the order of the scores."""

from __future__ import annotations

from symattn.derivation.instances import Model
from symattn.derivation.proof import Proof, line
from symattn.exact.evaluate import evaluate
from symattn.exact.functions import sign
from symattn.exact.tree import Node
from symattn.exact.writing import number
from symattn.theorems.parts import fractions, instance, near_miss, softmax, tree

__all__ = ["prove"]


def prove(given: int | None = None) -> Proof:
    """Prove the theorem."""
    proof = Proof(
        "order",
        "A larger score has a larger weight",
        "The ratio of two weights is e to the difference of their scores; in particular `alpha[a]` "
        "is greater than `alpha[b]` where `s[a]` is greater than `s[b]`.",
        "The ratio does not depend on the other keys: they take from both weights alike.",
        given,
    )
    proof.sizes("n", "a", "b")
    proof.define("Z", "Sum(exp(s[l]), l, 1, n)")
    proof.define("alpha[i]", "exp(s[i])/Z")
    proof.assume("keys", "n >= 1", "There is at least one key, and no mask.")
    proof.assume(
        "larger", "s[a] > s[b]", "For the order: the score `s[a]` is above the score `s[b]`."
    )
    proof.model(_model)
    proof.step(
        "The ratio",
        "Divide one weight by another.",
        "The total is the same in both and cancels.",
        line("alpha[j] > 0", "alpha, Z", "positive", j="1..n"),
        line(
            "alpha[i]/alpha[j] == exp(s[i])/exp(s[j]) == exp(s[i] - s[j])",
            ["alpha, Z", ""],
            "ratio",
            i="1..n",
            j="1..n",
        ),
    )
    proof.step(
        "The order",
        "Compare the two exponentials, and divide both by the total.",
        "The exponential grows with its argument, and the total is positive.",
        line("exp(s[b]) < exp(s[a])", "monotonicity", "exponentials"),
        line(
            "alpha[b] == exp(s[b])/Sum(exp(s[l]), l, 1, n)"
            " < exp(s[a])/Sum(exp(s[l]), l, 1, n) == alpha[a]",
            ["alpha, Z", "monotonicity", "alpha, Z"],
            "order",
        ),
    )
    size = given or 3
    instance(
        proof, "Scores that fall by 1.", scaled=[str(-j) for j in range(size)], figures=["softmax"]
    )
    near_miss(
        proof,
        "the ratio of the scores",
        "The weights are taken to be in the ratio of the scores 2 and 1.",
        "It is their difference that counts, through the exponential.",
        tree("exp(2)/exp(1)"),
        tree("2/1"),
    )
    near_miss(
        proof,
        "a negative scale",
        "The scores (1, 0) are multiplied by -1.",
        "Then the order of the weights turns round.",
        softmax(tree("[-1, 0]")),
        softmax(tree("[1, 0]")),
    )
    proof.conclude(
        "The weights stand in the ratio of the exponentials and keep the order of the scores; "
        "equal scores have equal weights.",
        "ratio",
        "order",
    )
    return proof


def _model(n: int) -> Model | None:
    if n < 2:
        return None
    scores = fractions(n, 1)
    first, second = scores[:2]
    larger = (1, 2) if _is_larger(first, second) else (2, 1)
    return {"n": number(n), "s": scores, "a": number(larger[0]), "b": number(larger[1])}


def _is_larger(left: Node, right: Node) -> bool:
    return sign(evaluate(left) - evaluate(right)) > 0
