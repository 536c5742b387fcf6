"""The formula itself, its scale, and what follows for its sums."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from symattn.suite.cases import Case, visible
from symattn.suite.properties.base import (
    Property,
    Subject,
    Violation,
    agree,
    blamed,
    compare,
    match,
)
from symattn.suite.strategies import Abilities, cases
from symattn.suite.truth import Truth, allowance

__all__ = ["PROPERTIES"]


def _scale_is_default(subject: Subject, case: Case) -> None:
    sigma = 1 / np.sqrt(case.q.shape[1])
    match(subject, case, case.but(scale=float(sigma)), "differs from scale=1/sqrt(d_k) given")


def _scale_moves_into_the_query(subject: Subject, case: Case) -> None:
    factor = case.extra["factor"]
    other = case.but(q=case.q * case.q.dtype.type(factor), scale=0.5)
    match(subject, case.but(scale=0.5 * factor), other, "differs from the same scale put on q")


def _temperature(subject: Subject, case: Case) -> None:
    four = case.q.dtype.type(4)
    match(subject, case.but(q=case.q * four), case.but(k=case.k * four), "differs with 4q for 4k")


def _sums_to_one(subject: Subject, case: Case) -> None:
    ones = case.but(v=np.ones_like(case.v))
    live = np.any(visible(case, subject.declarations), axis=1, keepdims=True)
    bound = np.where(live, allowance(ones, subject.declarations), np.inf)
    message = "is not the sum of weights, 1"
    compare(subject, ones, subject(ones), Truth(np.ones(bound.shape), bound), message)


def _convex(subject: Subject, case: Case) -> None:
    got = subject(case)
    bound = allowance(case, subject.declarations)
    allowed = visible(case, subject.declarations)
    values = case.v.astype(np.float64)
    for i in np.flatnonzero(allowed.any(axis=1)).tolist():
        seen = values[allowed[i]]
        inside = np.clip(got[i], seen.min(axis=0) - bound[i], seen.max(axis=0) + bound[i])
        if not (inside == got[i]).all():
            c = int(np.flatnonzero(inside != got[i])[0])
            low, high = seen[:, c].min(), seen[:, c].max()
            raise Violation(
                f"output[{i}, {c}] = {got[i, c]:.9g} lies outside the attended values "
                f"[{low:.9g}, {high:.9g}]",
                case,
                got=got,
                wanted=np.clip(got, values.min(axis=0), values.max(axis=0)),
            )


def _linear(subject: Subject, case: Case) -> None:
    other = case.but(v=np.ascontiguousarray(case.v[::-1]))
    total = case.but(v=case.v + other.v)
    answers = [(part, subject(part)) for part in (total, case, other)]
    bound = sum((allowance(part, subject.declarations) for part, _ in answers), np.zeros(()))
    (_, whole), (_, ours), (_, theirs) = answers
    message = "is not linear in the values"
    try:
        compare(subject, total, whole, Truth(ours + theirs, bound), message, against="against")
    except Violation as violation:
        raise blamed(subject, violation, *answers) from None


def _with_factor(dtype: str, able: Abilities) -> st.SearchStrategy[Case]:
    factors = [2.0, 4.0, 0.25] + ([-1.0, -2.0] if able.negative_scale else [])
    plain = cases(dtype, able, scale="none")
    return st.tuples(plain, st.sampled_from(factors)).map(
        lambda drawn: drawn[0].but(extra={"factor": drawn[1]})
    )


PROPERTIES = (
    Property(
        "agreement",
        "definition",
        "The output is softmax(scale · q kᵀ + mask) v, within the type's derived rounding bound.",
        "Everything else follows from it: a difference beyond the bound is an error, not rounding.",
        lambda dtype, able: cases(dtype, able, magnitude="any"),
        agree,
        share=6.0,
    ),
    Property(
        "agreement-plain",
        "definition",
        "The same on three plain arrays without any option.",
        "The first call that anybody makes.",
        lambda dtype, able: cases(dtype, able, mask="none", causal="never", scale="none"),
        agree,
        share=3.0,
        about=lambda case: not case.features(),
    ),
    Property(
        "default-scale",
        "scaling",
        "Without a scale, scores are multiplied by 1/sqrt(d_k).",
        "A wrong scale saturates or flattens every softmax of a model without failing anywhere.",
        lambda dtype, able: cases(dtype, able, scale="none"),
        _scale_is_default,
        needs=("scale",),
    ),
    Property(
        "scale-on-query",
        "scaling",
        "A factor on the scale and the same factor on the queries are one and the same.",
        "Code that applies its scale twice, to the mask or after the softmax breaks it.",
        _with_factor,
        _scale_moves_into_the_query,
        needs=("scale",),
        forms=lambda case: (case.but(scale=None, extra={"factor": f}) for f in (2.0, 0.25)),
    ),
    Property(
        "temperature",
        "scaling",
        "A factor on the queries and the same factor on the keys are one and the same.",
        "Scores depend on the product alone; a norm or clip on one side breaks it.",
        lambda dtype, able: cases(dtype, able, magnitude="plain"),
        _temperature,
    ),
    Property(
        "rows-sum-to-one",
        "definition",
        "With all values 1 the output is 1: the weights of a row sum to 1.",
        "Weights that lose or gain mass scale the layer's output.",
        lambda dtype, able: cases(dtype, able),
        _sums_to_one,
    ),
    Property(
        "convex-hull",
        "definition",
        "Each output lies between the smallest and the largest attended value.",
        "Weights are non-negative and sum to 1; what is masked must not contribute.",
        lambda dtype, able: cases(dtype, able),
        _convex,
    ),
    Property(
        "linear-in-values",
        "definition",
        "attention(q, k, v + w) is attention(q, k, v) + attention(q, k, w).",
        "Weights depend on queries and keys alone.",
        lambda dtype, able: cases(dtype, able),
        _linear,
    ),
)
