"""Figures as files, each named after its figure."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from symattn.derivation.blocks import Options
from symattn.derivation.figures import Figure
from symattn.errors import InputError
from symattn.figures.paint import paint
from symattn.figures.png import write_png
from symattn.figures.svg import write_svg

__all__ = ["write_figures"]


def write_figures(
    figures: Iterable[Figure], folder: Path, options: Options, *, png: bool = False
) -> list[Path]:
    """Write each figure to NAME.svg in a folder, and with `png` to NAME.png beside it.

    Raises: `InputError` where a file cannot be written, or where a PNG cannot be drawn.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"the folder {folder} cannot be made: {error.strerror}") from None
    written = []
    for figure in figures:
        scene = paint(figure, options)
        contents = {".svg": write_svg(scene).encode()}
        if png:
            contents[".png"] = write_png(scene)
        for suffix, content in contents.items():
            path = folder / f"{figure.name}{suffix}"
            try:
                path.write_bytes(content)
            except OSError as error:
                raise InputError(f"{path} cannot be written: {error.strerror}") from None
            written.append(path)
    return written
