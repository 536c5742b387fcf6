r"""Proved enclosures: a ball [m - r, m + r] that contains the exact value.

Every operation is one of Arb's, whose result contains the exact result for every choice of points
in its arguments (Johansson 2017); so a ball that excludes zero proves that a number is not zero.
"""

from __future__ import annotations

from functools import lru_cache

from flint import arb, ctx, fmpq

from symattn.errors import InputError
from symattn.exact.terms import ONE, Atom, Frozen, Monomial, Sum

__all__ = [
    "SCREEN_BITS",
    "enclose_shared",
    "enclose_sum",
    "excludes_zero",
    "power_ball",
    "rational_ball",
    "upper_text",
    "working_precision",
]

#: Precision at which a ball is first asked whether two numbers differ.
SCREEN_BITS = 128


class working_precision:  # noqa: N801 - a context manager, named as what it sets
    """The flint precision around a computation, restored after it.

    What `ctx.workprec` does, but free where the precision is in force already: to set it costs
    flint more than an exponential.

    >>> with working_precision(200):
    ...     arb(2).sqrt().rel_accuracy_bits() >= 198
    True
    """

    __slots__ = ("before", "bits")

    def __init__(self, bits: int) -> None:
        self.bits = bits

    def __enter__(self) -> None:
        self.before = ctx.prec
        if self.before != self.bits:
            ctx.prec = self.bits

    def __exit__(self, *error: object) -> None:
        if self.before != self.bits:
            ctx.prec = self.before


def enclose_sum(total: Sum, bits: int) -> arb:
    """A ball around the value of a sum, computed with `bits` bits.

    >>> from symattn.exact.terms import UNIT
    >>> enclose_sum(UNIT, 53)
    1.00000000000000

    Raises: `InputError` where the sum holds a symbol, which has no value.
    """
    with working_precision(bits):
        return _sum_ball(total)


def excludes_zero(ball: arb) -> bool:
    """Whether a ball proves that its number is not zero."""
    return bool(ball.is_finite()) and bool(ball != 0)


def upper_text(bound: arb) -> str:
    """A decimal of three digits that is not below a bound.

    >>> upper_text(arb(2) ** -10)
    '0.000986'
    """
    # Rounding to three digits takes away half a percent at most.
    return (bound.abs_upper() * 1.01).str(3, radius=False)


#: The balls of denominators seen lately; each sum is held, so its id stays its own.
_shared: dict[int, tuple[Sum, int, arb]] = {}


def enclose_shared(total: Sum, bits: int) -> arb:
    """The ball of a sum that many numbers share as their denominator, computed once."""
    held = _shared.get(id(total))
    if held is not None and held[1] == bits:
        return held[2]
    if len(_shared) > 64:
        _shared.clear()
    ball = enclose_sum(total, bits)
    _shared[id(total)] = (total, bits, ball)
    return ball


def _sum_ball(total: Sum) -> arb:
    result, bits = arb(0), ctx.prec
    for key, coefficient in total.items():
        if key == ONE:
            result += coefficient
        else:
            result += _monomial_ball(key, bits) * coefficient
    return result


def rational_ball(value: fmpq) -> arb:
    """The ball of a rational number at the present precision."""
    return arb(value.p) if value.q == 1 else arb(value)


def _frozen_ball(frozen: Frozen, bits: int) -> arb:
    """The ball of a frozen sum, straight from its whole numbers."""
    result = arb(0)
    for key, p, q in frozen:
        term = arb(p) if key == ONE else _monomial_ball(key, bits) * p
        result += term if q == 1 else term / q
    return result


@lru_cache(maxsize=1 << 13)
def _monomial_ball(key: Monomial, bits: int) -> arb:
    """The ball of a monomial; `bits` is the precision in force, named to key the cache."""
    exponent, radical, atoms = key
    result = _frozen_ball(exponent, bits).exp() if exponent else arb(1)
    for prime, p, q in radical:
        result *= power_ball(arb(prime), p, q)
    for atom, k in atoms:
        result *= _atom_ball(atom, bits) ** k
    return result


def power_ball(base: arb, p: int, q: int) -> arb:
    """base^(p/q) for a base that is not negative and a positive q."""
    root = base.sqrt() if q == 2 else base.root(q) if q != 1 else base
    return root if p == 1 else root**p


@lru_cache(maxsize=1 << 12)
def _atom_ball(atom: Atom, bits: int) -> arb:
    if atom.kind == "symbol":
        raise InputError(f"the symbol {atom.payload} is open: it has no value to enclose")
    if atom.kind == "pi":
        return arb.pi()
    numerator, denominator = (_frozen_ball(part, bits) for part in atom.payload)
    value = numerator / denominator
    if atom.kind == "log":
        return value.log()
    return _root_ball(value, atom.order) if atom.kind == "root" else value


def _root_ball(value: arb, index: int) -> arb:
    """A root of a number that was proved positive, even where its ball reaches below zero."""
    if not value.is_finite() or value > 0:
        return power_ball(value, 1, index)
    return arb(0).union(power_ball(value.abs_upper(), 1, index))
