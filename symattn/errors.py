"""The errors of symattn, one family under `SymattnError`.

An error says what was wrong (with name=value), where, and what would be right.
The command line prints it in one line and exits with status 2.
"""

from __future__ import annotations

__all__ = [
    "CostError",
    "DomainError",
    "InputError",
    "ParseError",
    "ShapeError",
    "StepError",
    "SymattnError",
    "UndecidedError",
]


class SymattnError(Exception):
    """Anything that symattn refuses or cannot do."""


class InputError(SymattnError, ValueError):
    """An input that cannot be used: a file, a key, a value, an option."""


class ParseError(InputError):
    """Text that cannot be read as mathematics.

    `position` counts characters of the text from 1; `reason` is the message without it.

    >>> raise ParseError("a number or a name should stand here, found ')'", position=3)
    Traceback (most recent call last):
    ...
    symattn.errors.ParseError: at character 3: a number or a name should stand here, found ')'
    """

    def __init__(self, reason: str, position: int | None = None) -> None:
        self.reason = reason
        self.position = position
        super().__init__(reason if position is None else f"at character {position}: {reason}")


class CostError(ParseError):
    """Text or a computation that is refused before any work because it would cost too much."""


class DomainError(InputError):
    """A value that does not exist among the real numbers: 1/0, sqrt(-1), log(0)."""


class ShapeError(InputError):
    """Vectors or matrices whose shapes do not fit together."""


class StepError(SymattnError):
    """A step of a derivation that does not hold; it names the step and both sides."""


class UndecidedError(SymattnError):
    """A question that could neither be proved nor refuted; `bound` is what was proved instead."""

    def __init__(self, reason: str, bound: str | None = None) -> None:
        self.reason = reason
        self.bound = bound
        super().__init__(reason if bound is None else f"{reason} (|difference| < {bound})")
