"""The fast matrix product is the plain one."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from symattn.errors import ShapeError
from symattn.exact.equality import equal
from symattn.exact.matrices import matmul
from symattn.exact.numbers import rational
from tests.exact.strategies import exact, exponentials, rationals, roots, signed, tiny

simple = signed(st.one_of(rationals, roots))
shared = st.builds(lambda a: f"{a}/(1 + exp(1))", st.one_of(exponentials, rationals))


def matrices(n, m, of):
    return st.lists(st.lists(of, min_size=m, max_size=m), min_size=n, max_size=n)


def numbers(A):
    return [[exact(x) for x in row] for row in A]


def plain(A, B):
    """Row by column, with + and · alone."""
    return [
        [
            sum((x * y for x, y in zip(row, column, strict=True)), rational(0))
            for column in zip(*B, strict=True)
        ]
        for row in A
    ]


def same(left, right):
    return all(
        equal(x, y) for a, b in zip(left, right, strict=True) for x, y in zip(a, b, strict=True)
    )


@given(st.data(), st.integers(1, 3), st.integers(1, 3), st.integers(1, 3))
@settings(max_examples=80)
def test_the_product_is_row_by_column(data, n, k, m):
    left = numbers(data.draw(matrices(n, k, st.one_of(simple, shared))))
    right = numbers(data.draw(matrices(k, m, st.one_of(rationals, simple))))
    assert same(matmul(left, right), plain(left, right))


@given(st.data(), st.integers(1, 3), st.integers(1, 3), st.integers(1, 3))
@settings(max_examples=40)
def test_a_rational_right_side_takes_the_fast_way_to_the_same_product(data, n, k, m):
    left = numbers(data.draw(matrices(n, k, shared)))
    right = numbers(data.draw(matrices(k, m, rationals)))
    product = matmul(left, right)
    assert same(product, plain(left, right))
    assert len({id(x.denominator) for row in product for x in row}) <= n * m


def test_zeros_and_cancellations_leave_no_empty_terms():
    left = numbers([["sqrt(2)", "-sqrt(2)"], ["0", "0"]])
    product = matmul(left, numbers([["1"], ["1"]]))
    assert [x.numerator for (x,) in product] == [{}, {}]


def test_a_check_of_products_can_fail():
    left, right = numbers([["e"]]), numbers([["3"]])
    wrong = [[matmul(left, right)[0][0] + tiny(100)]]
    assert not same(wrong, plain(left, right))


@pytest.mark.parametrize(
    ("left", "right"),
    [([["1", "2"]], [["1"]]), ([["1"]], [["1"], ["2"]]), ([["sqrt(2)"]], [["e"], ["1"]])],
)
def test_shapes_that_do_not_fit_are_named(left, right):
    n, k, m = len(left), len(left[0]), len(right)
    with pytest.raises(ShapeError) as refused:
        matmul(numbers(left), numbers(right))
    assert (
        str(refused.value) == f"shapes {(n, k)} and {(m, 1)} do not fit: a product needs {k} rows"
    )
