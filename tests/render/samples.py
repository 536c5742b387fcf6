"""Derivations made by hand, which together hold whatever a printer may meet."""

from __future__ import annotations

from symattn.derivation import Check, CrossCheck, Derivation, Level, Line, Result, Side, Step, prose
from symattn.exact.evaluate import Scope, value_of
from symattn.exact.functions import exp
from symattn.exact.numbers import Exact, rational
from symattn.exact.parse import parse
from symattn.exact.tree import Apply, Array, Div, Mul, Neg, Node, Root, Symbol
from symattn.exact.vectors import Value
from symattn.exact.writing import to_tree

SIGNS = ("<=", ">=", "!=", "->", "=", "<", ">")


def tree(text: str) -> Node:
    return parse(text, symbols=None).tree


def line(
    *parts: str | Node, scope: Scope | None = None, full: tuple[int, ...] = (), **options: object
) -> Line:
    """A line of sides and, between two of them, a relation where it is not `=`."""
    sides: list[Side] = []
    relations: list[str] = []
    due = "="
    for part in parts:
        if isinstance(part, str) and part in SIGNS:
            due = part
            continue
        level = Level.FULL if len(sides) in full else Level.BRIEF
        shown = tree(part) if isinstance(part, str) else part
        if sides:
            relations.append(due)
        sides.append(Side(shown, scope or {}, level))
        due = "="
    return Line(tuple(sides), tuple(relations), **options)  # type: ignore[arg-type]


def check(claim: str, method: str, *lines: Line, scope: Scope | None = None) -> Check:
    return Check(prose(claim, scope), method, lines)


def matrix(rows: str) -> Node:
    return tree(rows)


def aligned_keys() -> Derivation:
    """One query and three keys: vectors, negative numbers, nested fractions, roots."""
    scope: dict[str, Value] = {"d_k": rational(2)}
    keys = ["(1, 0)", "(-1, 0)", "(0, 1)"]
    values = ["(3, 0)", "(0, 3)", "(0, 0)"]
    given = [define(scope, "q", "(1, 0)")]
    for j, (key, value) in enumerate(zip(keys, values, strict=True), start=1):
        given += [define(scope, f"k_{j}", key), define(scope, f"v_{j}", value)]
    given.append(line("d_k", "2", scope=scope, decimals=False))
    products = ["1*1 + 0*0", "1*(-1) + 0*0", "1*0 + 0*1"]
    scores = []
    for j, (product, score) in enumerate(zip(products, ("1", "-1", "0"), strict=True), start=1):
        scope[f"s_{j}"] = value_of(tree(score))
        dot = Apply("dot", (Symbol("q"), Symbol(f"k_{j}")))
        scores.append(line(f"s_{j}", dot, product, score, scope=scope, full=(2,)))
    first = Step(
        "Raw scores",
        prose("Take the dot product of the query with each key, `s_1`, `s_2` and `s_3`."),
        prose(
            "The dot product is large where a key points the way of the query, `0` where it is"
            " orthogonal, and negative where it is opposed; nothing else about the keys is looked at."
        ),
        "definition of the score",
        tuple(scores),
        check(
            "the scores are at most `|q|` times the length of each key, which is `1`; `s_1` is {s_1}",
            "Cauchy-Schwarz",
            line(Apply("norm", (Symbol("q"),)), ">=", "s_1", scope=scope),
            scope=scope,
        )
        if False
        else check(
            "no score is above the length of the query, as every key has length `1`",
            "Cauchy-Schwarz",
            line("s_1", "<=", Apply("norm", (Symbol("q"),)), scope=scope),
            line("s_2", "<", Apply("norm", (Symbol("q"),)), scope=scope),
        ),
    )
    scaled = []
    for j, text in enumerate(("1/sqrt(2)", "-1/sqrt(2)", "0"), start=1):
        shown = Div(Symbol(f"s_{j}"), Root(Symbol("d_k"), 2))
        scaled.append(line(f"z_{j}", shown, text, scope={**scope, f"z_{j}": value_of(tree(text))}))
    second = Step(
        "Scaled scores",
        prose("Divide each score by `sqrt(d_k)`."),
        prose("A sum of `d_k` products has a spread that grows like `sqrt(d_k)`."),
        "",
        tuple(scaled),
        check(
            "the squares of the scaled scores add up to `1`",
            "another route",
            line("(1/sqrt(2))^2 + (-1/sqrt(2))^2 + 0^2", "1/2 + 1/2", "1"),
        ),
        steps=(
            Step(
                "The scale",
                prose("`sqrt(2)` is about {sqrt(2)}."),
                (),
                "",
                (line("1/sqrt(2)", "sqrt(2)/2"),),
                check("its square is `1/2`", "squaring", line("(1/sqrt(2))^2", "1/2")),
            ),
        ),
    )
    total = "1 + e^(1/sqrt(2)) + e^(-1/sqrt(2))"
    weights = []
    tops = ["e^(1/sqrt(2))", "e^(-1/sqrt(2))", "1"]
    for j, top in enumerate(tops, start=1):
        scope[f"alpha_{j}"] = value_of(tree(f"({top})/({total})"))
        written = to_tree(scope[f"alpha_{j}"])  # type: ignore[arg-type]
        weights.append(line(f"alpha_{j}", f"({top})/({total})", written, scope=scope))
    blend = "(3*alpha_1 + 0*alpha_2 + 0*alpha_3, 0*alpha_1 + 3*alpha_2 + 0*alpha_3)"
    scope["z"] = value_of(tree(blend), scope)
    output = Array(tuple(to_tree(entry) for entry in scope["z"]))  # type: ignore[union-attr,arg-type]
    third = Step(
        "Weights and output",
        prose("Divide each exponential by their sum, and blend the values."),
        prose("Only positive numbers that add up to `1` make an average."),
        "softmax",
        (
            *weights,
            line("z", "alpha_1 v_1 + alpha_2 v_2 + alpha_3 v_3", blend, output, scope=scope),
        ),
        check(
            "the weights add up to `1`; the first is {alpha_1}",
            "exact sum",
            line("alpha_1 + alpha_2 + alpha_3", "1", scope=scope),
            scope=scope,
        ),
    )
    return Derivation(
        "ex-aligned",
        "problem",
        "Aligned, opposed and orthogonal keys",
        prose("One query `q` attends to three keys. Where does the output `z` lie?"),
        tuple(given),
        (first, second, third),
        prose("The output is about {z}: mostly `v_1`, and never without `v_2`.", scope),
        {
            "scores": [Result(rational(x)) for x in (1, -1, 0)],
            "total": Result(value_of(tree(total))),  # type: ignore[arg-type]
            "weights": [Result(scope[f"alpha_{j}"]) for j in (1, 2, 3)],  # type: ignore[arg-type]
            "output": [Result(entry) for entry in scope["z"]],  # type: ignore[arg-type,union-attr]
        },
        CrossCheck("numeric.attention in float64", 0.25),
        assumptions=(prose("the values are what each key stands for"),),
        forecast=prose("Which of the three weights is the largest, and is any of them `0`?"),
        notes=("The numbers of V.csv are taken at their exact binary value.",),
    )


