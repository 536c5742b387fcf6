"""CSV and JSON Lines, row by row: a file of answers in, a file of verdicts out.

Rows are read one at a time and a fault in one is kept in it, so that the next is read all the same.
Bytes that are no UTF-8 pass through unchanged.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from io import StringIO
from itertools import chain
from pathlib import Path
from typing import Any, Literal, TextIO, TypeAlias

from symattn.errors import InputError
from symattn.grading.rows import COLUMNS, Graded, Row, Spelled, flat_verdict, json_row, renamed

__all__ = ["ENCODING", "Format", "Layout", "Table", "format_of", "open_table"]

Format: TypeAlias = Literal["csv", "jsonl"]

#: How files are opened: a byte order mark is dropped, other bytes than UTF-8 are kept as they are.
ENCODING: Any = {"encoding": "utf-8-sig", "errors": "surrogateescape", "newline": ""}
SUFFIXES: dict[str, Format] = {
    ".csv": "csv",
    ".tsv": "csv",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".json": "jsonl",
}
#: A field may be long, because a hostile answer of a megabyte is still a row.
MAX_FIELD = 1 << 26
DELIMITERS = ",;\t"


def format_of(path: str | Path) -> Format | None:
    """The format that a file's suffix names, None where it names none."""
    return SUFFIXES.get(Path(path).suffix.lower())


@dataclass(frozen=True, slots=True)
class Layout:
    """How rows are written: the format, and for CSV the input's columns and what parts them."""

    format: Format
    columns: tuple[str, ...] = ()
    delimiter: str = ","

    def header(self) -> str:
        """The first line of the output; JSON Lines has none."""
        if self.format == "jsonl":
            return ""
        return self._line([*renamed(self.columns, COLUMNS).values(), *COLUMNS])

    def line(self, graded: Graded) -> str:
        """A graded row as text, with the end of its line."""
        if self.format == "jsonl":
            return _json_line(json_row(graded))
        own = [_cell(graded.row.columns.get(name)) for name in self.columns]
        return self._line([*own, *map(_cell, flat_verdict(graded).values())])

    def _line(self, cells: Iterable[Any]) -> str:
        line = StringIO()
        csv.writer(line, delimiter=self.delimiter, lineterminator="\n").writerow(cells)
        return line.getvalue()


def _cell(value: Any) -> Any:
    """What stands in a cell: text as it is, lists and tables of JSON as JSON."""
    return json.dumps(value, ensure_ascii=False) if isinstance(value, dict | list) else value


def _json_line(record: dict[str, Any]) -> str:
    line = json.dumps(record, ensure_ascii=False)
    if not line.isascii():
        try:
            line.encode()
        except UnicodeEncodeError:  # half a surrogate pair, which only an escape can write
            line = json.dumps(record)
    return line + "\n"


@dataclass(frozen=True, slots=True)
class Table:
    """A file of answers: how its rows are laid out, and the rows one by one."""

    layout: Layout
    rows: Iterator[Row]


def open_table(stream: TextIO, name: str, format: Format | None = None) -> Table:
    """The table in a stream; the format is that of the name's suffix, else of the first character.

    Raises: `InputError` where there are no columns that make an answer.
    """
    lines = iter(stream)
    first = next((line for line in lines if line.strip()), None)
    if first is None:
        raise InputError(f"{name} is empty: a row of answers is needed")
    if format is None:
        format = format_of(name) or ("jsonl" if first.lstrip().startswith("{") else "csv")
    if format == "jsonl":
        return Table(Layout("jsonl"), _json_rows(first, lines))
    return _csv_table(first, lines, name)


def _csv_table(first: str, lines: Iterator[str], name: str) -> Table:
    delimiter = max(DELIMITERS, key=first.count)
    csv.field_size_limit(max(csv.field_size_limit(), MAX_FIELD))
    columns = tuple(cell.strip() for cell in next(csv.reader([first], delimiter=delimiter)))
    if "answer" not in columns:
        raise InputError(
            f"{name} has no column `answer`; its columns are {', '.join(columns)[:200]}"
        )
    if len(set(columns)) < len(columns):
        twice = next(column for column in columns if columns.count(column) > 1)
        raise InputError(f"{name} has two columns named {twice!r}")
    return Table(Layout("csv", columns, delimiter), _csv_rows(columns, lines, delimiter))


def _csv_rows(columns: tuple[str, ...], lines: Iterator[str], delimiter: str) -> Iterator[Row]:
    reader = csv.reader(lines, delimiter=delimiter)
    number = 0
    while True:
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            number += 1
            yield Row(number, error=f"row {number} cannot be read: {error}")
            continue
        if not cells:
            continue
        number += 1
        record = dict(zip(columns, cells, strict=False))
        if len(cells) == len(columns):
            yield Row(number, record)
        else:
            reason = f"row {number} has {len(cells)} cells, but there are {len(columns)} columns"
            yield Row(number, record, reason)


def _json_rows(first: str, lines: Iterator[str]) -> Iterator[Row]:
    number = 0
    for line in chain([first], lines):
        if not line.strip():
            continue
        number += 1
        try:
            record = json.loads(line, parse_float=Spelled)
        except (ValueError, RecursionError) as error:
            yield Row(number, error=f"row {number} is no JSON: {error}")
            continue
        if isinstance(record, dict):
            yield Row(number, record)
        else:
            yield Row(number, error=f"row {number} is no JSON object")
