r"""The verdict on a decimal: is n·10^k the true value x, its rounding, or nearly so?

With y = x·10^{-k} - n, the distance in units of the last place: the decimal is exact if y = 0,
rounded if |y| <= 1/2 (a tie may go either way), and with two or more significant digits misrounded
if |y| <= 3/2, which is where the last digit is one off; beyond, it is wrong. A ball around y
decides all this at once unless it straddles a border; then its precision is doubled.
"""

from __future__ import annotations

from functools import lru_cache

from flint import arb, fmpq

from symattn.errors import UndecidedError
from symattn.exact.enclosures import SCREEN_BITS, working_precision
from symattn.exact.equality import compare
from symattn.exact.numbers import rational
from symattn.exact.rounding import round_places
from symattn.exact.stated import Stated
from symattn.grading.truth import Target
from symattn.grading.verdict import Entry

__all__ = ["counted", "judge_decimal", "rounds_to", "within_a_unit"]

HALF, UNIT, LIMIT = fmpq(1, 2), fmpq(1), fmpq(3, 2)
_BORDERS = tuple((arb(border), border) for border in (HALF, UNIT, LIMIT))
#: Precision at which the question on which side of a border a number lies is given up.
LAST_BITS = 1 << 16


def judge_decimal(target: Target, said: Stated) -> Entry:
    """The verdict on a decimal.

    >>> from symattn.exact.functions import exp
    >>> from symattn.exact.numbers import rational
    >>> weight = Target(1 / (1 + exp(rational(1))))
    >>> judge_decimal(weight, Stated(2689, -4, 4)).verdict
    'rounded'
    """
    digits = said.digits
    try:
        zone = _zone(target, said)
        if zone <= HALF and _equal(target, said):
            return Entry("exact", digits, "equal to the true value")
    except UndecidedError as error:
        return Entry("undecided", digits, f"could not be decided: {error}")
    if zone <= HALF:
        return Entry("rounded", digits, _rounded(digits))
    if zone > LIMIT or digits < 2:
        return Entry("wrong", digits, _wrong(target, said))
    return Entry("misrounded", digits, _misrounded(target, said, zone))


def rounds_to(target: Target, said: Stated) -> bool:
    """Whether a decimal is the rounding of a number to its last place, ties either way."""
    return _zone(target, said) <= HALF


def within_a_unit(target: Target, said: Stated) -> bool:
    """Whether a decimal is off by at most one unit of its last place."""
    return _zone(target, said) <= UNIT


def _zone(target: Target, said: Stated) -> fmpq:
    """The least of 1/2, 1, 3/2 that |y| does not exceed, 2 where it exceeds them all."""
    if target.ratio is not None:
        ratio = abs(target.ratio * fmpq(10) ** -said.exponent - said.units)
        return next((border for _, border in _BORDERS if ratio <= border), fmpq(2))
    bits = _bits(said)
    while True:
        size = _size(target, said, bits)
        undecided = None
        for ball, border in _BORDERS:
            if size < ball:
                break
            if not size > ball:
                undecided = border
                break
        else:
            return fmpq(2)
        if undecided is None:
            return border
        if bits > 4 * SCREEN_BITS and target.has_atoms:
            return _on_border(target, said, undecided)
        if bits >= LAST_BITS:
            raise UndecidedError(f"the rounding was not proved with {bits} bits")
        bits *= 2


def _bits(said: Stated) -> int:
    """Precision at which the distance from a true value is looked at first."""
    return max(SCREEN_BITS, 64 + abs(said.units).bit_length())


def _distance(target: Target, said: Stated, bits: int) -> arb:
    """A ball around y = x·10^-k - n."""
    ball = target.exact.enclose(bits)
    with working_precision(bits):
        return ball * _power_of_ten(-said.exponent, bits) - said.units


def _size(target: Target, said: Stated, bits: int) -> arb:
    """A ball around |y|, to the same precision."""
    y = _distance(target, said, bits)
    with working_precision(bits):
        return abs(y)


@lru_cache(maxsize=256)
def _power_of_ten(exponent: int, bits: int) -> arb:
    """10^exponent at the precision in force, which `bits` names to key the cache."""
    return arb(10) ** exponent


def _on_border(target: Target, said: Stated, border: fmpq) -> fmpq:
    """The zone of a number that cannot be told from n ± border by a ball."""
    for side in (border, -border):
        place = rational((said.units + side) * fmpq(10) ** said.exponent)
        comparison = compare(target.exact, place)
        if comparison.verdict == "equal":
            return border
        if comparison.verdict == "undecided":
            raise UndecidedError("a tie could be neither proved nor refuted", comparison.bound)
    bits = 8 * SCREEN_BITS
    while bits <= LAST_BITS:
        size = _size(target, said, bits)
        if size < arb(border):
            return border
        if size > arb(border):
            return border + HALF
        bits *= 2
    raise UndecidedError(f"the rounding was not proved with {LAST_BITS} bits")


def _equal(target: Target, said: Stated) -> bool:
    """Whether a decimal within half a unit of the true value is that value."""
    if target.ratio is None and not target.has_atoms:
        return False  # the normal form is complete here: the number is irrational
    value = fmpq(said.units) * fmpq(10) ** said.exponent
    if target.ratio is not None:
        return bool(target.ratio == value)
    comparison = compare(target.exact, rational(value))
    if comparison.verdict == "undecided":
        raise UndecidedError("it rounds right, but equality was not decided", comparison.bound)
    return comparison.verdict == "equal"


def counted(number: int, noun: str) -> str:
    """A number with its noun: 1 digit, 2 digits.

    >>> counted(1, "digit"), counted(0, "digit")
    ('1 digit', '0 digits')
    """
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


@lru_cache(maxsize=64)
def _rounded(digits: int) -> str:
    if not digits:
        return "the true value rounded to this place, but it states no significant digit"
    return f"the true value correctly rounded to {counted(digits, 'significant digit')}"


def _wrong(target: Target, said: Stated) -> str:
    if target.is_open:
        return "different from the true value, which holds symbols"
    units = _size(target, said, SCREEN_BITS)
    size = f"{float(units.mid()):.3g}" if units < 1000 else "over 1000"
    return f"off by {size} units of its last place"


def _misrounded(target: Target, said: Stated, zone: fmpq) -> str:
    bits = 4 * _bits(said)
    y = _distance(target, said, bits)
    rounding = ""
    if said.exponent <= 0:  # one unit towards the true value, which is the nearer end of a tie too
        right = rational((said.units + (1 if y > 0 else -1)) * fmpq(10) ** said.exponent)
        rounding = f": to this place it is {round_places(right, -said.exponent).text}"
    if zone == LIMIT or _size(target, said, bits).contains(1):
        return f"the last digit is one off{rounding}"
    if (y > 0) == (said.units > 0):
        return f"truncated, not rounded{rounding}"
    return f"rounded the wrong way{rounding}"
