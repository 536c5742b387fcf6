"""Products of matrices of exact numbers, by flint where the right one is rational.

A row with one common denominator is a matrix of coefficients (one line for each monomial), so its
product with a rational matrix is one product of rational matrices.
"""

from __future__ import annotations

from collections.abc import Sequence

from flint import fmpq, fmpq_mat

from symattn.errors import ShapeError
from symattn.exact.numbers import Exact, dot
from symattn.exact.terms import ONE, Monomial, Sum

__all__ = ["matmul"]


def matmul(A: Sequence[Sequence[Exact]], B: Sequence[Sequence[Exact]]) -> list[list[Exact]]:
    """The matrix product of an (n, k) and a (k, m) matrix of exact numbers.

    >>> from symattn.exact.numbers import rational
    >>> ((product,),) = matmul([[rational(2)]], [[rational(3)]])
    >>> product.as_rational()
    6

    Raises: `ShapeError` where a row of A is not as long as B is high.
    """
    if any(len(row) != len(B) for row in A):
        shapes = f"{(len(A), len(A[0]))} and {(len(B), len(B[0]))}"
        raise ShapeError(f"shapes {shapes} do not fit: a product needs {len(A[0])} rows")
    right = _rational_matrix(B)
    columns = list(zip(*B, strict=True))
    return [
        (_row_product(row, right) if right is not None else None)
        or [dot(row, column) for column in columns]
        for row in A
    ]


def _rational_matrix(B: Sequence[Sequence[Exact]]) -> fmpq_mat | None:
    ratios: list[fmpq] = []
    for row in B:
        for x in row:
            ratio = x.as_rational()
            if ratio is None:
                return None
            ratios.append(ratio)
    return fmpq_mat(len(B), len(B[0]), ratios)


def _row_product(row: Sequence[Exact], right: fmpq_mat) -> list[Exact] | None:
    denominator = row[0].denominator
    if any(x.denominator is not denominator and x.denominator != denominator for x in row):
        return None
    keys: dict[Monomial, int] = {}
    for x in row:
        for key in x.numerator:
            keys.setdefault(key, len(keys))
    keys = keys or {ONE: 0}
    left = fmpq_mat(len(keys), len(row))
    for column, x in enumerate(row):
        for key, value in x.numerator.items():
            left[keys[key], column] = value
    lines = (left * right).tolist()
    sums: list[Sum] = [
        {key: value for key, value in zip(keys, column, strict=True) if value}
        for column in zip(*lines, strict=True)
    ]
    return [Exact(numerator, denominator) for numerator in sums]
