"""What a derivation ends with: its numbers by part, the float check, and how it is made again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from symattn.derivation.formats import shown
from symattn.errors import StepError
from symattn.exact.numbers import Exact
from symattn.exact.plain import to_text
from symattn.exact.rounding import Rounded, Ties, nearest_float, round_significant
from symattn.exact.writing import to_tree

__all__ = ["CrossCheck", "Recipe", "Result", "ResultList", "Results", "listed"]


class Result:
    """One number of a solution: exact, as proved digits, and as the nearest double."""

    __slots__ = ("number",)

    def __init__(self, number: Exact) -> None:
        self.number = number

    @property
    def exact(self) -> Any:
        """The value as a SymPy expression."""
        from symattn.exact.bridge import to_sympy

        return to_sympy(self.number)

    @property
    def text(self) -> str:
        """The value as text that our own parser reads back."""
        return to_text(to_tree(self.number))

    @property
    def is_open(self) -> bool:
        """Whether a symbol is left open, so that there is no decimal."""
        return bool(self.number.symbols())

    def rounded(self, digits: int, ties: Ties = "half-up") -> Rounded:
        """The value to so many significant digits, proved."""
        return round_significant(self.number, digits, ties)

    def __float__(self) -> float:
        return nearest_float(self.number)

    def __repr__(self) -> str:
        return f"Result({self.text})"

    def _repr_latex_(self) -> str:
        return shown(self, "result_latex")


class ResultList(list[Any]):
    """The numbers of a part: a vector or the rows of a matrix, None the score of a masked key."""

    def _repr_latex_(self) -> str:
        return shown(self, "result_latex")


#: Part -> its number, or nested lists of them.
Results: TypeAlias = dict[str, Any]


def listed(result: Any) -> Any:
    """A result with its lists as those that a notebook shows as mathematics."""
    return ResultList(map(listed, result)) if isinstance(result, list | tuple) else result


@dataclass(frozen=True)
class CrossCheck:
    """The exact results held against an independent float implementation.

    `worst` is the largest error over its derived bound, at most 1.
    """

    against: str
    worst: float
    conditions: str = ""
    verdict: Literal["holds"] = field(default="holds", init=False)

    def __post_init__(self) -> None:
        if not self.worst <= 1:
            raise StepError(
                f"the cross-check against {self.against} fails: "
                f"the worst error is {self.worst:.3g} times its bound"
            )


@dataclass(frozen=True)
class Recipe:
    """The call from Python that works the same numbers out: `sa.solve(q=...)`, `sa.derive("tie")`.

    The arguments are literals: texts, whole numbers, floats, booleans, and lists and dicts of them.
    `variation` holds arguments that give something else worth seeing.
    """

    function: Literal["derive", "solve"]
    arguments: Mapping[str, Any]
    variation: Mapping[str, Any] = field(default_factory=dict)
