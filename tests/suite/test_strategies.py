"""Generated cases cover what they promise, and are what their abilities allow."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import find, given, settings
from hypothesis import strategies as st

from symattn.oracle.problem import read
from symattn.suite.cases import LAYOUTS, Case, visible
from symattn.suite.declarations import Declarations
from symattn.suite.strategies import BLOCK_EDGES, Abilities, cases, masks, matrices
from symattn.suite.truth import explicit

#: What some generated case must look like.
COVERED = {
    "fewer keys than queries": lambda c: c.m < c.n,
    "more keys than queries": lambda c: c.m > c.n,
    "values wider than keys": lambda c: c.v.shape[1] > c.k.shape[1],
    "a block's edge": lambda c: c.m in BLOCK_EDGES and c.m > 60,
    "a boolean mask": lambda c: c.mask is not None and c.mask.dtype == bool,
    "an additive mask": lambda c: c.mask is not None and c.mask.dtype != bool,
    "a mask that hides": lambda c: c.mask is not None and (c.mask == -np.inf).any(),
    "mask and causal": lambda c: c.mask is not None and c.causal,
    "a zero scale": lambda c: c.scale == 0,
    "causal with a negative scale": lambda c: c.causal and (c.scale or 0) < 0,
    "large scores": lambda c: np.abs(c.q.astype(float)).max() > 1000,
    "one-sided scores": lambda c: (c.q.astype(float) < -3).all() and (c.k > 0).all(),
    "a dead row": lambda c: not visible(c, Declarations()).any(axis=1).all(),
}


@pytest.mark.parametrize("what", sorted(COVERED))
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_cases_cover(what, dtype):
    find(cases(dtype), COVERED[what], settings=settings(max_examples=1000, database=None))


@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_layout_is_drawn(layout):
    find(cases(layout=True), lambda c: c.layout == layout)


@settings(max_examples=100, deadline=None)
@given(st.data(), st.sampled_from(["float16", "bfloat16", "float32", "float64"]))
def test_cases_stay_in_the_range_of_their_type(data, dtype):
    case = data.draw(cases(dtype))
    assert case.dtype == dtype
    assert np.isfinite(case.q.astype(float)).all()
    read(case.q, case.k, case.v, **explicit(case, Declarations()))  # refuses what goes beyond


ABILITIES = {
    "boolean_mask": lambda c: c.mask is None or c.mask.dtype != bool,
    "additive_mask": lambda c: c.mask is None or c.mask.dtype == bool,
    "causal": lambda c: not c.causal,
    "mask_and_causal": lambda c: c.mask is None or not c.causal,
    "scale": lambda c: c.scale is None,
    "zero_scale": lambda c: c.scale != 0,
    "negative_scale": lambda c: (c.scale or 0) >= 0,
    "rectangular": lambda c: c.n == c.m,
    "value_width": lambda c: c.q.shape[1] == c.v.shape[1],
    "layouts": lambda c: c.layout == "C",
}


@settings(max_examples=150, deadline=None)
@given(st.data(), st.sampled_from(sorted(ABILITIES)))
def test_an_ability_that_is_missing_is_never_asked_for(data, missing):
    case = data.draw(cases("float32", Abilities(**{missing: False}), layout=True))
    assert ABILITIES[missing](case)


@settings(max_examples=150, deadline=None)
@given(cases(dead_rows=False), st.sampled_from(["lower-right", "upper-left"]))
def test_without_dead_rows_every_query_sees_a_key(case, causal):
    assert visible(case, Declarations(causal=causal)).any(axis=1).all()


def test_cases_shrink_to_zeros_without_options():
    smallest = find(cases(), lambda c: True)
    assert smallest.non_zeros == 0
    assert (smallest.n, smallest.m, smallest.mask, smallest.causal) == (1, 1, None, False)


def test_matrices_and_masks_shrink_to_what_hides_nothing():
    assert not find(matrices(2, 3), lambda x: True).any()
    assert find(masks(2, 3, "boolean"), lambda x: True).all()
    assert not find(masks(2, 3, "additive"), lambda x: True).any()


@settings(max_examples=100, deadline=None)
@given(cases(layout=True))
def test_layouts_change_where_numbers_lie_and_nothing_else(case):
    for ours, theirs in zip(case.arrays(), (case.q, case.k, case.v), strict=True):
        np.testing.assert_array_equal(ours, theirs)
        assert not np.shares_memory(ours, theirs)


@settings(max_examples=100, deadline=None)
@given(st.data(), st.sampled_from(["float16", "bfloat16", "float32", "float64"]))
def test_a_case_survives_json(data, dtype):
    case = data.draw(cases(dtype, layout=True)).but(extra={"order": [1, 0]})
    case.v[0, 0] = np.nan
    again = Case.from_json(case.to_json())
    assert (again.causal, again.scale, again.layout) == (case.causal, case.scale, case.layout)
    for name in ("q", "k", "v", "mask"):
        ours, theirs = getattr(case, name), getattr(again, name)
        if ours is None:
            assert theirs is None
        else:
            assert ours.dtype == theirs.dtype
            np.testing.assert_array_equal(ours.astype(float), theirs.astype(float))
