r"""The parser: untrusted plain text or LaTeX in, an expression tree out.

Nothing is evaluated. A text is read whole or refused with the position at fault, and its cost is
bounded before (see `limits` and `size`). `log` and `ln` are natural; `e` is Euler's number.

What may surprise is said in the notes: how a comma was read, and that `1/2sqrt(3)` is
`(1/2)*sqrt(3)`. A mixed number is read where print cannot mislead (`2½`); `2\frac12` is refused,
as it could be a product. A sign `=` or `≈` before the value is read, and so is a name before it
(`z_1 = 0.25`); a chain `1/3 = 0.33` is not.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from symattn.errors import CostError, ParseError
from symattn.exact import arrays, limits
from symattn.exact.grammar import Grammar
from symattn.exact.size import measure
from symattn.exact.tree import Node

__all__ = ["Parsed", "parse"]


@dataclass(frozen=True, slots=True)
class Parsed:
    """A text and what it says; `notes` are sentences about readings that could be doubted."""

    tree: Node
    notes: tuple[str, ...]
    text: str


class _Answer(Grammar):
    """A whole answer: an optional `name =`, one value, and the end of the text."""

    def answer(self) -> Node:
        kinds = self.kinds
        if kinds[0] == "end":
            raise self.error("it is empty; a number or an expression should stand here")
        self.label()
        tree = self.sum()
        if kinds[self.i] != "end":
            raise self.trailing()
        if self.has_arrays:
            shape = self.guarded(arrays.shape, 0, tree)
            if len(shape) > 3:
                raise self.error("an array has at most three dimensions: heads, rows, columns", 0)
        measure(tree, self.positions, otherwise=self.starts[0] + 1)
        return tree

    def label(self) -> None:
        """Step over `=`, `≈` or `z_1 =` before the value."""
        kinds, i = self.kinds, 0
        if kinds[0] == "name" and self.words[0] not in ("e", "E", "pi"):
            i = 1
            if kinds[1] == "[":
                while kinds[i] in ("[", "num", ",", "]"):
                    i += 1
        if kinds[i] == "=":
            self.i = i + 1

    def trailing(self) -> ParseError:
        kind, word = self.kinds[self.i], self.words[self.i]
        if kind == ",":
            return self.error("a comma between entries needs brackets around them: (1/2, 1/3)")
        if kind == "=":
            return self.error("one value is an answer, not a chain of equalities")
        if kind in (")", "]", "}", r"\}", "⟩"):
            return self.error(f"{word!r} closes a bracket that was never opened")
        return self.unexpected("the end or an operator")


def parse(
    text: str, *, symbols: Collection[str] | None = (), decimal_comma: bool = False
) -> Parsed:
    r"""Read a text as mathematics.

    `symbols` names what may be left open, None leaves every unknown name open. `decimal_comma`
    reads each comma in a number as decimal, with `;` between entries.

    >>> parse(r"\frac12 + e^{-1}").tree
    Add(terms=(Div(numerator=Number(value=Fraction(1, 1), text='1', decimal=False, exponent=0),
    denominator=Number(value=Fraction(2, 1), text='2', decimal=False, exponent=0)),
    Pow(base=Constant(name='e'), exponent=Neg(body=Number(value=Fraction(1, 1), text='1',
    decimal=False, exponent=0)))))
    >>> parse("0,2483").notes
    ('0,2483 was read as 0.2483: its comma is a decimal comma',)
    >>> parse("0.25 or 0.5")
    Traceback (most recent call last):
    ...
    symattn.errors.ParseError: at character 6: 'or' is prose: an answer is one value, without
    words around it

    Raises `ParseError` where the text cannot be read and `CostError` where it would cost too much.
    """
    if len(text) > limits.MAX_LENGTH:
        reason = f"{len(text)} characters; at most {limits.MAX_LENGTH} are read"
        raise CostError(reason, limits.MAX_LENGTH + 1)
    answer = _Answer(text, symbols, decimal_comma)
    try:
        tree = answer.answer()
    except RecursionError:  # only where the caller has already used up most of the stack
        raise CostError("it nests too deeply for what is left of Python's stack", 1) from None
    return Parsed(tree, tuple(answer.notes), text)
