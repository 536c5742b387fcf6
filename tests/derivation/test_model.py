"""The document model: what does not hold cannot be built, and the message says what and why."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from symattn.derivation import Check, CrossCheck, Level, Line, Side
from symattn.derivation.model import Relation
from symattn.errors import InputError, ShapeError, StepError
from symattn.exact.numbers import rational
from symattn.exact.parse import parse
from symattn.exact.tree import Apply, Symbol


def side(text: str, **scope: object) -> Side:
    return Side(parse(text, symbols=None).tree, scope)  # type: ignore[arg-type]


TRUE: list[tuple[str, Relation, str]] = [
    ("1/sqrt(2)", "=", "sqrt(2)/2"),
    ("e^2/(e^2 + e)", "=", "1/(1 + 1/e)"),
    ("(1, 2)", "=", "(2/2, 4/2)"),
    ("M + M", "=", "2*M"),
    ("1/3", "<", "0.3334"),
    ("e", ">", "2.71828"),
    ("sqrt(2)*sqrt(2)", "<=", "2"),
    ("2", ">=", "2"),
    ("e^(-20)", "!=", "e^(-20)/(1 + e^(-20))"),
    ("(1, 2)", "!=", "(2, 1)"),
]
FALSE: list[tuple[str, Relation, str]] = [
    ("1/sqrt(2)", "=", "0.7071"),
    ("e^(-40)", "=", "e^(-40)/(1 + e^(-40))"),
    ("(1, 2)", "=", "(2, 1)"),
    ("(1, 2)", "=", "(1, 2, 3)"),
    ("(1, 2)", "=", "1"),
    ("M + M", "=", "M^2"),
    ("1/3", "<", "0.3333"),
    ("2", "<", "2"),
    ("2", ">", "2"),
    ("3", "<=", "2"),
    ("sqrt(2)/2", "!=", "1/sqrt(2)"),
]


@pytest.mark.parametrize(("left", "relation", "right"), TRUE)
def test_a_line_that_holds_can_be_built(left: str, relation: Relation, right: str):
    assert Line((side(left), side(right)), (relation,)).relations == (relation,)


@pytest.mark.parametrize(("left", "relation", "right"), FALSE)
def test_a_line_that_does_not_hold_cannot_be_built(left: str, relation: Relation, right: str):
    with pytest.raises(StepError, match="does not hold"):
        Line((side(left), side(right)), (relation,))


def test_the_message_names_both_sides():
    with pytest.raises(StepError) as caught:
        Line((side("1/2"), side("2/3")))
    assert str(caught.value) == ("1/2 = 2/3 does not hold: the two sides are proved different")


def test_an_undecided_line_is_refused_with_its_bound():
    # Equal, but by an identity between exponents that are quotients: neither proved nor refuted.
    left, right = side("exp(1/(1 + e))*exp(e/(1 + e))"), side("e")
    with pytest.raises(StepError, match=r"is undecided \(\|difference\| < "):
        Line((left, right))


def test_every_link_of_a_chain_is_checked():
    with pytest.raises(StepError, match="4/8 = 1/3"):
        Line((side("1/2"), side("2/4"), side("4/8"), side("1/3")))


def test_a_side_has_the_value_of_what_it_shows_and_takes_no_other():
    assert side("2*x", x=rational(3)).value.as_rational() == 6  # type: ignore[union-attr]
    with pytest.raises(TypeError):
        Side(parse("1").tree, {}, value=rational(2))  # type: ignore[call-arg]


def test_a_limit_arrow_is_not_an_equality():
    line = Line((side("1/(1 + e^(-M))"), side("1")), ("->",), condition="M -> oo")
    assert line.relations == ("->",)


def test_order_between_vectors_is_refused():
    with pytest.raises(InputError, match="one number is due"):
        Line((side("(1, 2)"), side("(2, 3)")), ("<",))


def test_a_check_without_a_line_checks_nothing_and_is_refused():
    with pytest.raises(StepError, match="nothing was checked"):
        Check(("all is well",), "by looking", ())


@pytest.mark.parametrize("worst", [1.0000001, float("inf"), float("nan")])
def test_a_cross_check_beyond_its_bound_cannot_be_built(worst: float):
    with pytest.raises(StepError, match="the cross-check against NumPy fails"):
        CrossCheck("NumPy", worst)


@pytest.mark.parametrize("operator", ["norm", "entropy", "sum", "max", "transpose"])
def test_operations_on_a_number_where_a_vector_is_due_are_refused(operator: str):
    with pytest.raises(ShapeError, match="a number stands where"):
        Side(Apply(operator, (Symbol("a"),)), {"a": rational(1)})


@given(st.fractions(), st.fractions())
def test_a_line_of_two_rationals_can_be_built_exactly_if_they_are_equal(a, b):
    sides = tuple(side(f"({x.numerator})/({x.denominator})") for x in (a, b))
    if a == b:
        assert Line(sides)
    else:
        with pytest.raises(StepError):
            Line(sides)
        assert Line(sides, ("<",) if a < b else (">",))


def test_levels_are_ordered():
    assert Level.BRIEF < Level.NORMAL < Level.FULL
