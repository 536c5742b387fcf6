"""Wrong variants of the right-hand side of a line: sign, factor, index, range, a missing term."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from symattn.derivation.checks import assignments
from symattn.derivation.instances import Model, Written
from symattn.derivation.model import Line, Side
from symattn.derivation.rules.lines import Claim
from symattn.derivation.rules.theory import Relation, Theory
from symattn.errors import StepError, SymattnError
from symattn.exact.tree import Add, Delta, Indexed, Mul, Neg, Node, Number, Pow, Sum, Symbol
from symattn.exact.writing import number

Change = Callable[[Node], Node]


def mutants(node: Node, indices: list[str]) -> Iterator[tuple[str, Node]]:
    """Every variant, with the kind of the change."""
    yield "sign", Neg(node)
    yield "factor", Mul((number(2), node))
    yield "one more", Add((node, number(1)))
    yield "one less", Add((node, Neg(number(1))))
    yield "two more", Add((node, number(2)))
    for path in places(node):
        part = at(node, path)
        for kind, changed in variants(part, indices):
            yield kind, put(node, path, changed)


def false_bounds(left: Node, relation: Relation) -> Iterator[tuple[str, Node]]:
    """Bounds on the wrong side of what they should bound."""
    for distance in (1, 2, 3):
        off = number(distance)
        yield "false bound", Add((left, off if relation in (">", ">=") else Neg(off)))


def variants(part: Node, indices: list[str]) -> Iterator[tuple[str, Node]]:
    """The variants of one part of a tree."""
    match part:
        case Add(terms=terms):
            for i, term in enumerate(terms):
                rest = (*terms[:i], *terms[i + 1 :])
                yield "missing term", rest[0] if len(rest) == 1 else Add(rest)
                yield "sign", Add((*terms[:i], Neg(term), *terms[i + 1 :]))
        case Mul(factors=factors):
            for i in range(len(factors)):
                rest = (*factors[:i], *factors[i + 1 :])
                yield "missing factor", rest[0] if len(rest) == 1 else Mul(rest)
        case Sum(body=body, index=index, lower=lower, upper=upper):
            yield "range", Sum(body, index, lower, Add((upper, Neg(number(1)))))
            yield "range", Sum(body, index, Add((lower, number(1))), upper)
            yield "missing sum", put_index(body, index, lower)
        case Indexed(name=name, indices=own):
            for i, index in enumerate(own):
                for other in indices:
                    if index != Symbol(other) and isinstance(index, Symbol):
                        changed = (*own[:i], Symbol(other), *own[i + 1 :])
                        yield "index", Indexed(name, changed)
        case Delta(left=left):
            yield "index", Delta(left, left)
        case Pow(base=base, exponent=Number(value=value)):
            yield "exponent", Pow(base, number(int(value) + 1))


def places(node: Node, path: tuple[object, ...] = ()) -> Iterator[tuple[object, ...]]:
    """The way to every part of a tree."""
    yield path
    for field in node.__dataclass_fields__:
        part = getattr(node, field)
        if isinstance(part, Node):
            yield from places(part, (*path, field))
        elif isinstance(part, tuple):
            for i, inner in enumerate(part):
                yield from places(inner, (*path, (field, i)))


def at(node: Node, path: tuple[object, ...]) -> Node:
    for step in path:
        node = getattr(node, step[0])[step[1]] if isinstance(step, tuple) else getattr(node, step)
    return node


def put(node: Node, path: tuple[object, ...], changed: Node) -> Node:
    from dataclasses import replace

    if not path:
        return changed
    step, *rest = path
    if isinstance(step, tuple):
        field, i = step
        parts = getattr(node, field)
        inner = put(parts[i], tuple(rest), changed)
        return replace(node, **{field: (*parts[:i], inner, *parts[i + 1 :])})
    return replace(node, **{str(step): put(getattr(node, str(step)), tuple(rest), changed)})


def put_index(body: Node, index: str, value: Node) -> Node:
    """A sum's term at its first index alone."""
    from symattn.exact.tree import rebuild

    return rebuild(body, lambda part: value if part == Symbol(index) else part)


def is_wrong(
    left: Node, relation: Relation, right: Node, claim: Claim, theory: Theory, models: list[Model]
) -> bool | None:
    """Whether some model refutes the relation, proved; None where no model could decide it."""
    decided = False
    for model in models:
        written = Written(theory, model)
        for case in assignments(claim, written)[:6]:
            try:
                sides = (Side(written.out(left, case), {}), Side(written.out(right, case), {}))
            except SymattnError:
                continue  # the variant means nothing here: an index out of range, say
            try:
                Line(sides, (relation,), decimals=False)
                decided = True
            except StepError as error:
                if "undecided" not in str(error):
                    return True
            except SymattnError:
                continue
    return False if decided else None
