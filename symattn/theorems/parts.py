"""What every theorem's page ends with: an instance with numbers, and near misses."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

from symattn.derivation import Check, Line, Side, Step
from symattn.derivation.certificate import Statement
from symattn.derivation.proof import Proof, words
from symattn.derivation.rules import Relation
from symattn.exact.evaluate import value_of
from symattn.exact.parse import parse
from symattn.exact.tree import Apply, Node
from symattn.exact.writing import number

__all__ = ["fractions", "instance", "matmul", "matrix", "near_miss", "softmax", "transpose", "tree"]


def instance(proof: Proof, what: str, **given: Any) -> None:
    """A step that works a set-up out, exact and as decimals, and holds it against NumPy.

    `given` is in the form of a problem file; the results become those of the proof.
    """
    from symattn.problems import from_mapping
    from symattn.problems.derive import derive_problem

    problem = from_mapping({"given": given}, name=proof.name, folder=Path())
    worked = derive_problem(problem)
    last = worked.steps[-1]
    proof.results, proof.crosscheck = worked.results, worked.crosscheck
    title = "An instance with numbers"
    why = "The statement can be seen at work, digit by digit."
    proof.add(Step(title, words(what), words(why), "", worked.given, last.check, worked.steps[:-1]))


def near_miss(
    proof: Proof,
    title: str,
    what: str,
    why: str,
    wrong: Node,
    right: Node,
    relation: Relation = "!=",
) -> None:
    """A step that shows where a small change makes the statement false: wrong != right, proved."""
    different = Line((Side(wrong, {}), Side(right, {})), (relation,), decimals=False)
    values = tuple(Line((Side(side, {}), Side(shown(side), {}))) for side in (wrong, right))
    check = Check(("the two sides, worked out",), "exact values, decimals proved", values)
    proof.add(Step(f"A near miss: {title}", words(what), words(why), "", (different,), check))
    proof.near_misses.append(Statement(f"A near miss: {title}", wrong, relation, right))


def fractions(n: int, start: int) -> tuple[Node, ...]:
    """n different fractions of both signs, to stand for real numbers in a model."""
    return tuple(
        number(Fraction((5 * j + 3 * start) % 13 - 6, 2 + (j + start) % 3)) for j in range(n)
    )


def matrix(rows: int, columns: int, start: int) -> tuple[tuple[Node, ...], ...]:
    """Rows of fractions."""
    return tuple(fractions(columns, start + i) for i in range(rows))


def shown(node: Node) -> Node:
    """The exact value of a tree, as a tree."""
    from symattn.problems.page import shown as as_tree

    return as_tree(value_of(node, {}))


def tree(text: str) -> Node:
    """A number, a vector or a matrix of numbers from its text."""
    return parse(text, symbols=None).tree


def softmax(scores: Node) -> Node:
    """softmax of a vector, or of each row of a matrix."""
    return Apply("softmax", (scores,))


def matmul(*factors: Node) -> Node:
    """The product of matrices, from left to right."""
    product, *rest = factors
    for factor in rest:
        product = Apply("matmul", (product, factor))
    return product


def transpose(matrix: Node) -> Node:
    """The transpose of a matrix."""
    return Apply("transpose", (matrix,))
