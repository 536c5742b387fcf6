"""Characters: which ones are read as which, and what to say of those that are not read.

Every replacement is one character for one, so that a position in the replaced text is the same
position in the original.
"""

from __future__ import annotations

import unicodedata
from fractions import Fraction

__all__ = ["SUPERSCRIPTS", "VULGAR", "complaint", "greek_name", "normalise"]

_SPACES = "\u00a0\u1680\u202f\u205f\u3000" + "".join(map(chr, range(0x2000, 0x200B)))
_READ_AS = {
    "-": "‐‑‒–—―−",
    "*": "×·⋅∙∗⨯",
    "/": "÷∕⁄",
    "=": "≈≃≅≐",
    " ": _SPACES,
}
_TABLE = str.maketrans({char: plain for plain, chars in _READ_AS.items() for char in chars})

#: `⁻¹` and its like, as the plain text of the exponent.
SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻", "0123456789+-")

#: `½` and its like.
VULGAR: dict[str, Fraction] = {
    char: Fraction(*map(int, unicodedata.normalize("NFKC", char).split("\u2044")))
    for char in "¼½¾⅐⅑⅒⅓⅔⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞↉"
}

#: Letters of other alphabets that look like a Latin one.
_LOOKALIKES = dict(
    zip(
        "аеорсухіјѕԁһкмтАВЕКМНОРСТХΑΒΕΖΗΙΚΜΝΟΡΤΥΧονуιρ",
        "aeopcyxijsdhkmtABEKMHOPCTXABEZHIKMNOPTYXovyip",
        strict=True,
    )
)

_REMEDIES = {
    "!": "factorials are refused",
    "|": "absolute values are not read; write the value itself",
    "±": "an answer is one value, not two",
    "∓": "an answer is one value, not two",
    "∞": "infinity is not a number",
    "<": "an inequality is no answer",
    ">": "an inequality is no answer",
    "≤": "an inequality is no answer",
    "≥": "an inequality is no answer",
    "≠": "an inequality is no answer",
    "'": "quotation marks and primes are not read",
    '"': "quotation marks and primes are not read",
    "_": "an underscore can only join a subscript to a name, as in v_1",
    "°": "an answer is a number without a unit",
    "€": "an answer is a number without a unit",
    "£": "an answer is a number without a unit",
}


def normalise(text: str) -> str:
    """Replace the dashes, dots, slashes and spaces of Unicode by their plain forms.

    >>> normalise("e^−1 × 2")
    'e^-1 * 2'
    """
    return text if text.isascii() else text.translate(_TABLE)


def greek_name(letter: str) -> str | None:
    """Return the name by which LaTeX knows a Greek letter, or None.

    >>> greek_name("α"), greek_name("Ω"), greek_name("a")
    ('alpha', 'Omega', None)
    """
    name = unicodedata.name(unicodedata.normalize("NFKC", letter), "")
    if not name.startswith("GREEK ") or letter in _LOOKALIKES or " LETTER " not in name:
        return None
    word = name.rsplit(" LETTER ", 1)[1].lower().replace("lamda", "lambda")
    if " " in word:
        return None
    return word.capitalize() if "CAPITAL" in name else word


def complaint(char: str) -> str:
    """Say what a character is that cannot be read, and what was probably meant.

    >>> complaint("е")
    "U+0435 CYRILLIC SMALL LETTER IE is not read; it looks like 'e', which was probably meant"
    >>> complaint("!")
    "'!' is not read: factorials are refused"
    """
    if char in _REMEDIES:
        return f"{char!r} is not read: {_REMEDIES[char]}"
    category = unicodedata.category(char)
    if category == "Cc":
        return f"control character U+{ord(char):04X} is not read; delete it"
    label = f"U+{ord(char):04X} {unicodedata.name(char, '(no name)')}"
    if category in ("Cf", "Co", "Cs", "Cn"):
        return f"invisible or unassigned character {label} is not read; delete it"
    meant = _LOOKALIKES.get(char) or unicodedata.normalize("NFKC", char)
    if meant != char and meant.isascii() and meant.isprintable():
        return f"{label} is not read; it looks like {meant!r}, which was probably meant"
    if char.isdigit():
        return f"{label} is not read; write the digit {unicodedata.digit(char)}"
    return f"{char!r} is not read" if char.isascii() else f"{char!r} ({label}) is not read"
