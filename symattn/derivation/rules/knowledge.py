"""What is known where a rule is applied: of indices in scope, and from facts."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Hashable, Iterator, Mapping
from contextlib import contextmanager

from symattn.derivation.rules.atoms import Entry, Meaning, Table, frozen
from symattn.derivation.rules.dependence import depends, names_in
from symattn.derivation.rules.order import Sign, at_most, instances
from symattn.derivation.rules.theory import Fact, Theory
from symattn.errors import StepError
from symattn.exact.numbers import Exact, rational, symbol
from symattn.exact.tree import Limit, Node

__all__ = ["Bindings", "Knowledge"]

Bindings = Mapping[str, Exact]


class Knowledge(Table):
    """The facts of a theory, as far as they speak of the indices in scope."""

    def __init__(self, theory: Theory) -> None:
        super().__init__()
        self.theory = theory
        self.permutations: dict[str, Exact] = {}
        self.rewrites: list[Fact] = []
        #: What was found already: what is known in a situation, and the signs of atoms in it.
        self.sizes: dict[Hashable, list[tuple[Exact, bool]]] = {}
        self.known: dict[Hashable, list[tuple[Exact, bool]]] = {}
        self.signs: dict[Hashable, Sign] = {}
        #: Symbols that a limit moves: nothing that is known of them may be used meanwhile, but that
        #: the number here, the symbol or its negative, is positive on its way.
        self.moving: dict[str, Exact] = {}
        #: Set while facts are read, whose denominators were looked at when they were proved.
        self.trusting = False

    @abstractmethod
    def of(self, node: Node, bindings: Bindings) -> Exact:
        """The normal form of a tree."""

    @abstractmethod
    def sign_of(self, meaning: Meaning) -> Sign:
        """The sign of an atom as far as its meaning tells it."""

    @abstractmethod
    def bound(self, node: Node, bindings: Bindings) -> Exact:
        """A whole number, by how it is made."""

    def whole(self, node: Node, bindings: Bindings) -> Exact:
        """A side of a fact that is a whole number by how it is made."""
        before, self.trusting = self.trusting, True
        try:
            return self.bound(node, bindings)
        finally:
            self.trusting = before

    def plain(self, node: Node, bindings: Bindings) -> Exact:
        """A side of a fact, whose denominators are known not to be zero."""
        before, self.trusting = self.trusting, True
        try:
            return self.of(node, bindings)
        finally:
            self.trusting = before

    def admits(self, fact: Fact, bindings: Bindings) -> bool:
        """Whether indices are known to lie in a fact's ranges and to differ as it says."""
        for r in fact.ranges:
            value = bindings[r.index]
            lower, upper = (self.plain(bound, bindings) for bound in (r.lower, r.upper))
            if not (self.within(value, lower, upper)):
                return False
        return all(self.differ(bindings[a], bindings[b]) for a, b in fact.distinct)

    def within(self, value: Exact, lower: Exact, upper: Exact) -> bool:
        """Whether a whole number is known to lie in a range."""
        meaning = self.meaning(value)
        if isinstance(meaning, Entry) and meaning.name in self.permutations:
            size = self.permutations[meaning.name]
            if self.within(meaning.indices[0], rational(1), size):
                return at_most(self, lower, rational(1)) and at_most(self, size, upper)
        return at_most(self, lower, value) and at_most(self, value, upper)

    def situation(self) -> Hashable:
        """The indices in scope with their bounds, and what a limit moves."""
        bounds = ((name, frozen(low), frozen(high)) for name, (low, high) in self.scope.items())
        return frozenset(bounds), tuple(self.moving)

    def whole_facts(self) -> list[tuple[Exact, bool]]:
        """Inequalities between whole numbers, as numbers that are not negative."""
        key = self.situation()
        if key not in self.sizes:
            self.sizes[key] = []  # what the ranges of the facts themselves are looked up in
            facts = [fact for fact in self.order_facts() if self._is_whole(fact)]
            for fact in sorted(facts, key=lambda fact: len(fact.ranges)):  # plain ones first
                for bindings in instances(self, fact, list(self.scope)):
                    try:
                        above, below = (self.whole(s, bindings) for s in (fact.left, fact.right))
                    except StepError:
                        continue  # n/2 > 0 does not say that n/2 is at least 1
                    if fact.relation in ("<", "<="):
                        above, below = below, above
                    gap = above - below - (1 if fact.relation in ("<", ">") else 0)
                    self.sizes[key].append((gap, False))
        return self.sizes[key]

    def _is_whole(self, fact: Fact) -> bool:
        names = names_in(fact.left) | names_in(fact.right)
        return names <= {*self.theory.sizes, *(r.index for r in fact.ranges)}

    def order_facts(self) -> Iterator[Fact]:
        """Assumed and proved inequalities."""
        for fact in self.theory.facts.values():
            if fact.relation not in ("=", "!="):
                yield fact

    def unequal(self) -> Iterator[Exact]:
        """Numbers that are known not to be zero."""
        for fact in self.theory.facts.values():
            if fact.relation == "!=":
                for bindings in instances(self, fact, list(self.scope)):
                    yield self.plain(fact.left, bindings) - self.plain(fact.right, bindings)

    @contextmanager
    def moved(self, node: Limit) -> Iterator[None]:
        """Within it, all that is known of the variable is the side from which it comes."""
        before, variable = (self.moving, self.rewrites), symbol(node.variable)
        own = -variable if node.target == "-oo" else variable
        self.moving = {**self.moving, node.variable: own}
        self.rewrites = [
            fact
            for fact in self.rewrites
            if not any(depends(self.theory, s, node.variable) for s in (fact.left, fact.right))
        ]
        try:
            yield
        finally:
            self.moving, self.rewrites = before
