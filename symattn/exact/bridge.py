"""SymPy expressions in and out: the language of what a user types and gets back.

A SymPy expression becomes a tree, node by node; no text is parsed and nothing is simplified.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import sympy as sp

from symattn.errors import DomainError, InputError
from symattn.exact.evaluate import evaluate
from symattn.exact.numbers import Exact
from symattn.exact.terms import Atom, Monomial, Sum, thaw
from symattn.exact.tree import Add, Call, Constant, Div, Mul, Neg, Node, Pow, Root, Symbol
from symattn.exact.writing import number

__all__ = ["from_sympy", "sympy_to_tree", "to_sympy"]

_FUNCTIONS = {sp.exp: "exp", sp.log: "log", sp.sinh: "sinh", sp.cosh: "cosh", sp.tanh: "tanh"}


def to_sympy(value: Exact) -> Any:
    """The SymPy expression of an exact number.

    >>> from symattn.exact.functions import exp
    >>> from symattn.exact.numbers import rational
    >>> to_sympy(exp(rational(1)) / (1 + exp(rational(1))))
    E/(1 + E)
    """
    return _sum(value.numerator) / _sum(value.denominator)


def _sum(total: Sum) -> Any:
    return sp.Add(*(_monomial(key) * sp.Rational(int(v.p), int(v.q)) for key, v in total.items()))


def _monomial(key: Monomial) -> Any:
    exponent, radical, atoms = key
    factors = [sp.exp(_sum(thaw(exponent)))]
    factors += [sp.Integer(prime) ** sp.Rational(p, q) for prime, p, q in radical]
    factors += [_atom(atom) ** k for atom, k in atoms]
    return sp.Mul(*factors)


def _atom(atom: Atom) -> Any:
    if atom.kind == "symbol":
        return sp.Symbol(atom.payload, real=True)
    if atom.kind == "pi":
        return sp.pi
    numerator, denominator = (_sum(thaw(part)) for part in atom.payload)
    inside = numerator / denominator
    if atom.kind == "log":
        return sp.log(inside)
    return inside ** sp.Rational(1, atom.order) if atom.kind == "root" else inside


def from_sympy(expression: Any) -> Exact:
    """The exact number of a SymPy expression.

    >>> from_sympy(sp.sqrt(8) / 4 - 1 / sp.sqrt(2)).as_rational()
    0

    Raises: `InputError` for floats and for functions outside the class.
    """
    return evaluate(sympy_to_tree(expression))


def sympy_to_tree(expression: Any) -> Node:
    """The tree of a SymPy expression.

    Raises: `InputError` for floats and for functions outside the class, `DomainError` for a root of
    a negative number, which SymPy takes to be complex.
    """
    match expression:
        case sp.Rational():
            return number(Fraction(int(expression.p), int(expression.q)))
        case sp.Symbol():
            return Symbol(expression.name)
        case sp.Float():
            raise InputError(
                f"{expression} is a float, which is not exact: write a fraction or Rational('0.1')"
            )
        case _ if expression is sp.E or expression is sp.pi:
            return Constant("e" if expression is sp.E else "pi")
        case sp.Add():
            return Add(tuple(map(sympy_to_tree, expression.args)))
        case sp.Mul():
            return _product(expression)
        case sp.Pow():
            return _power(expression.base, expression.exp)
        case _ if getattr(expression, "func", None) in _FUNCTIONS:
            return Call(_FUNCTIONS[expression.func], sympy_to_tree(expression.args[0]))
    raise InputError(f"{expression} is no number that is built from roots, exp and log")


def _product(expression: Any) -> Node:
    """A product as on paper: what has a negative power stands below the bar."""
    sign, above, below = 1, [], []
    for factor in expression.args:
        base, exponent = factor.as_base_exp()
        if isinstance(factor, sp.Rational):
            sign = -1 if factor < 0 else 1
            above += [number(abs(int(factor.p)))] if abs(factor.p) != 1 else []
            below += [number(int(factor.q))] if factor.q != 1 else []
        elif exponent.is_Rational and exponent < 0 and base is not sp.E:
            below.append(sympy_to_tree(base**-exponent))
        else:
            above.append(sympy_to_tree(factor))
    node = _joined(above)
    node = Div(node, _joined(below)) if below else node
    return Neg(node) if sign < 0 else node


def _joined(factors: list[Node]) -> Node:
    if not factors:
        return number(1)
    return factors[0] if len(factors) == 1 else Mul(tuple(factors))


def _power(base: Any, exponent: Any) -> Node:
    if exponent == -1:
        return Div(number(1), sympy_to_tree(base))
    if isinstance(exponent, sp.Rational) and exponent.q != 1 and base.is_extended_negative:
        raise DomainError(
            f"({base})**({exponent}) is not real in SymPy; the real root is "
            f"-({-base})**({exponent}) where the index is odd"
        )
    if isinstance(exponent, sp.Rational) and exponent.p == 1:
        return Root(sympy_to_tree(base), int(exponent.q))
    return Pow(sympy_to_tree(base), sympy_to_tree(exponent))
