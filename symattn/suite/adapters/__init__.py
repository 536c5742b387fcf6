"""Functions of well-known libraries, recognised by their import path and adapted to NumPy."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from symattn.suite.target import Target

__all__ = ["adapted"]


def adapted(spec: str) -> Target | None:
    """The adapted target for an import path that is known, or None."""
    return None
