r"""Text as LaTeX that pdflatex can set: nothing in it is markup, and no glyph is missing.

Mathematical signs become mathematics (`−` is `$-$`, `d₂` is `$d_{2}$`), letters with accents are
composed, and what has no LaTeX of its own is named by its code point instead of being left out.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator

from symattn.render.names import GREEK, SUBSCRIPTS
from symattn.render.text import visible

__all__ = ["FORMULA", "formula_text", "pdf_text", "scripts", "tex_text", "woven"]

#: What has a meaning to TeX, or would be joined to another sign.
_SPECIAL = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "`": r"\textasciigrave{}",
    '"': r"\textquotedbl{}",
    **{sign: f"\\{sign}" for sign in "#$%&_"},
}
_JOINED = re.compile(r"(?<=-)(?=-)|(?<=')(?=')|(?<=,)(?=,)|(?<=[?!])(?=`)")
#: Letters and signs of print that stay as they are, beside the letters of Latin-1.
_PRINTED = "–—‘’“”…§©®°¡¿«»"
_LETTERS = {
    "ı": r"\i{}", "ł": r"\l{}", "Ł": r"\L{}", "œ": r"\oe{}", "Œ": r"\OE{}", "đ": r"\dj{}",
    "Đ": r"\DJ{}", "ŋ": r"\ng{}", "Ŋ": r"\NG{}", "€": r"\texteuro{}", "†": r"\dag{}",
    "‡": r"\ddag{}", "•": r"\textbullet{}", "¶": r"\P{}", "£": r"\pounds{}", "¢": r"\textcent{}",
    "¥": r"\textyen{}", "‰": r"\textperthousand{}", "™": r"\texttrademark{}", "‐": "-", "‑": "-",
    "‒": "–", "„": r"\quotedblbase{}", "‚": r"\quotesinglbase{}", "‹": r"\guilsinglleft{}",
    "›": r"\guilsinglright{}", "\u00ad": r"\-", "\u200b": r"\hspace{0pt}",
}  # fmt: skip
_ACCENTS = {
    "\u0300": "`", "\u0301": "'", "\u0302": "^", "\u0303": "~", "\u0304": "=", "\u0306": "u",
    "\u0307": ".", "\u0308": '"', "\u030a": "r", "\u030b": "H", "\u030c": "v", "\u0323": "d",
    "\u0327": "c", "\u0328": "k", "\u0331": "b",
}  # fmt: skip
_SIGNS = {
    "−": "-", "×": r"\times", "·": r"\cdot", "⋅": r"\cdot", "÷": r"\div", "±": r"\pm", "∓": r"\mp",
    "≈": r"\approx", "≠": r"\ne", "≤": r"\le", "≥": r"\ge", "≪": r"\ll", "≫": r"\gg",
    "≡": r"\equiv", "∼": r"\sim", "∝": r"\propto", "→": r"\to", "←": r"\leftarrow",
    "↔": r"\leftrightarrow", "↦": r"\mapsto", "⇒": r"\Rightarrow", "⇔": r"\Leftrightarrow",
    "∞": r"\infty", "√": r"\surd", "∑": r"\Sigma", "∏": r"\Pi", "∫": r"\int", "∂": r"\partial",
    "∇": r"\nabla", "∈": r"\in", "∉": r"\notin", "⊂": r"\subset", "⊆": r"\subseteq", "∪": r"\cup",
    "∩": r"\cap", "∅": r"\emptyset", "∀": r"\forall", "∃": r"\exists", "¬": r"\neg", "∧": r"\wedge",
    "∨": r"\vee", "⊤": r"\top", "⊥": r"\perp", "⊕": r"\oplus", "⊗": r"\otimes", "∘": r"\circ",
    "∗": "*", "ℝ": r"\mathbb{R}", "ℕ": r"\mathbb{N}", "ℤ": r"\mathbb{Z}", "ℚ": r"\mathbb{Q}",
    "⟨": r"\langle", "⟩": r"\rangle", "⌊": r"\lfloor", "⌋": r"\rfloor", "⌈": r"\lceil",
    "⌉": r"\rceil", "ℓ": r"\ell", "′": r"{}'", "✓": r"\checkmark", "µ": r"\mu", "½": "1/2",
    "¼": "1/4", "¾": "3/4", "ς": r"\varsigma", "ϵ": r"\epsilon", "ϑ": r"\vartheta",
    "ϕ": r"\varphi", "ε": r"\varepsilon", "ο": "o",
}  # fmt: skip
_SIGNS |= {
    sign: rf"\mathrm{{{letter}}}"
    for sign, letter in zip("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "ABEZHIKMNOPTYX", strict=True)
}
_SIGNS = {**{letter: f"\\{name}" for name, letter in GREEK.items()}, **_SIGNS}
_ABOVE = dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿⁱᵀ", [*"0123456789+-=()ni", r"\top"], strict=True))
_BELOW = {sign: letter for letter, sign in SUBSCRIPTS.items()}
_BELOW |= dict(zip("₊₋₌₍₎", "+-=()", strict=True))

_SCRIPTS = re.escape("".join({**_ABOVE, **_BELOW}))
_SIGN = re.escape("".join(_SIGNS))
_INDEX = rf"[{re.escape(''.join(_BELOW))}]+"
_BELOW_RUN = rf"{_INDEX}(?:,{_INDEX})*"
_ABOVE_RUN = rf"[{re.escape(''.join(_ABOVE))}]+"
_SIGN = f"[{re.escape(''.join(_SIGNS))}]"
#: A letter of Greek or a sign with its index, a single letter that has one, an index alone.
_PART = (
    rf"(?:{_SIGN}_[A-Za-z](?![A-Za-z])|{_SIGN}|(?<![A-Za-z\\])[A-Za-z](?={_INDEX}|{_ABOVE_RUN})"
    rf"|{_BELOW_RUN}|{_ABOVE_RUN})"
)
#: As many of them as stand together: `α`, `q₁·k₂`, `α_j`, `10⁻⁸`, `α₁,₂`.
_MATHEMATICS = re.compile(f"{_PART}+")
#: An index or an exponent as it is typed, and a letter that has some.
_SCRIPT = re.compile(r"([_^])(\{[^{}]*\}|\([^()]*\)|[A-Za-z0-9]{1,2}(?![A-Za-z0-9]))")
FORMULA = re.compile(
    r"(?P<root>√)?(?<![A-Za-z0-9_])(?P<letter>[A-Za-zα-ωΣ]|∂[a-zα-ω])"
    rf"(?P<scripts>(?:{_SCRIPT.pattern})+)"
)
_PIECES = re.compile(f"{_BELOW_RUN}|{_ABOVE_RUN}|_?.")


def tex_text(text: str) -> str:
    r"""Text as LaTeX in which nothing is markup and every character has its sign.

    >>> print(tex_text("50% of d₂ → −∞ & α_j, señor #1"))
    50\% of $d_{2}$ $\to$ $-\infty$ \& $\alpha_{j}$, señor \#1
    """
    text = unicodedata.normalize("NFC", visible(text))
    return woven(text, _MATHEMATICS, _words, lambda match: f"${_mathematics(match[0])}$")


def formula_text(text: str) -> str:
    r"""Text of ours in which formulas stand as on a keyboard: `e^{x_j}`, `√d_k`, `W_Q`.

    >>> print(formula_text("scaling: x_j = s_j/√d_k, with e^(x_l − x_j)"))
    scaling: $x_{j}$ = $s_{j}$/$\sqrt{d_{k}}$, with $e^{x_{l} - x_{j}}$
    """
    return woven(text, FORMULA, tex_text, lambda match: f"${_scripts(match)}$")


def woven(
    text: str,
    pattern: re.Pattern[str],
    words: Callable[[str], str],
    found: Callable[[re.Match[str]], str],
) -> str:
    """A text in which matches are written in one way, and what stands between them in another."""
    parts: list[str] = []
    end = 0
    for match in pattern.finditer(text):
        parts += [words(text[end : match.start()]), found(match)]
        end = match.end()
    return "".join([*parts, words(text[end:])])


def scripts(match: re.Match[str]) -> Iterator[tuple[str, str]]:
    """The signs and the contents of a formula's indices and exponents."""
    for sign, script in _SCRIPT.findall(match["scripts"]):
        yield sign, script[1:-1] if script[0] in "({" else script


