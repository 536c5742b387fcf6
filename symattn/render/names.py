"""Names as print shows them: `alpha_1_2` is α₁,₂ and \\alpha_{1,2}, `d_k` is dₖ and d_{k}.

A name is a letter or a word and its indices, joined by underscores. Digits that end a single letter
are its index (`v1` is v₁). A word beside numbers says whose the entry is: `alpha_scaled_2` is
α₂(scaled). What has no subscript in Unicode stays as it is (`W_Q`, `x_max`).
"""

from __future__ import annotations

import re

__all__ = [
    "GREEK",
    "RELATIONS",
    "SUBSCRIPTS",
    "latex_entry",
    "latex_name",
    "name_parts",
    "unicode_entry",
    "unicode_name",
]

#: Relation -> its sign in Unicode and its LaTeX.
RELATIONS = {
    "=": ("=", "="),
    "≈": ("≈", r"\approx"),
    "<": ("<", "<"),
    ">": (">", ">"),
    "<=": ("≤", r"\le"),
    ">=": ("≥", r"\ge"),
    "!=": ("≠", r"\ne"),
    "->": ("→", r"\to"),
}
#: Name -> Greek letter.
GREEK: dict[str, str] = dict(
    zip(
        re.findall(
            "[a-zA-Z]+",
            "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi pi rho sigma"
            " tau upsilon phi chi psi omega Gamma Delta Theta Lambda Xi Pi Sigma Phi Psi Omega",
        ),
        "αβγδεζηθικλμνξπρστυφχψωΓΔΘΛΞΠΣΦΨΩ",
        strict=True,
    )
)
_INFINITE = {"oo": ("∞", r"\infty"), "-oo": ("−∞", r"-\infty")}
#: Character -> the same as a subscript.
SUBSCRIPTS = dict(zip("0123456789aehijklmnoprstuvx", "₀₁₂₃₄₅₆₇₈₉ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ", strict=True))
_INDEXED = re.compile(r"([A-Za-z])([0-9]+)")


def unicode_name(name: str) -> str:
    """A name in Unicode.

    >>> [unicode_name(name) for name in ("alpha_1_12", "d_k", "W_Q", "v2", "-oo", "lambda")]
    ['α₁,₁₂', 'dₖ', 'W_Q', 'v₂', '−∞', 'λ']
    """
    if name in _INFINITE:
        return _INFINITE[name][0]
    base, indices = _split(name)
    owner = _owner(indices)
    if owner:
        numbers = [index for index in indices if index not in owner]
        return f"{unicode_name('_'.join([base, *numbers]))}({' '.join(owner)})"
    shown = GREEK.get(base, base)
    short = all(index.isdigit() or len(index) == 1 for index in indices)
    if short and set("".join(indices)) <= SUBSCRIPTS.keys():
        below = ["".join(SUBSCRIPTS[char] for char in index) for index in indices]
        return shown + ",".join(below)
    return "_".join([shown, *(GREEK.get(index, index) for index in indices)])


def latex_name(name: str) -> str:
    r"""A name in LaTeX.

    >>> print(latex_name("alpha_1_2"), latex_name("W_Q"), latex_name("x_max"))
    \alpha_{1,2} W_{Q} x_{\mathrm{max}}
    """
    if name in _INFINITE:
        return _INFINITE[name][1]
    base, indices = _split(name)
    owner = _owner(indices)
    if owner:
        numbers = [index for index in indices if index not in owner]
        return f"{latex_name('_'.join([base, *numbers]))}^{{\\mathrm{{({'~'.join(owner)})}}}}"
    below = ",".join(_latex_word(index) for index in indices)
    return _latex_word(base) + (f"_{{{below}}}" if indices else "")


def unicode_entry(name: str, indices: list[str]) -> str:
    """An entry of a family, its indices as subscripts where Unicode has them.

    >>> unicode_entry("alpha", ["i", "1"]), unicode_entry("s", ["j + 1"]), unicode_entry("l", ["B"])
    ('αᵢ,₁', 's_(j + 1)', 'l_B')
    """
    separator = "," if any(index.isdigit() for index in indices) else ""
    if all(set(index) <= SUBSCRIPTS.keys() for index in indices):
        below = ["".join(SUBSCRIPTS[char] for char in index) for index in indices]
        return unicode_name(name) + separator.join(below)
    if len(indices) == 1 and indices[0].isalnum():
        return f"{unicode_name(name)}_{indices[0]}"
    return f"{unicode_name(name)}_({', '.join(indices)})"


def latex_entry(name: str, indices: list[str]) -> str:
    r"""An entry of a family; a family whose name has an index already gets a comma between.

    >>> print(latex_entry("alpha", ["i", "j + 1"]), latex_entry("m_A", ["k"]))
    \alpha_{i, j + 1} m_{A,k}
    """
    short = all(len(index) == 1 and index.isalpha() for index in indices)
    below = ("" if short else ", ").join(indices)
    base = latex_name(name)
    return f"{base[:-1]},{below}}}" if base.endswith("}") else f"{base}_{{{below}}}"


def name_parts(name: str) -> tuple[str, list[str], list[str]]:
    """The letter or word of a name, its indices, and the words that say whose entry it is.

    >>> name_parts("alpha_scaled_2"), name_parts("x_max")
    (('α', ['2'], ['scaled']), ('x', ['max'], []))
    """
    base, indices = _split(name)
    owner = _owner(indices)
    below = [GREEK.get(index, index) for index in indices if index not in owner]
    return GREEK.get(base, base), below, owner


def _split(name: str) -> tuple[str, list[str]]:
    """The letter or word of a name, and its indices."""
    base, *indices = [part for part in name.split("_") if part] or [name]
    indexed = _INDEXED.fullmatch(base)
    if indexed and not indices:
        return indexed[1], [indexed[2]]
    return base, indices


def _owner(indices: list[str]) -> list[str]:
    """The words among the indices, where numbers stand beside them."""
    words = [x for x in indices if len(x) > 1 and not x.isdigit() and x not in GREEK]
    return words if len(words) < len(indices) else []


def _latex_word(word: str) -> str:
    if word in GREEK:
        return "\\" + word
    return word if len(word) == 1 or word.isdigit() else rf"\mathrm{{{word}}}"
