"""Options that several commands share."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import click
from click.shell_completion import CompletionItem

from symattn.errors import InputError

__all__ = [
    "chosen_format",
    "complete_targets",
    "complete_theorems",
    "digits_option",
    "format_option",
    "json_option",
    "output_option",
    "ties_option",
    "write",
]

MAX_DIGITS = 1000

format_option = click.option(
    "-f",
    "--format",
    "format_name",
    metavar="FORMAT",
    help="text (default), md, html, tex, ipynb or json; with -o the suffix of the file chooses.",
)
digits_option = click.option(
    "--digits",
    type=click.IntRange(1, MAX_DIGITS),
    help="Significant digits of decimals: 4 in documents and 17 in JSON if not given.",
)
ties_option = click.option(
    "--ties",
    type=click.Choice(["half-up", "half-even"]),
    default="half-up",
    show_default=True,
    help="How an exact tie is rounded.",
)
output_option = click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write to a file in place of the screen. The figures of a Markdown page PAGE.md go to the "
    "folder PAGE-figures beside it.",
)
json_option = click.option("--json", "as_json", is_flag=True, help="The same as -f json.")


def chosen_format(name: str | None, output: Path | None, as_json: bool) -> str:
    """The format that the options name together.

    Raises: `InputError` for an unknown format or suffix, or for two that differ.
    """
    from symattn.derivation.formats import FORMATS, SUFFIXES

    if as_json:
        if name not in (None, "json"):
            raise InputError(f"--json and -f {name} name two formats: give one of them")
        return "json"
    if name is None and output is not None:
        if output.suffix.lower() not in SUFFIXES:
            raise InputError(
                f"-o {output}: the suffix {output.suffix!r} names no format; "
                f"use one of {', '.join(SUFFIXES)}, or give -f"
            )
        return SUFFIXES[output.suffix.lower()]
    name = name or "text"
    if name not in FORMATS:
        raise InputError(f"-f {name}: this format is unknown; known are {', '.join(FORMATS)}")
    return name


def write(document: str, output: Path | None, beside: Mapping[str, str] | None = None) -> None:
    """Write a document to a file or to stdout, with one newline at its end.

    `beside` holds further files by their paths from where the document is.

    Raises: `InputError` where a file cannot be written.
    """
    document = document.rstrip("\n") + "\n"
    if output is None:
        click.echo(document, nl=False)
        return
    files = {output: document}
    files |= {output.parent / name: text for name, text in (beside or {}).items()}
    for path, text in files.items():
        try:
            if path != output:
                path.parent.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8")
        except OSError as error:
            reason = error.strerror
            raise InputError(f"-o {path}: the file cannot be written: {reason}") from None


def complete_targets(
    _context: click.Context, _parameter: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """The names of theorems and problems, then files."""
    from symattn.names import PROBLEMS, THEOREMS

    names = {**THEOREMS, **PROBLEMS}
    items = [
        CompletionItem(name, help=line)
        for name, line in names.items()
        if name.startswith(incomplete)
    ]
    return items or [CompletionItem(incomplete, type="file")]


def complete_theorems(
    _context: click.Context, _parameter: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """The names of theorems."""
    from symattn.names import THEOREMS

    found = {name: line for name, line in THEOREMS.items() if name.startswith(incomplete)}
    return [CompletionItem(name, help=line) for name, line in found.items()]
