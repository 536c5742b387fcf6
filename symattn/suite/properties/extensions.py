"""What some functions offer beyond the formula: log-sum-exps to merge by, and grouped heads.

Two blocks of keys with outputs o₁, o₂ and log-sum-exps l₁, l₂ merge to w₁o₁ + w₂o₂ with
w = softmax(l₁, l₂): the rule behind every online and every split attention. An error λ of the
log-sum-exps moves the weights by at most λ and the output by at most λ times the values' range.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from hypothesis import strategies as st

from symattn import numeric
from symattn.numeric_bounds import scores_bound
from symattn.suite.cases import Array, Case
from symattn.suite.declarations import arithmetic
from symattn.suite.properties.base import Property, Subject, Violation, compare
from symattn.suite.strategies import Abilities, Draw, cases
from symattn.suite.truth import Truth, allowance, expected, explicit

__all__ = ["PROPERTIES"]


def _log_sum_exp(subject: Subject, case: Case) -> None:
    _, lse = _with_lse(subject, case)
    exact, bound = _exact_lse(subject, case)
    truth = Truth(exact[:, np.newaxis], bound[:, np.newaxis])
    compare(subject, case, lse[:, np.newaxis], truth, "is not the log-sum-exp of the scores")


def _merge(subject: Subject, case: Case) -> None:
    half = case.extra["half"]
    parts = [case.but(k=case.k[half:], v=case.v[half:]), case.but(k=case.k[:half], v=case.v[:half])]
    merged, spare = np.zeros((case.n, case.v.shape[1])), np.zeros((case.n, 1))
    answers = [_with_lse(subject, part) for part in parts]
    with np.errstate(all="ignore"):  # a wrong log-sum-exp may be infinite
        weights = numeric.softmax(np.stack([lse for _, lse in answers], axis=1))
    bound = allowance(case, subject.declarations)
    for part, (output, _), weight in zip(parts, answers, weights.T, strict=True):
        merged += weight[:, np.newaxis] * output
        bound = bound + allowance(part, subject.declarations)
        spare += _exact_lse(subject, part)[1][:, np.newaxis]
    values = case.v.astype(np.float64)
    bound = bound + 2 * spare * (values.max(axis=0) - values.min(axis=0))
    message = "is not what two halves merge to by their log-sum-exps"
    compare(subject, case, _with_lse(subject, case)[0], Truth(merged, bound), message)


def _grouped_heads(subject: Subject, case: Case) -> None:
    heads, groups = case.extra["heads"]
    q, k, v = (
        x.reshape(count, -1, x.shape[1])
        for x, count in zip(case.arrays(), (heads, groups, groups), strict=True)
    )
    output = subject.call_with(case, q, k, v, **case.keywords())
    output = np.asarray(output[0] if isinstance(output, tuple) else output, dtype=np.float64)
    shape = (heads, q.shape[1], v.shape[2])
    if output.shape != shape:
        raise Violation(f"the output has shape {output.shape}, should be {shape}", case)
    for head in range(heads):
        group = head // (heads // groups)
        alone = Case(q[head], k[group], v[group], scale=case.scale)
        truth = expected(alone, subject.declarations)
        message = f"of head {head} differs from attention to head {group} of the keys"
        try:
            compare(subject, alone, output[head], truth, message)
        except Violation as violation:
            violation.case = case
            raise


def _with_lse(subject: Subject, case: Case) -> tuple[npt.NDArray[np.float64], Array]:
    """(output, log-sum-exp), both as float64."""
    returned = subject.raw(case)
    if not (isinstance(returned, tuple) and np.shape(returned[1]) == (case.n,)):
        raise Violation(f"the log-sum-exp does not have shape {(case.n,)}", case)
    return np.asarray(returned[0], dtype=np.float64), np.asarray(returned[1], dtype=np.float64)


def _exact_lse(subject: Subject, case: Case) -> tuple[Array, Array]:
    """log Σ exp of the scores in float64, and how far a correct one may be from it."""
    options = explicit(case, subject.declarations)
    q, k = case.q.astype(np.float64), case.k.astype(np.float64)
    scores = numeric.scaled_scores(q, k, **options)
    top = scores.max(axis=1)
    lse = top + np.log(np.exp(scores - top[:, np.newaxis]).sum(axis=1))
    kind = arithmetic(case.dtype, subject.declarations)
    wrong = scores_bound(q, k, **options, input_units=0, arithmetic=kind).max(axis=1)
    # The largest score errs most; the sum, its logarithm and their sum round a few times more.
    rounds = kind.gamma(case.m * (kind.exp_units + 2) + 20)
    bound = 2 * wrong + rounds * (1 + np.abs(lse)) + kind.output * np.abs(lse)
    return lse, bound


@st.composite
def _in_two_halves(draw: Draw, dtype: str, able: Abilities) -> Case:
    case = draw(cases(dtype, able, mask="none", causal="never", keys=(2, 7), magnitude="plain"))
    return case.but(extra={"half": draw(st.integers(1, case.m - 1))})


@st.composite
def _with_heads(draw: Draw, dtype: str, able: Abilities) -> Case:
    """Four heads of queries over two of keys, stacked in rows."""
    case = draw(
        cases(dtype, able, mask="none", causal="never", queries=(2, 2), keys=(6, 6), edges=False)
    )
    return case.but(
        q=np.vstack([case.q, case.q[::-1]]), extra={"heads": [4, 2]}
    )  # one query a head, three keys a group


PROPERTIES = (
    Property(
        "log-sum-exp",
        "merge",
        "The second thing returned is the logarithm of the sum of exponentials of each row.",
        "A logarithm to another base, or without the maximum, breaks everything that merges by it.",
        lambda dtype, able: cases(dtype, able, mask="none", causal="never", magnitude="plain"),
        _log_sum_exp,
        needs=("returns_lse",),
    ),
    Property(
        "online-merge",
        "merge",
        "Two halves of the keys merge to the whole by their log-sum-exps.",
        "It is how split and ring attention put their parts together.",
        _in_two_halves,
        _merge,
        forms=lambda case: (case.but(extra={"half": half}) for half in range(1, case.m)),
        needs=("returns_lse",),
    ),
    Property(
        "grouped-heads",
        "grouping",
        "Query head h attends to key head h // (heads per group).",
        "Tiled instead of interleaved heads run without an error and attend to the wrong keys.",
        _with_heads,
        _grouped_heads,
        needs=("heads", "rectangular"),
    ),
)
