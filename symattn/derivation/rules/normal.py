"""The normal form of a tree under a theory, with the rules and facts that a step names.

Equal trees that need no rule beyond the arithmetic of polynomials, quotients and exponentials have
equal normal forms, decided by the zero test of `exact`. A rule that a step does not name is not
applied. A quotient needs its denominator known not to be zero.
"""

from __future__ import annotations

from collections.abc import Sequence

from symattn.derivation.rules import derivatives, expectation, limits, trigonometry
from symattn.derivation.rules.atoms import Entry, Kronecker, Meaning, Root, frozen, is_symbol
from symattn.derivation.rules.dependence import names_below_roots, nodes_of
from symattn.derivation.rules.knowledge import Bindings, Knowledge
from symattn.derivation.rules.order import Sign, at_most, instances, is_nonzero, sign
from symattn.derivation.rules.sums import Total, opened_total, total
from symattn.derivation.rules.theory import Fact, Range, Theory
from symattn.errors import StepError
from symattn.exact import functions
from symattn.exact.equality import difference
from symattn.exact.numbers import Exact, rational, symbol
from symattn.exact.plain import to_text
from symattn.exact.terms import UNIT, Atom
from symattn.exact.tree import (
    Add,
    Call,
    Constant,
    Delta,
    Derivative,
    Div,
    Expectation,
    Indexed,
    Limit,
    Mul,
    Neg,
    Node,
    Number,
    Pow,
    Sum,
    Symbol,
)
from symattn.exact.tree import Root as RootNode
from symattn.exact.zero import decide_zero

__all__ = ["Form"]


