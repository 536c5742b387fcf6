"""What is printed is what was meant: our own parser reads each printed tree back to its value."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import fields, replace
from fractions import Fraction
from functools import partial
from typing import Any

import pytest
from flint import arb
from hypothesis import assume, given, reject, settings

from symattn.errors import CostError
from symattn.exact.evaluate import tree_ball
from symattn.exact.parse import parse
from symattn.exact.plain import to_text
from symattn.exact.tree import Add, Apply, Array, Div, Node, Number, Root, Symbol
from symattn.render.latex import to_latex
from symattn.render.unicode import to_unicode
from tests.render.trees import NAMES, matrices, number, scalars, vectors

BITS = 300
WRITERS: list[Callable[[Node], str]] = [
    to_text,
    to_unicode,
    to_latex,
    partial(to_latex, inline=True),
]


def closed(node: Any) -> Any:
    """A tree in which each symbol stands for a number of its own."""
    if isinstance(node, Symbol):
        return number(str(NAMES.index(node.name) + 2))
    if isinstance(node, tuple):
        return tuple(map(closed, node))
    if not isinstance(node, Node.__args__):  # type: ignore[attr-defined]
        return node
    return replace(node, **{f.name: closed(getattr(node, f.name)) for f in fields(node)})


def balls(node: Node) -> list[Any]:
    """The enclosures of a tree's entries, as deep as its arrays."""
    if isinstance(node, Array):
        return [balls(entry) for entry in node.entries]
    return [tree_ball(closed(node), BITS)]


def flat(found: list[Any]) -> list[arb]:
    return [x for part in found for x in (flat(part) if isinstance(part, list) else [part])]


def form(found: Any) -> Any:
    return [form(part) for part in found] if isinstance(found, list) else "one number"


def assert_reads_back(write: Callable[[Node], str], node: Node) -> None:
    expected, text = balls(node), write(node)
    try:
        tree = parse(text, symbols=NAMES).tree
    except CostError:
        reject()  # towers of powers are refused, however they are written
    found = balls(tree)
    assert form(found) == form(expected), text
    for ball, other in zip(flat(found), flat(expected), strict=True):
        assert ball.overlaps(other), text


@settings(max_examples=500)
@given(node=scalars)
def test_a_scalar_is_read_back_to_its_value(node: Node) -> None:
    assume(all(ball.is_finite() for ball in flat(balls(node))))
    for write in WRITERS:
        assert_reads_back(write, node)


@settings(max_examples=50)
@given(node=vectors | matrices)
def test_an_array_is_read_back_to_its_entries(node: Node) -> None:
    assume(all(ball.is_finite() for ball in flat(balls(node))))
    for write in WRITERS:
        assert_reads_back(write, node)


def test_a_wrong_reading_is_noticed() -> None:
    with pytest.raises(AssertionError, match="1/"):
        assert_reads_back(lambda _: "1/2*x", parse("1/(2*x)", symbols=NAMES).tree)
    with pytest.raises(AssertionError, match=r"\("):
        assert_reads_back(lambda _: "(1, 2)", parse("(1, 2, 3)").tree)


