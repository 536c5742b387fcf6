r"""Attention block by block: a running maximum m, total l and accumulator o (online softmax).

l' = e^{m-m'} l + \sum e^{s_j-m'},  o' = e^{m-m'} o + \sum e^{s_j-m'} v_j,  and o/l at the end
(Milakov and Gimelshein 2018; the recurrence of FlashAttention, Dao et al. 2022).
"""

from __future__ import annotations

from typing import Any

from symattn.derivation.instances import Model
from symattn.derivation.proof import Proof, line
from symattn.exact.tree import Add, Call, Mul, Neg, Node
from symattn.exact.writing import number
from symattn.theorems.parts import fractions, instance, matrix, near_miss, tree
from symattn.theorems.pictures import profiles, weights

__all__ = ["prove"]

FULL = "Sum(exp(s[j])*v[j, t], j, 1, n)/Sum(exp(s[j]), j, 1, n)"


def prove(given: int | None = None) -> Proof:
    """Prove the theorem."""
    proof = Proof(
        "online",
        "Attention block by block",
        "Keys are read in blocks. With a running reference `m[k]`, total `l[k]` and accumulator "
        "`o[k, t]`, which are rescaled whenever the reference changes, the quotient `o[B, t]/l[B]` "
        "after the last block is the output of full attention.",
        "The whole row of scores need never be in memory, which is what makes long inputs "
        "possible.",
        given,
    )
    proof.sizes("n", "r", "B", "b")
    proof.assume("keys", "n >= 1", "There is at least one key, and no mask.")
    proof.remark(
        "The references are any real numbers. For the largest score so far no exponent is positive "
        "and nothing overflows; the value of the result does not depend on them."
    )
    _two_blocks_declared(proof)
    _blocks_declared(proof)
    proof.model(_model)
    _two_blocks(proof)
    _induction(proof, "l", "", "")
    _induction(proof, "o", "*v[j, t]", ", t")
    proof.step(
        "The end",
        "Divide the accumulator by the total after the last block.",
        "All keys are read then, and the reference cancels.",
        line(
            f"o[B, t]/l[B]"
            " == Sum(exp(s[j] - m[B])*v[j, t], j, 1, n)/Sum(exp(s[j] - m[B]), j, 1, n)"
            f" == {FULL}",
            ["state o, state l, all read", "constant factor"],
            "output",
            t="1..d",
        ),
    )
    size = given or 4
    proof.picture(
        profiles(
            "Two blocks alone, and merged",
            {
                "block 1: scores 1, 2": weights("1", "2"),
                "block 2: scores 3, 4": weights("3", "4"),
                "merged": weights("1", "2", "3", "4"),
            },
        )
    )
    instance(
        proof,
        "The full softmax of the scores that the blocks (1, 2, ...) hold.",
        scaled=[str(j) for j in range(1, size + 1)],
        V=[[str(j * j)] for j in range(1, size + 1)],
        figures=["softmax"],
    )
    near_miss(
        proof,
        "without rescaling",
        "Two keys with scores 0 and 1 are read one by one, but the first total is not rescaled.",
        "Old and new exponentials then count from different references.",
        tree("(1*1 + 1*2)/(1 + 1)"),
        tree("(exp(-1)*1 + 1*2)/(exp(-1) + 1)"),
    )
    proof.conclude(
        "Any number of blocks of any sizes, empty ones too, give the output of full attention; two "
        "finished blocks may also be merged in any order.",
        "merged total",
        "merged output",
        "state l",
        "state o",
        "output",
    )
    return proof


def _two_blocks_declared(proof: Proof) -> None:
    proof.sizes("d")
    for tag, low, high in (("A", "1", "r"), ("B", "r + 1", "n")):
        proof.define(f"l_{tag}", f"Sum(exp(s[j] - m_{tag}), j, {low}, {high})")
        proof.define(f"o_{tag}[t]", f"Sum(exp(s[j] - m_{tag})*v[j, t], j, {low}, {high})")
    proof.assume("first part", "r >= 0")
    proof.assume("second part", "r <= n", "Of two blocks the first holds the keys 1 to r.")
    proof.assume(
        "largest", "s[j] <= M", "For the sizes alone: `M` is no less than any score.", j="1..n"
    )


