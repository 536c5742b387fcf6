r"""Proved rounding: the one place where digits are made.

To round x to a multiple of 10^{-k}: enclose y = x·10^k in a ball; if every point of the ball has
the same \lfloor y + 1/2 \rfloor, that is the answer, else the precision is doubled. A rational x is
rounded in exact integers, where a tie is seen. An x that is proved irrational has no ties, so the
loop ends. For what may be either (logarithms, nested roots), the second failure raises the question
whether x IS the midpoint.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import inf, ldexp
from typing import Literal, NamedTuple, TypeAlias

from flint import arb, fmpq

from symattn.errors import InputError, UndecidedError
from symattn.exact.enclosures import working_precision
from symattn.exact.equality import compare
from symattn.exact.functions import sign
from symattn.exact.numbers import Exact, rational

__all__ = ["FLOATS", "Rounded", "Ties", "nearest_float", "round_places", "round_significant"]

Ties: TypeAlias = Literal["half-up", "half-even"]

#: Precision of the significand, exponent of the least subnormal, exponent of overflow.
FLOATS = {
    "float64": (53, -1074, 1024),
    "float32": (24, -149, 128),
    "float16": (11, -24, 16),
    "bfloat16": (8, -133, 128),
}
#: More digits than this are refused; a page has room for far fewer.
MAX_DIGITS = 4000
#: Precision beside that of the digits at first, and precision at which rounding is given up.
FIRST_BITS, LAST_BITS = 32, 1 << 17
HALF = arb(0.5)


@dataclass(frozen=True, slots=True)
class Rounded:
    """A decimal that is proved to be the correct rounding, with what proves it.

    `exact` says that the text is the value itself, `tie` how a tie went (None: there was none);
    `enclosure` is the value where it is rational, else a ball that has only this rounding.
    """

    text: str
    exact: bool
    tie: Ties | None
    enclosure: fmpq | arb

    def __str__(self) -> str:
        return self.text

    @property
    def ends(self) -> tuple[Fraction, Fraction]:
        """Two rational numbers between which the value was proved to lie."""
        if isinstance(self.enclosure, fmpq):
            value = Fraction(int(self.enclosure.p), int(self.enclosure.q))
            return value, value
        middle, radius = _dyadic(self.enclosure.mid()), _dyadic(self.enclosure.rad())
        return middle - radius, middle + radius


class _Nearest(NamedTuple):
    """The whole number nearest to x·base^shift, and what proves it."""

    integer: int
    exact: bool
    tie: bool
    enclosure: fmpq | arb


def check_digits(digits: int) -> None:
    """Check a number of significant digits.

    Raises: `InputError` for something else than a whole number from 1 to `MAX_DIGITS`.
    """
    if isinstance(digits, bool) or not isinstance(digits, int) or not 1 <= digits <= MAX_DIGITS:
        raise InputError(f"digits={digits!r}: a whole number from 1 to {MAX_DIGITS} is needed")


def round_significant(x: Exact, digits: int, ties: Ties = "half-up") -> Rounded:
    """A number to so many significant digits.

    A value whose decimal expansion ends within them is shown whole, any other is padded; zero is
    `0`; values whose leading digit stands below 1e-6 or from 10^digits up are written `1.234e-9`.

    >>> str(round_significant(rational(2, 3), 4)), str(round_significant(rational(1, 8), 2))
    ('0.6667', '0.13')

    Raises: `InputError` for no digits, `UndecidedError` where the rounding could not be proved.
    """
    check_digits(digits)
    ratio = x.as_rational()
    if ratio == 0:
        return Rounded("0", True, None, fmpq(0))
    bits = FIRST_BITS + 4 * digits
    with working_precision(bits):
        leading = _magnitude(x, bits, 10)
        while True:
            shift = digits - 1 - leading
            found = _nearest_integer(x, 10, shift, ties, bits)
            if found.exact and not found.integer:
                return Rounded("0", True, None, found.enclosure)
            size = len(str(abs(found.integer)))
            if size == digits or (abs(found.integer) == 10**digits and not _is_below(found, shift)):
                break
            leading += 1 if size > digits else -1
    text = _written(found.integer, shift, digits, found.exact)
    return Rounded(text, found.exact, ties if found.tie else None, found.enclosure)


def round_places(x: Exact, places: int, ties: Ties = "half-up") -> Rounded:
    """A number to so many decimal places, in plain notation.

    >>> str(round_places(rational(1, 8), 2, "half-even")), str(round_places(rational(-1, 3), 4))
    ('0.12', '-0.3333')
    """
    found = _nearest_integer(x, 10, places, ties, FIRST_BITS + 4 * max(places, 0))
    text = _plain(found.integer, places)
    return Rounded(text, found.exact, ties if found.tie else None, found.enclosure)


def nearest_float(x: Exact, name: str = "float64") -> float:
    """The nearest value of a binary format (ties to even), infinity beyond its range.

    >>> nearest_float(rational(1, 10)), nearest_float(rational(1, 10), "bfloat16")
    (0.1, 0.10009765625)

    Raises: `InputError` for a format that is not in `FLOATS`.
    """
    if name not in FLOATS:
        raise InputError(f"dtype={name!r} is unknown; known are {', '.join(FLOATS)}")
    precision, least, overflow = FLOATS[name]
    if x.as_rational() == 0:
        return 0.0
    bits = FIRST_BITS + precision
    leading = _magnitude(x, bits, 2)
    if not least - 2 <= leading <= overflow:
        return (inf if leading > overflow else 0.0) * sign(x)
    while True:
        shift = min(precision - 1 - leading, -least)
        found = _nearest_integer(x, 2, shift, "half-even", bits)
        size = abs(found.integer).bit_length()
        if size > precision and abs(found.integer) != 1 << precision:
            leading += 1
        elif 0 < size < precision and shift < -least:
            leading -= 1
        else:
            break
    if found.integer == 0:
        return 0.0 if found.exact else 0.0 * sign(x)
    return ldexp(found.integer, -shift) if size - shift <= overflow else inf * sign(x)


def _is_below(found: _Nearest, shift: int) -> bool:
    """Whether a tie went down to its integer, and so is none where one digit less is asked for."""
    if not found.tie or not isinstance(found.enclosure, fmpq):
        return False
    return bool(abs(found.enclosure) * fmpq(10) ** shift > abs(found.integer))


def _magnitude(x: Exact, bits: int, base: int) -> int:
    """floor(log_base |x|) of a number that is not zero, or one more or less; 0 of zero."""
    ratio = x.as_rational()
    while True:
        ball = x.enclose(bits) if ratio is None else arb(ratio)
        if ball.rel_accuracy_bits() >= 8:
            break
        if x.has_atoms() and sign(x) == 0:
            return 0
        if bits > LAST_BITS:
            raise UndecidedError(f"a size could not be told from zero with {LAST_BITS} bits")
        bits *= 2
    mantissa, exponent = ball.mid().man_exp()
    binary = mantissa.bit_length() + int(exponent) - 1
    return binary if base == 2 else binary * 30102999566 // 100000000000


def _nearest_integer(x: Exact, base: int, shift: int, ties: Ties, bits: int) -> _Nearest:
    ratio = x.as_rational()
    if ratio is not None:
        return _round_rational(ratio, base, shift, ties)
    failed = False
    while bits <= LAST_BITS:
        with working_precision(bits):
            ball = x.enclose(bits)
            scaled = ball * _power(base, shift, bits)
            integer = (scaled + HALF).floor().unique_fmpz() if scaled.is_finite() else None
            neither = not (2 * scaled).contains_integer()  # no tie, and not exact
        if integer is not None and neither:
            return _Nearest(int(integer), False, False, ball)
        if failed and x.has_atoms() and scaled.is_finite():
            found = _hidden_rational(x, scaled, base, shift)
            if found is not None:
                return _round_rational(found, base, shift, ties)
        if failed and integer is not None:
            return _Nearest(int(integer), False, False, ball)
        failed, bits = True, bits * 2
    raise UndecidedError(f"a rounding could not be decided with {LAST_BITS} bits")


@lru_cache(maxsize=256)
def _power(base: int, shift: int, bits: int) -> arb:
    """base^shift at the precision in force, which `bits` names to key the cache."""
    return arb(base) ** shift


def _round_rational(ratio: fmpq, base: int, shift: int, ties: Ties) -> _Nearest:
    scaled = ratio * fmpq(base) ** shift
    size = abs(scaled)
    above = size + fmpq(1, 2)
    integer, tie = above.floor(), above.q == 1
    if tie and ties == "half-even" and integer % 2:
        integer -= 1
    return _Nearest(int(integer if scaled > 0 else -integer), size.q == 1, tie, ratio)


def _hidden_rational(x: Exact, scaled: arb, base: int, shift: int) -> fmpq | None:
    """The half of a whole number that x·base^shift is proved to be, where it is one."""
    with working_precision(max(64, scaled.rel_accuracy_bits() + 16)):
        twice = (2 * scaled + arb(0.5)).floor().unique_fmpz()
    if twice is None:
        return None
    candidate = fmpq(twice, 2) / fmpq(base) ** shift
    verdict = compare(x, rational(candidate)).verdict
    return candidate if verdict == "equal" else None


def _dyadic(point: arb) -> Fraction:
    mantissa, exponent = point.man_exp()
    return Fraction(int(mantissa)) * Fraction(2) ** int(exponent)


def _written(integer: int, shift: int, digits: int, exact: bool) -> str:
    """integer·10^-shift with the significant digits of the integer."""
    text = str(abs(integer))
    if len(text) > digits:
        text, shift = text[:-1], shift - 1
    leading = len(text) - 1 - shift
    if exact:
        text = text.rstrip("0")
    if -6 <= leading < digits:
        places = max(len(text) - 1 - leading, 0)
        return _plain(integer // abs(integer) * int(text.ljust(leading + 1, "0")), places)
    mark = "-" if integer < 0 else ""
    mantissa = text[0] + ("." + text[1:] if len(text) > 1 else "")
    return f"{mark}{mantissa}e{leading}"


def _plain(integer: int, places: int) -> str:
    """integer·10^-places in plain notation, with all its places."""
    mark = "-" if integer < 0 else ""
    if places <= 0:
        return f"{mark}{abs(integer) * 10**-places}"
    text = str(abs(integer)).zfill(places + 1)
    return f"{mark}{text[:-places]}.{text[-places:]}"
