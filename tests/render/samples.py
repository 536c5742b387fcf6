"""Derivations made by hand, which together hold whatever a printer may meet."""

from __future__ import annotations

from typing import Any, Literal, cast

from symattn.derivation import Check, CrossCheck, Derivation, Level, Line, Result, Side, Step, prose
from symattn.derivation.model import Relation
from symattn.exact.evaluate import Scope, evaluate, value_of
from symattn.exact.parse import parse
from symattn.exact.tree import Apply, Array, Div, Node, Root, Symbol
from symattn.exact.vectors import Value
from symattn.exact.writing import to_tree

SIGNS = ("=", "<", ">", "<=", ">=", "!=", "->")
TOTAL = "1 + e^(1/sqrt(2)) + e^(-1/sqrt(2))"
SHARE = "e^M/(e^M + 1)"
SIX = " + ".join(f"e^({x}/sqrt(2))" for x in (1, -1, 3, -3, 5, -5))
X = "[[1, 0], [0, 1], [1, 1]]"
SCALED = "[[1/sqrt(2), 0, 1/sqrt(2)], [0, 1/sqrt(2), 1/sqrt(2)], [1/sqrt(2), 1/sqrt(2), sqrt(2)]]"


def tree(text: str) -> Node:
    return parse(text, symbols=None).tree


def written(value: Value) -> Node:
    if isinstance(value, tuple):
        return Array(tuple(map(written, value)))
    return to_tree(value)


def results(value: Value) -> Any:
    return [results(entry) for entry in value] if isinstance(value, tuple) else Result(value)


def line(
    *parts: str | Node, scope: Scope | None = None, full: tuple[int, ...] = (), **options: Any
) -> Line:
    """A line of sides, with a relation between two of them where it is not `=`."""
    sides: list[Side] = []
    relations: list[Relation] = []
    relation: Relation = "="
    for part in parts:
        if isinstance(part, str) and part in SIGNS:
            relation = cast(Relation, part)
            continue
        if sides:
            relations.append(relation)
        level = Level.FULL if len(sides) in full else Level.BRIEF
        sides.append(Side(tree(part) if isinstance(part, str) else part, scope or {}, level))
        relation = "="
    return Line(tuple(sides), tuple(relations), **options)


def step(title: str, what: str, why: str, *chain: Line, check: Check, **options: Any) -> Step:
    return Step(title, prose(what), prose(why), options.pop("rule", ""), chain, check, **options)


def check(claim: str, method: str, *lines: Line, scope: Scope | None = None) -> Check:
    return Check(prose(claim, scope), method, lines)


def derivation(
    name: str, kind: Literal["theorem", "problem"], title: str, **parts: Any
) -> Derivation:
    empty: dict[str, Any] = dict.fromkeys(("statement", "given", "steps", "conclusion"), ())
    return Derivation(name, kind, title, **{**empty, "results": {}, **parts})


def define(scope: dict[str, Value], name: str, text: str) -> Line:
    scope[name] = value_of(tree(text), scope)
    return line(name, text, scope=scope, decimals=False)


