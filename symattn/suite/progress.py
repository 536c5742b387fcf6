"""A progress bar on stderr, only on a terminal and only for work longer than a second."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeAlias

__all__ = ["Tick", "progress", "silent"]

#: Called with what is done, what there is to do, and its name.
Tick: TypeAlias = Callable[[int, int, str], None]


def silent(done: int, total: int, name: str) -> None:
    """No progress."""


@contextmanager
def progress(title: str) -> Iterator[Tick]:
    """A function that moves the bar."""
    if not sys.stderr.isatty():
        yield silent
        return
    from rich.console import Console
    from rich.progress import Progress

    start = time.perf_counter()
    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(title, total=None, visible=False)

        def tick(done: int, total: int, name: str) -> None:
            late = time.perf_counter() - start > 1
            bar.update(task, completed=done, total=total, description=name, visible=late)

        yield tick