# The tree, as plain text, and how it is printed in Unicode and in LaTeX.
PRINTED = [
    ("1/sqrt(2)", "1/√2", r"\frac{1}{\sqrt{2}}"),
    ("e^(-1/sqrt(2))", "e^(−1/√2)", r"e^{-1/\sqrt{2}}"),
    ("exp(1/sqrt(2))/(1 + exp(2))", "e^(1/√2)/(1 + e²)", r"\frac{e^{1/\sqrt{2}}}{1 + e^{2}}"),
    ("e^M", "e^M", "e^{M}"),
    ("e^x_1", "e^x₁", "e^{x_{1}}"),
    ("e^x_1_2/2", "e^(x₁,₂)/2", r"\frac{e^{x_{1,2}}}{2}"),
    ("e^(-M)", "e^(−M)", "e^{-M}"),
    ("e^-20", "e⁻²⁰", "e^{-20}"),
    ("x^2", "x²", "x^{2}"),
    ("x_1^2", "x₁²", "x_{1}^{2}"),
    ("x^2000", "x^2000", "x^{2000}"),
    ("(x^2)^3", "(x²)³", r"(x^{2})^{3}"),
    ("sqrt(2)^2", "(√2)²", r"\sqrt{2}^{2}"),
    ("(-2)^2", "(−2)²", "(-2)^{2}"),
    ("(1/2)^2", "(1/2)²", r"\left(\frac{1}{2}\right)^{2}"),
    ("cbrt(2)", "∛2", r"\sqrt[3]{2}"),
    ("root(2, 5)", "root(2, 5)", r"\sqrt[5]{2}"),
    ("sqrt(1 + x)", "√(1 + x)", r"\sqrt{1 + x}"),
    ("sqrt(d_k)", "√dₖ", r"\sqrt{d_{k}}"),
    ("2*sqrt(2)", "2√2", r"2 \sqrt{2}"),
    ("2*3", "2·3", r"2 \cdot 3"),
    ("1*(-1) + 0*2", "1·(−1) + 0·2", r"1 \cdot (-1) + 0 \cdot 2"),
    ("(1/2)*3", "(1/2)·3", r"\frac{1}{2} \cdot 3"),
    ("0.5*x", "0.5·x", r"0.5 \cdot x"),
    ("alpha_1*v_1 - alpha_2*v_2", "α₁ v₁ − α₂ v₂", r"\alpha_{1} v_{1} - \alpha_{2} v_{2}"),
    ("x*(1 + x)", "x·(1 + x)", r"x \cdot (1 + x)"),
    ("1 - (2 - 3)", "1 − (2 − 3)", "1 - (2 - 3)"),
    ("(1/2)/3", "(1/2)/3", r"\frac{\frac{1}{2}}{3}"),
    ("1/(2*3)", "1/(2·3)", r"\frac{1}{2 \cdot 3}"),
    ("-1/2", "−1/2", r"-\frac{1}{2}"),
    ("log(2)", "ln(2)", r"\ln(2)"),
    ("sigmoid(x)", "sigmoid(x)", r"\mathrm{sigmoid}(x)"),
    ("alpha_1_2", "α₁,₂", r"\alpha_{1,2}"),
    ("alpha_1_12", "α₁,₁₂", r"\alpha_{1,12}"),
    ("W_Q", "W_Q", "W_{Q}"),
    ("v1", "v₁", "v_{1}"),
    ("pressure", "pressure", r"\mathrm{pressure}"),
    ("pi", "π", r"\pi"),
    ("5%", "5%", r"5\%"),
    ("2.06e-9", "2.06e-9", r"\text{2.06e-9}"),
    ("0.5760", "0.5760", "0.5760"),
    ("(1, 1/2)", "(1, 1/2)", r"\left(1, \frac{1}{2}\right)"),
    ("[[1, 0], [0, 1]]", "[1, 0; 0, 1]", "\\begin{bmatrix}\n1 & 0 \\\\\n0 & 1\n\\end{bmatrix}"),
    ("{1, 2}", "{1, 2}", r"\lbrace 1, 2 \rbrace"),
]


@pytest.mark.parametrize(("plain", "in_unicode", "in_latex"), PRINTED, ids=lambda text: text)
def test_a_tree_is_printed_as_on_paper(plain: str, in_unicode: str, in_latex: str) -> None:
    tree = parse(plain, symbols=None).tree
    assert (to_unicode(tree), to_latex(tree)) == (in_unicode, in_latex)


Q, K, V, SCALE = (Symbol(name) for name in ("Q", "K", "V", "d_k"))
SCORES = Apply("matmul", (Q, Apply("transpose", (K,))))
PAIR = parse("(1, x)", symbols=None).tree
OPERATIONS = [
    (Apply("dot", (Symbol("q"), Symbol("k_1"))), "q·k₁", r"q \cdot k_{1}"),
    (SCORES, "Q Kᵀ", r"Q K^{\top}"),
    (
        Apply("matmul", (Apply("softmax", (Div(SCORES, Root(SCALE, 2)),)), V)),
        "softmax(Q Kᵀ/√dₖ) V",
        r"\mathrm{softmax}\left(\frac{Q K^{\top}}{\sqrt{d_{k}}}\right) V",
    ),
    (Apply("matmul", (Q, Apply("matmul", (K, V)))), "Q (K V)", "Q (K V)"),
    (Apply("transpose", (SCORES,)), "(Q Kᵀ)ᵀ", r"(Q K^{\top})^{\top}"),
    (Apply("norm", (Symbol("q"),)), "|q|", r"\left\lvert q \right\rvert"),
    (Apply("entropy", (Symbol("alpha"),)), "H(α)", r"H(\alpha)"),
    (Apply("max", (PAIR,)), "max(1, x)", r"\max(1, x)"),
    (Apply("sum", (Symbol("alpha"),)), "sum(α)", r"\mathrm{sum}(\alpha)"),
    (Symbol("-oo"), "−∞", r"-\infty"),
    (Array((Symbol("-oo"), Symbol("oo"))), "(−∞, ∞)", r"(-\infty, \infty)"),
    (Add((Symbol("x"), Symbol("-oo"))), "x − ∞", r"x - \infty"),
    (Number(Fraction(-1, 2), "-1/2"), "−1/2", r"-\frac{1}{2}"),
]


@pytest.mark.parametrize(("node", "in_unicode", "in_latex"), OPERATIONS, ids=lambda part: str(part))
def test_an_operation_is_printed_as_on_paper(node: Node, in_unicode: str, in_latex: str) -> None:
    assert (to_unicode(node), to_latex(node)) == (in_unicode, in_latex)


@given(node=scalars | vectors | matrices)
def test_latex_keeps_to_what_every_renderer_takes(node: Node) -> None:
    """GitHub has no \\operatorname, strips the backslash of signs, and takes `<b` for a tag."""
    latex = to_latex(node)
    assert not re.search(r"\\operatorname|\\[,;:!{}]|<|\\\\(?!\n)", latex)
    assert "\n" not in to_latex(node, inline=True)
