"""The font of a page: all of its characters, what brackets are stretched from, and no more."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest

from symattn.derivation import Level
from symattn.render import fonts
from symattn.render.fonts import cut, face, glyphs
from tests.render.samples import SAMPLES

fonttools: Any = pytest.importorskip("fontTools.ttLib", reason="pip install 'symattn[html]'")


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(fonts, "_cache", lambda: tmp_path / "fonts")
    return tmp_path / "fonts"


def read(font: bytes) -> Any:
    return fonttools.TTFont(io.BytesIO(font))


def stretched(font: Any) -> dict[str, Any]:
    variants = font["MATH"].table.MathVariants
    names = {name: chr(code) for code, name in font.getBestCmap().items()}
    found = zip(variants.VertGlyphCoverage.glyphs, variants.VertGlyphConstruction, strict=True)
    return {names[name]: construction for name, construction in found if name in names}


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda d: d.name)
def test_all_characters_of_a_page_are_in_its_font(sample: Any) -> None:
    wanted = glyphs(sample.to_html(level=Level.FULL))
    assert len(wanted) > 20
    assert set(map(ord, wanted)) <= set(read(cut(wanted)).getBestCmap())


def test_a_single_letter_is_slanted_and_a_word_is_not() -> None:
    page = '<math><mi>x</mi><mi>α</mi><mi>max</mi><mi mathvariant="normal">E</mi></math> y'
    assert glyphs(page) == "Eamx𝑥𝛼"


def test_brackets_are_stretched_from_pieces() -> None:
    found = stretched(read(cut("([])√∑x")))
    for bracket in "([])":
        assert len(found[bracket].MathGlyphVariantRecord) > 5
        assert found[bracket].GlyphAssembly is not None
    assert len(found["∑"].MathGlyphVariantRecord) == 2


def test_roots_have_their_tall_forms_only_where_something_tall_is_under_them() -> None:
    assert "√" in stretched(read(cut("√x")))
    assert "√" not in stretched(read(cut("√x", tall_roots=False)))
    low, tall = "<msqrt><mn>2</mn></msqrt>", "<msqrt><mrow><mfrac>"
    assert not fonts._TALL_ROOT.search(low + "<mfrac>")
    assert fonts._TALL_ROOT.search(low + tall)


def test_a_cut_is_small_and_keeps_its_licence() -> None:
    font = cut("abcxyz0123456789+−=()[]√")
    assert len(font) < 12_000
    names = {entry.nameID: str(entry) for entry in read(font)["name"].names}
    assert "STIX Fonts Project Authors" in names[0]
    assert "SIL Open Font License" in names[13]


def test_a_cut_is_made_once(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = cut("abc")
    assert len(list(cache.iterdir())) == 1
    monkeypatch.setattr(fonts, "_cut", lambda *_: pytest.fail("cut again"))
    assert cut("abc") == first


def test_a_cache_that_cannot_be_written_is_done_without(cache: Path) -> None:
    cache.parent.mkdir(exist_ok=True)
    cache.write_text("a file where a folder should be")
    assert cut("abc").startswith(b"wOF2")


def test_pages_of_usual_signs_share_one_cut(cache: Path) -> None:
    for page in ("<math><mi>x</mi></math>", "<math><mi>s</mi><mn>1</mn></math>"):
        assert face(page).startswith("@font-face")
    assert len(list(cache.iterdir())) == 1
