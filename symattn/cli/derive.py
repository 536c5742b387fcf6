"""`symattn derive`: the whole solution or proof, step by step."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from symattn.cli import options
from symattn.errors import InputError, SymattnError

if TYPE_CHECKING:
    from symattn.derivation import Derivation

__all__ = ["command"]

EPILOG = """\b
Examples:
  symattn derive ex1                      the first problem, on the screen
  symattn derive mine.toml --digits 8     your own numbers, 8 digits
  symattn derive ex7 -o ex7.md            a Markdown page, its figures in ex7-figures
  symattn derive ex7 -o ex7.html          a page with figures that needs no network
  symattn derive ex7 -o ex7.tex           LaTeX with the figures in it, for pdflatex
  symattn derive ex7 -o ex7.ipynb         a notebook in which the numbers can be changed
  symattn derive ex5 --level brief        results only
  symattn derive tie --given n=3          a theorem at three keys
  symattn derive ex1 --figures pictures   its figures as SVG files, beside the text
"""


@click.command(epilog=EPILOG)
@click.argument("target", shell_complete=options.complete_targets)
@options.format_option
@options.digits_option
@options.ties_option
@click.option(
    "--level",
    type=click.Choice(["brief", "normal", "full"]),
    help="How much is shown: normal if not given, full in JSON, which also holds each product and "
    "every check in symbols.",
)
@click.option("--given", metavar="NAME=VALUE", multiple=True, help="Fix a theorem's n, as in n=3.")
@click.option(
    "--figures",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    help="Write each figure to DIRECTORY as NAME.svg.",
)
@click.option("--png", is_flag=True, help="With --figures: as NAME.png too (needs symattn[png]).")
@options.output_option
@options.json_option
def command(
    target: str,
    format_name: str | None,
    digits: int | None,
    ties: str,
    level: str | None,
    given: tuple[str, ...],
    folder: Path | None,
    png: bool,
    output: Path | None,
    as_json: bool,
) -> int:
    """Print the solution of a problem, or the proof of a theorem, step by step.

    TARGET is a theorem or a problem by its name (`symattn list` names them), or a problem file.
    Every step is checked when it is built, every decimal is proved correctly rounded.
    """
    from symattn.derivation import Level

    name = options.chosen_format(format_name, output, as_json)
    if png and folder is None:
        raise InputError("--png needs --figures DIRECTORY, where the pictures go")
    derivation = derive(target, given)
    settings: dict[str, Any] = {
        "ties": ties,
        "digits": digits,
        "level": None if level is None else Level[level.upper()],
    }
    chosen = {key: value for key, value in settings.items() if value is not None}
    try:
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always", UserWarning)
            document, beside = _document(derivation, name, output, chosen)
    except SymattnError as error:
        raise InputError(f"{target}: {error}") from None
    for warning in told:
        click.echo(f"symattn: {warning.message}", err=True)
    if folder is not None:
        _write_figures(derivation, folder, png, {k: x for k, x in chosen.items() if k != "level"})
    options.write(document, output, beside)
    return 0


def _document(
    derivation: Derivation, name: str, output: Path | None, chosen: dict[str, Any]
) -> tuple[str, dict[str, str]]:
    """The document, and the files beside it: a Markdown page's figures."""
    if name != "md" or output is None:
        return derivation.render(name, **chosen), {}
    place = f"{output.stem}-figures/"
    return derivation.render(name, **chosen, figures=place), derivation.drawn(place, **chosen)


def _write_figures(
    derivation: Derivation, folder: Path, png: bool, settings: dict[str, Any]
) -> None:
    from symattn.derivation.blocks import Options
    from symattn.figures.files import write_figures

    figures = derivation.pictures()
    write_figures(figures, folder, Options(**settings), png=png)
    click.echo(f"{len(figures)} figures in {folder}", err=True)


def derive(target: str, given: tuple[str, ...] = ()) -> Derivation:
    """The derivation of a theorem, a problem or a problem file.

    Raises: `InputError` for what is none of them.
    """
    from symattn import api

    numbers: dict[str, int] = {}
    for text in given:
        name, sign, value = text.partition("=")
        if not sign or not value.strip().isdecimal():
            raise InputError(f"--given {text}: a name and a whole number are needed, as in n=3")
        numbers[name.strip()] = int(value)
    return api.derive(target, given=numbers or None)
