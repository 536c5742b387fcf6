r"""Is a sum zero?  Yes, no, or undecided with a proved bound: the question under every verdict.

Let S = \sum_i c_i · e^{E_i} · R_i with rational c_i != 0 and distinct monomials e^{E_i} R_i.

**One term** is zero only where one of its logarithms is: exponentials, radicals, pi and inverses
never vanish, and roots are taken of numbers that were proved positive.

**No atoms, and no exponential in an exponent.** The exponents E_i are real algebraic numbers in the
normal form of `radicals`, so two of them are equal only if they are written alike. Group S by
exponent. Each group's coefficient is a non-empty rational combination of distinct radicals, so it
is not zero (Besicovitch, Mordell). By Lindemann-Weierstrass, exponentials of distinct algebraic
numbers are linearly independent over the algebraic numbers. Hence **S = 0 if and only if it has no
terms**: both ways, at no precision.

**Inverses, and powers of roots.** What stands below a bar was proved not to be zero, so S is
multiplied by it; the n-th power of an n-th root is what stands below the root.

**Nested roots** (atoms of kind root over algebraic numbers). Distinct monomials may be equal
numbers, so exponents are grouped by equality and each coefficient is tested, both with a root
separation bound (see `separation`). All of them must be algebraic; then the theorem applies again.

**Logarithms.** The log of a rational number is written in logs of primes, or of whole numbers too
large to be factorised; those are split over a base of pairwise coprime numbers, whose logs are
independent over the rationals. If S is linear in them with algebraic coefficients, Baker's theorem
(1966) says that S = 0 only if each coefficient is zero. If S = B + \sum_i c_i log A_i with an
algebraic B, rational c_i and any positive A_i, then S = 0 if and only if
e^{kB} \prod_i A_i^{k c_i} = 1, which has fewer logarithms; k != 0 makes the k c_i whole.

**Symbols.** S is then a function. Monomials in the symbols (negative powers too) times exponentials
of distinct rational functions without constant term are linearly independent over the reals, so S
vanishes identically if and only if each of their coefficients, a sum without symbols, is zero.

**Outside** (pi, products of logs, exponents that are not algebraic): a sum without terms is zero
all the same, and a ball that excludes zero proves that it is not. Nothing else is claimed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from flint import arb

from symattn.errors import CostError
from symattn.exact.clearing import cleared
from symattn.exact.enclosures import SCREEN_BITS, enclose_sum, excludes_zero, upper_text
from symattn.exact.logarithms import (
    exponentiated,
    is_whole_log,
    linear_in_logs,
    over_coprime_base,
)
from symattn.exact.separation import is_algebraic, is_zero_algebraic
from symattn.exact.terms import (
    ONE,
    Atom,
    Atoms,
    Frozen,
    Monomial,
    Sum,
    accumulate,
    add,
    atoms_of,
    negate,
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

    @property
    def bound_text(self) -> str | None:
        """The bound in three digits, rounded up."""
        return None if self.bound is None else upper_text(self.bound)


def decide_zero(total: Sum) -> Decision:
    """Decide whether a sum is zero.

    >>> from symattn.exact.terms import UNIT
    >>> decide_zero(add(UNIT, negate(UNIT)))
    Decision(verdict='zero', method='normal form', bound=None)
    """
    if not total:
        return Decision("zero", "normal form")
    if len(total) == 1 and (product := _decide_product(*total)) is not None:
        return product
    atoms = atoms_of(total)
    if not atoms and not any(_is_nested(exponent) for exponent, _, _ in total):
        return Decision("nonzero", "Lindemann-Weierstrass")
    if any(atom.kind == "symbol" for atom in atoms):
        return _decide_function(total)
    screen = enclose_sum(total, SCREEN_BITS)
    if excludes_zero(screen):
        return Decision("nonzero", f"a ball of {SCREEN_BITS} bits")
    return _decide_closed(total) or _refine(total)


def _decide_product(key: Monomial) -> Decision | None:
    """One term is zero only where one of its logarithms is: nothing else in it can vanish."""
    verdict: Literal["zero", "nonzero"] = "nonzero"
    for atom, _ in key[2]:
        if atom.kind == "log":
            numerator, denominator = (thaw(part) for part in atom.payload)
            found = decide_zero(add(numerator, negate(denominator))).verdict
            if found == "undecided":
                return None
            verdict = "zero" if found == "zero" else verdict
    return Decision(verdict, "one term, factor by factor")


def _is_nested(exponent: Frozen) -> bool:
    """Whether an exponential stands in an exponent, which is then not algebraic."""
    return any(inner for (inner, _, _), _, _ in exponent)


def _decide_closed(total: Sum) -> Decision | None:
    try:
        total = cleared(total)
        kinds = {atom.kind for atom in atoms_of(total)}
        found = None
        if kinds <= {"root", "inverse"}:
            found = _decide_nested(total)
        elif kinds <= {"log", "root", "inverse"}:
            found = _decide_logarithms(total)
    except CostError:
        return None  # the argument would cost too much: what balls can prove is still tried
    # A bound on another sum that vanishes with this one is no bound on this one.
    return found if found and found.verdict != "undecided" else None


def _refine(total: Sum) -> Decision:
    bits = 2 * SCREEN_BITS
    while True:
        ball = enclose_sum(total, bits)
        if excludes_zero(ball):
            return Decision("nonzero", f"a ball of {bits} bits")
        if bits >= LAST_BITS:
            bound = ball.abs_upper() if ball.is_finite() else None
            return Decision("undecided", f"a ball of {bits} bits", bound)
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
    # Every coefficient is looked at: the theorem needs all of them to be algebraic.
    zeros = [is_zero_algebraic(coefficient) for _, coefficient in groups]
    return Decision("zero" if all(zeros) else "nonzero", "root separation")


# --- logarithms ---------------------------------------------------------------------------------


def _decide_logarithms(total: Sum) -> Decision | None:
    linear = linear_in_logs(total)
    if linear is None:
        return None
    constant, coefficients = linear
    if all(is_whole_log(atom) for atom in coefficients):
        parts = [constant, *over_coprime_base(coefficients)]
        if not all(map(is_algebraic, parts)):
            return None
        zeros = [is_zero_algebraic(part) for part in parts]
        return Decision("zero" if all(zeros) else "nonzero", "Baker's theorem")
    if any(set(part) - {ONE} for part in coefficients.values()) or not is_algebraic(constant):
        return None
    rationals = {atom: part[ONE] for atom, part in coefficients.items() if part}
    return decide_zero(exponentiated(constant, rationals))


# --- symbols ------------------------------------------------------------------------------------


def _decide_function(total: Sum) -> Decision:
    try:
        total = cleared(total)
    except CostError as error:
        return Decision("undecided", error.reason)
    atoms = atoms_of(total)
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
    decisions = [decide_zero(group) for group in groups.values()]
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
