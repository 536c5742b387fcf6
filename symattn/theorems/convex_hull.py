r"""Each coordinate of an output lies between the least and the greatest of the values'."""

from __future__ import annotations

from symattn.derivation.instances import Model
from symattn.derivation.proof import Proof, line
from symattn.exact.writing import number
from symattn.theorems.parts import fractions, instance, matrix, near_miss, tree
from symattn.theorems.pictures import hull

__all__ = ["prove"]


def prove(given: int | None = None) -> Proof:
    """Prove the theorem."""
    proof = Proof(
        "convex-hull",
        "An output lies among the values",
        "If `low[t]` ≤ `v[j, t]` ≤ `high[t]` for every key, then the output's coordinate `z[t]` "
        "lies between `low[t]` and `high[t]` too.",
        "Attention mixes what is there; it cannot make a coordinate larger than every value's.",
        given,
    )
    proof.sizes("n", "d")
    proof.define("alpha[i]", "exp(s[i])/Sum(exp(s[l]), l, 1, n)")
    proof.define("z[t]", "Sum(alpha[j]*v[j, t], j, 1, n)")
    proof.assume("keys", "n >= 1", "There is at least one key, and no mask.")
    proof.assume("least", "v[j, t] >= low[t]", "No value is below `low[t]`.", j="1..n", t="1..d")
    proof.assume(
        "greatest", "v[j, t] <= high[t]", "No value is above `high[t]`.", j="1..n", t="1..d"
    )
    proof.model(_model)
    proof.step(
        "The weights are a distribution",
        "They are positive and add to 1.",
        "They are exponentials over their total.",
        line("alpha[j] > 0", "alpha", "positive", j="1..n"),
        line("Sum(alpha[j], j, 1, n) == 1", "alpha, constant factor", "sum"),
    )
    proof.step(
        "Not below the least value",
        "Take `low[t]` off the output, as its share of every weight.",
        "What is left is a sum of products that are not negative.",
        line(
            "z[t] - low[t] == Sum(alpha[j]*v[j, t], j, 1, n) - low[t]*Sum(alpha[j], j, 1, n)"
            " == Sum(alpha[j]*(v[j, t] - low[t]), j, 1, n) >= 0",
            ["z, sum", "linearity, constant factor", ""],
            "above",
            t="1..d",
        ),
        line("z[t] >= low[t]", label="lower bound", t="1..d"),
    )
    proof.step(
        "Not above the greatest value",
        "Take the output off `high[t]` in the same way.",
        "Again every product has two factors that are not negative.",
        line(
            "high[t] - z[t] == high[t]*Sum(alpha[j], j, 1, n) - Sum(alpha[j]*v[j, t], j, 1, n)"
            " == Sum(alpha[j]*(high[t] - v[j, t]), j, 1, n) >= 0",
            ["z, sum", "linearity, constant factor", ""],
            "below",
            t="1..d",
        ),
        line("z[t] <= high[t]", label="upper bound", t="1..d"),
    )
    size = given or 3
    proof.picture(
        hull(
            "Outputs lie in the hull of the values",
            values=[("3", "0"), ("0", "3"), ("-2", "-1")],
            scaled=[("1", "0", "0"), ("-1", "2", "0")],
        )
    )
    instance(
        proof,
        "The values' first coordinates go up, the second ones down.",
        scaled=[str(j % 3) for j in range(size)],
        V=[[str(j), str(-j)] for j in range(1, size + 1)],
        figures=["blend"],
    )
    near_miss(
        proof,
        "weights that do not add to 1",
        "The exponentials of the scores (1, 0) are used without dividing by their total.",
        "The blend of the values 1 and 2 is then larger than the larger of the two.",
        tree("exp(1)*1 + exp(0)*2"),
        number(2),
        ">",
    )
    proof.conclude(
        "Every output coordinate lies between `low[t]` and `high[t]`.", "lower bound", "upper bound"
    )
    return proof


def _model(n: int) -> Model:
    values = matrix(n, 1, 1)
    return {
        "n": number(n),
        "d": number(1),
        "s": fractions(n, 2),
        "v": values,
        "low": (number(-6),),
        "high": (number(6),),
    }
