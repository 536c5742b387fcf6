r"""Is a sum zero?  Yes, no, or undecided with a proved bound: the question under every verdict.

Let S = \sum_i c_i · e^{E_i} · R_i with rational c_i != 0 and distinct monomials e^{E_i} R_i.

**No atoms.** The exponents E_i are real algebraic numbers in the normal form of `radicals`, so two
of them are equal only if they are written alike. Group S by exponent. Each group's coefficient is a
non-empty rational combination of distinct radicals, so it is not zero (Besicovitch, Mordell). By
Lindemann-Weierstrass, exponentials of distinct algebraic numbers are linearly independent over the
algebraic numbers. Hence **S = 0 if and only if it has no terms**: both ways, at no precision.

**Nested roots** (atoms of kind root over algebraic numbers). Distinct monomials may be equal
numbers, so exponents are grouped by equality and each coefficient is tested, both with a root
separation bound: a non-zero algebraic number built from integers by +, -, ·, / and roots is at
least 2^{-B} in size, B as in `separation_bits`. A ball below 2^{-B} therefore proves zero.

**Logarithms.** The log of a rational number is written in logs of primes. If S is linear in them
with algebraic coefficients, Baker's theorem (1966) says that S = 0 only if each coefficient is
zero. If S = B + \sum_i c_i log A_i with rational c_i and other algebraic A_i, then S = 0 if and
only if e^B \prod_i A_i^{c_i} = 1, which has no logarithms any more.

**Symbols.** S is then a function. Monomials in the symbols (negative powers too) times exponentials
of distinct rational functions without constant term are linearly independent over the reals, so S
vanishes identically if and only if each of their coefficients, a sum without symbols, is zero.

**Outside** (pi, products of logs, exponents that are not algebraic): a sum without terms is zero
all the same, and a ball that excludes zero proves that it is not. Nothing else is claimed.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import lcm
from typing import Literal

from flint import arb, fmpq

from symattn.errors import CostError
from symattn.exact.enclosures import SCREEN_BITS, enclose_sum, excludes_zero
from symattn.exact.separation import is_algebraic, is_zero_algebraic
from symattn.exact.terms import (
    EMPTY,
    ONE,
    Atom,
    Atoms,
    Frozen,
    Monomial,
    Sum,
    accumulate,
    add,
    atoms_of,
    freeze,
    multiply,
    negate,
    power,
    thaw,
)

__all__ = ["LAST_BITS", "Decision", "decide_zero"]

#: Precision at which an undecided question is given up.
LAST_BITS = 4096


@dataclass(frozen=True, slots=True)
class Decision:
    """Whether a sum is zero, by which argument, and else a proved bound on its size."""

    verdict: Literal["zero", "nonzero", "undecided"]
    method: str
    bound: arb | None = None


def decide_zero(total: Sum) -> Decision:
    """Decide whether a sum is zero.

    >>> from symattn.exact.terms import UNIT
    >>> decide_zero(add(UNIT, negate(UNIT)))
    Decision(verdict='zero', method='normal form', bound=None)
    """
    if not total:
        return Decision("zero", "normal form")
    atoms = atoms_of(total)
    if not atoms:
        return Decision("nonzero", "Lindemann-Weierstrass")
    if any(atom.kind == "symbol" for atom in atoms):
        return _decide_function(total, atoms)
    screen = enclose_sum(total, SCREEN_BITS)
    if excludes_zero(screen):
        return Decision("nonzero", f"a ball of {SCREEN_BITS} bits")
    return _decide_closed(total, atoms) or _refine(total)


def _decide_closed(total: Sum, atoms: set[Atom]) -> Decision | None:
    kinds = {atom.kind for atom in atoms}
    try:
        if kinds <= {"root", "inverse"}:
            return _decide_nested(total)
        if kinds <= {"log", "root", "inverse"}:
            return _decide_logarithms(total)
    except CostError:
        pass  # the argument would cost too much: what balls can prove is still tried
    return None


def _refine(total: Sum) -> Decision:
    bits = 2 * SCREEN_BITS
    while True:
        ball = enclose_sum(total, bits)
        if excludes_zero(ball):
            return Decision("nonzero", f"a ball of {bits} bits")
        if bits >= LAST_BITS:
            return Decision("undecided", f"a ball of {bits} bits", ball.abs_upper())
        bits *= 2


# --- nested roots -------------------------------------------------------------------------------


def _decide_nested(total: Sum) -> Decision | None:
    if any(not is_algebraic(thaw(exponent)) for exponent, _, _ in total):
        return None
    groups: list[tuple[Sum, Sum]] = []
    for (exponent, radical, atoms), value in total.items():
        here = thaw(exponent)
        term: Sum = {((), radical, atoms): value}
        for index, (known, coefficient) in enumerate(groups):
            if is_zero_algebraic(add(here, negate(known))):
                groups[index] = (known, add(coefficient, term))
                break
        else:
            groups.append((here, term))
    zero = all(is_zero_algebraic(coefficient) for _, coefficient in groups)
    return Decision("zero" if zero else "nonzero", "root separation")


# --- logarithms ---------------------------------------------------------------------------------


def _decide_logarithms(total: Sum) -> Decision | None:
    linear = _linear_in_logs(total)
    if linear is None:
        return None
    constant, coefficients = linear
    if all(_is_prime_log(atom) for atom in coefficients):
        if any(atoms_of(part) for part in (constant, *coefficients.values())):
            return None
        zero = not constant and not any(coefficients.values())
        return Decision("zero" if zero else "nonzero", "Baker's theorem")
    if any(set(part) - {ONE} for part in coefficients.values()) or not is_algebraic(constant):
        return None
    rationals = {atom: part[ONE] for atom, part in coefficients.items() if part}
    return decide_zero(_exponentiated(constant, rationals))


def _linear_in_logs(total: Sum) -> tuple[Sum, dict[Atom, Sum]] | None:
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


def _is_prime_log(atom: Atom) -> bool:
    numerator, denominator = atom.payload
    return [key for key, _, _ in numerator] == [ONE] and denominator == freeze({ONE: fmpq(1)})


def _exponentiated(constant: Sum, coefficients: dict[Atom, fmpq]) -> Sum:
    """e^B·ΠA^c - 1 cleared of quotients: zero exactly if B + Σ c·log A is."""
    common = 1
    for value in coefficients.values():
        common = lcm(common, int(value.q))
    exponent: Frozen = freeze({key: value * common for key, value in constant.items()})
    left: Sum = {(exponent, (), ()): fmpq(1)}
    right: Sum = {ONE: fmpq(1)}
    for atom, value in coefficients.items():
        times = int((value * common).p)
        numerator, denominator = (thaw(part) for part in atom.payload)
        if times < 0:
            numerator, denominator = denominator, numerator
        left = multiply(left, power(numerator, abs(times)))
        right = multiply(right, power(denominator, abs(times)))
    return add(left, negate(right))


# --- symbols ------------------------------------------------------------------------------------


def _decide_function(total: Sum, atoms: set[Atom]) -> Decision:
    if any(atom.kind in ("log", "root", "inverse") and _holds_symbol(atom) for atom in atoms):
        return Decision("undecided", "a logarithm, root or quotient of symbols")
    groups: dict[Monomial, Sum] = {}
    for (exponent, radical, own), value in total.items():
        open_part = tuple(term for term in exponent if _is_open(term[0]))
        if any(inner or not _all_symbols(others) for (inner, _, others), _, _ in open_part):
            # Two such exponents may be written differently and be the same function.
            return Decision(
                "undecided", "an exponent that is no polynomial with radical coefficients"
            )
        closed_part = tuple(term for term in exponent if not _is_open(term[0]))
        symbols = tuple(pair for pair in own if pair[0].kind == "symbol")
        numbers = tuple(pair for pair in own if pair[0].kind != "symbol")
        group = groups.setdefault((open_part, (), symbols), {})
        accumulate(group, (closed_part, radical, numbers), value)
    decisions = [decide_zero(group or EMPTY) for group in groups.values()]
    for verdict in ("nonzero", "undecided"):
        if any(decision.verdict == verdict for decision in decisions):
            return Decision(verdict, "coefficients of independent functions")
    return Decision("zero", "coefficients of independent functions")


def _all_symbols(atoms: Atoms) -> bool:
    return all(atom.kind == "symbol" for atom, _ in atoms)


def _holds_symbol(atom: Atom) -> bool:
    return any(_is_open(key) for part in atom.payload for key, _, _ in part)


def _is_open(key: Monomial) -> bool:
    exponent, _, atoms = key
    return any(_is_open(inner) for inner, _, _ in exponent) or any(
        atom.kind == "symbol" or (isinstance(atom.payload, tuple) and _holds_symbol(atom))
        for atom, _ in atoms
    )
