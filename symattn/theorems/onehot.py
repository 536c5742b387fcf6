r"""One score M against the others: the weights for M to plus and minus infinity, and how fast.

With gap = M - max of the other scores, 1 - \alpha_M <= (n - 1) e^{-gap}.
"""

from __future__ import annotations

import sympy as sp

from symattn.derivation.instances import Model
from symattn.derivation.proof import Proof, line
from symattn.exact.evaluate import evaluate
from symattn.exact.functions import sign
from symattn.exact.tree import Add, Neg, Node
from symattn.exact.writing import number
from symattn.theorems.parts import fractions, instance, near_miss, tree
from symattn.theorems.pictures import profiles, weights

__all__ = ["prove"]

REST = "Sum(exp(s[l]), l, 1, n - 1)"
DIVIDED = "Sum(exp(s[l] - M), l, 1, n - 1)"


def prove(given: int | None = None) -> Proof:
    """Prove the theorem."""
    proof = Proof(
        "onehot",
        "One score that grows takes all the weight",
        "Let one of n scores be `M` and the others fixed, with n ≥ 2. As `M` grows without bound "
        "its weight `top` tends to 1 and every other weight `w[j]` to 0; as `M` falls without "
        "bound its weight tends to 0 and the others to the softmax of their own scores. And `top` "
        "misses 1 by at most `(n - 1)*exp(-gap)`, where `gap` is how far `M` is above the largest "
        "other score.",
        "Softmax becomes a hard choice, exponentially fast in the gap, and never quite.",
        given,
    )
    proof.sizes("n")
    proof.define("top", f"exp(M)/(exp(M) + {REST})")
    proof.define("w[j]", f"exp(s[j])/(exp(M) + {REST})")
    proof.assume("keys", "n >= 2", "There are at least two keys, and no mask.")
    proof.assume(
        "gap",
        "s[j] <= M - gap",
        "For the bound alone: no other score is above `M - gap`. The others keep any order.",
        j="1..n - 1",
    )
    proof.remark(
        "The score `M` stands last; by the theorem on equivariance the place is no matter."
    )
    proof.model(_model)
    _upwards(proof)
    _downwards(proof)
    proof.step(
        "How fast",
        "Bound what the other keys get.",
        "Without the other terms the denominator is smaller, and each exponent is at most -gap.",
        line(
            f"1 - top == {REST}/(exp(M) + {REST}) <= {REST}/exp(M) == {DIVIDED}"
            " <= Sum(exp(-gap), l, 1, n - 1) == (n - 1)*exp(-gap)",
            ["top", "monotonicity", "constant factor", "monotonicity", "constant summand"],
            "bound",
        ),
    )
    others = (given or 3) - 1
    proof.picture(
        profiles(
            "As one score grows, its weight takes all",
            {f"scores {M}, 0, 0": weights(M, "0", "0") for M in ("0", "2", "9")},
        )
    )
    instance(
        proof,
        "M is open; its limits, and its value at M = 20.",
        scaled=["M"] + ["0"] * others,
        limits=["M -> oo", "M -> -oo"],
        at={"M": "20"},
        figures=["curve"],
    )
    near_miss(
        proof,
        "without the factor n - 1",
        "For the scores (1, 0, 0) the bound is taken to be exp(-gap) alone.",
        "Two other keys together can get more than that.",
        tree("1 - exp(1)/(exp(1) + 2)"),
        tree("exp(-1)"),
        ">",
    )
    proof.conclude(
        "The weight tends to 1 or to 0, and the bound says how fast. For n = 1 the weight is 1 for "
        "every `M`, so the fall to 0 needs a second key.",
        "to one",
        "others to zero",
        "to zero",
        "others alone",
        "bound",
    )
    return proof


def _upwards(proof: Proof) -> None:
    M, other = sp.symbols("M other")
    limit = sp.limit(1 / (1 + sp.exp(other - M)), M, sp.oo)  # of one other score: SymPy's 1
    proof.step(
        "Divide by the largest term",
        "Divide numerator and denominator by the exponential of `M`.",
        "Both grow without bound, and their quotient says nothing until the largest term is 1.",
        line(f"top == 1/(1 + {DIVIDED})", "top, constant factor", "divided"),
        line(
            f"w[j] == exp(s[j] - M)/(1 + {DIVIDED})",
            "w, constant factor",
            "others divided",
            j="1..n - 1",
        ),
    )
    proof.step(
        "M grows",
        "Let `M` grow without bound in what was divided.",
        "Every exponent that holds `-M` falls without bound, and its exponential to 0; there are "
        "finitely many.",
        line(
            f"lim(top, M, oo) == lim(1/(1 + {DIVIDED}), M, oo) == {limit}",
            ["limit, top, constant factor", "limit"],
            "to one",
        ),
        line(
            f"lim(w[j], M, oo) == lim(exp(s[j] - M)/(1 + {DIVIDED}), M, oo) == 0",
            ["limit, w, constant factor", "limit"],
            "others to zero",
            j="1..n - 1",
        ),
    )


def _downwards(proof: Proof) -> None:
    proof.step(
        "M falls",
        "Let `M` fall without bound in the weights as they are.",
        "The exponential of `M` tends to 0; the others' total stays, and is positive as n ≥ 2.",
        line("lim(top, M, -oo) == 0", "limit, top", "to zero"),
        line(f"lim(w[j], M, -oo) == exp(s[j])/{REST}", "limit, w", "others alone", j="1..n - 1"),
    )


def _model(n: int) -> Model | None:
    if n < 2:
        return None
    scores = fractions(n - 1, 2)
    top = max(map(evaluate, scores), key=lambda x: x.as_rational() or 0)
    M: Node = number(7)
    assert sign(evaluate(M) - top) > 0
    largest = next(s for s in scores if sign(evaluate(s) - top) == 0)
    return {"n": number(n), "s": scores, "M": M, "gap": Add((M, Neg(largest)))}
