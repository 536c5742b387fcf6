"""exp, log, roots and powers of exact numbers, in the normal form.

* e^x of an algebraic x is one monomial; e^{x + c·log a} with rational c is e^x·a^c.
* log of a rational number is written in logs of primes; log(e^x) = x.
* a root of a positive rational number is a radical monomial, the root of c·e^x is c^{1/n}·e^{x/n},
  and any other root of a number that is proved positive is an atom.

An even root of a negative number and the log of a number that is not positive do not exist;
an odd root of a negative number is the real one.
"""

from __future__ import annotations

from flint import fmpq

from symattn.errors import CostError, DomainError, UndecidedError
from symattn.exact import terms
from symattn.exact.enclosures import enclose_sum, excludes_zero
from symattn.exact.numbers import Exact
from symattn.exact.radicals import factorise, rational_power
from symattn.exact.terms import ONE, UNIT, Atom, Monomial, Sum, freeze, thaw
from symattn.exact.zero import decide_zero

__all__ = ["MAX_ROOT_INDEX", "cosh", "exp", "log", "pi", "power", "root", "sign", "sinh", "tanh"]

#: Roots of a higher index and larger whole powers are refused.
MAX_ROOT_INDEX, MAX_POWER = 64, 10_000


def exp(x: Exact) -> Exact:
    """e^x.

    >>> from symattn.exact.numbers import rational
    >>> (exp(rational(1)) * exp(rational(-1))).as_rational()
    1
    """
    exponent, factor = _polynomial(x), Exact(UNIT)
    rest: Sum = {}
    for key, value in exponent.items():
        argument = _log_argument(key)
        if argument is not None:
            factor = factor * power(argument, int(value.p), int(value.q))
        else:
            rest[key] = value
    monomial: Monomial = (freeze(rest), (), ())
    return factor * Exact({monomial: fmpq(1)})


def _polynomial(x: Exact) -> Sum:
    """A number as a sum without denominator: what cannot be multiplied out becomes an atom."""
    if x.denominator is UNIT or x.denominator == UNIT:
        return x.numerator
    inverse = Atom("inverse", 0, (freeze(UNIT), freeze(x.denominator)))
    return terms.multiply(x.numerator, {((), (), ((inverse, 1),)): fmpq(1)})


def _log_argument(key: Monomial) -> Exact | None:
    """a, where the monomial is log(a)."""
    exponent, radical, atoms = key
    if exponent or radical or len(atoms) != 1 or atoms[0][0].kind != "log" or atoms[0][1] != 1:
        return None
    numerator, denominator = atoms[0][0].payload
    return Exact(thaw(numerator), thaw(denominator))


def log(x: Exact) -> Exact:
    """The natural logarithm of a number that is proved positive.

    Raises: `DomainError` for a number that is not positive.
    """
    if sign(x) <= 0:
        raise DomainError("the logarithm of a number that is not positive does not exist")
    numerator, denominator = x.numerator, x.denominator
    if decide_sign(denominator) < 0:
        numerator, denominator = terms.negate(numerator), terms.negate(denominator)
    return _log_of_sum(numerator) - _log_of_sum(denominator)


def _log_of_sum(total: Sum) -> Exact:
    """log of a positive sum: what is surely positive is taken out, what is left is an atom."""
    first = min(total)
    exponent, radical, atoms = first
    content = abs(total[first])
    result = Exact(thaw(exponent)) + _log_rational(content)
    for prime, p, q in radical:
        result = result + _log_rational(fmpq(prime)) * fmpq(p, q)
    if len(total) > 1:
        factor, inverse = terms.monomial_inverse((exponent, radical, ()))
        return result + _log_atom(terms.multiply(total, {inverse: factor / content}))
    for atom, k in atoms:
        value: Sum = {((), (), ((atom, 1),)): fmpq(1)}
        size = value if decide_sign(value) > 0 else terms.negate(value)
        result = result + _log_atom(size) * k
    return result


def _log_rational(value: fmpq) -> Exact:
    result = Exact(terms.EMPTY)
    for part, direction in ((int(value.p), 1), (int(value.q), -1)):
        factors = factorise(part)
        for base, exponent in ((part, 1),) if factors is None else factors:
            if base != 1:
                log_base = _log_atom(terms.constant(fmpq(base)))
                result = result + log_base * (direction * exponent)
    return result


