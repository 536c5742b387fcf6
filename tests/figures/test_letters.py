"""Mathematics in labels says what the text says, and takes no more room than is kept for it."""

from __future__ import annotations

from unicodedata import normalize

import pytest
from hypothesis import assume, given, settings

from symattn.exact.parse import parse
from symattn.exact.tree import Apply, Indexed, Node, Sum, Symbol
from symattn.figures.letters import Run, extent, runs, width
from symattn.render.unicode import to_unicode
from tests.render.trees import matrices, scalars


def said(text: str) -> str:
    """The letters and digits of a text, subscripts as plain ones."""
    return "".join(char for char in normalize("NFKC", text) if char.isalnum())


def joined(*parts: str | Node) -> str:
    return "".join(run.text for run in runs(parts))


@settings(max_examples=200)
@given(scalars)
def test_a_label_has_the_letters_and_digits_of_the_text(tree: Node):
    text = to_unicode(tree)
    assume("root(" not in text)  # a root of the fifth order has its index as a sign in LaTeX
    assert said(joined(tree)) == said(text)
    assert not set("\\^_~$") & set(joined(tree))


@settings(max_examples=20)
@given(matrices)
def test_a_matrix_is_written_in_one_line(tree: Node):
    assert joined(tree) == to_unicode(tree)


@pytest.mark.parametrize(
    ("tree", "expected"),
    [
        (Symbol("alpha_1_2"), [Run("α", True), Run("1,2", False, 0.72, -0.22)]),
        (Symbol("d_k"), [Run("d", True), Run("k", True, 0.72, -0.22)]),
        (Symbol("oo"), [Run("∞")]),
        (Symbol("S_scaled"), [Run("S", True), Run("scaled", False, 0.72, -0.22)]),
        (parse("-0.7071", symbols=None).tree, [Run("−0.7071")]),
        (parse("4.540e-5", symbols=None).tree, [Run("4.540e-5")]),
        (Apply("dot", (Symbol("q"), Symbol("k"))), [Run("q", True), Run("·"), Run("k", True)]),
        (parse("e^2", symbols=None).tree, [Run("e", True), Run("2", False, 0.72, 0.36)]),
    ],
)
def test_letters_are_slanted_digits_upright_and_indices_small(tree: Node, expected: list[Run]):
    assert list(runs((tree,))) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [("sqrt(d_k)", "√dk"), ("sqrt(2)", "√2"), ("sqrt(x + 1)", "√(x + 1)"), ("cbrt(2)", "∛2")],
)
def test_a_root_has_brackets_where_its_end_would_be_unclear(text: str, expected: str):
    assert joined(parse(text, symbols=None).tree) == expected


def test_sums_and_limits_stay_in_one_line():
    body = Indexed("s", (Symbol("j"),))
    tree = Sum(body, "j", parse("1").tree, Symbol("n"))
    assert joined(tree) == "∑j=1n sj"


def test_words_and_mathematics_stand_side_by_side():
    assert joined("at ", Symbol("M"), " = 5") == "at M = 5"
    assert [run.italic for run in runs(("at ", Symbol("M"), " = 5"))] == [False, True, False]


def test_steering_characters_of_a_user_are_not_written():
    assert joined("a\x1b[31m\nb") == "a [31m b"


def test_room_grows_with_size_weight_and_index():
    assert width(("MM",), 20) == 2 * width(("M",), 20) == 4 * width(("M",), 10)
    assert width(("M",), 10, strong=True) > width(("M",), 10)
    above, below = extent((Symbol("k_1"),), 10)
    assert above == extent((Symbol("k"),), 10)[0]
    assert below > extent((Symbol("k"),), 10)[1]


def test_an_unknown_character_is_taken_to_be_as_wide_as_it_is_high():
    assert width(("漢",), 10) == 10
