"""What the tests of the exact core share."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
import sympy

from symattn.exact import tree

_FUNCTIONS = {
    "exp": sympy.exp,
    "log": sympy.log,
    "sinh": sympy.sinh,
    "cosh": sympy.cosh,
    "tanh": sympy.tanh,
    "sigmoid": lambda x: 1 / (1 + sympy.exp(-x)),
}


def _rational(value: Fraction) -> Any:
    return sympy.Rational(value.numerator, value.denominator)


def _sympy(node: tree.Node) -> Any:
    match node:
        case tree.Number():
            return _rational(node.value)
        case tree.Constant(name):
            return sympy.E if name == "e" else sympy.pi
        case tree.Symbol(name):
            return sympy.Symbol(name, real=True)
        case tree.Neg(body):
            return -_sympy(body)
        case tree.Percent(body):
            return _sympy(body) / 100
        case tree.Add(terms):
            return sympy.Add(*map(_sympy, terms))
        case tree.Mul(factors):
            return sympy.Mul(*map(_sympy, factors))
        case tree.Div(numerator, denominator):
            return _sympy(numerator) / _sympy(denominator)
        case tree.Pow(base, exponent):
            return _sympy(base) ** _sympy(exponent)
        case tree.Root(radicand, index):
            return sympy.root(_sympy(radicand), index)
        case tree.Call(function, argument):
            return _FUNCTIONS[function](_sympy(argument))
        case tree.Array(entries):
            return [_sympy(entry) for entry in entries]


@pytest.fixture(scope="session")
def as_sympy() -> Callable[[tree.Node], Any]:
    """The independent reading of a tree: SymPy's own operations on its parts."""
    return _sympy


@pytest.fixture(scope="session")
def same_value() -> Callable[[Any, Any], bool]:
    """Whether two SymPy values are equal, in structure or to 40 digits."""

    def same(a: Any, b: Any) -> bool:
        if isinstance(a, list) or isinstance(b, list):
            return len(a) == len(b) and all(same(x, y) for x, y in zip(a, b, strict=True))
        if a == b:
            return True
        difference, scale = sympy.N(a - b, 60, maxn=400), sympy.N(abs(a) + 1, 20)
        return bool(abs(difference) <= scale * sympy.Float(10) ** -40)

    return same
