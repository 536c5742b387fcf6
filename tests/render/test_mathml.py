"""MathML says what the tree says, and is built as MathML Core wants it."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest
from hypothesis import assume, given, settings

from symattn.derivation.blocks import Formula
from symattn.derivation.notation import read
from symattn.exact.parse import parse
from symattn.exact.tree import Apply, Div, Node, Symbol
from symattn.render.flow import condition, display, inline
from symattn.render.marks import math
from symattn.render.mathml import Writer, to_mathml
from tests.render.reading import formula
from tests.render.test_trees import assert_reads_back, balls, flat
from tests.render.trees import matrices, scalars, vectors

#: Elements of MathML Core and how many children each must have, where the number is fixed.
CHILDREN = {"mfrac": 2, "msub": 2, "msup": 2, "mroot": 2, "munder": 2, "msubsup": 3}
CHILDREN |= {"munderover": 3, "mi": 0, "mn": 0, "mo": 0, "mspace": 0}
ANY = {"math", "mrow", "msqrt", "mtable", "mtr", "mtd"}


def mathml(node: Node) -> str:
    return formula(to_mathml(node))


def small(node: Node) -> str:
    return formula(to_mathml(node, inline=True))


@settings(max_examples=300)
@given(node=scalars)
def test_a_scalar_is_read_back_to_its_value(node: Node) -> None:
    assume(all(ball.is_finite() for ball in flat(balls(node))))
    for write in (mathml, small):
        assert_reads_back(write, node)


@settings(max_examples=50)
@given(node=vectors | matrices)
def test_an_array_is_read_back_to_its_entries(node: Node) -> None:
    assume(all(ball.is_finite() for ball in flat(balls(node))))
    assert_reads_back(mathml, node)


def test_a_wrong_reading_is_noticed() -> None:
    with pytest.raises(AssertionError):
        assert_reads_back(lambda node: mathml(node).replace("+", "-"), parse("1 + 2").tree)


@given(node=scalars | vectors | matrices)
def test_markup_is_mathml_core_and_holds_no_other_sign_of_minus(node: Node) -> None:
    root = ElementTree.fromstring(math(Writer().write(node)))
    for element in root.iter():
        assert element.tag in CHILDREN or element.tag in ANY
        if element.tag in CHILDREN:
            assert len(element) == CHILDREN[element.tag]
        assert "-" not in (element.text or "")
        assert "ⅇ" not in (element.text or "")


PRINTED = [
    ("2*x", "<mn>2</mn><mo>\u2062</mo><mi>x</mi>"),
    ("2*3", "<mn>2</mn><mo>⋅</mo><mn>3</mn>"),
    ("-x", "<mo>−</mo><mi>x</mi>"),
    ("1 - x", "<mn>1</mn><mo>−</mo><mi>x</mi>"),
    ("e^x", "<msup><mi>e</mi><mi>x</mi></msup>"),
    ("exp(-x)", "<msup><mi>e</mi><mrow><mo>−</mo><mi>x</mi></mrow></msup>"),
    ("x_1^2", "<msubsup><mi>x</mi><mn>1</mn><mn>2</mn></msubsup>"),
    ("x_1/2", "<mfrac><msub><mi>x</mi><mn>1</mn></msub><mn>2</mn></mfrac>"),
    ("cbrt(x)", "<mroot><mi>x</mi><mn>3</mn></mroot>"),
    ("2.06e-9", "<mn>2.06e−9</mn>"),
    ("Delta", '<mi mathvariant="normal">Δ</mi>'),
    ("log(x)", '<mi>ln</mi><mo>\u2061</mo><mrow><mo stretchy="false">(</mo><mi>x</mi>'),
    ("W_Q", "<msub><mi>W</mi><mi>Q</mi></msub>"),
    (
        "alpha_scaled_2",
        "<msubsup><mi>α</mi><mn>2</mn><mi>(scaled)</mi></msubsup>",
    ),
    (
        "[[1, 2], [3, 4]]",
        "<mo>[</mo><mtable><mtr><mtd><mn>1</mn></mtd><mtd><mn>2</mn></mtd></mtr>"
        "<mtr><mtd><mn>3</mn></mtd><mtd><mn>4</mn></mtd></mtr></mtable><mo>]</mo>",
    ),
]


@pytest.mark.parametrize(("text", "markup"), PRINTED, ids=lambda text: text)
def test_a_tree_is_set_as_in_print(text: str, markup: str) -> None:
    found = math(Writer().write(parse(text, symbols=None).tree))
    assert found.removeprefix("<math>").startswith(markup)


SYMBOLIC = [
    ("s[i, j]", "<msub><mi>s</mi><mrow><mi>i</mi><mo>\u2063</mo><mi>j</mi></mrow></msub>"),
    ("s[1]", "<msub><mi>s</mi><mn>1</mn></msub>"),
    ("delta(i, j)", "<msub><mi>δ</mi><mrow><mi>i</mi><mo>,</mo><mi>j</mi></mrow></msub>"),
    (
        "Sum(s[j], j, 1, n)",
        '<munderover><mo movablelimits="false">∑</mo><mrow><mi>j</mi><mo>=</mo><mn>1</mn></mrow>'
        "<mi>n</mi></munderover><msub>",
    ),
    ("lim(x, M, oo)", "<mrow><munder><mi>lim</mi><mrow><mi>M</mi><mo>→</mo>"),
    ("D(x, s[j])", "<mfrac><mi>∂</mi><mrow><mi>∂</mi><msub><mi>s</mi><mi>j</mi></msub></mrow>"),
    ("E(x)", '<mi mathvariant="normal">E</mi><mo>\u2061</mo><mrow><mo stretchy="false">[</mo>'),
]


@pytest.mark.parametrize(("text", "markup"), SYMBOLIC, ids=lambda text: text)
def test_statements_have_true_limits_and_indices(text: str, markup: str) -> None:
    assert math(Writer().write(read(text))).removeprefix("<math>").startswith(markup)


def test_a_sum_in_a_sentence_has_its_limits_beside_it() -> None:
    assert "<munderover><mo>∑</mo>" in to_mathml(read("Sum(s[j], j, 1, n)"), inline=True)


def test_brackets_stretch_around_what_is_tall_and_nothing_else() -> None:
    tall, low = (to_mathml(parse(text).tree) for text in ("(1/2)^2", "(1 + e)^2"))
    assert "<mo>(</mo><mfrac>" in tall
    assert '<mo stretchy="false">(</mo>' in low


def letters(markup: str) -> str:
    """What is read, without brackets, which are written anew where a formula is broken."""
    shown = re.sub(r"<annotation.*?</annotation>|<details.*?</details>", "", markup, flags=re.S)
    return re.sub(r"<[^>]*>|[()]|\s", "", shown)


SIX = " + ".join(f"e^({x}/sqrt(2))" for x in (1, -1, 3, -3, 5, -5))
WIDE = [
    SIX,
    f"-({SIX})",
    f"2*({SIX})*3",
    f"1 - ({SIX})",
    f"({SIX}, 1, x_1*x_2, {SIX})",
    f"(1/({SIX}), 2/({SIX}), 3/({SIX}))",
]


@pytest.mark.parametrize("text", WIDE)
def test_a_wide_side_is_offered_in_pieces_that_say_the_same(text: str) -> None:
    tree = parse(text, symbols=None).tree
    shown = display([Formula(Symbol("Z"), (("=", tree),))], source=False)
    assert shown.count("<wbr>") >= 2
    assert letters(shown) == "Z=" + letters(to_mathml(tree))
    assert letters(inline(tree)) == letters(to_mathml(tree, inline=True))


def test_a_product_of_matrices_is_broken_between_them() -> None:
    rows = "[[1000000, 2000000], [3000000, 4000000]]"
    product = Apply("matmul", (parse(rows).tree, parse(rows).tree))
    assert display([Formula(Symbol("Z"), (("=", product),))]).count("<wbr>") == 1


def test_what_is_too_wide_for_a_phone_can_be_scrolled_from_the_keyboard() -> None:
    row = Div(Symbol("x"), parse(SIX + "+" + SIX).tree)
    assert 'tabindex="0"' in display([Formula(Symbol("z"), (("=", row),))])
    assert 'tabindex="0"' not in display([Formula(Symbol("z"), (("=", Symbol("x")),))])


def test_a_condition_is_words_and_formulas() -> None:
    assert condition("1 <= i <= n") == (
        "<math><mn>1</mn><mo>≤</mo><mi>i</mi><mo>≤</mo><mi>n</mi></math>"
    )
    assert condition("x, <script>").count("<script>") == 0


def test_latex_stands_beside_each_display_and_in_each_formula() -> None:
    half = parse("1/2").tree
    assert r"\frac{1}{2}" in display([Formula(half, ())])
    assert '<annotation encoding="application/x-tex">1/2</annotation>' in inline(half)
