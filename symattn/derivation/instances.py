"""A statement about any number of terms, written out for one number of them.

Under a model, which says how many keys there are and gives names their values, a sum becomes its
terms, an entry a symbol of its own or a number, an expected value the mean over fair signs: an
ordinary tree, which `exact` evaluates. It shares nothing with the rules, so it checks them.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from itertools import product
from typing import TypeAlias

from symattn.derivation.model import Line, Side
from symattn.derivation.rules.lines import Claim
from symattn.derivation.rules.theory import Range, Theory
from symattn.errors import StepError, UndecidedError
from symattn.exact import functions
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
    Mul,
    Neg,
    Node,
    Number,
    Pow,
    Root,
    Sum,
    Symbol,
    rebuild,
    with_parts,
)
from symattn.exact.writing import number, to_tree

__all__ = ["Model", "assignments", "assumed", "instantiate", "written_out"]

#: What names stand for: a tree, or for a family a tuple of such, one entry an index.
Entries: TypeAlias = "Node | tuple[Entries, ...]"
Model: TypeAlias = Mapping[str, Entries]

#: cos of multiples of π/12 that are written with one root: twelfths -> (numerator root, halves).
_COSINES = {0: (4, 1), 2: (3, 1), 3: (2, 1), 4: (1, 1), 6: (0, 1), 8: (1, -1), 9: (2, -1)}
_COSINES |= {10: (3, -1), 12: (4, -1)}


def instantiate(node: Node, theory: Theory, model: Model) -> Node:
    """The tree written out under a model; what the model leaves open stays a symbol.

    >>> from symattn.derivation.notation import read
    >>> from symattn.exact.plain import to_text
    >>> to_text(instantiate(read("Sum(s[j], j, 1, n)"), Theory(sizes=("n",)), {"n": number(2)}))
    's_1 + s_2'

    Raises: `StepError` where an index lies outside a family, `UndecidedError` for a limit whose
    exponents have open coefficients.
    """

    def out(part: Node) -> Node:
        return instantiate(part, theory, model)

    match node:
        case Symbol(name=name):
            return _named(name, theory, model)
        case Indexed(name=name, indices=indices):
            return _entry(name, tuple(whole(out(index)) for index in indices), theory, model)
        case Sum(body=body, index=index, lower=lower, upper=upper):
            values = range(whole(out(lower)), whole(out(upper)) + 1)
            terms = [instantiate(body, theory, {**model, index: number(v)}) for v in values]
            return Add(tuple(terms)) if len(terms) > 1 else (*terms, number(0))[0]
        case Delta(left=left, right=right):
            return number(int(whole(out(left)) == whole(out(right))))
        case Derivative(body=body, variable=variable):
            return _derivative(body, variable, theory, model)
        case Expectation(body=body):
            return _mean(out(body), theory)
        case Call(function="cos" | "sin" as name, argument=argument):
            return _cosine(name, out(argument))
        case Limit():
            return _limit(node, theory, model)
    return with_parts(node, out)


def whole(node: Node) -> int:
    """The whole number that an index is.

    Raises: `StepError` where it is none.
    """
    ratio = evaluate(node).as_rational()
    if ratio is None or ratio.q != 1:
        raise StepError("an index is not a whole number")
    return int(ratio)


def _named(name: str, theory: Theory, model: Model) -> Node:
    value = model.get(name)
    if isinstance(value, tuple):
        raise StepError(f"{name} is a family: it needs an index")
    if value is not None:
        return value
    definition = theory.definitions.get(name)
    return Symbol(name) if definition is None else instantiate(definition.body, theory, model)


def _entry(name: str, indices: tuple[int, ...], theory: Theory, model: Model) -> Node:
    if name in model:
        value: Entries = model[name]
        for index in indices:
            if not isinstance(value, tuple) or not 1 <= index <= len(value):
                raise StepError(f"{name}[{', '.join(map(str, indices))}] does not exist")
            value = value[index - 1]
        assert not isinstance(value, tuple)
        return value
    definition = theory.definitions.get(name)
    if definition is None:
        return Symbol("_".join((name, *map(str, indices))))
    bound = dict(zip(definition.parameters, map(number, indices), strict=True))
    return instantiate(definition.body, theory, {**model, **bound})


def _limit(node: Limit, theory: Theory, model: Model) -> Node:
    """The limit by the leading terms of numerator and denominator (`exact.asymptotics`)."""
    opened = {name: value for name, value in model.items() if name != node.variable}
    variable = Symbol(node.variable)
    inverse: Model = {**opened, node.variable: Div(number(1), variable)}
    if node.target == "0+":  # 1/T rises to infinity as T falls to 0
        value = evaluate(instantiate(node.body, theory, inverse))
        return to_tree(limit(value, node.variable, 1))
    try:
        value = evaluate(instantiate(node.body, theory, opened))
        return to_tree(limit(value, node.variable, 1 if node.target == "oo" else -1))
    except UndecidedError:  # e^{1/T} and its like: continuous in 1/T at 0
        value = evaluate(instantiate(node.body, theory, inverse))
        return to_tree(substitute(value, {node.variable: rational(0)}))


def _derivative(body: Node, by: Indexed | Symbol, theory: Theory, model: Model) -> Node:
    """The derivative, taken while the variable is open and evaluated after."""
    opened = {name: value for name, value in model.items() if name != by.name}
    variable = instantiate(by, theory, opened)
    found = _slope(instantiate(body, theory, opened), variable)
    values: dict[Node, Node] = {}
    if by.name in model:
        families = model[by.name]
        entries = families if isinstance(families, tuple) else (families,)
        for place, entry in enumerate(entries, start=1):
            assert not isinstance(entry, tuple)
            values[_entry(by.name, (place,), theory, opened)] = entry
    return rebuild(found, lambda part: values.get(part, part))


def _slope(node: Node, by: Node) -> Node:
    match node:
        case _ if node == by:
            return number(1)
        case Number() | Symbol():
            return number(0)
        case Neg(body=body):
            return Neg(_slope(body, by))
        case Add(terms=terms):
            return Add(tuple(_slope(term, by) for term in terms))
        case Mul(factors=factors):
            parts = [
                Mul((_slope(factor, by), *factors[:i], *factors[i + 1 :]))
                for i, factor in enumerate(factors)
            ]
            return Add(tuple(parts))
        case Div(numerator=above, denominator=below):
            top = Add((Mul((_slope(above, by), below)), Neg(Mul((above, _slope(below, by))))))
            return Div(top, Pow(below, number(2)))
        case Call(function="exp", argument=argument):
            return Mul((node, _slope(argument, by)))
    raise StepError(f"no derivative of a {type(node).__name__} is written out")


def _mean(body: Node, theory: Theory) -> Node:
    """The mean over all fair signs of the random entries that stand in a tree."""
    entries: dict[str, None] = {}

    def look(part: Node) -> Node:
        if isinstance(part, Symbol) and part.name.split("_")[0] in theory.random:
            entries[part.name] = None
        return part

    rebuild(body, look)
    names = list(entries)
    cases = [
        _signed(body, dict(zip(names, signs, strict=True)))
        for signs in product((1, -1), repeat=len(names))
    ]
    return Div(Add(tuple(cases)), number(len(cases))) if len(cases) > 1 else cases[0]


def _signed(body: Node, signs: Mapping[str, int]) -> Node:
    """A tree with a sign for each random entry."""

    def change(part: Node) -> Node:
        known = isinstance(part, Symbol) and part.name in signs
        return number(signs[part.name]) if known and isinstance(part, Symbol) else part

    return rebuild(body, change)


def _cosine(name: str, angle: Node) -> Node:
    """The cosine or sine of a multiple of π/12 that has a value with one root."""
    twelfths = (evaluate(angle) * 12 / functions.pi()).as_rational()
    if twelfths is None or twelfths.q != 1:
        raise StepError("only angles that are multiples of pi/12 are written out")
    place = abs(int(twelfths) - (6 if name == "sin" else 0)) % 24
    found = _COSINES.get(min(place, 24 - place))
    if found is None:
        raise StepError("the cosine of this angle is not written with one root")
    radicand, sign = found
    half = Div(Root(number(radicand), 2), number(2)) if radicand not in (0, 1, 4) else None
    value = half or number(Fraction({0: 0, 1: 1, 4: 2}[radicand], 2))
    return value if sign > 0 else Neg(value)


def assignments(
    ranges: tuple[Range, ...], distinct: tuple[tuple[str, str], ...], theory: Theory, model: Model
) -> list[Model]:
    """The model with every value that the indices of a line can take."""
    found: list[Model] = [model]
    for r in ranges:
        found = [
            {**known, r.index: number(value)}
            for known in found
            for value in range(
                whole(instantiate(r.lower, theory, known)),
                whole(instantiate(r.upper, theory, known)) + 1,
            )
        ]
    return [known for known in found if all(known[a] != known[b] for a, b in distinct)]


def written_out(claim: Claim, theory: Theory, model: Model, most: int = 6) -> list[Line]:
    """A line under a model, for up to `most` values of its indices, each decided exactly.

    Raises: `StepError` where one of them does not hold.
    """
    cases = assignments(claim.ranges, claim.distinct, theory, model)
    if claim.hypothesis is not None or not cases:
        return []
    chosen = cases[:: -(-len(cases) // most)]
    chosen += [cases[-1]] if cases[-1] is not chosen[-1] else []
    return [_line(claim, theory, case) for case in chosen]


def _line(claim: Claim, theory: Theory, model: Model) -> Line:
    sides = [Side(instantiate(node, theory, model), {}) for node in claim.nodes]
    return Line(tuple(sides), claim.relations, decimals=False)


def assumed(theory: Theory, model: Model) -> None:
    """Check that a model meets every assumption, so that what they say is not empty.

    Raises: `StepError` naming the first assumption that it does not meet.
    """
    for label, fact in theory.assumptions.items():
        for case in assignments(fact.ranges, fact.distinct, theory, model):
            sides = (Side(instantiate(node, theory, case), {}) for node in (fact.left, fact.right))
            try:
                Line(tuple(sides), (fact.relation,), decimals=False)
            except StepError as error:
                raise StepError(
                    f"the model does not meet the assumption {label!r}: {error}"
                ) from None
