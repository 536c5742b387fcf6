"""What a case must give: the certified answer, and how far an implementation may be from it.

The tolerance is no guess: it is the derived bound of `symattn.numeric_bounds` for the arithmetic
that the type and the declarations allow, plus the oracle's own radius.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from symattn import oracle
from symattn.numeric_bounds import output_bound
from symattn.oracle.rounding import FORMATS
from symattn.suite.cases import Array, Case, visible
from symattn.suite.declarations import Declarations, arithmetic

__all__ = ["Truth", "allowance", "expected", "explicit", "ulps"]


@dataclass(frozen=True, slots=True)
class Truth:
    """Expected output and allowed error (n, d_v); the error is infinite where anything goes."""

    output: npt.NDArray[np.float64]
    bound: npt.NDArray[np.float64]


def expected(case: Case, declarations: Declarations) -> Truth:
    """The certified output of a case, rows without a key as they are declared."""
    return _expected(_Asked(case, declarations))


def allowance(case: Case, declarations: Declarations) -> npt.NDArray[np.float64]:
    """The derived rounding bound (n, d_v) of an implementation on this case."""
    return _allowance(_Asked(case, declarations))


class _Asked:
    """A case with declarations, by which answers are remembered: equal if their numbers are."""

    __slots__ = ("case", "declarations", "key")

    def __init__(self, case: Case, declarations: Declarations) -> None:
        self.case, self.declarations = case, declarations
        arrays = (case.q, case.k, case.v, *([] if case.mask is None else [case.mask]))
        numbers = tuple((x.dtype.name, x.shape, x.tobytes()) for x in arrays)
        self.key = (numbers, case.causal, case.scale, declarations)

    def __hash__(self) -> int:
        return hash(self.key)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Asked) and self.key == other.key


# Cases are asked about again: by several properties, while they are made small, by many mutants.
@lru_cache(maxsize=10_000)
def _expected(asked: _Asked) -> Truth:
    case, declarations = asked.case, asked.declarations
    options = explicit(case, declarations)
    tier: Any = "pairs" if case.dtype == "float64" else "float64"
    enclosure = oracle.attention(case.q, case.k, case.v, **options, tier=tier)
    bound = _allowance(asked) + enclosure.radius
    truth = _with_dead_rows(case, declarations, Truth(enclosure.midpoint, bound))
    if declarations.value_at_masked == "any":
        truth.bound[_leaks(case, declarations)] = np.inf
    truth.output.flags.writeable = truth.bound.flags.writeable = False
    return truth


@lru_cache(maxsize=10_000)
def _allowance(asked: _Asked) -> npt.NDArray[np.float64]:
    case, declarations = asked.case, asked.declarations
    bound = output_bound(
        case.q,
        case.k,
        case.v,
        **explicit(case, declarations),
        input_units=0,
        arithmetic=arithmetic(case.dtype, declarations),
    )
    bound.flags.writeable = False
    return bound


def explicit(case: Case, declarations: Declarations) -> dict[str, Any]:
    """mask and scale that say the same as mask, causal and the declared alignment together."""
    if case.mask is not None and case.mask.dtype != bool:
        bias = case.mask.astype(np.float64)
        mask = np.where(visible(case, declarations), bias, -np.inf)
        return {"mask": mask, "scale": case.scale}
    plain = case.mask is None and not case.causal
    return {"mask": None if plain else visible(case, declarations), "scale": case.scale}


def ulps(error: Array, output: Array, dtype: str) -> Array:
    """Errors in units of the last place of the expected output."""
    kind = FORMATS[dtype]
    exponent = np.frexp(np.abs(output))[1]
    units: Array = error / np.maximum(np.ldexp(1.0, exponent - kind.bits), kind.smallest)
    return units


def _leaks(case: Case, declarations: Declarations) -> npt.NDArray[np.bool_]:
    """Rows (n,) that mask a key with something non-finite in it."""
    finite = np.isfinite(case.k.astype(np.float64)).all(axis=1)
    finite &= np.isfinite(case.v.astype(np.float64)).all(axis=1)
    leaks: npt.NDArray[np.bool_] = np.any(~visible(case, declarations) & ~finite, axis=1)
    return leaks


def _with_dead_rows(case: Case, declarations: Declarations, truth: Truth) -> Truth:
    dead = ~np.any(visible(case, declarations), axis=1)
    if not dead.any():
        return truth
    output, bound = truth.output.copy(), truth.bound.copy()
    kind = declarations.dead_rows
    if kind == "zeros":
        output[dead], bound[dead] = 0.0, 0.0
    elif kind == "nan" or (kind == "mean" and case.m == 0):
        output[dead], bound[dead] = np.nan, 0.0
    elif kind == "mean":
        values = case.v.astype(np.float64)
        unit = FORMATS[case.dtype].unit
        output[dead] = values.mean(axis=0)
        bound[dead] = (case.m + 4) * unit * np.abs(values).mean(axis=0) + FORMATS[
            case.dtype
        ].smallest
    else:
        bound[dead] = np.inf
    return Truth(output, bound)
