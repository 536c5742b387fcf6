"""The figures of a set-up: which it wants, which can be drawn, and their exact values.

A problem file names them (`figures = ["arrows", "blend"]`, an empty list for none); where it does
not, the solution has all of `USUAL` that can be drawn. What cannot, such as an arrow in three
dimensions or a bar for an open symbol, is left out.
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
from symattn.exact.numbers import Exact, rational
from symattn.exact.tree import Apply, Div, Node, Root, Symbol
from symattn.problems.model import FIGURES, Matrix
from symattn.problems.page import Page
from symattn.problems.solve import Solution

__all__ = ["pictures", "profiles", "reordering"]

#: The kinds that a solution has where its problem names none.
USUAL = tuple(kind for kind in FIGURES if kind not in ("pipeline", "profiles"))
#: More arrows, or bars, than this are no picture.
MANY_ARROWS, MANY_BARS = 8, 16
#: From where to where the symbol of a curve runs.
LOW, HIGH = rational(-8), rational(8)


def wanted(page: Page, kind: str) -> bool:
    """Whether the set-up has figures of a kind."""
    return kind in (USUAL if page.setup.figures is None else page.setup.figures)


def pictures(page: Page, kind: str, i: int = 0) -> tuple[Figure, ...]:
    """The figure of a kind, for query i, where it is wanted and can be drawn; else none."""
    if not wanted(page, kind):
        return ()
    figure = _KINDS[kind](page, i)
    return () if figure is None else (figure,)


def _name(page: Page, kind: str, i: int | None = None) -> str:
    """The name of a figure: with its case in front, with its query behind where it is about one."""
    case = "".join(c if c.isascii() and c.isalnum() else "-" for c in page.setup.name).strip("-")
    parts = [case, kind, "" if page.single or i is None else str(i + 1)]
    return "-".join(part for part in parts if part)


def _title(page: Page, title: str) -> str:
    about = page.setup.title or page.setup.name
    return f"{title} ({about})" if about else title


def _closed(*rows: Iterable[Exact]) -> bool:
    """Whether numbers are given and no symbol is open in them."""
    return not any(x.symbols() for row in rows for x in row)


def _arrows(letter: str, rows: Matrix | None, role: Role, single: bool = False) -> list[Vector]:
    names = [letter] if single else _numbered(letter, len(rows or ()))
    pairs = zip(names, rows or (), strict=True)
    return [Vector(Symbol(name), tuple(row), role) for name, row in pairs]


def _numbered(letter: str, count: int) -> list[str]:
    return [f"{letter}_{i}" for i in range(1, count + 1)]


def _named(page: Page) -> tuple[Node, ...]:
    """The tokens by the names that their author gives them, else by number."""
    return tuple(map(Symbol, page.setup.tokens or _numbered("t", page.n)))


def _placed(page: Page) -> list[Vector]:
    """The tokens in their places."""
    names, order = _named(page), page.setup.permutation or range(1, page.n + 1)
    pairs = zip(order, page.solution.X or (), strict=True)
    return [Vector(names[i - 1], tuple(row), "token") for i, row in pairs]


def _drawable(vectors: Sequence[Vector]) -> bool:
    """Whether vectors fit into a plane, are few, and have no open entries."""
    return (
        0 < len(vectors) <= MANY_ARROWS
        and all(1 <= len(v.entries) <= 2 for v in vectors)
        and _closed(*(v.entries for v in vectors))
    )


def _tokens(page: Page, _: int) -> Plane | None:
    vectors = _placed(page) if page.solution.X is not None else []
    if not _drawable(vectors):
        return None
    return Plane(_name(page, "tokens"), _title(page, "The tokens as arrows"), tuple(vectors))


def _fan(page: Page, i: int) -> Fan | None:
    s = page.solution
    roles: tuple[tuple[str, Matrix | None, Role], ...] = (
        ("q", s.Q, "query"), ("k", s.K, "key"), ("v", s.V, "value")
    )  # fmt: skip
    images = [_arrows(letter, rows, role)[i] for letter, rows, role in roles if rows is not None]
    if s.X is None or len(images) < len(roles) or not _drawable([_placed(page)[i], *images]):
        return None
    title = _title(page, f"Token {i + 1} becomes query, key and value")
    return Fan(_name(page, "fan", i), title, _placed(page)[i], tuple(images))


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
    name = _name(page, "arrows", i if focus else None)
    return Plane(name, _title(page, title), tuple(vectors), angles=focus)


def _keys(page: Page, letter: str = "k") -> tuple[Node, ...]:
    return tuple(map(Symbol, _numbered(letter, page.m)))


def _scores(page: Page, i: int) -> ScoreBars | None:
    raw = page.solution.scores
    if raw is None or page.m > MANY_BARS or not _closed(raw[i], page.solution.unmasked[i]):
        return None
    title = _title(page, "Raw and scaled scores" + ("" if page.single else f" of query {i + 1}"))
    return ScoreBars(
        _name(page, "scores", i), title, _keys(page), raw[i], page.solution.unmasked[i]
    )


def _softmax(page: Page, i: int) -> SoftmaxBars | None:
    scaled = tuple(page.passed.scaled[i])
    kept = [x for x in scaled if x is not None]
    if page.m > MANY_BARS or not kept or not _closed(kept):
        return None
    title = _title(page, "Scores in, weights out" + ("" if page.single else f", for query {i + 1}"))
    weights = tuple(page.passed.weights[i])
    return SoftmaxBars(_name(page, "softmax", i), title, _keys(page), scaled, weights)


def _blend(page: Page, i: int) -> TipToTail | None:
    values = _arrows("v", page.solution.V, "value")
    if page.passed.output is None or not page.attended(i):
        return None
    output = Vector(page.name("z", i), tuple(page.passed.output[i]), "output")
    if not _drawable(values) or not _drawable([output]) or not _closed(page.passed.weights[i]):
        return None
    title = "The values, blended" if page.single else f"The values, blended for query {i + 1}"
    weights = tuple(page.passed.weights[i])
    return TipToTail(_name(page, "blend", i), _title(page, title), weights, tuple(values), output)


def _outputs(page: Page, _: int) -> Plane | None:
    values = _arrows("v", page.solution.V, "value")
    outputs = _arrows("z", _rows(page.passed.output or ()), "output", page.single)
    if not outputs or not _drawable([*values, *outputs]):
        return None
    title = _title(page, "Every output lies among the values")
    return Plane(_name(page, "outputs"), title, (*values, *outputs), hull=True)


def _rows(rows: Sequence[Sequence[Exact]]) -> Matrix:
    return tuple(tuple(row) for row in rows)


def _grid(page: Page, _: int) -> Grid | None:
    if page.single or not _closed(*page.passed.weights):
        return None
    rows = tuple(page.name("q", i) for i in range(page.n))
    masked = tuple(tuple(x is None for x in row) for row in page.passed.scaled)
    title = _title(page, "The grid of weights")
    entries = _rows(page.passed.weights)
    return Grid(_name(page, "grid"), title, rows, _keys(page), entries, masked)


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
    title = _title(page, f"The weights as {name} grows")
    return Curve(_name(page, "curve", i), title, name, functions, LOW, HIGH, marks, levels)


def _pipeline(page: Page, _: int) -> Pipeline | None:
    s, name = page.solution, Symbol
    weights, output = _rows(page.passed.weights), page.passed.output
    if s.Q is None or s.K is None or s.V is None or s.scores is None or output is None:
        return None
    if max(page.n, page.m) > MANY_ARROWS or not _closed(*s.scores, *output):
        return None
    product = Apply("matmul", (name("Q"), Apply("transpose", (name("K"),))))
    inputs = [Stage(name("X"), s.X, "inputs")] if s.X is not None else []
    inputs += [Stage(name("Q"), s.Q, "queries"), Stage(name("K"), s.K, "keys")]
    middle = (
        Stage(name("S"), s.scores, "scores", product),
        Stage(name("S_scaled"), s.unmasked, "scaled scores", Div(name("S"), Root(name("d_k"), 2))),
        Stage(name("A"), weights, "weights, by a softmax of each row"),
    )
    outputs = Stage(name("Z"), _rows(output), "outputs", Apply("matmul", (name("A"), name("V"))))
    title = _title(page, "The whole formula in one picture")
    values = Stage(name("V"), s.V, "values")
    return Pipeline(_name(page, "pipeline"), title, tuple(inputs), middle, values, outputs)


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
    found = [
        Profile(
            page.setup.title or page.setup.name or "as given",
            tuple(page.name("alpha", 0, j) for j in range(page.m)),
            tuple(page.passed.weights[0]),
        )
        for page in pages
        if wanted(page, "profiles")
        and page.single
        and page.m <= MANY_BARS
        and _closed(page.passed.weights[0])
    ]
    return (Profiles("profiles", title, tuple(found)),) if found else ()


def reordering(page: Page, before: Solution, follows: bool) -> tuple[Figure, ...]:
    """The grid of weights before and after the tokens are reordered."""
    order, old = page.setup.permutation, _rows(before.forward.weights)
    new = _rows(page.passed.weights)
    if order is None or not wanted(page, "permutation") or page.n > MANY_ARROWS:
        return ()
    if not _closed(*old, *new):
        return ()
    title = _title(page, "Weights before and after the reordering")
    name = _name(page, "permutation")
    return (Reordering(name, title, order, _named(page), old, new, follows),)
