"""Numbers as people write them: `0.5760`, `12,288`, `12 288`, `12{,}288`, `0,2483`, `2.06·10⁻⁹`.

A comma between brackets separates entries and never comes here. In a scalar it is a thousands
separator where the number does not start with 0 and every group has three digits, else a decimal
comma, and a note says which. With `decimal_comma` every comma in a number is a decimal comma.
"""

from __future__ import annotations

import re
from fractions import Fraction

from symattn.errors import CostError, ParseError
from symattn.exact import limits
from symattn.exact.characters import SUPERSCRIPTS
from symattn.exact.lexer import Tokens
from symattn.exact.tree import Number

__all__ = ["JOINTS", "Numerals"]

#: Kinds of token after which a number may go on.
JOINTS = frozenset((",", "thousands", "num"))

_HEAD = re.compile("[0-9]{1,3}")
_GROUP = re.compile(r"[0-9]{3}(?:\.[0-9]*)?(?:[eE][+-]?[0-9]+)?")
_FRACTION = re.compile("[0-9]+(?:[eE][+-]?[0-9]+)?")
_DIGIT_GAPS = frozenset((" ", r"\,", r"\;", r"\:", r"\ ", "~"))


class Numerals:
    """Reads the numbers of one text and keeps account of their digits."""

    def __init__(self, text: str, tokens: Tokens, decimal_comma: bool, notes: list[str]) -> None:
        self.text = text
        self.kinds, self.words = tokens.kinds, tokens.words
        self.starts, self.ends = tokens.starts, tokens.ends
        self.decimal_comma = decimal_comma
        self.notes = notes
        self.digits = 0

    def number(self, digits: str, at: int, text: str | None = None, shift: int = 0) -> Number:
        """Make a number of plain digits; `text` is what was written, `shift` a power of ten."""
        mantissa, mark, power = digits.partition("e")
        if not mark:
            mantissa, mark, power = digits.partition("E")
        whole, point, broken = mantissa.partition(".")
        size = len(whole) + len(broken)
        if size > limits.MAX_DIGITS:
            reason = f"a number of {size} digits; at most {limits.MAX_DIGITS} are read"
            raise CostError(reason, at + 1)
        exponent = shift - len(broken)
        if mark:
            exponent += self.power_of_ten(power, at)
        self.digits += size + abs(exponent)
        if self.digits > limits.MAX_TOTAL_DIGITS:
            raise CostError(f"more than {limits.MAX_TOTAL_DIGITS} digits in all", at + 1)
        units = int(whole + broken)
        if exponent < 0:
            value = Fraction(units, 10**-exponent)
        else:
            value = Fraction(units * 10**exponent)
        decimal = bool(point or mark or shift)
        return Number(value, digits if text is None else text, decimal, exponent)

    def power_of_ten(self, power: str, at: int) -> int:
        if len(power) > 12 or abs(int(power)) > limits.MAX_SCIENTIFIC:
            reason = f"a power of ten may have an exponent of at most {limits.MAX_SCIENTIFIC}"
            raise CostError(reason, at + 1)
        return int(power)

    def grouped(self, i: int, listing: bool, square: bool) -> tuple[Number, int]:
        """Read the number that starts at token i and goes on after a comma or a space.

        `listing` says that a comma separates entries here, `square` that a space could too.
        Returns the number and the index of the token after it.
        """
        first, pieces, joints = i, [self.words[i]], ""
        while joint := self.joint(i, listing, square):
            i += 1 if joint == " " else 2
            joints += joint
            pieces.append(self.words[i])
        at, text = self.starts[first], self.text[self.starts[first] : self.ends[i]]
        if not joints:
            return self.number(pieces[0], at), i + 1
        comma = joints.rfind(",")
        if self.decimal_comma and comma >= 0:
            digits = self.decimal(pieces, joints, at, text)
        elif self.in_thousands(pieces, joints):
            digits = "".join(pieces)
            if comma >= 0:
                self.notes.append(f"{text} was read as {digits}: its comma groups thousands")
        elif comma < 0:
            where = self.starts[first + 1] + 1
            raise ParseError(
                "two numbers side by side; an operator is missing, or digits are not grouped in"
                " threes",
                where,
            )
        else:
            digits = self.decimal(pieces, joints, at, text)
            self.notes.append(f"{text} was read as {digits}: its comma is a decimal comma")
        written = re.search("[.eE]", digits) is not None
        return self.number(digits, at, text if written or joints else None), i + 1

    def joint(self, i: int, listing: bool, square: bool) -> str:
        """How the number goes on after token i: "," or " " or not at all."""
        kind, end = self.kinds[i + 1], self.ends[i]
        if kind == "num":
            gap = self.text[end : self.starts[i + 1]]
            blank = gap in _DIGIT_GAPS or (len(gap) == 1 and gap.isspace() and gap not in "\t\r\n")
            return " " if blank and not square else ""
        touching = self.starts[i + 1] == end and self.kinds[i + 2] == "num"
        if kind not in (",", "thousands") or not touching or self.starts[i + 2] != self.ends[i + 1]:
            return ""
        return "" if kind == "," and listing and not self.decimal_comma else ","

    @staticmethod
    def in_thousands(pieces: list[str], joints: str) -> bool:
        head, *middle, last = pieces
        return (
            len(set(joints)) == 1
            and _HEAD.fullmatch(head) is not None
            and head[0] != "0"
            and all(len(group) == 3 and group.isdigit() for group in middle)
            and _GROUP.fullmatch(last) is not None
        )

    def decimal(self, pieces: list[str], joints: str, at: int, text: str) -> str:
        """The digits of a number whose last joint is a decimal comma."""
        *whole, broken = pieces
        ok = joints.count(",") == 1 and joints[-1] == "," and _FRACTION.fullmatch(broken)
        if len(whole) > 1:
            ok = ok and self.in_thousands(whole, joints[:-1])
        if not ok or not "".join(whole).isdigit():
            raise ParseError(
                f"{text[:40]} is no number: neither thousands in threes nor one decimal comma;"
                " the entries of a vector stand between brackets",
                at + 1,
            )
        return "".join(whole) + "." + broken

    def scientific(self, i: int, mantissa: Number, at: int) -> tuple[Number, int] | None:
        """Read `·10⁻⁹` after a mantissa: token i is the sign of the product."""
        kinds, words = self.kinds, self.words
        if words[i + 1] != "10" or re.search("[eE]", mantissa.text):
            return None
        if kinds[i + 2] == "super":
            power, after = words[i + 2].translate(SUPERSCRIPTS), i + 3
        elif kinds[i + 2] == "^":
            j = i + 3
            closer = {"{": "}", "(": ")"}.get(kinds[j])
            j += closer is not None
            sign = words[j] if kinds[j] in ("+", "-") else ""
            j += bool(sign)
            power, after = sign + words[j], j + 1
            if kinds[j] != "num" or (closer is not None and kinds[j + 1] != closer):
                return None
            after += closer is not None
        else:
            return None
        if kinds[after] in ("^", "super") or not re.fullmatch("[+-]?[0-9]+", power):
            return None
        shift = self.power_of_ten(power, self.starts[i + 1])
        text = self.text[at : self.ends[after - 1]]
        ten = Fraction(10) ** shift
        self.digits += abs(shift)
        value = mantissa.value * ten
        return Number(value, text, True, mantissa.exponent + shift), after
