"""The stream of blocks: decimals are made there, and hidden sides leave no gap."""

from __future__ import annotations

import pytest

from symattn.derivation import Level, Line, Side, prose
from symattn.derivation.blocks import Options, decimal_tree, formulas, inline
from symattn.exact.evaluate import value_of
from symattn.exact.parse import parse
from symattn.exact.plain import to_text
from symattn.exact.tree import Node


def side(text: str, level: Level = Level.BRIEF) -> Side:
    return Side(parse(text, symbols=None).tree, {}, level)


def shown(line: Line, **options) -> str:
    (formula,) = formulas((line,), Options(**options))
    return " ".join([text(formula.first), *(f"{r} {text(node)}" for r, node in formula.links)])


def text(node: Node) -> str:
    return to_text(node)


@pytest.mark.parametrize(
    ("exact", "digits", "wanted"),
    [
        ("1/sqrt(2)", 4, "1/sqrt(2) ≈ 0.7071"),
        ("1/8", 4, "1/8 = 0.125"),
        ("1/8", 2, "1/8 ≈ 0.13"),
        ("2", 4, "2"),
        ("-2/3", 3, "-2/3 ≈ -0.667"),
        ("e^(-20)", 3, "e^(-20) ≈ 2.06e-9"),
        ("(1/2, 1/3)", 4, "[1/2, 1/3] ≈ [0.5, 0.3333]"),
        ("(1/2, 1/4)", 4, "[1/2, 1/4] = [0.5, 0.25]"),
        ("M + 1", 4, "M + 1"),
        ("123456", 4, "123456 ≈ 1.235e5"),
    ],
)
def test_a_decimal_follows_by_equality_only_where_it_is_the_value(exact, digits, wanted):
    assert shown(Line((side(exact),)), digits=digits) == wanted


def test_ties_go_the_way_that_is_asked_for():
    line = Line((side("1/8"),))
    assert shown(line, digits=2, ties="half-even") == "1/8 ≈ 0.12"


def test_a_hidden_side_leaves_its_relation_to_the_next():
    chain = Line((side("1"), side("2", Level.FULL), side("4/2")), ("<", "="), decimals=False)
    assert shown(chain, level=Level.BRIEF) == "1 < 4/2"
    assert shown(chain, level=Level.FULL) == "1 < 2 = 4/2"


def test_the_same_value_has_the_same_digits_in_formulas_and_sentences():
    tree = parse("e/(1 + e)").tree
    scope = {"w": value_of(tree)}
    options = Options(digits=7)
    (before, decimal) = inline(prose("the weight {w}", scope), options)
    assert before == "the weight "
    assert decimal == decimal_tree(value_of(tree), options)[0]
    assert text(decimal) == "0.7310586"
