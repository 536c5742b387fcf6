"""Operations on vectors and matrices of exact numbers, and what they refuse."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from symattn.errors import DomainError, InputError, ShapeError
from symattn.exact import vectors
from symattn.exact.equality import equal
from symattn.exact.numbers import rational
from symattn.exact.vectors import apply, compare_values, shape
from tests.exact.strategies import exact, radical_sums, rationals, roots, signed, tiny

texts = st.lists(signed(st.one_of(rationals, roots)), min_size=1, max_size=5)


def vector(*items):
    return tuple(exact(item) if isinstance(item, str) else rational(item) for item in items)


def same(left, right):
    return compare_values(left, right).verdict == "equal"


@pytest.mark.parametrize(
    ("operator", "values", "result"),
    [
        ("dot", [vector(1, 2), vector(3, 4)], rational(11)),
        ("dot", [vector("sqrt(2)"), vector("sqrt(2)")], rational(2)),
        ("transpose", [(vector(1, 2), vector(3, 4))], (vector(1, 3), vector(2, 4))),
        ("matmul", [(vector(1, 2),), (vector(3), vector(4))], (vector(11),)),
        ("softmax", [vector(0, 0)], vector("1/2", "1/2")),
        ("softmax", [(vector(0, 0), vector(5))], None),
        ("softmax", [vector(1, 0)], vector("e/(1 + e)", "1/(1 + e)")),
        ("norm", [vector(3, 4)], rational(5)),
        ("norm", [vector(1, 1)], exact("sqrt(2)")),
        ("entropy", [vector("1/2", "1/2")], exact("log(2)")),
        ("sum", [vector(1, "sqrt(2)")], exact("1 + sqrt(2)")),
        ("max", [vector("sqrt(2)", "7/5", "-3")], exact("sqrt(2)")),
        ("min", [vector("sqrt(2)", "7/5", "3")], exact("7/5")),
    ],
)
def test_operators_give_their_known_results(operator, values, result):
    if result is None:
        with pytest.raises(ShapeError):
            apply(operator, values)
    else:
        assert same(apply(operator, values), result)


def test_an_unknown_operator_is_refused_by_name():
    with pytest.raises(InputError, match="operator='cross' is unknown; known are dot, transpose"):
        apply("cross", [])


@given(texts, radical_sums)
@settings(max_examples=40)
def test_a_number_multiplies_every_entry(row, factor):
    values = vector(*row)
    left = vectors.multiply(exact(factor), values)
    assert same(left, vectors.multiply(values, exact(factor)))
    assert same(left, tuple(x * exact(factor) for x in values))
    assert same(vectors.add(left, left), vectors.multiply(rational(2), left))


@given(texts)
@settings(max_examples=40)
def test_the_largest_entry_is_not_below_any_other(row):
    values = vector(*row)
    top, bottom = (apply(name, [values]) for name in ("max", "min"))
    assert all((top - x).enclose(300).upper() >= 0 for x in values)
    assert all((x - bottom).enclose(300).upper() >= 0 for x in values)
    assert any(equal(top, x) for x in values)


def test_the_larger_by_a_hair_is_found():
    close = exact("sqrt(2)") + tiny(500)
    assert apply("max", [(exact("sqrt(2)"), close)]) is close
    assert equal(apply("min", [(close, exact("sqrt(2)"))]), exact("sqrt(2)"))


@pytest.mark.parametrize(
    ("value", "expected"),
    [(rational(1), ()), (vector(1, 2), (2,)), ((vector(1, 2),) * 3, (3, 2)), ((), (0,))],
)
def test_shapes(value, expected):
    assert shape(value) == expected


@pytest.mark.parametrize(
    ("work", "message"),
    [
        (lambda: shape((vector(1), vector(1, 2))), "the rows have different shapes"),
        (lambda: vectors.add(vector(1), vector(1, 2)), "shapes (1,) and (2,) cannot be added"),
        (lambda: vectors.add(rational(1), vector(1)), "shapes () and (1,) cannot be added"),
        (lambda: vectors.multiply(vector(1), vector(1)), "a product needs a number"),
        (lambda: apply("dot", [vector(1), vector(1, 2)]), "shapes (1,) and (2,) do not fit"),
        (lambda: apply("matmul", [(vector(1),), (vector(1), vector(2))]), "do not fit"),
        (lambda: apply("transpose", [(vector(1), vector(1, 2))]), "different shapes"),
    ],
)
def test_shapes_that_do_not_fit_are_named(work, message):
    with pytest.raises(ShapeError) as refused:
        work()
    assert message in str(refused.value)


def test_a_vector_is_no_number():
    with pytest.raises(InputError, match=r"a value of shape \(2,\) stands where one number is due"):
        vectors.scalar(vector(1, 2))


def test_the_entropy_of_a_distribution_with_a_zero_is_refused():
    with pytest.raises(DomainError, match="logarithm"):
        apply("entropy", [vector(1, 0)])


@pytest.mark.parametrize(
    ("left", "right", "verdict"),
    [
        (vector(1, 2), vector(1, 2), "equal"),
        (vector(1, "sqrt(2)"), vector(1, "2/sqrt(2)"), "equal"),
        (vector(1, 2), vector(1, 3), "different"),
        (vector(1, 2), vector(1, 2, 3), "different"),
        (vector(1), (vector(1),), "different"),
        (rational(1), vector(1), "different"),
        ((), (), "equal"),
        (vector("cbrt(pi^3)", 1), vector("pi", 1), "undecided"),
        (vector("cbrt(pi^3)", 1), vector("pi", 2), "different"),
    ],
)
def test_values_are_equal_where_every_entry_is(left, right, verdict):
    assert compare_values(left, right).verdict == verdict


def test_nested_lists_become_tuples():
    assert shape(vectors.nested([[rational(1)], [rational(2)]])) == (2, 1)
