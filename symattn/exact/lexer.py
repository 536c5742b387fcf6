"""Tokens: the words of plain text and of LaTeX under one set of names.

A token's kind is the plain character where there is one (`\\cdot`, `×` and `*` are all `*`), else
a word such as `num` or `frac`. Tokens stand in parallel lists, which end with a few of the kind
`end` so that a reader may look ahead, and keep where they stand in the original text. One regular
expression without nested repetition reads them, so that time is linear in the length.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import islice

from symattn.errors import CostError, ParseError
from symattn.exact import limits
from symattn.exact.characters import complaint, greek_name, normalise

__all__ = ["ENVIRONMENTS", "Tokens", "tokenize"]

#: LaTeX environments that hold a matrix.
ENVIRONMENTS = ("matrix", "pmatrix", "bmatrix", "Bmatrix", "smallmatrix", "array")

_EXPONENT = r"(?:[eE][+-]?[0-9]+)?"
_BELOW = "[₀-₉ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ]"
_TOKEN = re.compile(
    rf"""
    (?P<space>[ \t\r\n~]+)
  | (?P<num>[0-9]+(?:\.[0-9]*)?{_EXPONENT}|\.[0-9]+{_EXPONENT})
  | (?P<upright>\\text\{{[0-9]+(?:\.[0-9]*)?[eE]-?[0-9]+\}})
  | (?P<op>\*\*|[-+*/^()\[\],;&%=⟨⟩√∛∜]|(?!\{{,\}})[{{}}])
  | (?P<common>\\(?:sqrt|[dtc]?frac|left|right|cdot|times)(?![A-Za-z]))
  | (?P<times>(?<=[0-9 ])[xX](?=[ ]?10[ ]?(?:\^|\*\*|[⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻])))
  | (?P<name>(?:sqrt|cbrt|exp|ln|sinh|cosh|tanh)(?=[0-9])|[A-Za-z][A-Za-z0-9]*|[Ͱ-Ͽµ])
  | (?P<thousands>\{{,\}})
  | (?P<sub>_(?:[A-Za-z0-9]+|\{{[ ]*[A-Za-z0-9][A-Za-z0-9, ]*\}})|{_BELOW}+(?:,{_BELOW}+)*)
  | (?P<super>[⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻]+|ᵀ)
  | (?P<vulgar>[¼½¾⅐⅑⅒⅓⅔⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞↉])
  | (?P<env>\\(?:begin|end)[ ]*\{{[A-Za-z]*\*?\}}(?:(?<=\{{array\}})[ ]*\{{[lcr| ]*\}})?)
  | (?P<font>\\(?:mathrm|mathit|mathbf|mathsf|boldsymbol|vec|text|textrm|textbf|operatorname\*?)
      (?:[ ]*\{{[ ]*(?:[A-Za-z]+|\\[A-Za-z]+)[ ]*\}}|[ ]+[A-Za-z](?![A-Za-z])))
  | (?P<command>\\[A-Za-z]+)
  | (?P<row>\\\\(?:\[-?[0-9.]+[ ]?(?:pt|em|ex|mm|cm)\])?)
  | (?P<delimiter>\${{1,2}}|\\[()\[\]])
  | (?P<escape>\\[{{}}%])
  | (?P<gap>\\[,;:!> ])
    """,
    re.VERBOSE,
)

_COMMANDS = {
    **dict.fromkeys(("cdot", "times", "ast"), "*"),
    **dict.fromkeys(("frac", "dfrac", "tfrac", "cfrac"), "frac"),
    **dict.fromkeys(("approx", "simeq"), "="),
    **{"div": "/", "sqrt": "sqrt", "lbrack": "[", "rbrack": "]", "lparen": "(", "rparen": ")"},
    **{"cr": "row", "lbrace": r"\{", "rbrace": r"\}", "langle": "⟨", "rangle": "⟩"},
}
_SPACING = (
    *("left", "right", "middle", "big", "Big", "bigg", "Bigg", "bigl", "bigr", "Bigl", "Bigr"),
    *("biggl", "biggr", "Biggl", "Biggr", "quad", "qquad", "displaystyle", "textstyle"),
    *("thinspace", "enspace", "nobreakspace", "space"),
)
_NO_ANSWER = {
    "pm": "an answer is one value, not two",
    "mp": "an answer is one value, not two",
    "infty": "infinity is not a number",
    **dict.fromkeys(("le", "leq", "ge", "geq", "lt", "gt", "ne", "neq"), "it is no value"),
}
_DELIMITERS = {"$": "$", "$$": "$$", r"\(": r"\)", r"\[": r"\]"}
_DEPTH = dict.fromkeys(("(", "[", "{", "⟨", r"\{"), 1) | dict.fromkeys(")]}⟩", -1) | {r"\}": -1}
_AS_THEY_ARE = frozenset(("num", "super", "vulgar", "thousands", "row"))
#: The kind of each token that is always written alike; an empty kind is a space.
_READY = {
    **{sign: sign for sign in "-+*/^()[]{},;&%=⟨⟩√∛∜"},
    **{"**": "^", r"\{": r"\{", r"\}": r"\}", r"\%": "%", " ": "", r"\!": "", r"\>": ""},
    **{"\\" + name: kind for name, kind in _COMMANDS.items()},
    **{"\\" + name: "" for name in _SPACING},
}
_LOOKAHEAD = 6
_SUBSCRIPTS = str.maketrans("₀₁₂₃₄₅₆₇₈₉ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ", "0123456789aehijklmnoprstuvx")


@dataclass(slots=True)
class Tokens:
    """The tokens of one text, as parallel lists; `starts` counts characters from 0."""

    kinds: list[str]
    words: list[str]
    starts: list[int]


class _Lexer:
    """One run over one text."""

    def __init__(self, text: str) -> None:
        self.original = text
        self.kinds: list[str] = []
        self.words: list[str] = []
        self.starts: list[int] = []
        self.delimiter: tuple[str, int] | None = None

    def run(self) -> Tokens:
        """Cut the text, and refuse it at the first character that no token can hold."""
        text = normalise(self.original)
        kinds, words, starts, ready = self.kinds, self.words, self.starts, _READY.get
        at = depth = 0
        for found in islice(_TOKEN.finditer(text), limits.MAX_TOKENS):
            if found.start() != at:
                break
            word = found.group()
            kind = ready(word)
            if kind is None:
                kind = found.lastgroup or ""
                if kind not in _AS_THEY_ARE:
                    kind, word = self.word(kind, word, at)
            elif kind in _DEPTH:
                depth += _DEPTH[kind]
                if depth > limits.MAX_DEPTH:
                    raise CostError(f"brackets nest deeper than {limits.MAX_DEPTH}", at + 1)
            if kind:
                kinds.append(kind)
                words.append(word)
                starts.append(at)
            at = found.end()
        if at < len(text):
            raise self.unreadable(text, at)
        if self.delimiter is not None:
            sign, opened = self.delimiter
            raise ParseError(f"{sign} is never closed by {_DELIMITERS[sign]}", opened + 1)
        kinds += ["end"] * _LOOKAHEAD
        words += [""] * _LOOKAHEAD
        starts += [at] * _LOOKAHEAD
        return Tokens(kinds, words, starts)

    def word(self, kind: str, word: str, at: int) -> tuple[str, str]:
        """Kind and word of a token that is not a plain sign; an empty kind means a space."""
        if kind == "name":
            return ("name", word) if word.isascii() else ("name", self.greek(word, at))
        if kind in ("space", "gap"):
            return "", ""
        if kind == "upright":  # \text{2.06e-9}, as our own documents write it
            return "num", word[6:-1]
        if kind == "command":
            return self.command(word[1:], at)
        if kind == "times":
            return "*", word
        if kind == "font":
            inner = word[word.index("{") + 1 : -1].strip() if word[-1] == "}" else word[-1]
            return self.command(inner[1:], at) if inner[0] == "\\" else ("name", inner)
        if kind == "env":
            name = word[word.index("{") + 1 : word.index("}")]
            if name not in ENVIRONMENTS:
                known = ", ".join(ENVIRONMENTS)
                raise ParseError(f"unknown environment {name!r}; known are {known}", at + 1)
            return ("begin" if word.startswith(r"\begin") else "finish"), name
        if kind == "delimiter":
            return self.mathematics(word, at)
        return self.subscript(word, at)

    def greek(self, letter: str, at: int) -> str:
        name = greek_name(letter)
        if name is None:
            raise ParseError(complaint(letter), at + 1)
        return name

    def command(self, name: str, at: int) -> tuple[str, str]:
        if name in _NO_ANSWER:
            raise ParseError(f"\\{name} is not read: {_NO_ANSWER[name]}", at + 1)
        return "name", name

    def mathematics(self, sign: str, at: int) -> tuple[str, str]:
        """`$...$` and its like are read as spaces, once they are seen to come in pairs."""
        if self.delimiter is None:
            if sign not in _DELIMITERS:
                raise ParseError(f"{sign} was never opened", at + 1)
            self.delimiter = (sign, at)
        elif sign == _DELIMITERS[self.delimiter[0]]:
            self.delimiter = None
        else:
            expected = _DELIMITERS[self.delimiter[0]]
            raise ParseError(f"{sign} stands where {expected} should", at + 1)
        return "", ""

    def subscript(self, word: str, at: int) -> tuple[str, str]:
        """A subscript joins the name before it: `v_1`, `v_{1}` and `v₁` are one name.

        Two indices are joined like one: `A_1_2`, `A_{1,2}` and `A₁,₂`.
        """
        if not self.kinds or self.kinds[-1] != "name":
            raise ParseError("a subscript needs a name before it, as in v_1", at + 1)
        self.words[-1] += "_" + "_".join(re.findall("[A-Za-z0-9]+", word.translate(_SUBSCRIPTS)))
        return "", ""

    def unreadable(self, text: str, at: int) -> ParseError:
        """Say what is wrong with the character at which reading stopped."""
        if _TOKEN.match(text, at):
            return CostError(f"more than {limits.MAX_TOKENS} words, signs and gaps", at + 1)
        char = self.original[at]
        if char == "!":
            return CostError(complaint(char), at + 1)
        if char == ".":
            return ParseError("a point needs a digit beside it, as in 0.5", at + 1)
        if char == "\\":
            return ParseError(r"a LaTeX command is \ and letters, as in \frac", at + 1)
        return ParseError(complaint(char), at + 1)


def tokenize(text: str) -> Tokens:
    r"""Cut a text into tokens.

    >>> tokenize(r"2\cdot v₁").kinds
    ['num', '*', 'name', 'end', 'end', 'end', 'end', 'end', 'end']

    Raises `ParseError` at a character that is not read and `CostError` beyond the limits.
    """
    return _Lexer(text).run()
