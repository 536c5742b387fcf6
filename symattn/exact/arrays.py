"""Vectors and matrices of trees: arithmetic is carried out on the entries.

`(1, 2)/3` becomes `(1/3, 2/3)`, so that an array in a tree always stands at the top and holds
only scalars or rows. Shapes are tuples as in NumPy; a set has the shape of its entries in order.
"""

from __future__ import annotations

from collections.abc import Callable

from symattn.errors import ParseError
from symattn.exact.tree import Add, Array, Div, Mul, Neg, Node

__all__ = ["add", "divide", "multiply", "negate", "shape", "transpose"]


def shape(node: Node) -> tuple[int, ...]:
    """Return the shape of a tree: () for a scalar, (n,) for a vector, (n, m) for a matrix.

    >>> from symattn.exact.parse import parse
    >>> shape(parse("[[1, 2, 3], [4, 5, 6]]").tree)
    (2, 3)

    Raises `ParseError` where rows differ in length.
    """
    if not isinstance(node, Array):
        return ()
    inner = {shape(entry) for entry in node.entries}
    if len(inner) > 1:
        raise ParseError("the rows of a matrix differ in length")
    return (len(node.entries), *inner.pop())


def _scalar(node: Node) -> Node:
    """A lone entry in square brackets is a scalar once it is calculated with: `2[1+e]`."""
    if isinstance(node, Array) and len(node.entries) == 1 and node.kind == "array":
        (entry,) = node.entries
        if not isinstance(entry, Array):
            return entry
    return node


def _each(node: Node, change: Callable[[Node], Node]) -> Node:
    if isinstance(node, Array):
        return Array(tuple(_each(entry, change) for entry in node.entries), node.kind)
    return change(node)


def negate(node: Node) -> Node:
    """Return the negative of a scalar or of every entry."""
    return _each(_scalar(node), Neg)


def add(terms: list[Node]) -> Node:
    """Return the sum of scalars, or of arrays of one shape, entry by entry."""
    terms = [_scalar(term) for term in terms]
    if not any(isinstance(term, Array) for term in terms):
        return Add(tuple(terms))
    shapes = {shape(term) for term in terms}
    kinds = {term.kind for term in terms if isinstance(term, Array)}
    if len(shapes) > 1 or kinds != {"array"}:
        raise ParseError("only vectors or matrices of one shape can be added")
    columns = zip(*(term.entries for term in terms if isinstance(term, Array)), strict=True)
    return Array(tuple(add(list(column)) for column in columns))


def multiply(factors: list[Node]) -> Node:
    """Return the product of scalars and at most one array."""
    if len(factors) == 1:
        return factors[0]
    factors = [_scalar(factor) for factor in factors]
    arrays = [i for i, factor in enumerate(factors) if isinstance(factor, Array)]
    if len(arrays) > 1:
        raise ParseError("a product of vectors or matrices is not read; write its entries")
    if not arrays:
        return Mul(tuple(factors))
    (i,) = arrays
    return _each(factors[i], lambda entry: Mul((*factors[:i], entry, *factors[i + 1 :])))


def divide(numerator: Node, denominator: Node) -> Node:
    """Return the quotient of a scalar, or of every entry, by a scalar."""
    numerator, denominator = _scalar(numerator), _scalar(denominator)
    if isinstance(denominator, Array):
        raise ParseError("nothing can be divided by a vector or a matrix")
    return _each(numerator, lambda entry: Div(entry, denominator))


def transpose(node: Array) -> Array:
    """Return the transpose of a matrix; a vector is its own, being neither row nor column."""
    if node.kind == "set":
        raise ParseError("a set has no transpose")
    match shape(node):
        case (_,):
            return node
        case (_, _):
            rows = (row.entries for row in node.entries if isinstance(row, Array))
            return Array(tuple(Array(column) for column in zip(*rows, strict=True)))
    raise ParseError("only a vector or a matrix has a transpose")
