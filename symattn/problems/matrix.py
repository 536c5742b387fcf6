"""The steps of several queries at once: S = Q Kᵀ, S/√d_k, A = softmax by rows, Z = A V."""

from __future__ import annotations

from symattn.derivation import Check, Level, Line, Step
from symattn.derivation.blocks import is_open
from symattn.derivation.figures import Figure
from symattn.exact.numbers import rational
from symattn.exact.tree import Apply, Array, Mul, Node, Symbol
from symattn.exact.writing import number, to_tree
from symattn.problems.page import (
    BRIEF,
    FULL,
    MINUS_INFINITY,
    NORMAL,
    Page,
    add,
    difference,
    dot,
    exp,
    shown,
)
from symattn.problems.pictures import pictures
from symattn.problems.row import scaling_claim, scaling_what, scaling_why, softmax_steps

__all__ = ["matrix_steps"]

#: Up to so many weights every row is worked out at the normal level where no row is in focus.
SMALL = 6
#: Beyond so many weights only the row in focus is worked out.
LARGE = 144


def matrix_steps(page: Page) -> list[Step]:
    """The steps from the scores of all queries to their outputs."""
    steps = []
    if page.solution.Q is not None and page.solution.K is not None:
        steps.append(_scores(page))
    if page.setup.scaled is None:
        steps.append(_scaled(page))
    if page.setup.mask is not None or page.setup.causal:
        steps.append(_mask(page))
    steps.append(_weights(page))
    if page.passed.output is not None:
        steps.append(_output(page))
    return steps


def _scores(page: Page) -> Step:
    Q, K, S = Symbol("Q"), Symbol("K"), Symbol("S")
    queries = [page.name("q", i) for i in range(page.n)]
    keys = [Symbol(f"k_{j + 1}") for j in range(page.m)]
    product = Apply("matmul", (Q, Apply("transpose", (K,))))
    rows = [
        page.line(
            page.name("s", i, j),
            dot(query, key),
            (_products(page, i, j), FULL),
            shown(page.scope[page.name("s", i, j).name]),
            decimals=False,
            level=FULL,
        )
        for i, query in enumerate(queries)
        for j, key in enumerate(keys)
    ]
    table = Array(tuple(Array(tuple(dot(q, k) for k in keys)) for q in queries))
    return Step(
        "Scores",
        page.text("Take the dot product of every query with every key, one row for each query."),
        page.text("A row asks, a column is asked: entry i, j says how well key j suits query i."),
        "scores: S = Q Kᵀ",
        (page.line(S, product, shown(page.scope["S"]), decimals=False), *rows),
        Check(
            ("every entry again as a dot product of its own",),
            "dot products against the matrix product, decided exactly",
            (page.line(S, table, decimals=False, level=FULL),),
        ),
        figures=(*_tokens(page), *pictures(page, "arrows", page.chosen)),
    )


def _tokens(page: Page) -> tuple[Figure, ...]:
    """The tokens, where they are their own queries and keys and the file asks for them."""
    if page.setup.projects or page.setup.figures is None:
        return ()
    return pictures(page, "tokens")


def _products(page: Page, i: int, j: int) -> Node:
    assert page.solution.Q is not None
    assert page.solution.K is not None
    pairs = zip(page.solution.Q[i], page.solution.K[j], strict=True)
    return add([Mul((to_tree(a), to_tree(b))) for a, b in pairs])


def _scaled(page: Page) -> Step:
    scaled, S = page.define(Symbol("x"), page.solution.unmasked), Symbol("S")
    scale = page.setup.scale
    assert scale is not None
    added: Node | None = None
    if page.setup.bias is not None:
        added = shown(page.setup.bias)
    if scale.numerator:
        rest = scaled if added is None else difference(scaled, added)
        back = page.line(Mul((to_tree(1 / scale), rest)), S, decimals=False, level=FULL)
    else:
        nothing = Array((Array((number(0),) * page.m),) * page.n)
        back = page.line(scaled, added or nothing, decimals=False, level=FULL)
    claim, method = scaling_claim(page)
    return Step(
        "Scaled scores",
        page.text(scaling_what(page, "every")),
        page.text(scaling_why(page)),
        "scaling: S/√d_k",
        (
            page.line(page.scaled_symbolic(S), shown(page.solution.unmasked))
            if added is None
            else page.line(
                scaled, add([page.scaled_symbolic(S), added]), shown(page.solution.unmasked)
            ),
        ),
        Check((claim,), method, (back,)),
        figures=pictures(page, "scores", page.chosen),
    )


