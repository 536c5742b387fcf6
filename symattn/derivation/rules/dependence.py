"""Whether a tree depends on a name, also by way of definitions that it does not unfold."""

from __future__ import annotations

from collections.abc import Sequence

from symattn.derivation.rules.theory import Theory
from symattn.exact.tree import Limit, Node, Root, Sum, Symbol, rebuild, with_parts

__all__ = [
    "depends",
    "free_names",
    "global_names",
    "names_below_roots",
    "names_in",
    "nodes_of",
]


def names_in(node: Node) -> set[str]:
    """Every name in a tree, of symbols and of families."""
    found: set[str] = set()

    def look(part: Node) -> Node:
        name = getattr(part, "name", None)
        if isinstance(name, str):
            found.add(name)
        if isinstance(part, Sum | Limit):
            found.add(part.index if isinstance(part, Sum) else part.variable)
        return part

    rebuild(node, look)
    return found


def free_names(node: Node, bound: frozenset[str] = frozenset()) -> set[str]:
    """The names in a tree that no sum in it binds."""
    if isinstance(node, Sum):
        outside = free_names(node.lower, bound) | free_names(node.upper, bound)
        return outside | free_names(node.body, bound | {node.index})
    found: set[str] = set()
    with_parts(node, lambda part: found.update(free_names(part, bound)) or part)  # type: ignore[func-returns-value]
    name = getattr(node, "name", None)
    if isinstance(name, str) and not (isinstance(node, Symbol) and name in bound):
        found.add(name)
    return found


def global_names(theory: Theory) -> set[str]:
    """The names that mean one and the same wherever they stand: no line may use one as an index."""
    found = {*theory.sizes, *theory.random, *theory.definitions}
    for name, size in theory.permutations:
        found |= {name} | free_names(size)
    for definition in theory.definitions.values():
        found |= free_names(definition.body, frozenset(definition.parameters))
    for fact in theory.facts.values():
        bound = frozenset(r.index for r in fact.ranges)
        parts = (fact.left, fact.right, *(b for r in fact.ranges for b in (r.lower, r.upper)))
        found = found.union(*(free_names(part, bound) for part in parts))
    return found


def nodes_of(theory: Theory) -> list[Node]:
    """Every tree in a theory."""
    sides = [side for fact in theory.facts.values() for side in (fact.left, fact.right)]
    return [*sides, *(definition.body for definition in theory.definitions.values())]


def names_below_roots(nodes: Sequence[Node]) -> frozenset[str]:
    """The symbols that stand below a square root anywhere."""
    found: set[str] = set()

    def look(node: Node) -> Node:
        if isinstance(node, Root) and isinstance(node.radicand, Symbol):
            found.add(node.radicand.name)
        return node

    for node in nodes:
        rebuild(node, look)
    return frozenset(found)


def depends(theory: Theory, node: Node, name: str) -> bool:
    """Whether a tree mentions a name, itself or in what its names are defined as.

    An assumed equation may tie two names together too: then both are taken to depend on either.
    """
    seen: set[str] = set()
    waiting = names_in(node)
    while waiting:
        here = waiting.pop()
        if here == name:
            return True
        if here in seen:
            continue
        seen.add(here)
        if here in theory.definitions:
            waiting |= names_in(theory.definitions[here].body)
        for fact in theory.assumptions.values():
            tied = names_in(fact.left) | names_in(fact.right)
            if fact.relation == "=" and here in tied:
                waiting |= tied
    return False
