"""The glyphs of a page, cut from STIX Two Math as WOFF2 with its MATH table (OpenType 1.9).

The font comes with the package ziamath and is cut by fonttools, which follows the MATH table to the
variants and the pieces that brackets, roots and sums are stretched from. A cut takes some tenths of
a second, so it is kept in the user's cache, by what it holds.
"""

from __future__ import annotations

import base64
import hashlib
import importlib
import importlib.util
import io
import os
import re
import sys
from contextlib import suppress
from functools import lru_cache
from html import unescape
from pathlib import Path
from typing import Any

__all__ = ["MISSING", "available", "cut", "face", "glyphs"]

#: What a program says where the extra is not installed.
MISSING = (
    "the page names the mathematics fonts of the reader's system; to embed one: "
    "pip install 'symattn[html]'"
)
#: The embedded font's name in CSS.
FAMILY = "symattn math"
#: What the library's own pages use: embedded even where less would do, so that one cut serves all
#: of them, and the next page as well.
_SLANTED = "abcdehijklmnpqrstuvwxyzABDHKMPQSTVXYZαδσφψ∂"
_UPRIGHT = "abcdefgiklmnopqrstuxz0123456789E()[]|,.%+−⋅/=≈≠<>≤≥→∑√∞⊤\u2061\u2062\u2063"
_TOKEN = re.compile(r"<m[inos]\w*([^>]*)>([^<]*)<")
_NOTE = re.compile(r"<annotation.*?</annotation>", re.DOTALL)
_MATH = re.compile(r"<math.*?</math>", re.DOTALL)
_TALL_ROOT = re.compile(r"<(msqrt|mroot)>(?:(?!</\1>).)*<(mfrac|mtable|munder|msqrt|mroot)")
#: The glyphs that MATH and GSUB lead to: `ssty` draws letters for use in small scripts.
_FEATURES = ["ssty"]


def available() -> bool:
    """Whether the extra `symattn[html]` is there."""
    return all(importlib.util.find_spec(name) for name in ("ziamath", "fontTools", "brotli"))


def glyphs(page: str) -> str:
    """The characters that the mathematics of a page is set in, each once and in order.

    >>> glyphs("<p>no</p><math><mi>h</mi><mo>=</mo><mi>ln</mi></math>")
    '=lnℎ'
    """
    found: set[str] = set()
    for formula in _MATH.findall(page):
        for attributes, text in _TOKEN.findall(_NOTE.sub("", formula)):
            text = unescape(text)
            found.update(_slanted(text) if len(text) == 1 and not attributes else text)
    return "".join(sorted(found))


def _slanted(letter: str) -> str:
    """The character that a browser shows for a letter that stands alone."""
    if letter == "h":
        return "ℎ"
    for first, last, start in (("a", "z", 0x1D44E), ("A", "Z", 0x1D434), ("α", "ω", 0x1D6FC)):
        if first <= letter <= last:
            return chr(start + ord(letter) - ord(first))
    return chr(0x1D715) if letter == "∂" else letter


def face(page: str) -> str:
    """The rule that embeds what a page needs, in CSS; empty where the extra is not installed."""
    if not available():
        return ""
    usual = {*_UPRIGHT, *map(_slanted, _SLANTED)}
    wanted = "".join(sorted(usual.union(glyphs(page))))
    font = cut(wanted, tall_roots=bool(_TALL_ROOT.search(page)))
    data = base64.b64encode(font).decode()
    source = f'url(data:font/woff2;base64,{data})format("woff2")'
    return f'@font-face{{font-family:"{FAMILY}";src:{source}}}\n'


def cut(characters: str, *, tall_roots: bool = True) -> bytes:
    """The font as WOFF2 with these characters and what they are stretched from."""
    kept = _cache() / f"{_key(characters, tall_roots)}.woff2"
    if kept.is_file():
        return kept.read_bytes()
    font = _cut(characters, tall_roots)
    with suppress(OSError):
        kept.parent.mkdir(parents=True, exist_ok=True)
        made = kept.with_suffix(f".{os.getpid()}")
        made.write_bytes(font)
        made.replace(kept)
    return font


def _cut(characters: str, tall_roots: bool) -> bytes:
    subset: Any = importlib.import_module("fontTools.subset")
    options = subset.Options(
        layout_features=_FEATURES, hinting=False, drop_tables=["DSIG", "GPOS"], name_IDs=[0, 13, 14]
    )
    font = subset.load_font(_source(), options)
    if not tall_roots:
        _keep_roots_low(font["MATH"].table.MathVariants)
    subsetter = subset.Subsetter(options)
    subsetter.populate(text=characters)
    subsetter.subset(font)
    font.flavor = "woff2"
    made = io.BytesIO()
    font.save(made)
    return made.getvalue()


@lru_cache(maxsize=1)
def _source() -> Path:
    spec = importlib.util.find_spec("ziamath")
    assert spec is not None
    assert spec.origin is not None
    return Path(spec.origin).parent / "fonts" / "STIXTwoMath-Regular.ttf"


def _keep_roots_low(variants: Any) -> None:
    """Take the taller forms of √ away.

    Chromium leaves as much room for a root as its widest form takes, whichever form it draws.
    """
    covered = variants.VertGlyphCoverage.glyphs
    at = covered.index("uni221A")
    del covered[at], variants.VertGlyphConstruction[at]
    variants.VertGlyphCount -= 1


def _key(characters: str, tall_roots: bool) -> str:
    """What a cut is found by: all that it depends on."""
    font = _source().stat()
    parts = (f"{font.st_size} {font.st_mtime_ns}", *_FEATURES, f"{tall_roots}", characters)
    return hashlib.sha256("|".join(parts).encode()).hexdigest()[:24]


def _cache() -> Path:
    """The folder of the user's cache, as the system has it."""
    home = Path.home()
    match sys.platform:
        case "win32":
            root = Path(os.environ.get("LOCALAPPDATA", home / "AppData" / "Local"))
        case "darwin":
            root = home / "Library" / "Caches"
        case _:
            root = Path(os.environ.get("XDG_CACHE_HOME") or home / ".cache")
    return root / "symattn" / "fonts"
