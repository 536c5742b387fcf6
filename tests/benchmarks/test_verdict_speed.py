"""Verdicts against math-verify, as answers per second on one core in one run, and their mistakes.

Both read the same strings and have read the true value before. `SYMATTN_BENCHMARK=full` gives
math-verify all 1,000 answers, else it gets every tenth; `-s` prints the table.
"""

from __future__ import annotations

import csv
import os
import random
import subprocess
import sys
import time
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import mpmath
import pytest

from symattn.grading.judge import judge
from symattn.grading.truth import Truth
from symattn.grading.verdict import RIGHT

FULL = os.environ.get("SYMATTN_BENCHMARK") == "full"
COUNT = 1000
pytestmark = pytest.mark.benchmark(group="verdicts")


@dataclass(frozen=True)
class Case:
    """An answer, what it is held against, and whether it is right."""

    kind: str
    truth: str
    answer: str
    right: bool


def weight(draw: random.Random) -> tuple[str, list[str], int]:
    """The LaTeX of a random softmax weight, its scores, and its place."""
    radicand = draw.choice((2, 3, 5, 7))
    scores = [f"{draw.randint(1, 9)}/\\sqrt{{{radicand}}}" for _ in range(draw.randint(2, 4))]
    total = "+".join(f"e^{{{s}}}" for s in scores)
    return rf"\frac{{e^{{{scores[0]}}}}}{{{total}}}", scores, radicand


def value(scores: list[str]) -> mpmath.mpf:
    def one(score: str) -> mpmath.mpf:
        p, root = score.split("/")
        return mpmath.exp(int(p) / mpmath.sqrt(int(root[6:-1])))

    return one(scores[0]) / mpmath.fsum(map(one, scores))


def decimal(draw: random.Random) -> Case:
    """A decimal of 2 to 12 digits, right or with another last digit."""
    truth, scores, _ = weight(draw)
    places, off = draw.randint(2, 12), draw.choice((0, 0, 1, -1, 3, 40))
    x = value(scores)
    units = int(mpmath.nint(x * mpmath.mpf(10) ** places)) + off
    text = str(abs(units)).zfill(places + 1)
    answer = f"{'-' * (units < 0)}{text[:-places]}.{text[-places:]}"
    right = abs(x * mpmath.mpf(10) ** places - units) <= 0.5
    return Case("decimal", f"${truth}$", f"${answer}$", right)


def fraction(draw: random.Random) -> Case:
    """A fraction against the value itself or against a number that it only comes near."""
    truth, scores, _ = weight(draw)
    if draw.random() < 0.5:
        ratio = Fraction(draw.randint(1, 400), draw.randint(401, 999))
        times = draw.randint(2, 50)
        shown = rf"$\frac{{{ratio.numerator * times}}}{{{ratio.denominator * times}}}$"
        return Case("fraction", f"${ratio.numerator}/{ratio.denominator}$", shown, True)
    near = Fraction(mpmath.nstr(value(scores), 30)).limit_denominator(10 ** draw.randint(2, 12))
    same = abs(mpmath.mpf(near.numerator) / near.denominator - value(scores)) < 1e-14
    shown = rf"$\frac{{{near.numerator}}}{{{near.denominator}}}$"
    return Case("fraction", f"${truth}$", shown, same and near.denominator < 10)


def shifted(draw: random.Random, scores: list[str]) -> list[str]:
    """The exponents of the same weight with a number added to every score."""
    shift = draw.randint(1, 9)
    return [f"{score}-{shift}" for score in scores]


def exact(draw: random.Random, kind: str) -> Case:
    """A weight in another form, inline or as a fraction, and now and then another number."""
    truth, scores, _ = weight(draw)
    change = draw.choice(("shift", "divide", "shift", "divide", "drop", "tiny", "sign"))
    moved = shifted(draw, scores)
    if change == "divide":
        others = [f"e^{{{s}-{scores[0]}}}" for s in scores[1:]]
        above, below = "1", "+".join(["1", *others])
    else:
        above, below = f"e^{{{moved[0]}}}", "+".join(f"e^{{{s}}}" for s in moved)
    if change == "drop":
        below += "+e^{-30}"
    if change == "tiny":
        above += "+10^{-20}"
    form = f"({above})/({below})" if kind == "inline" else rf"\frac{{{above}}}{{{below}}}"
    if change == "sign":
        form = f"-{form}"
    return Case(kind, f"${truth}$", f"${form}$", change in ("shift", "divide"))


