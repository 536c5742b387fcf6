"""Every digit is right: against integers and mpmath, at ties and beside them, in all formats."""

from __future__ import annotations

import math
import struct
from decimal import ROUND_HALF_EVEN, ROUND_HALF_UP, Context, Decimal, localcontext
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from flint import arb, fmpq, fmpz
from hypothesis import example, given, settings
from hypothesis import strategies as st

from symattn.errors import InputError, UndecidedError
from symattn.exact import rounding
from symattn.exact.enclosures import working_precision
from symattn.exact.functions import exp, pi, root
from symattn.exact.numbers import Exact, rational
from symattn.exact.rounding import Rounded, nearest_float, round_places, round_significant
from tests.exact.strategies import as_fraction, exact, mp, numbers

TIES = ("half-up", "half-even")
MODES = {"half-up": ROUND_HALF_UP, "half-even": ROUND_HALF_EVEN}
#: sqrt(3 + 2·sqrt(2)) - sqrt(2) is 1, and does not look it.
ONE = "(sqrt(3 + 2*sqrt(2)) - sqrt(2))"


# --- referees: decimal for rationals, Python's integers for the rest ----------------------------


def nearest(value: Fraction, ties: str) -> int:
    """The nearest whole number, ties away from zero or to even."""
    if ties == "half-even":
        return round(value)
    size = math.floor(abs(value) + Fraction(1, 2))
    return size if value > 0 else -size


def significant(value: Fraction, digits: int, ties: str) -> Fraction:
    """A fraction to so many significant digits, by decimal where it can divide exactly enough."""
    with localcontext(Context(prec=digits, rounding=MODES[ties], Emin=-(10**6), Emax=10**6)):
        return Fraction(Decimal(value.numerator) / Decimal(value.denominator))


def spelled(text: str) -> Fraction:
    return Fraction(Decimal(text))


def count_digits(text: str) -> int:
    """The significant digits that a decimal shows."""
    return len(text.lstrip("-").split("e")[0].replace(".", "").lstrip("0"))


def check_shown(rounded: Rounded, value: Fraction, digits: int, ties: str) -> None:
    """Everything that a rounding of a rational number claims."""
    assert spelled(rounded.text) == significant(value, digits, ties)
    assert rounded.exact == (spelled(rounded.text) == value)
    low, high = rounded.ends
    assert low <= value <= high
    if not rounded.exact:
        assert count_digits(rounded.text) == digits
    at_tie = significant(value, digits, "half-up") != significant(value, digits, "half-even")
    if at_tie:
        assert rounded.tie == ties
    assert (rounded.tie is not None) == is_tie(value, digits)


def is_tie(value: Fraction, digits: int) -> bool:
    """Whether a number lies half way between two neighbours of so many digits."""
    leading = len(str(abs(value).numerator)) - len(str(value.denominator))
    for guess in (leading - 1, leading):
        if Fraction(10) ** guess <= abs(value) < Fraction(10) ** (guess + 1):
            scaled = value / Fraction(10) ** (guess - digits + 1)
            return (2 * scaled).denominator == 1 and scaled.denominator == 2
    return False


# --- rational numbers ---------------------------------------------------------------------------

sizes = st.integers(-400, 400).map(lambda e: Fraction(10) ** e)
decimals = st.builds(
    lambda m, e: Fraction(m) * Fraction(10) ** e,
    st.integers(-(10**12), 10**12),
    st.integers(-400, 400),
)
fractions = st.builds(
    lambda p, q, size: Fraction(p, q) * size,
    st.integers(-(10**9), 10**9),
    st.integers(1, 10**6),
    sizes,
)


