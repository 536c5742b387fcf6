r"""Masked keys: e^{-\infty} = 0 gives weight exactly 0, and the softmax over the kept keys."""

from __future__ import annotations

from typing import Any

from symattn.derivation.instances import Model
from symattn.derivation.proof import Proof, line
from symattn.exact.tree import Call, Node
from symattn.exact.writing import number
from symattn.theorems.parts import fractions, instance, near_miss, tree

__all__ = ["prove"]


def prove(given: int | None = None) -> Proof:
    """Prove the theorem."""
    proof = Proof(
        "masking",
        "A masked key has weight 0",
        "A mask sets scores to −∞, whose exponential is 0 by convention. With at least one key "
        "kept, a masked key has weight exactly 0 and the others have the softmax over the kept "
        "keys alone. The causal mask keeps key j for query i where j ≤ i + m − n, for n queries "
        "and m keys.",
        "What must not be seen, the future for instance, is not made small but taken out "
        "altogether.",
        given,
    )
    proof.sizes("n", "m", "r")
    proof.define("alpha[j]", "e[j]/Sum(e[l], l, 1, m)")
    proof.assume("some kept", "r >= 1")
    proof.assume(
        "keys",
        "r <= m",
        "Of m keys the first r are kept, at least one; by the theorem on "
        "equivariance any mask can be brought to this form by a permutation of the keys.",
    )
    proof.assume("kept", "e[j] == exp(s[j])", j="1..r")
    proof.assume(
        "masked",
        "e[j] == 0",
        "`e[j]` is the exponential of the masked score: `exp(s[j])` for a kept key, 0 for a masked "
        "one.",
        j="r + 1..m",
    )
    proof.model(_model)
    proof.step(
        "The total",
        "Split the sum into kept and masked keys.",
        "The masked ones add nothing.",
        line(
            "Sum(e[l], l, 1, m) == Sum(exp(s[l]), l, 1, r) + Sum(0, l, r + 1, m)"
            " == Sum(exp(s[l]), l, 1, r)",
            ["split at r, kept, masked", ""],
            "total",
        ),
    )
    proof.step(
        "Masked keys",
        "Divide 0 by the total.",
        "The total is positive, since a key is kept.",
        line(
            "alpha[j] == 0/Sum(exp(s[l]), l, 1, r) == 0",
            ["alpha, total, masked", ""],
            "zero",
            j="r + 1..m",
        ),
    )
    proof.step(
        "Kept keys",
        "Divide the exponential of a kept score by the total.",
        "The total is that of the kept keys alone, so this is their softmax.",
        line(
            "alpha[j] == exp(s[j])/Sum(exp(s[l]), l, 1, r)",
            "alpha, total, kept",
            "softmax of the kept",
            j="1..r",
        ),
        line(
            "Sum(alpha[j], j, 1, m) == 1",
            "split at r, softmax of the kept, zero, constant factor",
            "sum",
        ),
    )
    _causal(proof)
    _ends(proof, given)
    proof.conclude(
        "Masked keys get exactly 0. With every key masked there is nothing to divide by, and what "
        "to return is a convention; here it is excluded.",
        "zero",
        "softmax of the kept",
        "sum",
        "causal zero",
        "causal",
        "triangle",
    )
    return proof


def _causal(proof: Proof) -> None:
    """The causal mask, for n queries and m keys, and for n = m."""
    proof.define("beta[i, j]", "f[i, j]/Sum(f[i, l], l, 1, m)")
    proof.define("gamma[i, j]", "g[i, j]/Sum(g[i, l], l, 1, n)")
    rows: dict[str, Any] = {"i": "1..n"}
    proof.assume(
        "enough keys",
        "m >= n",
        "For the causal mask there are at least as many keys as "
        "queries, so that each query keeps one.",
    )
    proof.assume("causal kept", "f[i, j] == exp(x[i, j])", **rows, j="1..i + m - n")
    proof.assume(
        "causal masked",
        "f[i, j] == 0",
        "In row i, `f[i, j]` is `exp(x[i, j])` for j ≤ i + m − n and 0 for later keys; `g[i, j]` "
        "is the same for n = m.",
        **rows,
        j="i + m - n + 1..m",
    )
    proof.assume("square kept", "g[i, j] == exp(x[i, j])", **rows, j="1..i")
    proof.assume("square masked", "g[i, j] == 0", **rows, j="i + 1..n")
    for model in proof.models:
        proof.check_model(model)
    total = "Sum(exp(x[i, l]), l, 1, i + m - n)"
    proof.step(
        "The causal mask",
        "Take r = i + m − n in row i.",
        "The last query keeps all m keys, and each query before it one key less.",
        line(
            f"Sum(f[i, l], l, 1, m) == {total}",
            "split at i + m - n, causal kept, causal masked",
            "causal total",
            **rows,
        ),
        line(
            "beta[i, j] == 0",
            "beta, causal total, causal masked",
            "causal zero",
            **rows,
            j="i + m - n + 1..m",
        ),
        line(
            f"beta[i, j] == exp(x[i, j])/{total}",
            "beta, causal total, causal kept",
            "causal",
            **rows,
            j="1..i + m - n",
        ),
    )
    proof.step(
        "As many queries as keys",
        "For n = m row i keeps the first i keys.",
        "Every weight above the diagonal is 0: the matrix of weights is lower triangular.",
        line(
            "Sum(g[i, l], l, 1, n) == Sum(exp(x[i, l]), l, 1, i)",
            "split at i, square kept, square masked",
            "square total",
            **rows,
        ),
        line(
            "gamma[i, j] == 0",
            "gamma, square total, square masked",
            "triangle",
            **rows,
            j="i + 1..n",
        ),
    )


def _ends(proof: Proof, given: int | None) -> None:
    n = given or 3
    instance(
        proof,
        "A causal mask over equal queries and keys.",
        Q=[["1"]] * n,
        K=[[str(j)] for j in range(1, n + 1)],
        V=[[str(j)] for j in range(1, n + 1)],
        causal=True,
        figures=["grid"],
    )
    near_miss(
        proof,
        "a mask after the softmax",
        "The weights of the scores (1, 0) are set to 0 at the second key, after dividing.",
        "The weights that are left do not add to 1.",
        tree("exp(1)/(exp(1) + 1) + 0"),
        number(1),
    )
    near_miss(
        proof,
        "a large negative number for −∞",
        "The masked score is −100, not −∞.",
        "The weight is tiny, but it is not 0.",
        tree("exp(-100)/(exp(1) + exp(-100))"),
        number(0),
    )


def _model(n: int) -> Model:
    m = n + 1
    r = max(1, m - 2)
    s = fractions(m, 1)
    x = tuple(fractions(m, i) for i in range(n))
    return {
        "n": number(n),
        "m": number(m),
        "r": number(r),
        "s": s,
        "x": x,
        "e": _masked(s, r),
        "f": tuple(_masked(row, i + m - n) for i, row in enumerate(x, start=1)),
        "g": tuple(_masked(row[:n], i) for i, row in enumerate(x, start=1)),
    }


def _masked(scores: tuple[Node, ...], kept: int) -> tuple[Node, ...]:
    """Exponentials of the first scores, and 0 for the rest."""
    return tuple(Call("exp", s) if j < kept else number(0) for j, s in enumerate(scores))
