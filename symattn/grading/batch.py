"""A whole batch of answers: read, graded on any engine, written in input order, resumed.

The rows of one student on one problem stand together and are graded together, whatever the number
of processes, so that it changes no byte. What is written is whole rows in order, so an output that
was cut off is a beginning of the complete one, and `resume` goes on after its last whole row.
"""

from __future__ import annotations

import csv
import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from pathlib import Path
from threading import Lock
from time import monotonic
from typing import Any, TextIO, TypeAlias

from symattn.errors import InputError
from symattn.grading.question import Questions
from symattn.grading.rows import COLUMNS, KEYS, Row, grade_rows, group_key, renamed
from symattn.grading.summary import Summary
from symattn.grading.tables import Layout, Table

__all__ = ["Job", "Line", "grade_table", "resumed"]

#: Rows that go to another process at once, and rows of one student that stay together at most;
#: no chunk is asked to be larger than a group, so that groups are parted alike on every engine.
CHUNK, MAX_GROUP = 200, 1000
#: Seconds after which finished rows are put on the disk.
FLUSH_AFTER = 0.1

#: One row of the output: its text, its verdict (None where it has none), mistakes and score.
Line: TypeAlias = tuple[str, str | None, tuple[str, ...], float | None]
#: What maps work over chunks: an engine.
Engine: TypeAlias = Callable[
    [Callable[[list[Row]], list[Line]], Iterable[list[Row]]], Iterator[Any]
]


@dataclass(frozen=True)
class Job:
    """What every chunk of a batch needs to know; `defaults` fill columns that a row lacks."""

    layout: Layout
    defaults: Mapping[str, str] = field(default_factory=dict)
    student: str = "student"
    decimal_comma: bool = False


#: Threads of a worker take turns, because the precision in force belongs to the process.
_one_at_a_time = Lock()
#: The questions that this process has prepared so far, for each way to read commas.
_prepared: dict[bool, Questions] = {}


def grade_chunk(job: Job, rows: list[Row]) -> list[Line]:
    """Grade some rows and write them, here or on another process."""
    with _one_at_a_time:
        return _grade_chunk(job, rows)


def _grade_chunk(job: Job, rows: list[Row]) -> list[Line]:
    if job.decimal_comma not in _prepared:
        _prepared[job.decimal_comma] = Questions(decimal_comma=job.decimal_comma)
    lines: list[Line] = []
    for graded in grade_rows(rows, _prepared[job.decimal_comma], job.defaults, job.student):
        verdict = graded.verdict
        text = job.layout.line(graded)
        if verdict is None:
            lines.append((text, None, (), None))
        else:
            ids = tuple(found.id for found in verdict.mistakes)
            lines.append((text, verdict.verdict, ids, verdict.score))
    return lines


def chunks(rows: Iterable[Row], job: Job, size: int) -> Iterator[list[Row]]:
    """Rows in chunks of at least `size` that part no group."""
    chunk: list[Row] = []
    last: tuple[str, str] | None = None
    group = 0
    for row in rows:
        key = group_key(row, job.student, job.defaults)
        together = key is not None and key == last and group < MAX_GROUP
        group = group + 1 if together else 1
        if len(chunk) >= size and not together:
            yield chunk
            chunk = []
        chunk.append(row)
        last = key
    if chunk:
        yield chunk


def grade_table(
    table: Table, job: Job, out: TextIO, engine: Engine, *, size: int = CHUNK, done: int = 0
) -> Iterator[Line]:
    """Grade a table into a stream, row after row; the first `done` rows stand there already."""
    if not done:
        out.write(job.layout.header())
    skipped = 0

    def left() -> Iterator[list[Row]]:
        nonlocal skipped
        passed = 0
        for chunk in chunks(table.rows, job, size):
            passed += len(chunk)
            if passed > done:
                if passed - len(chunk) < done:
                    skipped = done - (passed - len(chunk))
                yield chunk

    first, flushed = True, monotonic()
    for lines in engine(partial(grade_chunk, job), left()):
        if first:
            lines, first = lines[skipped:], False
        for line in lines:
            out.write(line[0])
            yield line
        if monotonic() > flushed + FLUSH_AFTER:
            out.flush()
            flushed = monotonic()


def resumed(path: Path, layout: Layout, rows: Iterator[Row], summary: Summary) -> int:
    """Cut an output off after its last whole row, count its rows into a summary, and how many.

    `rows` are those of the input: what was passed through has to be the same.

    Raises: `InputError` where the file is not the beginning of this batch's output.
    """
    if not path.exists():
        return 0
    with path.open("r+b") as file:
        size, header_size = _whole_rows(file, layout)
        file.truncate(size)
    if size <= header_size:
        os.truncate(path, 0)
        return 0
    done = 0
    with path.open(encoding="utf-8", errors="surrogateescape", newline="") as text:
        for done, (written, row) in enumerate(zip(_records(text, layout), rows), start=1):  # noqa: B905
            record, verdict, mistakes, score = written
            if any(record.get(name) != value for name, value in _own(row, layout).items()):
                raise InputError(
                    f"{path}: row {done} is not that of these answers; without --resume it is"
                    " written anew"
                )
            summary.add(verdict, mistakes, score)
    return done


def _whole_rows(file: Any, layout: Layout) -> tuple[int, int]:
    """The size of all whole rows, and that of the header, in bytes.

    A row ends with a line whose quotation marks are paired; JSON never breaks a line.
    """
    size = end = header = 0
    quotes = 0
    for line in file:
        size += len(line)
        if layout.format == "csv":
            quotes += line.count(b'"')
        if line.endswith(b"\n") and quotes % 2 == 0:
            header = header or (size if layout.format == "csv" else 0)
            end = size
    expected = layout.header().encode("utf-8", "surrogateescape")
    if layout.format == "csv" and end:
        file.seek(0)
        if file.read(header) != expected:
            raise InputError(f"{file.name} has other columns than the output of these answers")
    return end, header


def _records(text: TextIO, layout: Layout) -> Iterator[tuple[dict[str, Any], Any, Any, Any]]:
    """The finished rows of an output: own columns, verdict, mistakes and score."""
    if layout.format == "jsonl":
        for line in text:
            record = json.loads(line)
            ids = tuple(found["id"] for found in record["mistakes"])
            yield record, record["verdict"], ids, record["score"]
        return
    reader = csv.reader(text, delimiter=layout.delimiter)
    names = [*renamed(layout.columns, COLUMNS).values(), *COLUMNS]
    for cells in islice(reader, 1, None):
        record = dict(zip(names, cells, strict=True))
        ids = tuple(filter(None, record["mistakes"].split(";")))
        score = float(record["score"]) if record["score"] else None
        yield record, record["verdict"] or None, ids, score


def _own(row: Row, layout: Layout) -> dict[str, Any]:
    """The columns of a row as they pass through."""
    if layout.format == "jsonl":
        names = renamed(row.columns, KEYS)
    else:
        names = renamed(layout.columns, COLUMNS)
    return {names[name]: value for name, value in row.columns.items()}
