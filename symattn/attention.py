r"""Attention, exact:  softmax(Q Kᵀ · scale) V with scale = 1/√d_k (Vaswani et al. 2017, eq. 1).

Written once, over any numbers that have +, ·, / and an exp: SymPy expressions, where symbols are
left open, and the exact numbers of `symattn.exact`, where speed and proof count. Its independent
twin in floats is `symattn.numeric`; neither calls the other.

Shapes: Q is (n, d_k), K is (m, d_k), V is (m, d_v); scores and weights are (n, m), the output is
(n, d_v).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any, Generic, TypeAlias, TypeVar

from flint import fmpq

from symattn.errors import InputError
from symattn.exact import functions
from symattn.exact.matrices import matmul as exact_matmul
from symattn.exact.numbers import Exact, dot, rational
from symattn.exact.shapes import boolean_mask, check_projections, check_shapes, rows_of

__all__ = [
    "EXACT",
    "MASKED",
    "Forward",
    "Numbers",
    "attention",
    "causal_mask",
    "check_shapes",
    "forward",
    "jacobian",
    "multi_head",
    "scaled_scores",
    "scores",
    "softmax",
    "symbolic",
    "transpose",
]

T = TypeVar("T")
Matrix: TypeAlias = Sequence[Sequence[T]]
Mask: TypeAlias = Sequence[Sequence[bool]]

#: A score that a mask has taken out: -∞, whose exponential is 0.
MASKED = None


@dataclass(frozen=True)
class Numbers(Generic[T]):
    """What the formula needs of the numbers that it is written over."""

    number: Callable[[Any], T]
    exp: Callable[[T], T]
    sqrt: Callable[[T], T]
    dot: Callable[[Sequence[T], Sequence[T]], T]
    matmul: Callable[[Matrix[T], Matrix[T]], list[list[T]]]


EXACT: Numbers[Exact] = Numbers(
    number=lambda x: x if isinstance(x, Exact) else rational(x),
    exp=functions.exp,
    sqrt=lambda x: functions.root(x, 2),
    dot=dot,
    matmul=exact_matmul,
)


@cache
def symbolic() -> Numbers[Any]:
    """The formula over SymPy expressions."""
    import sympy as sp

    return Numbers(
        number=_expression,
        exp=sp.exp,
        sqrt=sp.sqrt,
        dot=lambda xs, ys: sp.Add(*(x * y for x, y in zip(xs, ys, strict=True))),
        matmul=lambda A, B: (sp.Matrix(A) * sp.Matrix(B)).tolist(),
    )


def _expression(value: Any) -> Any:
    """A SymPy expression of a whole number, a fraction, text, or an expression."""
    import sympy as sp

    from symattn.exact.bridge import to_sympy
    from symattn.exact.evaluate import evaluate
    from symattn.exact.parse import parse

    if isinstance(value, str):
        return to_sympy(evaluate(parse(value, symbols=None).tree))
    if isinstance(value, float | sp.Float):
        raise InputError(f"{value!r} is a float, which is not exact: write '{value}' as text")
    return to_sympy(value) if isinstance(value, Exact) else sp.sympify(value, strict=True)


def transpose(A: Matrix[T]) -> list[list[T]]:
    """Aᵀ.

    >>> transpose([[1, 2], [3, 4], [5, 6]])
    [[1, 3, 5], [2, 4, 6]]
    """
    return [list(column) for column in zip(*A, strict=True)]


def scores(Q: Matrix[T], K: Matrix[T], numbers: Numbers[T]) -> list[list[T]]:
    """Scores Q Kᵀ: entry (i, j) is q_i · k_j."""
    return numbers.matmul(Q, transpose(K))


def scaled_scores(S: Matrix[T], scale: T) -> list[list[T]]:
    """Every score times the scale."""
    return [[score * scale for score in row] for row in S]  # type: ignore[operator]


def causal_mask(n: int, m: int) -> list[list[bool]]:
    """The mask that lets query i attend to key j when j <= i + m - n (lower right).

    >>> causal_mask(2, 3)
    [[True, True, False], [True, True, True]]
    """
    return [[j <= i + m - n for j in range(m)] for i in range(n)]


def masked(S: Matrix[T], mask: Mask) -> list[list[T | None]]:
    """Scores with -∞ (`MASKED`) wherever the mask is False."""
    return [
        [score if keep else MASKED for score, keep in zip(row, kept, strict=True)]
        for row, kept in zip(S, mask, strict=True)
    ]


def exponentials(row: Sequence[T | None], numbers: Numbers[T]) -> list[T]:
    """e^s for each score s of a row, and 0 for a masked one."""
    return [numbers.number(0) if s is MASKED else numbers.exp(s) for s in row]


def softmax(row: Sequence[T | None], numbers: Numbers[T]) -> list[T]:
    """e^{s_j} / Σ_l e^{s_l} along one row; a row without an attendable key gives zeros.

    >>> from symattn.exact.numbers import rational
    >>> [w.as_rational() for w in softmax([rational(4)] * 4, EXACT)]
    [1/4, 1/4, 1/4, 1/4]
    """
    return _normalised(exponentials(row, numbers), row, numbers)[1]


def _normalised(
    exps: Sequence[T], row: Sequence[T | None], numbers: Numbers[T]
) -> tuple[T, list[T]]:
    """The total of a row of exponentials, and each exponential over it."""
    one = numbers.number(1)
    total = numbers.dot(exps, [one] * len(exps))
    if all(score is MASKED for score in row):
        return total, list(exps)
    inverse = one / total  # type: ignore[operator]
    return total, [e * inverse for e in exps]


def jacobian(weights: Sequence[T], numbers: Numbers[T]) -> list[list[T]]:
    """The softmax Jacobian of one row: entry (i, j) is α_i(δ_ij - α_j).

    >>> from symattn.exact.numbers import rational
    >>> [[g.as_rational() for g in row] for row in jacobian([rational(1, 2)] * 2, EXACT)]
    [[1/4, -1/4], [-1/4, 1/4]]
    """
    zero, one = numbers.number(0), numbers.number(1)
    return [
        [a * ((one if i == j else zero) - b) for j, b in enumerate(weights)]  # type: ignore[operator]
        for i, a in enumerate(weights)
    ]


@dataclass(frozen=True)
class Forward(Generic[T]):
    """Every stage of the forward pass, each a list of rows (`total` one number a row)."""

    scores: list[list[T]] | None
    scaled: list[list[T | None]]
    exponentials: list[list[T]]
    total: list[T]
    weights: list[list[T]]
    output: list[list[T]] | None


def forward(scaled: Matrix[T | None], V: Matrix[T] | None, numbers: Numbers[T]) -> Forward[T]:
    """The stages from (masked) scaled scores on: exponentials, totals, weights and outputs."""
    exps = [exponentials(row, numbers) for row in scaled]
    pairs = [_normalised(e, row, numbers) for e, row in zip(exps, scaled, strict=True)]
    weights = [row for _, row in pairs]
    output = None if V is None else numbers.matmul(weights, V)
    return Forward(None, [list(r) for r in scaled], exps, [t for t, _ in pairs], weights, output)


def attention(
    Q: Any, K: Any, V: Any, *, mask: Mask | None = None, causal: bool = False, scale: Any = None
) -> Any:
    """softmax(Q Kᵀ · scale) V, exact: SymPy in and out, or exact numbers in and out.

    Q is (n, d_k) or one vector, K is (m, d_k), V is (m, d_v); the output has the shape of Q with
    d_v for d_k. `scale` defaults to 1/√d_k, `mask` is True where attention is allowed.

    >>> attention([[1, 0]], [[1, 0], [1, 0]], [[1], [3]])
    Matrix([[2]])

    Raises: `ShapeError` where the shapes do not fit together.
    """
    rows = Q.tolist() if hasattr(Q, "tolist") else list(Q)
    vector = bool(rows) and not isinstance(rows[0], list | tuple)
    numbers, (Q, K, V) = _matrices(Q=[rows] if vector else rows, K=K, V=V)
    mask = None if mask is None else boolean_mask(mask)
    check_shapes(Q, K, V, mask)
    one = numbers.number(1)
    factor = one / numbers.sqrt(numbers.number(len(K[0]))) if scale is None else scale
    scaled = scaled_scores(scores(Q, K, numbers), numbers.number(factor))
    for kept in (causal_mask(len(Q), len(K)) if causal else None, mask):
        scaled = scaled if kept is None else masked(scaled, kept)
    output = forward(scaled, V, numbers).output
    assert output is not None
    return _returned(output, vector, numbers)


def multi_head(
    X: Matrix[Any], W_Q: Any, W_K: Any, W_V: Any, W_O: Any, heads: int, **options: Any
) -> Any:
    """Concat(head_1, ..., head_h) W_O, head i being attention on the i-th block of columns.

    X is (n, d); W_Q, W_K are (d, h·d_k), W_V is (d, h·d_v), W_O is (h·d_v, d).

    >>> multi_head([[1, 1]], [[1, 0], [0, 1]], [[1, 0], [0, 1]], [[1, 0], [0, 1]], [[1], [2]], 2)
    Matrix([[3]])

    Raises: `ShapeError` where the shapes do not fit or do not divide into that many heads.
    """
    numbers, (X, W_Q, W_K, W_V, W_O) = _matrices(X=X, W_Q=W_Q, W_K=W_K, W_V=W_V, W_O=W_O)
    check_projections(X, {"W_Q": W_Q, "W_K": W_K, "W_V": W_V}, W_O, heads)
    Q, K, V = (numbers.matmul(X, W) for W in (W_Q, W_K, W_V))
    blocks = zip(*(_blocks(A, heads) for A in (Q, K, V)), strict=True)
    outputs = [rows_of("output", attention(q, k, v, **options)) for q, k, v in blocks]
    joined = [[x for part in parts for x in part] for parts in zip(*outputs, strict=True)]
    return _returned(numbers.matmul(joined, W_O), False, numbers)


def _blocks(A: Matrix[T], heads: int) -> list[list[list[T]]]:
    """The columns of a matrix in so many blocks of equal width."""
    width = len(A[0]) // heads
    return [[list(row[h * width : (h + 1) * width]) for row in A] for h in range(heads)]


def _matrices(**values: Any) -> tuple[Numbers[Any], list[list[list[Any]]]]:
    """The numbers that the matrices are written over, and the matrices in them."""
    matrices = [rows_of(name, value) for name, value in values.items()]
    entries = [x for A in matrices for row in A for x in row]
    exact = any(isinstance(x, Exact) for x in entries) and all(
        isinstance(x, Exact | int | Fraction | fmpq) for x in entries
    )
    numbers: Numbers[Any] = EXACT if exact else symbolic()
    return numbers, [[[numbers.number(x) for x in row] for row in A] for A in matrices]


def _returned(rows: list[list[Any]], vector: bool, numbers: Numbers[Any]) -> Any:
    """What a caller gets: lists of exact numbers, or a SymPy matrix."""
    if numbers is EXACT:
        return rows[0] if vector else rows
    import sympy as sp

    return sp.Matrix(rows)
