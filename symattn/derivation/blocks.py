"""One stream of blocks that every printer walks, so that every format holds the same things.

Here the decimals are made: each line that asks for one gets, behind its last side, the correctly
rounded decimal of its exact value, joined by `=` where it is the value itself and by `≈` otherwise.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from symattn.derivation.figures import Figure
from symattn.derivation.model import Derivation, Level, Line, Relation, Step
from symattn.derivation.prose import Decimal, Prose, Shown
from symattn.exact.numbers import Exact
from symattn.exact.rounding import Rounded, Ties, round_significant
from symattn.exact.tree import Array, Neg, Node, Number
from symattn.exact.vectors import Value

__all__ = [
    "Block",
    "Checked",
    "Formula",
    "Heading",
    "Options",
    "Paragraph",
    "Picture",
    "blocks",
    "decimal_tree",
    "formulas",
    "inline",
]


@dataclass(frozen=True)
class Options:
    """How a document is to be rendered."""

    digits: int = 4
    ties: Ties = "half-up"
    level: Level = Level.NORMAL


@dataclass(frozen=True)
class Heading:
    """A title; depth 1 is the document's, 2 a section's or step's, 3 a substep's."""

    depth: int
    text: str
    number: str = ""


@dataclass(frozen=True)
class Paragraph:
    """A sentence with the role that it plays: statement, what, why, rule, conclusion, ..."""

    role: str
    text: tuple[str | Node, ...]


@dataclass(frozen=True)
class Formula:
    """A chain as shown: the first side, then (relation, side) pairs; `≈` joins decimals only."""

    first: Node
    links: tuple[tuple[str, Node], ...]
    condition: str = ""


@dataclass(frozen=True)
class Checked:
    """A claim that holds, how that was decided, and at full level the claim in symbols."""

    claim: tuple[str | Node, ...]
    method: str
    lines: tuple[Formula, ...]


@dataclass(frozen=True)
class Picture:
    """A figure with its number in the document."""

    figure: Figure
    number: int


Block: TypeAlias = Heading | Paragraph | Formula | Checked | Picture


def blocks(derivation: Derivation, options: Options) -> Iterator[Block]:
    """The document from its title to its cross-check."""
    yield Heading(1, derivation.title)
    yield from _paragraph("statement", derivation.statement, options)
    for assumption in derivation.assumptions:
        yield from _paragraph("assumption", assumption, options)
    yield from _paragraph("forecast", derivation.forecast, options)
    count = itertools.count(1)
    # What gives an answer away waits until it has been forecast and derived.
    if not derivation.forecast:
        yield from _pictures(derivation.figures, options, count)
    if derivation.given:
        yield Heading(2, "Given")
        yield from formulas(derivation.given, options)
    for note in derivation.notes:
        yield Paragraph("note", (note,))
    yield from _steps(derivation.steps, options, "", count)
    if derivation.conclusion:
        yield Heading(2, "Conclusion")
        yield from _paragraph("conclusion", derivation.conclusion, options)
    if derivation.forecast:
        yield from _pictures(derivation.figures, options, count)
    if derivation.crosscheck is not None:
        cross = derivation.crosscheck
        text = f"The exact results agree with {cross.against}{cross.conditions}: "
        text += "every error is within its derived rounding bound."
        yield Paragraph("crosscheck", (text,))


def _steps(
    steps: tuple[Step, ...], options: Options, prefix: str, pictures: Iterator[int]
) -> Iterator[Block]:
    shown = [step for step in steps if step.level <= options.level]
    for count, step in enumerate(shown, start=1):
        number = f"{prefix}{count}"
        yield Heading(2 + number.count("."), step.title, number)
        if options.level > Level.BRIEF:
            yield from _paragraph("what", step.what, options)
            yield from _paragraph("why", step.why, options)
        if options.level == Level.FULL and step.rule:
            yield Paragraph("rule", (step.rule,))
        yield from formulas(step.chain, options)
        yield from _pictures(step.figures, options, pictures)
        shown_lines = step.check.lines if options.level == Level.FULL else ()
        yield Checked(
            inline(step.check.claim, options),
            step.check.method,
            tuple(formulas(shown_lines, options)),
        )
        yield from _steps(step.steps, options, f"{number}.", pictures)


def _pictures(
    figures: tuple[Figure, ...], options: Options, count: Iterator[int]
) -> Iterator[Picture]:
    if options.level > Level.BRIEF:
        for figure in figures:
            yield Picture(figure, next(count))


def _paragraph(role: str, text: Prose, options: Options) -> Iterator[Paragraph]:
    if text:
        yield Paragraph(role, inline(text, options))


def formulas(lines: tuple[Line, ...], options: Options) -> Iterator[Formula]:
    """The lines that are shown at a level, as they are shown."""
    for line in lines:
        if line.level <= options.level:
            yield _formula(line, options)


def _formula(line: Line, options: Options) -> Formula:
    pairs: list[tuple[str, Node]] = []
    passed: list[Relation] = []
    for relation, side in zip(line.relations, line.sides[1:], strict=True):
        passed.append(relation)
        if side.level <= options.level:
            # What a hidden side was joined by is not lost: a < b = c, without b, is a < c.
            pairs.append((next((r for r in passed if r != "="), "="), side.shown))
            passed = []
    if line.decimals and not is_open(line.value):
        tree, exact = decimal_tree(line.value, options)
        last = pairs[-1][1] if pairs else line.sides[0].shown
        if not (exact and last == tree):
            pairs.append(("=" if exact else "≈", tree))
    return Formula(line.sides[0].shown, tuple(pairs), line.condition)


def inline(text: Prose, options: Options) -> tuple[str | Node, ...]:
    """Prose with its decimals made."""
    parts: list[str | Node] = []
    for part in text:
        match part:
            case Shown(node):
                parts.append(node)
            case Decimal(value):
                parts.append(decimal_tree(value, options)[0])
            case _:
                parts.append(part)
    return tuple(parts)


def is_open(value: Value) -> bool:
    """Whether a symbol is left open anywhere in a value."""
    if isinstance(value, Exact):
        return bool(value.symbols())
    return any(is_open(entry) for entry in value)


def decimal_tree(value: Value, options: Options) -> tuple[Node, bool]:
    """The decimal of a value as a tree, and whether it is the value itself."""
    if isinstance(value, Exact):
        rounded = round_significant(value, options.digits, options.ties)
        return _number(rounded), rounded.exact
    entries = [decimal_tree(entry, options) for entry in value]
    return Array(tuple(tree for tree, _ in entries)), all(exact for _, exact in entries)


def _number(rounded: Rounded) -> Node:
    text = rounded.text.lstrip("-")
    digits, _, power = text.partition("e")
    places = len(digits.partition(".")[2])
    value = Fraction(digits) * Fraction(10) ** int(power or 0)
    tree = Number(value, text, bool(places or power), int(power or 0) - places)
    return Neg(tree) if rounded.text.startswith("-") else tree