def vectors() -> Derivation:
    """One query and three keys: vectors, negative numbers, nested fractions, roots, substeps."""
    scope: dict[str, Value] = {}
    data = {"q": "(1, 0)", "k_1": "(1, 0)", "k_2": "(-1, 0)", "k_3": "(0, 1)", "d_k": "2"}
    given = tuple(define(scope, name, text) for name, text in data.items())
    products = {1: ("1*1 + 0*0", "1"), 2: ("1*(-1) + 0*0", "-1"), 3: ("1*0 + 0*1", "0")}
    scores, scaled, weights = [], [], []
    for j, (product, score) in products.items():
        dot = Apply("dot", (Symbol("q"), Symbol(f"k_{j}")))
        scope[f"s_{j}"] = value_of(tree(score))
        scores.append(line(f"s_{j}", dot, product, score, scope=scope, full=(2,)))
        quotient, root = Div(Symbol(f"s_{j}"), Root(Symbol("d_k"), 2)), f"{score}/sqrt(2)"
        scope[f"u_{j}"] = value_of(quotient, scope)
        scaled.append(line(f"u_{j}", quotient, root, scope=scope))
        weight = f"e^({root})/({TOTAL})"
        scope[f"alpha_{j}"] = value_of(tree(weight))
        weights.append(line(f"alpha_{j}", weight, written(scope[f"alpha_{j}"]), scope=scope))
    blend = tree("(3*alpha_1 + alpha_2*0 + alpha_3*0, alpha_1*0 + 3*alpha_2 + alpha_3*0)")
    scope["z"] = value_of(blend, scope)
    norm = Apply("norm", (Symbol("q"),))
    scale = step(
        "The scale",
        "`sqrt(2)` is about {sqrt(2)}.",
        "",
        line("1/sqrt(2)", "sqrt(2)/2"),
        check=check("its square is `1/2`", "squaring", line("(1/sqrt(2))^2", "1/2")),
    )
    steps = (
        step(
            "Raw scores",
            "Take the dot product of the query with each key, `s_1`, `s_2` and `s_3`.",
            "The dot product is large where a key points the way of the query, `0` where it is"
            " orthogonal, and negative where it is opposed; nothing else is looked at.",
            *scores,
            check=check(
                "no score is above the length of the query, as each key has length `1`",
                "Cauchy–Schwarz",
                line("s_1", "<=", norm, scope=scope),
                line("s_2", "<", norm, scope=scope),
            ),
            rule="the definition of the score",
        ),
        step(
            "Scaled scores",
            "Divide each score by `sqrt(d_k)`.",
            "A sum of `d_k` products has a spread that grows like `sqrt(d_k)`.",
            *scaled,
            check=check(
                "the squares of the scaled scores add up to `1`",
                "another route",
                line("(1/sqrt(2))^2 + (-1/sqrt(2))^2 + 0^2", "1/2 + 1/2", "1"),
            ),
            steps=(scale,),
        ),
        step(
            "Weights and output",
            "Divide each exponential by their sum, and blend the values.",
            "Only positive numbers that add up to `1` make an average.",
            *weights,
            line("z", blend, written(scope["z"]), scope=scope),
            check=check(
                "the weights add up to `1`; the first is {alpha_1}",
                "exact sum",
                line("alpha_1 + alpha_2 + alpha_3", "1", scope=scope),
                scope=scope,
            ),
        ),
    )
    return derivation(
        "ex-vectors",
        "problem",
        "Aligned, opposed and orthogonal keys",
        statement=prose("One query `q` attends to three keys. Where does the output `z` lie?"),
        given=given,
        steps=steps,
        conclusion=prose("The output is about {z}: never without `v_2`.", scope),
        results={
            "weights": [results(scope[f"alpha_{j}"]) for j in products],
            "output": results(scope["z"]),
        },
        crosscheck=CrossCheck("numeric.attention in float64", 0.25),
        assumptions=(prose("The values are what each key stands for."),),
        forecast=prose("Which weight is the largest, and is any of them `0`?"),
        notes=("The numbers of V.csv are taken at their exact binary value.",),
    )


