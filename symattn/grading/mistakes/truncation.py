"""Decimals that are cut off where they should have been rounded."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from flint import fmpq

from symattn.errors import SymattnError, UndecidedError
from symattn.exact.functions import sign
from symattn.exact.numbers import Exact
from symattn.exact.stated import Stated
from symattn.exact.vectors import Value
from symattn.grading.decimals import rounds_to, within_a_unit
from symattn.grading.mistakes.base import Asked, Mistake
from symattn.grading.truth import Target

__all__ = ["TRUNCATED", "is_truncated"]


def _nowhere(asked: Asked) -> Iterator[tuple[Value, str]]:
    """No value of its own: where it leads depends on the digits of the answer."""
    return iter(())


TRUNCATED = Mistake(
    "truncated",
    "the decimal is cut off, not rounded",
    "The decimal was cut off after its last digit; it should be rounded.",
    _nowhere,
    "rounding",
)


def is_truncated(truth: Sequence[Exact], answer: Sequence[Stated | None]) -> bool:
    """Whether decimals are the true ones cut off, and one of them differs from its rounding.

    >>> from symattn.exact.numbers import rational
    >>> is_truncated([rational(2, 3)], [Stated(66, -2, 2)])
    True
    """
    pairs = list(zip(truth, answer, strict=True))
    try:
        return all(said and said.digits and _cuts(x, said) for x, said in pairs) and not all(
            rounds_to(Target(x), said) for x, said in pairs if said
        )
    except (SymattnError, UndecidedError):
        return False


def _cuts(x: Exact, said: Stated) -> bool:
    """Whether n·10^k is x without the digits after the place of 10^k."""
    if x.symbols() or not within_a_unit(Target(x), said):
        return False
    unit = fmpq(10) ** said.exponent
    direction = 1 if said.units > 0 else -1
    rest = (x - said.units * unit) * direction
    return sign(rest) >= 0 and sign(rest - unit) < 0
