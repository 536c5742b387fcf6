"""Steps that a set-up can ask for: projections, the gradient, a permutation."""

from __future__ import annotations

from dataclasses import replace

from symattn.attention import EXACT, jacobian
from symattn.derivation import Check, Line, Side, Step
from symattn.derivation.prose import prose
from symattn.exact.asymptotics import derivative
from symattn.exact.functions import exp as exact_exp
from symattn.exact.numbers import Exact, rational, symbol
from symattn.exact.tree import Add, Apply, Mul, Neg, Node, Symbol
from symattn.exact.vectors import compare_values, nested
from symattn.exact.writing import number, to_tree
from symattn.problems.page import FULL, NORMAL, Page, shown
from symattn.problems.pictures import pictures, reordering
from symattn.problems.solve import Solution, solve

__all__ = ["gradient_step", "permutation_step", "projection_step", "unit_row"]


def projection_step(page: Page) -> Step:
    """Q = X W_Q, K = X W_K and V = X W_V."""
    setup, solution = page.setup, page.solution
    assert setup.X is not None
    X = page.define(Symbol("X"), solution.X or ())
    lines, again = [], []
    for name, W, product in (
        ("Q", setup.W_Q, solution.Q), ("K", setup.W_K, solution.K), ("V", setup.W_V, solution.V)
    ):  # fmt: skip
        result = Symbol(name)
        assert product is not None
        if W is None:
            lines.append(page.line(result, X, shown(product), decimals=False))
            again.append(page.line(result, X, decimals=False, level=FULL))
            continue
        matrix = page.define(Symbol(f"W_{name}"), W)
        lines.append(
            page.line(result, Apply("matmul", (X, matrix)), shown(product), decimals=False)
        )
        turned = Apply("matmul", tuple(Apply("transpose", (A,)) for A in (matrix, X)))
        again.append(page.line(Apply("transpose", (result,)), turned, decimals=False, level=FULL))
    return Step(
        "Queries, keys and values",
        page.text("Project every token three times: row i of each product belongs to token i."),
        page.text("The query asks, the key is what is asked, the value is what is handed over."),
        "projections: Q = X W_Q, K = X W_K, V = X W_V",
        tuple(lines),
        Check(("each product again, transposed",), "decided exactly", tuple(again)),
        figures=(
            *pictures(page, "tokens"),
            *pictures(page, "fan", page.chosen),
        ),
    )


def gradient_step(page: Page) -> Step:
    """∂α_1/∂x_1 = α_1(1 - α_1), derived for open scores and then evaluated."""
    names = [f"x_{j + 1}" for j in range(page.m)]
    opened = [exact_exp(symbol(name)) for name in names]
    total = sum(opened[1:], opened[0])
    weights = [e / total for e in opened]
    scope = dict(zip([f"alpha_{j + 1}" for j in range(page.m)], weights, strict=True))
    table = [[derivative(w, name) for name in names] for w in weights]
    by_rule = jacobian(weights, EXACT)
    first = Symbol("alpha_1")
    product = Mul((first, Add((number(1), Neg(first)))))
    # SymPy differentiates the definition; the result must be α(1 - α), as functions of the scores.
    scope["g_1"] = table[0][0]
    shapes = (Symbol("g_1"), _differentiated(names), product)
    claim = Line(tuple(Side(shape, scope) for shape in shapes), decimals=False)
    whole = Line(
        (Side(shown(table), scope), Side(shown(by_rule), scope)), decimals=False, level=FULL
    )
    lines = [claim]
    for j in range(page.m):
        weight = page.name("alpha", 0, j)
        own = Mul((weight, Add((number(1), Neg(weight)))))
        slope = page.define(Symbol(f"g_{j + 1}"), page_gradient(page, j))
        lines.append(page.line(slope, (own, NORMAL), to_tree(page_gradient(page, j))))
    if page.setup.scale is not None:
        for j in range(page.m):
            value = page_gradient(page, j) * page.setup.scale
            slope = page.define(Symbol(f"r_{j + 1}"), value)
            chain = page.scaled_symbolic(Symbol(f"g_{j + 1}"))
            lines.append(page.line(slope, (chain, NORMAL), to_tree(value)))
    return Step(
        "The gradient of the weights",
        prose(
            "Differentiate each weight by its own scaled score, `g_j`"
            + (", and by its raw score, `r_j`." if page.setup.scale is not None else ".")
        ),
        prose(
            "Learning moves the scores along this gradient; where it is nearly zero the softmax is "
            "saturated and learns nothing."
        ),
        "quotient rule and chain rule: ∂α_j/∂x_j = α_j(1 − α_j), ∂α_j/∂s_j = ∂α_j/∂x_j · scale",
        tuple(lines),
        Check(
            ("all partial derivatives agree with α_i(δ_ij − α_j)",),
            "differentiated term by term, compared as functions of open scores",
            (whole,),
        ),
    )


