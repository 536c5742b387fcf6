r"""Reordering the tokens reorders the outputs: attention(PX) = P·attention(X), P a permutation.

(PX)_i = x_{\sigma(i)} for the permutation \sigma of P, and the scores become P (Q K^T) P^T.
"""

from __future__ import annotations

from symattn.derivation.instances import Model
from symattn.derivation.proof import Proof, line
from symattn.exact.tree import Node
from symattn.exact.writing import number
from symattn.theorems.parts import (
    fractions,
    instance,
    matmul,
    matrix,
    near_miss,
    softmax,
    transpose,
    tree,
)

__all__ = ["prove"]


def prove(given: int | None = None) -> Proof:
    """Prove the theorem."""
    proof = Proof(
        "equivariance",
        "Reordering the tokens reorders the outputs and nothing else",
        "If the rows of the input `X` are permuted, so that row i is the old row `sigma[i]`, the "
        "rows of the scores and of the output are permuted in the same way, and the columns of "
        "the scores too. Permuting keys and values together changes nothing at all.",
        "Attention by itself does not know the order of its tokens; whoever needs the order must "
        "put it into the tokens.",
        given,
    )
    proof.sizes("n", "e", "d")
    proof.permutation("sigma", "n")
    for letter, weights in (("q", "A"), ("k", "B"), ("v", "C")):
        proof.define(f"{letter}[i, t]", f"Sum(X[i, a]*{weights}[a, t], a, 1, e)")
        proof.define(f"{letter}_P[i, t]", f"Sum(Y[i, a]*{weights}[a, t], a, 1, e)")
    proof.define("Y[i, a]", "Sum(delta(sigma[i], l)*X[l, a], l, 1, n)")
    for tag in ("", "_P"):
        score = f"Sum(q{tag}[i, t]*k{tag}[j, t], t, 1, d)/sqrt(d)"
        proof.define(f"s{tag}[i, j]", score)
        weight = f"exp(s{tag}[i, j])/Sum(exp(s{tag}[i, l]), l, 1, n)"
        proof.define(f"alpha{tag}[i, j]", weight)
        proof.define(f"z{tag}[i, t]", f"Sum(alpha{tag}[i, j]*v{tag}[j, t], j, 1, n)")
    proof.assume("keys", "n >= 1", "There is at least one token; no mask, no positional encoding.")
    proof.assume("width", "d >= 1")
    proof.remark(
        "Queries, keys and values are X A, X B and X C for any matrices A, B, C; `Y` is the "
        "permuted input P X, where P has the entry `delta(sigma[i], l)` in row i and column l."
    )
    proof.model(_model)
    _inputs(proof)
    _scores(proof)
    _outputs(proof)
    _keys(proof)
    _ends(proof, given)
    proof.conclude(
        "attention(P X) = P attention(X), the scores become P S Pᵀ, and keys and values permuted "
        "together give the same output.",
        "scores permuted",
        "matrix form",
        "output",
        "keys and values",
    )
    return proof


def _inputs(proof: Proof) -> None:
    proof.step(
        "The permuted inputs",
        "Multiply the input by the permutation matrix.",
        "Each row of the matrix has a single 1, which picks one row.",
        line("Y[i, a] == X[sigma[i], a]", "Y, sifting", "inputs", i="1..n", a="1..e"),
    )
    proof.step(
        "Queries, keys and values follow",
        "Project the permuted rows.",
        "Each row is projected by itself, so row i is the old row `sigma[i]`.",
        *(
            line(
                f"{letter}_P[i, t] == {letter}[sigma[i], t]",
                f"{letter}_P, {letter}, inputs",
                f"{letter} permuted",
                i="1..n",
                t="1..d",
            )
            for letter in "qkv"
        ),
    )


def _scores(proof: Proof) -> None:
    proof.step(
        "The scores",
        "Multiply permuted queries with permuted keys.",
        "Rows follow the queries and columns the keys; as a matrix it is P S Pᵀ.",
        line(
            "s_P[i, j] == Sum(q[sigma[i], t]*k[sigma[j], t], t, 1, d)/sqrt(d)"
            " == s[sigma[i], sigma[j]]",
            ["s_P, q permuted, k permuted", "s"],
            "scores permuted",
            i="1..n",
            j="1..n",
        ),
        line(
            "s_P[i, j] == Sum(Sum(delta(sigma[i], a)*s[a, b]*delta(sigma[j], b), b, 1, n), a, 1, "
            "n)",
            "scores permuted, sifting",
            "matrix form",
            i="1..n",
            j="1..n",
        ),
    )


