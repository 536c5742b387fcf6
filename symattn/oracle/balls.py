r"""The third tier: one output row in balls (Arb), at any precision, and exact decisions on ties.

A ball needs no derivation: Arb proves each operation. What balls cannot decide is whether an output
*is* a given number c (the midpoint between two floats), or differs from it by weights like
e^-100000. That is decided exactly: o − c has the sign of Σ_j e^{s_j}(v_j − c) with the exact scores
s_j. These are real algebraic numbers, and exponentials of distinct algebraic numbers are linearly
independent over the algebraic numbers (Lindemann–Weierstrass), so o = c iff Σ (v_j − c) = 0 over
every group of equal scores; if not, the groups that do not vanish are summed in balls, relative to
the largest of them. Two scores σa + b and σa' + b' with rational a, b and irrational σ are equal
iff a = a' and b = b'; where σ is rational, the scores are rational numbers themselves.
"""

from __future__ import annotations

import math
from collections.abc import Hashable

from flint import arb, arb_mat, ctx, fmpq

from symattn.errors import UndecidedError
from symattn.oracle.problem import Problem

__all__ = ["LARGEST_PRECISION", "row_balls", "side", "to_fraction"]

LARGEST_PRECISION = 1 << 14

#: Weights below e^-10^6 of the largest are taken as the ball [0, e^-10^6].
_NEGLIGIBLE = -1e6


def row_balls(problem: Problem, i: int, precision: int) -> list[arb]:
    """Balls around the d_v outputs of query i, computed with `precision` bits."""
    before, ctx.prec = ctx.prec, precision
    try:
        seen = problem.allowed[i].nonzero()[0].tolist()
        if not seen:
            return [arb(0)] * problem.v.shape[1]
        scores = _scores(problem, i, seen)
        largest = scores[0]
        for score in scores[1:]:
            largest = score if score.mid() > largest.mid() else largest
        shift = largest.mid()
        exponentials = [_exp(score - shift) for score in scores]
        total = sum(exponentials, arb(0))
        values = arb_mat([[arb(x) for x in problem.v[j].tolist()] for j in seen])
        blended = arb_mat([exponentials]) * values
        return [blended[0, c] / total for c in range(problem.v.shape[1])]
    finally:
        ctx.prec = before


def side(problem: Problem, i: int, column: int, candidate: fmpq) -> int:
    """The sign of output (i, column) less the rational number `candidate`: −1, 0 or 1.

    Raises UndecidedError where that takes more than `LARGEST_PRECISION` bits.
    """
    groups = _excess(problem, i, column, candidate)
    before, precision = ctx.prec, 128
    try:
        while groups and precision <= LARGEST_PRECISION:
            ctx.prec = precision
            sigma = _scale(problem)
            scores = [(sigma * product + bias, excess) for product, bias, excess in groups]
            shift = max((score.mid() for score, _ in scores), default=arb(0))
            total = sum((_exp(score - shift) * excess for score, excess in scores), arb(0))
            if total != 0:  # the ball does not hold 0
                return 1 if total > 0 else -1
            precision *= 2
    finally:
        ctx.prec = before
    if not groups:
        return 0
    raise UndecidedError(
        f"output ({i}, {column}) is not {candidate}, but as near as {LARGEST_PRECISION} bits show"
    )


def to_fraction(x: float) -> fmpq:
    """A float as the exact rational number that it is."""
    return fmpq(*x.as_integer_ratio())


def _scores(problem: Problem, i: int, seen: list[int]) -> list[arb]:
    d = problem.q.shape[1]
    if d == 0:
        products = [arb(0)] * len(seen)
    else:
        query = arb_mat([[arb(x) for x in problem.q[i].tolist()]])
        keys = arb_mat([[arb(x) for x in problem.k[j].tolist()] for j in seen])
        row = query * keys.transpose()
        products = [row[0, c] for c in range(len(seen))]
    sigma = _scale(problem)
    scores = [product * sigma for product in products]
    if problem.bias is None:
        return scores
    bias = problem.bias[i].tolist()
    return [score + arb(bias[j]) for score, j in zip(scores, seen, strict=True)]


def _excess(
    problem: Problem, i: int, column: int, candidate: fmpq
) -> list[tuple[fmpq, fmpq, fmpq]]:
    """(q·k, bias, Σ (v_j − candidate)) over each group of equal scores, unless that is 0."""
    groups: dict[Hashable, list[fmpq]] = {}
    sigma = _rational_scale(problem)
    query = [to_fraction(x) for x in problem.q[i].tolist()]
    for j in problem.allowed[i].nonzero()[0].tolist():
        key = (to_fraction(x) for x in problem.k[j].tolist())
        product = sum((a * b for a, b in zip(query, key, strict=True)), fmpq(0))
        bias = fmpq(0) if problem.bias is None else to_fraction(float(problem.bias[i, j]))
        score = (product, bias) if sigma is None else (sigma * product + bias,)
        name = tuple((int(x.p), int(x.q)) for x in score)
        group = groups.setdefault(name, [product, bias, fmpq(0)])
        group[2] += to_fraction(float(problem.v[j, column])) - candidate
    return [(product, bias, excess) for product, bias, excess in groups.values() if excess != 0]


def _scale(problem: Problem) -> arb:
    """σ as a ball."""
    if problem.scale is not None:
        return arb(problem.scale)
    return arb(max(problem.q.shape[1], 1)).rsqrt()


def _exp(x: arb) -> arb:
    """e^x for x near 0 or below."""
    if x < _NEGLIGIBLE:
        tail = arb(_NEGLIGIBLE).exp() / 2
        return arb(tail.mid(), tail.upper())
    return x.exp()


def _rational_scale(problem: Problem) -> fmpq | None:
    """σ where it is rational."""
    if problem.scale is not None:
        return to_fraction(problem.scale)
    d = max(problem.q.shape[1], 1)
    root = math.isqrt(d)
    return fmpq(1, root) if root * root == d else None