@pytest.fixture(scope="module")
def cases() -> list[Case]:
    """1,000 distinct answers, a quarter of each kind."""
    draw = random.Random(7)
    kinds = (
        decimal,
        fraction,
        lambda source: exact(source, "inline"),
        lambda source: exact(source, "LaTeX"),
    )
    found: dict[str, Case] = {}
    while len(found) < COUNT:
        case = kinds[len(found) % 4](draw)
        found.setdefault(case.answer, case)
    return list(found.values())


@dataclass
class Measured:
    """What a checker did: answers a second, false accepts and false rejects."""

    seconds: float
    answers: int
    accepts: int
    rejects: int

    @property
    def rate(self) -> float:
        return self.answers / self.seconds


def measure(cases: list[Case], accept: object) -> Measured:
    accepts = rejects = 0
    start = time.process_time()
    for case in cases:
        accepted = accept(case)  # type: ignore[operator]
        accepts += accepted and not case.right
        rejects += case.right and not accepted
    return Measured(time.process_time() - start, len(cases), accepts, rejects)


def test_verdicts_are_many_times_faster_than_math_verify_and_accept_nothing_false(
    cases: list[Case],
) -> None:
    math_verify = pytest.importorskip("math_verify")
    for case in cases:
        Truth.read(case.truth).expected()
    ours = measure(cases, lambda case: judge(Truth.read(case.truth), case.answer).verdict in RIGHT)
    some = cases if FULL else cases[::9]
    golds = {case.truth: math_verify.parse(case.truth) for case in some}
    theirs = measure(
        some, lambda case: math_verify.verify(golds[case.truth], math_verify.parse(case.answer))
    )
    print(f"\n| checker | answers | answers/s | false accepts | false rejects |\n|{'---|' * 5}")
    for name, found in (("symattn", ours), ("math-verify", theirs)):
        row = (name, found.answers, f"{found.rate:.0f}", found.accepts, found.rejects)
        print("| " + " | ".join(map(str, row)) + " |")
    print(f"ratio {ours.rate / theirs.rate:.0f}")
    assert (ours.accepts, ours.rejects) == (0, 0)
    assert theirs.accepts > 0
    assert ours.rate >= 200 * theirs.rate


def test_every_kind_of_answer_takes_a_fraction_of_a_millisecond(cases: list[Case]) -> None:
    kinds = sorted({case.kind for case in cases})
    for kind in kinds:
        own = [case for case in cases if case.kind == kind]
        for case in own:
            judge(Truth.read(case.truth), case.answer)
        found = min(
            measure(own, lambda c: judge(Truth.read(c.truth), c.answer).verdict in RIGHT).seconds
            for _ in range(3)
        )
        print(f"{kind}: {found / len(own) * 1e3:.3f} ms")
        assert found / len(own) < 2e-3  # the machine may be slow and busy; see the ratios


def test_two_processes_are_faster_than_one(tmp_path: Path, cases: list[Case]) -> None:
    """100,000 rows with `SYMATTN_BENCHMARK=full`, else as many as show it."""
    if len(os.sched_getaffinity(0)) < 2:
        pytest.skip("there is one core only")
    if os.getloadavg()[0] > len(os.sched_getaffinity(0)) / 2:
        pytest.skip("the machine is busy, so that a second process finds no core")
    rows = 100_000 if FULL else 12_000
    path = tmp_path / "answers.csv"
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["id", "truth", "answer"])
        for i in range(rows):
            case = cases[i % len(cases)]
            writer.writerow([i, case.truth, case.answer])

    def seconds(jobs: int) -> float:
        out = tmp_path / f"{jobs}.csv"
        command = [sys.executable, "-m", "symattn", "verify", "--answers", str(path)]
        start = time.perf_counter()
        subprocess.run([*command, "-o", str(out), "-j", str(jobs)], check=True, capture_output=True)
        return time.perf_counter() - start

    ratio = max(seconds(1) / seconds(2) for _ in range(1 if FULL else 2))
    print(f"{rows} rows: 2 processes {ratio:.2f} times as fast as 1")
    assert (tmp_path / "1.csv").read_bytes() == (tmp_path / "2.csv").read_bytes()
    assert ratio >= (1.7 if FULL else 1.3)