def _scripts(match: re.Match[str]) -> str:
    """A letter with its index and its exponent, which may hold such letters again."""
    letter = _mathematics(match["letter"])
    for sign, inner in scripts(match):
        inner = FORMULA.sub(_scripts, inner)
        letter += f"{sign}{{{''.join(_SIGNS.get(char, char) for char in inner)}}}"
    return rf"\sqrt{{{letter}}}" if match["root"] else letter


def pdf_text(text: str) -> str:
    """Text for the title and the bookmarks of a PDF, which know all of Unicode."""
    return "".join(_SPECIAL.get(char, char) for char in visible(text))


def _mathematics(text: str) -> str:
    parts: list[str] = []
    for piece in _PIECES.findall(text):
        if piece[0] in _ABOVE:
            parts.append(f"^{{{''.join(_ABOVE[char] for char in piece)}}}")
        elif piece[0] in _BELOW:
            parts.append(f"_{{{''.join(_BELOW.get(char, char) for char in piece)}}}")
        elif piece[0] == "_":
            parts.append(f"_{{{piece[1:]}}}")
        else:
            sign = _SIGNS.get(piece, piece)
            parts.append(f"{sign} " if sign[0] == "\\" and sign[-1].isalpha() else sign)
    return "".join(parts).replace(" _", "_").strip()


def _words(text: str) -> str:
    return "".join(map(_character, _JOINED.sub("\u2060", text)))


def _character(char: str) -> str:
    if char == "\u2060":
        return "{}"
    if char in _SPECIAL:
        return _SPECIAL[char]
    if char.isascii() or char in _PRINTED or ("À" <= char <= "ÿ" and char.isalpha()):
        return char
    if char in _LETTERS:
        return _LETTERS[char]
    if char.isspace():
        return "~" if char in "\u00a0\u202f" else " "
    return _composed(char)


def _composed(char: str) -> str:
    """A character by its parts, or else its code point."""
    letter, *accents = list(unicodedata.normalize("NFD", char))
    if accents and all(accent in _ACCENTS for accent in accents) and letter.isascii():
        shown = {"i": r"\i", "j": r"\j"}.get(letter, letter)
        for accent in accents:
            shown = rf"\{_ACCENTS[accent]}{{{shown}}}"
        return shown
    plain = unicodedata.normalize("NFKC", char)
    if plain != char and not any(unicodedata.combining(part) for part in plain):
        return tex_text(plain)
    return rf"\texttt{{U+{ord(char):04X}}}"
