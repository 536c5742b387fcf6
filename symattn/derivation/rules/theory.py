"""What a proof may use: declared names, definitions, assumptions, and the lines proved so far.

All of it is data, so that a certificate can carry it. A `Fact` is a chain-free statement
`left relation right`, true for every value of its indices within their ranges.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias

from symattn.exact.tree import Node

__all__ = ["Definition", "Fact", "Range", "Relation", "Theory"]

Relation: TypeAlias = Literal["=", "<", ">", "<=", ">=", "!="]


@dataclass(frozen=True)
class Range:
    """A whole index from `lower` to `upper`."""

    index: str
    lower: Node
    upper: Node


@dataclass(frozen=True)
class Fact:
    """`left relation right` for all indices in `ranges` that differ as `distinct` says."""

    left: Node
    relation: Relation
    right: Node
    ranges: tuple[Range, ...] = ()
    #: Pairs of indices that are assumed to be different.
    distinct: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Definition:
    """`name[parameters]` stands for `body`; without parameters, `name` does."""

    parameters: tuple[str, ...]
    body: Node


@dataclass(frozen=True)
class Theory:
    """Names and what is known about them.

    `sizes` are whole numbers, `permutations` map 1..size onto itself, `random` families have
    mutually independent entries, within a family and across.
    """

    sizes: tuple[str, ...] = ()
    permutations: tuple[tuple[str, Node], ...] = ()
    random: tuple[str, ...] = ()
    definitions: dict[str, Definition] = field(default_factory=dict)
    assumptions: dict[str, Fact] = field(default_factory=dict)
    proved: dict[str, Fact] = field(default_factory=dict)
    #: Lines that assume something of their own: label -> (what they assume, what they say).
    conditional: dict[str, tuple[Fact, Fact]] = field(default_factory=dict)

    @property
    def facts(self) -> dict[str, Fact]:
        """Assumptions and proved lines by label."""
        return {**self.assumptions, **self.proved}

    def with_fact(self, label: str, fact: Fact) -> Theory:
        """The theory after one more line was proved."""
        return replace(self, proved={**self.proved, label: fact})