@given(st.one_of(decimals, fractions), st.integers(1, 50), st.sampled_from(TIES))
@settings(max_examples=300)
@example(Fraction("9.9995"), 4, "half-up")
@example(Fraction("9.9995"), 4, "half-even")
@example(Fraction("9.9985"), 4, "half-even")
@example(Fraction("10.0005"), 4, "half-even")
@example(Fraction("10.0005"), 4, "half-up")
@example(Fraction("-1.0005"), 4, "half-even")
@example(Fraction("100.5"), 3, "half-even")
@example(Fraction("0.5"), 1, "half-even")
@example(Fraction("9.5"), 1, "half-even")
@example(Fraction("10.5"), 1, "half-even")
@example(Fraction("99999999.5"), 8, "half-up")
def test_rationals_are_rounded_as_decimal_rounds_them(value, digits, ties):
    rounded = round_significant(rational(value), digits, ties)
    if value == 0:
        assert (rounded.text, rounded.exact, rounded.tie) == ("0", True, None)
    else:
        check_shown(rounded, value, digits, ties)


@given(st.integers(-(10**6), 10**6), st.integers(-30, 30), st.integers(1, 8), st.sampled_from(TIES))
@settings(max_examples=150)
def test_ties_of_any_size_go_as_asked(m, e, digits, ties):
    value = (m + Fraction(1, 2)) * Fraction(10) ** e
    check_shown(round_significant(rational(value), digits, ties), value, digits, ties)


@given(st.integers(1, 10**6), st.integers(-30, 30), st.sampled_from([-1, 1]))
@settings(max_examples=100)
def test_beside_a_tie_the_side_decides(m, e, side):
    digits = len(str(m))
    unit = Fraction(10) ** e
    value = (m + Fraction(1, 2)) * unit + side * unit / 10**60
    for ties in TIES:
        rounded = round_significant(rational(value), digits, ties)
        assert spelled(rounded.text) == (m + (side > 0)) * unit
        assert (rounded.exact, rounded.tie) == (False, None)


@pytest.mark.parametrize(
    ("text", "digits", "shown"),
    [
        ("12288", 4, "1.229e4"),
        ("12288", 5, "12288"),
        ("20000", 4, "2e4"),
        ("1000", 4, "1000"),
        ("9999.5", 4, "1.000e4"),
        ("9999.5", 5, "9999.5"),
        ("99.996", 4, "100.0"),
        ("1/8", 4, "0.125"),
        ("1/8", 2, "0.13"),
        ("-1/3", 4, "-0.3333"),
        ("-2/3", 1, "-0.7"),
        ("0.000001", 4, "0.000001"),
        ("0.0000012345", 3, "0.00000123"),
        ("0.0000001", 4, "1e-7"),
        ("0.00000012345", 3, "1.23e-7"),
        ("-0.0000001/3", 3, "-3.33e-8"),
        ("10^20", 4, "1e20"),
        ("-123456", 3, "-1.23e5"),
        ("2/3", 17, "0.66666666666666667"),
        ("sqrt(2)", 4, "1.414"),
        ("1/(1 + exp(-1))", 4, "0.7311"),
        ("exp(-20)", 4, "2.061e-9"),
        ("1/(1 + exp(-20))", 4, "1.000"),
        ("1/(1 + exp(-20))", 12, "0.999999997939"),
        ("exp(10)", 4, "2.203e4"),
        ("-exp(2)", 3, "-7.39"),
        ("1 - 1", 7, "0"),
    ],
)
def test_a_number_is_written_as_the_contract_says(text, digits, shown):
    assert str(round_significant(exact(text), digits)) == shown


# --- irrational numbers -------------------------------------------------------------------------


@given(numbers, st.integers(1, 50), st.sampled_from(TIES))
@settings(max_examples=200)
def test_any_number_is_rounded_as_its_value_says(text, digits, ties):
    x = exact(text)
    value = as_fraction(mp(text, 300))
    if abs(value) < Fraction(1, 10**250):
        assert round_significant(x, digits, ties).text == "0"
        return
    rounded = round_significant(x, digits, ties)
    # A value that mpmath has within 1e-200 of an 80-digit decimal is that decimal.
    near = significant(value, 80, ties)
    value = near if abs(value - near) < abs(value) / Fraction(10) ** 200 else value
    assert spelled(rounded.text) == significant(value, digits, ties)
    assert rounded.exact == (spelled(rounded.text) == value)
    low, high = rounded.ends
    slack = abs(value) / Fraction(10) ** 250
    assert low - slack <= value <= high + slack
    assert nearest_float(x) == as_double(value)


