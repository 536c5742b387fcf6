r"""A sum freed of inverses and of high powers of roots, without moving its zero.

The sum is multiplied by numbers that were proved not to be zero when it was built. With
r = (N/D)^{1/n}, a power r^{nq + k} is (N/D)^q r^k with 0 <= k < n; an inverse has n = 1.
"""

from __future__ import annotations

from symattn.exact.terms import (
    Atom,
    Monomial,
    Sum,
    multiply,
    multiply_into,
    power,
    thaw,
)

__all__ = ["cleared"]


def cleared(total: Sum) -> Sum:
    """A sum that is zero exactly where the given one is, without inverses and powers of roots.

    Raises: `CostError` where it would have too many terms.
    """
    while True:
        powers = [dict(atoms) for _, _, atoms in total]
        atom = next((a for own in powers for a, k in own.items() if _is_reducible(a, k)), None)
        if atom is None:
            return total
        total = _reduced(total, atom, [divmod(own.get(atom, 0), _index(atom)) for own in powers])


def _reduced(total: Sum, atom: Atom, parts: list[tuple[int, int]]) -> Sum:
    """The sum with r^k for r^(nq + k) in each term, (q, k) being its part."""
    numerator, denominator = (thaw(part) for part in atom.payload)
    least, most = min(q for q, _ in parts), max(q for q, _ in parts)
    result: Sum = {}
    for ((exponent, radical, atoms), value), (q, k) in zip(total.items(), parts, strict=True):
        others = [pair for pair in atoms if pair[0] != atom] + ([(atom, k)] if k else [])
        key: Monomial = (exponent, radical, tuple(sorted(others)))
        factor = multiply(power(numerator, q - least), power(denominator, most - q))
        multiply_into(result, {key: value}, factor)
    return result


def _index(atom: Atom) -> int:
    return max(atom.order, 1)


def _is_reducible(atom: Atom, k: int) -> bool:
    return atom.kind in ("root", "inverse") and not 0 <= k < _index(atom)
