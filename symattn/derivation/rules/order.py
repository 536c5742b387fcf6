"""Rules for inequalities and for the side conditions of the other rules.

* **positivity**: a sum, product or quotient of positive terms is positive, an exponential and an
  even power of a number that is not zero are; an assumed or proved inequality may be used as it
  stands, between whole numbers also two of them added.
* **monotonicity**: a sum, a product with non-negative factors, an exponential and a
  numerator grow with their parts; a quotient falls as its positive denominator grows.

`sign` answers "positive", "nonnegative" or None, which means: not proved.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations_with_replacement, product
from typing import TYPE_CHECKING, Literal, TypeAlias

from symattn.derivation.rules.theory import Fact
from symattn.errors import StepError
from symattn.exact.numbers import Exact, symbol
from symattn.exact.terms import ONE, UNIT
from symattn.exact.tree import Add, Call, Div, Mul, Neg, Node, Number, Pow, Sum

if TYPE_CHECKING:
    from symattn.derivation.rules.knowledge import Knowledge
    from symattn.derivation.rules.normal import Form

__all__ = ["at_most", "instances", "is_nonzero", "less", "sign", "sign_of_tree"]

Sign: TypeAlias = Literal["positive", "nonnegative"] | None
Bindings: TypeAlias = Mapping[str, Exact]


def at_most(form: Knowledge, low: Exact, high: Exact) -> bool:
    """Whether low <= high is known of two whole numbers."""
    difference = high - low
    ratio = difference.as_rational()
    if ratio is not None:
        return bool(ratio >= 0)
    known = _connected(form, difference)
    for count in (1, 2, 3):
        for chosen in combinations_with_replacement(known, count):
            rest = (difference - sum(chosen, Exact({}))).as_rational()
            if rest is not None and rest >= 0:
                return True
    return False


def _connected(form: Knowledge, x: Exact) -> list[Exact]:
    """What is known of the names in x, of those that it is compared with, and so on."""
    names, found = form.free(x), list[Exact]()
    waiting = [d for d, _ in whole_differences(form) if not form.free(d) & form.moving.keys()]
    while near := [d for d in waiting if form.free(d) & names]:
        found += near
        waiting = [d for d in waiting if d not in near]
        names = names.union(*(form.free(d) for d in near))
    return found


def whole_differences(form: Knowledge) -> Iterator[tuple[Exact, bool]]:
    """Numbers that are known not to be negative: of indices in scope, and of facts about sizes."""
    for name, (lower, upper) in list(form.scope.items()):
        yield symbol(name) - lower, False
        yield upper - symbol(name), False
    yield from form.whole_facts()


def differences(form: Knowledge) -> list[tuple[Exact, bool]]:
    """What is known not to be negative, and whether it is known to be positive."""
    key = form.situation()
    if key not in form.known:
        form.known[key] = _differences(form)
    return form.known[key]


def _differences(form: Knowledge) -> list[tuple[Exact, bool]]:
    found = list(whole_differences(form))
    for fact in form.order_facts():
        for bindings in instances(form, fact, list(form.scope)):
            try:
                above, below = (form.plain(side, bindings) for side in (fact.left, fact.right))
            except StepError:
                continue  # a fact about a limit, say, where that rule is not in force
            if fact.relation in ("<", "<="):
                above, below = below, above
            found.append((above - below, fact.relation in ("<", ">")))
    known = [(d, strict) for d, strict in found if not form.free(d) & form.moving.keys()]
    return [*known, *((x, True) for x in form.moving.values())]


def instances(form: Knowledge, fact: Fact, names: list[str]) -> Iterator[dict[str, Exact]]:
    """The values, among indices in scope, that a fact's indices may take."""
    for chosen in product(names, repeat=len(fact.ranges)):
        bindings = {r.index: symbol(n) for r, n in zip(fact.ranges, chosen, strict=True)}
        if form.admits(fact, bindings):
            yield bindings


def sign(form: Knowledge, x: Exact) -> Sign:
    """What is known of the sign of a number."""
    if x.denominator != UNIT:
        below = _termwise(form, Exact(x.denominator))
        if below != "positive":
            return None
        return sign(form, Exact(x.numerator))
    found = _termwise(form, x)
    if found == "positive":
        return found
    for known, strict in differences(form):
        rest = x - known
        ratio = rest.as_rational()
        if ratio is not None and ratio >= 0:
            return "positive" if strict or ratio > 0 else "nonnegative"
        other = _termwise(form, rest)
        if other:
            return "positive" if strict else other
    return found


def _termwise(form: Knowledge, x: Exact) -> Sign:
    """Non-negative where every term is, positive where one of them is positive too."""
    found: Sign = "nonnegative"
    for (_, _, atoms), value in x.numerator.items():
        own: Sign = "positive"
        for atom, power in atoms:
            here = _sign_of_atom(form, str(atom.payload)) if atom.kind == "symbol" else "positive"
            if here is None and power % 2:
                return None
            if here != "positive":
                own = "nonnegative"
        if value < 0:
            return None
        if own == "positive":
            found = "positive"
    return found


def _sign_of_atom(form: Knowledge, name: str) -> Sign:
    """The sign of a symbol or an entry, from what is known of it, or of a sum, from its term."""
    with form.only(form.mentioned(symbol(name))):
        key = (name, form.situation())
        if key not in form.signs:
            form.signs[key] = None  # while it is being found
            form.signs[key] = _found_sign(form, name)
        return form.signs[key]