@given(numbers, st.integers(1, 50))
@settings(max_examples=100)
def test_the_ends_prove_the_digits(text, digits):
    """Both ends, and so all between, have the digits shown."""
    rounded = round_significant(exact(text), digits)
    if rounded.text == "0" or rounded.exact:
        assert rounded.ends[0] <= spelled(rounded.text) <= rounded.ends[1]
        return
    assert proves(rounded, digits)


def proves(rounded: Rounded, digits: int) -> bool:
    """Whether both ends of an enclosure round to the text that is shown."""
    shown = spelled(rounded.text)
    low, high = rounded.ends
    return low <= high and all(
        abs(significant(end, digits, rounded.tie or "half-up")) == abs(shown) and end * shown > 0
        for end in (low, high)
    )


@pytest.mark.parametrize("digits", [4, 17, 50])
def test_planted_wrong_digits_are_caught(digits):
    right = round_significant(exact("1/(1 + exp(sqrt(2)))"), digits)
    assert proves(right, digits)
    for place in range(2, digits + 1):
        wrong = str((int(right.text[place]) + 1) % 10)
        text = right.text[:place] + wrong + right.text[place + 1 :]
        assert not proves(Rounded(text, False, None, right.enclosure), digits)
    assert not proves(Rounded("-" + right.text, False, None, right.enclosure), digits)
    wide = Rounded(right.text, False, None, right.enclosure + arb(0, float(10.0**-digits)))
    assert not proves(wide, digits)


@pytest.mark.parametrize("ties", TIES)
@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("tie", ["0.125", "2.5", "12345.5", "0.00000015", "99.95", "0.5"])
def test_numbers_that_are_secretly_ties_are_ties(tie, sign, ties):
    value = sign * Fraction(tie)
    x = exact(f"{tie}*{ONE}") * sign
    digits = len(tie.replace(".", "").strip("0")) - 1 or 1
    rounded = round_significant(x, digits, ties)
    assert spelled(rounded.text) == significant(value, digits, ties)
    assert rounded.tie == (ties if is_tie(value, digits) else None)
    shown = round_significant(x, digits + 1, ties)
    assert (spelled(shown.text), shown.exact, shown.tie) == (value, True, None)


@pytest.mark.parametrize("power", [30, 60, 300])
@pytest.mark.parametrize("side", [1, -1])
@pytest.mark.parametrize("tie", ["0.125", "2.5", "12345.5", "99.95"])
def test_numbers_a_hair_from_a_secret_tie_fall_to_their_side(tie, side, power):
    x = exact(f"{tie}*{ONE}") + fmpq(side, 10**power)
    digits = len(tie.replace(".", "").strip("0")) - 1
    value = Fraction(tie) + Fraction(side, 10**power)
    for ties in TIES:
        rounded = round_significant(x, digits, ties)
        assert spelled(rounded.text) == significant(value, digits, ties)
        assert (rounded.tie, rounded.exact) == (None, False)
        shown = round_significant(x, digits + 1, ties)
        assert (spelled(shown.text), shown.exact) == (Fraction(tie), False)


@pytest.mark.parametrize("power", [60, 300, 2000])
def test_exponentials_a_hair_from_a_tie_fall_to_their_side(power):
    for side in (1, -1):
        x = exact("2.5") + exact("e") * fmpq(side, 10**power)
        assert str(round_significant(x, 1, "half-even")) == ("3" if side > 0 else "2")
        assert str(round_significant(-x, 1, "half-up")) == ("-3" if side > 0 else "-2")


