"""The folder `proofs/`: of each theorem the page and the certificate, and a table of contents.

Pages hold no machine floats, so that no processor changes a byte of them.
"""

from __future__ import annotations

from pathlib import Path

import sympy

from symattn.derivation import Level
from symattn.derivation.certificate import dumps
from symattn.derivation.proof import Proof
from symattn.names import THEOREMS

__all__ = ["contents", "stem", "write_contents", "write_pages"]

INTRODUCTION = """\
# The theorems of attention

Each theorem has a page to read (`.md`) and a certificate (`.json`) that can be checked without the
code that made it:

    symattn prove --certificates proofs

A certificate holds the assumptions, every line with the rules it goes by, and the models under
which the lines were written out term by term and decided exactly. The check proves every line
again. What it takes on trust is the rules of `symattn/derivation/rules` and the exact arithmetic of
`symattn/exact`.

All statements are proved for any number of keys and for all real scores that meet the assumptions;
writing them out for small numbers of keys is a second check by another route, not the proof.

| theorem | what it says | certificate |
|---|---|---|
"""
CLOSING = """
These files are made by `symattn prove --write proofs`, under SymPy {version}; a test makes them again
and compares every byte.
"""


def stem(name: str) -> str:
    """The stem of a theorem's files: its name with `_` for `-`."""
    return name.replace("-", "_")


def page(proof: Proof) -> str:
    """The page of a theorem in Markdown."""
    return proof.derivation().to_markdown(level=Level.FULL)


def write_pages(proof: Proof, folder: Path) -> None:
    """Write the page and the certificate of a theorem."""
    folder.mkdir(parents=True, exist_ok=True)
    name = stem(proof.name)
    (folder / f"{name}.md").write_text(page(proof), encoding="utf-8")
    (folder / f"{name}.json").write_text(dumps(proof.certificate()), encoding="utf-8")


def contents() -> str:
    """The table of contents."""
    rows = [
        f"| [{name}]({stem(name)}.md) | {line.replace('|', chr(92) + '|')} | [{stem(name)}.json]({stem(name)}.json) |"
        for name, line in THEOREMS.items()
    ]
    return INTRODUCTION + "\n".join(rows) + "\n" + CLOSING.format(version=sympy.__version__)


def write_contents(folder: Path) -> None:
    """Write the table of contents."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "README.md").write_text(contents(), encoding="utf-8")
