"""The rules by which a step of a theorem may follow: a fixed, short list, each with its proof.

`follows` decides one link `left relation right` of a chain. What it accepts is proved for every
number of keys and all real values that meet the assumptions; what it does not accept raises.
"""

from __future__ import annotations

from collections.abc import Sequence

from symattn.derivation.rules.normal import Form
from symattn.derivation.rules.order import is_nonzero, less
from symattn.derivation.rules.theory import Definition, Fact, Range, Relation, Theory
from symattn.errors import StepError, SymattnError
from symattn.exact.plain import to_text
from symattn.exact.tree import Limit, Node

__all__ = ["RULES", "Definition", "Fact", "Range", "Relation", "Theory", "follows"]

#: Rule -> what it says; the module that applies it says when.
RULES = {
    "linearity": "the sum of f + g is the sum of f plus the sum of g",
    "constant factor": "a factor that does not depend on the index goes before the sum",
    "constant summand": "a sum of one and the same term is the number of terms times it",
    "sifting": "a sum over a Kronecker delta is the one term that the delta picks",
    "reindexing": "a permutation of all indices of a sum does not change it",
    "exchange": "two finite sums may be taken in either order",
    "monotonicity": "sums, positive products, quotients and exponentials keep the order",
    "differentiation": "sums, products, quotients and exponentials are differentiated by rule",
    "limit": "limits of sums, products, quotients and exponentials of finite limits",
    "linearity of expectation": "E(aX + bY) = a E(X) + b E(Y) for constants a, b",
    "independence": "E(XY) = E(X) E(Y) for independent X and Y",
    "addition theorem": "cos(a+b) = cos a cos b - sin a sin b, and the one for the sine",
    "Pythagoras": "the squares of sine and cosine add to 1",
}
#: The one rule with an argument, as in `split at r`.
SPLIT = "split at "


def follows(
    left: Node,
    relation: Relation,
    right: Node,
    theory: Theory,
    by: Sequence[str] = (),
    ranges: Sequence[Range] = (),
    distinct: Sequence[tuple[str, str]] = (),
) -> None:
    """Prove one link of a chain by rules, definitions and facts that `by` names.

    >>> from symattn.derivation.notation import read
    >>> theory = Theory(sizes=("n",))
    >>> follows(read("Sum(2*s[j], j, 1, n)"), "=", read("2*Sum(s[j], j, 1, n)"), theory,
    ...         by=("constant factor",))

    Raises: `StepError` naming both sides where it does not follow.
    """
    claim = f"{to_text(left)} {relation} {to_text(right)}"
    for token in by:
        known = token in RULES or token in theory.facts or token in theory.definitions
        if not known and not token.startswith(SPLIT):
            raise StepError(f"{claim}: there is no rule, fact or definition {token!r}")
    form = Form(theory, by, ranges, distinct, (left, right))
    try:
        form.cuts = [form.bound(_read(token), {}) for token in by if token.startswith(SPLIT)]
        holds = _decide(form, left, relation, right)
    except StepError as error:
        raise StepError(f"{claim} does not follow: {error}") from None
    except SymattnError as error:
        raise StepError(f"{claim} could not be decided: {error}") from None
    if not holds:
        raise StepError(f"{claim} does not follow" + (f" by {', '.join(by)}" if by else ""))


def _decide(form: Form, left: Node, relation: Relation, right: Node) -> bool:
    match relation:
        case "=" if _same_limit(left, right):
            assert isinstance(left, Limit)
            assert isinstance(right, Limit)
            with form.moved(left):
                return form.equal(form.of(left.body, {}), form.of(right.body, {}))
        case "=":
            return form.equal(form.of(left, {}), form.of(right, {}))
        case "!=":
            return is_nonzero(form, form.of(left, {}) - form.of(right, {}))
        case "<" | "<=":
            found = less(form, left, right, {})
        case ">" | ">=":
            found = less(form, right, left, {})
    return found == "<" or (found == "<=" and relation in ("<=", ">="))


def _same_limit(left: Node, right: Node) -> bool:
    """Whether both sides are limits of the same kind: those of equal functions are equal."""
    if not isinstance(left, Limit) or not isinstance(right, Limit):
        return False
    return (left.variable, left.target) == (right.variable, right.target)


def _read(token: str) -> Node:
    from symattn.derivation.notation import read

    return read(token.removeprefix(SPLIT))
