"""How a theorem is written down: declarations, assumptions, and steps that are proved as they come.

A `Proof` is filled from top to bottom. Each line is proved by the rules when it is added, and then
written out for models with 1 to 8 keys and decided exactly, which is the step's check. What comes
out is a `Derivation` to read and a list of claims for the certificate.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from symattn.derivation.certificate import Certificate, Statement
from symattn.derivation.checks import assumed, written_out
from symattn.derivation.figures import Figure
from symattn.derivation.instances import Model
from symattn.derivation.model import Check, Derivation, Line, Recipe, Step
from symattn.derivation.notation import read
from symattn.derivation.prose import Prose
from symattn.derivation.rules.lines import Claim
from symattn.derivation.rules.theory import Definition, Theory
from symattn.derivation.statements import (
    deduced,
    fact,
    length,
    line,
    reasons,
    says_something,
    words,
)
from symattn.errors import InputError, StepError
from symattn.exact.tree import Indexed, Symbol

__all__ = ["Proof", "ProofStep", "line", "words"]

#: The numbers of keys for which lines are written out.
SIZES = range(1, 9)
#: A line that is longer than this, written out for 2, is shown for where it is shortest.
LONGEST_SHOWN = 400


@dataclass(frozen=True)
class ProofStep:
    """The title of a step and its lines, for the certificate."""

    title: str
    claims: tuple[Claim, ...]


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
        self.figures: list[Figure] = []

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
        known = {**self.theory.assumptions, label: fact(text, indices)}
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
                deduction = deduced(claim, self.theory)
                self.theory = deduction.after
                chain.append(deduction)
                checks += self._written(claim)
        except StepError as error:
            raise StepError(f"{self.name}, step {title!r}: {error}") from None
        self.proved.append(ProofStep(title, claims))
        rule = "; ".join(dict.fromkeys(reasons(claims, self.theory)))
        check = Check(*self._checked(bool(checks)), tuple(checks or chain))
        written = [one for one in checks if self.given is not None and says_something(one)]
        self.steps.append(Step(title, words(what), words(why), rule, (*chain, *written), check))

    def _written(self, claim: Claim) -> list[Line]:
        """The line under every model; what is shown of it is one case, for the given number."""
        cases: dict[int, Line] = {}
        for n, model in zip(self.sizes_of_models, self.models, strict=True):
            found = written_out(claim, self.theory, model)
            cases |= {n: found[-1]} if found else {}
        wanted = self.given if self.given is not None else 2
        if wanted not in cases or (self.given is None and length(cases[wanted]) > LONGEST_SHOWN):
            wanted = min(cases, key=lambda n: length(cases[n]), default=0)
        return [cases[wanted]] if wanted else []

    def _checked(self, written: bool) -> tuple[Prose, str]:
        if not written:
            return ("the lines follow from what they cite",), "the rules alone"
        low, high = min(self.sizes_of_models), max(self.sizes_of_models)
        sizes = f"n = {low} to {high}" if low != high else f"n = {low}"
        return (f"written out for {sizes}, it holds",), "each case decided exactly"

    def picture(self, *figures: Figure) -> None:
        """Figures of what the theorem says, for the top of its page."""
        self.figures += figures

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
            figures=tuple(self.figures),
            recipe=self._recipe(),
        )

    def _recipe(self) -> Recipe:
        """The call that derives this again; its variation writes the lines out for some n."""
        given = {} if self.given is None else {"given": {"n": self.given}}
        n = 3 if 3 in self.sizes_of_models else max(self.sizes_of_models, default=1)
        return Recipe("derive", {"target": self.name, **given}, {"given": {"n": self.given or n}})
