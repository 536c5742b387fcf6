"""A mask as a problem file gives it: booleans, additive numbers with -oo, or a file of either."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from symattn.errors import InputError
from symattn.exact.numbers import rational
from symattn.problems.arrays import as_lists, exact, is_array_file, load_array

__all__ = ["read_mask"]


def read_mask(value: Any, key: str, n: int, m: int, folder: Path) -> dict[str, Any]:
    """A boolean mask as it is; of an additive one, -oo is False and the rest a bias."""
    if is_array_file(value):
        value, _ = load_array(value, key, folder, mask=True)
    value = as_lists(value)
    if value and isinstance(value, list) and not isinstance(value[0], list):
        value = [value]
    if (
        not isinstance(value, list)
        or len(value) != n
        or any(not isinstance(row, list) or len(row) != m for row in value)
    ):
        raise InputError(
            f"{key}: {n} row{'s' if n > 1 else ''} of {m} entries, true where attention is allowed "
            'or additive with "-oo" where it is not, must be written out'
        )
    kept = tuple(tuple(x is not False and not _is_minus_infinity(x) for x in row) for row in value)
    if all(isinstance(x, bool) for row in value for x in row):
        return {"mask": kept}
    zero = rational(0)
    bias = tuple(
        tuple(
            zero if isinstance(x, bool) or not keep else exact(x, f"{key}[{i}][{j}]")
            for j, (x, keep) in enumerate(zip(row, keeps, strict=True), start=1)
        )
        for i, (row, keeps) in enumerate(zip(value, kept, strict=True), start=1)
    )
    return {"mask": kept, "bias": bias}


def _is_minus_infinity(value: Any) -> bool:
    text = str(value).replace(" ", "").replace("−", "-").lower()
    return text in ("-oo", "-inf", "-infinity", "-∞")