def _blocks_declared(proof: Proof) -> None:
    """State 1 is before the first block; state k + 1 has read the keys up to b[k + 1]."""
    steps: dict[str, str] = {"k": "1..B - 1"}
    proof.assume("states", "B >= 1", "There are `B` states; state 1 is before any block.")
    proof.assume("none read", "b[1] == 0")
    proof.assume(
        "all read",
        "b[B] == n",
        "The keys up to `b[k]` are read in state k: none in state 1, all in state `B`.",
    )
    proof.assume("reads on", "b[k] <= b[k + 1]", **steps)
    proof.assume("counts", "b[k] >= 0", k="1..B")
    for name, value, tail in (("l", "", ""), ("o", "*v[j, t]", ", t")):
        head = {"t": "1..d"} if tail else {}
        proof.assume(f"empty {name}", f"{name}[1{tail}] == 0", **head)
        proof.assume(
            f"next {name}",
            f"{name}[k + 1{tail}] == exp(m[k] - m[k + 1])*{name}[k{tail}]"
            f" + Sum(exp(s[j] - m[k + 1]){value}, j, b[k] + 1, b[k + 1])",
            **steps,
            **head,
        )
    proof.remark(
        "In state 1 total and accumulator are 0 and the reference is any finite number, so that no "
        "difference of infinities arises; each block rescales what is there and adds its own "
        "terms: the next total is `exp(m[k] - m[k + 1])*l[k] + Sum(exp(s[j] - m[k + 1]), j, b[k] "
        "+ 1, b[k + 1])`, and the accumulator has the values as factors."
    )


def _two_blocks(proof: Proof) -> None:
    proof.step(
        "No exponent is positive",
        "Subtract the largest score.",
        "The exponential grows with its argument, so each term is at most 1.",
        line("exp(s[j] - M) <= exp(0) == 1", ["monotonicity", ""], "sizes", j="1..n"),
    )
    for name, value, tail, label in (
        ("l", "", "", "total"),
        ("o", "*v[j, t]", "[t]", "accumulator"),
    ):
        first, second = (f"Sum(exp(s[j] - M){value}, j, {r})" for r in ("1, r", "r + 1, n"))
        indices: dict[str, Any] = {"t": "1..d"} if tail else {}
        proof.step(
            f"Merge two blocks: the {label}",
            "Rescale both parts to the common reference `M` and add them.",
            "The factor before each sum changes its reference; then the ranges join.",
            line(
                f"exp(m_A - M)*{name}_A{tail} + exp(m_B - M)*{name}_B{tail}"
                f" == {first} + {second} == Sum(exp(s[j] - M){value}, j, 1, n)",
                [f"{name}_A, {name}_B, constant factor", "split at r"],
                f"merged {label}",
                **indices,
            ),
        )
    proof.step(
        "Merge two blocks: the output",
        "Divide the merged accumulator by the merged total.",
        "The common reference cancels.",
        line(
            "Sum(exp(s[j] - M)*v[j, t], j, 1, n)/Sum(exp(s[j] - M), j, 1, n)" + f" == {FULL}",
            "constant factor",
            "merged output",
            t="1..d",
        ),
    )


def _induction(proof: Proof, name: str, value: str, tail: str) -> None:
    what = "total" if name == "l" else "accumulator"
    state = f"{name}[{{0}}{tail}]"
    read = f"Sum(exp(s[j] - m[{{0}}]){value}, j, 1, b[{{0}}])"
    claim = f"{state} == {read}"
    indices: dict[str, Any] = {"t": "1..d"} if tail else {}
    block = f"Sum(exp(s[j] - m[k + 1]){value}, j, b[k] + 1, b[k + 1])"
    scaled = "exp(m[k] - m[k + 1])*"
    proof.step(
        f"Any number of blocks: the {what}",
        f"Show by induction that in every state the {what} is that of all keys read so far.",
        "It holds before the first block, where both are 0; and a block that is read keeps it "
        "true.",
        line(claim.format("1"), f"empty {name}, none read", f"base {name}", **indices),
        line(
            f"{state.format('k + 1')} == {scaled}{state.format('k')} + {block}"
            f" == {scaled}{read.format('k')} + {block} == {read.format('k + 1')}",
            [f"next {name}", "hypothesis", "constant factor, split at b[k]"],
            f"step {name}",
            hypothesis=claim.format("k"),
            k="1..B - 1",
            **indices,
        ),
        line(
            claim.format("k"),
            f"base {name}, step {name}",
            f"state {name}",
            method="induction",
            k="1..B",
            **indices,
        ),
    )


def _model(n: int) -> Model:
    ends = [0, *range(2, n, 2), n]
    scores, values = fractions(n, 1), matrix(n, 1, 2)
    references = fractions(len(ends), 3)
    totals: list[Node] = [number(0)]
    sums: list[Node] = [number(0)]
    for k in range(1, len(ends)):
        keys = range(ends[k - 1], ends[k])
        parts = [_exp(scores[j], references[k]) for j in keys]
        rescale = _exp(references[k - 1], references[k])
        totals.append(Add((Mul((rescale, totals[-1])), *parts)))
        products = [Mul((part, values[j][0])) for part, j in zip(parts, keys, strict=True)]
        sums.append(Add((Mul((rescale, sums[-1])), *products)))
    return {
        "n": number(n),
        "d": number(1),
        "r": number(n // 2),
        "B": number(len(ends)),
        "b": tuple(map(number, ends)),
        "s": scores,
        "v": values,
        "m": references,
        "l": tuple(totals),
        "o": tuple((o,) for o in sums),
        "M": number(6),
        "m_A": number(1),
        "m_B": number(2),
    }


def _exp(left: Node, right: Node) -> Node:
    return Call("exp", Add((left, Neg(right))))