def test_zero_in_disguise_is_zero_and_a_hair_from_it_is_not():
    zero = exact(f"{ONE} - 1")
    assert (str(round_significant(zero, 5)), str(round_places(zero, 3))) == ("0", "0.000")
    assert nearest_float(zero) == 0.0
    near = zero + fmpq(1, 3 * 10**200)
    assert str(round_significant(near, 5)) == "3.3333e-201"
    assert nearest_float(near) == 1e-200 / 3 * 1e0 or nearest_float(near) == float(
        Fraction(1, 3 * 10**200)
    )


def test_powers_of_numbers_too_large_to_be_factorised_keep_their_ties():
    base = (2**107 - 1) * (2**127 - 1)
    for sign in (1, -1):
        half = root(rational(Fraction(sign * base**11, 2**11)), 11)
        up, even = (round_places(half, 0, ties) for ties in TIES)
        assert (
            int(up.text) == sign * (base + 1) // 2 if sign > 0 else int(up.text) == -(base + 1) // 2
        )
        assert int(even.text) % 2 == 0
        assert (up.tie, even.tie) == TIES


def test_what_cannot_be_proved_is_not_shown():
    beyond = exact("2.5") + exact("sqrt(pi^2)") - pi()
    with pytest.raises(UndecidedError):
        round_significant(beyond, 1)
    assert str(round_significant(exact("sqrt(pi^2)"), 30)) == "3.14159265358979323846264338328"


def test_a_number_too_near_to_zero_is_undecided_at_once():
    with working_precision(140_000):
        close = (arb(1).exp() * arb(2) ** 135_000).floor().unique_fmpz()
    x = exact("e") - fmpq(fmpz(close), 1) / fmpq(2) ** 135_000
    with pytest.raises(UndecidedError, match="with 131072 bits"):
        round_significant(x, 1)
    assert nearest_float(x) == 0.0
    assert str(round_places(x, 30)) == "0." + "0" * 30


def test_huge_and_tiny_numbers_have_their_digits():
    assert str(round_significant(exp(rational(-1000)), 6)) == "5.07596e-435"
    assert str(round_significant(exp(rational(1000000)), 6)) == "3.03322e434294"
    with mpmath.workdps(40):
        mantissa = mpmath.exp(mpmath.mpf(10) ** 9 - 434294481 * mpmath.log(10))
    shown = round_significant(exp(rational(10**9)), 10)
    assert shown.text == f"{mpmath.nstr(mantissa, 10)}e434294481"


@pytest.mark.parametrize("digits", [0, -3])
def test_no_digits_are_refused(digits):
    with pytest.raises(InputError, match=f"digits={digits}: a whole number from 1 to 4000"):
        round_significant(rational(1), digits)


# --- decimal places -----------------------------------------------------------------------------


@given(st.one_of(decimals, fractions), st.integers(-5, 40), st.sampled_from(TIES))
@settings(max_examples=200)
@example(Fraction("0.125"), 2, "half-even")
@example(Fraction("-0.125"), 2, "half-up")
@example(Fraction("-0.004"), 2, "half-up")
@example(Fraction("999.995"), 2, "half-up")
@example(Fraction(150), -2, "half-even")
def test_places_are_rounded_as_integers_are(value, places, ties):
    rounded = round_places(rational(value), places, ties)
    unit = Fraction(10) ** -places
    assert spelled(rounded.text) == nearest(value / unit, ties) * unit
    assert rounded.exact == (spelled(rounded.text) == value)
    assert (rounded.tie is not None) == (
        (2 * value / unit).denominator == 1 != (value / unit).denominator
    )
    if places > 0:
        assert len(rounded.text.split(".")[1]) == places
    assert not rounded.text.startswith("-0") or spelled(rounded.text) < 0


@given(numbers, st.integers(0, 40))
@settings(max_examples=60)
def test_places_of_any_number_are_right(text, places):
    rounded = round_places(exact(text), places)
    unit = Fraction(10) ** -places
    value = as_fraction(mp(text, 300))
    assert abs(spelled(rounded.text) - value) <= unit / 2 + abs(value) / Fraction(10) ** 250


