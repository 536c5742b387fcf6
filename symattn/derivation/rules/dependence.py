"""Whether a tree depends on a name, also by way of definitions that it does not unfold."""

from __future__ import annotations

from symattn.derivation.rules.theory import Theory
from symattn.exact.tree import Limit, Node, Sum, rebuild

__all__ = ["depends", "names_in"]


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
            if fact.relation == "=" and here in names_in(fact.left):
                waiting |= names_in(fact.right)
    return False
