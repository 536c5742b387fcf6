"""Expression trees: what a text says, kept as it was written.

A tree is data and is never simplified: `1/sqrt(2)` stays a quotient and `0.5760` keeps its
trailing zero. The parser makes trees, `plain.to_text` writes them back, `evaluate` gives their
exact value and `enclosures` their proved enclosure. Nodes are immutable and hashable.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from typing import Literal, TypeAlias

__all__ = [
    "FUNCTIONS",
    "Add",
    "Apply",
    "Array",
    "Call",
    "Constant",
    "Delta",
    "Derivative",
    "Div",
    "Expectation",
    "Indexed",
    "Limit",
    "Mul",
    "Neg",
    "Node",
    "Number",
    "Percent",
    "Pow",
    "Root",
    "Sum",
    "Symbol",
    "Symbolic",
    "rebuild",
    "with_parts",
]

#: Functions of one argument; `ln` is read as `log`, `sqrt` and `cbrt` become `Root`.
FUNCTIONS = ("exp", "log", "sinh", "cosh", "tanh", "sigmoid")


@dataclass(frozen=True, slots=True)
class Number:
    """A number token: its value, and its text as written (`0.5760`, `2.06e-9`, `12,288`)."""

    value: Fraction
    text: str
    #: True where the text has a decimal point, a decimal comma or an exponent.
    decimal: bool = False
    #: The power of ten that the last digit counts: -4 for `0.5760`, -11 for `2.06e-9`.
    exponent: int = 0


@dataclass(frozen=True, slots=True)
class Constant:
    """Euler's number `e` or `pi`."""

    name: Literal["e", "pi"]


@dataclass(frozen=True, slots=True)
class Symbol:
    """A name left open, such as `M`."""

    name: str


@dataclass(frozen=True, slots=True)
class Neg:
    """A minus sign before a term."""

    body: Node


@dataclass(frozen=True, slots=True)
class Percent:
    """A value in hundredths: `24.83%`."""

    body: Node


@dataclass(frozen=True, slots=True)
class Add:
    """A sum of two or more terms; a subtracted term is a `Neg`."""

    terms: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Mul:
    """A product of two or more factors."""

    factors: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Div:
    """A quotient, whether written `a/b` or as a fraction."""

    numerator: Node
    denominator: Node


@dataclass(frozen=True, slots=True)
class Pow:
    """A power."""

    base: Node
    exponent: Node


@dataclass(frozen=True, slots=True)
class Root:
    """The real root of an integer index of two or more: `sqrt(2)` is `Root(2, 2)`."""

    radicand: Node
    index: int


@dataclass(frozen=True, slots=True)
class Call:
    """A function of `FUNCTIONS` at an argument."""

    function: str
    argument: Node


@dataclass(frozen=True, slots=True)
class Array:
    """A vector or, where the entries are arrays, a matrix; `kind` is "set" for `{1, 2}`."""

    entries: tuple[Node, ...]
    kind: Literal["array", "set"] = "array"


@dataclass(frozen=True, slots=True)
class Apply:
    """An operation on vectors and matrices, as a derivation shows it; no text is read as one.

    The operators are those of `vectors.OPERATORS`: "dot", "matmul", "softmax" and others.
    """

    operator: str
    arguments: tuple[Node, ...]


# --- statements about any number of terms: what theorems speak of, and no answer is read as ------


@dataclass(frozen=True, slots=True)
class Indexed:
    """An entry `s[j]` or `X[i, t]` of a family; a permutation `pi[j]` is one too."""

    name: str
    indices: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Sum:
    """The sum of `body` over a whole `index` from `lower` to `upper`; `index` is bound in it."""

    body: Node
    index: str
    lower: Node
    upper: Node


@dataclass(frozen=True, slots=True)
class Delta:
    """Kronecker's delta: 1 where the two indices are equal, else 0."""

    left: Node
    right: Node


@dataclass(frozen=True, slots=True)
class Limit:
    """The limit of `body` as `variable` goes to plus or minus infinity or falls to 0."""

    body: Node
    variable: str
    target: Literal["oo", "-oo", "0+"]


@dataclass(frozen=True, slots=True)
class Derivative:
    """The partial derivative of `body` by an entry or a symbol."""

    body: Node
    variable: Indexed | Symbol


@dataclass(frozen=True, slots=True)
class Expectation:
    """The expected value of `body`."""

    body: Node


#: Nodes whose value depends on how many terms there are: `derivation.rules` decides about them.
Symbolic: TypeAlias = Indexed | Sum | Delta | Limit | Derivative | Expectation

Node: TypeAlias = (
    Number
    | Constant
    | Symbol
    | Neg
    | Percent
    | Add
    | Mul
    | Div
    | Pow
    | Root
    | Call
    | Array
    | Apply
    | Symbolic
)


def rebuild(node: Node, change: Callable[[Node], Node]) -> Node:
    """The tree with every node changed, from the leaves up.

    >>> two, three = (Number(Fraction(n), str(n)) for n in (2, 3))
    >>> rebuild(Neg(two), lambda node: three if node == two else node)
    Neg(body=Number(value=Fraction(3, 1), text='3', decimal=False, exponent=0))
    """
    return change(with_parts(node, lambda part: rebuild(part, change)))


def with_parts(node: Node, change: Callable[[Node], Node]) -> Node:
    """The node with each of its direct parts changed."""
    changes: dict[str, object] = {}
    for field in fields(node):
        part = getattr(node, field.name)
        if isinstance(part, Node):
            changes[field.name] = change(part)
        elif isinstance(part, tuple):
            changes[field.name] = tuple(map(change, part))
    return replace(node, **changes) if changes else node  # type: ignore[arg-type]
