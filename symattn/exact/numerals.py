"""Numbers as people write them: `0.5760`, `12,288`, `12 288`, `12{,}288`, `0,2483`, `2.06·10⁻⁹`.

A comma between brackets separates entries and never comes here. In a scalar it is a thousands
separator where the number does not start with 0 and every group has three digits, else a decimal
comma, and a note says which. With `decimal_comma` every comma in a number is a decimal comma.
"""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache

from symattn.errors import CostError, ParseError
from symattn.exact import limits
from symattn.exact.characters import SUPERSCRIPTS
from symattn.exact.lexer import tokenize
from symattn.exact.tree import Number

__all__ = ["JOINTS", "Numerals"]

#: Kinds of token after which a number may go on.
JOINTS = frozenset((",", "thousands", "num"))

_HEAD = re.compile("[0-9]{1,3}")
_GROUP = re.compile(r"[0-9]{3}(?:\.[0-9]*)?(?:[eE][+-]?[0-9]+)?")
_FRACTION = re.compile("[0-9]+(?:[eE][+-]?[0-9]+)?")
_DIGIT_GAPS = frozenset((" ", r"\,", r"\;", r"\:", r"\ ", "~"))


class Numerals:
    """The tokens of one text, the numbers among them, and what is to be noted of their reading."""

    def __init__(self, text: str, decimal_comma: bool) -> None:
        tokens = tokenize(text)
        self.text = text
        self.kinds, self.words, self.starts = tokens.kinds, tokens.words, tokens.starts
        self.decimal_comma = decimal_comma
        self.notes: list[str] = []
        self.digits = 0

    def read_number(self, digits: str, at: int, text: str | None = None) -> Number:
        """Make a number of plain digits; `text` is what was written for them."""
        if len(digits) > _SHORT:
            count = len(digits) - digits.count(".")
            self.digits += count
            if count > limits.MAX_DIGITS:
                reason = f"a number of {count} digits; at most {limits.MAX_DIGITS} are read"
                raise CostError(reason, at + 1)
        number = _short_number(digits) if len(digits) <= _SHORT else _number(digits)
        if isinstance(number, str):
            raise CostError(number, at + 1)
        self.digits += abs(number.exponent)
        if self.digits > limits.MAX_TOTAL_DIGITS:
            raise CostError(f"more than {limits.MAX_TOTAL_DIGITS} digits in all", at + 1)
        return number if text is None else replace(number, text=text)

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
        at = self.starts[first]
        if not joints:
            return self.read_number(pieces[0], at), i + 1
        text = self.text[at : self.end(i)]
        comma = joints.rfind(",")
        if self.decimal_comma and comma >= 0:
            digits = self.decimal(pieces, joints, at, text)
        elif self.in_thousands(pieces, joints):
            digits = "".join(pieces)
            if comma >= 0:
                self.note(text, digits, "its comma groups thousands")
        elif comma < 0:
            where = self.starts[first + 1] + 1
            raise ParseError(
                "two numbers side by side; an operator is missing, or digits are not grouped in"
                " threes",
                where,
            )
        else:
            digits = self.decimal(pieces, joints, at, text)
            self.note(text, digits, "its comma is a decimal comma")
        return self.read_number(digits, at, text), i + 1

    def note(self, text: str, read: str, reason: str) -> None:
        """Keep a sentence on how a text was read, once and unless it would be too long."""
        sentence = f"{text} was read as {read}: {reason}"
        if len(sentence) < 200 and sentence not in self.notes[-4:]:
            self.notes.append(sentence)

    def end(self, i: int) -> int:
        """Where a token of plain characters ends."""
        return self.starts[i] + len(self.words[i])

    def joint(self, i: int, listing: bool, square: bool) -> str:
        """How the number goes on after token i: "," or " " or not at all."""
        kind, end = self.kinds[i + 1], self.end(i)
        if kind == "num":
            gap = self.text[end : self.starts[i + 1]]
            blank = gap in _DIGIT_GAPS or (len(gap) == 1 and gap.isspace() and gap not in "\t\r\n")
            return " " if blank and not square else ""
        touching = self.starts[i + 1] == end and self.kinds[i + 2] == "num"
        if kind not in (",", "thousands") or not touching or self.starts[i + 2] != self.end(i + 1):
            return ""
        return "" if kind == "," and listing and not self.decimal_comma else ","

    @staticmethod
    def in_thousands(pieces: list[str], joints: str) -> bool:
        """Whether digits are grouped in threes, all by a comma or all by a space."""
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
        plain = joints.count(",") == 1 and joints[-1] == ","
        plain = plain and _FRACTION.fullmatch(broken) is not None
        if len(whole) > 1:
            plain = plain and self.in_thousands(whole, joints[:-1])
        if not plain or not "".join(whole).isdigit():
            raise ParseError(
                f"{text[:40]} is no number: neither thousands in threes nor one decimal comma;"
                " the entries of a vector stand between brackets",
                at + 1,
            )
        return "".join(whole) + "." + broken

    def scientific(self, i: int, mantissa: Number, at: int) -> tuple[Number, int] | None:
        """Read `·10⁻⁹` after the mantissa at character `at`: token i is the product's sign."""
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
        exponent = int(power[:9]) + mantissa.exponent
        if abs(exponent) > limits.MAX_SCIENTIFIC or len(power) > 9:
            return None
        units = int(mantissa.value / Fraction(10) ** mantissa.exponent)
        text = self.text[at : self.end(after - 1)]
        return self.read_number(f"{units}e{exponent}", at, text), after


def _number(digits: str) -> Number | str:
    """The number that plain digits spell, or why it is refused."""
    mantissa, _, power = digits.lower().partition("e")
    whole, point, broken = mantissa.partition(".")
    if len(power) > 9 or abs(int(power or 0)) > limits.MAX_SCIENTIFIC:
        return f"a power of ten may have an exponent of at most {limits.MAX_SCIENTIFIC}"
    exponent = int(power or 0) - len(broken)
    units = int(whole + broken)
    value = Fraction(units, 10**-exponent) if exponent < 0 else Fraction(units * 10**exponent)
    return Number(value, digits, bool(point or power), exponent)


_SHORT = 12
_short_number = lru_cache(maxsize=4096)(_number)
