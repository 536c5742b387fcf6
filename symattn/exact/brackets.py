"""The cursor over the tokens, and what stands in brackets: groups, vectors, sets, matrices."""

from __future__ import annotations

from collections.abc import Callable, Collection

from symattn.errors import CostError, ParseError
from symattn.exact import limits
from symattn.exact.names import Names
from symattn.exact.numerals import Numerals
from symattn.exact.tree import Array, Node

__all__ = ["Brackets"]

_CLOSERS = {"(": ")", "[": "]", "{": "}", r"\{": r"\}", "⟨": "⟩"}
_ENDINGS = frozenset(_CLOSERS.values())


class Brackets(Numerals):
    """A cursor `i` over the tokens; a method starts at `i` and leaves `i` after what it has read.

    Every method that can come back to itself calls `enter`, so that no text, however deep,
    exhausts the stack.
    """

    sum: Callable[[], Node]  # given by the grammar above

    def __init__(
        self, text: str, symbols: Collection[str] | None = (), decimal_comma: bool = False
    ) -> None:
        super().__init__(text, decimal_comma)
        self.names = Names.of(symbols)
        self.separator = ";" if decimal_comma else ","
        self.i = 0
        self.depth = 0
        self.listing = False  # between brackets, where a comma separates entries
        self.square = False  # between square brackets, where a space could separate them too
        self.has_arrays = False
        self.positions: dict[int, int] = {}  # of powers and functions, for `limits.measure`

    def error(self, reason: str, i: int | None = None) -> ParseError:
        """An error at token i, or at the cursor."""
        return ParseError(reason, self.starts[self.i if i is None else i] + 1)

    def unexpected(self, wanted: str) -> ParseError:
        """An error that says what should stand at the cursor, and what does."""
        kind = self.kinds[self.i]
        found = "the text ends" if kind == "end" else f"found {self.words[self.i]!r}"
        return self.error(f"{wanted} should stand here; {found}")

    def enter(self) -> None:
        """Go one level deeper."""
        self.depth += 1
        if self.depth > limits.MAX_DEPTH:
            reason = f"brackets, exponents and roots nest deeper than {limits.MAX_DEPTH}"
            raise CostError(reason, self.starts[self.i] + 1)

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
        """One value in brackets, or the entries of a vector, a matrix or a set."""
        opened, opener = self.i, self.kinds[self.i]
        self.enter()
        listing, square = self.listing, self.square
        self.listing, self.square = True, opener == "["
        self.i += 1
        entries, listed = self.entries(opened, opener, _CLOSERS[opener])
        self.i += 1
        self.depth -= 1
        self.listing, self.square = listing, square
        if not listed:
            if self.is_grouping(opened, opener):
                return entries[0]
            self.refuse_columns(opened)
        self.has_arrays = True
        return Array(tuple(entries), "set" if opener in ("{", r"\{") else "array")

    def entries(self, opened: int, opener: str, closer: str) -> tuple[list[Node], bool]:
        """Read up to the closer: the entries, or the rows of `[1, 2; 3, 4]`.

        Says too whether a separator was seen, as in the one-entry tuple `(1,)`.
        """
        kinds, separator = self.kinds, self.separator
        rows: list[Node] = []
        row = [self.sum()]
        listed = False
        while (kind := kinds[self.i]) != closer:
            listed = True
            if kind == ";" and opener == "[" and separator == ",":
                rows.append(Array(tuple(row)))
                row = []
            elif kind != separator:
                raise self.unclosed(opened, closer)
            self.i += 1
            if kinds[self.i] == closer:
                break
            row.append(self.sum())
        if rows:
            return [*rows, Array(tuple(row))] if row else rows, True
        return row, listed

    def is_grouping(self, opened: int, opener: str) -> bool:
        r"""Whether brackets around one value only group it: `(1)`, `{1}`, `[\begin{matrix}...]`."""
        if opener == "[":
            return self.kinds[opened + 1] == "begin" and self.kinds[self.i - 2] == "finish"
        return opener in ("(", "{")

    def refuse_columns(self, opened: int) -> None:
        """Refuse `[0.5 -0.2]`: one entry or two, as arrays are printed without commas?"""
        for j in range(opened + 2, self.i):
            if self.kinds[j] == "-" and self.starts[j + 1] == self.starts[j] + 1:
                before = self.text[self.starts[j] - 1]
                if before.isspace() and self.kinds[j - 1] == "num":
                    reason = f"{self.separator!r} between entries, or spaces around the minus"
                    raise self.error(f"{reason}, should stand here", j)

    def unclosed(self, opened: int, closer: str) -> ParseError:
        """An error where neither an entry nor the closer stands."""
        opener, place = self.words[opened], self.starts[opened] + 1
        found, word = self.kinds[self.i], self.words[self.i]
        if found in _ENDINGS:
            reason = f"{word!r} cannot close the {opener!r} of character {place}"
            interval = found in (")", "]") and opener in ("(", "[")
            return self.error(reason + "; an interval is no answer" * interval)
        if found in (",", ";"):
            return self.error(f"{word!r} found, but {self.separator!r} separates entries here")
        return self.unexpected(f"{closer!r} for the {opener!r} of character {place}")

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
