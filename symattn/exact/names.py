"""Names: functions, constants and the symbols that a problem leaves open."""

from __future__ import annotations

import difflib
from collections.abc import Collection
from functools import lru_cache

from symattn.errors import CostError, ParseError
from symattn.exact.tree import Constant, Symbol

__all__ = ["ARRAYS", "FUNCTIONS", "Names"]

#: What a function's name is read as; `root` takes two arguments, the others one.
FUNCTIONS = {
    name: meaning
    for meaning, names in {
        "exp": ("exp", "Exp", "EXP"),
        "log": ("log", "ln", "Log", "Ln", "LOG", "LN"),
        "sinh": ("sinh", "Sinh", "SINH"),
        "cosh": ("cosh", "Cosh", "COSH"),
        "tanh": ("tanh", "Tanh", "TANH"),
        "sigmoid": ("sigmoid", "sigma", "expit"),
        "sqrt": ("sqrt", "Sqrt", "SQRT"),
        "cbrt": ("cbrt",),
        "root": ("root",),
    }.items()
    for name in names
}
#: Names before a list of entries, as SymPy and NumPy print them.
ARRAYS = frozenset(("Matrix", "array", "tensor"))

_E, _PI = Constant("e"), Constant("pi")
_CONSTANTS = {"e": _E, "E": _E, "pi": _PI, "Pi": _PI, "PI": _PI}
_KNOWN = "e, pi, sqrt, cbrt, root, exp, log, ln, sinh, cosh, tanh and sigmoid"
_PROSE = frozenset(
    (
        *("or", "and", "not", "is", "are", "about", "approximately", "approx", "roughly"),
        *("either", "maybe", "if", "then", "to", "between", "answer", "percent"),
    )
)
_CODE = frozenset(("import", "eval", "exec", "open", "os", "sys", "print", "def", "return"))
_TRUTH = frozenset(("true", "false", "none"))
_GREEK = frozenset(
    (
        *("alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa"),
        *("lambda", "mu", "nu", "xi", "omicron", "rho", "sigma", "tau", "upsilon", "phi", "chi"),
        *("psi", "omega"),
    )
)
_OTHER_BASES = {"log2": "log(x)/log(2)", "log10": "log(x)/log(10)", "lg": "log(x)/log(10)"}
_REFUSED = (
    _PROSE | _CODE | _TRUTH | _OTHER_BASES.keys() | {"factorial", "gamma", "inf", "nan", "oo"}
)


class Names:
    """What the names of a text mean.

    `symbols` holds the names that are left open; None leaves every unknown name open. `v1`, `v_1`
    and `v_{1}` are one symbol, spelled as `symbols` spells it.
    """

    def __init__(self, symbols: Collection[str] | None) -> None:
        self.open = symbols is None
        self.symbols = {name.replace("_", ""): name for name in symbols or ()}

    @staticmethod
    def of(symbols: Collection[str] | None) -> Names:
        """The names of a problem; many answers share them, so they are made once."""
        return _names(symbols if symbols is None else frozenset(symbols))

    def symbol(self, name: str) -> Symbol | None:
        """The symbol of this name, if it was declared."""
        declared = self.symbols.get(name.replace("_", ""))
        return None if declared is None else Symbol(declared)

    def constant(self, name: str, at: int, after_number: bool) -> Constant | Symbol:
        """The constant or the open symbol of a name that is no function."""
        constant = _CONSTANTS.get(name)
        if constant is not None:
            return constant
        if self.open and name.lower() not in _REFUSED:
            return Symbol(name)
        raise self.unknown(name, at, after_number)

    def check_no_call(self, name: str, at: int) -> None:
        """Refuse `sqr(2)`: a word before a bracket is meant as a function, `M(x + 1)` is a product.

        Greek letters are one letter each.
        """
        if len(name) > 1 and name.isalpha() and name.lower() not in _GREEK:
            near = difflib.get_close_matches(name, FUNCTIONS, 1)
            hint = f"did you mean {near[0]}?" if near else f"known are {_KNOWN};"
            reason = f"{name!r} is no function; {hint} a product is written {name}*(...)"
            raise ParseError(reason, at + 1)

    def unknown(self, name: str, at: int, after_number: bool) -> ParseError:
        """The error for a name that means nothing here."""
        shown = repr(name if len(name) <= 30 else name[:30] + "…")
        lowered = name.lower()
        if lowered == "factorial" or (lowered == "gamma" and not self.symbols):
            return CostError(f"{shown} is not read: factorials are refused", at + 1)
        if lowered in _PROSE:
            reason = f"{shown} is prose: an answer is one value, without words around it"
        elif lowered in _OTHER_BASES:
            reason = f"{shown} is not read: log is natural; write {_OTHER_BASES[lowered]}"
        elif lowered in ("inf", "infinity", "oo", "nan"):
            reason = f"{shown} is not a number"
        else:
            here = ", ".join(sorted(self.symbols.values()))
            reason = f"unknown name {shown}; known are {_KNOWN}"
            reason += f", and here {here}" if here else ""
            reason += "; an answer has no unit" if after_number else ""
        return ParseError(reason, at + 1)


@lru_cache(maxsize=256)
def _names(symbols: frozenset[str] | None) -> Names:
    return Names(symbols)
