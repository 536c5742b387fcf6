r"""Sums of monomials  \sum_i c_i · e^{E_i} · \prod p^{r} · \prod a^{k}  with rational c_i.

The alphabet of the exact core. A monomial is a triple of sorted tuples:

* its **exponent** E, itself a rational combination of monomials;
* its **radical**, a product of p^(r) over primes p with rational 0 < r < 1;
* its **atoms**, integer powers of what has no further structure: a symbol, pi, a logarithm, a
  nested root, the inverse of a sum.

A sum maps monomials to non-zero coefficients and is never changed once made. Keys hold plain
integers, because hashing an `fmpq` costs more than all the rest.
"""

from __future__ import annotations

from functools import lru_cache
from math import gcd
from typing import Any, NamedTuple, TypeAlias

from flint import fmpq

from symattn.errors import CostError

__all__ = [
    "EMPTY",
    "MAX_TERMS",
    "ONE",
    "UNIT",
    "Atom",
    "Atoms",
    "Frozen",
    "Monomial",
    "Radical",
    "Sum",
    "accumulate",
    "add",
    "atoms_of",
    "constant",
    "freeze",
    "monomial_inverse",
    "multiply",
    "multiply_into",
    "multiply_monomials",
    "negate",
    "power",
    "scale",
    "thaw",
]

Radical: TypeAlias = tuple[tuple[int, int, int], ...]
Frozen: TypeAlias = "tuple[tuple[Monomial, int, int], ...]"
Atoms: TypeAlias = "tuple[tuple[Atom, int], ...]"
Monomial: TypeAlias = tuple[Frozen, Radical, Atoms]
Sum: TypeAlias = dict[Monomial, fmpq]


class Atom(NamedTuple):
    """What a monomial is made of beside exponentials and radicals of primes.

    `kind` is "symbol", "pi", "log", "root" or "inverse"; `order` is the index of a root, else 0;
    `payload` is the name of a symbol, "" for pi, and (numerator, denominator) for the others.
    """

    kind: str
    order: int
    payload: Any


ONE: Monomial = ((), (), ())
UNIT: Sum = {ONE: fmpq(1)}
EMPTY: Sum = {}

#: A sum with more terms than this is refused: honest softmaxes have a few hundred.
MAX_TERMS = 20_000
#: A power is refused where its coefficients could have more bits than this.
MAX_POWER_BITS = 400_000


def constant(value: fmpq) -> Sum:
    """The sum of one rational number."""
    return {ONE: value} if value else EMPTY


def freeze(total: Sum) -> Frozen:
    """A sum as a sorted, hashable tuple.

    >>> freeze(constant(fmpq(2, 3)))
    ((((), (), ()), 2, 3),)
    """
    return tuple(sorted((key, int(value.p), int(value.q)) for key, value in total.items()))


def thaw(frozen: Frozen) -> Sum:
    """The sum of a frozen one."""
    return {key: fmpq(p, q) for key, p, q in frozen}


def add(left: Sum, right: Sum) -> Sum:
    """The sum of two sums."""
    if len(left) < len(right):
        left, right = right, left
    if not right:
        return left
    result = dict(left)
    for key, value in right.items():
        accumulate(result, key, value)
    return result


def accumulate(result: Sum, key: Monomial, value: fmpq) -> None:
    """Add one term to a sum that is still being made."""
    present = result.get(key)
    if present is None or (value := present + value):
        result[key] = value
    else:
        del result[key]


def negate(total: Sum) -> Sum:
    """The sum with every sign changed."""
    return {key: -value for key, value in total.items()}


def scale(total: Sum, factor: fmpq) -> Sum:
    """The sum times a rational number."""
    if factor == 1:
        return total
    return {key: value * factor for key, value in total.items()} if factor else EMPTY


def multiply(left: Sum, right: Sum) -> Sum:
    """The product of two sums.

    Raises: `CostError` where it could have more than `MAX_TERMS` terms.
    """
    if len(left) == 1 and ONE in left:
        return scale(right, left[ONE])
    if len(right) == 1 and ONE in right:
        return scale(left, right[ONE])
    if len(left) * len(right) > 10 * MAX_TERMS:
        raise CostError(
            f"the product of a sum of {len(left)} and a sum of {len(right)} terms is too large "
            f"(at most {10 * MAX_TERMS} partial products)"
        )
    result: Sum = {}
    multiply_into(result, left, right)
    if len(result) > MAX_TERMS:
        raise CostError(f"a sum of {len(result)} terms is too large (at most {MAX_TERMS})")
    return result


