r"""Rules for finite sums \sum_{j=a}^{b} f(j) over a whole index, a <= b + 1 (empty for a = b + 1).

* **linearity**: \sum (f + g) = \sum f + \sum g.
* **constant factor**: \sum c f(j) = c \sum f(j), where c does not depend on j.
* **constant summand**: \sum_{j=a}^{b} c = (b - a + 1) c, where c does not depend on j.
* **split at k**: \sum_{a}^{b} = \sum_{a}^{k} + \sum_{k+1}^{b}, where a - 1 <= k <= b.
* **sifting**: \sum_j \delta_{jk} f(j) = f(k), where a <= k <= b.
* **reindexing**: \sum_{j=1}^{n} f(\pi(j)) = \sum_{j=1}^{n} f(j) for a permutation \pi of 1..n.
* **exchange**: \sum_i \sum_j f = \sum_j \sum_i f, where neither range depends on the other index.

That a sum of one term is its term and that an empty sum is 0 is what a sum means.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import permutations
from typing import TYPE_CHECKING, Any

from symattn.derivation.rules.atoms import (
    Entry,
    Kronecker,
    Meaning,
    Table,
    frozen,
    is_symbol,
    monomial,
)
from symattn.derivation.rules.order import at_most, is_nonzero
from symattn.errors import StepError
from symattn.exact.numbers import Exact, symbol
from symattn.exact.terms import UNIT, Monomial

if TYPE_CHECKING:
    from symattn.derivation.rules.normal import Form

__all__ = ["Total", "opened_total", "total"]


@dataclass(frozen=True)
class Total(Meaning):
    """A sum that no rule has taken apart; `index` is bound, named by how deeply sums nest."""

    index: str
    lower: Exact
    upper: Exact
    term: Exact

    @property
    def parts(self) -> tuple[Exact, ...]:
        """Bounds and term."""
        return self.lower, self.upper, self.term

    @property
    def bound(self) -> frozenset[str]:
        """The index."""
        return frozenset((self.index,))

    def rebuilt(self, table: Table, mapping: Mapping[str, Exact]) -> Exact:
        """The sum with symbols replaced in bounds and term."""
        form: Any = table
        lower, upper = (table.replace(part, mapping) for part in (self.lower, self.upper))
        with form.opened(lower, upper) as name:
            inner = {**mapping, self.index: symbol(name)}
            return total(form, name, lower, upper, table.replace(self.term, inner))


def opened_total(form: Form, meaning: Total, name: str) -> Exact:
    """The term of a sum at an index in scope."""
    return form.replace(meaning.term, {meaning.index: symbol(name)})


def total(form: Form, index: str, lower: Exact, upper: Exact, body: Exact) -> Exact:
    """The normal form of a sum under the rules in force; `index` is in scope."""
    size = (upper - lower + 1).as_rational()
    if size == 0 or not body.numerator:
        return Exact({})
    if size == 1:
        return form.replace(body, {index: lower})
    for cut in form.cuts:
        with form.outside(index):
            divides = _divides(form, cut, lower, upper)
        if divides:
            return _part(form, index, lower, cut, body) + _part(form, index, cut + 1, upper, body)
    if index in form.free(Exact(body.denominator)):
        raise StepError("a denominator of several terms depends on the index of summation")
    whole = Exact(body.numerator)
    terms = [whole]
    if form.allows("linearity"):
        terms = [Exact({key: value}) for key, value in body.numerator.items()]
    result = Exact({})
    for term in terms:
        result = result + _term(form, index, lower, upper, term)
    if body.denominator == UNIT:
        return result
    return result * _taken_out(form, index, Exact(UNIT, body.denominator))


def _taken_out(form: Form, index: str, factor: Exact) -> Exact:
    """A factor that leaves a sum, once it is known to exist where the sum may be empty too.

    A sum over 1..n of 1/n is 1 only if n is not 0, which the range of its index does not tell.
    """
    if form.trusting:
        return factor
    divisors = {atom for _, _, atoms in factor.numerator for atom, power in atoms if power < 0}
    with form.outside(index):
        for divisor in (
            *(monomial(((), (), ((a, 1),))) for a in sorted(divisors)),
            Exact(factor.denominator),
        ):
            if not is_nonzero(form, divisor):
                raise StepError("a divisor taken out of a sum is not known to be non-zero there")
    return factor


def _divides(form: Form, cut: Exact, lower: Exact, upper: Exact) -> bool:
    """Whether a range is cut in two parts, each perhaps empty but neither the whole."""
    ends = ((cut - upper).as_rational(), (cut - lower + 1).as_rational())
    return 0 not in ends and at_most(form, lower - 1, cut) and at_most(form, cut, upper)


def _part(form: Form, index: str, lower: Exact, upper: Exact, body: Exact) -> Exact:
    with form.opened(lower, upper) as name:
        return total(form, name, lower, upper, form.replace(body, {index: symbol(name)}))


def _term(form: Form, index: str, lower: Exact, upper: Exact, term: Exact) -> Exact:
    outside, inside = _parted(form, index, term) if form.allows("constant factor") else (None, term)
    result = _whole(form, index, lower, upper, inside)
    return result if outside is None else _taken_out(form, index, outside) * result


def _parted(form: Form, index: str, term: Exact) -> tuple[Exact, Exact]:
    """A term as the factors that do not depend on the index, times the rest."""
    if len(term.numerator) != 1:
        outsides = {frozen(_split(form, index, key)[0]) for key in term.numerator}
        if len(outsides) != 1:
            return Exact(UNIT), term
        outside = _split(form, index, next(iter(term.numerator)))[0]
        return outside, term / outside
    ((key, value),) = term.numerator.items()
    outside, inside = _split(form, index, key)
    return outside * value, inside


def _split(form: Form, index: str, key: Monomial) -> tuple[Exact, Exact]:
    exponent, radical, atoms = key
    inner = tuple(part for part in exponent if index in form.free_of(part[0]))
    held = tuple(pair for pair in atoms if index in form.free_of_atom(pair[0]))
    outer = tuple(part for part in exponent if part not in inner)
    rest = tuple(pair for pair in atoms if pair not in held)
    return monomial((outer, radical, rest)), monomial((inner, (), held))


def _whole(form: Form, index: str, lower: Exact, upper: Exact, inside: Exact) -> Exact:
    """The sum of a term without constant factors."""
    if index not in form.free(inside) and form.allows("constant summand"):
        with form.outside(index):
            if not at_most(form, lower, upper + 1):
                raise StepError("constant summand: the range could be less than empty")
        return _taken_out(form, index, inside) * (upper - lower + 1)
    if len(inside.numerator) == 1:
        if form.allows("sifting") and (target := _sifted(form, index, lower, upper, inside)):
            return form.replace(inside, {index: target})
        if form.allows("reindexing"):
            inside = _reindexed(form, index, lower, upper, inside)
        if form.allows("exchange"):
            return _exchanged(form, index, lower, upper, inside)
    return closed(form, index, lower, upper, inside)


def closed(form: Form, index: str, lower: Exact, upper: Exact, inside: Exact) -> Exact:
    """The sum as one atom."""
    name = f"#{1 + max((_height(form, atom) for atom in form.free_atoms(inside)), default=0)}"
    term = form.replace(inside, {index: symbol(name)})
    return form.atom(Total(name, lower, upper, term))


def _height(form: Form, name: str) -> int:
    """How deeply sums nest inside an atom."""
    meaning = form.meanings[name]
    inner = [_height(form, atom) for part in meaning.parts for atom in form.free_atoms(part)]
    return max(inner, default=0) + isinstance(meaning, Total)


def _sifted(form: Form, index: str, lower: Exact, upper: Exact, inside: Exact) -> Exact | None:
    """The index that a delta in the term picks, where it lies in the range."""
    for name in inside.symbols():
        meaning = form.meanings.get(name)
        if isinstance(meaning, Kronecker):
            for side, other in (meaning.parts, meaning.parts[::-1]):
                if is_symbol(side) == index and index not in form.free(other):
                    with form.outside(index):
                        known = form.within(other, lower, upper)
                    if known:
                        return other
                    raise StepError("sifting: the index that the delta picks may be out of range")
    return None


def _reindexed(form: Form, index: str, lower: Exact, upper: Exact, inside: Exact) -> Exact:
    """f(π(j)) as f(j), where the index stands only inside one permutation of the range."""
    for permutation, size in form.permutations.items():
        if lower.as_rational() != 1 or (upper - size).as_rational() != 0:
            continue
        image = is_symbol(form.atom(Entry(permutation, (symbol(index),))))
        assert image is not None
        with form.opened(lower, upper) as name:
            renamed = form.replace(inside, {image: symbol(name)})
            if index not in form.free(renamed):
                return form.replace(renamed, {name: symbol(index)})
    return inside


def _exchanged(form: Form, index: str, lower: Exact, upper: Exact, inside: Exact) -> Exact:
    """A nest of sums in the order whose written form comes first: one for all orders."""
    binders = [(index, lower, upper)]
    with ExitStack() as scopes:
        term = _flattened(form, inside, binders, scopes)
        names = {name for name, _, _ in binders}
        bounds = [form.free(bound) for _, low, high in binders for bound in (low, high)]
        if len(binders) == 1 or any(free & names for free in bounds):
            return closed(form, index, lower, upper, inside)
        nests = [_nested(form, order, term) for order in permutations(binders)]
        return min(nests, key=lambda nest: str(frozen(nest)))


def _flattened(
    form: Form, term: Exact, binders: list[tuple[str, Exact, Exact]], scopes: ExitStack
) -> Exact:
    """A term with the sums among its factors opened, each with an index of its own."""
    if len(term.numerator) != 1 or term.denominator != UNIT:
        return term
    ((_, _, atoms),) = term.numerator
    for atom, power in atoms:
        meaning = form.meanings.get(atom.payload)
        if isinstance(meaning, Total) and power > 0:
            name = scopes.enter_context(form.opened(meaning.lower, meaning.upper))
            binders.append((name, meaning.lower, meaning.upper))
            rest = term / symbol(atom.payload)
            return _flattened(form, rest * opened_total(form, meaning, name), binders, scopes)
    return term


def _nested(form: Form, order: Sequence[tuple[str, Exact, Exact]], term: Exact) -> Exact:
    """The sums in one order, the last one innermost; an index is out of scope once it is summed."""
    with ExitStack() as summed:
        for name, lower, upper in reversed(order):
            inside = term
            if form.allows("constant factor") and len(term.numerator) == 1:
                outside, inside = _parted(form, name, term)
                term = _taken_out(form, name, outside) * closed(form, name, lower, upper, inside)
            else:
                term = closed(form, name, lower, upper, inside)
            summed.enter_context(form.outside(name))
    return term
