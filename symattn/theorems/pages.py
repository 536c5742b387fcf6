"""The folder `proofs/`: each theorem's page, figures and certificate, and a table of contents.

Pages hold no machine floats, so that no processor changes a byte of them.
"""

from __future__ import annotations

from pathlib import Path

import sympy

from symattn.derivation import Level
from symattn.derivation.certificate import dumps
from symattn.derivation.proof import Proof
from symattn.names import THEOREMS

__all__ = ["contents", "files", "stem", "write_contents", "write_pages"]

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
[oracle.md](oracle.md) derives the error bounds of the certified oracle.

## Adding a theorem

It is one file and one line. The line names it in `THEOREMS` of `symattn/names.py`; the file is
`symattn/theorems/NAME.py` with one function, `prove`. This is all of a small theorem, that the sum
of the scores moves by n·c when c is added to each of them:

```python
from symattn.derivation.proof import Proof, line
from symattn.exact.writing import number
from symattn.theorems.parts import instance, near_miss, tree

def prove(given=None):
    proof = Proof("sum-moves", "The sum of the scores moves", "The sum grows by `n*c`.",
                  "It is the shift before the softmax.", given)
    proof.sizes("n")
    proof.assume("keys", "n >= 1", "There is at least one key.")
    proof.model(lambda n: {{"n": number(n)}})
    proof.step("The sum", "Add the moved scores.", "Sums are linear.",
               line("Sum(s[j] + c, j, 1, n) == Sum(s[j], j, 1, n) + n*c",
                    "linearity, constant summand", "sum"))
    instance(proof, "Two scores.", scaled=["1", "0"])
    near_miss(proof, "c once", "For two scores c = 1 is added once.", "It counts for each.",
              tree("1 + 0 + 1"), tree("2 + 1"))
    proof.conclude("The sum grows by `n*c`.", "sum")
    return proof
```

A line that does not follow by the rules that it names cannot be built. `line` takes the ranges of
indices as `j="1..n"`, reasons separated by commas, and a list of them for a chain. The test of
wrong variants, the replay and the pages then include the theorem by themselves; what is left to
write is its property against NumPy, in `tests/theorems/test_properties.py`.

These files are made by `symattn prove --write proofs`, under SymPy {version}; a test makes them
again and compares every byte.
"""


def stem(name: str) -> str:
    """The stem of a theorem's files: its name with `_` for `-`."""
    return name.replace("-", "_")


def files(proof: Proof) -> dict[str, str]:
    """The files of a theorem by their paths in the folder: page, certificate and figures."""
    name, derivation = stem(proof.name), proof.derivation()
    prefix = f"figures/{name}-"
    return {
        f"{name}.md": derivation.to_markdown(level=Level.FULL, figures=prefix),
        f"{name}.json": dumps(proof.certificate()),
        **derivation.drawn(prefix, level=Level.FULL),
    }


def write_pages(proof: Proof, folder: Path) -> None:
    """Write the files of a theorem."""
    for name, text in files(proof).items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")


def contents() -> str:
    """The table of contents."""
    rows = []
    for name, line in THEOREMS.items():
        page, certificate = f"{stem(name)}.md", f"{stem(name)}.json"
        cell = line.replace("|", r"\|")
        rows.append(f"| [{name}]({page}) | {cell} | [{certificate}]({certificate}) |")
    return INTRODUCTION + "\n".join(rows) + "\n" + CLOSING.format(version=sympy.__version__)


def write_contents(folder: Path) -> None:
    """Write the table of contents."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "README.md").write_text(contents(), encoding="utf-8")
