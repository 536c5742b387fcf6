"""The steps of one query: scores, scaled scores, mask, exponentials, total, weights, output."""

from __future__ import annotations

from symattn.derivation import Check, Level, Line, Step
from symattn.exact.tree import Add, Div, Mul, Neg, Node, Symbol
from symattn.exact.writing import number, to_tree
from symattn.problems.masks import mask_step, no_key_step
from symattn.problems.page import (
    BRIEF,
    FULL,
    NORMAL,
    Page,
    add,
    difference,
    dot,
    exp,
    multiply,
    shown,
)
from symattn.problems.pictures import pictures
from symattn.problems.setups import same_scale

#: Up to so many keys each weight is checked a second time, from all the differences of scores.
MANY = 64

__all__ = [
    "row_steps",
    "scaling_claim",
    "scaling_what",
    "scaling_why",
    "softmax_steps",
    "sum_to_one",
]


def row_steps(page: Page, i: int = 0) -> list[Step]:
    """The steps from the scores of query i to its output."""
    steps = []
    if page.solution.Q is not None and page.solution.K is not None:
        steps.append(_scores(page, i))
    if page.setup.scaled is None:
        steps.append(_scaled(page, i))
    return [*steps, *softmax_steps(page, i)]


def softmax_steps(page: Page, i: int) -> list[Step]:
    """The steps from the scaled scores of query i to its output."""
    if not page.attended(i):
        return [no_key_step(page, i)]
    steps = [mask_step(page, i)] if len(page.attended(i)) < page.m else []
    steps += [_exponentials(page, i), _total(page, i), _weights(page, i)]
    if page.passed.output is not None:
        steps.append(_output(page, i))
    return steps


def _scores(page: Page, i: int) -> Step:
    query = page.name("q", i)
    assert page.solution.Q is not None
    assert page.solution.K is not None
    lines, again = [], []
    for j, key in enumerate(page.solution.K):
        k, s = Symbol(f"k_{j + 1}"), page.name("s", i, j)
        pairs = zip(page.solution.Q[i], key, strict=True)
        products = add([Mul((to_tree(a), to_tree(b))) for a, b in pairs])
        score = shown(page.scope[s.name])
        lines.append(page.line(s, dot(query, k), (products, FULL), score, decimals=False))
        plus, minus = add([query, k]), difference(query, k)
        squares = difference(dot(plus, plus), dot(minus, minus))
        again.append(page.line(Mul((number(4), s)), squares, decimals=False, level=FULL))
    return Step(
        "Scores",
        page.text("Take the dot product of the query with each key."),
        page.text(
            "It is positive where the two point the same way, zero where they are perpendicular, "
            "negative where they are opposed."
        ),
        "dot product: s_j = q · k_j",
        tuple(lines),
        Check(
            ("each score again, from squared lengths",),
            "polarisation identity 4 q·k = |q + k|² − |q − k|², decided exactly",
            tuple(again),
        ),
        figures=pictures(page, "arrows", i),
    )


def _scaled(page: Page, i: int) -> Step:
    lines, again = [], []
    scale = page.setup.scale
    assert scale is not None
    for j in range(page.m):
        x, s = page.name("x", i, j), page.name("s", i, j)
        lines.append(page.line(x, *page.scaled_side(i, j)))
        back: Node = Div(x, to_tree(scale)) if page.setup.bias is None else x
        if page.setup.bias is not None:
            bias = to_tree(page.setup.bias[i][j])
            back = Div(difference(x, bias), to_tree(scale))
        if scale.numerator:
            again.append(page.line(back, s, decimals=False, level=FULL))
        else:
            left = number(0) if page.setup.bias is None else to_tree(page.setup.bias[i][j])
            again.append(page.line(x, left, decimals=False, level=FULL))
    return Step(
        "Scaled scores",
        page.text(scaling_what(page, "each")),
        page.text(scaling_why(page)),
        "scaling: x_j = s_j/√d_k",
        tuple(lines),
        Check(
            scaling_claim(page, "multiplied back")[:1],
            scaling_claim(page, "multiplied back")[1],
            tuple(again),
        ),
        figures=pictures(page, "scores", i),
    )


def scaling_what(page: Page, each: str) -> str:
    """What is done to each (or every) score."""
    if same_scale(page.setup):
        what = f"Divide {each} score by `sqrt(d_k)`, where `d_k` is {page.setup.d_k}"
    else:
        what = f"Multiply {each} score by the scale that is given"
    if page.setup.bias is not None:
        return f"{what}, and add what the mask holds for its key."
    return f"{what}."


def scaling_claim(page: Page, method: str = "") -> tuple[str, str]:
    """What the check of the scaling says, and how it was decided."""
    scale = page.setup.scale
    assert scale is not None
    exactly = f"{method}, decided exactly" if method else "decided exactly"
    if not scale.numerator:
        return "with the scale 0 nothing of the scores is left", "decided exactly"
    if page.setup.bias is not None:
        return "taking the mask away and undoing the scaling gives the scores back", exactly
    return "undoing the scaling gives the scores back", exactly


