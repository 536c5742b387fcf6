"""No false accept, and no false reject: what is not equal is never exact, what is equal always is.

The oracle for decimals is mpmath at 400 digits, which shares no code with the verdicts.
"""

from __future__ import annotations

from fractions import Fraction

import mpmath
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from symattn.grading.api import verify

FEW = settings(max_examples=250, deadline=None)
ROOTS = (1, 2, 3, 5, 6, 7)


class Score:
    """A scaled score (p/q)·√r, in several spellings."""

    def __init__(self, ratio: Fraction, radicand: int) -> None:
        self.ratio, self.radicand = ratio, radicand

    def __repr__(self) -> str:
        return self.text()

    def key(self) -> tuple[Fraction, int]:
        return self.ratio, self.radicand if self.ratio else 1

    def text(self, spelling: int = 0) -> str:
        p, q, r = self.ratio.numerator, self.ratio.denominator, self.radicand
        if r == 1:
            return f"({p}/{q})"
        return (
            f"({p}/{q}*sqrt({r}))",
            f"({p * r}/({q}*sqrt({r})))",
            f"({p}*{r}^(1/2)/{q})",
            rf"(\frac{{{p}\sqrt{{{r}}}}}{{{q}}})",
        )[spelling % 4]

    def value(self) -> mpmath.mpf:
        return (
            mpmath.mpf(self.ratio.numerator) / self.ratio.denominator * mpmath.sqrt(self.radicand)
        )


ratios = st.builds(Fraction, st.integers(-12, 12), st.integers(1, 6))
scores = st.builds(Score, ratios, st.sampled_from(ROOTS))
rows = st.lists(scores, min_size=2, max_size=5)


def softmax(row: list[Score], spelling: int = 0) -> list[str]:
    total = " + ".join(f"exp{score.text(spelling)}" for score in row)
    return [f"exp{score.text(spelling)}/({total})" for score in row]


def value(row: list[Score], place: int) -> mpmath.mpf:
    with mpmath.workdps(400):
        exps = [mpmath.exp(score.value()) for score in row]
        return exps[place] / mpmath.fsum(exps)


@st.composite
def equal_forms(draw: st.DrawFn) -> tuple[str, str]:
    """A softmax weight, and the same number in another form."""
    row = draw(rows)
    place = draw(st.integers(0, len(row) - 1))
    spelling = draw(st.integers(0, 3))
    own = row[place].text(spelling)
    kind = draw(st.sampled_from(["respelled", "shifted", "divided", "tanh", "cosh", "multiplied"]))
    exps = [f"e^{{{score.text(spelling)}}}" for score in row]
    total = "+".join(exps)
    if kind == "respelled":
        form = rf"\frac{{{exps[place]}}}{{{total}}}"
    elif kind == "shifted":
        shift = draw(scores).text(spelling)
        moved = [f"exp({score.text(spelling)} - {shift})" for score in row]
        form = f"{moved[place]}/({' + '.join(moved)})"
    elif kind == "divided":
        others = [f"e^({s.text(spelling)}-{own})" for i, s in enumerate(row) if i != place]
        form = f"1/(1 + {' + '.join(others)})"
    elif kind == "tanh":  # the weight of one against another is a sigmoid
        row = row[:2]
        a, b = (score.text(spelling) for score in row)
        place, form = 0, f"(1 + tanh(({a} - {b})/2))/2"
    elif kind == "cosh":  # e^x = cosh x + sinh x
        form = f"(cosh{own} + sinh{own})/({total})"
    else:
        factor = f"(1 + sqrt(2) + exp({draw(scores).text()}))"
        form = f"({factor}*{exps[place]})/(({total})*{factor})"
    return softmax(row)[place], form


@FEW
@given(equal_forms())
def test_the_same_number_in_another_form_is_exact(pair: tuple[str, str]) -> None:
    truth, form = pair
    assert verify(truth, form).verdict == "exact"
    assert verify(form, truth).verdict == "exact"


PERTURBED = (
    "({x})*(1 + 10^(-30))",
    "({x})*(1 - 10^(-200))",
    "({x}) + exp(-700)",
    "-({x})",
    "1 - ({x}) + 10^(-90)",
    "({x})^2 + 10^(-150)",
    "({x})*sqrt(1 + 10^(-60))",
)


