"""Every problem and every theorem, in every format: all titles, decimals, checks and figures."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

import symattn as sa
from symattn.derivation import FORMATS, Derivation, Level
from symattn.derivation.model import walk
from symattn.exact.rounding import round_significant
from symattn.names import PROBLEMS, THEOREMS
from tests.render.test_contract import shown, values_of

derived = cache(sa.derive)


def texts(found: Any) -> Iterator[str]:
    """Every text in what JSON holds."""
    if isinstance(found, dict | list):
        for part in found.values() if isinstance(found, dict) else found:
            yield from texts(part)
    elif isinstance(found, str):
        yield found


def read(name: str, derivation: Derivation) -> str:
    """What a reader sees of the document in a format."""
    document = derivation.render(name, digits=4, level=Level.NORMAL)
    if name in ("json", "ipynb"):
        document = " ".join(texts(json.loads(document)))
    return shown(document)


def words(text: str) -> str:
    """The longest run of plain words in a text: what no format writes in its own way."""
    return max(re.findall(r"[A-Za-z]{2,}(?: [A-Za-z]{2,})*", text), key=len, default="")


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("target", [*PROBLEMS, *THEOREMS])
def test_a_document_of_the_library_is_whole(target: str, name: str) -> None:
    derivation = derived(target)
    document = read(name, derivation)
    at = 0
    for title in (derivation.title, *(s.title for s in walk(derivation.steps, Level.NORMAL))):
        at = document.index(words(title), at)
    for step in walk(derivation.steps, Level.NORMAL):
        for claim in (step.check.method, *(x for x in step.check.claim if isinstance(x, str))):
            assert words(claim) in document
    for figure in derivation.pictures():
        assert words(figure.title) in document
    for value in values_of(derivation, Level.NORMAL):
        decimal = re.escape(round_significant(value, 4, "half-up").text.lstrip("-"))
        assert re.search(rf"(?<![0-9.]){decimal}(?![0-9])", document), decimal
