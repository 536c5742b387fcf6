"""What a case must give follows from its certified answer and from what is declared."""

from __future__ import annotations

import numpy as np
import pytest

from symattn.suite.cases import Case
from symattn.suite.declarations import Declarations
from symattn.suite.truth import allowance, expected

#: One query that sees nothing, with a NaN behind its mask.
DEAD = Case(np.ones((1, 1)), np.ones((1, 1)), np.array([[np.nan]]), mask=np.array([[False]]))


def test_a_masked_nan_must_not_leak():
    truth = expected(DEAD, Declarations())
    assert (truth.output, truth.bound) == (0, 0)


def test_where_it_may_leak_it_may_leak_into_rows_without_a_key_too():
    assert expected(DEAD, Declarations(value_at_masked="any")).bound == np.inf


@pytest.mark.parametrize(
    ("declared", "output", "bound"),
    [("zeros", 0, 0), ("nan", np.nan, 0), ("any", 0, np.inf), ("mean", 2, pytest.approx(0))],
)
def test_rows_without_a_key_give_what_is_declared(declared, output, bound):
    case = DEAD.but(v=np.array([[2.0]]))
    truth = expected(case, Declarations(dead_rows=declared))
    np.testing.assert_array_equal(truth.output, [[output]])
    assert truth.bound == bound


def test_an_answer_is_remembered_by_numbers_and_cannot_be_changed():
    case = Case(np.ones((1, 1)), np.ones((2, 1)), np.array([[1.0], [3.0]]))
    again = case.but(v=case.v.copy())
    assert expected(case, Declarations()) is expected(again, Declarations())
    assert expected(case.but(v=2 * case.v), Declarations()).output == 4
    assert expected(case.typed("float32"), Declarations()).bound > allowance(case, Declarations())
    with pytest.raises(ValueError, match="read-only"):
        expected(case, Declarations()).output[0, 0] = 1
