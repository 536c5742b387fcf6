"""The grammar above the atoms: sums, products, powers.

From loose to tight: `+ -`, then `* /` and juxtaposition from left to right (`a/2b` is `(a/2)·b`),
then a sign (`2*-3`), then powers, which group to the right (`2^3^2` is `2^(3^2)`). A leading minus
takes the whole term, so `-2^2` is `-(2^2)`. A product with two or more divisions is kept flat:
`a/b*c/d` becomes `(a·c)/(b·d)`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from symattn.errors import ParseError
from symattn.exact import arrays
from symattn.exact.atoms import JUXTAPOSED, Atoms
from symattn.exact.characters import SUPERSCRIPTS
from symattn.exact.tree import Add, Array, Div, Mul, Neg, Node, Number, Percent, Pow

__all__ = ["Grammar"]

_T = TypeVar("_T")
_R = TypeVar("_R")
_SIGNS = frozenset("+-")
_POSTFIX = frozenset(("^", "super", "%"))
_IN_PRODUCT = frozenset("*/") | JUXTAPOSED | {"num", "vulgar"}
_TRANSPOSES = frozenset(("T", "top", "intercal", "transpose"))


class Grammar(Atoms):
    """Reads one text from its first token to its last."""

    def sum(self) -> Node:
        """Terms joined by `+` and `-`."""
        kinds, start = self.kinds, self.i
        first = self.product()
        if kinds[self.i] not in _SIGNS:
            return first
        terms = [first]
        while kinds[self.i] in _SIGNS:
            terms.append(self.product())
        if self.has_arrays:
            return self.guarded(arrays.add, start, terms)
        return Add(tuple(terms))

    def guarded(self, operation: Callable[[_T], _R], start: int, operand: _T) -> _R:
        """Calculate with arrays; what cannot be is an error at the start of the term."""
        try:
            return operation(operand)
        except ParseError as error:
            raise self.error(error.reason, start) from None

    def sign(self) -> bool:
        """Read signs and say whether they make a minus."""
        minus = False
        while self.kinds[self.i] in _SIGNS:
            minus ^= self.kinds[self.i] == "-"
            self.i += 1
        return minus

    def product(self) -> Node:
        """Factors joined by `*`, `/` or nothing, with the sign before them."""
        kinds = self.kinds
        minus = kinds[self.i] in _SIGNS and self.sign()
        start = self.i
        node = self.power()
        if kinds[self.i] in _IN_PRODUCT:
            node = self.factors(node, start)
        if not minus:
            return node
        return arrays.negate(node) if self.has_arrays else Neg(node)

    def factors(self, first: Node, start: int) -> Node:
        """The rest of a product whose first factor began at token `start`."""
        kinds = self.kinds
        if kinds[self.i] == "*" and kinds[start] == "num" and isinstance(first, Number):
            scaled = self.scientific(self.i, first, self.starts[start])
            if scaled is not None:
                first, self.i = scaled
                if kinds[self.i] == "%":
                    first = self.percent(first)
        above: list[Node] = [first]
        below: list[Node] = []
        after: list[Node] = []  # factors that stand after the first division
        while (kind := kinds[self.i]) in _IN_PRODUCT:
            if kind == "/":
                self.i += 1
                below.append(self.factor())
            elif kind == "*":
                self.i += 1
                (after if below else above).append(self.factor())
            else:
                (after if below else above).append(self.juxtaposed(start))
        if self.has_arrays:
            return self.guarded(lambda parts: _assemble(*parts), start, (above, below, after))
        numerator = above[0] if len(above) == 1 else Mul(tuple(above))
        if not below:
            return numerator
        if len(below) > 1 or after:
            return _assemble(above, below, after)
        return Div(numerator, below[0])

    def juxtaposed(self, start: int) -> Node:
        """A factor without a sign of multiplication, as in `2sqrt(3)`."""
        kinds, at = self.kinds, self.i
        if kinds[at] in ("num", "vulgar"):
            if kinds[at - 1] == "num" and not self.square:
                raise self.error("two numbers side by side; an operator is missing")
            if self.square:
                raise self.unexpected(f"{self.separator!r} between entries")
            raise self.error("a number after a factor: an operator is missing, '*' or '^'")
        factor = self.power()
        if kinds[at] == "frac" and kinds[at - 1] == "num" and isinstance(factor, Div):
            parts = (factor.numerator, factor.denominator)
            if all(isinstance(part, Number) for part in parts):
                reason = "a mixed number or a product? write 2 + 1/2 or 2 * 1/2"
                raise self.error(f"a number before a fraction: {reason}", at - 1)
        if at >= 2 and kinds[at - 2] == "/" and at - 2 >= start:
            read = self.text[self.starts[start] : self.starts[at]].strip()
            rest = self.text[self.starts[at] : self.starts[self.i]].strip()
            self.note(f"{read}{rest}", f"({read})*{rest}", "products go from left to right")
        return factor

    def factor(self) -> Node:
        """A power that may carry a sign, as in `2*-3`."""
        if self.kinds[self.i] in _SIGNS and self.sign():
            power = self.power()
            return arrays.negate(power) if self.has_arrays else Neg(power)
        return self.power()

    def power(self) -> Node:
        """An atom and what stands after it: an exponent, a percent sign, a transpose."""
        kinds, start = self.kinds, self.i
        atom = self.ATOMS.get(kinds[start])
        if atom is None:
            raise self.unexpected("a number, a name or a bracket")
        base = atom(self)
        while (kind := kinds[self.i]) in _POSTFIX:
            if kind == "%":
                base = self.percent(base)
            elif isinstance(base, Array) and self.is_transpose():
                base = self.guarded(arrays.transpose, start, base)
            else:
                base = self.raised(base, start)
        return base

    def raised(self, base: Node, start: int) -> Node:
        """A base, which began at token `start`, with its exponent."""
        if isinstance(base, Array):
            if len(base.entries) > 1 or isinstance(base.entries[0], Array):
                raise self.error("a vector or a matrix has no power here", start)
            base = base.entries[0]
        exponent = self.exponent()
        if self.kinds[self.i] in ("^", "super"):
            raise self.error("two exponents; put brackets around one of the powers")
        if isinstance(exponent, Array):
            raise self.error("an exponent is a number, not a vector", start)
        node = Pow(base, exponent)
        self.positions[id(node)] = self.starts[start] + 1
        return node

    def exponent(self) -> Node:
        """What follows `^`, or a run of superscripts."""
        start = self.i
        self.i += 1
        if self.kinds[start] == "super":
            return self.superscript(start)
        kind = self.kinds[self.i]
        if kind == "{":
            return self.group()
        if kind == "num" and self.kinds[self.i + 1] == "num":  # sinh^2 1, not 21
            self.i += 1
            return self.read_number(self.words[self.i - 1], self.starts[self.i - 1])
        self.enter()
        minus = self.sign()
        power = self.power()
        self.depth -= 1
        return Neg(power) if minus else power

    def superscript(self, start: int) -> Node:
        """The number of a run of superscripts."""
        word = self.words[start].translate(SUPERSCRIPTS)
        digits = word.lstrip("+-")
        if len(word) - len(digits) > 1 or not digits.isdigit() or not digits.isascii():
            raise self.error(f"{self.words[start]!r} is no exponent", start)
        number = self.read_number(digits, self.starts[start])
        return Neg(number) if word[0] == "-" else number

    def percent(self, base: Node) -> Node:
        """A number in hundredths."""
        if isinstance(base, Array) or self.kinds[self.i - 1] == "%":
            raise self.error("a percent sign follows one number")
        self.i += 1
        return Percent(base)

    def is_transpose(self) -> bool:
        """Whether `^T`, `^\\top` or `ᵀ` stands here; steps over it."""
        kinds, words, i = self.kinds, self.words, self.i
        if words[i] == "ᵀ":
            self.i += 1
            return True
        braces = kinds[i] == "^" and kinds[i + 1] == "{"
        j = i + 2 if braces else i + 1
        if kinds[i] != "^" or kinds[j] != "name" or words[j] not in _TRANSPOSES:
            return False
        if braces and kinds[j + 1] != "}":
            return False
        self.i = j + 2 if braces else j + 1
        return True


def _assemble(above: list[Node], below: list[Node], after: list[Node]) -> Node:
    """A product of factors and divisors; `after` holds the factors behind the first division."""
    if not below:
        return arrays.multiply(above)
    if len(below) > 1:
        return arrays.divide(arrays.multiply(above + after), arrays.multiply(below))
    quotient = arrays.divide(arrays.multiply(above), below[0])
    return arrays.multiply([quotient, *after])
