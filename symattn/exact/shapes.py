"""Shapes of matrices and masks as they come in, and what is said of those that do not fit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from symattn.errors import InputError, ShapeError

__all__ = ["boolean_mask", "check_projections", "check_shapes", "rows_of"]

Matrix: TypeAlias = Sequence[Sequence[Any]]


def rows_of(name: str, value: Any) -> list[list[Any]]:
    """The rows of a matrix: nested lists, an array or a SymPy matrix.

    Raises: `ShapeError` for a vector, for nothing, and for rows of different lengths.
    """
    rows = value.tolist() if hasattr(value, "tolist") else list(value)
    if any(not isinstance(row, list | tuple) for row in rows):
        raise ShapeError(f"{name}.shape=({len(rows)},), but should be a matrix: a list of rows")
    if not rows or not rows[0]:
        raise ShapeError(f"{name} is empty: at least one row with one entry is needed")
    widths = sorted({len(row) for row in rows})
    if len(widths) > 1:
        raise ShapeError(f"the rows of {name} have different lengths, {widths}")
    return [list(row) for row in rows]


def boolean_mask(mask: Any) -> list[list[bool]]:
    """The rows of a mask of booleans.

    Raises: `InputError` for other entries: an additive mask, whose 0 allows, would be read the
    wrong way round.
    """
    rows = rows_of("mask", mask)
    for keep in (keep for row in rows for keep in row):
        if not isinstance(keep, int) or keep not in (0, 1):
            raise InputError(f"mask holds {keep!r}, but should hold True (allowed) or False")
    return rows


def check_shapes(Q: Matrix, K: Matrix, V: Matrix | None, mask: Any = None) -> None:
    """Check that queries, keys, values and mask fit together.

    Raises: `ShapeError` naming both shapes.
    """
    for name, A in (("Q", Q), ("K", K), ("V", V if V is not None else K)):
        widths = sorted({len(row) for row in A})
        if len(widths) > 1:
            raise ShapeError(f"the rows of {name} have different lengths, {widths}")
    if len(Q[0]) != len(K[0]):
        raise ShapeError(
            f"Q.shape={_shape(Q)} and K.shape={_shape(K)}: queries and keys must be equally wide"
        )
    if V is not None and len(V) != len(K):
        raise ShapeError(
            f"K.shape={_shape(K)} and V.shape={_shape(V)}: there must be one value for each key"
        )
    if (mask is not None and {len(row) for row in mask} != {len(K)}) or len(mask or Q) != len(Q):
        raise ShapeError(f"mask.shape={_shape(mask)}, but should be {(len(Q), len(K))}")


def _shape(A: Matrix) -> tuple[int, int]:
    return len(A), len(A[0])


def check_projections(
    X: Matrix, projections: Mapping[str, Matrix], W_O: Matrix, heads: int
) -> None:
    """Check that tokens and the projections W_Q, W_K, W_V and W_O fit that many heads.

    Raises: `ShapeError` naming the shapes.
    """
    if heads < 1:
        raise ShapeError(f"heads={heads}, but at least 1 head is needed")
    for name, W in projections.items():
        if len(W) != len(X[0]):
            raise ShapeError(f"X.shape={_shape(X)} and {name}.shape={_shape(W)} do not fit")
        if len(W[0]) % heads:
            raise ShapeError(
                f"X {name} has {len(W[0])} columns, which heads={heads} does not divide"
            )
    W_Q, W_K, W_V = projections.values()
    if len(W_Q[0]) != len(W_K[0]):
        raise ShapeError(
            f"W_Q.shape={_shape(W_Q)} and W_K.shape={_shape(W_K)}: "
            "queries and keys must be equally wide"
        )
    if len(W_O) != len(W_V[0]):
        raise ShapeError(f"W_V.shape={_shape(W_V)} and W_O.shape={_shape(W_O)} do not fit")