def _mask(page: Page) -> Step:
    rows = tuple(
        Array(tuple(MINUS_INFINITY if x is None else to_tree(x) for x in row))
        for row in page.passed.scaled
    )
    kept = [len(page.attended(i)) for i in range(page.n)]
    flags = [add([number(0 if x is None else 1) for x in row]) for row in page.passed.scaled]
    counts = page.line(
        Array(tuple(flags)), Array(tuple(map(number, kept))), decimals=False, level=FULL
    )
    causal = ""
    if page.setup.causal:
        later = page.m - page.n
        shift = "" if not later else f" {'+' if later > 0 else '−'} {abs(later)}"
        causal = f" Query i sees key j where j ≤ i{shift}."
    return Step(
        "Mask",
        page.text("Put `-oo` wherever a query may not see a key." + causal),
        page.text("Its exponential is 0 by convention, so that key gets weight exactly 0."),
        "mask: e^(−∞) = 0",
        (Line((page.line(Array(rows)).sides[0],), decimals=False),),
        Check((f"the rows keep {', '.join(map(str, kept))} keys",), "counted", (counts,)),
    )


def _weights(page: Page) -> Step:
    A = Symbol("A")
    ones = page.define(Symbol("1"), [(rational(1),)] * page.m)
    sums = tuple((rational(1 if page.attended(i) else 0),) for i in range(page.n))
    return Step(
        "Weights",
        page.text("Take the softmax of each row: exponentials, divided by the total of the row."),
        page.text("Each row is one query's distribution over all keys, so rows are normalised."),
        "softmax by rows: α_ij = e^{x_ij} / D_i",
        (page.line(A, _closed(page, "A")),),
        Check(
            ("every row adds to 1" if all(page.attended(i) for i in range(page.n))
             else "every row with a key adds to 1, every other to 0",),
            "A times a column of ones, decided exactly",
            (
                page.line(
                    Apply("matmul", (A, ones)), shown(sums), decimals=False, level=FULL
                ),
            ),
        ),
        tuple(row for i in range(page.n) for row in _row(page, i)),
        figures=pictures(page, "grid"),
    )  # fmt: skip


def _closed(page: Page, name: str) -> tuple[Node, Level]:
    """A matrix in closed form: for the fullest reader, or for all where it has no decimals."""
    value = page.scope[name]
    return shown(value), BRIEF if is_open(value) else FULL


def _row(page: Page, i: int) -> list[Step]:
    """One row of the softmax worked out, as a substep; none where it would fill a book."""
    if page.n * page.m > LARGE and i + 1 != page.setup.focus:
        return []
    level = NORMAL if _in_focus(page, i) else FULL
    found = [step for step in softmax_steps(page, i) if step.title != "Output"]
    lines = tuple(line for step in found if step.title != "Mask" for line in step.chain)
    return [
        Step(
            f"Row {i + 1}",
            page.text(f"Exponentials, their total and the weights of query {i + 1}."),
            (),
            "softmax of one row",
            lines,
            found[-1].check,
            level=level,
            figures=pictures(page, "softmax", i),
        )
    ]


def _in_focus(page: Page, i: int) -> bool:
    if page.setup.focus is not None:
        return i + 1 == page.setup.focus
    return page.n * page.m <= SMALL


def _output(page: Page) -> Step:
    A, V, Z = Symbol("A"), Symbol("V"), Symbol("Z")
    assert page.solution.V is not None
    lines = [page.line(Z, Apply("matmul", (A, V)), _closed(page, "Z"))]
    again = []
    for i in range(page.n):
        kept, output = page.attended(i), page.name("z", i)
        values = [Symbol(f"v_{j + 1}") for j in kept]
        if not kept:
            continue
        weights = [page.name("alpha", i, j) for j in kept]
        blend = add([Mul(pair) for pair in zip(weights, values, strict=True)])
        level: Level = NORMAL if _in_focus(page, i) else FULL
        lines.append(
            page.line(output, blend, (shown(page.scope[output.name]), NORMAL), level=level)
        )
        xs = [exp(page.name("x", i, j)) for j in kept]
        cleared = add([Mul(pair) for pair in zip(xs, values, strict=True)])
        again.append(
            page.line(Mul((page.name("D", i), output)), cleared, decimals=False, level=FULL)
        )
    if not again:
        again = [page.line(Z, shown(page.scope["Z"]), decimals=False, level=FULL)]
    return Step(
        "Outputs",
        page.text("Blend the values with the weights of each row."),
        page.text(
            "Each output is a weighted mean of the values, one for each query"
            + ("." if all(map(page.attended, range(page.n))) else " that has a key.")
        ),
        "blend: Z = A V",
        tuple(lines),
        Check(
            ("each output times its total is the blend of the values with the exponentials",),
            "cleared of the denominator, decided exactly",
            tuple(again),
        ),
        figures=(
            *pictures(page, "blend", page.chosen),
            *pictures(page, "outputs"),
        ),
    )
