"""A true value, prepared for many answers: its entries, their enclosures and how it is written."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property, lru_cache
from typing import Any, TypeAlias

from flint import fmpq

from symattn.errors import InputError, ParseError, UndecidedError
from symattn.exact.evaluate import value_of
from symattn.exact.limits import MAX_LENGTH
from symattn.exact.numbers import Exact
from symattn.exact.parse import parse
from symattn.exact.plain import to_text
from symattn.exact.rounding import Rounded, Ties, round_significant
from symattn.exact.tree import Array, Node
from symattn.exact.vectors import Value, shape
from symattn.exact.writing import to_tree
from symattn.grading.verdict import Expected

__all__ = ["Target", "Targets", "Truth", "squeezed"]

#: Significant digits of `expected.decimal`, which a float64 needs to come back unchanged.
DIGITS = 17
#: Characters that a term of a sum takes at least when it is written.
LEAST_OF_A_TERM = 4


class Target:
    """One true number and what is asked of it again and again."""

    __slots__ = ("exact", "has_atoms", "is_open", "ratio")

    def __init__(self, exact: Exact) -> None:
        self.exact = exact
        self.ratio: fmpq | None = exact.as_rational()
        self.has_atoms = exact.has_atoms()
        self.is_open = self.has_atoms and bool(exact.symbols())


#: One target, or those of a vector, or of the rows of a matrix.
Targets: TypeAlias = "Target | tuple[Targets, ...]"


class Truth:
    """A true value that answers are held against.

    >>> truth = Truth.read("(1/2, exp(-1))")
    >>> truth.shape, truth.expected().decimal
    ((2,), ['0.5', '0.36787944117144232'])
    """

    def __init__(self, value: Value, text: str | None = None) -> None:
        self.value = value
        self.shape = squeezed(shape(value))
        self._text = text
        self._expected: dict[tuple[int, Ties], Expected] = {}

    @classmethod
    def read(cls, text: str, *, decimal_comma: bool = False) -> Truth:
        """The truth that a text states; one that was read lately is not read again.

        Raises: `InputError` where the text is no value.
        """
        return _read(text, decimal_comma)

    @cached_property
    def targets(self) -> Targets:
        """The true numbers, without axes of length 1."""
        targets: Targets = _squeeze(_each(self.value, Target))
        return targets

    @cached_property
    def symbols(self) -> frozenset[str]:
        """The names that are left open."""
        found: set[str] = set()
        _each(self.value, lambda exact: found.update(exact.symbols()))
        return frozenset(found)

    @cached_property
    def text(self) -> str | None:
        """The value as text that the parser reads back, None where it is too long to be read."""
        if self._text is not None:
            return self._text
        sizes: list[int] = []
        _each(self.value, lambda x: sizes.append(len(x.numerator) + len(x.denominator)))
        if sum(sizes) * LEAST_OF_A_TERM > MAX_LENGTH:
            return None
        text = to_text(_tree(self.value))
        return text if len(text) <= MAX_LENGTH else None

    def expected(self, digits: int = DIGITS, ties: Ties = "half-up") -> Expected:
        """The value as text and as decimals of so many significant digits."""
        found = self._expected.get((digits, ties))
        if found is None:
            decimal = None if self.symbols else _decimals(self.value, digits, ties)
            found = self._expected[digits, ties] = Expected(self.text, decimal)
        return found

    def shown(self, digits: int, ties: Ties = "half-up") -> str:
        """The value for a reader: as text, and as a decimal after `=` or `≈`.

        >>> Truth.read("1/4").shown(4), Truth.read("(1/3, 1)").shown(4)
        ('1/4 = 0.25', '[1/3, 1] ≈ [0.3333, 1]')
        """
        if self.symbols:
            return str(self.text)
        written = [_rounded(self.value, digits, ties)]
        exact = all(part.exact for part in _flat(written) if part is not None)
        decimal, sign = _joined(written[0]), "=" if exact else "≈"
        if decimal == self.text:
            return decimal
        return f"{sign} {decimal}" if self.text is None else f"{self.text} {sign} {decimal}"


@lru_cache(maxsize=1024)
def _read(text: str, decimal_comma: bool) -> Truth:
    try:
        tree = parse(text, decimal_comma=decimal_comma).tree
        if isinstance(tree, Array) and tree.kind == "set":
            raise InputError("a set is no true value; a vector stands in brackets: (1, 2)")
        return Truth(value_of(tree), to_text(tree))
    except ParseError as error:
        raise InputError(f"truth={text[:60]!r} cannot be read {error}") from None
    except (InputError, UndecidedError) as error:
        raise InputError(f"truth={text[:60]!r} has no value: {error}") from None


def squeezed(dimensions: tuple[int, ...]) -> tuple[int, ...]:
    """A shape without its axes of length 1: a row, a column and a tuple are one vector.

    >>> squeezed((1, 3)), squeezed((3, 1)), squeezed((1, 1))
    ((3,), (3,), ())
    """
    return tuple(n for n in dimensions if n != 1)


def _each(value: Value, make: Callable[[Exact], Any]) -> Any:
    if isinstance(value, Exact):
        return make(value)
    return tuple(_each(entry, make) for entry in value)


def _squeeze(nested: Any) -> Any:
    """Nested tuples without axes of length 1."""
    if not isinstance(nested, tuple):
        return nested
    inner = tuple(_squeeze(entry) for entry in nested)
    return inner[0] if len(inner) == 1 else inner


def _tree(value: Value) -> Node:
    return to_tree(value) if isinstance(value, Exact) else Array(tuple(map(_tree, value)))


def _decimals(value: Value, digits: int, ties: Ties) -> Any:
    return _texts(_rounded(value, digits, ties))


def _rounded(value: Value, digits: int, ties: Ties) -> Any:
    """A value with each number rounded, None where that could not be proved."""
    if isinstance(value, Exact):
        try:
            return round_significant(value, digits, ties)
        except UndecidedError:
            return None
    return [_rounded(entry, digits, ties) for entry in value]


def _texts(rounded: Any) -> Any:
    if isinstance(rounded, list):
        return [_texts(entry) for entry in rounded]
    return None if rounded is None else rounded.text


def _flat(rounded: Any) -> Iterator[Rounded | None]:
    if isinstance(rounded, list):
        for entry in rounded:
            yield from _flat(entry)
    else:
        yield rounded


def _joined(rounded: Any) -> str:
    if isinstance(rounded, list):
        return "[" + ", ".join(map(_joined, rounded)) + "]"
    return "?" if rounded is None else rounded.text
