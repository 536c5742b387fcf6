"""Figures of every kind, with ordinary and with odd numbers."""

from __future__ import annotations

from collections.abc import Sequence

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
from symattn.exact.evaluate import evaluate
from symattn.exact.functions import exp, root
from symattn.exact.numbers import Exact, dot, rational
from symattn.exact.parse import parse
from symattn.exact.tree import Apply, Div, Node, Root, Symbol

Row = tuple[Exact, ...]


def value(text: str | int) -> Exact:
    return evaluate(parse(str(text), symbols=None).tree)


def row(*texts: str | int) -> Row:
    return tuple(map(value, texts))


def vector(name: str, role: Role, *entries: str | int) -> Vector:
    return Vector(Symbol(name), row(*entries), role)


def names(letter: str, count: int) -> tuple[Node, ...]:
    return tuple(Symbol(f"{letter}_{j}") for j in range(1, count + 1))


def softmax(scores: Sequence[Exact | None]) -> Row:
    powers = [rational(0) if s is None else exp(s) for s in scores]
    total = sum(powers, start=rational(0))
    return tuple(p / total for p in powers)


def blend(weights: Row, values: Sequence[Row]) -> Row:
    return tuple(dot(weights, [v[d] for v in values]) for d in range(len(values[0])))


def arrows(name: str = "arrows", *, angles: bool = True) -> Plane:
    return Plane(
        name,
        "The query and the keys",
        (
            vector("q", "query", 1, 0),
            vector("k_1", "key", 1, 0),
            vector("k_2", "key", -1, 0),
            vector("k_3", "key", 0, 1),
        ),
        angles=angles,
    )


def tip_to_tail(name: str, weights: Row, values: Sequence[Row], output: str = "z") -> TipToTail:
    vectors = tuple(Vector(Symbol(f"v_{j}"), v, "value") for j, v in enumerate(values, start=1))
    result = Vector(Symbol(output), blend(weights, values), "output")
    return TipToTail(name, "The values, blended", weights, vectors, result)


def softmax_bars(name: str, scores: Sequence[Exact | None]) -> SoftmaxBars:
    keys = names("k", len(scores))
    return SoftmaxBars(name, "Scores in, weights out", keys, tuple(scores), softmax(scores))


def score_bars(name: str, raw: Row, d: int) -> ScoreBars:
    scaled = tuple(s / root(rational(d), 2) for s in raw)
    return ScoreBars(name, "Raw and scaled scores", names("k", len(raw)), raw, scaled)


def grid(name: str, scores: Sequence[Sequence[Exact | None]]) -> Grid:
    masked = tuple(tuple(s is None for s in line) for line in scores)
    n, m = len(scores), len(scores[0])
    entries = tuple(map(softmax, scores))
    return Grid(name, "The grid of weights", names("q", n), names("k", m), entries, masked)


def spiral(n: int) -> list[list[Exact | None]]:
    """Scores without any order, for large grids."""
    return [
        [rational((7 * i * i + 3 * i * j + 11 * j) % 13 - 6) for j in range(n)] for i in range(n)
    ]


def causal(n: int) -> list[list[Exact | None]]:
    return [[rational((3 * i + j) % 4) if j <= i else None for j in range(n)] for i in range(n)]


def pipeline(name: str = "pipeline") -> Pipeline:
    rows = (row(1, 0), row(0, 1), row(1, 1))
    scores = tuple(tuple(dot(q, k) for k in rows) for q in rows)
    scaled = tuple(tuple(s / root(rational(2), 2) for s in line) for line in scores)
    weights = tuple(map(softmax, scaled))
    product = Apply("matmul", (Symbol("Q"), Apply("transpose", (Symbol("K"),))))
    return Pipeline(
        name,
        "The whole formula in one picture",
        tuple(
            Stage(Symbol(n), rows, w) for n, w in (("X", "inputs"), ("Q", "queries"), ("K", "keys"))
        ),
        (
            Stage(Symbol("S"), scores, "scores", product),
            Stage(
                Symbol("S_scaled"),
                scaled,
                "scaled scores",
                Div(Symbol("S"), Root(Symbol("d_k"), 2)),
            ),
            Stage(Symbol("A"), weights, "weights, by a softmax of each row"),
        ),
        Stage(Symbol("V"), rows, "values"),
        Stage(
            Symbol("Z"),
            tuple(blend(w, rows) for w in weights),
            "outputs",
            Apply("matmul", (Symbol("A"), Symbol("V"))),
        ),
    )


def profiles(name: str = "profiles") -> Profiles:
    alphas = names("alpha", 3)
    return Profiles(
        name,
        "Three profiles",
        (
            Profile("all scores equal", alphas, row("1/3", "1/3", "1/3")),
            Profile("one score dominates", alphas, softmax(row(10, 0, 0))),
            Profile("one token alone", alphas[:1], row(1)),
        ),
    )


