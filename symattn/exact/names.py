"""Names: functions, constants and the symbols that a problem leaves open."""

from __future__ import annotations

from collections.abc import Collection

from symattn.errors import CostError, ParseError
from symattn.exact.tree import Constant, Symbol

__all__ = ["ARRAYS", "FUNCTIONS", "Names"]

#: What a function's name is read as; `root` takes two arguments, the others one.
FUNCTIONS = {
    name: meaning
    for meaning, names in {
        "exp": "exp Exp EXP",
        "log": "log ln Log Ln LOG LN",
        "sinh": "sinh Sinh SINH",
        "cosh": "cosh Cosh COSH",
        "tanh": "tanh Tanh TANH",
        "sigmoid": "sigmoid sigma expit",
        "sqrt": "sqrt Sqrt SQRT",
        "cbrt": "cbrt",
        "root": "root",
    }.items()
    for name in names.split()
}
#: Names before a list of entries, as SymPy and NumPy print them.
ARRAYS = frozenset(("Matrix", "array", "tensor"))

_CONSTANTS = {"e": Constant("e"), "E": Constant("e"), "pi": Constant("pi"), "Pi": Constant("pi")}
_KNOWN = "e, pi, sqrt, cbrt, root, exp, log, ln, sinh, cosh, tanh and sigmoid"
_PROSE = frozenset("or and not is are about approximately roughly either maybe if then to".split())
_CODE = frozenset("import lambda eval exec open os sys print def class return".split())
_OTHER_BASES = {"log2": "log(x)/log(2)", "log10": "log(x)/log(10)", "lg": "log(x)/log(10)"}


class Names:
    """What the names of one text mean.

    `symbols` holds the names that are left open; None leaves every unknown name open. `v1`, `v_1`
    and `v_{1}` are one symbol, spelled as `symbols` spells it.
    """

    def __init__(self, symbols: Collection[str] | None) -> None:
        self.open = symbols is None
        self.symbols = {name.replace("_", ""): name for name in symbols or ()}

    def symbol(self, name: str) -> Symbol | None:
        """The symbol of this name, if it was declared."""
        declared = self.symbols.get(name.replace("_", ""))
        return None if declared is None else Symbol(declared)

    def constant(self, name: str, at: int, after_number: bool) -> Constant | Symbol:
        """The constant or the open symbol of a name that is no function."""
        constant = _CONSTANTS.get(name)
        if constant is not None:
            return constant
        if self.open and name not in _PROSE | _CODE and name not in _OTHER_BASES:
            return Symbol(name.replace(",", "_"))
        raise self.unknown(name, at, after_number)

    def unknown(self, name: str, at: int, after_number: bool) -> ParseError:
        shown = name if len(name) <= 30 else name[:30] + "…"
        lowered = name.lower()
        if lowered in ("factorial", "gamma"):
            return CostError(f"{shown!r} is not read: factorials are refused", at + 1)
        if lowered in _PROSE:
            reason = f"{shown!r} is prose: an answer is one value, without words around it"
        elif lowered in _OTHER_BASES:
            reason = f"{shown!r} is not read: log is natural; write {_OTHER_BASES[lowered]}"
        elif lowered in ("inf", "infinity", "oo", "nan"):
            reason = f"{shown!r} is not a number"
        elif after_number and lowered not in _CODE:
            reason = f"unknown name {shown!r} after a number: an answer has no unit; known are "
            reason += _KNOWN
        else:
            names = ", ".join(sorted(self.symbols.values()))
            reason = f"unknown name {shown!r}; known are {_KNOWN}"
            reason += f", and here {names}" if names else ""
        return ParseError(reason, at + 1)
