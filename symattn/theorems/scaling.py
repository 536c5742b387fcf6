r"""Why scores are divided by \sqrt{d_k}: Var(q·k) = d_k for independent standard entries.

From the moments alone; no distribution is assumed. `normal_moments` checks them for normal entries
by sympy.stats, and the models of the proof for fair signs by enumeration.
"""

from __future__ import annotations

from typing import Any

import sympy as sp

from symattn.derivation.instances import Model
from symattn.derivation.proof import Proof, line
from symattn.exact.writing import number
from symattn.theorems.parts import instance, near_miss, tree
from symattn.theorems.pictures import spread

__all__ = ["normal_moments", "prove"]


def prove(given: int | None = None) -> Proof:
    """Prove the theorem."""
    proof = Proof(
        "scaling",
        "Why scores are divided by the root of d_k",
        "Let all 2d entries of `q` and `k` be mutually independent, each with mean 0 and variance "
        "1. Then the score `y`, their dot product, has mean 0 and variance `d`; `y/sqrt(d)` has "
        "variance 1, and `y/d` has variance `1/d`.",
        "Without the scale scores spread like the root of the width and the softmax saturates; "
        "divided by the width itself they shrink towards 0 and the weights towards uniform.",
        given,
    )
    proof.sizes("d")
    proof.random("q", "k")
    proof.define("y", "Sum(q[t]*k[t], t, 1, d)")
    proof.assume("width", "d >= 1", "The width `d`, which is d_k, is at least 1.")
    for name in ("q", "k"):
        proof.assume(f"mean of {name}", f"E({name}[t]) == 0", t="1..d")
        proof.assume(f"variance of {name}", f"E({name}[t]**2) == 1", t="1..d")
    proof.remark(
        "The entries are mutually independent with `E(q[t])` = `E(k[t])` = 0 and "
        "`E(q[t]**2)` = `E(k[t]**2)` = 1; the variance of Y is `E(Y**2) - E(Y)**2`."
    )
    proof.model(_model, sizes=range(1, 5))
    _mean(proof)
    _covariances(proof)
    _variance(proof)
    _scaled(proof)
    width = given or 2
    if width > 4:
        width = 4
    query, key = ["1", "-1", "1", "1"][:width], ["1", "1", "1", "-1"][:width]
    proof.picture(spread("The spread of a score grows like √d_k", (1, 4, 16, 64, 256)))
    instance(
        proof,
        "A query and two keys of signs: such entries have mean 0 and variance 1.",
        q=query,
        K=[key, query],
        figures=["scores", "softmax"],
    )
    near_miss(
        proof,
        "entries that are not independent",
        "Key and query are the same fair signs, so that each product is 1.",
        "For d = 4 the score is then 4 for sure: its second moment is 16, not 4.",
        tree("(1 + 1 + 1 + 1)^2"),
        number(4),
    )
    near_miss(
        proof,
        "divided by d_k",
        "The score is divided by d = 4 instead of its root.",
        "The variance is then 4/16, not 1.",
        tree("4/4^2"),
        number(1),
    )
    proof.conclude(
        "The variance of the score is `d`, of the scaled score 1, and of a score divided by `d` "
        "only `1/d`: that is why the scale is the root.",
        "mean",
        "variance",
        "scaled",
        "over-shrunk",
    )
    return proof


def _mean(proof: Proof) -> None:
    proof.step(
        "The mean",
        "Take the expected value of each product.",
        "Expectation is linear, and for independent factors the mean of the product is the product "
        "of the means.",
        line(
            "E(y) == Sum(E(q[t]*k[t]), t, 1, d) == Sum(E(q[t])*E(k[t]), t, 1, d) == 0",
            ["y, linearity of expectation", "independence", "mean of q, mean of k"],
            "mean",
        ),
    )


def _covariances(proof: Proof) -> None:
    for name in ("q", "k"):
        both = f"E({name}[t]*{name}[u])"
        proof.step(
            f"Products of two entries of {name}",
            "Tell the same entry from two different ones.",
            "Different entries are independent and have mean 0; the same entry gives its variance.",
            line(f"E({name}[t]*{name}[t]) == 1", f"variance of {name}", f"{name} same", t="1..d"),
            line(
                f"{both} == E({name}[t])*E({name}[u]) == 0",
                ["independence", f"mean of {name}"],
                f"{name} different",
                distinct=("t", "u"),
                t="1..d",
                u="1..d",
            ),
            line(
                f"{both} == delta(t, u)",
                f"{name} same, {name} different",
                f"covariance of {name}",
                method="cases",
                t="1..d",
                u="1..d",
            ),
        )


def _variance(proof: Proof) -> None:
    proof.step(
        "The second moment",
        "Square the sum, and take the expected value of each product of two terms.",
        "Only the d products in which both terms have the same index are left.",
        line(
            "E(y**2) == Sum(Sum(E(q[t]*q[u])*E(k[t]*k[u]), u, 1, d), t, 1, d)"
            " == Sum(Sum(delta(t, u)*delta(t, u), u, 1, d), t, 1, d)"
            " == Sum(1, t, 1, d) == d",
            [
                "y, linearity of expectation, independence",
                "covariance of q, covariance of k",
                "sifting",
                "constant summand",
            ],
            "second moment",
        ),
    )
    proof.step(
        "The variance",
        "Subtract the square of the mean.",
        "The mean is 0.",
        line("E(y**2) - E(y)**2 == d", "second moment, mean", "variance"),
    )


def _scaled(proof: Proof) -> None:
    d, second = sp.symbols("d m2", positive=True)
    by_root, by_width = (second / scale**2 for scale in (sp.sqrt(d), d))
    for title, scale, derived, result, label in (
        ("Divided by the root of d", "sqrt(d)", by_root, "1", "scaled"),
        ("Divided by d itself", "d", by_width, "1/d", "over-shrunk"),
    ):
        text = str(derived).replace("m2", "E(y**2)")
        proof.step(
            title,
            "Take the scale out of the expected values.",
            "A constant factor leaves a second moment as its square.",
            line(
                f"E((y/{scale})**2) - E(y/{scale})**2 == {text} - (E(y)/{scale})**2 == {result}",
                ["linearity of expectation", "second moment, mean"],
                label,
            ),
        )


def normal_moments(d: int) -> tuple[Any, Any]:
    """Mean and variance of q·k for standard normal entries, by sympy.stats.

    >>> normal_moments(2)
    (0, 2)
    """
    from sympy.stats import E, Normal

    q, k = ([Normal(f"{name}{t}", 0, 1) for t in range(d)] for name in "qk")
    products = sp.expand(sum(a * b for a, b in zip(q, k, strict=True)) ** 2)
    mean = sum(E(a) * E(b) for a, b in zip(q, k, strict=True))
    return mean, sp.Add(*(E(term) for term in sp.Add.make_args(products))) - mean**2


def _model(n: int) -> Model | None:
    return {"d": number(n)} if n <= 4 else None