def _outputs(proof: Proof) -> None:
    proof.step(
        "The weights",
        "Take the softmax of a row.",
        "The same exponentials are added in another order.",
        line(
            "Sum(exp(s_P[i, l]), l, 1, n) == Sum(exp(s[sigma[i], sigma[l]]), l, 1, n)"
            " == Sum(exp(s[sigma[i], l]), l, 1, n)",
            ["scores permuted", "reindexing"],
            "total",
            i="1..n",
        ),
        line(
            "alpha_P[i, j] == alpha[sigma[i], sigma[j]]",
            "alpha_P, alpha, scores permuted, reindexing",
            "weights",
            i="1..n",
            j="1..n",
        ),
    )
    proof.step(
        "The output",
        "Blend the permuted values with the permuted weights.",
        "Again only the order of the terms has changed.",
        line(
            "z_P[i, t] == Sum(alpha[sigma[i], sigma[j]]*v[sigma[j], t], j, 1, n)"
            " == Sum(alpha[sigma[i], j]*v[j, t], j, 1, n) == z[sigma[i], t]",
            ["z_P, weights, v permuted", "reindexing", "z"],
            "output",
            i="1..n",
            t="1..d",
        ),
    )


def _keys(proof: Proof) -> None:
    before = "Sum(exp(r[j])*u[j], j, 1, n)/Sum(exp(r[l]), l, 1, n)"
    after = "Sum(exp(r[sigma[j]])*u[sigma[j]], j, 1, n)/Sum(exp(r[sigma[l]]), l, 1, n)"
    proof.step(
        "Keys and values permuted together",
        "Keep the query, and permute its scores `r[j]` and the values `u[j]` alike.",
        "Numerator and denominator are sums over all keys, in whatever order.",
        line(f"{after} == {before}", "reindexing", "keys and values"),
    )


def _ends(proof: Proof, given: int | None) -> None:
    n = given or 3
    tokens = [["1", "0"], ["0", "1"], ["1", "1"], ["2", "0"], ["0", "2"]]
    X = [tokens[j % 5] if j < 5 else [str(j), "1"] for j in range(n)]
    units = [["1", "0"], ["0", "1"]]
    instance(
        proof,
        "The last token comes first.",
        X=X,
        W_Q=units,
        W_K=units,
        W_V=units,
        permutation=[n, *range(1, n)],
        figures=["permutation"],
    )
    first, second = tree("[[1, 0], [0, 1]]"), tree("[[0, 1], [1, 0]]")
    swap, places = second, tree("[[1, 0], [0, 0]]")
    near_miss(
        proof,
        "with a positional encoding",
        "The tokens (1, 0) and (0, 1) are swapped, and the first place adds (1, 0) to its token.",
        "The places do not move with the tokens, so the outputs are not merely swapped.",
        _attention(_sum(second, places)),
        matmul(swap, _attention(_sum(first, places))),
    )
    near_miss(
        proof,
        "keys permuted without their values",
        "The keys behind the scores (1, 0) are swapped, but their values 3 and 0 are not.",
        "Then each weight meets the wrong value.",
        matmul(softmax(tree("[[0, 1]]")), tree("[[3], [0]]")),
        matmul(softmax(tree("[[1, 0]]")), tree("[[3], [0]]")),
    )


def _sum(left: Node, right: Node) -> Node:
    from symattn.exact.tree import Add

    return Add((left, right))


def _attention(X: Node) -> Node:
    """Unscaled self-attention of a token matrix."""
    return matmul(softmax(matmul(X, transpose(X))), X)


def _model(n: int) -> Model:
    order = tuple(number(j) for j in (*range(2, n + 1), 1))
    model: Model = {"n": number(n), "e": number(1), "d": number(1), "sigma": order}
    if n <= 3:
        return model  # with open inputs and projections
    numbers = {"X": matrix(n, 1, n), "A": ((number(2),),), "B": ((number(1),),)}
    scores = {"r": fractions(n, 3), "u": fractions(n, 5)}
    return {**model, **numbers, **scores, "C": ((number(3),),)}
