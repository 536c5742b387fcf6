r"""Only differences of scores matter: softmax(s + c·1) = softmax(s), and what follows for keys."""

from __future__ import annotations

import sympy as sp

from symattn.derivation.instances import Model
from symattn.derivation.proof import Proof, line
from symattn.exact.writing import number
from symattn.theorems.parts import instance, near_miss, softmax, tree
from symattn.theorems.pictures import profiles, weights

__all__ = ["prove"]


def prove(given: int | None = None) -> Proof:
    """Prove the theorem."""
    proof = Proof(
        "shift",
        "A constant added to all scores changes no weight",
        "The softmax of the scores `s[j] + c` is the softmax of the scores `s[j]`, for every real "
        "`c`; and one vector `u` added to every key changes no weight of any query.",
        "It is why implementations may subtract the largest score before they exponentiate, and "
        "overflow nowhere.",
        given,
    )
    proof.sizes("n", "d")
    proof.define("alpha[i]", "exp(s[i])/Sum(exp(s[l]), l, 1, n)")
    proof.define("beta[i]", "exp(s[i] + c)/Sum(exp(s[l] + c), l, 1, n)")
    proof.assume("keys", "n >= 1", "There is at least one key, and no mask.")
    proof.assume("width", "d >= 1")
    proof.model(_model)
    c, score = sp.symbols("c s_i")
    factored = sp.expand(sp.exp(score + c), power_exp=True)  # e^(s+c) as a product
    factored_text = str(factored).replace("s_i", "s[l]")
    proof.step(
        "The shifted total",
        "Split each exponential into two factors.",
        "The factor of the shift is the same in every term, so it goes before the sum.",
        line(
            f"Sum(exp(s[l] + c), l, 1, n) == Sum({factored_text}, l, 1, n)"
            " == exp(c)*Sum(exp(s[l]), l, 1, n)",
            ["", "constant factor"],
            "total",
        ),
    )
    proof.step(
        "The shift cancels",
        "Divide the shifted exponential by the shifted total.",
        "Numerator and denominator carry the same positive factor.",
        line(
            "beta[i] == (exp(c)*exp(s[i]))/(exp(c)*Sum(exp(s[l]), l, 1, n)) == alpha[i]",
            ["beta, total", "alpha"],
            "shift",
            i="1..n",
        ),
    )
    _keys(proof)
    size = given or 3
    proof.picture(
        profiles(
            "Scores that differ by a constant have the same weights",
            {
                "scores 1, 0, −2": weights("1", "0", "-2"),
                "scores 101, 100, 98": weights("101", "100", "98"),
            },
        )
    )
    instance(
        proof,
        "A thousand is added to scores 1, 0, ...; the weights do not show it.",
        scaled=[str(1000 + max(0, 2 - j)) for j in range(1, size + 1)],
        figures=["softmax"],
    )
    near_miss(
        proof,
        "a factor instead of a constant",
        "The scores are doubled instead of shifted.",
        "A factor changes their differences, and with them the weights.",
        softmax(tree("[2, 0]")),
        softmax(tree("[1, 0]")),
    )
    proof.conclude(
        "The softmax sees the differences of scores alone, and keys may be moved together at will.",
        "shift",
        "keys moved",
    )
    return proof


def _keys(proof: Proof) -> None:
    """The corollary about keys."""
    proof.define("r[j]", "Sum(q[t]*k[j, t], t, 1, d)/sqrt(d)")
    proof.define("p[j]", "Sum(q[t]*(k[j, t] + u[t]), t, 1, d)/sqrt(d)")
    proof.define("b", "Sum(q[t]*u[t], t, 1, d)/sqrt(d)")
    proof.step(
        "A vector added to every key shifts the scores",
        "Multiply the query with the moved key.",
        "The dot product is linear, and the query's product with the added vector is the same for "
        "every key.",
        line(
            "p[j] == (Sum(q[t]*k[j, t], t, 1, d) + Sum(q[t]*u[t], t, 1, d))/sqrt(d) == r[j] + b",
            ["p, linearity", "r, b"],
            "scores moved",
            j="1..n",
        ),
    )
    proof.step(
        "So it changes no weight",
        "Take the softmax of the moved scores.",
        "They are the old ones plus a constant.",
        line(
            "exp(p[i])/Sum(exp(p[l]), l, 1, n)"
            " == exp(r[i] + b)/Sum(exp(r[l] + b), l, 1, n)"
            " == exp(r[i])/Sum(exp(r[l]), l, 1, n)",
            ["scores moved", "constant factor"],
            "keys moved",
            i="1..n",
        ),
    )


def _model(n: int) -> Model:
    return {"n": number(n), "d": number(2 if n < 5 else 1)}
