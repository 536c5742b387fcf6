"""Where chunks of a batch are worked out: here, on processes of this machine, or on a cluster.

Every engine takes chunks from an iterator no faster than it works them off and gives the results
back in their order, so that memory stays flat and the bytes are the same on all of them.
"""

from __future__ import annotations

import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from multiprocessing import connection, parent_process
from typing import Any, TypeVar

from symattn.errors import InputError

__all__ = ["on_backend", "on_processes"]

Chunk = TypeVar("Chunk")
Result = TypeVar("Result")

#: Chunks that wait for each process, so that none is ever idle.
AHEAD = 2


def on_processes(
    work: Callable[[Chunk], Result], chunks: Iterable[Chunk], processes: int
) -> Iterator[Result]:
    """Map work over chunks, on this process alone or on so many others, results in order."""
    if processes == 1:
        yield from map(work, chunks)
        return
    pool = ProcessPoolExecutor(processes, initializer=_enter_worker)
    waiting: deque[Future[Result]] = deque()
    try:
        for chunk in chunks:
            waiting.append(pool.submit(work, chunk))
            if len(waiting) > AHEAD * processes:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _enter_worker() -> None:
    """Leave Ctrl-C to the parent, and end when the parent is gone, however it went."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=(parent.sentinel,), daemon=True).start()


def _end_with(sentinel: int) -> None:
    connection.wait([sentinel])
    os._exit(1)


def on_backend(
    work: Callable[[Chunk], Result],
    chunks: Iterable[Chunk],
    backend: str,
    scheduler: str | None = None,
    processes: int = -1,
) -> Iterator[Result]:
    """Map work over chunks on a backend of joblib, such as a Dask cluster, results in order.

    Raises: `InputError` where the backend is not installed or the scheduler not reached.
    """
    try:
        from joblib import Parallel, delayed, parallel_config
    except ImportError:
        raise InputError(
            f"--backend {backend} needs joblib: install symattn[dask] for a Dask cluster"
        ) from None
    client = _dask_client(scheduler) if backend == "dask" else None
    if client is None and scheduler is not None:
        raise InputError(f"--scheduler goes with --backend dask, not with {backend!r}")
    try:
        with parallel_config(backend=backend, n_jobs=processes):
            parallel = Parallel(return_as="generator", pre_dispatch="2*n_jobs", batch_size=1)
            yield from parallel(delayed(work)(chunk) for chunk in chunks)
    except ValueError as error:
        raise InputError(f"--backend {backend} cannot be used: {error}") from None
    finally:
        if client is not None:
            client.close()


def _dask_client(scheduler: str | None) -> Any:
    """A client of the cluster at an address, by which joblib finds it."""
    if scheduler is None:
        raise InputError(
            "--backend dask needs the address of a cluster: --scheduler tcp://HOST:8786"
        )
    try:
        import distributed
    except ImportError:
        raise InputError("--backend dask needs Dask: install symattn[dask]") from None
    try:
        connect: Any = distributed.Client
        return connect(scheduler, timeout=10)
    except (OSError, TimeoutError, ValueError) as error:
        raise InputError(f"--scheduler {scheduler} cannot be reached: {error}") from None