@FEW
@given(rows, st.sampled_from(PERTURBED), st.data())
def test_a_perturbed_number_is_never_exact(
    row: list[Score], change: str, data: st.DataObject
) -> None:
    place = data.draw(st.integers(0, len(row) - 1))
    truth = softmax(row)[place]
    answer = change.format(x=truth)
    with mpmath.workdps(400):
        x = value(row, place)
        moved = {
            PERTURBED[4]: 1 - x + mpmath.mpf(10) ** -90,
            PERTURBED[5]: x**2 + mpmath.mpf(10) ** -150,
        }.get(change)
        assume(moved is None or abs(moved - x) > mpmath.mpf(10) ** -300)
    assert verify(truth, answer).verdict == "wrong"
    assert verify(answer, truth).verdict == "wrong"


@FEW
@given(rows, st.data())
def test_a_dropped_normaliser_or_term_is_never_exact(row: list[Score], data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(row) - 1))
    truth = softmax(row)[place]
    assert verify(truth, f"exp{row[place].text()}").verdict == "wrong"
    if len(row) > 2:
        left_out = row[:-1] if place < len(row) - 1 else row[1:]
        shorter = softmax(left_out)[left_out.index(row[place])]
        assert verify(truth, shorter).verdict == "wrong"


@FEW
@given(rows, st.data())
def test_swapped_entries_are_exact_only_where_they_are_equal(
    row: list[Score], data: st.DataObject
) -> None:
    i, j = data.draw(st.permutations(range(len(row))))[:2]
    weights = softmax(row, 1)
    weights[i], weights[j] = weights[j], weights[i]
    same = row[i].key() == row[j].key()
    found = verify(f"({', '.join(softmax(row))})", f"[{', '.join(weights)}]")
    assert found.verdict == ("exact" if same else "wrong")


def distance(x: mpmath.mpf, units: int, places: int) -> mpmath.mpf:
    """How many units of its last place a decimal is off, to 400 digits."""
    with mpmath.workdps(400):
        return abs(x * mpmath.mpf(10) ** places - units)


@FEW
@given(rows, st.integers(1, 40), st.integers(-3, 3), st.data())
def test_a_decimal_is_rounded_only_where_it_truly_rounds_so(
    row: list[Score], places: int, off: int, data: st.DataObject
) -> None:
    place = data.draw(st.integers(0, len(row) - 1))
    x = value(row, place)
    with mpmath.workdps(400):
        units = max(int(mpmath.nint(x * mpmath.mpf(10) ** places)) + off, 0)
    text = str(units).zfill(places + 1)
    answer = f"{text[:-places]}.{text[-places:]}"
    found = verify(softmax(row)[place], answer)
    y = distance(x, units, places)
    digits = len(str(units)) if units else 0
    if y < mpmath.mpf(10) ** -200:
        assert found.verdict == "exact"  # a tie of all scores: a rational weight
    elif y <= 0.5:
        assert found.verdict == "rounded"
    elif y <= 1.5 and digits >= 2:
        assert found.verdict == "misrounded"
    else:
        assert found.verdict == "wrong"
    assert found.digits == digits


@FEW
@given(st.integers(-999, 999), st.integers(1, 99), st.integers(0, 6))
def test_rational_truths_are_rounded_with_ties_either_way(p: int, q: int, places: int) -> None:
    x = Fraction(p, q) * 10**places
    down = x.numerator // x.denominator
    for units in (down - 1, down, down + 1, down + 2):
        sign, text = "-" * (units < 0), str(abs(units)).zfill(places + 1)
        answer = sign + (f"{text[:-places]}.{text[-places:]}" if places else f"{text}.")
        y, digits = abs(x - units), len(str(abs(units))) if units else 0
        expected = "exact" if y == 0 else "rounded" if y <= Fraction(1, 2) else "wrong"
        if expected == "wrong" and y <= Fraction(3, 2) and digits >= 2:
            expected = "misrounded"
        assert verify(f"{p}/{q}", answer).verdict == expected