def _log_atom(total: Sum) -> Exact:
    return Exact({((), (), ((Atom("log", 0, (freeze(total), freeze(UNIT))), 1),)): fmpq(1)})


def root(x: Exact, index: int) -> Exact:
    """The real root of an index of at least 1.

    >>> from symattn.exact.numbers import rational
    >>> root(rational(8), 3).as_rational(), (root(rational(2), 2) ** 2).as_rational()
    (2, 2)

    Raises: `DomainError` for an even root of a negative number, `CostError` for a huge index.
    """
    if index < 1:
        raise DomainError(f"a root of index {index} does not exist: the index is at least 1")
    if index > MAX_ROOT_INDEX:
        raise CostError(f"a root of index {index} is refused (at most {MAX_ROOT_INDEX})")
    if index == 1 or not x.numerator:
        return x
    direction = sign(x)
    if direction < 0:
        if index % 2 == 0:
            raise DomainError("an even root of a negative number is not real")
        return -root(-x, index)
    if direction == 0:
        return Exact(terms.EMPTY)
    simple = _monomial_root(x, index)
    if simple is not None:
        return simple
    atom = Atom("root", index, (freeze(x.numerator), freeze(x.denominator)))
    return Exact({((), (), ((atom, 1),)): fmpq(1)})


def _monomial_root(x: Exact, index: int) -> Exact | None:
    """The root of c·R·e^E with a positive c, which is a monomial again."""
    if x.denominator != UNIT or len(x.numerator) != 1:
        return None
    (((exponent, radical, atoms), value),) = x.numerator.items()
    parts = [(value, 1), *((fmpq(prime) ** p, q) for prime, p, q in radical)]
    if atoms or value < 0:
        return None
    result = Exact({(freeze({k: fmpq(p, q * index) for k, p, q in exponent}), (), ()): fmpq(1)})
    for base, own_index in parts:
        found = rational_power(base, 1, own_index * index)
        if found is None:
            return None
        result = result * Exact({found[1]: found[0]})
    return result


def power(x: Exact, p: int, q: int = 1) -> Exact:
    """x^(p/q) for whole p and positive q; 0^0 is refused.

    Raises: `CostError` for a power whose size or number of terms is out of all proportion.
    """
    if p == 0:
        _check_not_zero(x)
    base = root(x, q)
    if abs(p) > MAX_POWER:
        raise CostError(f"a power of {p} is refused (at most {MAX_POWER})")
    return base**p


def _check_not_zero(x: Exact) -> None:
    """Refuse 0 as the base of a power 0, however it is written."""
    decision = decide_zero(x.numerator)
    if decision.verdict == "zero":
        raise DomainError("0^0 has no agreed value")
    if decision.verdict == "undecided":
        raise UndecidedError("the base of a power 0 could be 0", decision.bound_text)


def sinh(x: Exact) -> Exact:
    """(e^x - e^-x)/2."""
    return (exp(x) - exp(-x)) / 2


def cosh(x: Exact) -> Exact:
    """(e^x + e^-x)/2."""
    return (exp(x) + exp(-x)) / 2


def tanh(x: Exact) -> Exact:
    """(e^2x - 1)/(e^2x + 1)."""
    square = exp(x + x)
    return (square - 1) / (square + 1)


def pi() -> Exact:
    """The circle's number, an atom."""
    return Exact({((), (), ((Atom("pi", 0, ""), 1),)): fmpq(1)})


def sign(x: Exact) -> int:
    """-1, 0 or 1, proved.

    >>> from symattn.exact.numbers import rational
    >>> sign(root(rational(2), 2) - fmpq(17, 12))
    -1

    Raises: `UndecidedError` where zero could neither be proved nor refuted, and for open symbols.
    """
    above = decide_sign(x.numerator)
    return above if x.denominator is UNIT or above == 0 else above * decide_sign(x.denominator)


def decide_sign(total: Sum) -> int:
    """The sign of a sum, proved."""
    if len(total) == 1 and ONE in total:
        return 1 if total[ONE] > 0 else -1
    if any(atom.kind == "symbol" for atom in terms.atoms_of(total)):
        raise UndecidedError("the sign of an expression with open symbols is not known")
    decision = decide_zero(total)
    if decision.verdict == "zero":
        return 0
    if decision.verdict == "undecided":
        raise UndecidedError("a sign could not be decided", decision.bound_text)
    bits = 64
    while not excludes_zero(ball := enclose_sum(total, bits)):
        bits *= 2
    return 1 if ball > 0 else -1
