"""The exact value of a tree and its ball agree; what a tree cannot be is refused."""

from __future__ import annotations

from fractions import Fraction

import pytest
from flint import fmpq
from hypothesis import given, settings
from hypothesis import strategies as st

from symattn.errors import DomainError, InputError, ShapeError
from symattn.exact.equality import equal
from symattn.exact.evaluate import evaluate, tree_ball, value_of
from symattn.exact.functions import root
from symattn.exact.numbers import rational, symbol
from symattn.exact.parse import parse
from symattn.exact.tree import Add, Apply, Constant, Number, Pow, Symbol
from tests.exact.strategies import algebraic, encloses, exact, mp, numbers, rationals, roots, signed


def tree(text: str):
    return parse(text, symbols=None).tree


@given(numbers)
@settings(max_examples=150)
def test_the_value_lies_in_the_ball_of_the_tree(text):
    for bits in (40, 300):
        ball = tree_ball(tree(text), bits)
        assert not ball.is_finite() or ball.overlaps(exact(text).enclose(bits))
    assert encloses(tree_ball(tree(text), 900), mp(text))


@given(
    signed(st.one_of(rationals, roots)), st.sampled_from(["sinh", "cosh", "tanh", "sigmoid", "exp"])
)
@settings(max_examples=80)
def test_functions_agree_with_their_balls(text, name):
    call = f"{name}({text})"
    assert tree_ball(tree(call), 300).overlaps(exact(call).enclose(300))
    assert encloses(exact(call).enclose(900), mp(call))


@pytest.mark.parametrize(
    "text",
    [
        "(-8)^(1/3)",
        "(-8)^(2/3)",
        "(-1/8)^(-1/3)",
        "cbrt(-2) + root(-3, 5)",
        "2^sqrt(2)",
        "2^(-0.5)",
        "(1/3)^(5/2)",
        "pi^sqrt(2)",
        "e^(1/3)",
        "e^-2",
        "50%",
        "(2 + sqrt(3))^(-3)",
        "log(10)/log(2)",
        "-(-2)^2",
        "-2^2",
    ],
)
def test_powers_roots_and_signs_agree_with_their_balls(text):
    assert tree_ball(tree(text), 300).overlaps(exact(text).enclose(300))


@given(algebraic)
@settings(max_examples=40)
def test_a_planted_wrong_value_is_outside_the_ball(text):
    wrong = exact(text) + Fraction(1, 10**40)
    assert not tree_ball(tree(text), 900).overlaps(wrong.enclose(900))


@pytest.mark.parametrize(
    "text", ["1/0", "0^0", "log(0)", "sqrt(-1)", "(-1)^(1/2)", "log(-2)", "0^(-1)"]
)
def test_what_has_no_value_has_no_finite_ball(text):
    with pytest.raises(DomainError):
        exact.__wrapped__(text)
    assert not tree_ball(tree(text), 100).is_finite()


def test_a_scope_gives_names_their_values():
    two = {"x": rational(2), "v": (rational(1), rational(3))}
    assert equal(evaluate(tree("x^2 + y"), two), symbol("y") + 4)
    assert [str(x.as_rational()) for x in value_of(tree("x*v"), two)] == ["2", "6"]
    assert value_of(Apply("dot", (Symbol("v"), Symbol("v"))), two).as_rational() == 10


def test_arrays_are_values_and_numbers_are_not():
    matrix = value_of(tree("[[1, 2], [3, 4]]/2"))
    assert [[str(x.as_rational()) for x in row] for row in matrix] == [["1/2", "1"], ["3/2", "2"]]
    with pytest.raises(InputError, match=r"a value of shape \(2,\) stands where one number is due"):
        evaluate(tree("[1, 2]"))
    with pytest.raises(InputError, match="stands where one number is due"):
        value_of(Pow(tree("[1, 2]"), tree("2")))
    with pytest.raises(ShapeError, match=r"shapes \(2,\) and \(3,\) cannot be added"):
        value_of(Add((tree("[1, 2]"), tree("[1, 2, 3]"))))
    with pytest.raises(InputError, match="a vector stands where one number is due"):
        tree_ball(tree("[1, 2]"), 64)


def test_a_symbol_has_no_ball():
    with pytest.raises(InputError, match="the symbol M is open: it has no value"):
        tree_ball(tree("M + 1"), 64)


def test_a_decimal_is_the_rational_that_it_spells():
    assert exact("0.1").as_rational() == fmpq(1, 10)
    assert exact("2.06e-9").as_rational() == fmpq(206, 10**11)
    assert tree_ball(Number(Fraction(1, 10), "0.1"), 200).overlaps(exact("1/10").enclose(200))


def test_e_to_a_tree_is_exp():
    node = Pow(Constant("e"), tree("1/sqrt(2)"))
    assert equal(evaluate(node), exact("exp(sqrt(2)/2)"))
    assert equal(evaluate(tree("e")) ** 2, exact("exp(2)"))
    assert equal(root(evaluate(tree("e")), 2), exact("exp(1/2)"))
