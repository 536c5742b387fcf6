r"""Limits and substitution in numbers with an open symbol M.

As M → ∞, a term c·M^k·e^{E(M)} is ordered by its exponent E, a polynomial in M, and then by k. In a
quotient of such sums the largest order decides: divide numerator and denominator by it, and every
smaller term vanishes. This is the step at which the naive limit ∞/∞ fails.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cmp_to_key
from typing import TypeAlias

from flint import fmpq

from symattn.errors import InputError, UndecidedError
from symattn.exact import terms
from symattn.exact.evaluate import evaluate
from symattn.exact.functions import sign
from symattn.exact.numbers import Exact
from symattn.exact.terms import Atom, Monomial, Sum
from symattn.exact.writing import to_tree

__all__ = ["derivative", "limit", "substitute"]

#: The powers of M in an exponent with their coefficients, highest first; then the power in front.
Order: TypeAlias = tuple[tuple[tuple[int, Exact], ...], int]


def substitute(x: Exact, values: Mapping[str, Exact]) -> Exact:
    """The number with open symbols replaced by values.

    >>> from symattn.exact.numbers import rational, symbol
    >>> substitute(symbol("M") + 1, {"M": rational(2)}).as_rational()
    3
    """
    return evaluate(to_tree(x), values) if x.symbols() & set(values) else x


def limit(x: Exact, name: str, direction: int) -> Exact:
    """The limit of x as the symbol goes to +∞ (direction 1) or -∞ (direction -1).

    >>> from symattn.exact.functions import exp
    >>> from symattn.exact.numbers import symbol
    >>> limit(exp(symbol("M")) / (exp(symbol("M")) + 1), "M", 1).as_rational()
    1

    Raises: `InputError` where x grows without bound, `UndecidedError` outside such quotients.
    """
    if direction < 0:
        x = substitute(x, {name: -_symbol(name)})
    if not x.numerator:
        return x
    top, above = _leading(x.numerator, name)
    bottom, below = _leading(x.denominator, name)
    difference = _compare(top, bottom)
    if difference > 0:
        raise InputError(f"the value grows without bound as {name} goes to infinity")
    return above / below if difference == 0 else Exact(terms.EMPTY)


def derivative(x: Exact, name: str) -> Exact:
    """The derivative of x by a symbol, by the sum, product, quotient and chain rules.

    >>> from symattn.exact.functions import exp
    >>> from symattn.exact.equality import equal
    >>> from symattn.exact.numbers import symbol
    >>> M = symbol("M")
    >>> equal(derivative(exp(M * M), "M"), 2 * M * exp(M * M))
    True
    """
    top, bottom = Exact(x.numerator), Exact(x.denominator)
    above, below = _derivative(x.numerator, name), _derivative(x.denominator, name)
    return (above * bottom - top * below) / (bottom * bottom)


def _derivative(total: Sum, name: str) -> Exact:
    result = Exact(terms.EMPTY)
    for key, value in total.items():
        exponent, radical, atoms = key
        inner = _derivative(terms.thaw(exponent), name)
        result = result + Exact({key: value}) * inner
        for atom, k in atoms:
            if atom == _atom(name):
                rest = tuple(pair for pair in atoms if pair[0] != atom)
                lower = Exact({(exponent, radical, rest): value * k})
                result = result + lower * (_symbol(name) ** (k - 1))
            elif _holds(atom, name):
                raise UndecidedError(
                    f"the derivative of a {atom.kind} of {name} is not in the class"
                )
    return result


def _atom(name: str) -> Atom:
    return Atom("symbol", 0, name)


def _symbol(name: str) -> Exact:
    return Exact({((), (), ((_atom(name), 1),)): fmpq(1)})


def _holds(atom: Atom, name: str) -> bool:
    parts = atom.payload if isinstance(atom.payload, tuple) else ()
    return any(_atom(name) in terms.atoms_of(terms.thaw(part)) for part in parts)


def _leading(total: Sum, name: str) -> tuple[Order, Exact]:
    """The largest order of a sum and the coefficient of that order."""
    groups: list[tuple[Order, Exact]] = []
    for key, value in total.items():
        order, coefficient = _split(key, value, name)
        for index, (known, gathered) in enumerate(groups):
            if _compare(order, known) == 0:
                groups[index] = (known, gathered + coefficient)
                break
        else:
            groups.append((order, coefficient))
    ranked = sorted(groups, key=cmp_to_key(_larger_first))
    for order, coefficient in ranked:
        if coefficient.symbols() or sign(coefficient):
            return order, coefficient
    raise UndecidedError("all the leading terms cancel")


def _larger_first(left: tuple[Order, Exact], right: tuple[Order, Exact]) -> int:
    return _compare(right[0], left[0])


def _split(key: Monomial, value: fmpq, name: str) -> tuple[Order, Exact]:
    """A term as its order in the symbol and what stands beside it."""
    exponent, radical, atoms = key
    powers: dict[int, Exact] = {}
    rest: Sum = {}
    for inner, p, q in exponent:
        k, own = _power_of(inner, name)
        if k:
            powers[k] = powers.get(k, Exact(terms.EMPTY)) + Exact({own: fmpq(p, q)})
        else:
            rest[inner] = fmpq(p, q)
    k, (_, _, own_atoms) = _power_of(((), (), atoms), name)
    if any(power < 0 for power in powers):
        raise UndecidedError(f"a negative power of {name} stands in an exponent")
    growth = tuple(sorted(powers.items(), reverse=True))
    beside: Monomial = (terms.freeze(rest), radical, own_atoms)
    return (growth, k), Exact({beside: value})


def _power_of(key: Monomial, name: str) -> tuple[int, Monomial]:
    """The power of the symbol in a monomial, and the monomial without it."""
    exponent, radical, atoms = key
    if any(_atom(name) in terms.atoms_of({inner: fmpq(1)}) for inner, _, _ in exponent) or any(
        _holds(atom, name) for atom, _ in atoms
    ):
        raise UndecidedError(f"{name} stands below a function other than one exp")
    power = dict(atoms).get(_atom(name), 0)
    return power, (exponent, radical, tuple(pair for pair in atoms if pair[0] != _atom(name)))


def _compare(left: Order, right: Order) -> int:
    """Which of two orders is the larger for a large symbol."""
    a, b = dict(left[0]), dict(right[0])
    for power in sorted(set(a) | set(b), reverse=True):
        zero = Exact(terms.EMPTY)
        if direction := sign(a.get(power, zero) - b.get(power, zero)):
            return direction
    return (left[1] > right[1]) - (left[1] < right[1])
