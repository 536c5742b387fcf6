"""Failing cases become small, and stay failures of the function under check alone."""

from __future__ import annotations

import numpy as np

from symattn.suite.cases import Case
from symattn.suite.declarations import Declarations
from symattn.suite.mutants import MUTANTS
from symattn.suite.outcomes import evaluate
from symattn.suite.properties import property_named
from symattn.suite.properties.base import Subject, Violation
from symattn.suite.reduce import reduce
from symattn.suite.reference import reference
from symattn.suite.strategies import Abilities

ABLE = Abilities()


def big_case(m=129):
    rng = np.random.default_rng(0)
    q, k, v = (rng.integers(-8, 9, s) / 4 for s in ((4, 5), (m, 5), (m, 3)))
    mask = np.ones((4, m), bool)
    mask[:, ::3] = False
    return Case(q, k, v, mask=mask, causal=True, scale=0.5, layout="fortran")


def test_everything_that_a_failure_does_not_need_goes():
    def fails(case):
        return Violation("", case) if case.m >= 3 and (case.v != 0).any() else None

    smallest, used = reduce(fails(big_case()), fails, ABLE, calls=2000)
    case = smallest.case
    assert (case.n, case.m, case.q.shape[1], case.v.shape[1]) == (1, 3, 1, 1)
    assert case.features() == frozenset()
    assert case.non_zeros == 1
    assert case.v.max() == 1
    assert used < 1000


def test_what_a_failure_needs_stays():
    def fails(case):
        hides = case.mask is not None and not case.mask[0, -1]
        return Violation("", case) if hides and case.causal else None

    start = big_case(130)
    assert not start.mask[0, -1]
    case = reduce(fails(start), fails, ABLE, calls=2000)[0].case
    assert case.mask.tolist() == [[False]]
    assert case.causal


def test_no_more_steps_are_made_than_allowed():
    calls = []

    def fails(case):
        calls.append(case)
        return Violation("", case)

    assert reduce(Violation("", big_case()), fails, ABLE, calls=7)[1] == 7
    assert len(calls) == 7


def test_shapes_that_the_function_does_not_take_are_not_tried():
    square = Abilities(rectangular=False, value_width=False)
    start = Case(*[np.ones((5, 4))] * 3)

    def fails(case):
        assert case.q.shape == case.k.shape == case.v.shape
        return Violation("", case) if case.m >= 2 else None

    assert reduce(fails(start), fails, square, calls=500)[0].case.q.shape == (2, 1)


def test_rows_that_a_property_counts_by_number_keep_their_places():
    start = Case(*[np.ones((4, 2))] * 3, extra={"order": [3, 2, 1, 0]})
    case = reduce(Violation("", start), lambda c: Violation("", c), ABLE, calls=500)[0].case
    assert case.m == 4
    assert case.non_zeros == 0


def test_a_witness_violates_nothing_when_the_function_is_correct():
    each = property_named("one-hot")  # holds only where one score dominates
    q, k = np.full((1, 2), 32.0), np.array([[-8.0, 0], [8.0, 0]])
    start = Case(q, k, np.array([[1.0], [2.0]]), extra={"winner": 1})
    declared = Declarations()
    wrong = Subject(MUTANTS["values_reversed"].function, declared, ABLE, "float64")
    right = Subject(reference(declared), declared, ABLE, "float64")
    assert evaluate(each, right, start) is None

    def fails(case):
        found = evaluate(each, wrong, case)
        return None if found is None or evaluate(each, right, case) else found

    case = reduce(fails(start), fails, ABLE, calls=500)[0].case
    assert evaluate(each, right, case) is None
    assert evaluate(each, wrong, case) is not None
