"""What an implementation declares where real libraries disagree, and the arithmetic it computes in.

The defaults: causal masks aligned to the lower right, zeros for rows without a key, masked values
untouched, attended NaN propagated, 16-bit inputs accumulated in float32.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np

from symattn.errors import InputError
from symattn.numeric_bounds import Arithmetic
from symattn.oracle.rounding import FORMATS

__all__ = ["CHOICES", "DTYPES", "Declarations", "arithmetic", "dtype_named"]

#: Declaration -> what it may say, its default first.
CHOICES: dict[str, tuple[str, ...]] = {
    "causal": ("lower-right", "upper-left"),
    "dead_rows": ("zeros", "nan", "mean", "any"),
    "value_at_masked": ("untouched", "any"),
    "nan": ("propagate", "any"),
    "accumulate": ("float32", "input"),
}
DTYPES = tuple(FORMATS)


@dataclass(frozen=True, slots=True)
class Declarations:
    """One answer to each question that attention's formula leaves open.

    >>> Declarations().dead_rows
    'zeros'
    >>> Declarations(causal="left")
    Traceback (most recent call last):
    ...
    symattn.errors.InputError: causal='left' must be one of lower-right, upper-left
    """

    causal: str = "lower-right"
    dead_rows: str = "zeros"
    value_at_masked: str = "untouched"
    nan: str = "propagate"
    accumulate: str = "float32"

    def __post_init__(self) -> None:
        for name, choices in CHOICES.items():
            value = getattr(self, name)
            if value not in choices:
                raise InputError(f"{name}={value!r} must be one of {', '.join(choices)}")

    def overridden(self, **given: str | None) -> Declarations:
        """The same declarations with those replaced that are given."""
        known = {field.name for field in fields(self)}
        unknown = sorted(set(given) - known)
        if unknown:
            raise InputError(f"{unknown[0]!r} is no declaration; there are {', '.join(CHOICES)}")
        return replace(self, **{name: value for name, value in given.items() if value is not None})

    def as_dict(self) -> dict[str, str]:
        """Name -> value, for reports."""
        return {name: getattr(self, name) for name in CHOICES}


def arithmetic(dtype: str, declarations: Declarations) -> Arithmetic:
    """The arithmetic that an implementation on this type may use.

    16-bit types accumulate in float32 and keep their weights in the input's type, or do everything
    in the input's type where that is declared.
    """
    kind = FORMATS[dtype]
    narrow = kind.bits < 24
    wide = FORMATS["float32"] if narrow and declarations.accumulate == "float32" else kind
    normal = 2.0 ** (wide.lowest + wide.bits - 1)  # what is smaller may be flushed to zero
    return Arithmetic(
        unit=wide.unit,
        tiny=normal,
        stored=kind.unit if narrow else 0.0,
        stored_tiny=kind.smallest if narrow else 0.0,
        output=kind.unit,
        output_tiny=kind.smallest,
        rescales=True,
    )


def dtype_named(name: str) -> np.dtype[Any]:
    """The NumPy type called `name`; bfloat16 comes from ml_dtypes.

    >>> dtype_named("float16").itemsize
    2
    """
    if name not in FORMATS:
        raise InputError(f"dtype={name!r} must be one of {', '.join(FORMATS)}")
    if name != "bfloat16":
        return np.dtype(name)
    try:
        import ml_dtypes
    except ImportError:
        raise InputError("bfloat16 needs ml_dtypes: pip install 'symattn[bfloat16]'") from None
    found: np.dtype[Any] = np.dtype(ml_dtypes.bfloat16)
    return found
