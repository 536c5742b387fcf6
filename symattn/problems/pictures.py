"""The figures of a set-up: which it wants, which can be drawn, and their exact values.

A problem file names them (`figures = ["arrows", "blend"]`, an empty list for none); where it does
not, the solution has all of the usual ones that can be drawn. What cannot, such as an arrow in
three dimensions or a bar for an open symbol, is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

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
    Stage,
    TipToTail,
    Vector,
)
from symattn.exact.asymptotics import limit
from symattn.exact.numbers import rational
from symattn.exact.tree import Add, Apply, Div, Node, Root, Symbol
from symattn.problems.captions import (
    closed,
    figure_name,
    figure_title,
    numbered,
    placed_tokens,
    token_names,
    wanted,
)
from symattn.problems.model import Matrix
from symattn.problems.page import Page
from symattn.problems.setups import same_scale
from symattn.problems.solve import Solution, matrix_of

__all__ = ["pictures", "profiles", "reordering"]

#: More arrows, or bars, than this are no picture.
MANY_ARROWS, MANY_BARS = 8, 16
#: From where to where the symbol of a curve runs.
LOW, HIGH = rational(-8), rational(8)


def pictures(page: Page, kind: str, i: int = 0) -> tuple[Figure, ...]:
    """The figure of a kind, for query i, where it is wanted and can be drawn; else none."""
    if not wanted(page, kind):
        return ()
    figure = _KINDS[kind](page, i)
    if figure is None:
        return ()
    page.drawn.add(kind)
    return (figure,)


def _arrows(letter: str, rows: Matrix | None, role: Role, single: bool = False) -> list[Vector]:
    names = [letter] if single else numbered(letter, len(rows or ()))
    pairs = zip(names, rows or (), strict=True)
    return [Vector(Symbol(name), tuple(row), role) for name, row in pairs]


def _drawable(vectors: Sequence[Vector]) -> bool:
    """Whether vectors fit into a plane, are few, and have no open entries."""
    return (
        0 < len(vectors) <= MANY_ARROWS
        and all(1 <= len(v.entries) <= 2 for v in vectors)
        and closed(*(v.entries for v in vectors))
    )


def _tokens(page: Page, _: int) -> Plane | None:
    vectors = placed_tokens(page) if page.solution.X is not None else []
    if not _drawable(vectors):
        return None
    return Plane(
        figure_name(page, "tokens"), figure_title(page, "The tokens as arrows"), tuple(vectors)
    )


def _fan(page: Page, i: int) -> Fan | None:
    s = page.solution
    roles: tuple[tuple[str, Matrix | None, Role], ...] = (
        ("q", s.Q, "query"), ("k", s.K, "key"), ("v", s.V, "value")
    )  # fmt: skip
    images = [_arrows(letter, rows, role)[i] for letter, rows, role in roles if rows is not None]
    if s.X is None or len(images) < len(roles) or not _drawable([placed_tokens(page)[i], *images]):
        return None
    title = figure_title(page, f"Token {i + 1} becomes query, key and value")
    return Fan(figure_name(page, "fan", i), title, placed_tokens(page)[i], tuple(images))


def _angles(page: Page, i: int) -> Plane | None:
    """One query with all keys and their angles; where several queries are alike, all of them."""
    queries = _arrows("q", page.solution.Q, "query", page.single)
    keys = _arrows("k", page.solution.K, "key")
    focus = page.single or page.setup.focus is not None
    vectors = [queries[i], *keys] if focus and queries else [*queries, *keys]
    if not keys or not _drawable(vectors):
        return None
    title = "The query and the keys" if page.single else "Queries and keys"
    title = f"Query {i + 1} and the keys" if focus and not page.single else title
    name = figure_name(page, "arrows", i if focus else None)
    return Plane(name, figure_title(page, title), tuple(vectors), angles=focus)


def _keys(page: Page) -> tuple[Node, ...]:
    return tuple(map(Symbol, numbered("k", page.m)))


def _scores(page: Page, i: int) -> ScoreBars | None:
    raw = page.solution.scores
    if raw is None or page.m > MANY_BARS or not closed(raw[i], page.solution.unmasked[i]):
        return None
    title = figure_title(
        page, "Raw and scaled scores" + ("" if page.single else f" of query {i + 1}")
    )
    assert page.setup.scale is not None
    scaled = tuple(x * page.setup.scale for x in raw[i])  # without what a mask adds
    return ScoreBars(figure_name(page, "scores", i), title, _keys(page), raw[i], scaled)


def _softmax(page: Page, i: int) -> SoftmaxBars | None:
    scaled = tuple(page.passed.scaled[i])
    kept = [x for x in scaled if x is not None]
    if page.m > MANY_BARS or not kept or not closed(kept):
        return None
    title = figure_title(
        page, "Scores in, weights out" + ("" if page.single else f", for query {i + 1}")
    )
    weights = tuple(page.passed.weights[i])
    return SoftmaxBars(figure_name(page, "softmax", i), title, _keys(page), scaled, weights)


def _blend(page: Page, i: int) -> TipToTail | None:
    values = _arrows("v", page.solution.V, "value")
    if page.passed.output is None or not page.attended(i):
        return None
    output = Vector(page.name("z", i), tuple(page.passed.output[i]), "output")
    if not _drawable(values) or not _drawable([output]) or not closed(page.passed.weights[i]):
        return None
    title = "The values, blended" if page.single else f"The values, blended for query {i + 1}"
    weights = tuple(page.passed.weights[i])
    return TipToTail(
        figure_name(page, "blend", i), figure_title(page, title), weights, tuple(values), output
    )


def _outputs(page: Page, _: int) -> Plane | None:
    values = _arrows("v", page.solution.V, "value")
    outputs = _arrows("z", matrix_of(page.passed.output or ()), "output", page.single)
    outputs = [z for i, z in enumerate(outputs) if page.attended(i)]
    if not outputs or not _drawable([*values, *outputs]):
        return None
    whose = "Every output" if len(outputs) == page.n else "The output of every query with a key"
    title = figure_title(page, f"{whose} lies among the values")
    return Plane(figure_name(page, "outputs"), title, (*values, *outputs), hull=True)


def _grid(page: Page, _: int) -> Grid | None:
    if page.single or not closed(*page.passed.weights):
        return None
    rows: tuple[Node, ...] = tuple(page.name("q", i) for i in range(page.n))
    columns = _keys(page)
    if page.setup.tokens and page.solution.X is not None:
        rows = columns = tuple(token.name for token in placed_tokens(page))
    masked = tuple(tuple(x is None for x in row) for row in page.passed.scaled)
    title = figure_title(page, "The grid of weights")
    entries = matrix_of(page.passed.weights)
    return Grid(figure_name(page, "grid"), title, rows, columns, entries, masked)


def _curve(page: Page, i: int) -> Curve | None:
    name = page.setup.limits[0].symbol
    weights = page.passed.weights[i]
    if any(w.symbols() - {name} for w in weights) or page.m > 4:
        return None
    functions = tuple((page.name("alpha", i, j), w) for j, w in enumerate(weights))
    levels = tuple(
        limit(weights[0], name, goal.direction)
        for goal in page.setup.limits if goal.symbol == name
    )  # fmt: skip
    marks = tuple(x for x in page.setup.at.values() if abs(x.enclose(64)) <= 8)
    falls = all(goal.direction < 0 for goal in page.setup.limits if goal.symbol == name)
    title = figure_title(page, f"The weights as {name} {'falls' if falls else 'grows'}")
    return Curve(figure_name(page, "curve", i), title, name, functions, LOW, HIGH, marks, levels)


def _pipeline(page: Page, _: int) -> Pipeline | None:
    s, name = page.solution, Symbol
    weights, output = matrix_of(page.passed.weights), page.passed.output
    if s.Q is None or s.K is None or s.V is None or s.scores is None or output is None:
        return None
    if max(page.n, page.m) > MANY_ARROWS or not closed(*s.scores, *output):
        return None
    product = Apply("matmul", (name("Q"), Apply("transpose", (name("K"),))))
    inputs = [Stage(name("X"), s.X, "inputs")] if s.X is not None else []
    inputs += [Stage(name("Q"), s.Q, "queries"), Stage(name("K"), s.K, "keys")]
    middle = (
        Stage(name("S"), s.scores, "scores", product),
        _scaled_stage(page),
        Stage(name("A"), weights, "weights, by a softmax of each row"),
    )
    outputs = Stage(
        name("Z"), matrix_of(output), "outputs", Apply("matmul", (name("A"), name("V")))
    )
    title = figure_title(page, "The whole formula in one picture")
    values = Stage(name("V"), s.V, "values")
    return Pipeline(figure_name(page, "pipeline"), title, tuple(inputs), middle, values, outputs)


def _scaled_stage(page: Page) -> Stage:
    """The scaled scores as they go into the softmax: with what a mask adds, or takes away."""
    scores = Symbol("S")
    scaled: Node = Div(scores, Root(Symbol("d_k"), 2))
    if not same_scale(page.setup):
        scaled = page.scaled_symbolic(scores)
    words = "scaled scores"
    if page.setup.bias is not None:
        scaled, words = Add((scaled, Symbol("mask"))), "scaled scores, with the mask"
    rows = tuple(tuple(row) for row in page.passed.scaled)
    if any(x is None for row in rows for x in row):
        words += "; hatched: masked"
    return Stage(Symbol("S_scaled"), rows, words, scaled)


_KINDS: Mapping[str, Callable[[Page, int], Figure | None]] = {
    "tokens": _tokens,
    "fan": _fan,
    "arrows": _angles,
    "scores": _scores,
    "softmax": _softmax,
    "blend": _blend,
    "outputs": _outputs,
    "grid": _grid,
    "curve": _curve,
    "pipeline": _pipeline,
}


def profiles(pages: Iterable[Page], title: str) -> tuple[Figure, ...]:
    """The weights of several set-ups side by side, of those that want it and have one query."""
    found = []
    for page in pages:
        weights = page.passed.weights[0]
        drawable = page.single and page.m <= MANY_BARS and closed(weights)
        if not (wanted(page, "profiles") and drawable):
            continue
        page.drawn.add("profiles")
        labels = tuple(page.name("alpha", 0, j) for j in range(page.m))
        words = page.setup.title or page.setup.name or "as given"
        found.append(Profile(words, labels, tuple(weights)))
    return (Profiles("profiles", title, tuple(found)),) if found else ()


def reordering(page: Page, before: Solution, follows: bool) -> tuple[Figure, ...]:
    """The grid of weights before and after the tokens are reordered."""
    order, old = page.setup.permutation, matrix_of(before.forward.weights)
    new = matrix_of(page.passed.weights)
    if order is None or not wanted(page, "permutation") or page.n > MANY_ARROWS:
        return ()
    if not closed(*old, *new):
        return ()
    page.drawn.add("permutation")
    title = figure_title(page, "Weights before and after the reordering")
    name = figure_name(page, "permutation")
    return (Reordering(name, title, order, token_names(page), old, new, follows),)
