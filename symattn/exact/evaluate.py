"""The value of a tree: as an exact number, and as a ball straight from the tree.

The two walks share no arithmetic, so each is a check of the other.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import reduce
from operator import add, mul
from types import MappingProxyType
from typing import TypeAlias

from flint import arb, fmpq

from symattn.errors import DomainError, InputError
from symattn.exact import functions, vectors
from symattn.exact.enclosures import power_ball, rational_ball, working_precision
from symattn.exact.numbers import Exact, rational, symbol
from symattn.exact.tree import (
    Add,
    Apply,
    Array,
    Call,
    Constant,
    Delta,
    Derivative,
    Div,
    Expectation,
    Indexed,
    Limit,
    Mul,
    Neg,
    Node,
    Number,
    Percent,
    Pow,
    Root,
    Sum,
    Symbol,
)
from symattn.exact.vectors import Value, scalar

__all__ = ["Scope", "evaluate", "tree_ball", "value_of"]

#: What the names in a tree stand for.
Scope: TypeAlias = Mapping[str, Value]
NOTHING: Scope = MappingProxyType({})


def evaluate(node: Node, scope: Scope = NOTHING) -> Exact:
    """The exact value of a scalar tree; a symbol that the scope does not define stays open.

    >>> from symattn.exact.parse import parse
    >>> evaluate(parse("2/3 - 0.5").tree).as_rational()
    1/6

    Raises: `DomainError` where there is no real value, `CostError` where it would cost too much,
    `InputError` for a vector.
    """
    return scalar(value_of(node, scope))


def value_of(node: Node, scope: Scope = NOTHING) -> Value:
    """The exact value of any tree: a number, or nested tuples of numbers.

    Raises: as `evaluate`, and `ShapeError` where shapes do not fit.
    """
    match node:
        case Number(value=value):
            return rational(value)
        case Symbol(name=name):
            return scope[name] if name in scope else symbol(name)
        case Constant(name="e"):
            return functions.exp(rational(1))
        case Constant():
            return functions.pi()
        case Neg(body=body):
            return vectors.multiply(rational(-1), value_of(body, scope))
        case Percent(body=body):
            return evaluate(body, scope) * fmpq(1, 100)
        case Add(terms=terms):
            return reduce(vectors.add, (value_of(term, scope) for term in terms))
        case Mul(factors=factors):
            return reduce(vectors.multiply, (value_of(factor, scope) for factor in factors))
        case Div(numerator=numerator, denominator=denominator):
            above, below = value_of(numerator, scope), evaluate(denominator, scope)
            return above / below if isinstance(above, Exact) else vectors.multiply(1 / below, above)
        case Root(radicand=radicand, index=index):
            return functions.root(evaluate(radicand, scope), index)
        case Pow(base=base, exponent=exponent):
            return _power(base, evaluate(exponent, scope), scope)
        case Call(function=function, argument=argument):
            return _call(function, evaluate(argument, scope))
        case Array(entries=entries):
            return tuple(value_of(entry, scope) for entry in entries)
        case Apply(operator=operator, arguments=arguments):
            return vectors.apply(operator, [value_of(argument, scope) for argument in arguments])
        case Indexed() | Sum() | Delta() | Limit() | Derivative() | Expectation():
            raise InputError("a statement about any number of terms has no single value")


def _power(base: Node, exponent: Exact, scope: Scope) -> Exact:
    if base == Constant("e"):
        return functions.exp(exponent)
    value, ratio = evaluate(base, scope), exponent.as_rational()
    if ratio is not None:
        return functions.power(value, int(ratio.p), int(ratio.q))
    if functions.sign(value) <= 0:
        raise DomainError("a power with an irrational exponent needs a positive base")
    return functions.exp(exponent * functions.log(value))


def _call(function: str, x: Exact) -> Exact:
    if function == "sigmoid":
        return 1 / (functions.exp(-x) + 1)
    value = getattr(functions, function)(x)
    assert isinstance(value, Exact)
    return value


def tree_ball(node: Node, bits: int) -> arb:
    """A ball around the value of a scalar tree without symbols, or a ball that is not finite."""
    with working_precision(bits):
        return _ball(node)


def _ball(node: Node) -> arb:
    match node:
        case Number(value=value):
            return rational_ball(fmpq(value.numerator, value.denominator))
        case Constant(name=name):
            return arb.const_e() if name == "e" else arb.pi()
        case Neg(body=body):
            return -_ball(body)
        case Percent(body=body):
            return _ball(body) / 100
        case Add(terms=terms):
            return reduce(add, map(_ball, terms))
        case Mul(factors=factors):
            return reduce(mul, map(_ball, factors))
        case Div(numerator=numerator, denominator=denominator):
            return _ball(numerator) / _ball(denominator)
        case Root(radicand=radicand, index=index):
            return _root_ball(_ball(radicand), index)
        case Pow(base=base, exponent=exponent):
            return _power_ball(base, exponent)
        case Call(function="sigmoid", argument=argument):
            return 1 / (1 + (-_ball(argument)).exp())
        case Call(function=function, argument=argument):
            return getattr(_ball(argument), function)()  # type: ignore[no-any-return]
        case Symbol(name=name):
            raise InputError(f"the symbol {name} is open: it has no value")
        case Array() | Apply():
            raise InputError("a vector stands where one number is due")
        case Indexed() | Sum() | Delta() | Limit() | Derivative() | Expectation():
            raise InputError("a statement about any number of terms has no single value")


def _root_ball(base: arb, index: int) -> arb:
    if index % 2 and base < 0:
        return -power_ball(-base, 1, index)
    return power_ball(base, 1, index)


def _power_ball(base: Node, exponent: Node) -> arb:
    ratio = _literal(exponent)
    value = _ball(base)
    if ratio is None:
        return (value.log() * _ball(exponent)).exp()
    if base == Constant("e"):
        return rational_ball(ratio).exp()
    p, q = int(ratio.p), int(ratio.q)
    if p == 0 and value.contains(0):
        return arb("nan")
    if q > functions.MAX_ROOT_INDEX:  # Arb's root takes a machine word; no such root is read
        return (value.log() * rational_ball(ratio)).exp()
    return _root_ball(value, q) ** p if q != 1 else value**p


def _literal(node: Node) -> fmpq | None:
    """The value of an exponent that is written as a whole number or a fraction of two."""
    match node:
        case Number(value=value):
            return fmpq(value.numerator, value.denominator)
        case Neg(body=body):
            inner = _literal(body)
            return None if inner is None else -inner
        case Div(numerator=Number(value=p), denominator=Number(value=q)) if q:
            ratio = p / q
            return fmpq(ratio.numerator, ratio.denominator)
        case _:
            return None