def matrices() -> Derivation:
    """Chains of 3x3 matrices, one of them wider than a line; masked entries; two indices."""
    scope: dict[str, Value] = {name: value_of(tree(X)) for name in ("Q", "K", "V")}
    scope |= {"d_k": evaluate(tree("2")), "alpha_1_12": evaluate(tree("0"))}
    product = Apply("matmul", (Symbol("Q"), Apply("transpose", (Symbol("K"),))))
    numbers = Apply("matmul", (tree(X), Apply("transpose", (tree(X),))))
    scope["S"] = value_of(product, scope)
    scores, quotient = written(scope["S"]), Div(Symbol("S"), Root(Symbol("d_k"), 2))
    weights = Apply("softmax", (quotient,))
    scope["A"] = value_of(weights, scope)
    masked = Array(
        (
            Array((tree("1/sqrt(2)"), Symbol("-oo"), Symbol("-oo"))),
            Array((tree("0"), tree("-1/sqrt(2)"), Symbol("-oo"))),
        )
    )
    scope["B"] = value_of(masked)
    steps = (
        step(
            "All scores in one product",
            "",
            "Entry `S_{2,3}` of the product is one dot product.",
            line("S", product, numbers, scores, scope=scope, full=(2,)),
            check=check(
                "`S` is its own transpose",
                "entry by entry",
                line(Apply("transpose", (scores,)), scores),
            ),
        ),
        step(
            "Softmax by rows",
            "Scale by `1/sqrt(d_k)` and normalise each row.",
            "",
            line(quotient, Div(scores, tree("sqrt(2)")), SCALED, scope=scope),
            line("A", weights, written(scope["A"]), scope=scope),
            check=check("half of `2` is `1`", "arithmetic", line("2/2", "1")),
        ),
        step(
            "With a causal mask",
            "A token that comes later has no weight.",
            "",
            line("B", masked, scope=scope),
            line("alpha_{1,12}", "0", scope=scope),
            check=check("a masked weight is `0`", "definition", line("0*e^4", "0")),
        ),
    )
    return derivation(
        "ex-matrices",
        "problem",
        "Three tokens attend to each other",
        given=(line("Q", "K", "V", X, scope=scope, decimals=False),),
        steps=steps,
        results={
            "scores": results(scope["S"]),
            "scaled": [[None, *results(scope["S"])[0][1:]]],
            "weights": results(scope["A"]),
        },
        crosscheck=CrossCheck("numeric.attention", 0.5, " with the same mask"),
    )


def limits() -> Derivation:
    """Symbols left open, limits with conditions, long sums, numbers from tiny to huge."""
    tail = f"e^(-5/sqrt(2))/({SIX})"
    scope: dict[str, Value] = {"alpha_1": value_of(tree(SHARE)), "beta": value_of(tree("e^-20"))}
    scope |= {"Z": value_of(tree(SIX)), "alpha_6": value_of(tree(tail))}
    long = Array(tuple(tree(f"e^({x}/sqrt(2))/({SIX})") for x in (1, -1, 3)))
    options: dict[str, Any] = {"scope": scope, "decimals": False}
    steps = (
        step(
            "The share of the first key",
            "Divide above and below by `e^M`.",
            "What is left depends on `e^(-M)` alone; at `20` that is {e^(-20)}.",
            line("alpha_1", SHARE, "1/(1 + e^(-M))", scope=scope),
            line("1/(1 + e^(-M))", "->", "1", condition="M -> oo", **options),
            line("alpha_1", "->", "0", condition="M -> -oo", **options),
            line("beta", "e^-20", scope=scope),
            line("e^-1000"),
            line("e^1000", ">", "10^400"),
            check=check("both forms are one", "normal form", line(SHARE, "1/(1 + e^(-M))")),
        ),
        step(
            "Six keys",
            "",
            "",
            line("Z", SIX, scope=scope),
            line("alpha_6", tail, scope=scope),
            line("z", long, scope={**scope, "z": value_of(long)}),
            check=check("six exponentials exceed `6*e^-5`", "by terms", line(SIX, ">", "6*e^(-5)")),
            level=Level.NORMAL,
        ),
        step(
            "A detail",
            "Only who asks for everything sees this.",
            "",
            line("cbrt(8)", "2"),
            check=check("`2^3` is `8`", "arithmetic", line("2^3", "8")),
            level=Level.FULL,
        ),
    )
    return derivation(
        "limit-of-one",
        "theorem",
        "One score grows without bound",
        statement=prose("The weight of a key whose score grows goes to `1`."),
        steps=steps,
        results={
            "CASE.weights": [results(scope["alpha_1"]), results(value_of(tree("e^-1000")))],
            "total": results(value_of(tree("e^1000"))),
        },
    )


SAMPLES = [vectors(), matrices(), limits()]
