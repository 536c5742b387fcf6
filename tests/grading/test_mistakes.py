"""Every mistake is recognised by what it leads to, computed here a second time with mp.

The wrong formulas below are written for this file alone, over floats of 150 digits: they share
nothing with the definitions in `symattn.grading.mistakes` but the names.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any

import mpmath
import pytest

from symattn.grading.mistakes import known
from symattn.grading.question import Question
from symattn.problems import Problem, from_mapping, load

mp = mpmath.MPContext()
mp.dps = 150
DIGITS = 7
Rows = list[list[Any]]


class Case:
    """A random problem: n queries, m keys, and what a student may do with them."""

    def __init__(self, seed: int, causal: bool = False) -> None:
        draw = random.Random(seed)
        self.causal = causal
        # All sizes differ, so that no two wrong scales agree; K is square for Q K to exist.
        self.n, self.m, self.d_v = (4, 4, 3) if causal else (3, 5, 2)
        self.d_k = self.m

        def entries(rows: int, columns: int) -> Rows:
            return [
                [draw.choice((-3, -2, -1, 1, 2, 3)) for _ in range(columns)] for _ in range(rows)
            ]

        self.Q, self.K = entries(self.n, self.d_k), entries(self.m, self.d_k)
        self.V = [[draw.randint(-9, 9) * 2 + 1 for _ in range(self.d_v)] for _ in range(self.m)]
        self.scale = 1 / mp.sqrt(self.d_k)

    def problem(self) -> Problem:
        """The problem as a file would hold it."""
        given = {
            name: [[str(x) for x in row] for row in rows]
            for name, rows in (("Q", self.Q), ("K", self.K), ("V", self.V))
        }
        content = {"given": {**given, "causal": self.causal}}
        return from_mapping(content, name="random", folder=Path("."))

    @property
    def scores(self) -> Rows:
        return product(self.Q, transposed(self.K))

    def scaled(self, factor: Any = None) -> Rows:
        factor = self.scale if factor is None else factor
        return [[s * factor for s in row] for row in self.scores]

    def seen(self, i: int, j: int) -> bool:
        return not self.causal or j <= i

    def exponentials(self, scaled: Rows, base: Any = mp.e, seen: Any = None) -> Rows:
        seen = seen or self.seen
        return [
            [mp.power(base, s) if seen(i, j) else mp.mpf(0) for j, s in enumerate(row)]
            for i, row in enumerate(scaled)
        ]


@lru_cache
def prepared(seed: int, part: str, causal: bool = False) -> Question:
    """The question for a part of a random problem, whose mistakes are worked out once."""
    return Question.of(Case(seed, causal).problem(), part)


def product(A: Rows, B: Rows) -> Rows:
    return [
        [
            mp.fsum(a * b for a, b in zip(row, column, strict=True))
            for column in zip(*B, strict=True)
        ]
        for row in A
    ]


def transposed(A: Rows) -> Rows:
    return [list(row) for row in zip(*A, strict=True)]


def normalised(A: Rows) -> Rows:
    return [[x / (mp.fsum(row) or 1) for x in row] for row in A]


def softmax(case: Case, scaled: Rows, **options: Any) -> Rows:
    return normalised(case.exponentials(scaled, **options))


def rounded(x: Any, digits: int = 3) -> Any:
    return mp.mpf(mp.nstr(x, digits, strip_zeros=False))


def each(change: Callable[[Any], Any], A: Rows) -> Rows:
    return [[change(x) for x in row] for row in A]


#: Mistake -> the wrong weights.
WEIGHTS: dict[str, Callable[[Case], Rows]] = {
    "no-scaling": lambda c: softmax(c, c.scaled(1)),
    "divided-by-d_k": lambda c: softmax(c, c.scaled(mp.mpf(1) / c.d_k)),
    "multiplied-by-sqrt-d_k": lambda c: softmax(c, c.scaled(mp.sqrt(c.d_k))),
    "scaled-twice": lambda c: softmax(c, c.scaled(c.scale * c.scale)),
    "scaled-by-keys": lambda c: softmax(c, c.scaled(1 / mp.sqrt(c.m))),
    "scaled-by-d_v": lambda c: softmax(c, c.scaled(1 / mp.sqrt(c.d_v))),
    "softmax-over-columns": lambda c: transposed(normalised(transposed(each(mp.exp, c.scaled())))),
    "softmax-before-scaling": lambda c: each(lambda w: w * c.scale, softmax(c, c.scaled(1))),
    "not-normalised": lambda c: c.exponentials(c.scaled()),
    "no-exponential": lambda c: normalised(c.scaled()),
    "base-2": lambda c: softmax(c, c.scaled(), base=2),
    "base-10": lambda c: softmax(c, c.scaled(), base=10),
    "lost-minus": lambda c: softmax(c, each(abs, c.scaled())),
    "reversed-sign": lambda c: softmax(c, each(lambda s: -s, c.scaled())),
    "keys-not-transposed": lambda c: softmax(c, each(lambda s: s * c.scale, product(c.Q, c.K))),
    "unweighted-mean": lambda c: [[mp.mpf(1) / c.m] * c.m for _ in range(c.n)],
    "argmax": lambda c: [
        [mp.mpf(j == row.index(max(row))) for j in range(c.m)] for row in c.scores
    ],
    "wrong-sign": lambda c: each(lambda w: -w, softmax(c, c.scaled())),
    "power-of-ten": lambda c: each(lambda w: w / 10, softmax(c, c.scaled())),
    "percent-for-fraction": lambda c: each(lambda w: w * 100, softmax(c, c.scaled())),
}
CAUSAL: dict[str, Callable[[Case], Rows]] = {
    "causal-forgotten": lambda c: softmax(c, c.scaled(), seen=lambda i, j: True),
    "causal-reversed": lambda c: softmax(c, c.scaled(), seen=lambda i, j: j >= i),
    "causal-without-self": lambda c: softmax(c, c.scaled(), seen=lambda i, j: j < i),
    "causal-one-ahead": lambda c: softmax(c, c.scaled(), seen=lambda i, j: j <= i + 1),
}
#: Mistake -> the wrong output.
OUTPUTS: dict[str, Callable[[Case], Rows]] = {
    "blended-keys": lambda c: product(softmax(c, c.scaled()), c.K),
    "rounded-scaled-scores": lambda c: product(softmax(c, each(rounded, c.scaled())), c.V),
    "rounded-exponentials": lambda c: product(
        normalised(each(rounded, c.exponentials(c.scaled()))), c.V
    ),
    "rounded-weights": lambda c: product(each(rounded, softmax(c, c.scaled())), c.V),
}


def written(rows: Rows, digits: int = DIGITS) -> str:
    """A matrix as a student writes it, each entry to so many significant digits."""

    def entry(x: Any) -> str:
        if abs(x) < mp.mpf(10) ** -100:
            return "0"
        if x == int(x) and abs(x) < 10**6:
            return str(int(x))
        if abs(x) >= 10**digits:
            return mp.nstr(x, digits, min_fixed=0, max_fixed=0, strip_zeros=False)
        return mp.nstr(x, digits, min_fixed=-99, max_fixed=99, strip_zeros=False)

    return "[" + ", ".join("[" + ", ".join(map(entry, row)) + "]" for row in rows) + "]"


def ids(question: Question, answer: str) -> set[str]:
    found = question.grade(answer)
    names = {mistake.id for mistake in found.mistakes}
    assert not names or found.verdict not in ("exact", "rounded")
    return names if found.verdict not in ("exact", "rounded") else {"right"}


SEEDS = range(10)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("mistake", WEIGHTS)
def test_wrong_weights_show_their_mistake(mistake: str, seed: int) -> None:
    case = Case(seed)
    found = ids(prepared(seed, "weights"), written(WEIGHTS[mistake](case)))
    if mistake == "scaled-by-keys":  # d_k = m here: the true scale
        assert found == {"right"}
    elif mistake != "no-exponential" or all(sum(row) for row in case.scores):
        assert mistake in found


@pytest.mark.parametrize("seed", SEEDS)
def test_a_scale_by_the_number_of_keys_shows_where_it_is_not_d_k(seed: int) -> None:
    case = Case(seed)
    case.Q = [row[:4] for row in case.Q]
    case.K = [row[:4] for row in case.K]
    case.d_k = 4
    wrong = softmax(case, case.scaled(1 / mp.sqrt(case.m)))
    assert "scaled-by-keys" in ids(Question.of(case.problem(), "weights"), written(wrong))


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("mistake", CAUSAL)
def test_wrong_causal_masks_show(mistake: str, seed: int) -> None:
    case = Case(seed, causal=True)
    found = ids(prepared(seed, "weights", causal=True), written(CAUSAL[mistake](case)))
    assert mistake in found


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("mistake", OUTPUTS)
def test_wrong_outputs_show_their_mistake(mistake: str, seed: int) -> None:
    case = Case(seed)
    found = ids(prepared(seed, "output"), written(OUTPUTS[mistake](case)))
    assert mistake in found


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("mistake", WEIGHTS)
def test_wrong_weights_show_in_the_output_too(mistake: str, seed: int) -> None:
    case = Case(seed)
    wrong = product(WEIGHTS[mistake](case), case.V)
    found = ids(prepared(seed, "output"), written(wrong))
    if mistake == "scaled-by-keys":  # d_k = m here: the true scale
        assert found == {"right"}
    elif mistake != "no-exponential" or all(sum(row) for row in case.scores):
        assert mistake in found


@pytest.mark.parametrize("seed", SEEDS)
def test_the_right_numbers_in_the_wrong_place_show(seed: int) -> None:
    case, source = Case(seed), random.Random(seed)
    problem = case.problem()
    right = softmax(case, case.scaled())
    other = source.choice((0, 2))
    row = Question.of(problem, "weights[2]")
    assert "wrong-row" in ids(row, written([right[other]]))
    order = list(right[1])
    while order == right[1]:
        source.shuffle(order)
    assert "permuted-entries" in ids(row, written([order]))
    entry = Question.of(problem, "weights[2,3]")
    assert "permuted-entries" in ids(entry, mp.nstr(right[1][0], DIGITS))
    assert "wrong-row" in ids(entry, mp.nstr(right[0][2], DIGITS))
    square = Question.of(Case(seed, causal=True).problem(), "scores")
    assert "transposed" in ids(square, written(transposed(Case(seed, causal=True).scores)))


@pytest.mark.parametrize("seed", SEEDS)
def test_a_width_of_the_model_in_the_scale_shows(seed: int) -> None:
    draw = random.Random(seed)
    X = [[draw.randint(-3, 3) for _ in range(5)] for _ in range(3)]
    W_Q, W_K = ([[draw.randint(-2, 2) for _ in range(2)] for _ in range(5)] for _ in range(2))
    W_V = [[draw.randint(1, 3) for _ in range(3)] for _ in range(5)]
    arrays = {"X": X, "W_Q": W_Q, "W_K": W_K, "W_V": W_V}
    given = {name: [[str(x) for x in row] for row in rows] for name, rows in arrays.items()}
    problem = from_mapping({"given": given}, name="width", folder=Path("."))
    raw = product(product(X, W_Q), transposed(product(X, W_K)))
    wrong = normalised(each(lambda s: mp.exp(s / mp.sqrt(5)), raw))
    right = normalised(each(lambda s: mp.exp(s / mp.sqrt(2)), raw))
    same = written(wrong) == written(right)
    found = ids(Question.of(problem, "weights"), written(wrong))
    assert ("right" if same else "scaled-by-model-width") in found


@pytest.mark.parametrize("seed", SEEDS)
def test_decimals_that_are_cut_off_show(seed: int) -> None:
    case = Case(seed)
    right = softmax(case, case.scaled())[0][0]
    cut = mp.nstr(right, 30, min_fixed=-99)
    question = Question.of(case.problem(), "weights[1,1]")
    for digits in range(6, 12):
        answer = cut[: digits + 2]
        found = ids(question, answer)
        assert found == {"right"} or "truncated" in found


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("part", ["scores", "scaled", "exponentials", "total", "weights", "output"])
def test_a_right_answer_is_never_called_a_mistake(part: str, seed: int) -> None:
    case = Case(seed)
    scaled = case.scaled()
    exps = case.exponentials(scaled)
    weights = softmax(case, scaled)
    rows = {
        "scores": case.scores,
        "scaled": scaled,
        "exponentials": exps,
        "total": [[mp.fsum(row) for row in exps]],
        "weights": weights,
        "output": product(weights, case.V),
    }[part]
    question = prepared(seed, part)
    for digits in (3, 5, 9):
        assert ids(question, written(rows, digits)) == {"right"}
    assert ids(question, question.truth.text) == {"right"}


def test_two_mistakes_that_cannot_be_told_apart_are_both_named() -> None:
    # With q and k of width 2 the scale is 1/sqrt(2); applied twice it is 1/2, which is 1/d_k.
    found = ids(Question.of(load("ex1"), "weights"), "(0.5065, 0.1863, 0.3072)")
    assert found >= {"divided-by-d_k", "scaled-twice"}


#: False values that the source prints, and the rounding that they come from.
PRINTED = [
    ("ex2", "total", "0.5099", "rounded-exponentials"),
    ("ex2", "weights[1]", "0.2653", "rounded-exponentials"),
    ("ex7", "output[3]", "(0.7518, 0.7518)", "rounded-weights"),
    ("ex8", "total", "21.454", "rounded-exponentials"),
    ("ex8", "weights[1]", "0.9363", "rounded-exponentials"),
]


@pytest.mark.parametrize(("problem", "part", "printed", "mistake"), PRINTED)
def test_printed_values_that_were_rounded_too_early_are_recognised(
    problem: str, part: str, printed: str, mistake: str
) -> None:
    question = Question.of(load(problem), part)
    assert question.grade(printed).verdict == "misrounded"
    assert mistake in ids(question, printed)


def test_weights_that_were_rounded_to_two_digits_are_recognised() -> None:
    given = {"q": ["1", "0"], "K": [["1", "0"], ["0", "1"]], "V": [["2", "0"], ["0", "3"]]}
    problem = from_mapping({"given": given}, name="two keys", folder=Path("."))
    assert "rounded-weights" in ids(Question.of(problem, "output"), "(1.340, 0.990)")


def test_an_exact_form_shows_its_mistake_too() -> None:
    question = Question.of(load("ex1"), "weights[1]")
    assert ids(question, "e/(1 + e + 1/e)") >= {"no-scaling"}
    assert ids(question, "2^(1/sqrt(2))/(1 + 2^(1/sqrt(2)) + 2^(-1/sqrt(2)))") >= {"base-2"}


def test_a_given_true_value_shows_the_mistakes_that_need_no_inputs() -> None:
    from symattn.grading.api import verify

    def names(truth: str, answer: str) -> set[str]:
        return {found.id for found in verify(truth, answer).mistakes}

    assert names("1/3", "-0.333") == {"wrong-sign"}
    assert names("1/3", "33.3") == {"power-of-ten", "percent-for-fraction"}
    assert names("2/3", "0.66") == {"truncated"}
    assert names("[[1, 2], [3, 4]]", "[[1, 3], [2, 4]]") == {"transposed"}
    assert names("(1, 2, 3)", "(3, 1, 2)") == {"permuted-entries"}
    assert names("1/3", "0.000") == set()


def test_every_mistake_has_a_line_and_every_line_is_tested() -> None:
    tested = {*WEIGHTS, *CAUSAL, *OUTPUTS, "wrong-row", "permuted-entries", "transposed"}
    tested |= {"scaled-by-model-width", "truncated", "carried-on", "rounded-every-stage"}
    assert set(known()) == tested
    assert all(known().values())
