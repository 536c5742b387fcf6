"""A problem: one or more set-ups of attention, what is asked of them, and what documents print.

A set-up is what the formula needs, with exact entries: queries, keys and values, or scores, or
scaled scores, and the scale and masks. Its solution is the forward pass of `symattn.attention`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal, TypeAlias

from symattn.derivation import Recipe
from symattn.exact.numbers import Exact
from symattn.exact.tree import Node

__all__ = ["ARRAYS", "FIGURES", "Also", "Ask", "Claim", "Limit", "Matrix", "Problem", "SetUp"]

#: The fields of a set-up that hold numbers.
ARRAYS = ("X", "W_Q", "W_K", "W_V", "Q", "K", "V", "scores", "scaled", "bias", "positional")

#: The kinds of figures that a set-up can have.
FIGURES = (
    "tokens", "fan", "arrows", "scores", "softmax", "blend", "outputs", "grid", "curve",
    "permutation", "profiles", "pipeline",
)  # fmt: skip

Matrix: TypeAlias = tuple[tuple[Exact, ...], ...]
Mask: TypeAlias = tuple[tuple[bool, ...], ...]


@dataclass(frozen=True)
class Limit:
    """A symbol that goes to +∞ (direction 1) or -∞ (direction -1)."""

    symbol: str
    direction: Literal[1, -1]

    @property
    def text(self) -> str:
        """The limit as on paper, `M -> oo`."""
        return f"{self.symbol} -> {'oo' if self.direction == 1 else '-oo'}"


@dataclass(frozen=True)
class SetUp:
    """One set-up of attention. Vectors are rows: Q (n, d_k), K (m, d_k), V (m, d_v).

    Exactly one of Q (with K), X (which gives Q = X W_Q and so on), `scores` and `scaled` is there.
    `single` says that one query was given as a vector, so that parts have one index less.
    """

    name: str = ""
    title: str = ""
    remark: str = ""
    single: bool = False
    X: Matrix | None = None
    W_Q: Matrix | None = None
    W_K: Matrix | None = None
    W_V: Matrix | None = None
    Q: Matrix | None = None
    K: Matrix | None = None
    V: Matrix | None = None
    scores: Matrix | None = None
    scaled: Matrix | None = None
    scale: Exact | None = None
    scale_shown: Node | None = None
    d_k: int | None = None
    mask: Mask | None = None
    bias: Matrix | None = None
    causal: bool = False
    focus: int | None = None
    gradient: bool = False
    permutation: tuple[int, ...] | None = None
    positional: Matrix | None = None
    figures: tuple[str, ...] | None = None
    tokens: tuple[str, ...] = ()
    limits: tuple[Limit, ...] = ()
    at: Mapping[str, Exact] = field(default_factory=dict)
    at_shown: Mapping[str, Node] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    @property
    def entries(self) -> list[Exact]:
        """Every number that is given, the scale included."""
        found = [x for name in ARRAYS for row in getattr(self, name) or () for x in row]
        return [*found, *([self.scale] if self.scale is not None else [])]

    @property
    def projects(self) -> bool:
        """Whether tokens are projected to queries, keys or values."""
        return any(W is not None for W in (self.W_Q, self.W_K, self.W_V))

    @cached_property
    def symbols(self) -> frozenset[str]:
        """The names that are left open."""
        return frozenset(name for x in self.entries for name in x.symbols())


@dataclass(frozen=True)
class Ask:
    """A question: a part, and the policy by which an answer earns its points."""

    part: str
    digits: int | None = None
    exact: bool = False
    points: float | None = None
    partial: bool = False
    follow_through: float = 0.0


@dataclass(frozen=True)
class Claim:
    """A value that some document prints for a part or an expression; it may be false.

    `names` says which parts the names in the printed text stand for.
    """

    printed: str
    part: str = ""
    expression: str = ""
    relation: Literal["=", "about"] = "="
    where: str = ""
    names: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Also:
    """A further step that an author adds: quantities to show, and relations to prove."""

    title: str
    what: str
    why: str
    lines: tuple[str, ...]
    check: tuple[str, ...]
    claim: str
    method: str = "decided exactly"


@dataclass(frozen=True)
class Problem:
    """A problem with its set-ups in order; the one named "" is the [given] itself."""

    name: str
    title: str
    setups: Mapping[str, SetUp]
    statement: str = ""
    forecast: str = ""
    conclusion: str = ""
    cells: tuple[str, ...] = ()
    asks: tuple[Ask, ...] = ()
    claims: tuple[Claim, ...] = ()
    also: tuple[Also, ...] = ()
    verify: tuple[Also, ...] = ()
    follow_through: float = 0.0
    case_title: str = ""
    recipe: Recipe | None = None

    @cached_property
    def parts(self) -> Mapping[str, object]:
        """Every part that has a value, with the case in front where it has one."""
        from symattn.problems.parts import all_parts

        return all_parts(self)

    def value(self, reference: str) -> object:
        """The exact value of a part such as `weights`, `weights[2]` or `unscaled.output[1,2]`.

        Raises: `InputError` naming the known parts, or the range of an index.
        """
        from symattn.problems.parts import part_value

        return part_value(self, reference)
