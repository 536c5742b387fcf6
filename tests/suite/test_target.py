"""Targets are found by name, and their abilities by probing."""

from __future__ import annotations

import numpy as np
import pytest

from symattn import numeric
from symattn.errors import InputError
from symattn.suite.target import Target, load, probe

#: What goes beyond the formula, and most functions do not offer.
EXTENSIONS = {"returns_lse", "heads", "gradient"}


def test_a_function_is_found_by_module_and_dotted_name():
    assert load("symattn.numeric:attention").function is numeric.attention


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("symattn.numeric", "should be MODULE:FUNCTION"),
        ("no.such.module:f", "cannot import 'no.such.module'"),
        ("symattn.numeric:missing", "'symattn.numeric' has no 'missing'"),
        ("symattn:__version__", "is str, should be a function"),
    ],
)
def test_a_name_that_leads_nowhere_is_explained(spec, message):
    with pytest.raises(InputError, match=message):
        load(spec)


def test_everything_is_offered_by_the_numpy_implementation():
    assert set(probe(Target("numeric", numeric.attention), "float32").reasons) == EXTENSIONS


def test_keywords_that_are_not_taken_are_named():
    def plain(q, k, v):
        return numeric.attention(q, k, v)

    found = probe(Target("plain", plain), "float32")
    assert found.reasons["scale"] == "the function takes no 'scale'"
    assert found.missing(("causal",)) == "the function takes no 'causal'"
    assert found.missing(("some_mask",)) == "the function takes no 'mask'"
    assert not found.abilities.mask_and_causal
    assert found.missing(("rectangular",)) is None


@pytest.mark.parametrize("refusal", [NotImplementedError, TypeError, ValueError, RuntimeError])
def test_refusals_are_abilities_that_are_missing(refusal):
    def square(q, k, v, **options):
        if q.shape != k.shape:
            raise refusal("only square attention")
        return numeric.attention(q, k, v, **options)

    found = probe(Target("square", square), "float32")
    assert found.reasons["rectangular"] == f"refused with {refusal.__name__}: only square attention"
    assert not found.abilities.rectangular
    assert found.abilities.value_width


def test_other_exceptions_are_no_refusals():
    def broken(q, k, v, **options):
        if options.get("causal"):
            raise IndexError("oops")
        return numeric.attention(q, k, v, **options)

    assert probe(Target("broken", broken), "float32").abilities.causal


def test_a_combination_that_is_refused_leaves_its_parts():
    def either(q, k, v, *, mask=None, causal=False, scale=None):
        if mask is not None and causal and v.shape[1] != q.shape[1]:
            raise RuntimeError("not both")
        return numeric.attention(q, k, v, mask=mask, causal=causal, scale=scale)

    found = probe(Target("either", either), "float32")
    assert not found.abilities.mask_and_causal
    assert found.abilities.causal
    assert found.abilities.boolean_mask


def test_probing_does_not_warn_or_leave_traces():
    seen = []

    def noisy(q, k, v, **options):
        seen.append(q.copy())
        q[...] = np.nan
        return numeric.attention(np.nan_to_num(q), k, v, **options)

    probe(Target("noisy", noisy), "float32")
    assert not any(np.isnan(q).any() for q in seen)
