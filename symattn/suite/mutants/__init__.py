"""Wrong attention functions of many kinds, to test the suite itself.

Each is wrong in one way that has happened to somebody; its docstring says which. `MUTANTS` maps
names to them, `correct` is what they depart from.
"""

from __future__ import annotations

from symattn.suite.mutants import blends, conducts, maskings, scales, softmaxes
from symattn.suite.mutants.base import MUTANTS, Mutant, correct

__all__ = ["MUTANTS", "Mutant", "blends", "conducts", "correct", "maskings", "scales", "softmaxes"]
