"""Random figures: any angle, coinciding, opposed and zero vectors, tiny and huge numbers."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from symattn.derivation.blocks import Options
from symattn.derivation.figures import (
    Curve,
    Fan,
    Figure,
    Grid,
    Pipeline,
    Plane,
    Profile,
    Profiles,
    Reordering,
    Role,
    ScoreBars,
    SoftmaxBars,
    Spread,
    Stage,
    TipToTail,
    Vector,
)
from symattn.exact.functions import root
from symattn.exact.numbers import Exact, rational, symbol
from symattn.exact.tree import Symbol
from tests.figures.samples import Row, blend, names, softmax

ROLES: tuple[Role, ...] = ("token", "query", "key", "value", "output")

small = st.integers(-4, 4).map(rational)
fractions = st.fractions(-9, 9, max_denominator=999_983).map(rational)
roots = st.integers(1, 50).map(lambda n: root(rational(n), 2))
extreme = st.sampled_from(
    [rational(Fraction(10) ** k * sign) for k in (-400, -12, -3, 6, 12, 400) for sign in (1, -1)]
)
numbers: SearchStrategy[Exact] = st.one_of(small, small, fractions, roots, extreme)
scores = st.one_of(small, fractions, st.integers(-60, 60).map(rational), roots)
options = st.builds(Options, digits=st.integers(1, 10))


@st.composite
def vectors(draw: DrawFn, size: int, role: Role, most: int = 9) -> tuple[Vector, ...]:
    """Named vectors, some of which repeat or oppose an earlier one."""
    count = draw(st.integers(1, most))
    found: list[Row] = []
    for _ in range(count):
        kind = draw(st.sampled_from(["new", "new", "new", "same", "opposed", "zero"]))
        if kind == "zero":
            found.append((rational(0),) * size)
        elif kind == "new" or not found:
            found.append(tuple(draw(numbers) for _ in range(size)))
        else:
            old = draw(st.sampled_from(found))
            found.append(old if kind == "same" else tuple(-x for x in old))
    letter = {"query": "q", "key": "k", "value": "v", "output": "z", "token": "t"}[role]
    return tuple(Vector(Symbol(f"{letter}_{i}"), row, role) for i, row in enumerate(found, 1))


@st.composite
def planes(draw: DrawFn) -> Plane:
    size = draw(st.sampled_from([2, 2, 2, 2, 1, 3]))
    query = draw(vectors(size, "query", most=1))
    keys = draw(vectors(size, "key"))
    hull = draw(st.booleans())
    if hull:
        values, outputs = draw(vectors(size, "value")), draw(vectors(size, "output", most=3))
        return Plane("plane", "Values", values + outputs, hull=True)
    return Plane("plane", "Arrows", query + keys, angles=draw(st.booleans()))


@st.composite
def fans(draw: DrawFn) -> Fan:
    token, *images = (draw(vectors(2, role, most=1))[0] for role in ROLES[:4])
    return Fan("fan", "Fan", token, tuple(images))


def weights(count: int) -> SearchStrategy[Row]:
    return st.lists(scores, min_size=count, max_size=count).map(softmax)


@st.composite
def blends(draw: DrawFn) -> TipToTail:
    size = draw(st.sampled_from([2, 2, 2, 1, 3]))
    values = draw(vectors(size, "value"))
    shares = draw(weights(len(values)))
    output = Vector(Symbol("z_1"), blend(shares, [v.entries for v in values]), "output")
    return TipToTail("blend", "Blend", shares, values, output)


@st.composite
def charts(draw: DrawFn) -> Figure:
    count = draw(st.integers(1, 18))
    keys = names(draw(st.sampled_from(["k", "alpha_1", "evidence"])), count)
    numbers_ = st.lists(numbers, min_size=count, max_size=count).map(tuple)
    if draw(st.booleans()):
        return ScoreBars("scores", "Scores", keys, draw(numbers_), draw(numbers_))
    hidden = draw(st.lists(st.booleans(), min_size=count, max_size=count))
    row = [None if gone else draw(scores) for gone in hidden]
    if all(hidden):
        row[0] = rational(1)
    return SoftmaxBars("softmax", "Softmax", keys, tuple(row), softmax(row))


@st.composite
def profiles(draw: DrawFn) -> Profiles:
    found = []
    for _ in range(draw(st.integers(1, 4))):
        count = draw(st.integers(1, 7))
        title = draw(st.text("abc xyz", min_size=1, max_size=60))
        found.append(Profile(title, names("alpha", count), draw(weights(count))))
    return Profiles("profiles", "Profiles", tuple(found))


@st.composite
def grids(draw: DrawFn) -> Figure:
    n, m = draw(st.integers(1, 14)), draw(st.integers(1, 14))
    entries = tuple(draw(weights(m)) for _ in range(n))
    if draw(st.booleans()):
        order = tuple(draw(st.permutations(range(1, n + 1))))
        return Reordering("order", "Order", order, names("t", n), entries, entries)
    masked = tuple(tuple(j > i for j in range(m)) for i in range(n)) if draw(st.booleans()) else ()
    return Grid("grid", "Grid", names("q", n), names("k", m), entries, masked)


@st.composite
def curves(draw: DrawFn) -> Curve:
    """Weights of scores that are linear in M, one of which may be there twice."""
    slopes = draw(st.lists(st.integers(-3, 3), min_size=1, max_size=6))
    scores_ = tuple(symbol("M") * slope + draw(small) for slope in slopes)
    low, wide = draw(fractions), draw(st.fractions(Fraction(1, 100), 30, max_denominator=100))
    high = low + wide
    marks = tuple(low + wide * draw(st.integers(0, 4)) / 4 for _ in range(draw(st.integers(0, 3))))
    functions = tuple(zip(names("alpha", len(slopes)), softmax(scores_), strict=True))
    levels = tuple(map(rational, draw(st.lists(st.integers(0, 1), max_size=2))))
    return Curve("curve", "Curve", "M", functions, low, high, marks, levels)


@st.composite
def spreads(draw: DrawFn) -> Spread:
    sizes = sorted(draw(st.sets(st.integers(1, 4096), min_size=1, max_size=7)))
    raw = tuple(root(rational(d), 2) for d in sizes)
    ones = (rational(1),) * len(sizes)
    return Spread("spread", "Spread", tuple(sizes), raw, ones, tuple(1 / r for r in raw))


@st.composite
def pipelines(draw: DrawFn) -> Pipeline:
    n, m, k, v = (draw(st.integers(1, 5)) for _ in range(4))

    def stage(name: str, rows: int, columns: int, words: str = "words") -> Stage:
        entries = tuple(tuple(draw(numbers) for _ in range(columns)) for _ in range(rows))
        operation = Symbol(draw(st.sampled_from(["S", "a_long_word", "d_k"])))
        return Stage(Symbol(name), entries, words, operation)

    inputs = (stage("X", n, k), stage("Q", n, k), stage("K", m, k))
    middle = (stage("S", n, m, "scores"), stage("A", n, m, "weights, by a softmax of each row"))
    return Pipeline("pipe", "Pipe", inputs, middle, stage("V", m, v), stage("Z", n, v))


figures: SearchStrategy[Figure] = st.one_of(
    planes(),
    planes(),
    fans(),
    blends(),
    charts(),
    profiles(),
    grids(),
    curves(),
    spreads(),
    pipelines(),
)
