"""Formats by name: a derivation asks for one, and its printer is imported then."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from symattn.errors import InputError

if TYPE_CHECKING:
    from symattn.derivation.model import Derivation

__all__ = ["FORMATS", "SUFFIXES", "render"]

#: Format -> the module whose `render(derivation, **options)` prints it.
FORMATS = {
    "text": "symattn.render.text",
    "md": "symattn.render.markdown",
    "json": "symattn.render.json",
}
#: File suffix -> format.
SUFFIXES = {".txt": "text", ".md": "md", ".json": "json"}


def render(derivation: Derivation, name: str, **options: Any) -> str:
    """The derivation in the format called `name`.

    Raises: `InputError` for a format that is not known.
    """
    if name not in FORMATS:
        raise InputError(f"format={name!r} is unknown; known are {', '.join(FORMATS)}")
    document = importlib.import_module(FORMATS[name]).render(derivation, **options)
    assert isinstance(document, str)
    return document
