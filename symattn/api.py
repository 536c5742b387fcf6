"""What `import symattn` offers: derive, solve and what goes with them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from symattn.errors import InputError, SymattnError
from symattn.names import PROBLEMS, THEOREMS

if TYPE_CHECKING:
    from symattn.derivation import Derivation

__all__ = ["derive", "solve"]


def derive(target: str | Path, *, given: Mapping[str, int] | None = None) -> Derivation:
    """The derivation of a theorem, of a problem of the library, or of a problem file.

    >>> derive("ex3").results["weights"][0].exact
    1/4

    Raises: `InputError` for a name that is neither and no file, `ParseError` for a file at fault.
    """
    if not isinstance(target, str | Path) or not str(target):
        raise InputError(f"target={target!r}: a name or a file is needed; `symattn list` has names")
    if str(target) in THEOREMS:
        from symattn import theorems

        return theorems.derive(str(target), given=given)
    if given:
        raise InputError(f"given={dict(given)}: only theorems take it, and {target} is none")
    from symattn.problems import load
    from symattn.problems.derive import derive_problem

    try:
        problem = load(target)
    except InputError as error:
        if "is no problem and no file" in str(error):
            raise InputError(_unknown(str(target))) from None
        raise
    try:
        return derive_problem(problem)
    except SymattnError as error:
        raise InputError(f"{target}: {error}") from None


def solve(
    *,
    title: str = "Attention on given numbers",
    cases: Mapping[str, Mapping[str, Any]] | None = None,
    solve_given: bool = True,
    **given: Any,
) -> Derivation:
    """The derivation for one's own numbers: the keys of a problem file's [given].

    Entries are whole numbers, fractions, text such as "sqrt(2)", SymPy numbers, or arrays of
    floats, which are taken at their exact binary value. `cases` holds by their names further
    set-ups, each as what differs from the given one; `solve_given=False` works out them alone.

    >>> d = solve(Q=[[1, 0]], K=[[1, 0], [0, 1]], V=[["1/2", 0], [0, "sqrt(2)"]])
    >>> print(d.results["weights"][0][0].rounded(6))
    0.669762
    >>> both = solve(scores=[10, 0], d_k=100, cases={"unscaled": {"scale": 1}})
    >>> print(both.results["unscaled.weights"][1].rounded(3))
    0.0000454

    Raises: `InputError` naming the key, `ShapeError` where shapes do not fit.
    """
    from symattn.problems import from_mapping
    from symattn.problems.derive import derive_problem

    content = {"title": title, "given": given, "case": cases or {}, "solve_given": solve_given}
    return derive_problem(from_mapping(content, name="given", folder=Path()))


def _unknown(target: str) -> str:
    import difflib

    names = [*THEOREMS, *PROBLEMS, *(name.split("-")[0] for name in PROBLEMS)]
    near = difflib.get_close_matches(target, names, 1)
    hint = f"did you mean {near[0]!r}?" if near else "`symattn list` names them"
    return f"{target!r} is no theorem, no problem and no file; {hint}"
