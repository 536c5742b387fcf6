"""Atoms of the grammar: numbers, names, functions with their arguments, fractions and roots."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from symattn.errors import CostError
from symattn.exact import arrays, limits
from symattn.exact.brackets import Brackets
from symattn.exact.characters import VULGAR
from symattn.exact.names import ARRAYS, FUNCTIONS
from symattn.exact.numerals import JOINTS
from symattn.exact.tree import Add, Array, Call, Div, Node, Number, Pow, Root, Symbol

__all__ = ["JUXTAPOSED", "Atoms"]

#: Kinds of token that make a product with the factor before them.
JUXTAPOSED = frozenset(("name", "(", "[", "{", r"\{", "⟨", "frac", "sqrt", "√", "∛", "∜", "begin"))
_ROOTS = {"sqrt": 2, "cbrt": 3, "√": 2, "∛": 3, "∜": 4}


class Atoms(Brackets):
    """A method for each kind of atom; `ATOMS` says which token begins which."""

    power: Callable[[], Node]  # given by the grammar above
    exponent: Callable[[], Node]

    def scalar(self, node: Node, start: int) -> Node:
        """Refuse a vector where a function or a root takes a number."""
        if isinstance(node, Array):
            raise self.error(f"{self.words[start]} takes a number, not a vector", start)
        return node

    def number(self) -> Node:
        """`0.5760`, `12,288`, or a mixed number `2½`."""
        i, kinds = self.i, self.kinds
        if kinds[i + 1] in JOINTS:
            number, self.i = self.grouped(i, self.listing, self.square)
        else:
            number, self.i = self.read_number(self.words[i], self.starts[i]), i + 1
        if kinds[self.i] != "vulgar":
            return number
        if number.decimal:
            raise self.error("a decimal cannot be followed by a fraction")
        return Add((number, self.vulgar()))

    def vulgar(self) -> Node:
        """`½`."""
        char, at = self.words[self.i], self.starts[self.i]
        self.i += 1
        above, below = VULGAR[char].as_integer_ratio()
        return Div(self.read_number(str(above), at), self.read_number(str(below), at))

    def name(self) -> Node:
        """A symbol, a constant, or a function with its argument."""
        i, word = self.i, self.words[self.i]
        self.i += 1
        if self.names.symbols and (symbol := self.names.symbol(word)) is not None:
            return symbol
        function = FUNCTIONS.get(word)
        if function is not None and (word != "sigma" or self.kinds[self.i] == "("):
            return self.call(function, i)
        if word in ARRAYS and self.kinds[self.i] in ("(", "["):
            return self.bracket()
        after_number = i > 0 and self.kinds[i - 1] == "num"
        found = self.names.constant(word, self.starts[i], after_number)
        if self.kinds[self.i] == "(" and isinstance(found, Symbol) and self.is_glued(i):
            self.names.check_no_call(word, self.starts[i])
        return found

    def is_glued(self, i: int) -> bool:
        """Whether the next token follows token `i` without a gap."""
        return self.starts[i + 1] == self.starts[i] + len(self.words[i])

    def call(self, function: str, start: int) -> Node:
        """A function and its argument: `exp(1)`, `sqrt 2`, `sinh^2(1)`, `root(2, 3)`."""
        self.enter()
        power: Node | None = None
        if self.kinds[self.i] in ("^", "super"):
            power = self.exponent()
            if not isinstance(power, Number):
                raise self.error("a function's power is a positive number, as in sinh^2(1)", start)
        arguments = self.arguments(start, function)
        wanted = 2 if function == "root" else 1
        if len(arguments) != wanted:
            plural = "s" if wanted > 1 else ""
            reason = f"{self.words[start]} takes {wanted} argument{plural}, found {len(arguments)}"
            raise self.error(reason, start)
        body = self.scalar(arguments[0], start)
        if function == "root":
            node: Node = Root(body, self.index(arguments[1], start))
        elif function in _ROOTS:
            node = Root(body, _ROOTS[function])
        else:
            node = Call(function, body)
        self.depth -= 1
        self.positions[id(node)] = self.starts[start] + 1
        return node if power is None else Pow(node, power)

    def arguments(self, start: int, function: str) -> tuple[Node, ...]:
        """What stands in brackets after a function, or one bare operand: `exp 2`, `sqrt 2`."""
        kind = self.kinds[self.i]
        if kind == "{":
            return (self.group(),)
        if kind in ("(", "[", r"\{"):
            inner = self.bracket()
            return inner.entries if isinstance(inner, Array) else (inner,)
        negative = kind == "-"
        self.i += negative
        body = self.power()
        if function not in _ROOTS and self.kinds[self.i] in JUXTAPOSED:
            example = f"{self.words[start]}(2*x)"
            raise self.error(f"brackets should stand around the argument here, as in {example}")
        return (arrays.negate(body) if negative else body,)

    def index(self, node: Node, i: int) -> int:
        """The index of a root."""
        if not isinstance(node, Number) or node.decimal or node.value < 2:
            raise self.error("the index of a root is an integer of at least 2", i)
        if node.value > limits.MAX_INDEX:
            reason = f"the index of a root may be at most {limits.MAX_INDEX}"
            raise CostError(reason, self.starts[i] + 1)
        return int(node.value)

    def radical(self) -> Node:
        """`√`, `∛` or `∜` before one operand."""
        start = self.i
        self.i += 1
        self.enter()
        body = self.power()
        self.depth -= 1
        return Root(self.scalar(body, start), _ROOTS[self.kinds[start]])

    def sqrt(self) -> Node:
        r"""`\sqrt{2}`, `\sqrt2`, `\sqrt[3]{2}`."""
        start, index = self.i, 2
        self.i += 1
        if self.kinds[self.i] == "[":
            self.i += 1
            index = self.index(self.sum(), start)
            if self.kinds[self.i] != "]":
                raise self.unexpected("']' after the index of the root")
            self.i += 1
        self.enter()
        body = self.operand(start)
        self.depth -= 1
        return Root(self.scalar(body, start), index)

    def frac(self) -> Node:
        r"""`\frac{1}{2}`, `\frac12`, `\frac1{12}`."""
        start = self.i
        self.i += 1
        word = self.words[self.i]
        if self.kinds[self.i] == "num" and len(word) == 2 and word.isdigit():
            above, below = (self.read_number(digit, self.starts[self.i]) for digit in word)
            self.i += 1
            return Div(above, below)
        self.enter()
        numerator = self.operand(start)
        denominator = self.scalar(self.operand(start), start)
        self.depth -= 1
        return (
            arrays.divide(numerator, denominator)
            if self.has_arrays
            else Div(numerator, denominator)
        )

    def operand(self, start: int) -> Node:
        """The operand of a LaTeX command: a group, or one digit or sign without braces."""
        kind = self.kinds[self.i]
        if kind == "{":
            return self.group()
        if kind == "num":
            digit, command = self.words[self.i], self.words[start]
            if len(digit) > 1:
                reason = f"without braces {command} takes one digit: write {command}{{...}}"
                raise self.error(reason)
            self.i += 1
            return self.read_number(digit, self.starts[self.i - 1])
        method = self.ATOMS.get(kind)
        if method is None:
            raise self.unexpected(f"the operand of {self.words[start]}")
        return method(self)

    ATOMS: ClassVar[dict[str, Callable[[Atoms], Node]]] = {
        "num": number,
        "vulgar": vulgar,
        "name": name,
        "frac": frac,
        "sqrt": sqrt,
        "√": radical,
        "∛": radical,
        "∜": radical,
        "begin": Brackets.environment,
        **dict.fromkeys(("(", "[", "{", r"\{", "⟨"), Brackets.bracket),
    }
