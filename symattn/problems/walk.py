"""The formula in its own order: one token from the raw inputs to its output, then all at once."""

from __future__ import annotations

from dataclasses import replace

from symattn.derivation import Check, Line, Step
from symattn.exact.tree import Apply, Array, Div, Mul, Symbol
from symattn.exact.vectors import scalar
from symattn.exact.writing import to_tree
from symattn.problems.extras import projection_step
from symattn.problems.matrix import matrix_steps
from symattn.problems.page import FULL, NORMAL, Page, dot
from symattn.problems.pictures import pictures
from symattn.problems.row import row_steps, sum_to_one

__all__ = ["walk_through"]


def walk_through(page: Page, i: int) -> list[Step]:
    """Raw inputs, projections, similarity, scaling, softmax, blend, and all tokens at once."""
    row = {step.title: step for step in row_steps(page, i)}
    similarity, scaling, blend = (row.pop(name) for name in ("Scores", "Scaled scores", "Output"))
    angles = _angles(page, i)
    similarity = replace(
        similarity,
        what=page.text(
            f"Take the dot product of `q_{i + 1}` with each key; `c_j` is their angle's cosine."
        ),
        why=page.text(
            "A dot product is the product of both lengths and this cosine: large where the arrows "
            "are aligned, zero where they are perpendicular, negative where they are opposed."
        ),
        chain=similarity.chain + angles,
    )
    return [
        _inputs(page),
        replace(projection_step(page), figures=pictures(page, "fan", i)),
        replace(similarity, title=f"Similarity, for token {i + 1}"),
        replace(scaling, title="Scaling"),
        _softmax(page, i, list(row.values())),
        replace(blend, title="Blend"),
        _all_at_once(page),
    ]


def _inputs(page: Page) -> Step:
    X = page.define(Symbol("X"), page.solution.X or ())
    tokens = [page.define(Symbol(f"t_{i + 1}"), row) for i, row in enumerate(page.solution.X or ())]
    lines = [
        page.line(token, Array(tuple(map(to_tree, row))), decimals=False)
        for token, row in zip(tokens, page.solution.X or (), strict=True)
    ]
    return Step(
        "The raw inputs",
        page.text("Each token is a vector, a row of `X`."),
        page.text("Attention compares arrows, so everything has to be an arrow first."),
        "tokens as vectors",
        tuple(lines),
        Check(
            ("the tokens are the rows of X",),
            "decided exactly",
            (page.line(X, Array(tuple(tokens)), decimals=False, level=FULL),),
        ),
        figures=pictures(page, "tokens"),
    )


def _angles(page: Page, i: int) -> tuple[Line, ...]:
    """The cosine of the angle between the query and each key, where both have a length."""
    query, lines = page.name("q", i), []
    for j in range(page.m):
        key = Symbol(f"k_{j + 1}")
        lengths = [Apply("norm", (node,)) for node in (query, key)]
        squares = [scalar(page.line(dot(node, node)).value) for node in (query, key)]
        if all(square.numerator for square in squares) and not page.is_open:
            cosine = Div(page.name("s", i, j), Mul(tuple(lengths)))
            name = page.define(Symbol(f"c_{j + 1}"), page.line(cosine).value)
            value = to_tree(scalar(page.scope[name.name]))
            lines.append(page.line(name, cosine, value, level=NORMAL))
    return tuple(lines)


def _softmax(page: Page, i: int, steps: list[Step]) -> Step:
    return Step(
        "Softmax",
        page.text("Turn the scaled scores into positive weights that add to 1."),
        page.text(
            "Dividing by their plain sum would fail for negative scores; the exponential does not, "
            "and it can be differentiated."
        ),
        "softmax",
        (),
        Check(("the weights add to 1",), "decided exactly", (sum_to_one(page, i),)),
        tuple(steps),
    )


def _all_at_once(page: Page) -> Step:
    sums = tuple(sum_to_one(page, i, FULL) for i in range(page.n))
    return Step(
        "All tokens at once",
        page.text("Two matrix products and a softmax by rows do the same for every token."),
        page.text("In the grid of weights a row asks and a column is asked."),
        "Z = softmax(Q Kᵀ/√d_k) V",
        (),
        Check(("each row of the grid adds to 1",), "decided exactly", sums),
        tuple(replace(step, steps=(), figures=()) for step in matrix_steps(page)),
        figures=(*pictures(page, "grid"), *pictures(page, "outputs")),
    )
