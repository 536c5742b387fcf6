r"""Wrong softmaxes: it should be e^{s_j} / \sum_l e^{s_l} along each row of scaled scores."""

from __future__ import annotations

from dataclasses import replace

from flint import fmpq

from symattn.attention import EXACT, Forward, softmax, transpose
from symattn.errors import DomainError
from symattn.exact.functions import exp, log, sign
from symattn.exact.numbers import Exact, rational
from symattn.exact.terms import UNIT, Atom, freeze
from symattn.grading.mistakes.base import Mistake, Setting, formula

__all__ = ["MISTAKES"]

#: A blend of weights with more different denominators is not brought to a common one.
MAX_DENOMINATORS = 4


def _over_columns(s: Setting) -> Forward[Exact] | None:
    if s.right is None or len(s.right) == 1 or s.mask or s.causal:
        return None
    columns = [softmax(column, EXACT) for column in transpose(s.right)]
    if len(columns) > MAX_DENOMINATORS:
        columns = [[_closed(w) for w in column] for column in columns]
    return s.blended(transpose(columns))


def _closed(x: Exact) -> Exact:
    """A number whose denominator is one atom, so that a sum of many is not multiplied out."""
    if x.denominator == UNIT:
        return x
    inverse = Atom("inverse", 0, (freeze(UNIT), freeze(x.denominator)))
    return Exact(x.numerator) * Exact({((), (), ((inverse, 1),)): fmpq(1)})


def _before_scaling(s: Setting) -> Forward[Exact] | None:
    if s.raw is None or s.scale is None:
        return None
    early = s.run(s.raw)
    if early is None:
        return None
    weights = [[w * s.scale for w in row] for row in early.weights]
    return s.blended(weights, exponentials=early.exponentials, total=early.total)


def _exponentials_left(s: Setting) -> Forward[Exact] | None:
    right = s.run(s.right)
    return None if right is None else s.blended(right.exponentials)


def _without_exponential(s: Setting) -> Forward[Exact] | None:
    if s.right is None or s.mask or s.causal:
        return None
    totals = [EXACT.dot(row, [rational(1)] * len(row)) for row in s.right]
    if any(sign(total) == 0 for total in totals):
        raise DomainError("the scores add to zero")
    rows = zip(s.right, totals, strict=True)
    weights = [[score / total for score in row] for row, total in rows]
    return s.blended(weights, exponentials=[list(row) for row in s.right], total=totals)


def _base(base: int, s: Setting) -> Forward[Exact] | None:
    logarithm = log(rational(base))
    return s.run(s.right, replace(EXACT, exp=lambda x: exp(x * logarithm)))


MISTAKES: tuple[Mistake, ...] = (
    formula(
        "softmax-over-columns",
        "weights",
        "the softmax is taken over columns",
        "The softmax was taken down the columns; each row is one query's distribution.",
        _over_columns,
        by_rows=False,
    ),
    formula(
        "softmax-before-scaling",
        "exponentials",
        "the softmax is taken first and its result scaled",
        "The weights were scaled after the softmax; scale the scores before it.",
        _before_scaling,
    ),
    formula(
        "not-normalised",
        "weights",
        "the exponentials are not divided by their sum",
        "These are exponentials that were not divided by their sum, so they do not add to 1.",
        _exponentials_left,
    ),
    formula(
        "no-exponential",
        "exponentials",
        "the scores are divided by their sum, without exponentials",
        "The scaled scores were divided by their sum; take their exponentials first.",
        _without_exponential,
    ),
    formula(
        "base-2",
        "exponentials",
        "powers of 2 instead of e",
        "The powers have base 2; the softmax uses e.",
        lambda s: _base(2, s),
    ),
    formula(
        "base-10",
        "exponentials",
        "powers of 10 instead of e",
        "The powers have base 10; the softmax uses e.",
        lambda s: _base(10, s),
    ),
)
