"""Figures as files: SVG always, PNG with the extra."""

from __future__ import annotations

import sys
from pathlib import Path
from struct import unpack

import pytest
from click.testing import CliRunner

import symattn as sa
from symattn.cli import main
from symattn.derivation.blocks import Options
from symattn.errors import InputError
from symattn.figures import png
from symattn.figures.paint import paint
from tests.figures.samples import arrows


def run(*arguments: str) -> tuple[int, str, str]:
    with CliRunner().isolation() as streams:
        with pytest.raises(SystemExit) as stop:
            main(list(arguments))
        out, err = (stream.getvalue().decode() for stream in streams[:2])
    return int(stop.value.code or 0), out, err


def test_each_figure_is_a_file_and_the_text_is_as_ever(tmp_path: Path):
    folder = tmp_path / "new" / "pictures"
    status, out, err = run("derive", "ex1", "--figures", str(folder))
    figures = sa.derive("ex1").pictures()
    assert (status, err) == (0, f"{len(figures)} figures in {folder}\n")
    assert out == run("derive", "ex1")[1]
    assert {path.name for path in folder.iterdir()} == {f"{f.name}.svg" for f in figures}
    for figure in figures:
        assert (folder / f"{figure.name}.svg").read_text(encoding="utf-8") == figure.to_svg()


def test_digits_and_level_are_those_of_the_text(tmp_path: Path):
    run("derive", "ex1", "--digits", "7", "--level", "brief", "--figures", str(tmp_path))
    assert "(1.727926, 0.4200877)" in (tmp_path / "blend.svg").read_text(encoding="utf-8")


def test_what_cannot_be_written_is_told_in_one_line(tmp_path: Path):
    (tmp_path / "file").write_text("")
    status, _, err = run("derive", "ex1", "--figures", str(tmp_path / "file" / "below"))
    assert status == 2
    assert err.count("\n") == 1
    assert "below cannot be made" in err
    (tmp_path / "arrows.svg").mkdir()
    status, _, err = run("derive", "ex1", "--figures", str(tmp_path))
    assert status == 2
    assert "arrows.svg cannot be written: Is a directory" in err
    status, _, err = run("derive", "ex1", "--png")
    assert (status, err) == (2, "symattn: --png needs --figures DIRECTORY, where the pictures go\n")


def test_without_the_extra_the_error_names_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    status, _, err = run("derive", "ex1", "--figures", str(tmp_path), "--png")
    assert status == 2
    assert err == (
        "symattn: a PNG needs resvg-py, which is not installed: pip install symattn[png]\n"
    )


def test_a_system_without_fonts_is_refused():
    with pytest.raises(InputError, match="a PNG needs a font"):
        png._check_font(lambda svg_string: b"nothing is drawn")


@pytest.mark.parametrize("scale", [1, 3])
def test_a_png_has_as_many_pixels_as_asked(scale: int):
    pytest.importorskip("resvg_py", reason="pip install symattn[png]")
    scene = paint(arrows(), Options())
    image = png.write_png(scene, scale)
    assert image.startswith(b"\x89PNG\r\n\x1a\n")
    assert unpack(">II", image[16:24]) == (scale * scene.width, round(scale * scene.height))
    assert image != png.write_png(scene, scale, dark=True)