def scaling_why(page: Page) -> str:
    """Why scores are scaled: by 1/√d_k, or by a scale of the set-up's own."""
    if not same_scale(page.setup):
        return "The set-up names its own scale in place of `1/sqrt(d_k)`."
    return (
        "A sum of `d_k` products of independent entries of variance 1 has variance `d_k`; dividing "
        "by `sqrt(d_k)` brings it back to 1, so that the softmax does not saturate."
    )


def _exponentials(page: Page, i: int) -> Step:
    lines, again = [], []
    for j in page.attended(i):
        x = page.name("x", i, j)
        value = page.passed.exponentials[i][j]
        scaled = to_tree(page.solution.unmasked[i][j])
        lines.append(page.line(exp(x), (exp(scaled), BRIEF), to_tree(value)))
        inverse = Mul((exp(x), exp(Neg(x))))
        again.append(page.line(inverse, number(1), decimals=False, level=FULL))
    return Step(
        "Exponentials",
        page.text("Raise e to each scaled score."),
        page.text(
            "The exponential is positive for every score and keeps their order, so that even a "
            "negative score gives a positive weight."
        ),
        "exponential: e^{x_j}",
        tuple(lines),
        Check(
            ("each exponential times that of the opposite score is 1",),
            "functional equation e^x · e^(−x) = 1, decided exactly",
            tuple(again),
        ),
    )


def _total(page: Page, i: int) -> Step:
    total, kept = page.name("D", i), page.attended(i)
    xs = [page.name("x", i, j) for j in kept]
    first = xs[0]
    ratios = add([number(1), *(exp(difference(x, first)) for x in xs[1:])])
    check = page.line(Mul((total, exp(Neg(first)))), ratios, decimals=False, level=FULL)
    numbers = [exp(to_tree(page.solution.unmasked[i][j])) for j in kept]
    last = shown(page.passed.total[i])
    if isinstance(last, Add) and sorted(map(repr, last.terms)) == sorted(map(repr, numbers)):
        last = add(numbers)  # the same terms: their order as given is as good as any
    return Step(
        "Total",
        page.text("Add the exponentials."),
        page.text("Divided by their total, they become shares that add to 1."),
        "normaliser: D = Σ_j e^{x_j}",
        (
            page.line(
                total,
                (add([exp(x) for x in xs]), NORMAL),
                (add(numbers), NORMAL),
                last,
            ),
        ),
        Check(
            ("the total over its first term, from differences of scores alone",),
            "shift by the first score, decided exactly",
            (check,),
        ),
    )


def _weights(page: Page, i: int) -> Step:
    total, kept = page.name("D", i), page.attended(i)
    lines = []
    again = [sum_to_one(page, i)]
    for j in range(page.m):
        weight, x = page.name("alpha", i, j), page.name("x", i, j)
        if j not in kept:
            lines.append(page.line(weight, number(0), decimals=False))
            continue
        value = to_tree(page.passed.weights[i][j])
        lines.append(page.line(weight, (Div(exp(x), total), NORMAL), value))
        if page.m > MANY:
            continue
        others = add([exp(difference(page.name("x", i, l), x)) for l in kept])  # noqa: E741
        again.append(page.line(weight, Div(number(1), others), decimals=False, level=FULL))
    claim, method = "the weights add to 1", "decided exactly"
    if page.m <= MANY:
        claim += ", and each follows from differences of scores alone"
        method = "α_j = 1/Σ_l e^(x_l − x_j), decided exactly"
    return Step(
        "Weights",
        page.text("Divide each exponential by the total."),
        page.text("The weights are positive and add to 1: they say how the query shares itself."),
        "softmax: α_j = e^{x_j} / D",
        tuple(lines),
        Check(
            (claim,),
            method,
            tuple(again),
        ),
        figures=pictures(page, "softmax", i),
    )


def sum_to_one(page: Page, i: int, level: Level = NORMAL) -> Line:
    """The claim that the weights of query i add to 1."""
    weights = add([page.name("alpha", i, j) for j in range(page.m)])
    return page.line(weights, number(1), decimals=False, level=level)


def _output(page: Page, i: int) -> Step:
    output, total = page.name("z", i), page.name("D", i)
    kept = page.attended(i)
    assert page.solution.V is not None
    values = [Symbol(f"v_{j + 1}") for j in kept]
    blend = add([Mul((page.name("alpha", i, j), v)) for j, v in zip(kept, values, strict=True)])
    vectors = [shown(page.solution.V[j]) for j in kept]
    full = add([Mul((page.name("alpha", i, j), v)) for j, v in zip(kept, vectors, strict=True)])
    cleared = add([Mul((exp(page.name("x", i, j)), v)) for j, v in zip(kept, values, strict=True)])
    closed = BRIEF if page.is_open else NORMAL  # a brief reader sees the decimals instead
    lines = (page.line(output, blend, (full, FULL), (shown(page.scope[output.name]), closed)),)
    return Step(
        "Output",
        page.text("Blend the values with the weights."),
        page.text("The output is a weighted mean of the values, so it lies among them."),
        "blend: z = Σ_j α_j v_j",
        lines,
        Check(
            ("the output times the total is the blend of the values with the exponentials",),
            "cleared of the denominator, decided exactly",
            (page.line(multiply([total, output]), cleared, decimals=False, level=FULL),),
        ),
        figures=pictures(page, "blend", i),
    )