def page_gradient(page: Page, j: int) -> Exact:
    """α_j(1 - α_j) of the page's first query."""
    return jacobian(page.passed.weights[0], EXACT)[j][j]


def _differentiated(names: list[str]) -> Node:
    """∂/∂x_1 of the first weight, by SymPy from the definition."""
    import sympy as sp

    from symattn.exact.bridge import sympy_to_tree

    xs = sp.symbols(names)
    weight = sp.exp(xs[0]) / sp.Add(*map(sp.exp, xs))
    return sympy_to_tree(sp.diff(weight, xs[0]))


def permutation_step(page: Page) -> Step:
    """The same tokens in their first order, and whether the outputs follow the permutation."""
    order = page.setup.permutation
    assert order is not None
    before = solve(replace(page.setup, permutation=None))
    assert before.scores is not None
    assert before.forward.output is not None
    page.define(Symbol("S_0"), before.scores)
    first = page.define(Symbol("Z_0"), nested(before.forward.output))
    P = page.define(Symbol("P"), [unit_row(page.n, k) for k in order])
    moved = Apply("matmul", (P, first))
    turned = Apply("matmul", (Apply("matmul", (P, Symbol("S_0"))), Apply("transpose", (P,))))
    follows = _follows(page, before, order)
    relation = "=" if follows else "!="
    moves = _moves(page, before, order)
    lines = (
        page.line(first, (shown(before.forward.output), FULL)),
        page.line(Symbol("Z"), moved, decimals=False, relation=relation),
    )
    scores = page.line(Symbol("S"), turned, decimals=False, relation="=" if moves else "!=")
    return Step(
        "Equivariance" if follows else "Equivariance is broken",
        page.text(
            "Compare with the outputs `Z_0` of the tokens in their first order"
            + (", with the same encoding" if page.setup.positional is not None else "")
            + "; `P` reorders rows."
        ),
        page.text(
            "Softmax by rows and blend treat every token alike, so the same P reorders the outputs."
            if follows
            else f"The {_placed_by(page)} belongs to the place and not to the token: it does not "
            "move along."
        ),
        "permutation: Z = P Z_0 and S = P S_0 Pᵀ" if follows else "witness: Z ≠ P Z_0",
        lines,
        Check(
            ("the scores are reordered in rows and columns alike",)
            if moves
            else ("the scores are not those of the first order, reordered",),
            "compared entry by entry, exactly",
            (scores,),
        ),
        figures=reordering(page, before, follows),
    )


def _placed_by(page: Page) -> str:
    """What a place brings along, whatever token stands in it."""
    return "encoding" if page.setup.positional is not None else "mask"


def _moves(page: Page, before: Solution, order: tuple[int, ...]) -> bool:
    """Whether the scores are those of the first order, reordered in rows and columns."""
    assert before.scores is not None
    assert page.solution.scores is not None
    wanted = nested([[before.scores[k - 1][l - 1] for l in order] for k in order])  # noqa: E741
    return compare_values(nested(page.solution.scores), wanted).verdict == "equal"


def _follows(page: Page, before: Solution, order: tuple[int, ...]) -> bool:
    assert before.forward.output is not None
    assert page.passed.output is not None
    wanted = nested([before.forward.output[k - 1] for k in order])
    return compare_values(nested(page.passed.output), wanted).verdict == "equal"


def unit_row(n: int, k: int) -> tuple[Exact, ...]:
    """Row k of the identity matrix."""
    return tuple(rational(1 if j + 1 == k else 0) for j in range(n))
