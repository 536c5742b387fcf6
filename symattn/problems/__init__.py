"""What there is to solve: the problems of the library, and problem files of the user's own."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from symattn.errors import InputError
from symattn.names import PROBLEMS, full_name
from symattn.problems.model import Ask, Claim, Problem, SetUp
from symattn.problems.reader import from_mapping, read_problem

__all__ = ["PROBLEMS", "Ask", "Claim", "Problem", "SetUp", "from_mapping", "load", "read_problem"]

LIBRARY = Path(__file__).parent / "library"


def load(target: str | Path) -> Problem:
    """A problem of the library by its name (`ex7` will do for `ex7-matrix`), or from a file.

    >>> load("ex3").value("weights[1]").as_rational()
    1/4

    Raises: `InputError` for an unknown name, a missing file, or a fault in one.
    """
    name = full_name(str(target))
    if name is not None:
        return _library(name)
    path = Path(target)
    if path.suffix.lower() in (".toml", ".json") or path.exists():
        return read_problem(path)
    raise InputError(
        f"{str(target)!r} is no problem and no file; the problems are {', '.join(PROBLEMS)}"
    )


@lru_cache
def _library(name: str) -> Problem:
    return read_problem(LIBRARY / f"{name}.toml")
