"""Random figures: any angle, coinciding, opposed and zero vectors, tiny and huge numbers."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from symattn.derivation.blocks import Options
from symattn.derivation.figures import (
    Fan,
    Figure,
    Grid,
    Plane,
    Profile,
    Profiles,
    Reordering,
    Role,
    ScoreBars,
    SoftmaxBars,
    TipToTail,
    Vector,
)
from symattn.exact.functions import root
from symattn.exact.numbers import Exact, rational
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


figures: SearchStrategy[Figure] = st.one_of(
    planes(), planes(), fans(), blends(), charts(), profiles(), grids()
)
