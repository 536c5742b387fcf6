r"""Rules for the expected value of polynomials in random entries.

* **linearity of expectation**: E(a X + b Y) = a E(X) + b E(Y) for constants a, b, also for a finite
  sum of any number of terms; E(1) = 1.
* **independence**: E(X Y) = E(X) E(Y) for independent X, Y. Entries of families that are declared
  `random` are mutually independent; two entries of one family count as different only where their
  indices are known to differ.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from symattn.derivation.rules.atoms import Entry, Meaning, Table, monomial
from symattn.derivation.rules.dependence import depends
from symattn.derivation.rules.sums import Total, opened_total, total
from symattn.errors import StepError
from symattn.exact.numbers import Exact, symbol
from symattn.exact.terms import EMPTY, UNIT, Monomial
from symattn.exact.tree import Indexed, Node, Symbol

if TYPE_CHECKING:
    from symattn.derivation.rules.normal import Form

__all__ = ["Mean", "mean"]


@dataclass(frozen=True)
class Mean(Meaning):
    """The expected value of a number that no rule takes apart."""

    body: Exact

    @property
    def parts(self) -> tuple[Exact, ...]:
        """The body."""
        return (self.body,)

    def rebuilt(self, table: Table, mapping: Mapping[str, Exact]) -> Exact:
        """The expected value after replacement."""
        form: Form = table  # type: ignore[assignment]
        return mean(form, table.replace(self.body, mapping))


def mean(form: Form, body: Exact) -> Exact:
    """E of a number."""
    if _is_random(form, Exact(body.denominator)):
        raise StepError("linearity of expectation: a denominator is random")
    if not form.allows("linearity of expectation"):
        return _product(form, body)
    result = Exact(EMPTY)
    for key, value in body.numerator.items():
        result = result + _monomial(form, key) * value
    return result if body.denominator == UNIT else result / Exact(body.denominator)


def _is_random(form: Form, x: Exact) -> bool:
    return any(_atom_is_random(form, name) for name in x.symbols())


def _atom_is_random(form: Form, name: str) -> bool:
    match form.meanings.get(name):
        case Entry(name=family):
            return _depends_on_chance(form, Indexed(family, ()))
        case None:
            return _depends_on_chance(form, Symbol(name))
        case Mean():
            return False
        case meaning:
            return any(_is_random(form, part) for part in meaning.parts)


def _depends_on_chance(form: Form, node: Node) -> bool:
    """Whether a name is random, or defined by what is."""
    return any(depends(form.theory, node, family) for family in form.theory.random)


def _monomial(form: Form, key: Monomial) -> Exact:
    """E of a monomial: constants go before it, a sum among its factors is taken term by term."""
    exponent, radical, atoms = key
    if any(_is_random(form, monomial(inner)) for inner, _, _ in exponent):
        raise StepError("linearity of expectation: an exponent is random")
    random = tuple(pair for pair in atoms if _atom_is_random(form, pair[0].payload))
    constant = monomial((exponent, radical, tuple(pair for pair in atoms if pair not in random)))
    if not random:
        return constant
    if any(power < 0 for _, power in random):
        raise StepError("linearity of expectation: a denominator is random")
    for atom, _ in random:
        meaning = form.meanings.get(atom.payload)
        if isinstance(meaning, Total):
            rest = monomial(((), (), random)) / symbol(atom.payload)
            with form.opened(meaning.lower, meaning.upper) as name:
                term = mean(form, rest * opened_total(form, meaning, name))
                return constant * total(form, name, meaning.lower, meaning.upper, term)
    return constant * _product(form, monomial(((), (), random)))


def _product(form: Form, x: Exact) -> Exact:
    """E of a product of random entries, as a product over those that are independent."""
    if not form.allows("independence") or len(x.numerator) != 1:
        return form.atom(Mean(x))
    ((_, _, atoms),) = x.numerator
    groups: list[list[tuple[Entry, Exact]]] = []
    for atom, power in atoms:
        meaning = form.meanings.get(atom.payload)
        if not isinstance(meaning, Entry):
            return form.atom(Mean(x))
        factor = (meaning, symbol(atom.payload) ** power)
        joined = [g for g in groups if any(not _independent(form, meaning, e) for e, _ in g)]
        groups = [g for g in groups if g not in joined]
        groups.append([factor, *(pair for group in joined for pair in group)])
    result = Exact(UNIT)
    for group in groups:
        body = Exact(UNIT)
        for _, factor_value in group:
            body = body * factor_value
        result = result * form.atom(Mean(body))
    return result


def _independent(form: Form, a: Entry, b: Entry) -> bool:
    if {a.name, b.name} - set(form.theory.random):
        return False
    if a.name != b.name:
        return True
    return any(form.differ(i, j) for i, j in zip(a.indices, b.indices, strict=True))