# --- binary formats -----------------------------------------------------------------------------

FORMATS = {"float64": np.float64, "float32": np.float32, "float16": np.float16}


def by_numpy(value: Fraction, name: str) -> float:
    """The nearest value of a format, found among NumPy's own neighbours, exactly."""
    if name == "bfloat16":
        return by_struct(value)
    kind = FORMATS[name]
    with np.errstate(over="ignore"):
        guess = kind(as_double(value))
        largest = float(np.finfo(kind).max)
        return choose(value, guess, lambda g, to: np.nextafter(g, kind(to)), largest)


def as_double(value: Fraction) -> float:
    try:
        return float(value)
    except OverflowError:
        return math.copysign(math.inf, sign_of(value))


def choose(value: Fraction, guess, step, largest: float) -> float:
    """The nearest of a guess and its neighbours, ties to even, infinity from half an ulp beyond."""
    kind, top = type(guess), Fraction(largest)
    if abs(value) >= top + (top - Fraction(float(step(kind(largest), 0)))) / 2:
        return math.copysign(math.inf, sign_of(value))
    candidates = {float(g) for g in (guess, step(guess, -math.inf), step(guess, math.inf))}
    candidates |= {math.copysign(largest, sign_of(value))}
    finite = [c for c in candidates if math.isfinite(c)]
    distance = min(abs(Fraction(c) - value) for c in finite)
    best = [c for c in finite if abs(Fraction(c) - value) == distance]
    return math.copysign(min(best, key=odd_in(kind)), sign_of(value))


def sign_of(value: Fraction) -> int:
    return -1 if value < 0 else 1


def odd_in(kind):
    def odd(c: float) -> int:
        return int(np.array(c, dtype=kind).view(f"u{np.dtype(kind).itemsize}")) & 1

    return odd


def by_struct(value: Fraction) -> float:
    """bfloat16 as the upper half of a float32, chosen among neighbours by exact distance."""
    sign = sign_of(value)
    size = abs(value)

    def of(bits: int) -> Fraction:
        return Fraction(struct.unpack(">f", struct.pack(">I", bits << 16))[0])

    low, high = 0, 0x7F7F
    if size >= of(high) + (of(high) - of(high - 1)) / 2:
        return sign * math.inf
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if of(middle) <= size else (low, middle)
    to_low, to_high = size - of(low), of(high) - size
    bits = low if to_low < to_high or (to_low == to_high and low % 2 == 0) else high
    return sign * float(of(bits))


NAMES = [*FORMATS, "bfloat16"]
patterns = st.tuples(
    st.sampled_from([(-1080, 1030), (-160, 135), (-30, 20), (-140, 130)]), st.integers(), st.data()
)


@st.composite
def binaries(draw):
    """Numbers at, beside and half way between floats of some format."""
    name = draw(st.sampled_from(NAMES))
    precision, least, overflow = rounding.FLOATS[name]
    exponent = draw(st.integers(least - 3, overflow - precision + 2))
    mantissa = draw(st.integers(0, 2 ** (precision + 1)))
    value = Fraction(mantissa, 2) * Fraction(2) ** exponent
    hair = draw(st.sampled_from([0, 0, Fraction(1, 10**60), -Fraction(1, 10**60), Fraction(1, 3)]))
    value += hair * Fraction(2) ** exponent
    return name, draw(st.sampled_from([1, -1])) * value


