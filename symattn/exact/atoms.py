"""Atoms of the grammar: numbers, names and functions, fractions, roots, brackets, matrices."""

from __future__ import annotations

from collections.abc import Callable, Collection

from symattn.errors import CostError, ParseError
from symattn.exact import arrays, limits
from symattn.exact.characters import VULGAR
from symattn.exact.lexer import tokenize
from symattn.exact.names import ARRAYS, FUNCTIONS, Names
from symattn.exact.numerals import JOINTS, Numerals
from symattn.exact.tree import Add, Array, Call, Div, Node, Number, Pow, Root, Symbol

__all__ = ["Atoms"]

_CLOSERS = {"(": ")", "[": "]", "{": "}", r"\{": r"\}", "⟨": "⟩"}
_SIGNS = frozenset("+-")


class Atoms:
    """The cursor over the tokens of a text, and a method for each kind of atom.

    A method starts at the token `i` and leaves `i` after what it has read.
    """

    sum: Callable[[], Node]
    power: Callable[[], Node]
    exponent: Callable[[], Node]

    def __init__(self, text: str, symbols: Collection[str] | None, decimal_comma: bool) -> None:
        tokens = tokenize(text)
        self.text = text
        self.kinds, self.words = tokens.kinds, tokens.words
        self.starts, self.ends = tokens.starts, tokens.ends
        self.names = Names(symbols)
        self.notes: list[str] = []
        self.numerals = Numerals(text, tokens, decimal_comma, self.notes)
        self.separator = ";" if decimal_comma else ","
        self.i = 0
        self.depth = 0
        self.listing = False  # between brackets, where a comma separates entries
        self.square = False  # between square brackets, where a space could too
        self.has_arrays = False
        self.positions: dict[int, int] = {}

    def error(self, reason: str, i: int | None = None) -> ParseError:
        return ParseError(reason, self.starts[self.i if i is None else i] + 1)

    def unexpected(self, wanted: str) -> ParseError:
        kind = self.kinds[self.i]
        found = "the text ends" if kind == "end" else f"found {self.words[self.i]!r}"
        return self.error(f"{wanted} should stand here; {found}")

    def expect(self, kind: str) -> None:
        if self.kinds[self.i] != kind:
            raise self.unexpected(f"{kind!r}")
        self.i += 1

    def enter(self) -> None:
        self.depth += 1
        if self.depth > limits.MAX_DEPTH:
            reason = f"brackets, exponents and roots nest deeper than {limits.MAX_DEPTH}"
            raise CostError(reason, self.starts[self.i] + 1)

    def number(self) -> Node:
        i, kinds = self.i, self.kinds
        if kinds[i + 1] in JOINTS:
            number, self.i = self.numerals.grouped(i, self.listing, self.square)
        else:
            number, self.i = self.numerals.number(self.words[i], self.starts[i]), i + 1
        if kinds[self.i] == "vulgar":
            if number.decimal:
                raise self.error("a decimal cannot be followed by a fraction")
            return Add((number, self.vulgar()))
        return number

    def vulgar(self) -> Node:
        char, at = self.words[self.i], self.starts[self.i]
        self.i += 1
        above, below = VULGAR[char].as_integer_ratio()
        return Div(self.numerals.number(str(above), at), self.numerals.number(str(below), at))

    def group(self) -> Node:
        """`{...}` around one value, as LaTeX groups it; a comma inside is none of a list's."""
        self.enter()
        opened, listing, square = self.i, self.listing, self.square
        self.listing = self.square = False
        self.i += 1
        body = self.sum()
        if self.kinds[self.i] != "}":
            raise self.unclosed(opened, "}")
        self.i += 1
        self.depth -= 1
        self.listing, self.square = listing, square
        return body

    def bracket(self) -> Node:
        """One value in brackets, or the entries of a vector or a set; `;` ends a row of `[...]`."""
        opened, opener = self.i, self.kinds[self.i]
        closer = _CLOSERS[opener]
        self.enter()
        listing, square = self.listing, self.square
        self.listing, self.square = True, opener == "["
        self.i += 1
        rows: list[Node] = []
        entries = [self.sum()]
        separated = False
        kinds, separator = self.kinds, self.separator
        while (kind := kinds[self.i]) != closer:
            if kind == separator:
                separated = True
                self.i += 1
                if kinds[self.i] == closer:
                    break
            elif kind == ";" and opener == "[":
                self.i += 1
                rows.append(Array(tuple(entries)))
                entries = []
                if kinds[self.i] == closer:
                    break
            else:
                raise self.unclosed(opened, closer)
            entries.append(self.sum())
        self.i += 1
        self.depth -= 1
        self.listing, self.square = listing, square
        if rows:
            if entries:
                rows.append(Array(tuple(entries)))
            entries = rows
        elif len(entries) == 1 and not separated and self.is_grouping(opened, opener):
            return entries[0]
        self.has_arrays = True
        return Array(tuple(entries), "set" if opener in ("{", r"\{") else "array")

    def is_grouping(self, opened: int, opener: str) -> bool:
        """Whether brackets around one value group it: `(1)`, `{1}`, `[\\begin{matrix}...]`."""
        if opener == "[":
            return self.kinds[opened + 1] == "begin" and self.kinds[self.i - 2] == "finish"
        return opener in ("(", "{")

    def unclosed(self, opened: int, closer: str) -> ParseError:
        opener, place = self.words[opened], self.starts[opened] + 1
        found = self.kinds[self.i]
        if found in _CLOSERS.values():
            reason = f"{found!r} cannot close the {opener!r} of character {place}; an interval"
            return self.error(reason + " is no answer" if found in ")]" else reason[:-13])
        if found in (",", ";"):
            wanted = f"entries are separated by {self.separator!r} here"
            return self.error(f"{found!r} stands between entries, but {wanted}")
        return self.unexpected(f"{closer!r} for the {opener!r} of character {place}")

    def name(self) -> Node:
        """A symbol, a constant, or a function with its argument."""
        i, word = self.i, self.words[self.i]
        symbol = self.names.symbol(word) if self.names.symbols else None
        if symbol is not None:
            self.i += 1
            return symbol
        function = FUNCTIONS.get(word)
        if function is not None and (word != "sigma" or self.kinds[i + 1] == "("):
            return self.call(function)
        if word in ARRAYS and self.kinds[i + 1] in ("(", "["):
            self.i += 1
            return self.bracket()
        if word == "lambda" and self.kinds[i + 1] == "name":
            raise self.names.unknown(word, self.starts[i], False)
        after_number = i > 0 and self.kinds[i - 1] == "num"
        constant = self.names.constant(word, self.starts[i], after_number)
        self.i += 1
        return constant

    def call(self, function: str) -> Node:
        start = self.i
        self.i += 1
        power: Node | None = None
        if self.kinds[self.i] in ("^", "super"):  # sinh^2(x) is sinh(x)^2
            power = self.exponent()
            if not isinstance(power, Number):
                raise self.error("a function's power is a positive number, as in sinh^2(1)", start)
        arguments = self.arguments(start, function)
        wanted = 2 if function == "root" else 1
        if len(arguments) != wanted:
            reason = f"{self.words[start]} takes {wanted} argument{'s'[: wanted - 1]}"
            raise self.error(f"{reason}, found {len(arguments)}", start)
        body = arguments[0]
        if any(isinstance(argument, Array) for argument in arguments):
            raise self.error(f"{self.words[start]} takes a number, not a vector", start)
        if function == "root":
            node: Node = Root(body, self.index(arguments[1], start))
        elif function in ("sqrt", "cbrt"):
            node = Root(body, 2 if function == "sqrt" else 3)
        else:
            node = Call(function, body)
        self.positions[id(node)] = self.starts[start] + 1
        return node if power is None else Pow(node, power)

    def arguments(self, start: int, function: str) -> tuple[Node, ...]:
        """What stands in brackets after a function, or one bare operand: `exp 2`, `√2`."""
        kind = self.kinds[self.i]
        if kind == "{":
            return (self.group(),)
        if kind in ("(", "["):
            inner = self.bracket()
            listed = isinstance(inner, Array) and self.kinds[self.i - 1] in (")", "]")
            return inner.entries if listed and isinstance(inner, Array) else (inner,)
        self.enter()
        negative = kind == "-"
        if negative:
            self.i += 1
        body = self.power()
        self.depth -= 1
        if function not in ("sqrt", "cbrt") and self.kinds[self.i] in self.JUXTAPOSED:
            raise self.error(
                f"{self.words[start]} needs brackets around its argument here, as in exp(2*x)"
            )
        return (arrays.negate(body) if negative else body,)

    JUXTAPOSED = frozenset(("name", "(", "[", "{", "frac", "sqrt", "√", "∛", "∜", "begin"))

    def index(self, node: Node, i: int) -> int:
        if not isinstance(node, Number) or node.decimal or node.value < 2:
            raise self.error("the index of a root is an integer of at least 2", i)
        if node.value > limits.MAX_INDEX:
            reason = f"the index of a root may be at most {limits.MAX_INDEX}"
            raise CostError(reason, self.starts[i] + 1)
        return int(node.value)

    def radical(self) -> Node:
        """`√`, `∛` or `∜` before one operand."""
        start, sign = self.i, self.kinds[self.i]
        self.i += 1
        self.enter()
        body = self.power()
        self.depth -= 1
        if isinstance(body, Array):
            raise self.error("a root is taken of a number, not of a vector", start)
        return Root(body, {"√": 2, "∛": 3, "∜": 4}[sign])

    def sqrt(self) -> Node:
        r"""`\sqrt{2}`, `\sqrt2`, `\sqrt[3]{2}`."""
        start, index = self.i, 2
        self.i += 1
        if self.kinds[self.i] == "[":
            self.i += 1
            index = self.index(self.sum(), start)
            self.expect("]")
        return Root(self.operand(start), index)

    def frac(self) -> Node:
        r"""`\frac{1}{2}`, `\frac12`, `\frac1{12}`."""
        start = self.i
        self.i += 1
        word = self.words[self.i]
        if self.kinds[self.i] == "num" and len(word) == 2 and word.isdigit():
            above, below = (self.numerals.number(digit, self.starts[self.i]) for digit in word)
            self.i += 1
            if self.kinds[self.i] == "num":
                raise self.error("braces are missing: write \\frac{...}{...}", start)
            return Div(above, below)
        numerator = self.operand(start)
        return arrays.divide(numerator, self.operand(start))

    def operand(self, start: int) -> Node:
        """The operand of a LaTeX command: a group, or one digit or sign without braces."""
        kind = self.kinds[self.i]
        if kind == "{":
            return self.group()
        if kind == "num" and len(self.words[self.i]) > 1:
            command = self.words[start]
            raise self.error(f"without braces {command} takes one digit: write {command}{{...}}")
        method = self.ATOMS.get(kind)
        if method is None:
            raise self.unexpected(f"the operand of {self.words[start]}")
        self.enter()
        node = method(self)
        self.depth -= 1
        return node

    def environment(self) -> Node:
        r"""`\begin{matrix} 1 & 2 \\ 3 & 4 \end{matrix}`, always read as rows."""
        opened, name = self.i, self.words[self.i]
        self.enter()
        listing, square = self.listing, self.square
        self.listing = self.square = False
        rows: list[list[Node]] = [[]]
        kinds = self.kinds
        while True:
            self.i += 1
            if kinds[self.i] == "finish" and not rows[-1] and len(rows) > 1:
                rows.pop()
                break
            rows[-1].append(self.sum())
            if kinds[self.i] == "row":
                rows.append([])
            elif kinds[self.i] != "&":
                break
        if kinds[self.i] != "finish" or self.words[self.i] != name:
            place = self.starts[opened] + 1
            raise self.unexpected(f"'&', '\\\\' or the end of the {name} of character {place}")
        self.i += 1
        self.depth -= 1
        self.listing, self.square = listing, square
        self.has_arrays = True
        return Array(tuple(Array(tuple(row)) for row in rows))

    ATOMS: dict[str, Callable[[Atoms], Node]] = {
        "num": number,
        "vulgar": vulgar,
        "name": name,
        "(": bracket,
        "[": bracket,
        "{": bracket,
        r"\{": bracket,
        "⟨": bracket,
        "frac": frac,
        "sqrt": sqrt,
        "√": radical,
        "∛": radical,
        "∜": radical,
        "begin": environment,
    }


_ = Symbol, _SIGNS
