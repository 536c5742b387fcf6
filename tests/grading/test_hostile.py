"""Hostile answers get a verdict at once and run nothing; random ones raise nothing."""

from __future__ import annotations

import contextlib
import os
import random
import time

import pytest

from symattn.errors import ParseError
from symattn.exact.parse import parse
from symattn.grading.api import verify
from symattn.grading.verdict import ORDER

WEIGHT = "exp(1/sqrt(2))/(1 + exp(1/sqrt(2)) + exp(-1/sqrt(2)))"

HOSTILE = {
    "code": "__import__('os').system('touch owned')",
    "dunder": "().__class__.__bases__[0].__subclasses__()",
    "lambda": "(lambda: 1)()",
    "sympy code": "Integral(exp(x**x), (x, 0, 1))",
    "f-string": "{0.__class__}",
    "tower": "9^9^9^9^9",
    "LaTeX tower": "$9^{9^{9^{9}}}$",
    "tower of e": "e^e^e^e^e^e",
    "negative tower": "2^-2^99999",
    "factorial": "99999!",
    "factorial by name": "factorial(factorial(99))",
    "brackets": "(" * 100_000,
    "closed brackets": "(" * 50_000 + "1" + ")" * 50_000,
    "LaTeX groups": "{" * 100_000,
    "signs": "-" * 100_000 + "1",
    "digits": "9" * 1_000_000,
    "decimals": "0." + "3" * 1_000_000,
    "exponent": "1e999999999",
    "negative exponent": "1e-999999999",
    "root index": "root(2, 999999999)",
    "deep fractions": r"\frac{1}{" * 5_000 + "2" + "}" * 5_000,
    "deep roots": r"\sqrt{" * 5_000 + "2" + "}" * 5_000,
    "continued fraction": "1/(1+" * 3_000 + "1" + ")" * 3_000,
    "wide power": "(1+sqrt(2)+sqrt(3)+sqrt(5)+e)^500",
    "power of a power": "((((2^99)^99)^99)^99)^99",
    "Cyrillic": "0.5 + а",
    "confusable e": "ехр(1)",
    "fullwidth digits": "\uff10.\uff15",
    "zero-width space": "0.\u200b5",
    "right-to-left": "\u202e5.0",
    "control": "0.5\x07",
    "null": "0\x00.5",
    "surrogate": "0.5\udc80",
    "binary": bytes(range(256)).decode("latin-1"),
    "empty": "",
    "blank": " \n\t ",
    "ellipsis": "0.333...",
    "interval": "0.5 ± 0.1",
    "hedge": "0.25 or 0.5",
    "nan": "nan",
    "infinity": "inf",
    "percent of nothing": "%",
    "comment": "0.5 # really",
    "commas": "," * 1000,
    "backslashes": "\\" * 1000,
    "input": r"\input{/etc/passwd}",
    "write": r"\immediate\write18{id}",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_answer_is_malformed_at_once(name: str) -> None:
    verify(WEIGHT, "0.576")  # the truth is prepared before
    seconds = min(timed(HOSTILE[name]) for _ in range(5))
    found = verify(WEIGHT, HOSTILE[name])
    assert found.verdict == "malformed"
    assert found.message
    assert seconds < 0.05


def timed(answer: str) -> float:
    start = time.process_time()
    verify(WEIGHT, answer)
    return time.process_time() - start


def test_a_hostile_answer_runs_nothing(tmp_path: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # type: ignore[arg-type]
    for answer in HOSTILE.values():
        verify(WEIGHT, answer)
    assert os.listdir(".") == []


PIECES = [
    *"0123456789+-*/^(){}[],.;%=_ \\$&e",
    *("exp", "sqrt", "log", "tanh", "cosh", "pi", "e^", "10^", "0.57", "1/2", "(1", "1)", "{1"),
    *(r"\frac", r"\sqrt", r"\left(", r"\right)", r"\cdot", r"\\", "\n"),
    *(r"\begin{pmatrix}", r"\end{pmatrix}"),
    *"−√½×≈²",
    *("1}", "e-", "99", "x", "⁻¹"),
]


def random_answer(random: random.Random) -> str:
    """Anything from a few bytes of noise to something that is nearly an answer."""
    kind = random.random()
    if kind < 0.1:
        return "".join(chr(random.randrange(0x110000)) for _ in range(random.randrange(30)))
    if kind < 0.2:
        return bytes(random.randrange(256) for _ in range(random.randrange(40))).decode("latin-1")
    if kind < 0.5:  # a good answer with a few pieces changed
        pieces = list(random.choice((WEIGHT, r"\frac{1}{1+e^{-1/\sqrt{2}}}", "(0.5760, 0.1400)")))
        for _ in range(random.randrange(1, 4)):
            pieces[random.randrange(len(pieces))] = random.choice(PIECES)
        return "".join(pieces)
    return "".join(random.choice(PIECES) for _ in range(random.randrange(1, 25)))


def test_random_answers_raise_nothing_and_take_no_time() -> None:
    """`SYMATTN_FUZZ=1000000` does it a million times."""
    count = int(os.environ.get("SYMATTN_FUZZ", "10000"))
    source = random.Random(20240229)
    slow: list[str] = []
    for _ in range(count):
        answer = random_answer(source)
        with contextlib.suppress(ParseError):
            parse(answer)
        if timed_verdict(answer) > 0.2 and timed_verdict(answer) > 0.2:
            slow.append(answer)
    assert not slow


def timed_verdict(answer: str) -> float:
    start = time.process_time()
    assert verify(WEIGHT, answer).verdict in ORDER
    return time.process_time() - start