@given(binaries())
@settings(max_examples=400)
@example(("float64", Fraction(2) ** -1075))
@example(("float64", Fraction(2) ** -1076))
@example(("float64", -(Fraction(2) ** -1076)))
@example(("float64", -(Fraction(2) ** -1300)))
@example(("float64", Fraction(2) ** -1075 + Fraction(2) ** -1200))
@example(("float64", Fraction(2) ** 1024 - Fraction(2) ** 970))
@example(("float64", Fraction(2) ** 1024 - Fraction(2) ** 970 - 1))
@example(("float16", Fraction(65520)))
@example(("float16", Fraction(65520) - Fraction(1, 10**9)))
@example(("float16", Fraction(65519)))
@example(("float16", Fraction(3, 2**25)))
@example(("bfloat16", Fraction(2) ** -134))
@example(("bfloat16", -(Fraction(2) ** 128)))
@example(("float32", Fraction(2) ** 128 - Fraction(2) ** 103))
def test_the_nearest_float_is_the_nearest(case):
    name, value = case
    expected = by_numpy(value, name)
    found = nearest_float(rational(value), name)
    assert found == expected
    if value:
        assert math.copysign(1, found) == sign_of(value)


def test_bfloat16_is_that_of_ml_dtypes():
    ml_dtypes = pytest.importorskip("ml_dtypes")
    rng = np.random.default_rng(1)
    for x in rng.standard_normal(500).astype(np.float32) * np.float32(10.0) ** rng.integers(
        -44, 39, 500
    ):
        assert nearest_float(rational(Fraction(float(x))), "bfloat16") == float(
            ml_dtypes.bfloat16(x)
        )


@given(numbers, st.sampled_from(NAMES))
@settings(max_examples=100)
def test_the_nearest_float_of_any_number_is_the_nearest(text, name):
    value = as_fraction(mp(text, 600))
    if abs(value) < Fraction(1, 10**500):
        assert nearest_float(exact(text), name) == 0
        return
    near = significant(value, 80, "half-even")
    value = near if abs(value - near) < abs(value) / Fraction(10) ** 200 else value
    assert nearest_float(exact(text), name) == by_numpy(value, name)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("bits", [20, 44, 74, 75, 76, 77, 78, 100])
def test_a_difference_just_below_a_power_of_two_keeps_its_last_bit(name, bits):
    """x = e·2^k - n is small beside its parts, so that its first ball is wide."""
    precision = rounding.FLOATS[name][0]
    with working_precision(600):
        whole = (arb(1).exp() * arb(2) ** bits).floor().unique_fmpz()
        part = exact("e").enclose(600) * arb(2) ** bits - arb(whole)
        first = Fraction(int((part * 2**40).floor().unique_fmpz()), 2**40)
    for below in (1, 2, 3):
        scale = (1 - Fraction(below, 2**10)) / first
        x = (exact("e") * fmpq(2) ** bits - fmpq(whole)) * rational(scale)
        with working_precision(600):
            middle = x.enclose(600).mid().man_exp()
        value = Fraction(int(middle[0])) * Fraction(2) ** int(middle[1])
        assert nearest_float(x, name) == by_numpy(value, name), precision


@pytest.mark.parametrize("name", NAMES)
def test_a_secret_tie_goes_to_even(name):
    precision = rounding.FLOATS[name][0]
    for odd in (1, 3):
        tie = exact(ONE) * (2**precision + odd)
        assert nearest_float(tie, name) == by_numpy(Fraction(2**precision + odd), name)
        above = tie + fmpq(1, 10**60)
        assert nearest_float(above, name) == 2**precision + odd + 1


def test_an_unknown_format_is_refused():
    with pytest.raises(InputError, match="dtype='float8' is unknown; known are float64, float32"):
        nearest_float(rational(1), "float8")


def test_a_symbol_has_no_digits():
    for work in (round_significant, round_places):
        with pytest.raises((InputError, UndecidedError)):
            work(exact("M + 1"), 3)
    with pytest.raises((InputError, UndecidedError)):
        nearest_float(exact("M"))


def test_the_precision_in_force_is_left_as_it_was():
    from flint import ctx

    before = ctx.prec
    x: Exact = exact("exp(sqrt(2))/(1 + exp(sqrt(2)))")
    round_significant(x, 200)
    nearest_float(x)
    assert ctx.prec == before
