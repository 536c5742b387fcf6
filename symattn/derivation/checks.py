"""Lines and assumptions under a model: each written out, and decided exactly."""

from __future__ import annotations

from symattn.derivation.instances import Indices, Model, Written
from symattn.derivation.model import Line, Side
from symattn.derivation.rules.lines import Claim
from symattn.derivation.rules.theory import Fact, Theory
from symattn.errors import StepError

__all__ = ["assignments", "assumed", "written_out"]


def assignments(statement: Claim | Fact, written: Written) -> list[Indices]:
    """Every value that the indices of a statement can take."""
    found: list[Indices] = [{}]
    for r in statement.ranges:
        found = [
            {**known, r.index: value}
            for known in found
            for value in range(written.whole(r.lower, known), written.whole(r.upper, known) + 1)
        ]
    return [known for known in found if all(known[a] != known[b] for a, b in statement.distinct)]


def written_out(claim: Claim, theory: Theory, model: Model, most: int = 4) -> list[Line]:
    """A line under a model, for up to `most` values of its indices, each decided exactly.

    Raises: `StepError` where one of them does not hold.
    """
    if claim.hypothesis is not None:
        return []
    written = Written(theory, model)
    cases = assignments(claim, written)
    chosen = cases[:: -(-len(cases) // most)] if cases else []
    chosen += [cases[-1]] if cases and cases[-1] is not chosen[-1] else []
    return [
        Line(
            tuple(Side(written.out(node, case), {}) for node in claim.nodes),
            claim.relations,
            decimals=False,
        )
        for case in chosen
    ]


def assumed(theory: Theory, model: Model) -> None:
    """Check that a model meets every assumption, so that what they say is not empty.

    Raises: `StepError` naming the first assumption that it does not meet.
    """
    written = Written(theory, model)
    for label, fact in theory.assumptions.items():
        for case in assignments(fact, written):
            sides = (Side(written.out(node, case), {}) for node in (fact.left, fact.right))
            try:
                Line(tuple(sides), (fact.relation,), decimals=False)
            except StepError as error:
                reason = f"the model does not meet the assumption {label!r}: {error}"
                raise StepError(reason) from None
