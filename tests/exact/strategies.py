"""Random exact numbers as texts, their values by another library, and forms that are equal.

A number is a text, so that a failing example can be read; `exact` gives it to the core and `mp`
to mpmath, which shares no code with it.
"""

from __future__ import annotations

import re
from fractions import Fraction
from functools import lru_cache

import mpmath
from flint import arb, fmpq
from hypothesis import strategies as st

from symattn.exact.evaluate import evaluate
from symattn.exact.numbers import Exact
from symattn.exact.parse import parse


@lru_cache(maxsize=4096)
def exact(text: str) -> Exact:
    """The exact number of a text; names that are no functions stay open."""
    return evaluate(parse(text, symbols=None).tree)


def rational_text(value: Fraction) -> str:
    text = str(abs(value.numerator))
    text = text if value.denominator == 1 else f"({text}/{value.denominator})"
    return f"(-{text})" if value < 0 else text


def mp(text: str, digits: int = 250) -> mpmath.mpf:
    """The value of a text by mpmath, to about so many digits."""
    code = re.sub(r"\d+(\.\d+)?", r"mpf('\g<0>')", text.replace("^", "**"))
    with mpmath.workdps(digits):
        names = {
            "mpf": mpmath.mpf,
            "e": mpmath.mpf(1) * mpmath.e,
            "pi": mpmath.mpf(1) * mpmath.pi,
            "cbrt": lambda x: mpmath.sign(x) * mpmath.cbrt(abs(x)),
            "root": lambda x, k: mpmath.sign(x) * mpmath.root(abs(x), int(k)),
            "sigmoid": lambda x: 1 / (1 + mpmath.exp(-x)),
            **{n: getattr(mpmath, n) for n in ("sqrt", "exp", "log", "sinh", "cosh", "tanh")},
        }
        return +eval(code, {"__builtins__": {}}, names)


def as_fraction(value: mpmath.mpf) -> Fraction:
    """The dyadic rational that a number of mpmath is."""
    sign, mantissa, exponent, _ = value._mpf_
    return Fraction(-mantissa if sign else mantissa) * Fraction(2) ** exponent


def ends(ball: arb) -> tuple[Fraction, Fraction]:
    """The ends of a ball, exact."""
    middle, radius = (
        Fraction(int(m)) * Fraction(2) ** int(x)
        for m, x in (ball.mid().man_exp(), ball.rad().man_exp())
    )
    return middle - radius, middle + radius


def encloses(ball: arb, value: mpmath.mpf, digits: int = 240) -> bool:
    """Whether a ball holds a value known to so many digits."""
    low, high = ends(ball)
    centre = as_fraction(value)
    slack = abs(centre) / 10**digits + Fraction(1, 10**digits)
    return low - slack <= centre <= high + slack


def tiny(power: int) -> fmpq:
    """10^-power, the size of a near miss."""
    return fmpq(1, 10**power)


# --- random numbers -----------------------------------------------------------------------------

wholes = st.integers(1, 30)
fractions = st.builds(Fraction, st.integers(1, 40), st.integers(1, 12))
rationals = fractions.map(rational_text)
roots = st.one_of(
    wholes.map(lambda n: f"sqrt({n})"),
    wholes.map(lambda n: f"cbrt({n})"),
    st.builds(lambda n, k: f"root({n}, {k})", wholes, st.integers(2, 5)),
)


def _sum(a: str, b: str) -> str:
    return f"({a} + {b})"


def _product(a: str, b: str) -> str:
    return f"({a})*({b})"


def _quotient(a: str, b: str) -> str:
    return f"({a})/({b})"


def combined(leaves: st.SearchStrategy[str], size: int = 4) -> st.SearchStrategy[str]:
    """Positive sums, products and quotients of positive numbers."""
    return st.recursive(
        leaves,
        lambda inner: st.builds(
            lambda join, a, b: join(a, b),
            st.sampled_from([_sum, _product, _quotient]),
            inner,
            inner,
        ),
        max_leaves=size,
    )


def signed(positive: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """Positive and negative numbers and differences, which may be zero."""
    return st.one_of(
        positive,
        positive.map(lambda a: f"(-({a}))"),
        st.builds(lambda a, b: f"({a} - {b})", positive, positive.map(lambda b: f"({b})")),
    )


radical_sums = signed(combined(st.one_of(rationals, roots)))
nested_roots = combined(st.one_of(rationals, roots), 3).map(lambda a: f"sqrt({a})")
algebraic = signed(combined(st.one_of(rationals, roots, nested_roots)))
exponentials = signed(combined(st.one_of(rationals, roots), 2)).map(lambda a: f"exp({a})")
#: The class that is decided without precision: quotients of sums of exponentials of radicals.
quotients = signed(combined(st.one_of(rationals, roots, exponentials)))
logs = combined(st.one_of(rationals, roots, exponentials), 3).map(lambda a: f"log({a})")
#: Everything that the core can hold.
numbers = signed(combined(st.one_of(rationals, roots, nested_roots, exponentials))) | logs

scores = st.lists(signed(st.one_of(rationals, roots)), min_size=1, max_size=5)


# --- equal forms --------------------------------------------------------------------------------


def weight(row: list[str], j: int) -> str:
    """The softmax weight of key j as the definition has it."""
    total = " + ".join(f"exp({s})" for s in row)
    return f"exp({row[j]})/({total})"


def multiplied_through(row: list[str], j: int) -> str:
    """The same weight divided by its numerator, as on paper."""
    return "1/(" + " + ".join(f"exp({s} - {row[j]})" for s in row) + ")"


def shifted(row: list[str], j: int, by: str) -> str:
    """The same weight after a shift of all scores."""
    return weight([f"({s} + {by})" for s in row], j)


def hyperbolic(a: str, b: str) -> str:
    """The weight of the first of two keys, by tanh."""
    return f"(1 + tanh(({a} - {b})/2))/2"
