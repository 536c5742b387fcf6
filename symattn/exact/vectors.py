"""Vectors and matrices of exact numbers as nested tuples, and the operations that derivations show.

A value is an exact number or a tuple of values: a vector (n,) of numbers, a matrix (n, m) of rows.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias, cast

from symattn.errors import InputError, ShapeError
from symattn.exact import functions
from symattn.exact.equality import Comparison, compare
from symattn.exact.matrices import matmul
from symattn.exact.numbers import Exact, dot, rational

__all__ = ["OPERATORS", "Value", "add", "apply", "compare_values", "multiply", "scalar", "shape"]

Value: TypeAlias = "Exact | tuple[Value, ...]"


def shape(value: Value) -> tuple[int, ...]:
    """The shape of a value: () for a number, (n,) for a vector, (n, m) for a matrix.

    >>> shape(((rational(1), rational(2)),))
    (1, 2)

    Raises: `ShapeError` for rows of different lengths.
    """
    if isinstance(value, Exact):
        return ()
    inner = {shape(entry) for entry in value}
    if len(inner) > 1:
        raise ShapeError(f"the rows have different shapes, {sorted(inner)}")
    return (len(value), *next(iter(inner), ()))


def add(left: Value, right: Value) -> Value:
    """Entrywise sum of two values of one shape."""
    if isinstance(left, Exact) and isinstance(right, Exact):
        return left + right
    if shape(left) != shape(right):
        raise ShapeError(f"shapes {shape(left)} and {shape(right)} cannot be added")
    pairs = zip(_entries(left), _entries(right), strict=True)
    return tuple(add(a, b) for a, b in pairs)


def multiply(left: Value, right: Value) -> Value:
    """A product of which at least one factor is a number."""
    if isinstance(left, Exact) and isinstance(right, Exact):
        return left * right
    if isinstance(left, Exact):
        return tuple(multiply(left, entry) for entry in _entries(right))
    if isinstance(right, Exact):
        return multiply(right, left)
    raise ShapeError(f"shapes {shape(left)} and {shape(right)}: a product needs a number")


def _entries(value: Value) -> Sequence[Value]:
    return () if isinstance(value, Exact) else value


def scalar(value: Value) -> Exact:
    """The value as one number.

    Raises: `InputError` for a vector or a matrix.
    """
    if not isinstance(value, Exact):
        raise InputError(f"a value of shape {shape(value)} stands where one number is due")
    return value


def compare_values(left: Value, right: Value) -> Comparison:
    """Equal where every entry is, different where one is or where the shapes differ."""
    if isinstance(left, Exact) and isinstance(right, Exact):
        return compare(left, right)
    if shape(left) != shape(right):
        return Comparison("different", "shapes")
    pairs = zip(_entries(left), _entries(right), strict=True)
    found = [compare_values(a, b) for a, b in pairs]
    for verdict in ("different", "undecided"):
        for comparison in found:
            if comparison.verdict == verdict:
                return comparison
    return found[0] if found else Comparison("equal", "no entries")


def apply(operator: str, values: Sequence[Value]) -> Value:
    """The result of one of `OPERATORS`.

    >>> two = rational(2)
    >>> apply("dot", [(two, two), (two, two)]).as_rational()
    8

    Raises: `InputError` for another name.
    """
    if operator not in OPERATORS:
        raise InputError(f"operator={operator!r} is unknown; known are {', '.join(OPERATORS)}")
    return OPERATORS[operator](*values)


def _vector(value: Value) -> list[Exact]:
    if isinstance(value, Exact):
        raise ShapeError("a number stands where a vector is due")
    return [scalar(entry) for entry in value]


def _matrix(value: Value) -> list[list[Exact]]:
    if isinstance(value, Exact):
        raise ShapeError("a number stands where a matrix is due")
    return [_vector(row) for row in value]


def _dot(left: Value, right: Value) -> Exact:
    if shape(left) != shape(right):
        shapes = f"{shape(left)} and {shape(right)}"
        raise ShapeError(f"shapes {shapes} do not fit: a dot product needs equal ones")
    return dot(_vector(left), _vector(right))


def _transpose(value: Value) -> Value:
    shape(value)  # refuses rows of different lengths
    return tuple(zip(*_matrix(value), strict=True))


def _matmul(left: Value, right: Value) -> Value:
    return tuple(tuple(row) for row in matmul(_matrix(left), _matrix(right)))


def _norm(value: Value) -> Exact:
    entries = _vector(value)
    return functions.root(dot(entries, entries), 2)


def _softmax(value: Value) -> Value:
    if len(shape(value)) == 2:
        return tuple(_softmax(row) for row in _entries(value))
    exps = [functions.exp(x) for x in _vector(value)]
    inverse = 1 / _sum(tuple(exps))
    return tuple(e * inverse for e in exps)


def _entropy(value: Value) -> Exact:
    """-Σ p log p of a distribution without zeros."""
    entries = _vector(value)
    return -dot(entries, [functions.log(p) for p in entries])


def _sum(value: Value) -> Exact:
    entries = _vector(value)
    return dot(entries, [rational(1)] * len(entries))


def _extreme(direction: int) -> Callable[[Value], Exact]:
    def extreme(value: Value) -> Exact:
        best, *others = _vector(value)
        for other in others:
            if functions.sign(other - best) == direction:
                best = other
        return best

    return extreme


OPERATORS: dict[str, Callable[..., Value]] = {
    "dot": _dot,
    "transpose": _transpose,
    "matmul": _matmul,
    "softmax": _softmax,
    "norm": _norm,
    "entropy": _entropy,
    "sum": _sum,
    "max": _extreme(1),
    "min": _extreme(-1),
}


def nested(value: Any) -> Value:
    """Nested lists of exact numbers as nested tuples."""
    if isinstance(value, list | tuple):
        return tuple(nested(entry) for entry in value)
    return cast(Exact, value)
