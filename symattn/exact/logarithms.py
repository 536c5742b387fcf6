r"""Sums as linear forms in logarithms:  B + \sum_i c_i log A_i.

What `zero` needs of them: their coefficients, over logs that are independent where all the A_i are
whole numbers, and the form e^{kB} \prod_i A_i^{k c_i} - 1, which is zero exactly where the sum is.
"""

from __future__ import annotations

from math import gcd, lcm

from flint import fmpq

from symattn.exact.radicals import coprime_base
from symattn.exact.terms import (
    ONE,
    UNIT,
    Atom,
    Frozen,
    Sum,
    accumulate,
    add,
    freeze,
    multiply,
    negate,
    power,
    scale,
    thaw,
)

__all__ = ["exponentiated", "is_whole_log", "linear_in_logs", "over_coprime_base"]


def over_coprime_base(coefficients: dict[Atom, Sum]) -> list[Sum]:
    """The coefficients of the logs of pairwise coprime numbers, which are independent over Q.

    A number too large to be factorised has a log of its own, and may share a factor with others.
    """
    numbers = {int(atom.payload[0][0][1]): part for atom, part in coefficients.items()}
    gathered: list[Sum] = []
    for base in coprime_base(numbers):
        total: Sum = {}
        for number, part in numbers.items():
            times = 0
            while number % base == 0:
                number, times = number // base, times + 1
            total = add(total, scale(part, fmpq(times)))
        gathered.append(total)
    return gathered


def linear_in_logs(total: Sum) -> tuple[Sum, dict[Atom, Sum]] | None:
    """The constant and the coefficient of each log, or None for any other sum."""
    constant: Sum = {}
    coefficients: dict[Atom, Sum] = {}
    for (exponent, radical, atoms), value in total.items():
        logs = [(atom, k) for atom, k in atoms if atom.kind == "log"]
        if exponent or len(logs) > 1 or any(k != 1 for _, k in logs):
            return None
        rest = ((), radical, tuple(pair for pair in atoms if pair not in logs))
        target = coefficients.setdefault(logs[0][0], {}) if logs else constant
        accumulate(target, rest, value)
    return constant, coefficients


def is_whole_log(atom: Atom) -> bool:
    """Whether an atom is the log of a whole number."""
    numerator, denominator = atom.payload
    return [(key, q) for key, _, q in numerator] == [(ONE, 1)] and denominator == freeze(UNIT)


def exponentiated(constant: Sum, coefficients: dict[Atom, fmpq]) -> Sum:
    """e^(kB)·ΠA^(kc) - 1 cleared of quotients: zero exactly if B + Σ c·log A is.

    k makes the exponents kc coprime whole numbers.
    """
    values = list(coefficients.values())
    factor = fmpq(lcm(*(int(v.q) for v in values)), gcd(*(int(v.p) for v in values)))
    exponent: Frozen = freeze(scale(constant, factor))
    left: Sum = {(exponent, (), ()): fmpq(1)}
    right = UNIT
    for atom, value in coefficients.items():
        times = int((value * factor).p)
        numerator, denominator = (thaw(part) for part in atom.payload)
        if times < 0:
            numerator, denominator = denominator, numerator
        left = multiply(left, power(numerator, abs(times)))
        right = multiply(right, power(denominator, abs(times)))
    return add(left, negate(right))
