"""Trees in two dimensions: matrices are bracketed grids, and all else one line of Unicode.

A box is a block of text of equal lines with a base line, on which a row of boxes is aligned.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from symattn.exact.tree import Add, Apply, Array, Div, Mul, Neg, Node
from symattn.render.unicode import is_matmul, to_unicode

__all__ = ["Box", "beside", "has_matrix", "layout", "matrix_rows", "stacked"]

_SQUARE, _ROUND = "⎡⎢⎣[⎤⎥⎦]", "⎛⎜⎝(⎞⎟⎠)"


@dataclass(frozen=True)
class Box:
    """Lines of equal width; `base` is the one that stands level with the text around."""

    lines: tuple[str, ...]
    base: int = 0

    @property
    def width(self) -> int:
        """Columns that the box takes."""
        return len(self.lines[0])

    @property
    def height(self) -> int:
        """Lines that the box takes."""
        return len(self.lines)


def beside(*parts: Box | str) -> Box:
    """Boxes side by side on one base line.

    >>> print("\\n".join(beside("A = ", grid([["1", "0"], ["-2", "1"]])).lines))
        ⎡  1  0 ⎤
    A = ⎣ -2  1 ⎦
    """
    boxes = [Box((part,)) if isinstance(part, str) else part for part in parts]
    above = max(box.base for box in boxes)
    below = max(box.height - box.base for box in boxes)
    columns = []
    for box in boxes:
        blank = " " * box.width
        rise = above - box.base
        columns.append([blank] * rise + list(box.lines) + [blank] * (below + box.base - box.height))
    return Box(tuple("".join(row) for row in zip(*columns, strict=True)), above)


def stacked(lines: Sequence[str]) -> Box:
    """Lines one below the other, the first of them level with the text around."""
    width = max(map(len, lines))
    return Box(tuple(line.ljust(width) for line in lines))


def grid(rows: list[list[str]]) -> Box:
    """A matrix of texts in square brackets, its columns aligned."""
    columns = [_aligned(column) for column in zip(*rows, strict=True)]
    lines = ["  ".join(row) for row in zip(*columns, strict=True)]
    return _bracketed(Box(tuple(f" {line} " for line in lines), len(lines) // 2), _SQUARE)


def _bracketed(box: Box, signs: str) -> Box:
    """A box between brackets of its height; the signs are top, middle, foot, single, twice."""
    sides = [_tall(signs[:4], box.height), _tall(signs[4:], box.height)]
    left, right = (Box(side, box.base) for side in sides)
    return beside(left, box, right)


def _tall(signs: str, height: int) -> tuple[str, ...]:
    top, middle, foot, single = tuple(signs)
    return (single,) if height == 1 else (top, *[middle] * (height - 2), foot)


def _aligned(column: Iterable[str]) -> list[str]:
    """The texts of a column in one width: numbers by their points, all else in the middle."""
    texts = list(column)
    if all(text.lstrip("−-")[:1].isdigit() and _is_number(text) for text in texts):
        tails = [len(text) - len(text.partition(".")[0]) for text in texts]
        texts = [text + " " * (max(tails) - tail) for text, tail in zip(texts, tails, strict=True)]
        width = max(map(len, texts))
        return [text.rjust(width) for text in texts]
    width = max(map(len, texts))
    return [text.center(width) for text in texts]


def _is_number(text: str) -> bool:
    return all(char.isdigit() or char in ".−-e" for char in text)


def has_matrix(node: Node) -> bool:
    """Whether a matrix with entries stands in a tree, outside of other arrays."""
    match node:
        case Array(entries):
            return bool(entries) and all(isinstance(entry, Array) for entry in entries)
        case Apply(arguments=parts) | Add(terms=parts) | Mul(factors=parts):
            return any(map(has_matrix, parts))
        case Neg(body=part) | Div(numerator=part):
            return has_matrix(part)
    return False


def matrix_rows(node: Node) -> list[tuple[Node, ...]]:
    """The rows of a matrix, or none for any other tree."""
    if not isinstance(node, Array) or not has_matrix(node):
        return []
    return [entry.entries for entry in node.entries if isinstance(entry, Array)]


def layout(node: Node) -> Box:
    """The box of a tree."""
    if not has_matrix(node):
        return Box((to_unicode(node),))
    match node:
        case Array():
            return grid([list(map(to_unicode, row)) for row in matrix_rows(node)])
        case Neg(body):
            return beside("−", _guarded(body, (Add,)))
        case Add(terms):
            return _joined_sum(terms)
        case Mul(factors):
            return _joined([_guarded(factor, (Add, Neg, Div)) for factor in factors], "·")
        case Div(numerator, denominator):
            below = _guarded(denominator, (Add, Neg, Mul, Div))
            return beside(_guarded(numerator, (Add, Neg, Div)), " / ", below)
        case Apply(operator, arguments):
            return _apply(operator, arguments)
    return Box((to_unicode(node),))


def _guarded(node: Node, loose: tuple[type, ...]) -> Box:
    """The box of a part, in round brackets where it binds too loosely."""
    return _bracketed(layout(node), _ROUND) if isinstance(node, loose) else layout(node)


def _joined(boxes: list[Box], sign: str) -> Box:
    parts: list[Box | str] = [boxes[0]]
    for box in boxes[1:]:
        parts += [sign, box]
    return beside(*parts)


def _joined_sum(terms: tuple[Node, ...]) -> Box:
    parts: list[Box | str] = [layout(terms[0])]
    for term in terms[1:]:
        negative = isinstance(term, Neg)
        body = term.body if isinstance(term, Neg) else term
        parts += [" − " if negative else " + ", _guarded(body, (Add,))]
    return beside(*parts)


def _apply(operator: str, arguments: tuple[Node, ...]) -> Box:
    match operator, arguments:
        case "matmul", (left, right):
            first = layout(left) if is_matmul(left) else _guarded(left, (Add, Neg, Div, Mul))
            second = layout(right)
            if is_matmul(right) or isinstance(right, Add | Neg | Div | Mul):
                second = _bracketed(second, _ROUND)
            return beside(first, " ", second)
        case "transpose", (matrix,):
            box = layout(matrix)
            box = box if isinstance(matrix, Array) else _bracketed(box, _ROUND)
            return beside(box, Box(("ᵀ", *[" "] * (box.height - 1)), box.base))
    inside = _joined(list(map(layout, arguments)), ", ")
    return beside(operator, _bracketed(inside, _ROUND))
