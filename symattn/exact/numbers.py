r"""Exact numbers: quotients N/D of sums of monomials, closed under +, -, ·, / and integer powers.

A softmax weight e^{s_j}/\sum_l e^{s_l} of algebraic scores is such a number, and so is every
output of attention. N and D are sums of `terms`; a denominator of one term, or of radicals alone,
is multiplied out, any other is kept, so equal numbers may be written differently: `equality`
decides.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import TypeAlias

from flint import arb, fmpq

from symattn.errors import CostError, DomainError, UndecidedError
from symattn.exact import terms
from symattn.exact.enclosures import enclose_shared, enclose_sum, working_precision
from symattn.exact.radicals import is_radical_sum, rationalised_inverse
from symattn.exact.terms import ONE, UNIT, Atom, Sum
from symattn.exact.zero import decide_zero

__all__ = ["Exact", "Rational", "dot", "rational", "symbol"]

#: What arithmetic with an exact number takes beside another one.
Rational: TypeAlias = int | Fraction | fmpq


class Exact:
    """An exact real number, or a function of open symbols, as a quotient of two sums.

    >>> third = rational(1) / 3
    >>> (third + third).as_rational()
    2/3
    """

    __slots__ = ("_ball", "denominator", "numerator")

    numerator: Sum
    denominator: Sum
    _ball: tuple[int, arb] | None

    def __init__(self, numerator: Sum, denominator: Sum = UNIT) -> None:
        self.numerator = numerator
        self.denominator = denominator
        self._ball = None

    def __add__(self, other: Exact | Rational) -> Exact:
        other = _exact(other)
        if self.denominator is other.denominator or self.denominator == other.denominator:
            return Exact(terms.add(self.numerator, other.numerator), self.denominator)
        return Exact(
            terms.add(
                terms.multiply(self.numerator, other.denominator),
                terms.multiply(other.numerator, self.denominator),
            ),
            terms.multiply(self.denominator, other.denominator),
        )

    def __neg__(self) -> Exact:
        return Exact(terms.negate(self.numerator), self.denominator)

    def __sub__(self, other: Exact | Rational) -> Exact:
        return self + -_exact(other)

    def __mul__(self, other: Exact | Rational) -> Exact:
        other = _exact(other)
        return Exact(
            terms.multiply(self.numerator, other.numerator),
            terms.multiply(self.denominator, other.denominator),
        )

    def __truediv__(self, other: Exact | Rational) -> Exact:
        other = _exact(other)
        if self.denominator is other.denominator and other.denominator is not UNIT:
            return Exact(self.numerator) * Exact(other.numerator).inverse()
        return self * other.inverse()

    def __pow__(self, exponent: int) -> Exact:
        if exponent < 0:
            return self.inverse() ** -exponent
        return Exact(terms.power(self.numerator, exponent), terms.power(self.denominator, exponent))

    __radd__ = __add__
    __rmul__ = __mul__

    def __rsub__(self, other: Rational) -> Exact:
        return _exact(other) - self

    def __rtruediv__(self, other: Rational) -> Exact:
        return _exact(other) / self

    def inverse(self) -> Exact:
        """The inverse of a number that is proved not to be zero.

        Raises: `DomainError` for zero, `UndecidedError` where neither could be proved.
        """
        total = self.numerator
        decision = decide_zero(total)
        if decision.verdict == "zero":
            raise DomainError("a division by zero has no value")
        if decision.verdict == "undecided":
            raise UndecidedError("a denominator could not be proved non-zero", decision.bound_text)
        if len(total) == 1:
            ((key, value),) = total.items()
            factor, inverse = terms.monomial_inverse(key)
            return Exact(terms.multiply(self.denominator, {inverse: factor / value}))
        if is_radical_sum(total):
            try:
                inverse_sum = rationalised_inverse(total)
            except CostError:
                return Exact(self.denominator, total)
            return Exact(terms.multiply(self.denominator, inverse_sum))
        return Exact(self.denominator, total)

    def as_rational(self) -> fmpq | None:
        """The value where the normal form shows that it is rational, else None.

        Without atoms the answer is complete: the monomials are linearly independent over the
        rationals, so N/D = r only if N = r·D term by term.
        """
        if not self.numerator:
            return fmpq(0)
        if len(self.numerator) != len(self.denominator):
            return None
        key = next(iter(self.denominator))
        if key not in self.numerator:
            return None
        ratio = self.numerator[key] / self.denominator[key]
        same = terms.scale(self.denominator, ratio) == self.numerator
        return ratio if same else None

    def has_atoms(self) -> bool:
        """Whether the normal form holds a symbol, a logarithm, a nested root or pi."""
        return bool(terms.atoms_of(self.numerator) or terms.atoms_of(self.denominator))

    def symbols(self) -> set[str]:
        """The names of the open symbols."""
        found = terms.atoms_of(self.numerator) | terms.atoms_of(self.denominator)
        return {str(atom.payload) for atom in found if atom.kind == "symbol"}

    def enclose(self, bits: int) -> arb:
        """A ball around the value, computed with `bits` bits; the last one is kept."""
        if self._ball is None or self._ball[0] != bits:
            ball = enclose_sum(self.numerator, bits)
            if self.denominator is not UNIT:
                with working_precision(bits):
                    ball /= enclose_shared(self.denominator, bits)
            self._ball = (bits, ball)
        return self._ball[1]

    def __repr__(self) -> str:
        from symattn.exact.plain import to_text
        from symattn.exact.writing import to_tree

        return f"Exact({to_text(to_tree(self))!r})"


def rational(value: Rational, denominator: int = 1) -> Exact:
    """An exact rational number.

    >>> rational(1, 2).as_rational()
    1/2
    """
    number = _fmpq(value) / denominator if denominator != 1 else _fmpq(value)
    return Exact(terms.constant(number))


def symbol(name: str) -> Exact:
    """A symbol left open."""
    return Exact({((), (), ((Atom("symbol", 0, name), 1),)): fmpq(1)})


def _fmpq(value: Rational) -> fmpq:
    return fmpq(value.numerator, value.denominator) if isinstance(value, Fraction) else fmpq(value)


def _exact(value: Exact | Rational) -> Exact:
    return value if isinstance(value, Exact) else rational(value)


def dot(left: Iterable[Exact], right: Iterable[Exact]) -> Exact:
    r"""The dot product \sum_i x_i y_i, gathered in one sum for each common denominator.

    >>> dot([rational(1), rational(2)], [rational(3), rational(4)]).as_rational()
    11
    """
    # Each entry holds its two denominators, so that their ids stay their own.
    gathered: dict[tuple[int, int], tuple[Sum, Sum, Sum]] = {}
    for x, y in zip(left, right, strict=True):
        key = (id(x.denominator), id(y.denominator))
        if key not in gathered:
            gathered[key] = ({}, x.denominator, y.denominator)
        terms.multiply_into(gathered[key][0], x.numerator, y.numerator)
    total = Exact(terms.EMPTY)
    for numerator, below, beneath in gathered.values():
        total = total + Exact(numerator, terms.multiply(below, beneath))
    return total


def is_one(total: Sum) -> bool:
    """Whether a sum is written as the number 1."""
    return total is UNIT or (len(total) == 1 and total.get(ONE) == 1)
