"""Lines of theorems from their text, and as a document shows them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import InitVar, dataclass, field

from symattn.derivation.model import Level, Line, Side
from symattn.derivation.notation import read, read_chain
from symattn.derivation.prose import Prose, Shown
from symattn.derivation.rules import RULES
from symattn.derivation.rules.lines import Claim, prove
from symattn.derivation.rules.theory import Fact, Range, Theory
from symattn.exact.evaluate import Scope
from symattn.exact.plain import to_text
from symattn.exact.tree import Node

__all__ = ["Deduction", "deduced", "fact", "length", "line", "reasons", "says_something", "words"]


@dataclass(frozen=True)
class Term(Side):
    """A side whose value depends on how many terms there are."""

    scope: InitVar[Scope | None] = None

    def __post_init__(self, scope: Scope | None) -> None:
        object.__setattr__(self, "value", ())


@dataclass(frozen=True)
class Deduction(Line):
    """A line that the rules prove for any number of terms."""

    claim: Claim | None = None
    theory: Theory = field(default_factory=Theory, repr=False)
    #: The theory in which the line is known.
    after: Theory = field(default_factory=Theory, init=False, repr=False)

    def __post_init__(self) -> None:
        assert self.claim is not None
        object.__setattr__(self, "after", prove(self.claim, self.theory))


def words(markup: str) -> Prose:
    """A sentence in which `` `Sum(s[j], j, 1, n)` `` is mathematics in the notation of theorems."""
    parts: list[str | Shown] = []
    for count, part in enumerate(markup.split("`")):
        if part:
            parts.append(Shown(read(part)) if count % 2 else part)
    return tuple(parts)


def line(
    text: str,
    by: str | Sequence[str] = "",
    label: str = "",
    distinct: tuple[str, str] | None = None,
    hypothesis: str = "",
    method: str = "chain",
    **indices: str,
) -> Claim:
    """A line from its text; `by` names the reasons of each link, `j="1..n"` the range of an index.

    >>> line("Sum(c, j, 1, n) == n*c", by="constant summand").relations
    ('=',)
    """
    nodes, relations = read_chain(text)
    reasons = [by] if isinstance(by, str) else by
    return Claim(
        label=label or text,
        nodes=nodes,
        relations=relations,
        by=tuple(_tokens(reason) for reason in reasons),
        ranges=_ranges(indices),
        distinct=(distinct,) if distinct else (),
        hypothesis=fact(hypothesis, {}) if hypothesis else None,
        method=method,
    )


def _tokens(reason: str) -> tuple[str, ...]:
    return tuple(token.strip() for token in reason.split(",") if token.strip())


def _ranges(indices: Mapping[str, str]) -> tuple[Range, ...]:
    found = []
    for index, bounds in indices.items():
        lower, upper = bounds.split("..")
        found.append(Range(index, read(lower), read(upper)))
    return tuple(found)


def fact(text: str, indices: Mapping[str, str]) -> Fact:
    """A statement of one relation from its text."""
    (left, right), (relation,) = read_chain(text)
    return Fact(left, relation, right, _ranges(indices))


def deduced(claim: Claim, theory: Theory) -> Deduction:
    """The line of a claim, proved, as a document shows it."""
    sides = tuple(Term(node) for node in claim.nodes)
    ranges = [f"{_bound(r.lower)} <= {r.index} <= {_bound(r.upper)}" for r in claim.ranges]
    ranges += [f"{a} != {b}" for a, b in claim.distinct]
    return Deduction(sides, claim.relations, False, Level.BRIEF, ", ".join(ranges), claim, theory)


def reasons(claims: Sequence[Claim], theory: Theory) -> list[str]:
    """What the links of some lines go by, in words."""
    found = []
    for claim in claims:
        if claim.method != "chain":
            found.append(f"proof by {claim.method}")
        for token in (token for by in claim.by for token in by):
            if token in RULES:
                found.append(f"{token}: {RULES[token]}")
            elif token.startswith("split at "):
                found.append(f"{token}: a sum is the sum over a first part and over the rest")
            elif token in theory.definitions:
                found.append(f"the definition of {token}")
            else:
                found.append(f"by “{token}”")
    return found or ["arithmetic of polynomials, quotients and exponentials"]


def _bound(node: Node) -> str:
    """A bound without spaces, as the condition behind a line needs it."""
    return to_text(node).replace(" ", "")


def says_something(line: Line) -> bool:
    """Whether the sides of a line are not all written alike, as 1 = 1 is."""
    return len({side.shown for side in line.sides}) > 1


def length(line: Line) -> int:
    """How long a line is as text."""
    return sum(len(to_text(side.shown)) for side in line.sides)
