"""`symattn prove`: the theorems, derived and checked again from their certificates."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from symattn.cli import options
from symattn.errors import InputError, SymattnError

if TYPE_CHECKING:
    from symattn.derivation.certificate import Certificate

__all__ = ["command"]

EPILOG = """\b
Examples:
  symattn prove                           all theorems
  symattn prove tie shift                 two of them
  symattn prove --certificates proofs     the certificates in a folder, without deriving
"""


@click.command(epilog=EPILOG)
@click.argument("names", nargs=-1, metavar="[NAME]...", shell_complete=options.complete_theorems)
@click.option(
    "--certificates",
    type=click.Path(exists=True, path_type=Path),
    help="Check the certificates in a folder (or one file) without deriving anything.",
)
@click.option(
    "--write",
    type=click.Path(file_okay=False, path_type=Path),
    help="Write each theorem's page, figures and certificate, and their contents, to a folder.",
)
@options.json_option
def command(
    names: tuple[str, ...], certificates: Path | None, write: Path | None, as_json: bool
) -> int:
    """Derive the theorems, and check each again from its certificate alone.

    The check (`replay`) reads the certificate as anybody may who does not trust what made it: every
    line is proved again by the rules, and decided exactly for one number of keys after the other.
    """
    if certificates is not None and write is not None:
        raise InputError("--certificates and --write exclude each other: files are read or written")
    rows = list(_rows(names, certificates, write, as_json))
    failed = sum(row["verdict"] != "holds" for row in rows)
    if as_json:
        document = {"schema": "symattn.prove/1", "theorems": rows, "failed": failed}
        click.echo(json.dumps(document, ensure_ascii=False, indent=2))
    else:
        click.echo(f"{len(rows) - failed} hold, {failed} fail")
    return 1 if failed else 0


def _rows(
    names: tuple[str, ...], certificates: Path | None, write: Path | None, quiet: bool
) -> Iterator[dict[str, Any]]:
    """The outcome for each theorem; printed as it comes."""
    for name, certificate in _certificates(names, certificates, write):
        start = time.perf_counter()
        row = {"name": name, **_checked(certificate)}
        row["seconds"] = round(time.perf_counter() - start, 2)
        if not quiet:
            mark = "✓" if row["verdict"] == "holds" else "✗"
            click.echo(f"{mark} {name:<14} {row['message']}")
        yield row


def _checked(certificate: Certificate | SymattnError) -> dict[str, Any]:
    from symattn.derivation.replay import replay

    if isinstance(certificate, SymattnError):
        return {"verdict": "fails", "message": str(certificate)}
    try:
        done = replay(certificate)
    except SymattnError as error:
        return {"verdict": "fails", "message": str(error)}
    misses = f"{done.near_misses} near miss" + ("es" if done.near_misses != 1 else "")
    counts = f"{done.lines} lines, {done.cases} cases written out, {misses}"
    return {"verdict": "holds", "message": f"{done.title}: {counts}"}


def _certificates(
    names: tuple[str, ...], folder: Path | None, write: Path | None
) -> Iterator[tuple[str, Certificate | SymattnError]]:
    """The certificate of each theorem, read or derived; an error where it could not be."""
    if folder is not None:
        yield from _read(names, folder)
        return
    from symattn import theorems
    from symattn.derivation.certificate import dumps, from_json
    from symattn.theorems.pages import write_contents, write_pages

    for name in names or theorems.names():
        try:
            proof = theorems.prove(name)
        except InputError:
            raise
        except SymattnError as error:
            yield name, error
            continue
        if write is not None:
            write_pages(proof, write)
        # Through text and back, so that what is checked is what a file would hold.
        yield name, from_json(json.loads(dumps(proof.certificate())))
    if write is not None:
        write_contents(write)


def _read(names: tuple[str, ...], folder: Path) -> Iterator[tuple[str, Certificate | SymattnError]]:
    from symattn.derivation.replay import load

    files = sorted(folder.glob("*.json")) if folder.is_dir() else [folder]
    wanted = [path for path in files if not names or path.stem.replace("_", "-") in names]
    missing = set(names) - {path.stem.replace("_", "-") for path in wanted}
    if missing or not wanted:
        lacking = ", ".join(sorted(missing)) or "any theorem"
        raise InputError(f"--certificates {folder}: there is no certificate of {lacking}")
    for path in wanted:
        yield path.stem.replace("_", "-"), load(path)