def _found_sign(form: Knowledge, name: str) -> Sign:
    meaning = form.meanings.get(name)
    found: Sign = form.sign_of(meaning) if meaning is not None else None
    if found is None:
        for known, strict in differences(form):
            ratio = (symbol(name) - known).as_rational()
            if ratio is not None and ratio >= 0:
                found = "positive" if strict or ratio > 0 else found or "nonnegative"
    return found


def is_nonzero(form: Knowledge, x: Exact) -> bool:
    """Whether a number is known not to be zero."""
    if set(x.numerator) == {ONE} or "positive" in (sign(form, x), sign(form, -x)):
        return True
    if len(x.numerator) == 1:
        (((_, _, atoms), _),) = x.numerator.items()
        return all(_atom_is_nonzero(form, str(atom.payload)) for atom, _ in atoms)
    return any((x - u).as_rational() == 0 for u in form.unequal())


def _atom_is_nonzero(form: Knowledge, name: str) -> bool:
    x = symbol(name)
    known = any((x - u).as_rational() == 0 or (x + u).as_rational() == 0 for u in form.unequal())
    return known or "positive" in (sign(form, x), sign(form, -x))


def sign_of_tree(form: Form, node: Node, bindings: Bindings) -> Sign:
    """The sign of a tree as it is written: squares and sums of squares are not multiplied out."""
    found: Sign = None
    match node:
        case Pow(base=base, exponent=Number(value=value)) if value % 2 == 0 and value > 0:
            return "positive" if is_nonzero(form, form.of(base, bindings)) else "nonnegative"
        case Mul(factors=parts) | Add(terms=parts):
            signs = [sign_of_tree(form, part, bindings) for part in parts]
            if None not in signs:
                some = any if isinstance(node, Add) else all
                found = "positive" if some(s == "positive" for s in signs) else "nonnegative"
        case Div(numerator=above, denominator=below):
            if sign_of_tree(form, below, bindings) == "positive":
                found = sign_of_tree(form, above, bindings)
        case Sum(body=body, index=index, lower=lower, upper=upper):
            low, high = form.of(lower, bindings), form.of(upper, bindings)
            with form.opened(low, high) as name:
                found = sign_of_tree(form, body, {**bindings, index: symbol(name)})
            found = found if found is None or at_most(form, low, high) else "nonnegative"
    if found == "positive":
        return found
    return sign(form, form.of(node, bindings)) or found


def less(form: Form, small: Node, large: Node, bindings: Bindings) -> Literal["<", "<="] | None:
    """Whether small < large or small <= large is known."""
    found = _by_sign(form, small, large, bindings)
    if found is None and form.allows("monotonicity"):
        found = _by_parts(form, small, large, bindings)
    return found


def _by_sign(form: Form, small: Node, large: Node, bindings: Bindings) -> Literal["<", "<="] | None:
    found = sign(form, form.of(large, bindings) - form.of(small, bindings))
    if found is None and isinstance(small, Number) and small.value == 0:
        found = sign_of_tree(form, large, bindings)
    return None if found is None else "<" if found == "positive" else "<="


def _by_parts(
    form: Form, small: Node, large: Node, bindings: Bindings
) -> Literal["<", "<="] | None:
    """Monotonicity: two trees of one shape whose parts are ordered."""
    pairs: list[tuple[Node, Node]]
    match small, large:
        case (Add(terms=a), Add(terms=b)) if len(a) == len(b):
            pairs = list(zip(a, b, strict=True))
        case (Mul(factors=a), Mul(factors=b)) if len(a) == len(b):
            if not all(sign_of_tree(form, part, bindings) for part in a):
                return None
            # 0 * 1 is not less than 0 * 2: a product is only known to be no less.
            known = [less(form, x, y, bindings) for x, y in zip(a, b, strict=True)]
            return "<=" if all(known) else None
        case (Div(numerator=a, denominator=x), Div(numerator=b, denominator=y)):
            smaller = less(form, a, b, bindings), less(form, y, x, bindings)
            positive = sign_of_tree(form, y, bindings) == "positive"
            if not positive or None in smaller or not sign_of_tree(form, a, bindings):
                return None
            strict = smaller[0] == "<" or (
                smaller[1] == "<" and sign_of_tree(form, a, bindings) == "positive"
            )
            return "<" if strict else "<="
        case (Call(function="exp", argument=a), Call(function="exp", argument=b)):
            pairs = [(a, b)]
        case (Neg(body=a), Neg(body=b)):
            pairs = [(b, a)]
        case (Sum(), Sum()):
            return _sums(form, small, large, bindings)
        case _:
            return None
    found = [less(form, x, y, bindings) for x, y in pairs]
    return None if None in found else "<" if "<" in found else "<="


def _sums(form: Form, small: Sum, large: Sum, bindings: Bindings) -> Literal["<", "<="] | None:
    bounds = [form.of(b, bindings) for b in (small.lower, small.upper, large.lower, large.upper)]
    (low, high), others = bounds[:2], bounds[2:]
    if small.index != large.index or not (
        form.equal(low, others[0]) and form.equal(high, others[1])
    ):
        return None
    with form.opened(low, high) as name:
        found = less(form, small.body, large.body, {**bindings, small.index: symbol(name)})
    return found if found is None or at_most(form, low, high) else "<="
