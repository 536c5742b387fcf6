"""The document model: a derivation is frozen data, and a false step cannot be built.

A `Side` is what a reader sees with the exact value that it has under the definitions in force; a
`Line` chains sides by relations, each decided exactly when the line is made; a `Step` explains
lines and carries a check by another route. Decimals are not stored: the stream in `blocks` makes
them from the exact values, at whatever number of digits is asked for.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import InitVar, dataclass, field
from enum import IntEnum
from typing import Any, Literal, TypeAlias

from symattn.derivation.figures import Figure
from symattn.derivation.formats import shown
from symattn.derivation.prose import Prose
from symattn.derivation.results import CrossCheck, Recipe, Result, Results, listed
from symattn.errors import InputError, StepError
from symattn.exact.evaluate import Scope, value_of
from symattn.exact.functions import sign
from symattn.exact.plain import to_text
from symattn.exact.tree import Node
from symattn.exact.vectors import Value, compare_values, scalar

__all__ = [
    "Check",
    "CrossCheck",
    "Derivation",
    "Level",
    "Line",
    "Recipe",
    "Relation",
    "Result",
    "Side",
    "Step",
]

Relation: TypeAlias = Literal["=", "<", ">", "<=", ">=", "!=", "->"]


class Level(IntEnum):
    """How much a reader wants to see; each level shows all that the one before shows."""

    BRIEF = 0
    NORMAL = 1
    FULL = 2


@dataclass(frozen=True)
class Side:
    """One side of a relation: a tree as shown, and its value under the definitions in `scope`."""

    shown: Node
    scope: InitVar[Scope]
    level: Level = Level.BRIEF
    value: Value = field(init=False)

    def __post_init__(self, scope: Scope) -> None:
        object.__setattr__(self, "value", value_of(self.shown, scope))


@dataclass(frozen=True)
class Line:
    """A chain `side relation side relation side ...` in which every relation holds.

    `decimals` asks for the decimal of the last side after it; `condition` stands behind the line,
    such as "M -> oo".

    >>> from symattn.exact.parse import parse
    >>> two, four = (Side(parse(text).tree, {}) for text in ("2", "2^2"))
    >>> Line((two, four))
    Traceback (most recent call last):
    ...
    symattn.errors.StepError: 2 = 2^2 does not hold: the two sides are proved different

    Raises: `StepError` naming both sides where a relation is false or undecided.
    """

    sides: tuple[Side, ...]
    relations: tuple[Relation, ...] = ()
    decimals: bool = True
    level: Level = Level.BRIEF
    condition: str = ""

    def __post_init__(self) -> None:
        if not self.relations:
            object.__setattr__(self, "relations", ("=",) * (len(self.sides) - 1))
        for left, relation, right in zip(self.sides, self.relations, self.sides[1:], strict=False):
            if relation != "->":
                require(left, relation, right)

    @property
    def value(self) -> Value:
        """The value of the last side."""
        return self.sides[-1].value


def require(left: Side, relation: Relation, right: Side) -> None:
    """Prove a relation between two sides.

    Raises: `StepError` where it is false or undecided.
    """
    if relation in ("=", "!="):
        comparison = compare_values(left.value, right.value)
        if comparison.verdict == ("equal" if relation == "=" else "different"):
            return
        reason = f"does not hold: the two sides are proved {comparison.verdict}"
        if comparison.verdict == "undecided":
            reason = f"is undecided (|difference| < {comparison.bound})"
    else:
        direction = sign(scalar(left.value) - scalar(right.value))
        if direction in {"<": (-1,), "<=": (-1, 0), ">": (1,), ">=": (1, 0)}[relation]:
            return
        reason = "does not hold"
    raise StepError(f"{to_text(left.shown)} {relation} {to_text(right.shown)} {reason}")


@dataclass(frozen=True)
class Check:
    """A claim that was proved by another route than the step's own lines.

    Its lines are the claim in symbols: like all lines, they hold or cannot be made.
    """

    claim: Prose
    method: str
    lines: tuple[Line, ...]
    verdict: Literal["holds"] = field(default="holds", init=False)

    def __post_init__(self) -> None:
        if not self.lines:
            raise StepError(f"the check {self.claim} has no line, so nothing was checked")


@dataclass(frozen=True)
class Step:
    """One step: what is done, why, by which rule, the chain of equalities, and its check."""

    title: str
    what: Prose
    why: Prose
    rule: str
    chain: tuple[Line, ...]
    check: Check
    steps: tuple[Step, ...] = ()
    level: Level = Level.BRIEF
    figures: tuple[Figure, ...] = ()
    source: str = ""


@dataclass(frozen=True, repr=False)
class Derivation:
    """A statement, what is given, the checked steps, the conclusion, and the cross-check."""

    name: str
    kind: Literal["theorem", "problem"]
    title: str
    statement: Prose
    given: tuple[Line, ...]
    steps: tuple[Step, ...]
    conclusion: Prose
    results: Results
    crosscheck: CrossCheck | None = None
    assumptions: tuple[Prose, ...] = ()
    forecast: Prose = ()
    tags: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    figures: tuple[Figure, ...] = ()
    recipe: Recipe | None = None

    def __post_init__(self) -> None:
        parts = {part: listed(result) for part, result in self.results.items()}
        object.__setattr__(self, "results", parts)
        names = [figure.name for figure in self.pictures(Level.FULL)]
        twice = sorted({name for name in names if names.count(name) > 1})
        if twice:
            raise StepError(f"{self.name}: the figure name {twice[0]!r} is used twice")

    def __repr__(self) -> str:
        return f"<Derivation {self.name!r}: {self.title}, {len(self.steps)} steps>"

    def render(self, format: str, **options: Any) -> str:
        """The document in one of `FORMATS`; options: digits, ties, level.

        Raises: `InputError` for a format that is not known.
        """
        from symattn.derivation.formats import checked, render

        return render(self, format, **checked(options))

    def to_text(self, **options: Any) -> str:
        """The document as plain Unicode text, at most 80 columns wide where the numbers allow."""
        return self.render("text", **options)

    def to_markdown(self, **options: Any) -> str:
        """The document as Markdown with LaTeX mathematics."""
        return self.render("md", **options)

    def to_html(self, **options: Any) -> str:
        """The document as one page of HTML that loads nothing."""
        return self.render("html", **options)

    def to_json(self, **options: Any) -> str:
        """The document as JSON, schema symattn.derivation/1."""
        return self.render("json", **options)

    def to_latex(self, **options: Any) -> str:
        """The document as LaTeX for pdflatex, its figures drawn by TikZ."""
        return self.render("tex", **options)

    def to_notebook(self, **options: Any) -> str:
        """The document as a Jupyter notebook in which the numbers can be changed."""
        return self.render("ipynb", **options)

    def picture(self, name: str) -> Figure:
        """The figure of that name.

        Raises: `InputError` naming the figures that there are.
        """
        for figure in self.pictures(Level.FULL):
            if figure.name == name:
                return figure
        known = ", ".join(figure.name for figure in self.pictures(Level.FULL)) or "none"
        raise InputError(f"figure={name!r} is not in this derivation; its figures: {known}")

    def pictures(self, level: Level = Level.NORMAL) -> tuple[Figure, ...]:
        """Every figure that is shown at a level, the document's own first."""
        if level == Level.BRIEF:
            return ()
        steps = walk(self.steps, level)
        return (*self.figures, *(figure for step in steps for figure in step.figures))

    def drawn(self, prefix: str = "", **options: Any) -> dict[str, str]:
        """Each figure that is shown as an SVG document, by the name of its file.

        `prefix` stands before the name, such as `page-figures/`; options: digits, ties, level.

        Raises: `InputError` for options that do not exist.
        """
        from symattn.derivation.formats import checked

        options = checked(options)
        pictures = self.pictures(options.pop("level", Level.NORMAL))
        return {f"{prefix}{figure.name}.svg": figure.to_svg(**options) for figure in pictures}

    def _repr_html_(self) -> str:
        return shown(self, "derivation_html")

    def _repr_markdown_(self) -> str:
        return shown(self, "derivation_markdown")

    def _repr_latex_(self) -> str:
        return shown(self, "derivation_latex")


def walk(steps: Sequence[Step], level: Level = Level.FULL) -> list[Step]:
    """Every step that is shown at a level, substeps after the step that holds them."""
    found: list[Step] = []
    for step in steps:
        if step.level <= level:
            found += [step, *walk(step.steps, level)]
    return found
