"""The atoms of a normal form: entries, deltas, sums, means, each known by number and by meaning.

`exact` decides identities between polynomials in symbols and exponentials. Whatever else a theorem
speaks of becomes one more symbol, `@7`, whose meaning this table keeps. Equal meanings get equal
symbols, so what is proved for all values of the symbols holds for their meanings.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count

from flint import fmpq

from symattn.errors import StepError
from symattn.exact import functions
from symattn.exact.numbers import Exact, symbol
from symattn.exact.terms import UNIT, Atom, Monomial, freeze, thaw

__all__ = ["Entry", "Kronecker", "Meaning", "Root", "Table", "frozen", "is_symbol", "monomial"]


def frozen(x: Exact) -> Hashable:
    """A key that two numbers share only where they are written alike."""
    return freeze(x.numerator), freeze(x.denominator)


def monomial(key: Monomial) -> Exact:
    """The number of one monomial."""
    return Exact({key: fmpq(1)})


def is_symbol(x: Exact) -> str | None:
    """The name, where a number is one bare symbol."""
    if x.denominator != UNIT or len(x.numerator) != 1:
        return None
    (((exponent, radical, atoms), value),) = x.numerator.items()
    if exponent or radical or value != 1 or len(atoms) != 1:
        return None
    (atom, power) = atoms[0]
    return str(atom.payload) if atom.kind == "symbol" and power == 1 else None


class Meaning(ABC):
    """What an atom stands for."""

    @property
    @abstractmethod
    def parts(self) -> tuple[Exact, ...]:
        """The numbers that the meaning is made of."""

    @abstractmethod
    def rebuilt(self, table: Table, mapping: Mapping[str, Exact]) -> Exact:
        """The meaning with symbols replaced."""

    @property
    def key(self) -> Hashable:
        """What tells it from every other meaning."""
        return (type(self).__name__, *map(frozen, self.parts))

    @property
    def bound(self) -> frozenset[str]:
        """The names that are bound in it."""
        return frozenset()


@dataclass(frozen=True)
class Entry(Meaning):
    """An entry of a family."""

    name: str
    indices: tuple[Exact, ...]

    @property
    def parts(self) -> tuple[Exact, ...]:
        """The indices."""
        return self.indices

    @property
    def key(self) -> Hashable:
        """Name and indices."""
        return ("Entry", self.name, *map(frozen, self.indices))

    def rebuilt(self, table: Table, mapping: Mapping[str, Exact]) -> Exact:
        """The entry at other indices."""
        return table.atom(Entry(self.name, tuple(table.replace(i, mapping) for i in self.indices)))


@dataclass(frozen=True)
class Kronecker(Meaning):
    """1 where two indices are equal, else 0."""

    left: Exact
    right: Exact

    @property
    def parts(self) -> tuple[Exact, ...]:
        """The two indices."""
        return self.left, self.right

    def rebuilt(self, table: Table, mapping: Mapping[str, Exact]) -> Exact:
        """The delta of other indices."""
        return table.kronecker(*(table.replace(part, mapping) for part in self.parts))


@dataclass(frozen=True)
class Root(Meaning):
    """The square root of a positive symbol, which is itself kept as the square of its root."""

    name: str

    @property
    def parts(self) -> tuple[Exact, ...]:
        """Nothing but the name."""
        return ()

    @property
    def key(self) -> Hashable:
        """The name."""
        return ("Root", self.name)

    def rebuilt(self, table: Table, mapping: Mapping[str, Exact]) -> Exact:
        """Itself: a symbol below a root is never an index."""
        return table.atom(self)


class Table:
    """Numbers the atoms and replaces symbols inside them."""

    def __init__(self) -> None:
        self.numbered: dict[Hashable, str] = {}
        self.meanings: dict[str, Meaning] = {}
        self.free_names: dict[str, frozenset[str]] = {}
        self.mentions: dict[str, frozenset[str]] = {}
        self.distinct: set[Hashable] = set()
        #: Indices in scope with their bounds.
        self.scope: dict[str, tuple[Exact, Exact]] = {}

    def atom(self, meaning: Meaning) -> Exact:
        """The symbol of a meaning."""
        name = self.numbered.get(meaning.key)
        if name is None:
            name = f"@{len(self.numbered)}"
            self.numbered[meaning.key] = name
            self.meanings[name] = meaning
            inner = frozenset[str]().union(*(self.free(part) for part in meaning.parts))
            self.free_names[name] = inner - meaning.bound
            mentioned = frozenset[str]().union(*(self.mentioned(part) for part in meaning.parts))
            self.mentions[name] = mentioned | {name}
        return symbol(name)

    def meaning(self, x: Exact) -> Meaning | None:
        """The meaning of a number that is one atom."""
        return self.meanings.get(is_symbol(x) or "")

    @contextmanager
    def opened(self, lower: Exact, upper: Exact) -> Iterator[str]:
        """A new index between two bounds, in scope for a while."""
        # Nothing that mentions the index outlives it, so its name may be used again.
        name = next(f"~{i}" for i in count(1) if f"~{i}" not in self.scope)
        self.scope[name] = (lower, upper)
        try:
            yield name
        finally:
            del self.scope[name]

    @contextmanager
    def outside(self, name: str) -> Iterator[None]:
        """Where an index in scope is not: nothing that its range tells is known within it."""
        bounds = self.scope.pop(name)
        try:
            yield
        finally:
            self.scope[name] = bounds

    @contextmanager
    def only(self, names: frozenset[str]) -> Iterator[None]:
        """Where of the indices in scope only some are, and those that their bounds name."""
        before, wanted = self.scope, names
        while (
            more := {
                name
                for index in wanted & before.keys()
                for bound in before[index]
                for name in self.mentioned(bound)
            }
            - wanted
        ):
            wanted = wanted | more
        self.scope = {name: bounds for name, bounds in before.items() if name in wanted}
        try:
            yield
        finally:
            self.scope = before

    def free(self, x: Exact) -> frozenset[str]:
        """The symbols that a number depends on, through the meaning of its atoms."""
        keys = [*x.numerator, *x.denominator]
        return frozenset[str]().union(*(self.free_of(key) for key in keys))

    def free_of(self, key: Monomial) -> frozenset[str]:
        """The symbols that a monomial depends on."""
        exponent, _, atoms = key
        found = set[str]()
        for inner, _, _ in exponent:
            found |= self.free_of(inner)
        for atom, _ in atoms:
            found |= self.free_of_atom(atom)
        return frozenset(found)

    def free_of_atom(self, atom: Atom) -> frozenset[str]:
        """The symbols that an atom depends on."""
        if atom.kind == "symbol":
            return self.free_names.get(atom.payload, frozenset((atom.payload,)))
        if atom.kind == "pi":
            return frozenset()
        raise StepError(f"a {atom.kind} of symbols is outside the rules")

    def mentioned(self, x: Exact) -> frozenset[str]:
        """All names in a number, those of its atoms and of what they are made of included."""
        return frozenset[str]().union(*(self.mentions.get(n, {n}) for n in x.symbols()))

    def free_atoms(self, x: Exact) -> list[str]:
        """The atoms of a number that have a meaning, those of its exponents included."""
        return sorted(name for name in x.symbols() if name in self.meanings)

    def replace(self, x: Exact, mapping: Mapping[str, Exact]) -> Exact:
        """The number with symbols replaced, inside the meaning of its atoms too."""
        if not self.mentioned(x) & mapping.keys():
            return x
        above, below = (
            self._replaced(Exact(part), mapping) for part in (x.numerator, x.denominator)
        )
        return above if x.denominator == UNIT else above / below

    def _replaced(self, x: Exact, mapping: Mapping[str, Exact]) -> Exact:
        total = Exact({})
        for (exponent, radical, atoms), value in x.numerator.items():
            term = Exact({((), radical, ()): value})
            if exponent:
                term = term * functions.exp(self.replace(Exact(thaw(exponent)), mapping))
            for atom, power in atoms:
                term = term * self._replaced_atom(atom, mapping) ** power
            total = total + term
        return total

    def _replaced_atom(self, atom: Atom, mapping: Mapping[str, Exact]) -> Exact:
        if atom.kind != "symbol":
            return monomial(((), (), ((atom, 1),)))
        name = atom.payload
        if name in mapping:
            return mapping[name]
        meaning = self.meanings.get(name)
        if meaning is None or not self.mentions[name] & mapping.keys():
            return symbol(name)
        return meaning.rebuilt(self, mapping)

    def kronecker(self, left: Exact, right: Exact) -> Exact:
        """The delta of two indices: 1 where they are equal, 0 where they are known to differ."""
        difference = (left - right).as_rational()
        if difference is not None:
            return Exact(UNIT if difference == 0 else {})
        if self.differ(left, right):
            return Exact({})
        left, right = sorted((left, right), key=lambda index: str(frozen(index)))
        return self.atom(Kronecker(left, right))

    def differ(self, left: Exact, right: Exact) -> bool:
        """Whether two indices are known to be different."""
        difference = (left - right).as_rational()
        return bool(difference) or frozenset((frozen(left), frozen(right))) in self.distinct
