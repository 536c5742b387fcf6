"""The solution of a set-up: projections, permutation, scores, masks, and the forward pass."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from symattn.attention import (
    EXACT,
    Forward,
    causal_mask,
    check_shapes,
    forward,
    masked,
    scaled_scores,
    scores,
)
from symattn.errors import InputError
from symattn.exact.limits import MAX_EXP_ARGUMENT
from symattn.exact.matrices import matmul
from symattn.exact.numbers import Exact
from symattn.problems.model import Matrix, SetUp

__all__ = ["Solution", "kept_keys", "matrix_of", "permuted", "solve"]


@dataclass(frozen=True)
class Solution:
    """A set-up with its queries, keys and values worked out, and every stage of its pass.

    `X` holds the tokens in their places, reordered and encoded; `unmasked` are the
    scaled scores before any mask; `forward.scaled` has None at a masked key.
    """

    setup: SetUp
    X: Matrix | None
    Q: Matrix | None
    K: Matrix | None
    V: Matrix | None
    scores: Matrix | None
    unmasked: Matrix
    forward: Forward[Exact]


def solve(setup: SetUp) -> Solution:
    """Work a set-up out.

    Raises: `ShapeError` where shapes do not fit, `InputError` where something is missing.
    """
    placed = _placed(setup)
    Q, K, V = _queries_keys_values(placed)
    raw: Matrix | None = setup.scores
    if Q is not None and K is not None:
        check_shapes(Q, K, V, setup.mask)
        raw = matrix_of(scores(Q, K, EXACT))
    if setup.scaled is not None:
        scaled = setup.scaled
    else:
        assert raw is not None
        assert setup.scale is not None
        scaled = matrix_of(scaled_scores(raw, setup.scale))
    if setup.bias is not None:
        pairs = zip(scaled, setup.bias, strict=True)
        scaled = tuple(tuple(s + b for s, b in zip(*rows, strict=True)) for rows in pairs)
    if V is not None and len(V) != len(scaled[0]):
        raise InputError(
            f"{len(scaled[0])} scores a row and {len(V)} values: there must be a value for each key"
        )
    _check_size(scaled)
    kept = kept_keys(setup, len(scaled), len(scaled[0]))
    rows = masked(scaled, kept) if kept is not None else scaled
    return Solution(setup, placed.X, Q, K, V, raw, scaled, forward(rows, V, EXACT))


def _check_size(scaled: Matrix) -> None:
    """Refuse scores whose exponentials could be neither shown nor read back."""
    for i, row in enumerate(scaled, start=1):
        for j, x in enumerate(row, start=1):
            if not x.symbols() and not abs(x.enclose(64)) <= MAX_EXP_ARGUMENT:
                raise InputError(
                    f"the scaled score of query {i} and key {j} lies beyond ±{MAX_EXP_ARGUMENT}: "
                    "its exponential is too large to write out; smaller numbers or a smaller "
                    "`scale` are needed"
                )


def kept_keys(setup: SetUp, n: int, m: int) -> list[list[bool]] | None:
    """Which keys each query may attend to, or None where no mask is given."""
    masks: list[Sequence[Sequence[bool]]] = []
    if setup.causal:
        masks.append(causal_mask(n, m))
    if setup.mask is not None:
        masks.append(setup.mask)
    if not masks:
        return None
    return [[all(mask[i][j] for mask in masks) for j in range(m)] for i in range(n)]


def permuted(setup: SetUp) -> SetUp:
    """The set-up with its tokens in the order that `permutation` names."""
    order = setup.permutation
    assert order is not None

    def reorder(A: Matrix | None) -> Matrix | None:
        return None if A is None else tuple(A[i - 1] for i in order)

    if setup.X is not None:
        return replace(setup, X=reorder(setup.X), permutation=None)
    return replace(
        setup, Q=reorder(setup.Q), K=reorder(setup.K), V=reorder(setup.V), permutation=None
    )


def _placed(setup: SetUp) -> SetUp:
    """Tokens in their places: reordered first, then each place adds its positional encoding."""
    if setup.permutation is not None:
        setup = permuted(setup)
    if setup.positional is not None and setup.X is not None:
        pairs = zip(setup.X, setup.positional, strict=True)
        X = tuple(tuple(x + p for x, p in zip(*rows, strict=True)) for rows in pairs)
        setup = replace(setup, X=X, positional=None)
    return setup


def _queries_keys_values(setup: SetUp) -> tuple[Matrix | None, Matrix | None, Matrix | None]:
    if setup.X is None:
        return setup.Q, setup.K, setup.V
    X = setup.X
    Q, K, V = (
        X if W is None else matrix_of(matmul(X, W)) for W in (setup.W_Q, setup.W_K, setup.W_V)
    )
    return Q, K, V


def matrix_of(rows: Sequence[Sequence[Exact]]) -> Matrix:
    """Rows that cannot be changed."""
    return tuple(tuple(row) for row in rows)
