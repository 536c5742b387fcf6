"""Lines of a proof: a chain of links, a proof by cases, a proof by induction.

`prove` checks one line against what is known and returns the theory in which it is known too. It
is all that a step needs and all that a replay runs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from symattn.derivation.rules import follows
from symattn.derivation.rules.dependence import global_names
from symattn.derivation.rules.normal import Form
from symattn.derivation.rules.theory import Fact, Range, Relation, Theory
from symattn.errors import StepError
from symattn.exact.numbers import Exact, symbol
from symattn.exact.tree import Node

__all__ = ["Claim", "combined", "prove"]


@dataclass(frozen=True)
class Claim:
    """A line as data: the chain, what each link goes by, and for which indices it is claimed.

    `hypothesis` is assumed for this line alone, which only an induction may then use. A line whose
    `method` is "induction" cites the lines of its base and its step in `by`, one that goes by
    "cases" those for equal and for different indices; both are one relation, not a chain.
    """

    label: str
    nodes: tuple[Node, ...]
    relations: tuple[Relation, ...]
    by: tuple[tuple[str, ...], ...]
    ranges: tuple[Range, ...] = ()
    distinct: tuple[tuple[str, str], ...] = ()
    hypothesis: Fact | None = None
    method: str = "chain"

    @property
    def fact(self) -> Fact:
        """What the line says from end to end."""
        relation = combined(self.relations)
        return Fact(self.nodes[0], relation, self.nodes[-1], self.ranges, self.distinct)


def combined(relations: Sequence[Relation]) -> Relation:
    """The relation between the ends of a chain.

    >>> combined(("=", "<", "<="))
    '<'

    Raises: `StepError` for a chain that goes up and down.
    """
    kinds = set(relations) - {"="}
    if not kinds:
        return "="
    for strict, loose in (("<", "<="), (">", ">=")):
        if kinds <= {strict, loose}:
            return strict if strict in kinds else loose  # type: ignore[return-value]
    if kinds == {"!="} and len(relations) == 1:
        return "!="
    raise StepError(f"a chain of {' '.join(relations)} says nothing about its ends")


def prove(claim: Claim, theory: Theory) -> Theory:
    """The theory in which a line is known, once it is proved.

    Raises: `StepError` naming both sides of the link that does not follow.
    """
    if claim.label in theory.facts or claim.label in theory.conditional:
        raise StepError(f"the label {claim.label!r} is taken")
    indices = [r.index for r in claim.ranges]
    taken = global_names(theory) & {*indices}
    if taken or len(set(indices)) < len(indices):
        raise StepError(f"{', '.join(sorted(taken or indices))}: an index needs a name of its own")
    if claim.method == "induction":
        _by_induction(claim, theory)
    elif claim.method == "cases":
        _by_cases(claim, theory)
    else:
        return _by_links(claim, theory)
    return theory.with_fact(claim.label, claim.fact)


def _by_links(claim: Claim, theory: Theory) -> Theory:
    if len(claim.by) != len(claim.relations) or len(claim.nodes) != len(claim.by) + 1:
        raise StepError(f"the line {claim.label!r} needs a reason for each of its relations")
    local = theory
    if claim.hypothesis is not None:
        local = replace(theory, proved={**theory.proved, "hypothesis": claim.hypothesis})
    for left, relation, right, by in zip(
        claim.nodes, claim.relations, claim.nodes[1:], claim.by, strict=False
    ):
        follows(left, relation, right, local, by, claim.ranges, claim.distinct)
    if claim.hypothesis is None:
        return theory.with_fact(claim.label, claim.fact)
    known = {**theory.conditional, claim.label: (claim.hypothesis, claim.fact)}
    return replace(theory, conditional=known)


def _by_induction(claim: Claim, theory: Theory) -> None:
    """P(a), and P(k) implies P(k+1) for a <= k < b, give P(k) for a <= k <= b."""
    base, step = _cited(claim, 2)
    if base not in theory.facts or step not in theory.conditional:
        raise StepError(
            f"the induction {claim.label!r} needs its base and a step that assumes P(k)"
        )
    hypothesis, conclusion = theory.conditional[step]
    first, *others = claim.ranges
    last = Range(first.index, first.lower, _less_one(conclusion, first.index))
    form = Form(theory, (), (*claim.ranges,), claim.distinct, claim.nodes)
    k = symbol(first.index)
    start = form.of(first.lower, {})
    steps_to = form.of(last.upper, {}) + 1
    fine = (
        _same(form, theory.facts[base], claim.fact, {first.index: start}, tuple(others))
        and _same(form, hypothesis, claim.fact, {}, None)
        and _same(form, conclusion, claim.fact, {first.index: k + 1}, None)
        and form.equal(steps_to, form.of(first.upper, {}))
        and conclusion.ranges == (last, *others)
    )
    if not fine:
        raise StepError(f"the induction {claim.label!r} does not fit its base and its step")


def _less_one(conclusion: Fact, index: str) -> Node:
    """The upper end of the range for which the step was proved."""
    for r in conclusion.ranges:
        if r.index == index:
            return r.upper
    raise StepError(f"the step of an induction on {index} is not about every {index}")


def _by_cases(claim: Claim, theory: Theory) -> None:
    """P(t, t), and P(t, u) for different t and u, give P(t, u) for all of them."""
    same, different = _cited(claim, 2)
    if len(claim.ranges) != 2 or same not in theory.facts or different not in theory.facts:
        raise StepError(f"the cases of {claim.label!r} are two lines about two indices")
    t, u = claim.ranges
    form = Form(theory, (), claim.ranges, (), claim.nodes)
    apart = Form(theory, (), claim.ranges, ((t.index, u.index),), claim.nodes)
    fine = (
        (t.lower, t.upper) == (u.lower, u.upper)
        and _same(form, theory.facts[same], claim.fact, {u.index: symbol(t.index)}, (t,))
        and theory.facts[different].distinct in (((t.index, u.index),), ((u.index, t.index),))
        and _same(apart, theory.facts[different], claim.fact, {}, claim.ranges)
    )
    if not fine:
        raise StepError(f"the cases of {claim.label!r} do not cover it")


def _cited(claim: Claim, count: int) -> tuple[str, ...]:
    if len(claim.nodes) != 2 or len(claim.by) != 1 or len(claim.by[0]) != count:
        raise StepError(f"the line {claim.label!r} is one relation that cites {count} lines")
    return claim.by[0]


def _same(
    form: Form,
    known: Fact,
    wanted: Fact,
    bindings: dict[str, Exact],
    ranges: tuple[Range, ...] | None,
) -> bool:
    """Whether a known fact is the wanted one at other indices, side by side."""
    pairs = ((known.left, wanted.left), (known.right, wanted.right))
    return (
        known.relation == wanted.relation
        and (ranges is None or known.ranges == ranges)
        and all(form.equal(form.plain(a, {}), form.plain(b, bindings)) for a, b in pairs)
    )