def define(scope: dict[str, Value], name: str, text: str) -> Line:
    scope[name] = value_of(tree(text), scope)
    return line(name, text, scope=scope, decimals=False)


def self_attention() -> Derivation:
    """A chain of 3x3 matrices, a mask, and a matrix that is wider than a line."""
    X = matrix("[[1, 0], [0, 1], [1, 1]]")
    scope: dict[str, Value] = {name: value_of(X) for name in ("Q", "K", "V")}
    scope["d_k"] = rational(2)
    product = Apply("matmul", (Symbol("Q"), Apply("transpose", (Symbol("K"),))))
    numbers = Apply("matmul", (X, Apply("transpose", (X,))))
    scores = matrix("[[1, 0, 1], [0, 1, 1], [1, 1, 2]]")
    scope["S"] = value_of(scores)
    scaled = matrix(
        "[[1/sqrt(2), 0, 1/sqrt(2)], [0, 1/sqrt(2), 1/sqrt(2)], [1/sqrt(2), 1/sqrt(2), sqrt(2)]]"
    )
    weights = Apply("softmax", (Div(Symbol("S"), Root(Symbol("d_k"), 2)),))
    value = value_of(weights, scope)
    scope["A"] = value
    exact = Array(tuple(Array(tuple(to_tree(x) for x in row)) for row in value))  # type: ignore
    masked = Array(
        (
            Array((tree("1/sqrt(2)"), Symbol("-oo"), Symbol("-oo"))),
            Array((tree("0"), tree("1/sqrt(2)"), Symbol("-oo"))),
        )
    )
    scope["M_c"] = value_of(masked)
    steps = (
        Step(
            "All scores in one product",
            (),
            prose("Entry `S_{2,3}` of the product is the dot product of a query with a key."),
            "row times column",
            (
                line("S", product, numbers, scores, scope=scope, full=(2,)),
                line("S_3_12", "S_3_3*0 + 2", scope={"S_3_12": rational(2), "S_3_3": rational(2)}),
            ),
            check(
                "`S` is its own transpose",
                "entry by entry",
                line(Apply("transpose", (scores,)), scores),
            ),
        ),
        Step(
            "Softmax by rows",
            prose("Scale by `1/sqrt(d_k)` and normalise each row."),
            (),
            "",
            (
                line(
                    Div(Symbol("S"), Root(Symbol("d_k"), 2)),
                    Div(scores, tree("sqrt(2)")),
                    scaled,
                    scope=scope,
                ),
                line("A", weights, exact, scope=scope),
            ),
            check(
                "row 1 adds up to `1`",
                "exact sum",
                line("(2e^(1/sqrt(2)) + 1)/(2e^(1/sqrt(2)) + 1)", "1"),
            ),
        ),
        Step(
            "With a causal mask",
            prose("A token that comes later is given the score `x`."),
            (),
            "",
            (
                line("M_c", masked, scope=scope),
                line("alpha_1_2", "0", scope={"alpha_1_2": rational(0)}),
            ),
            check("a masked weight is `0`", "definition", line("0*e^4", "0")),
        ),
    )
    return Derivation(
        "ex-matrix",
        "problem",
        "Three tokens attend to each other",
        prose("The whole matrix at once, `S` and all."),
        (line("Q", "K", "V", X, scope=scope, decimals=False),),
        steps,
        prose("Every row adds up to `1`."),
        {
            "scores": [[Result(x) for x in row] for row in scope["S"]],  # type: ignore
            "scaled": [[Result(rational(1)), None]],
            "weights": [[Result(x) for x in row] for row in value],  # type: ignore
        },
        CrossCheck("numeric.attention", 0.5, " with the same mask"),
    )


