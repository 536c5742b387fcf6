r"""Roots of positive rational numbers as products of prime powers: 12^{1/2} = 2·3^{1/2}.

Products \prod p_i^{r_i} with distinct exponent vectors (0 <= r_i < 1) are linearly independent over
the rationals (Besicovitch 1940, Mordell 1953): this is what makes a sum of them zero only if every
coefficient is.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from math import gcd, lcm

from flint import fmpq, fmpq_mat, fmpz

from symattn.errors import CostError
from symattn.exact.terms import ONE, Monomial, Sum, multiply, multiply_monomials

__all__ = ["coprime_base", "factorise", "is_radical_sum", "rational_power", "rationalised_inverse"]

#: Composite cofactors beyond this size are not factorised (a 90-bit one takes milliseconds).
MAX_FACTOR_BITS = 90
#: The degree up to which the inverse of a sum of radicals is computed.
MAX_DEGREE = 64


@lru_cache(maxsize=1 << 12)
def factorise(number: int) -> tuple[tuple[int, int], ...] | None:
    """The prime factors of a positive integer, or None where they would cost too much.

    >>> factorise(720)
    ((2, 4), (3, 2), (5, 1))
    """
    value = fmpz(number)
    if number.bit_length() <= MAX_FACTOR_BITS:
        return tuple((int(p), int(e)) for p, e in value.factor())
    factors: dict[int, int] = {}
    for p, e in value.factor_smooth(16):
        part = _prime_power(int(p), int(e))
        if part is None:
            return None
        for prime, exponent in part:
            factors[prime] = factors.get(prime, 0) + exponent
    return tuple(sorted(factors.items()))


def _prime_power(base: int, exponent: int) -> tuple[tuple[int, int], ...] | None:
    """base^exponent in primes: the base may be prime, small, or a perfect power of such."""
    if base.bit_length() <= MAX_FACTOR_BITS or fmpz(base).is_prime():
        return tuple((int(p), int(e) * exponent) for p, e in fmpz(base).factor())
    for index in (2, 3, 5, 7):
        root = int(fmpz(base).root(index))
        if root**index == base:
            return _prime_power(root, exponent * index)
    return None


def coprime_base(numbers: Iterable[int]) -> list[int]:
    """Pairwise coprime numbers above 1 of which all the given positive ones are products.

    No factorisation is needed: numbers that share a divisor are split by it.

    >>> sorted(coprime_base([12, 18]))
    [2, 3]
    """
    base: list[int] = []
    waiting = list(numbers)
    while waiting:
        number = waiting.pop()
        if number == 1:
            continue
        other = next((b for b in base if gcd(number, b) > 1), None)
        if other is None:
            base.append(number)
        else:
            shared = gcd(number, other)
            base.remove(other)
            waiting += [shared, number // shared, other // shared]
    return base


@lru_cache(maxsize=1 << 12)
def rational_power(base: fmpq, p: int, q: int) -> tuple[fmpq, Monomial] | None:
    """base^(p/q) of a positive rational base as (rational factor, radical monomial).

    None where a factorisation would cost too much.

    >>> rational_power(fmpq(1, 12), 1, 2)
    (1/6, ((), ((3, 1, 2),), ()))
    """
    powers: dict[int, int] = {}
    for part, sign in ((int(base.p), 1), (int(base.q), -1)):
        factors = factorise(part)
        if factors is None:
            return None
        for prime, exponent in factors:
            powers[prime] = sign * exponent * p
    factor, radical = fmpq(1), []
    for prime in sorted(powers):
        whole, rest = divmod(powers[prime], q)
        factor *= fmpq(prime) ** whole
        if rest:
            fraction = fmpq(rest, q)
            radical.append((prime, int(fraction.p), int(fraction.q)))
    return factor, ((), tuple(radical), ())


def is_radical_sum(total: Sum) -> bool:
    """Whether every term is rational or a radical of one: no exponential and no atom."""
    return all(not exponent and not atoms for exponent, _, atoms in total)


def rationalised_inverse(total: Sum) -> Sum:
    """The inverse of a non-zero sum of radicals, again as a sum of radicals.

    Multiplication by the sum is a linear map on the span of its radicals; the inverse solves it.

    Raises: `CostError` where that span has a dimension above `MAX_DEGREE`.
    """
    basis = _basis(total)
    position = {key: row for row, key in enumerate(basis)}
    size = len(basis)
    matrix = fmpq_mat(size, size)
    for column, element in enumerate(basis):
        for key, value in total.items():
            carried, product = multiply_monomials(key, element)
            matrix[position[product], column] += carried * value
    solution = matrix.solve(fmpq_mat(size, 1, [1] + [0] * (size - 1)))
    return {key: solution[row, 0] for key, row in position.items() if solution[row, 0] != 0}


def _basis(total: Sum) -> list[Monomial]:
    """The radicals that products of the sum's radicals can reach."""
    indices: dict[int, int] = {}
    for _, radical, _ in total:
        for prime, _, q in radical:
            indices[prime] = lcm(indices.get(prime, 1), q)
    degree = 1
    for index in indices.values():
        degree *= index
    if degree > MAX_DEGREE:
        raise CostError(
            f"a denominator of algebraic degree {degree} is too large to rationalise "
            f"(at most {MAX_DEGREE})"
        )
    basis: Sum = {ONE: fmpq(1)}
    for prime, index in indices.items():
        steps = {_radical(prime, k, index): fmpq(1) for k in range(index)}
        basis = multiply(basis, steps)
    return sorted(basis)


def _radical(prime: int, k: int, index: int) -> Monomial:
    fraction = fmpq(k, index)
    return ((), ((prime, int(fraction.p), int(fraction.q)),) if k else (), ())
