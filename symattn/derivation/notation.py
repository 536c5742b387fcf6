"""Statements of theorems as text: Python's own grammar, read by `ast` into trees.

Nothing is evaluated and nothing is rearranged: `exp(s[i])/Z` stays as written. Beside arithmetic
there are `s[j]`, `Sum(body, j, 1, n)` (or as SymPy prints it), `lim(body, M, oo)`, `D(body, s[j])`,
`E(body)`, `delta(i, j)` and the functions of the exact core, with `cos` and `sin`. A line is a
chain of comparisons.
"""

from __future__ import annotations

import ast
from fractions import Fraction
from typing import cast

from symattn.derivation.rules.theory import Relation
from symattn.errors import ParseError
from symattn.exact.tree import (
    FUNCTIONS,
    Add,
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
    Pow,
    Root,
    Sum,
    Symbol,
)

__all__ = ["read", "read_chain"]

_RELATIONS: dict[type[ast.cmpop], Relation] = {
    ast.Eq: "=",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
}
_CALLS = (*FUNCTIONS, "cos", "sin")
_TARGETS = {"oo": "oo", "-oo": "-oo", "0": "0+"}


def read(text: str) -> Node:
    """The tree of an expression.

    >>> read("Sum(s[l], l, 1, n)").index
    'l'

    Raises: `ParseError` for anything outside the notation.
    """
    return _node(ast.parse(text.strip(), mode="eval").body)


def read_chain(text: str) -> tuple[tuple[Node, ...], tuple[Relation, ...]]:
    """The sides and the relations of a chain such as `a == b <= c`.

    >>> len(read_chain("a == b <= c")[0])
    3

    Raises: `ParseError` where there is no relation.
    """
    body = ast.parse(" ".join(text.split()), mode="eval").body
    if not isinstance(body, ast.Compare):
        raise ParseError(f"{text!r} holds no relation: write a == b or a <= b")
    sides = (_node(body.left), *map(_node, body.comparators))
    return sides, tuple(_RELATIONS[type(operator)] for operator in body.ops)


def _node(tree: ast.expr) -> Node:
    match tree:
        case ast.Constant(value=int(value)):
            return Number(Fraction(value), str(value))
        case ast.Name(id="pi"):
            return Constant("pi")
        case ast.Name(id=name):
            return Symbol(name)
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return Neg(_node(operand))
        case ast.BinOp(left=left, op=operator, right=right):
            return _binary(left, operator, right)
        case ast.Subscript(value=ast.Name(id=name), slice=ast.Tuple(elts=indices)):
            return Indexed(name, tuple(map(_node, indices)))
        case ast.Subscript(value=ast.Name(id=name), slice=index):
            return Indexed(name, (_node(index),))
        case ast.Call(func=ast.Name(id=name), args=arguments):
            return _call(name, arguments)
    raise ParseError(f"{ast.unparse(tree)!r} is not in the notation of theorems")


def _binary(left: ast.expr, operator: ast.operator, right: ast.expr) -> Node:
    a, b = _node(left), _node(right)
    match operator:
        case ast.Add() | ast.Sub():
            terms = a.terms if isinstance(a, Add) and _is_open(left, ast.Add, ast.Sub) else (a,)
            return Add((*terms, Neg(b) if isinstance(operator, ast.Sub) else b))
        case ast.Mult():
            factors = a.factors if isinstance(a, Mul) and _is_open(left, ast.Mult) else (a,)
            return Mul((*factors, b))
        case ast.Div():
            return Div(a, b)
        case ast.Pow():
            return Pow(a, b)
    raise ParseError(f"the operator {type(operator).__name__} is not in the notation of theorems")


def _is_open(tree: ast.expr, *operators: type[ast.operator]) -> bool:
    return isinstance(tree, ast.BinOp) and isinstance(tree.op, operators)


def _call(name: str, arguments: list[ast.expr]) -> Node:
    match name, arguments:
        case "sqrt", [x]:
            return Root(_node(x), 2)
        case "E", [x]:
            return Expectation(_node(x))
        case "D", [x, by]:
            return Derivative(_node(x), cast("Indexed | Symbol", _node(by)))
        case "delta" | "KroneckerDelta", [i, j]:
            return Delta(_node(i), _node(j))
        case "Sum", [body, ast.Name(id=index), lower, upper]:
            return Sum(_node(body), index, _node(lower), _node(upper))
        case "Sum", [body, ast.Tuple(elts=[ast.Name(id=index), lower, upper])]:
            return Sum(_node(body), index, _node(lower), _node(upper))
        case "lim", [body, ast.Name(id=variable), target] if ast.unparse(target) in _TARGETS:
            return Limit(_node(body), variable, _TARGETS[ast.unparse(target)])  # type: ignore[arg-type]
        case _, [x] if name in _CALLS:
            return Call(name, _node(x))
    raise ParseError(f"{name} with {len(arguments)} arguments is not in the notation of theorems")
