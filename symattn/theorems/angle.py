r"""The angle of query and key: q·k = |q||k| cos θ in the plane, |q·k| <= |q||k| everywhere."""

from __future__ import annotations

import sympy as sp

from symattn.derivation.instances import Model
from symattn.derivation.proof import Proof, line
from symattn.exact.tree import Constant, Div, Neg
from symattn.exact.writing import number
from symattn.theorems.parts import fractions, instance, near_miss, tree

__all__ = ["prove"]

LAGRANGE = "Sum(Sum((q[i]*k[j] - q[j]*k[i])**2, j, 1, d), i, 1, d)/2"
SQUARES = "Sum(q[i]**2, i, 1, d)*Sum(k[j]**2, j, 1, d)"
DOT = "Sum(q[i]*k[i], i, 1, d)"


def prove(given: int | None = None) -> Proof:
    """Prove the theorem."""
    proof = Proof(
        "angle",
        "A score is two lengths times the cosine of an angle",
        "For vectors of the plane with lengths `a` and `b` greater than 0 and directions `phi` and "
        "`psi`, the dot product is `a*b*cos(phi - psi)`. In any dimension d the square of the dot "
        "product is at most the product of the squared lengths.",
        "A score measures alignment: positive for vectors that point the same way, 0 for "
        "perpendicular ones, negative for opposed ones.",
        given,
    )
    proof.sizes("d")
    proof.define("q_1", "a*cos(phi)")
    proof.define("q_2", "a*sin(phi)")
    proof.define("k_1", "b*cos(psi)")
    proof.define("k_2", "b*sin(psi)")
    proof.assume(
        "length of q", "a > 0", "In the plane neither vector is zero: `a` and `b` are positive."
    )
    proof.assume("length of k", "b > 0")
    proof.assume("width", "d >= 1")
    proof.assume(
        "acute",
        "c_1 > 0",
        "For the signs: `c_1` stands for a positive cosine and `c_2` for a negative one.",
    )
    proof.assume("obtuse", "c_2 < 0")
    proof.model(_model)
    _plane(proof)
    _any_dimension(proof)
    proof.step(
        "The signs",
        "Multiply a cosine with two positive lengths.",
        "The lengths change the size and never the sign; a cosine of 0 gives 0.",
        line("a*b*c_1 > 0", label="positive"),
        line("a*b*(-c_2) > 0", label="negative"),
        line("a*b*0 == 0", label="zero"),
    )
    size = given or 3
    keys = [["1", "1"], ["-1", "1"], ["-2", "-2"]]
    instance(
        proof,
        "A query (1, 1) with an aligned, a perpendicular and an opposed key.",
        q=["1", "1"],
        K=[keys[j % 3] for j in range(size)],
        figures=["arrows", "scores"],
    )
    near_miss(
        proof,
        "the score taken for the cosine",
        "The score of (1, 1) with itself is taken for the cosine of the angle 0.",
        "It is 2: the lengths count too, so a long key scores higher than a better aligned short "
        "one.",
        tree("1*1 + 1*1"),
        number(1),
    )
    near_miss(
        proof,
        "the bound without the square",
        "The score of (2, 0) and (2, 0) is taken to be at most the length 2.",
        "It is bounded by the product of both lengths.",
        tree("2*2 + 0*0"),
        number(2),
        ">",
    )
    proof.conclude(
        "So the quotient of the score and the two lengths lies between −1 and 1, and there is an "
        "angle with that cosine: for non-zero vectors of any dimension it defines θ.",
        "dot product",
        "length",
        "Cauchy-Schwarz",
        "quotient",
        "positive",
        "negative",
    )
    return proof


def _plane(proof: Proof) -> None:
    phi, psi = sp.symbols("phi psi")
    expanded = sp.expand_trig(sp.cos(phi - psi))
    proof.step(
        "Lengths",
        "Add the squares of the coordinates.",
        "Cosine and sine square to 1 together, so `a` is the length of q indeed; likewise for k.",
        line("q_1**2 + q_2**2 == a**2", "q_1, q_2, Pythagoras", "length"),
        line("k_1**2 + k_2**2 == b**2", "k_1, k_2, Pythagoras", "length of the key"),
    )
    proof.step(
        "The dot product in the plane",
        "Multiply the coordinates.",
        "The addition theorem makes one cosine of the two products.",
        line(
            f"q_1*k_1 + q_2*k_2 == a*b*({expanded}) == a*b*cos(phi - psi)",
            ["q_1, q_2, k_1, k_2", "addition theorem"],
            "dot product",
        ),
    )


def _any_dimension(proof: Proof) -> None:
    proof.step(
        "Any dimension",
        "Subtract the square of the dot product from the product of the squared lengths.",
        "The difference is a sum of squares, each counted twice, and not negative.",
        line(
            f"{SQUARES} - ({DOT})**2 == {LAGRANGE}",
            "linearity, constant factor",
            "Lagrange",
        ),
        line(f"{LAGRANGE} >= 0", label="not negative"),
        line(f"({DOT})**2 <= {SQUARES}", "linearity, constant factor", "Cauchy-Schwarz"),
    )
    proof.assume("nonzero q", "Sum(q[i]**2, i, 1, d) > 0")
    proof.assume(
        "nonzero k",
        "Sum(k[j]**2, j, 1, d) > 0",
        "For the quotient neither vector is zero: their squared lengths are positive.",
    )
    for model in proof.models:
        proof.check_model(model)
    proof.step(
        "The square of the cosine",
        "Divide by the squared lengths.",
        "They are positive, so the inequality stays.",
        line(
            f"({DOT})**2/({SQUARES}) <= ({SQUARES})/({SQUARES}) == 1",
            ["monotonicity", ""],
            "quotient",
        ),
    )


def _model(n: int) -> Model:
    return {
        "d": number(n),
        "a": number(2),
        "b": number(3),
        "phi": Div(Constant("pi"), number(3)),
        "psi": Div(Constant("pi"), number(6)),
        "c_1": Div(number(1), number(2)),
        "c_2": Neg(Div(number(1), number(3))),
        "q": fractions(n, 1),
        "k": fractions(n, 3),
    }
