"""Equal, different, or undecided with a proved bound: the verdict under every check and grade.

The order of work: a 128-bit ball of each side refutes most wrong answers at once; then a/b = c/d is
decided as a·d - c·b = 0 by `zero.decide_zero`, whose docstring holds the argument and says where
its class ends. Denominators are proved non-zero when a number is built. Where that is undecided, as
with a root over an exponential, and both numbers have one sign, their squares are compared.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from symattn.errors import CostError, UndecidedError
from symattn.exact import terms
from symattn.exact.enclosures import SCREEN_BITS, upper_text, working_precision
from symattn.exact.numbers import Exact
from symattn.exact.zero import LAST_BITS, Decision, decide_zero

__all__ = ["Comparison", "compare", "equal"]


@dataclass(frozen=True, slots=True)
class Comparison:
    """Whether two exact numbers are equal, by which argument, and else a bound on |a - b|."""

    verdict: Literal["equal", "different", "undecided"]
    method: str
    bound: str | None = None


def compare(left: Exact, right: Exact) -> Comparison:
    """Decide whether two exact numbers (or functions of open symbols) are equal.

    >>> from symattn.exact.evaluate import evaluate
    >>> from symattn.exact.parse import parse
    >>> weight, sigmoid = parse("exp(sqrt(2))/(1 + exp(sqrt(2)))"), parse("1/(1 + exp(-2/sqrt(2)))")
    >>> compare(evaluate(weight.tree), evaluate(sigmoid.tree))
    Comparison(verdict='equal', method='normal form', bound=None)
    """
    if not (left.symbols() or right.symbols()) and _balls_part(left, right):
        return Comparison("different", f"balls of {SCREEN_BITS} bits")
    decision = decide_zero(difference(left, right))
    if decision.verdict == "zero":
        return Comparison("equal", decision.method)
    if decision.verdict == "nonzero":
        return Comparison("different", decision.method)
    if left.symbols() or right.symbols():
        return Comparison("undecided", decision.method)
    squares = _squares(left, right)
    if squares.verdict != "undecided":
        return Comparison("equal" if squares.verdict == "zero" else "different", squares.method)
    with working_precision(LAST_BITS):
        gap = left.enclose(LAST_BITS) - right.enclose(LAST_BITS)
    return Comparison("undecided", decision.method, upper_text(gap) if gap.is_finite() else None)


def equal(left: Exact, right: Exact) -> bool:
    """Whether two exact numbers are equal, as a plain yes or no.

    Raises: `UndecidedError` where neither could be proved.
    """
    comparison = compare(left, right)
    if comparison.verdict == "undecided":
        raise UndecidedError("equality could not be decided", comparison.bound)
    return comparison.verdict == "equal"


def difference(left: Exact, right: Exact) -> terms.Sum:
    """A sum that is zero exactly where the two numbers are equal."""
    if left.denominator is right.denominator or left.denominator == right.denominator:
        return terms.add(left.numerator, terms.negate(right.numerator))
    return terms.add(
        terms.multiply(left.numerator, right.denominator),
        terms.negate(terms.multiply(right.numerator, left.denominator)),
    )


def _squares(left: Exact, right: Exact) -> Decision:
    """Numbers of one sign are equal exactly if their squares are, which have no square root."""
    a, b = left.enclose(SCREEN_BITS), right.enclose(SCREEN_BITS)
    if not ((a > 0 and b > 0) or (a < 0 and b < 0)):
        return Decision("undecided", "squares")
    try:
        decision = decide_zero(difference(left * left, right * right))
    except CostError:
        return Decision("undecided", "squares")
    return Decision(decision.verdict, f"squares of one sign, {decision.method}")


def _balls_part(left: Exact, right: Exact) -> bool:
    a, b = left.enclose(SCREEN_BITS), right.enclose(SCREEN_BITS)
    return bool(a.is_finite() and b.is_finite() and not a.overlaps(b))