def limits() -> Derivation:
    """Symbols left open, a limit with its condition, and numbers from tiny to huge."""
    share = "e^M/(e^M + 1)"
    scope: dict[str, Value] = {"alpha_1": value_of(tree(share)), "beta": value_of(tree("e^-20"))}
    tiny, huge = exp(rational(-1000)), exp(rational(1000))
    steps = (
        Step(
            "The share of the first key",
            prose("Divide above and below by `e^M`."),
            prose("What is left depends on `e^(-M)` alone."),
            "",
            (line("alpha_1", share, "1/(1 + e^(-M))", scope=scope),),
            check("both forms are one function", "normal form", line(share, "1/(1 + e^(-M))")),
        ),
        Step(
            "The limit",
            prose("Let `M` grow."),
            prose("`e^(-M)` falls to `0`; at `M = 20` it is {e^(-20)} or {0.5*e^-20}.")
            if False
            else prose("`e^(-M)` falls to `0`; at 20 it is {e^(-20)}."),
            "",
            (
                line(
                    "alpha_1",
                    "1/(1 + e^(-M))",
                    "->",
                    "1",
                    scope=scope,
                    condition="M -> oo",
                    decimals=False,
                ),
                line("alpha_1", "->", "0", scope=scope, condition="M -> -oo", decimals=False),
                line("beta", "e^-20", scope=scope),
                line("e^-1000"),
                line("e^1000", ">", "10^400"),
            ),
            check("`1 - 1` is `0`", "subtraction", line("1 - 1", "0")),
        ),
        Step(
            "Six keys",
            (),
            (),
            "",
            (
                line("Z", SIX, scope={"Z": value_of(tree(SIX))}),
                line(
                    "alpha_6",
                    f"e^(-5/sqrt(2))/({SIX})",
                    scope={"alpha_6": value_of(tree(f"e^(-5/sqrt(2))/({SIX})"))},
                ),
            ),
            check(
                "the sum of six exponentials is above `6*e^-5`",
                "term by term",
                line(SIX, ">", "6*e^(-5)"),
            ),
            level=Level.NORMAL,
        ),
    )
    return Derivation(
        "limit-of-one",
        "theorem",
        "One score grows without bound",
        prose("The weight of a key whose score grows goes to `1`."),
        (),
        steps,
        (),
        {
            "CASE.weights": [Result(value_of(tree(share))), Result(tiny)],  # type: ignore[arg-type]
            "total": Result(huge),
        },
    )


SIX = (
    "e^(1/sqrt(2)) + e^(-1/sqrt(2)) + e^(3/sqrt(2)) + e^(-3/sqrt(2)) + e^(5/sqrt(2))"
    " + e^(-5/sqrt(2))"
)
SAMPLES = [aligned_keys(), self_attention(), limits()]
_ = Exact, Mul, Neg
