"""What is said of an answer: a verdict for each entry and for the whole.

Worst first, a verdict is `malformed`, `wrong`, `undecided`, `misrounded`, `rounded` or `exact`, and
the worst of its entries is the verdict of a vector or a matrix.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

__all__ = ["ORDER", "RIGHT", "Entries", "Entry", "Expected", "Found", "Name", "Verdict", "flat"]

Name: TypeAlias = Literal["malformed", "wrong", "undecided", "misrounded", "rounded", "exact"]

#: Verdicts, worst first.
ORDER: tuple[Name, ...] = ("malformed", "wrong", "undecided", "misrounded", "rounded", "exact")
#: Verdicts of an answer that is right.
RIGHT = frozenset(("rounded", "exact"))

SCHEMA = "symattn.verdict/1"


@dataclass(frozen=True, slots=True)
class Entry:
    """The verdict on one number, the significant digits that it states, and why."""

    verdict: Name
    digits: int | None
    message: str


#: One entry, or the entries of a vector, or the rows of a matrix.
Entries: TypeAlias = "Entry | tuple[Entries, ...]"


@dataclass(frozen=True, slots=True)
class Found:
    """A mistake that leads to the answer: its id, and a sentence of feedback."""

    id: str
    message: str


@dataclass(frozen=True, slots=True)
class Expected:
    """The true value: as text that the parser reads back, and as decimals.

    The text is None where it would be too long to be read, the decimals are where symbols are open.
    """

    exact: str | None
    decimal: Any


@dataclass(frozen=True, slots=True)
class Verdict:
    """The verdict on an answer, in the form of the contract."""

    verdict: Name
    digits: int | None
    message: str
    expected: Expected
    entries: tuple[Entries, ...] | None = None
    mistakes: tuple[Found, ...] = ()
    score: float | None = None

    def to_json(self) -> dict[str, Any]:
        """The verdict as one JSON object of the schema `symattn.verdict/1`."""
        return {
            "schema": SCHEMA,
            "verdict": self.verdict,
            "digits": self.digits,
            "mistakes": [{"id": found.id, "message": found.message} for found in self.mistakes],
            "message": self.message,
            "entries": None if self.entries is None else [_json(entry) for entry in self.entries],
            "score": self.score,
            "expected": {"exact": self.expected.exact, "decimal": self.expected.decimal},
        }

    def _repr_html_(self) -> str:
        return _shown(self, "verdict_html")

    def _repr_markdown_(self) -> str:
        return _shown(self, "verdict_markdown")

    def _repr_latex_(self) -> str:
        return _shown(self, "verdict_latex")


def _shown(verdict: Verdict, form: str) -> str:
    from symattn.derivation.formats import shown

    return shown(verdict, form)


def _json(entry: Entries) -> Any:
    if isinstance(entry, Entry):
        return {"verdict": entry.verdict, "digits": entry.digits, "message": entry.message}
    return [_json(inner) for inner in entry]


def flat(entries: Entries) -> Iterator[Entry]:
    """Every entry of nested entries, in order."""
    if isinstance(entries, Entry):
        yield entries
    else:
        for inner in entries:
            yield from flat(inner)


def worst(entries: Iterable[Entry]) -> Name:
    """The worst verdict of some entries."""
    return min((entry.verdict for entry in entries), key=ORDER.index)


def fewest(entries: Iterable[Entry]) -> int | None:
    """The fewest digits that an entry states, None where none is a decimal."""
    return min((entry.digits for entry in entries if entry.digits is not None), default=None)
