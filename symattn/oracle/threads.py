"""One BLAS thread while the oracle runs, so that it measures and repeats itself the same."""

from __future__ import annotations

from contextlib import AbstractContextManager
from functools import lru_cache
from typing import Any

__all__ = ["one_thread"]


def one_thread() -> AbstractContextManager[Any]:
    """Limit BLAS to one thread inside a `with` block."""
    limited: AbstractContextManager[Any] = _controller().limit(limits=1, user_api="blas")
    return limited


@lru_cache(maxsize=1)
def _controller() -> Any:
    """The libraries of this process are looked up once: that takes milliseconds."""
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()