def curve(name: str = "curve") -> Curve:
    functions = (
        (Symbol("alpha_1"), value("e^M/(e^M + 1)")),
        (Symbol("alpha_2"), value("1/(e^M + 1)")),
    )
    limits = row(1, 0)
    return Curve(
        name, "The weights as M grows", "M", functions, value(-8), value(8), row(0, 5), limits
    )


def spread(name: str = "spread") -> Spread:
    sizes = (1, 4, 16, 32, 64)
    raw = tuple(root(rational(d), 2) for d in sizes)
    ones = (rational(1),) * len(sizes)
    return Spread(name, "The spread of q·k", sizes, raw, ones, tuple(1 / r for r in raw))


def reordering(name: str = "reordering", n: int = 3) -> Reordering:
    before = tuple(map(softmax, spiral(n)))
    order = (n, *range(1, n))
    after = tuple(tuple(before[i - 1][j - 1] for j in order) for i in order)
    return Reordering(name, "Before and after", order, names("t", n), before, after)


def ordinary() -> list[Figure]:
    return [
        Plane(
            "tokens",
            "The tokens as arrows",
            (
                vector("t_1", "token", 1, 0),
                vector("t_2", "token", 0, 1),
                vector("t_3", "token", 1, 1),
            ),
        ),
        Fan(
            "fan",
            "Token 2 becomes query, key and value",
            vector("t_2", "token", 1, 2),
            (
                vector("q_2", "query", 2, 1),
                vector("k_2", "key", -1, 1),
                vector("v_2", "value", 3, "1/2"),
            ),
        ),
        arrows(),
        score_bars("scores", row(1, -1, 0), 2),
        softmax_bars("softmax", row("1/sqrt(2)", "-1/sqrt(2)", 0)),
        tip_to_tail(
            "blend",
            softmax(row("1/sqrt(2)", "-1/sqrt(2)", 0)),
            (row(3, 0), row(0, 3), row(0, 0)),
        ),
        Plane(
            "hull",
            "Every output lies among the values",
            (
                vector("v_1", "value", 3, 0),
                vector("v_2", "value", 0, 3),
                vector("v_3", "value", -1, -1),
                vector("z_1", "output", 1, 1),
                vector("z_2", "output", "1/2", "1/4"),
            ),
            hull=True,
        ),
        grid("grid", spiral(3)),
        profiles(),
        curve(),
        spread(),
        reordering(),
        pipeline(),
    ]


def odd() -> list[Figure]:
    crowd = [vector("q", "query", 1, 1)]
    crowd += [
        vector(f"k_{j}", "key", x, y)
        for j, (x, y) in enumerate([(3, 1), (3, 1), (1, 3), (-1, -1), (0, 0), (2, 2), (3, -1)], 1)
    ]
    return [
        Plane("crowd", "Eight arrows", tuple(crowd), angles=True),
        Plane("zero", "A zero query", (vector("q", "query", 0, 0), *crowd[1:5]), angles=True),
        Plane("line", "One entry", tuple(vector(f"v_{j}", "value", j - 3) for j in range(1, 6))),
        Plane(
            "sizes",
            "Huge and tiny",
            (
                vector("a", "token", "10^12", 1),
                vector("b", "token", "1/10^9", "1/10^9"),
                vector("c", "token", "-10^12", "10^12"),
            ),
        ),
        Plane(
            "deep",
            "Four entries",
            (vector("t_1", "token", 1, 2, "1/3", -4), vector("t_2", "token", 0, 0, 1, 0)),
        ),
        score_bars("scores-8", row(*range(-3, 5)), 3),
        score_bars("scores-saturated", row(10, 0), 100),
        softmax_bars("softmax-one", row(2)),
        softmax_bars("softmax-masked", (value(1), None, value(-2), value(0))),
        softmax_bars("softmax-16", row(*((3 * j) % 7 - 3 for j in range(16)))),
        softmax_bars("softmax-12-equal", row(*[4] * 12)),
        softmax_bars("softmax-saturated", row(10, 0)),
        softmax_bars("softmax-negative", row(-2, -5, -1)),
        tip_to_tail("blend-two", softmax(row("1/sqrt(2)", 0)), (row(2, 0), row(0, 3)), "z_1"),
        tip_to_tail("blend-line", row("1/2", "1/4", "1/4"), (row(1), row(0), row(-2))),
        tip_to_tail("blend-deep", row("1/2", "1/2"), (row(1, 2, 3), row(-1, 0, 1))),
        tip_to_tail(
            "blend-eight",
            softmax(row(*((3 * j) % 5 - 2 for j in range(8)))),
            tuple(row((5 * j) % 7 - 3, (3 * j) % 8 - 3) for j in range(8)),
            "z_1",
        ),
        grid("grid-masked", causal(4)),
        grid("grid-12", spiral(12)),
        grid("grid-16", causal(16)),
        grid("grid-64", spiral(64)),
        reordering("reordering-6", 6),
    ]