def multiply_into(result: Sum, left: Sum, right: Sum) -> None:
    """Add the product of two sums to a sum that is still being made."""
    if len(right) == 1 and ONE in right:
        left, right = right, left
    if len(left) == 1 and ONE in left:
        factor = left[ONE]
        for key, value in right.items():
            accumulate(result, key, value * factor)
        return
    for key, value in left.items():
        for other, factor in right.items():
            carried, product = multiply_monomials(key, other)
            coefficient = value * factor
            accumulate(result, product, coefficient if carried == 1 else coefficient * carried)


def power(base: Sum, exponent: int) -> Sum:
    """The sum to an integer power of at least 0, by repeated squaring.

    Raises: `CostError` where its coefficients could be longer than `MAX_POWER_BITS`, or its terms
    too many.
    """
    height = max((int(value.height_bits()) for value in base.values()), default=0)
    bits = exponent * (height + len(base).bit_length() - 1)
    if bits > MAX_POWER_BITS:
        raise CostError(f"a power of {bits} bits is refused (at most {MAX_POWER_BITS})")
    # Radicals alone have few products; otherwise the square of the half power has many terms.
    grows = len(base) > 1 and any(inner or atoms for inner, _, atoms in base)
    if grows and (exponent // 2 + 1) ** 2 > 10 * MAX_TERMS:
        raise CostError(f"the power {exponent} of a sum of {len(base)} terms is too large")
    result = UNIT
    while exponent:
        if exponent & 1:
            result = multiply(result, base)
        exponent >>= 1
        if exponent:
            base = multiply(base, base)
    return result


@lru_cache(maxsize=1 << 14)
def multiply_monomials(left: Monomial, right: Monomial) -> tuple[int, Monomial]:
    """The product of two monomials: the whole number carried out of the radicals, and the rest.

    >>> root_of_six, root_of_two = ((), ((2, 1, 2), (3, 1, 2)), ()), ((), ((2, 1, 2),), ())
    >>> multiply_monomials(root_of_six, root_of_two)
    (2, ((), ((3, 1, 2),), ()))
    """
    carried, radical = _multiply_radicals(left[1], right[1])
    return carried, (_add_exponents(left[0], right[0]), radical, _multiply_atoms(left[2], right[2]))


def _multiply_radicals(left: Radical, right: Radical) -> tuple[int, Radical]:
    if not left or not right:
        return 1, left or right
    powers = {prime: (p, q) for prime, p, q in left}
    carried = 1
    for prime, p, q in right:
        p0, q0 = powers.pop(prime, (0, 1))
        p, q = _reduced(p0 * q + p * q0, q * q0)
        if p >= q:
            carried *= prime
            p -= q
        if p:
            powers[prime] = (p, q)
    return carried, tuple(sorted((prime, p, q) for prime, (p, q) in powers.items()))


def _add_exponents(left: Frozen, right: Frozen) -> Frozen:
    if not left or not right:
        return left or right
    sums = {key: (p, q) for key, p, q in left}
    for key, p, q in right:
        p0, q0 = sums.pop(key, (0, 1))
        if numerator := p0 * q + p * q0:
            sums[key] = _reduced(numerator, q * q0)
    return tuple(sorted((key, p, q) for key, (p, q) in sums.items()))


def _multiply_atoms(left: Atoms, right: Atoms) -> Atoms:
    if not left or not right:
        return left or right
    powers = dict(left)
    for atom, exponent in right:
        exponent += powers.pop(atom, 0)
        if exponent:
            powers[atom] = exponent
    return tuple(sorted(powers.items()))


def _reduced(numerator: int, denominator: int) -> tuple[int, int]:
    divisor = gcd(numerator, denominator)
    return numerator // divisor, denominator // divisor


def monomial_inverse(key: Monomial) -> tuple[fmpq, Monomial]:
    """1/monomial, as a rational factor and a monomial: 1/√2 = 1/2 · √2.

    >>> monomial_inverse(((), ((2, 1, 2),), ()))
    (1/2, ((), ((2, 1, 2),), ()))
    """
    exponent, radical, atoms = key
    factor = fmpq(1)
    for prime, _, _ in radical:
        factor /= prime
    return factor, (
        tuple((inner, -p, q) for inner, p, q in exponent),
        tuple((prime, q - p, q) for prime, p, q in radical),
        tuple((atom, -k) for atom, k in atoms),
    )


def atoms_of(total: Sum) -> set[Atom]:
    """Every atom of a sum, those of its exponents and inside other atoms included."""
    found: set[Atom] = set()
    _collect(list(total), found)
    return found


def _collect(keys: list[Monomial], found: set[Atom]) -> None:
    while keys:
        exponent, _, atoms = keys.pop()
        keys.extend(inner for inner, _, _ in exponent)
        for atom, _ in atoms:
            if atom not in found:
                found.add(atom)
                if isinstance(atom.payload, tuple):
                    keys.extend(inner for part in atom.payload for inner, _, _ in part)
