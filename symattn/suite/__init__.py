"""The property suite: put any implementation of attention under check.

    from symattn.suite import check_attention, parametrize_with_checks

Nothing is imported before it is used: the pytest plugin must cost nobody anything.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from symattn.suite.checks import check_attention, parametrize_with_checks
    from symattn.suite.declarations import Declarations
    from symattn.suite.strategies import cases, masks, matrices

__all__ = [
    "Declarations",
    "cases",
    "check_attention",
    "masks",
    "matrices",
    "parametrize_with_checks",
]

_HOMES = {
    "Declarations": "declarations",
    "cases": "strategies",
    "check_attention": "checks",
    "masks": "strategies",
    "matrices": "strategies",
    "parametrize_with_checks": "checks",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_HOMES[name]}"), name)
