"""Wrong gradients are caught, each by the property made for it; right ones pass, however made."""

from __future__ import annotations

import numpy as np
import pytest

from symattn import numeric
from symattn.suite import check_attention
from symattn.suite.cases import Case
from symattn.suite.declarations import Declarations
from symattn.suite.profiles import PROFILES, Profile
from symattn.suite.properties import PROPERTIES, property_named
from symattn.suite.properties.base import Subject
from symattn.suite.properties.gradients import cotangent_of
from symattn.suite.reference import reference
from symattn.suite.report import to_text
from symattn.suite.reproducer import exact_output
from symattn.suite.run import check, evaluate
from symattn.suite.strategies import Abilities
from symattn.suite.target import Target
from symattn.suite.vjp import exact_vjp
from tests.suite.backwards import CORRECT, WRONG, function_with

GRADIENTS = [each for each in PROPERTIES if each.theorem == "jacobian"]
UNSHRUNK = Profile("quick", PROFILES["quick"].examples, 0)


def failed(function, **given):
    report = check(Target("mine:attention", function), properties=GRADIENTS, **given)
    assert report.count("skipped") == 0
    return {outcome.property.name for outcome in report.failures}


@pytest.mark.parametrize("backward", CORRECT)
@pytest.mark.parametrize("seed", range(3))
def test_a_correct_backward_pass_is_not_accused(backward, seed):
    assert failed(function_with(backward), seed=seed) == set()


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_the_reference_has_gradients_in_narrow_types(dtype):
    if dtype == "bfloat16":
        pytest.importorskip("ml_dtypes")
    assert failed(reference(Declarations()), dtypes=[dtype]) == set()


@pytest.mark.parametrize(("backward", "name"), WRONG.items())
def test_a_wrong_backward_pass_is_caught_by_the_property_made_for_it(backward, name):
    assert name in failed(function_with(backward), dtypes=["float32"], profile=UNSHRUNK)


def test_what_only_a_special_case_shows_is_caught_there_only():
    for backward in (f for f, name in WRONG.items() if name == "gradient-dead-rows"):
        found = failed(function_with(backward), dtypes=["float32"], profile=UNSHRUNK)
        assert found == {"gradient-dead-rows"}


def test_float32_gradients_of_float64_are_an_error():
    def narrow(f):
        return tuple(x.astype(np.float32).astype(x.dtype) for x in f.finish())

    assert "gradient" in failed(function_with(narrow), dtypes=["float64"], profile=UNSHRUNK)
    assert failed(function_with(narrow), dtypes=["float32"], profile=UNSHRUNK) == set()


def test_the_witness_is_small_and_names_the_gradient():
    function = function_with(next(f for f in WRONG if f.__name__ == "scale_forgotten_in_dk"))
    report = check(Target("mine:attention", function), dtypes=["float32"], properties=GRADIENTS[:1])
    (outcome,) = report.failures
    assert outcome.violation.shown.non_zeros <= 6
    assert "dk[" in outcome.message
    cotangent = np.array(outcome.violation.shown.extra["cotangent"])
    assert cotangent.shape == (outcome.violation.shown.n, outcome.violation.shown.v.shape[1])
    text = to_text(report)
    assert "theorem            jacobian" in text
    exact = exact_vjp(outcome.violation.shown, cotangent.astype(np.float32), Declarations())
    assert exact_output(outcome.violation, Declarations()) is outcome.violation.wanted
    assert (outcome.violation.wanted == exact["dk"].output).all()
    assert "print(attention.vjp(np.array(" in text


@pytest.mark.parametrize(
    ("returned", "message"),
    [
        (lambda q, k, v: (q, k), "vjp should return"),
        (lambda q, k, v: (q, k, v[:1]), "dv has shape"),
        (lambda q, k, v: (q, k.astype(np.float64), v), "dk has shape .* and dtype float64"),
        (lambda q, k, v: 1 / 0, "raised ZeroDivisionError"),
    ],
)
def test_gradients_of_another_form_are_named(returned, message):
    function = function_with(lambda f: returned(f.q, f.k, f.v))
    subject = Subject(function, Declarations(), Abilities(), "float32")
    x = np.ones((2, 2), np.float32)
    violation = evaluate(property_named("gradient"), subject, Case(x, x, x))
    with pytest.raises(AssertionError, match=message):
        raise violation


def test_no_gradient_at_all_stands_for_zeros():
    function = function_with(lambda f: (None, None, f.finish()[2]))
    subject = Subject(function, Declarations(), Abilities(), "float32")
    one, two = np.ones((1, 1), np.float32), np.array([[1], [2]], np.float32)
    assert evaluate(property_named("gradient"), subject, Case(one, one, one)) is None
    assert evaluate(property_named("gradient"), subject, Case(one, two, two)) is not None


def test_a_cotangent_is_cut_to_the_case_and_filled_with_ones():
    case = Case(*[np.ones((2, 2), np.float32)] * 3, extra={"cotangent": [[3, 4, 5]]})
    assert cotangent_of(case).tolist() == [[3, 4], [1, 1]]
    assert cotangent_of(case.but(extra={})).tolist() == [[1, 1], [1, 1]]
    assert case.non_zeros == case.but(extra={}).non_zeros + 3


def test_a_function_of_the_user_s_is_checked_by_its_attribute_vjp():
    report = check_attention(function_with(CORRECT[0]), dtypes=["float32"])
    verdicts = {o.property.name: o.verdict for o in report.outcomes}
    assert verdicts["gradient"] == "passed"
    with pytest.raises(AssertionError, match="gradient-masked"):
        check_attention(
            function_with(next(f for f in WRONG if f.__name__ == "masked_values_get_a_share")),
            dtypes=["float32"],
        )


def test_without_a_gradient_the_properties_are_skipped_with_the_reason():
    target = Target("numeric", numeric.attention)
    report = check(target, dtypes=["float32"], properties=GRADIENTS)
    assert {o.message for o in report.outcomes} == {
        "the function has no gradient (an attribute vjp)"
    }


def test_rows_without_a_key_are_asked_only_where_they_are_zeros():
    target = Target("mine", function_with(CORRECT[0]), Declarations(dead_rows="any"))
    each = [property_named("gradient-dead-rows")]
    (outcome,) = check(target, dtypes=["float32"], properties=each).outcomes
    assert (outcome.verdict, outcome.message) == ("skipped", "declared --dead-rows any")
