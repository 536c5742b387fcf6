"""What proof costs: exact attention, equality and rounding against SymPy, as ratios in one run."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from fractions import Fraction
from functools import partial

import pytest
import sympy as sp

from symattn.attention import attention
from symattn.exact import enclosures, radicals, rounding, terms
from symattn.exact.bridge import to_sympy
from symattn.exact.equality import compare
from symattn.exact.evaluate import evaluate
from symattn.exact.numbers import Exact, rational
from symattn.exact.parse import parse
from symattn.exact.rounding import round_significant

N = D = 64
pytestmark = pytest.mark.benchmark(group="exact")

#: Every cache of the exact core, so that a run can start without what another left behind.
CACHES = [
    enclosures._monomial_ball,
    enclosures._atom_ball,
    rounding._power,
    terms.multiply_monomials,
    radicals.factorise,
]


def clear_caches() -> None:
    for cached in CACHES:
        cached.cache_clear()
    enclosures._shared.clear()
    sp.core.cache.clear_cache()


def cold(work: Callable[[], object]) -> float:
    """The time of one run with empty caches, in seconds of the processor."""
    clear_caches()
    start = time.process_time()
    work()
    return time.process_time() - start


def report(capsys, benchmark, what: str, ours: float, theirs: float) -> float:
    """Print the table row of a comparison and give its ratio."""
    ratio = theirs / ours
    benchmark.extra_info["times faster than SymPy"] = ratio
    with capsys.disabled():
        print(f"\n| {what} | {1e3 * ours:.3g} ms | {1e3 * theirs:.4g} ms | {ratio:.0f} times |")
    return ratio


def integers(seed: int) -> list[list[int]]:
    draw = random.Random(seed)
    return [[draw.randint(-3, 3) for _ in range(D)] for _ in range(N)]


def test_exact_attention_is_a_thousand_times_faster_than_sympy(benchmark, capsys):
    Q, K, V = integers(1), integers(2), integers(3)

    def ours() -> list[list[str]]:
        exact = ([[rational(x) for x in row] for row in A] for A in (Q, K, V))
        return [[round_significant(x, 50).text for x in row] for row in attention(*exact)]

    def one_row_of_theirs() -> list[sp.Float]:
        scaled = sp.Matrix([Q[0]]) * sp.Matrix(K).T / sp.sqrt(D)
        exps = scaled.applyfunc(sp.exp)
        weights = exps / sum(exps)
        return [x.evalf(50) for x in weights * sp.Matrix(V)]

    digits = ours()
    row: list[sp.Float] = []
    theirs = cold(lambda: row.extend(one_row_of_theirs())) * N
    for text, value in zip(digits[0], row, strict=True):
        assert abs(sp.Float(text, 60) - value) <= abs(value) * sp.Float("1e-48")
    took = min(cold(ours) for _ in range(6))
    benchmark.pedantic(ours, rounds=1)
    what = f"exact attention, n = d = {N}, all {N * N} outputs to 50 digits"
    assert report(capsys, benchmark, what, took, theirs) >= 1000


SCORES = ["1", "-2", "0", "3", "-1/2", "2", "5/3", "-3"]


def weights(extra: str = "") -> tuple[str, str]:
    """A softmax weight over 8 keys as defined, and multiplied through."""
    scores = [f"({s})/sqrt(8){extra}" for s in SCORES]
    total = " + ".join(f"exp({s})" for s in scores)
    through = " + ".join(f"exp({s} - {scores[0]})" for s in scores)
    return f"exp({scores[0]})/({total})", f"1/({through})"


def exact(text: str) -> Exact:
    return evaluate(parse(text).tree)


def test_equality_is_a_hundred_times_faster_than_simplify(benchmark, capsys):
    plain, through = weights()
    a, b = sp.sympify(plain), sp.sympify(through)

    def ours() -> str:
        return compare(exact(plain), exact(through)).verdict  # reading the texts included

    assert ours() == "equal"
    assert compare(exact(plain), exact(through) + Fraction(1, 10**60)).verdict == "different"
    theirs = cold(lambda: sp.simplify(a - b))
    took = min(cold(ours) for _ in range(5))
    benchmark.pedantic(ours, rounds=3)
    what = "equality of a weight of 8 keys in two forms, reading included"
    assert report(capsys, benchmark, what, took, theirs) >= 100


def test_rounding_is_fifteen_times_faster_than_evalf(benchmark, capsys):
    draw = random.Random(4)
    texts = []
    for _ in range(50):  # every weight of a softmax over six keys
        scores = [f"({draw.randint(-400, 400)}/{draw.randint(1, 99)})/sqrt(2)" for _ in range(6)]
        total = " + ".join(f"exp({score})" for score in scores)
        texts += [f"exp({score})/({total})" for score in scores]

    def fresh() -> list[Exact]:
        return [exact(text) for text in texts]

    def ours(numbers: list[Exact]) -> list[str]:
        return [round_significant(x, 17).text for x in numbers]

    def in_sympy(numbers: list[sp.Expr]) -> list[sp.Float]:
        return [sp.N(x, 17) for x in numbers]

    pairs = []
    for _ in range(6):  # in turns, so that a busy moment meets both; new numbers for both
        clear_caches()
        numbers, expressions = fresh(), [to_sympy(x) for x in fresh()]
        pairs.append((cold(partial(ours, numbers)), cold(partial(in_sympy, expressions))))
    took, theirs = (min(times) for times in zip(*pairs, strict=True))
    for text, x in zip(ours(numbers), expressions[:50], strict=False):
        assert abs(sp.Float(text, 30) - sp.N(x, 30)) < sp.Float("1e-16") * sp.N(x, 30)
    benchmark.pedantic(ours, setup=lambda: ((fresh(),), {}), rounds=3)
    what = f"rounding to 17 digits, each of {len(texts)} weights once, empty caches"
    per_number = took / len(texts), theirs / len(texts)
    assert report(capsys, benchmark, what, *per_number) >= 15