class Form(Knowledge):
    """Normal forms under one theory, one set of rules and the indices of one line."""

    def __init__(
        self,
        theory: Theory,
        by: Sequence[str] = (),
        ranges: Sequence[Range] = (),
        distinct: Sequence[tuple[str, str]] = (),
        nodes: Sequence[Node] = (),
        rooted: frozenset[str] | None = None,
    ) -> None:
        super().__init__(theory)
        self.rules = frozenset(by)
        self.cuts: list[Exact] = []
        below_roots = names_below_roots((*nodes, *nodes_of(theory)))
        self.rooted = _positive(theory, below_roots) if rooted is None else rooted
        self.permutations = {name: self.of(size, {}) for name, size in theory.permutations}
        for r in ranges:
            bounds = (self.bound(r.lower, {}), self.bound(r.upper, {}))
            self.scope[r.index] = bounds
        for pair in distinct:
            self.distinct.add(frozenset(frozen(symbol(index)) for index in pair))
        self.rewrites = [theory.facts[label] for label in by if label in theory.facts]
        self.rewrites = [fact for fact in self.rewrites if fact.relation == "="]

    def allows(self, rule: str) -> bool:
        """Whether the step names a rule."""
        return rule in self.rules

    # --- trees ----------------------------------------------------------------------------------

    def of(self, node: Node, bindings: Bindings) -> Exact:
        """The normal form of a tree in which `bindings` say what bound names stand for.

        Raises: `StepError` where the tree is outside the rules or a side condition is not met.
        """
        match node:
            case Number(value=value):
                return rational(value)
            case Constant(name=name):
                return functions.exp(rational(1)) if name == "e" else functions.pi()
            case Symbol(name=name):
                return bindings[name] if name in bindings else self.named(name)
            case Neg(body=body):
                return -self.of(body, bindings)
            case Add(terms=terms):
                return sum((self.of(term, bindings) for term in terms), Exact({}))
            case Mul(factors=factors):
                product = Exact(UNIT)
                for factor in factors:
                    product = product * self.of(factor, bindings)
                return product
            case Div(numerator=above, denominator=below):
                return self.of(above, bindings) / self.nonzero(self.of(below, bindings), below)
            case Pow(base=base, exponent=exponent):
                return self.power(base, self.of(exponent, bindings), bindings)
            case RootNode(radicand=Symbol(name=name), index=2):
                return self.root(name)
            case RootNode(radicand=radicand, index=index):
                return functions.root(self.of(radicand, bindings), index)
            case Call(function="exp", argument=argument):
                return functions.exp(self.of(argument, bindings))
            case Call(function="cos" | "sin" as name, argument=argument):
                return trigonometry.call(self, name, self.of(argument, bindings))
            case Indexed(name=name, indices=indices):
                return self.entry(name, tuple(self.of(index, bindings) for index in indices))
            case Delta(left=left, right=right):
                return self.kronecker(self.of(left, bindings), self.of(right, bindings))
            case Sum(body=body, index=index, lower=lower, upper=upper):
                low, high = self.bound(lower, bindings), self.bound(upper, bindings)
                with self.opened(low, high) as name:
                    inner = self.of(body, {**bindings, index: symbol(name)})
                    return total(self, name, low, high, inner)
            case Limit():
                return limits.limit(self, node, bindings)
            case Derivative(body=body, variable=variable):
                return derivatives.derivative(self, body, variable, bindings)
            case Expectation(body=body):
                return expectation.mean(self, self.of(body, bindings))
        raise StepError(f"{to_text(node)} is outside the rules")

    def nonzero(self, x: Exact, node: Node) -> Exact:
        """A denominator, once it is known not to be zero."""
        if not self.trusting and not is_nonzero(self, x):
            raise StepError(f"the denominator {to_text(node)} is not known to be non-zero")
        return x

    def bound(self, node: Node, bindings: Bindings) -> Exact:
        """An end of a range, which is a whole number by how it is made."""
        x = self.of(node, bindings)
        if x.denominator != UNIT or any(value.q != 1 for value in x.numerator.values()):
            raise StepError(f"the bound {to_text(node)} is not known to be a whole number")
        for exponent, radical, atoms in x.numerator:
            if exponent or radical or not all(self.is_whole(atom, power) for atom, power in atoms):
                raise StepError(f"the bound {to_text(node)} is not known to be a whole number")
        return x

    def is_whole(self, atom: Atom, power: int) -> bool:
        """Whether a power of an atom is a whole number: of a size, an index, or a permuted one."""
        name = str(atom.payload)
        meaning = self.meanings.get(name)
        if isinstance(meaning, Root):
            return meaning.name in self.theory.sizes and power > 0 and power % 2 == 0
        if isinstance(meaning, Entry):
            name = meaning.name
        whole = name in self.scope or name in self.theory.sizes or name in self.permutations
        return atom.kind == "symbol" and whole and power > 0

    def power(self, base: Node, exponent: Exact, bindings: Bindings) -> Exact:
        """A whole power; a negative one is a quotient."""
        ratio = exponent.as_rational()
        if ratio is None or ratio.q != 1:
            raise StepError(f"a power of {to_text(base)} that is no whole number")
        value = self.of(base, bindings)
        return self.nonzero(value, base) ** int(ratio.p) if ratio < 0 else value ** int(ratio.p)

    # --- names ----------------------------------------------------------------------------------

    def named(self, name: str) -> Exact:
        """An index in scope, a definition that the step unfolds, or an open symbol."""
        if name in self.scope:
            return symbol(name)
        if name in self.rules and name in self.theory.definitions:
            return self.of(self.theory.definitions[name].body, {})
        for fact in self.rewrites:
            if fact.left == Symbol(name) and not fact.ranges:
                return self.of(fact.right, {})
        return self.root(name) ** 2 if name in self.rooted else symbol(name)

    def root(self, name: str) -> Exact:
        """The square root of a symbol that is known to be positive."""
        if name not in self.rooted:
            raise StepError(f"{name} stands below a root and is not known to be positive")
        return self.atom(Root(name))

    def entry(self, name: str, indices: tuple[Exact, ...]) -> Exact:
        """An entry, or what a definition that the step unfolds makes of it."""
        definition = self.theory.definitions.get(name)
        if definition is not None and name in self.rules:
            bindings = dict(zip(definition.parameters, indices, strict=True))
            return self.of(definition.body, bindings)
        return self.atom(Entry(name, indices))

    def atom(self, meaning: Meaning) -> Exact:
        """The symbol of a meaning, or what a fact that the step cites makes of it."""
        made = super().atom(meaning)
        if self.trusting:
            return made
        for fact in self.rewrites:
            found = self._rewritten(fact, meaning, made)
            if found is not None:
                return found
        return made

    def _rewritten(self, fact: Fact, meaning: Meaning, made: Exact) -> Exact | None:
        if isinstance(fact.left, Indexed) and isinstance(meaning, Entry):
            bindings = self._matched(fact, fact.left, meaning)
            if bindings is not None:
                return self.of(fact.right, bindings)
        if isinstance(fact.left, Symbol):
            return None
        names = [name for name in self.scope if name in self.free(made)]
        for bindings in instances(self, fact, names):
            if is_symbol(self.plain(fact.left, bindings)) == is_symbol(made):
                return self.of(fact.right, bindings)
        return None

    def _matched(self, fact: Fact, left: Indexed, entry: Entry) -> dict[str, Exact] | None:
        """What a fact's indices stand for, where its left side is an entry of bare indices."""
        wanted = {r.index for r in fact.ranges}
        bare = [index.name for index in left.indices if isinstance(index, Symbol)]
        if left.name != entry.name or set(bare) != wanted or len(bare) != len(entry.indices):
            return None
        bindings = dict(zip(bare, entry.indices, strict=True))
        return bindings if len(set(bare)) == len(bare) and self.admits(fact, bindings) else None

    def sign_of(self, meaning: Meaning) -> Sign:
        """The sign of an atom as far as its meaning tells it."""
        match meaning:
            case Kronecker():
                return "nonnegative"
            case Root():
                return "positive"
            case Total(lower=lower, upper=upper):
                with self.opened(lower, upper) as name:
                    found = sign(self, opened_total(self, meaning, name))
                return found if found is None or at_most(self, lower, upper) else "nonnegative"
            case Entry(name=name, indices=indices) if name in self.theory.definitions:
                definition = self.theory.definitions[name]
                bindings = dict(zip(definition.parameters, indices, strict=True))
                try:
                    return sign(self, self.of(definition.body, bindings))
                except StepError:
                    return None
        return None

    def equal(self, left: Exact, right: Exact) -> bool:
        """Whether two normal forms are the same function of their atoms."""
        rest = trigonometry.reduced(self, Exact(difference(left, right)))
        return decide_zero(rest.numerator).verdict == "zero"


def _positive(theory: Theory, names: frozenset[str]) -> frozenset[str]:
    """Those of the names that are known to be positive: they are kept as squares of their roots."""
    if not names:
        return names
    form = Form(theory, rooted=frozenset())
    with_roots = frozenset(theory.definitions) & names  # a definition is no open symbol
    return frozenset(n for n in names - with_roots if sign(form, symbol(n)) == "positive")
