"""A statement about any number of terms, written out for one number of them.

Under a model, which says how many keys there are and gives names their values, a sum becomes its
terms, an entry a symbol of its own or a number, an expected value the mean over fair signs: an
ordinary tree, which `exact` evaluates. It shares nothing with the rules, so it checks them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from symattn.derivation.calculus import cosine, mean_over_signs, slope
from symattn.derivation.rules.theory import Theory
from symattn.errors import StepError, UndecidedError
from symattn.exact.asymptotics import limit, substitute
from symattn.exact.evaluate import evaluate
from symattn.exact.numbers import rational
from symattn.exact.tree import (
    Add,
    Call,
    Delta,
    Derivative,
    Div,
    Expectation,
    Indexed,
    Limit,
    Node,
    Sum,
    Symbol,
    rebuild,
    with_parts,
)
from symattn.exact.writing import number, to_tree

__all__ = ["Entries", "Indices", "Model", "Written", "instantiate"]

#: What names stand for: a tree, or for a family a tuple of such, one entry an index.
Entries: TypeAlias = "Node | tuple[Entries, ...]"
Model: TypeAlias = Mapping[str, Entries]
Indices: TypeAlias = Mapping[str, int]


def instantiate(node: Node, theory: Theory, model: Model) -> Node:
    """The tree written out under a model; what the model leaves open stays a symbol.

    >>> from symattn.derivation.notation import read
    >>> from symattn.exact.plain import to_text
    >>> to_text(instantiate(read("Sum(s[j], j, 1, n)"), Theory(sizes=("n",)), {"n": number(2)}))
    's_1 + s_2'

    Raises: `StepError` where an index lies outside a family, `UndecidedError` for a limit whose
    exponents have open coefficients.
    """
    return Written(theory, model).out(node, {})


class Written:
    """Writes trees out under one theory and one model."""

    def __init__(self, theory: Theory, model: Model) -> None:
        self.theory, self.model = theory, model
        self.entries: dict[tuple[str, tuple[int, ...]], Node] = {}

    def out(self, node: Node, bound: Indices) -> Node:
        """The tree, where `bound` says what the indices in scope are."""

        def inner(part: Node) -> Node:
            return self.out(part, bound)

        match node:
            case Symbol(name=name):
                return number(bound[name]) if name in bound else self.named(name)
            case Indexed(name=name, indices=indices):
                return self.entry(name, tuple(self.whole(index, bound) for index in indices))
            case Sum(body=body, index=index, lower=lower, upper=upper):
                values = range(self.whole(lower, bound), self.whole(upper, bound) + 1)
                terms = [self.out(body, {**bound, index: value}) for value in values]
                return Add(tuple(terms)) if len(terms) > 1 else (*terms, number(0))[0]
            case Delta(left=left, right=right):
                return number(int(self.whole(left, bound) == self.whole(right, bound)))
            case Derivative():
                return self.derivative(node, bound)
            case Expectation(body=body):
                return mean_over_signs(inner(body), self.theory.random)
            case Call(function="cos" | "sin" as name, argument=argument):
                return cosine(name, inner(argument))
            case Limit():
                return self.limit(node, bound)
        return with_parts(node, inner)

    def whole(self, node: Node, bound: Indices) -> int:
        """The whole number that an index is.

        Raises: `StepError` where it is none.
        """
        if isinstance(node, Symbol) and node.name in bound:
            return bound[node.name]
        ratio = evaluate(self.out(node, bound)).as_rational()
        if ratio is None or ratio.q != 1:
            raise StepError("an index is not a whole number")
        return int(ratio)

    def named(self, name: str) -> Node:
        """What a name stands for."""
        value = self.model.get(name)
        if isinstance(value, tuple):
            raise StepError(f"{name} is a family: it needs an index")
        if value is not None:
            return value
        return self.entry(name, ()) if name in self.theory.definitions else Symbol(name)

    def entry(self, name: str, indices: tuple[int, ...]) -> Node:
        """An entry of a family, or what a definition makes of it."""
        if (name, indices) not in self.entries:
            self.entries[name, indices] = self._entry(name, indices)
        return self.entries[name, indices]

    def _entry(self, name: str, indices: tuple[int, ...]) -> Node:
        if name in self.model:
            value: Entries = self.model[name]
            for index in indices:
                if not isinstance(value, tuple) or not 1 <= index <= len(value):
                    raise StepError(f"{name}[{', '.join(map(str, indices))}] does not exist")
                value = value[index - 1]
            assert not isinstance(value, tuple)
            return value
        definition = self.theory.definitions.get(name)
        if definition is None:
            return Symbol("_".join((name, *map(str, indices))))
        return self.out(definition.body, dict(zip(definition.parameters, indices, strict=True)))

    def without(self, name: str) -> Written:
        """The same with one name left open."""
        return Written(self.theory, {n: value for n, value in self.model.items() if n != name})

    def limit(self, node: Limit, bound: Indices) -> Node:
        """The limit by the leading terms of numerator and denominator (`exact.asymptotics`)."""
        opened = self.without(node.variable)
        inverse = {**opened.model, node.variable: Div(number(1), Symbol(node.variable))}
        inverted = Written(self.theory, inverse)
        if node.target == "0+":  # 1/T rises to infinity as T falls to 0
            return to_tree(limit(evaluate(inverted.out(node.body, bound)), node.variable, 1))
        try:
            value = evaluate(opened.out(node.body, bound))
            return to_tree(limit(value, node.variable, 1 if node.target == "oo" else -1))
        except UndecidedError:  # e^{1/T} and its like: continuous in 1/T at 0
            value = evaluate(inverted.out(node.body, bound))
            return to_tree(substitute(value, {node.variable: rational(0)}))

    def derivative(self, node: Derivative, bound: Indices) -> Node:
        """The derivative, taken while the variable is open and evaluated after."""
        name = node.variable.name
        opened = self.without(name)
        found = slope(opened.out(node.body, bound), opened.out(node.variable, bound))
        values: dict[Node, Node] = {}
        entries = self.model.get(name, ())
        if not isinstance(entries, tuple):
            values[Symbol(name)] = entries
        else:
            for place, entry in enumerate(entries, start=1):
                assert not isinstance(entry, tuple)
                values[opened.entry(name, (place,))] = entry
        return rebuild(found, lambda part: values.get(part, part))
