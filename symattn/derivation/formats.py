"""Formats by name: a derivation asks for one, and its printer is imported then."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from symattn.errors import InputError
from symattn.exact.rounding import check_digits

if TYPE_CHECKING:
    from symattn.derivation.model import Derivation

__all__ = ["FORMATS", "SUFFIXES", "checked", "painter", "render", "shown"]

#: Format -> the module whose `render(derivation, **options)` prints it.
FORMATS = {
    "text": "symattn.render.text",
    "md": "symattn.render.markdown",
    "html": "symattn.render.html",
    "json": "symattn.render.json",
    "tex": "symattn.render.tex",
    "ipynb": "symattn.render.ipynb",
}
#: File suffix -> format.
SUFFIXES = {
    ".txt": "text",
    ".md": "md",
    ".html": "html",
    ".json": "json",
    ".tex": "tex",
    ".ipynb": "ipynb",
}


def checked(options: dict[str, Any]) -> dict[str, Any]:
    """The options of a document, a level by its name made one.

    Raises: `InputError` for a level, ties or digits that do not exist.
    """
    from symattn.derivation.model import Level

    level, ties = options.get("level", Level.NORMAL), options.get("ties", "half-up")
    if not isinstance(level, Level):
        if not isinstance(level, str) or level.upper() not in Level.__members__:
            names = ", ".join(name.lower() for name in Level.__members__)
            raise InputError(f"level={level!r} is unknown; known are {names}")
        options = {**options, "level": Level[level.upper()]}
    if ties not in ("half-up", "half-even"):
        raise InputError(f"ties={ties!r} is unknown; known are 'half-up' and 'half-even'")
    if "digits" in options:
        check_digits(options["digits"])
    return options


def render(derivation: Derivation, name: str, **options: Any) -> str:
    """The derivation in the format called `name`.

    Raises: `InputError` for a format that is not known.
    """
    if name not in FORMATS:
        raise InputError(f"format={name!r} is unknown; known are {', '.join(FORMATS)}")
    document = importlib.import_module(FORMATS[name]).render(derivation, **options)
    assert isinstance(document, str)
    return document


def painter() -> Any:
    """The module that paints figures."""
    return importlib.import_module("symattn.figures")


def shown(value: object, form: str) -> str:
    """What an object shows in a notebook, by the name of the function that writes it."""
    return str(getattr(importlib.import_module("symattn.render.jupyter"), form)(value))
