r"""Rotations: an orthogonal R applied to queries and keys changes no score.

Rotary encoding turns each pair of coordinates at position m by the angle m\theta_p; then a score
depends on the positions through their difference alone.
"""

from __future__ import annotations

import sympy as sp

from symattn.derivation.instances import Model
from symattn.derivation.proof import Proof, line
from symattn.exact.tree import Constant, Div, Neg, Node
from symattn.exact.writing import number
from symattn.theorems.parts import fractions, instance, matmul, near_miss, transpose, tree
from symattn.theorems.pictures import plane

__all__ = ["prove"]


def prove(given: int | None = None) -> Proof:
    """Prove the theorem."""
    proof = Proof(
        "rotation",
        "A rotation of queries and keys changes no score",
        "If R is orthogonal, the queries R q and keys R k have the scores of q and k. If every "
        "pair p of coordinates is turned by the position times an angle `theta[p]`, the score of a "
        "query at `a` and a key at `b` depends on `a - b` only.",
        "Rotary encoding brings the relative position into the score, and the absolute one not at "
        "all.",
        given,
    )
    proof.sizes("d", "h")
    proof.define("y[t]", "Sum(R[t, l]*q[l], l, 1, d)")
    proof.define("x[t]", "Sum(R[t, l]*k[l], l, 1, d)")
    proof.assume("width", "d >= 1")
    proof.assume("pairs", "h >= 1")
    proof.assume(
        "orthogonal",
        "Sum(R[t, i]*R[t, j], t, 1, d) == delta(i, j)",
        "R is orthogonal: its columns have length 1 and are perpendicular to each other.",
        i="1..d",
        j="1..d",
    )
    proof.remark("The encoded vectors have h pairs of coordinates; positions are whole numbers.")
    proof.model(_model)
    _orthogonal(proof)
    _rotary(proof)
    proof.picture(
        plane(
            "before",
            "Query and keys before they are turned by a right angle",
            {"q": ("1", "0"), "k_1": ("1", "0"), "k_2": ("0", "1"), "k_3": ("1", "1")},
            angles=True,
        )
    )
    instance(
        proof,
        "Query and keys turned by a right angle: (1, 0) to (0, 1), and so on.",
        q=["0", "1"],
        K=[["0", "1"], ["-1", "0"], ["-1", "1"]][: given or 3]
        if (given or 3) <= 3
        else [[str(-j), "1"] for j in range(given or 3)],
        figures=["arrows"],
    )
    R, shear = tree("[[3/5, -4/5], [4/5, 3/5]]"), tree("[[1, 1], [0, 1]]")
    q, k = tree("[[1, 2]]"), tree("[[3, 1]]")
    near_miss(
        proof,
        "a matrix that is not orthogonal",
        "Queries and keys are sheared by the matrix ((1, 1), (0, 1)) instead of turned.",
        "A shear changes lengths and angles, and with them the scores.",
        matmul(q, transpose(shear), shear, transpose(k)),
        matmul(q, transpose(k)),
    )
    near_miss(
        proof,
        "only the queries turned",
        "The queries are turned and the keys are not.",
        "Then the angle between them changes.",
        matmul(q, transpose(R), transpose(k)),
        matmul(q, transpose(k)),
    )
    proof.conclude(
        "Scores see lengths and angles alone; a rotation that grows with the position turns that "
        "into a view of the relative position.",
        "scores",
        "relative",
        "moved together",
    )
    return proof


def _orthogonal(proof: Proof) -> None:
    proof.step(
        "Rotate both",
        "Multiply the rotated query with the rotated key.",
        "The sum over the rotated coordinates can be taken first: there the columns of R meet.",
        line(
            "Sum(y[t]*x[t], t, 1, d)"
            " == Sum(Sum(q[i]*k[j]*Sum(R[t, i]*R[t, j], t, 1, d), j, 1, d), i, 1, d)"
            " == Sum(Sum(q[i]*k[j]*delta(i, j), j, 1, d), i, 1, d) == Sum(q[i]*k[i], i, 1, d)",
            ["y, x, exchange, constant factor", "orthogonal", "sifting"],
            "scores",
        ),
    )


def _rotary(proof: Proof) -> None:
    """Pairs (f_p, g_p) of the query and (u_p, w_p) of the key, turned by a and b times theta_p."""
    angle = sp.Symbol("angle")
    turn = sp.rot_axis3(-angle)[:2, :2]  # SymPy's rotation of the plane
    sides = []
    for first, second, position in (("f[p]", "g[p]", "a"), ("u[p]", "w[p]", "b")):
        pair = turn * sp.Matrix([sp.Symbol("first"), sp.Symbol("second")])
        sides.append(
            [
                "("
                + str(entry)
                .replace("angle", f"{position}*theta[p]")
                .replace("first", first)
                .replace("second", second)
                + ")"
                for entry in pair
            ]
        )
    (f, g), (u, w) = sides
    encoded = f"Sum({f}*{u} + {g}*{w}, p, 1, h)"
    relative = (
        "Sum((f[p]*u[p] + g[p]*w[p])*cos((a - b)*theta[p])"
        " + (f[p]*w[p] - g[p]*u[p])*sin((a - b)*theta[p]), p, 1, h)"
    )
    proof.step(
        "Rotary encoding",
        "Turn the query's pairs by `a*theta[p]` and the key's by `b*theta[p]`, and multiply.",
        "The addition theorems gather the four products into cosine and sine of the difference.",
        line(f"{encoded} == {relative}", "addition theorem, linearity", "relative"),
    )
    moved = relative.replace("(a - b)", "((a + c) - (b + c))")
    proof.step(
        "Only the difference counts",
        "Move both positions by the same `c`.",
        "The difference stays, and so does the score.",
        line(f"{moved} == {relative}", "addition theorem, linearity", "moved together"),
    )


def _model(n: int) -> Model | None:
    if n > 4:
        return None
    h = 2 if n > 1 else 1
    angles: tuple[Node, ...] = (Div(Constant("pi"), number(6)), Div(Constant("pi"), number(4)))
    return {
        "d": number(n),
        "h": number(h),
        "R": _orthogonal_matrix(n),
        "q": fractions(n, 1),
        "k": fractions(n, 2),
        "theta": angles[:h],
        "a": number(2),
        "b": number(1),
        "c": number(4),
        **{name: fractions(h, place) for place, name in enumerate("fguw")},
    }


def _orthogonal_matrix(n: int) -> tuple[tuple[Node, ...], ...]:
    """A rotation of the first two coordinates by the angle of (3/5, 4/5); -1 for one of them."""
    if n == 1:
        return ((number(-1),),)
    c, s = (Div(number(x), number(5)) for x in (3, 4))
    turn: dict[tuple[int, int], Node] = {(0, 0): c, (0, 1): Neg(s), (1, 0): s, (1, 1): c}
    return tuple(tuple(turn.get((i, j), number(int(i == j))) for j in range(n)) for i in range(n))
