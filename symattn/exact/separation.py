r"""Is an algebraic sum zero?  A ball below its root separation bound proves that it is.

The BFMSS bound (Burnikel, Funke, Mehlhorn, Schirra, Schmitt, "A separation bound for real algebraic
expressions", ESA 2001): an expression E of integers, +, -, ·, / and roots is U/L with U and L free
of division, hence algebraic integers, and it carries bounds u(E) on every conjugate of U and l(E)
on every conjugate of L:

    integer N: u = |N|, l = 1;          E/F: u = u_E l_F, l = l_E u_F;
    E ± F: u = u_E l_F + l_E u_F, l = l_E l_F;          E·F: u = u_E u_F, l = l_E l_F;
    k-th root of E: u = (u_E l_E^{k-1})^{1/k}, l = l_E  where u_E >= l_E, as (U L^{k-1})^{1/k}/L,
                    u = u_E, l = (u_E^{k-1} l_E)^{1/k}  elsewhere, as U/(U^{k-1} L)^{1/k}.

U has at most D conjugates, D being the product of the indices of the distinct roots, and their
product is a non-zero integer unless E = 0. So |E| >= 1/(u^{D-1} l) for every E that is not zero.
"""

from __future__ import annotations

from math import ceil, lcm, log2

from flint import arb, fmpq

from symattn.errors import CostError
from symattn.exact.enclosures import SCREEN_BITS, enclose_sum, excludes_zero
from symattn.exact.terms import Monomial, Sum, atoms_of, thaw

__all__ = ["is_algebraic", "is_zero_algebraic", "separation_bits"]

#: Zero is not proved where it would need more bits than this, ...
MAX_SEPARATION_BITS = 60_000
#: ... and then is refuted only by balls of at most this precision.
LARGE_BITS = 8192


def is_algebraic(total: Sum) -> bool:
    """Whether a sum is built from rationals and roots alone, inside its atoms too."""
    return all(
        not exponent
        and all(
            atom.kind in ("root", "inverse") and all(is_algebraic(thaw(p)) for p in atom.payload)
            for atom, _ in atoms
        )
        for exponent, _, atoms in total
    )


def is_zero_algebraic(total: Sum) -> bool:
    """Whether an algebraic sum is zero, proved.

    Raises: `CostError` where it is not algebraic or where the proof would cost too much.
    """
    if not total or not atoms_of(total):
        return not total
    if not is_algebraic(total):
        raise CostError("an exponential stands below a root")
    bits, working = separation_bits(total), SCREEN_BITS
    while True:
        ball = enclose_sum(total, working)
        if excludes_zero(ball):
            return False
        if ball.is_finite() and ball.abs_upper() < arb(2) ** -bits:
            return True
        if bits > MAX_SEPARATION_BITS and working >= LARGE_BITS:
            raise CostError(f"a root separation bound of {bits} bits is too large")
        working *= 2


def separation_bits(total: Sum) -> int:
    """B such that an algebraic sum that is not zero is at least 2^-B in size.

    u and l are carried as base-2 logarithms, rounded up.

    >>> separation_bits({((), ((2, 1, 2),), ()): fmpq(5), ((), (), ()): fmpq(-7)})
    6
    """
    degree = 1
    for index in _root_indices(total, {}).values():
        degree *= index
    upper, lower = _bounds(total)
    return ceil((degree - 1) * max(upper, 0.0) + max(lower, 0.0)) + 2


def _root_indices(total: Sum, found: dict[object, int]) -> dict[object, int]:
    for _, radical, atoms in total:
        for prime, _, q in radical:
            found[prime] = lcm(found.get(prime, 1), q)
        for atom, _ in atoms:
            if atom not in found:
                found[atom] = max(atom.order, 1)
                for part in atom.payload:
                    _root_indices(thaw(part), found)
    return found


def _bounds(total: Sum) -> tuple[float, float]:
    """log2 of u and l of a sum: each term as a quotient over one common denominator."""
    upper, lower = 0.0, 0.0
    for count, (key, value) in enumerate(total.items()):
        term_upper, term_lower = _term_bounds(key, value)
        if count == 0:
            upper, lower = term_upper, term_lower
        else:
            upper = _log_sum(upper + term_lower, term_upper + lower)
            lower += term_lower
    return upper, lower


def _term_bounds(key: Monomial, value: fmpq) -> tuple[float, float]:
    upper, lower = _log(abs(int(value.p))), _log(int(value.q))
    for prime, p, q in key[1]:
        upper += _log(prime) * p / q
    for atom, k in key[2]:
        (num_upper, num_lower), (den_upper, den_lower) = (_bounds(thaw(p)) for p in atom.payload)
        atom_upper, atom_lower = num_upper + den_lower, num_lower + den_upper
        if atom.kind == "root":
            index = atom.order
            if atom_upper >= atom_lower:
                atom_upper = (atom_upper + (index - 1) * atom_lower) / index
            else:
                atom_lower = ((index - 1) * atom_upper + atom_lower) / index
        if k < 0:
            atom_upper, atom_lower = atom_lower, atom_upper
        upper, lower = upper + abs(k) * atom_upper, lower + abs(k) * atom_lower
    return upper * (1 + 1e-9), lower * (1 + 1e-9)


def _log(number: int) -> float:
    return log2(number) if number.bit_length() < 1000 else float(number.bit_length())


def _log_sum(a: float, b: float) -> float:
    return max(a, b) + 1.0
