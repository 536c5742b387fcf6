"""symattn, the exact companion to the attention mechanism.

>>> import symattn as sa
>>> d = sa.solve(q=["1", "0"], K=[["1", "0"], ["-1", "0"]], V=[["3"], ["0"]])
>>> print(d.results["weights"][0].rounded(4))
0.8044
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from symattn import attention as attention
    from symattn import numeric as numeric
    from symattn import oracle as oracle
    from symattn import suite as suite
    from symattn.api import derive as derive
    from symattn.api import solve as solve
    from symattn.grading.api import grade as grade
    from symattn.grading.api import verify as verify

__version__ = "0.1.0"

#: Name -> the module that has it; nothing is imported before it is asked for.
_LAZY = {
    "derive": "symattn.api",
    "grade": "symattn.grading.api",
    "solve": "symattn.api",
    "verify": "symattn.grading.api",
}
_MODULES = ("attention", "numeric", "oracle", "suite")

__all__ = ["__version__", *_LAZY, *_MODULES]


def __getattr__(name: str) -> Any:
    if name in _LAZY:
        return getattr(importlib.import_module(_LAZY[name]), name)
    if name in _MODULES:
        return importlib.import_module(f"symattn.{name}")
    raise AttributeError(f"module 'symattn' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
