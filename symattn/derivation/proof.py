"""How a theorem is written down: declarations, assumptions, and steps that are proved as they come.

A `Proof` is filled from top to bottom. Each line is proved by the rules when it is added, and then
written out for models with 1 to 8 keys and decided exactly, which is the step's check. What comes
out is a `Derivation` to read and a list of claims for the certificate.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import InitVar, dataclass, field, replace
from typing import Any

from symattn.derivation.certificate import Certificate, Statement
from symattn.derivation.checks import assumed, written_out
from symattn.derivation.instances import Model
from symattn.derivation.model import Check, Derivation, Level, Line, Side, Step
from symattn.derivation.notation import read, read_chain
from symattn.derivation.prose import Prose, Shown
from symattn.derivation.rules import RULES
from symattn.derivation.rules.lines import Claim, prove
from symattn.derivation.rules.theory import Definition, Fact, Range, Theory
from symattn.errors import InputError, StepError
from symattn.exact.evaluate import Scope
from symattn.exact.plain import to_text
from symattn.exact.tree import Indexed, Node, Symbol

__all__ = ["Deduction", "Proof", "ProofStep", "line", "words"]

#: The numbers of keys for which lines are written out.
SIZES = range(1, 9)
#: A line that is longer than this, written out for 2, is shown for where it is shortest.
LONGEST_SHOWN = 400


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


@dataclass(frozen=True)
class ProofStep:
    """The title of a step and its lines, for the certificate."""

    title: str
    claims: tuple[Claim, ...]


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
        hypothesis=_fact(hypothesis, {}) if hypothesis else None,
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


def _fact(text: str, indices: Mapping[str, str]) -> Fact:
    (left, right), (relation,) = read_chain(text)
    return Fact(left, relation, right, _ranges(indices))


class Proof:
    """A theorem while it is being proved."""

    def __init__(self, name: str, title: str, statement: str, why: str, given: int | None = None):
        self.name, self.title, self.why = name, title, why
        self.statement = words(statement)
        self.given = given
        self.theory = Theory()
        self.assumptions: list[Prose] = []
        self.steps: list[Step] = []
        self.proved: list[ProofStep] = []
        self.models: list[Model] = []
        self.sizes_of_models: list[int] = []
        self.goals: tuple[str, ...] = ()
        self.conclusion: Prose = ()
        self.results: dict[str, Any] = {}
        self.crosscheck: Any = None
        self.near_misses: list[Statement] = []

    # --- what is declared -------------------------------------------------------------------------

    def sizes(self, *names: str) -> None:
        """Names that stand for whole numbers."""
        self.theory = replace(self.theory, sizes=(*self.theory.sizes, *names))

    def permutation(self, name: str, size: str) -> None:
        """A family that maps 1..size onto itself."""
        known = (*self.theory.permutations, (name, read(size)))
        self.theory = replace(self.theory, permutations=known)

    def random(self, *names: str) -> None:
        """Families whose entries are all mutually independent."""
        self.theory = replace(self.theory, random=(*self.theory.random, *names))

    def define(self, name: str, body: str) -> None:
        """Let `alpha[i]` or `Z` stand for an expression."""
        head = read(name)
        assert isinstance(head, Indexed | Symbol)
        indices = head.indices if isinstance(head, Indexed) else ()
        parameters = tuple(index.name for index in indices if isinstance(index, Symbol))
        known = {**self.theory.definitions, head.name: Definition(parameters, read(body))}
        self.theory = replace(self.theory, definitions=known)

    def assume(self, label: str, text: str, sentence: str = "", **indices: str) -> None:
        """An assumption, in symbols and in a sentence."""
        known = {**self.theory.assumptions, label: _fact(text, indices)}
        self.theory = replace(self.theory, assumptions=known)
        if sentence:
            self.assumptions.append(words(sentence))

    def remark(self, sentence: str) -> None:
        """An assumption that is a matter of words: what the statement leaves out or agrees on."""
        self.assumptions.append(words(sentence))

    def model(self, make: Callable[[int], Model | None], sizes: Sequence[int] = SIZES) -> None:
        """The models under which lines are written out, one for each size where there is one."""
        if self.given is not None and make(self.given) is None:
            raise InputError(f"n={self.given}: {self.name} says nothing about that number of keys")
        for n in dict.fromkeys((*sizes, *([self.given] if self.given else []))):
            model = make(n)
            if model is not None:
                assumed(self.theory, model)
                self.models.append(model)
                self.sizes_of_models.append(n)

    def check_model(self, model: Model) -> None:
        """Check that a model meets the assumptions made since too.

        Raises: `StepError` naming the first that it does not meet.
        """
        assumed(self.theory, model)

    # --- what is proved ---------------------------------------------------------------------------

    def step(self, title: str, what: str, why: str, *claims: Claim) -> None:
        """A step of one line or more, each proved and then written out under the models.

        Raises: `StepError` naming the step.
        """
        chain: list[Line] = []
        checks: list[Line] = []
        try:
            for claim in claims:
                deduction = self._deduced(claim)
                self.theory = deduction.after
                chain.append(deduction)
                checks += self._written(claim)
        except StepError as error:
            raise StepError(f"{self.name}, step {title!r}: {error}") from None
        self.proved.append(ProofStep(title, claims))
        rule = "; ".join(dict.fromkeys(self._reasons(claims)))
        check = Check(*self._checked(bool(checks)), tuple(checks or chain))
        written = checks if self.given is not None else []
        self.steps.append(Step(title, words(what), words(why), rule, (*chain, *written), check))

    def _deduced(self, claim: Claim) -> Deduction:
        sides = tuple(Term(node) for node in claim.nodes)
        ranges = [f"{_bound(r.lower)} <= {r.index} <= {_bound(r.upper)}" for r in claim.ranges]
        ranges += [f"{a} != {b}" for a, b in claim.distinct]
        return Deduction(
            sides, claim.relations, False, Level.BRIEF, ", ".join(ranges), claim, self.theory
        )

    def _written(self, claim: Claim) -> list[Line]:
        """The line under every model; what is shown of it is one case, for the given number."""
        cases: dict[int, Line] = {}
        for n, model in zip(self.sizes_of_models, self.models, strict=True):
            found = written_out(claim, self.theory, model)
            cases |= {n: found[-1]} if found else {}
        wanted = self.given if self.given is not None else 2
        if wanted not in cases or (self.given is None and _length(cases[wanted]) > LONGEST_SHOWN):
            wanted = min(cases, key=lambda n: _length(cases[n]), default=0)
        return [cases[wanted]] if wanted else []

    def _checked(self, written: bool) -> tuple[Prose, str]:
        if not written:
            return ("the lines follow from what they cite",), "the rules alone"
        low, high = min(self.sizes_of_models), max(self.sizes_of_models)
        sizes = f"n = {low} to {high}" if low != high else f"n = {low}"
        return (f"written out for {sizes}, it holds",), "each case decided exactly"

    def _reasons(self, claims: Sequence[Claim]) -> list[str]:
        found = []
        for claim in claims:
            if claim.method != "chain":
                found.append(f"proof by {claim.method}")
            for token in (token for by in claim.by for token in by):
                if token in RULES:
                    found.append(f"{token}: {RULES[token]}")
                elif token.startswith("split at "):
                    found.append(f"{token}: a sum is the sum over a first part and over the rest")
                elif token in self.theory.definitions:
                    found.append(f"the definition of {token}")
                else:
                    found.append(f"by “{token}”")
        return found or ["arithmetic of polynomials, quotients and exponentials"]

    def add(self, *steps: Step) -> None:
        """Steps about particular numbers, which carry their own checks."""
        self.steps += steps

    def conclude(self, conclusion: str, *goals: str) -> None:
        """What was shown, and the labels of the lines that say it.

        Raises: `StepError` for a label that was not proved.
        """
        missing = [goal for goal in goals if goal not in self.theory.proved]
        if missing or not goals:
            raise StepError(f"{self.name}: {', '.join(missing) or 'nothing'} was not proved")
        self.conclusion, self.goals = words(conclusion), goals

    def certificate(self) -> Certificate:
        """The proof as data, to be replayed."""
        return Certificate(
            self.name,
            self.title,
            replace(self.theory, proved={}, conditional={}),
            tuple((step.title, step.claims) for step in self.proved),
            {goal: self.theory.proved[goal] for goal in self.goals},
            tuple(self.models),
            tuple(self.near_misses),
        )

    def derivation(self) -> Derivation:
        """The document."""
        suffix = "" if self.given is None else f" (written out for n = {self.given})"
        return Derivation(
            name=self.name,
            kind="theorem",
            title=self.title + suffix,
            statement=self.statement,
            given=(),
            steps=tuple(self.steps),
            conclusion=self.conclusion,
            results=self.results,
            crosscheck=self.crosscheck,
            assumptions=tuple(self.assumptions),
            notes=(f"Why it matters: {self.why}",),
        )


def _bound(node: Node) -> str:
    """A bound without spaces, as the condition behind a line needs it."""
    return to_text(node).replace(" ", "")


def _length(line: Line) -> int:
    """How long a line is as text."""
    return sum(len(to_text(side.shown)) for side in line.sides)
