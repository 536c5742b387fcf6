"""`symattn verify --answers`: where a batch meets files, streams, the terminal and Ctrl-C."""

from __future__ import annotations

import io
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, TextIO

import click

from symattn.errors import InputError
from symattn.grading.batch import CHUNK, Job, grade_table, resumed
from symattn.grading.engines import on_backend, on_processes
from symattn.grading.summary import Summary
from symattn.grading.tables import ENCODING, Format, Layout, Table, format_of, open_table

__all__ = ["run_batch"]

#: Seconds of work after which a progress bar is shown.
PATIENCE = 1.0


def run_batch(words: tuple[str, ...], options: dict[str, Any]) -> int:
    """Grade a file of answers: 0 where every row got a verdict, 2 where one got none."""
    summary = Summary()
    refuse_same_file(options)
    with reading(options["answers"]) as source:
        table = open_table(source, options["answers"])
        job = Job(
            layout_of(table.layout, options),
            defaults_of(words, options["truth"]),
            options["student"],
            options["decimal_comma"],
        )
        done, table = resume(options, job, source, table, summary)
        engine = engine_of(options)
        size = 1 if options["jobs"] == 1 and not options["backend"] else CHUNK
        try:
            with writing(options["output"], done) as out, progress(source, options) as step:
                for _, verdict, mistakes, score in grade_table(
                    table, job, out, engine, size=size, done=done
                ):
                    summary.add(verdict, mistakes, score)
                    step()
        except KeyboardInterrupt:
            again = "; --resume goes on from there" if options["output"] else ""
            click.echo(f"symattn: interrupted after {summary.rows} rows{again}", err=True)
            return 130
    report(summary, options["summary"])
    if summary.without:
        click.echo(f"symattn: {summary.without} of {summary.rows} rows got no verdict", err=True)
    return 2 if summary.without else 0


def refuse_same_file(options: dict[str, Any]) -> None:
    """Keep a batch from writing over the answers that it reads."""
    for name in ("output", "summary"):
        target = options[name]
        if target is not None and Path(target).resolve() == Path(options["answers"]).resolve():
            raise InputError(f"--{name} {target} is the file of answers itself")


def defaults_of(words: tuple[str, ...], truth: str | None) -> dict[str, str]:
    """What rows that name no question are about."""
    if len(words) > 2 or (words and truth is not None):
        raise InputError(
            "with --answers at most PROBLEM and PART, or --truth, can be given, "
            f"but {len(words)} words are"
        )
    named = dict(zip(("problem", "part"), words, strict=False))
    return named if truth is None else {"truth": truth}


def layout_of(given: Layout, options: dict[str, Any]) -> Layout:
    """How to write: as the options or the output's suffix say, else as the input is written."""
    chosen = options["format"] or ("jsonl" if options["as_json"] else None)
    if chosen == "text":
        raise InputError("--format text is for one answer; a batch is csv or jsonl")
    if chosen is None and options["output"]:
        chosen = format_of(options["output"])
    format: Format = {"json": "jsonl"}.get(chosen, chosen) or given.format  # type: ignore
    if format == "csv" and given.format != "csv":
        raise InputError(
            "rows of JSON Lines have no common columns, which CSV needs: write them as JSON Lines"
        )
    delimiter = "\t" if str(options["output"]).endswith(".tsv") else given.delimiter
    return Layout(format, given.columns, delimiter)


def engine_of(options: dict[str, Any]) -> Any:
    """What maps work over chunks."""
    if options["backend"]:
        jobs = -1 if options["jobs"] == 1 else options["jobs"]
        backend, scheduler = options["backend"], options["scheduler"]
        return partial(on_backend, backend=backend, scheduler=scheduler, processes=jobs)
    if options["scheduler"]:
        raise InputError("--scheduler goes with --backend dask")
    return partial(on_processes, processes=options["jobs"])


def resume(
    options: dict[str, Any], job: Job, source: TextIO, table: Table, summary: Summary
) -> tuple[int, Table]:
    """How many rows are finished, and the table again from its start."""
    if not options["resume"]:
        return 0, table
    if not options["output"] or options["answers"] == "-":
        raise InputError("--resume needs --answers FILE and the -o FILE that was begun")
    done = resumed(options["output"], job.layout, table.rows, summary)
    source.seek(0)
    return done, open_table(source, options["answers"])


@contextmanager
def reading(name: str) -> Iterator[TextIO]:
    """The answers as text."""
    if name == "-":
        yield io.TextIOWrapper(sys.stdin.buffer, **ENCODING)
        return
    try:
        file = open(name, **ENCODING)  # noqa: SIM115
    except OSError as error:
        raise InputError(f"{name}: the file cannot be read: {error.strerror}") from None
    with file:
        yield file


@contextmanager
def writing(name: Path | None, done: int) -> Iterator[TextIO]:
    """Where verdicts go: a file, which is gone on with where rows are done, or stdout."""
    if name is None:
        out = sys.stdout
        if isinstance(out, io.TextIOWrapper):
            out.reconfigure(encoding="utf-8", errors="surrogateescape", newline="")
        yield out
        return
    try:
        file = open(  # noqa: SIM115
            name, "a" if done else "w", encoding="utf-8", errors="surrogateescape", newline=""
        )
    except OSError as error:
        raise InputError(f"{name}: the file cannot be written: {error.strerror}") from None
    with file:
        yield file


@contextmanager
def progress(source: TextIO, options: dict[str, Any]) -> Iterator[Any]:
    """A step to call for every row; on a terminal it moves a bar once the work takes a while."""
    if not sys.stderr.isatty() or options["answers"] == "-":
        yield lambda: None
        return
    from rich.console import Console
    from rich.progress import Progress

    size = Path(options["answers"]).stat().st_size
    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("answers", total=size, visible=False)
        start = time.monotonic()

        def step() -> None:
            late = time.monotonic() - start > PATIENCE
            bar.update(task, completed=source.buffer.tell(), visible=late)

        yield step


def report(summary: Summary, path: str | None) -> None:
    """The summary: a table on a terminal, lines elsewhere, and Markdown in a file."""
    if path is not None:
        try:
            Path(path).write_text(summary.to_markdown(), encoding="utf-8")
        except OSError as error:
            raise InputError(f"{path}: the file cannot be written: {error.strerror}") from None
    if not sys.stderr.isatty():
        click.echo(summary.to_text(), nl=False, err=True)
        return
    from rich.console import Console
    from rich.table import Table as Shown

    console = Console(stderr=True)
    for title, rows in (
        (f"{summary.rows} answers", summary.verdict_rows()),
        ("mistakes", summary.mistake_rows()),
    ):
        if rows:
            shown = Shown("", "answers", "", title=title, title_justify="left")
            for name, count, rest in rows:
                shown.add_row(name, str(count), rest)
            console.print(shown)
