"""The SVG is valid, says what it shows, and is the same on every machine."""

from __future__ import annotations

import re
import subprocess
import sys
from xml.etree import ElementTree

import pytest

from symattn.derivation.blocks import Options
from symattn.derivation.figures import Figure
from symattn.figures.paint import paint
from symattn.figures.scene import Label, Path, Scene, head
from symattn.figures.svg import STYLE, write_svg
from symattn.render.text import plain_prose
from tests.figures.samples import grid, odd, ordinary, spiral

SVG = "{http://www.w3.org/2000/svg}"
SAMPLES = [figure for figure in ordinary() + odd() if figure.name != "grid-64"]
each_figure = pytest.mark.parametrize("figure", SAMPLES, ids=lambda figure: figure.name)


def read(text: str) -> ElementTree.Element:
    return ElementTree.fromstring(text)


def one(*items: Path | Label) -> ElementTree.Element:
    return read(write_svg(Scene(100, 80, "A title", "What is seen", items), embedded=True))


@each_figure
def test_it_is_xml_with_title_and_description(figure: Figure):
    root = read(write_svg(paint(figure, Options()), prefix="f-1-"))
    assert root.tag == f"{SVG}svg"
    assert root.get("role") == "img"
    title, description = root.find(f"{SVG}title"), root.find(f"{SVG}desc")
    assert title is not None
    assert description is not None
    assert title.text == figure.title
    assert description.text is not None
    assert len(description.text) > 20
    assert root.get("aria-labelledby") == f"{title.get('id')} {description.get('id')}"


@each_figure
def test_every_id_has_the_prefix_and_is_there_where_it_is_used(figure: Figure):
    text = write_svg(paint(figure, Options()), prefix="f-1-")
    ids = [element.get("id") for element in read(text).iter() if element.get("id")]
    assert all(name is not None and name.startswith("f-1-") for name in ids)
    assert len(set(ids)) == len(ids)
    assert set(re.findall(r"url\(#(.*?)\)", text)) <= set(ids)


@each_figure
def test_lengths_have_two_decimals_at_most(figure: Figure):
    marks = re.sub(r"<text.*?</text>|<(title|desc|style).*?</\1>", "", write_svg(scene_of(figure)))
    assert re.findall(r"\d\.\d{3,}", marks) == []
    assert not re.search(r"nan|inf|e[+-]\d", re.sub(r'(class|font-family)=".*?"', "", marks))


def scene_of(figure: Figure, digits: int = 4) -> Scene:
    return paint(figure, Options(digits))


@each_figure
@pytest.mark.parametrize("digits", [3, 8])
def test_decimals_are_read_back_as_the_labels_have_them(figure: Figure, digits: int):
    scene = scene_of(figure, digits)
    made = [
        plain_prose(item.text) for item in scene.items if isinstance(item, Label) and item.decimal
    ]
    root = read(write_svg(scene))
    found = [
        "".join(element.itertext())
        for element in root.iter(f"{SVG}text")
        if "decimal" in (element.get("class") or "").split()
    ]
    assert sorted(found) == sorted(made)
    for decimal in made:
        assert decimal in scene.description or figure.name in ("grid-16", "curve"), decimal


PROGRAM = """
from hashlib import sha256
from symattn.derivation.blocks import Options
from symattn.figures.paint import paint
from symattn.figures.svg import write_svg
from tests.figures.samples import ordinary
for figure in ordinary():
    print(sha256(write_svg(paint(figure, Options())).encode()).hexdigest())
"""


def test_the_bytes_are_the_same_in_every_run():
    runs = [
        subprocess.run(
            [sys.executable, "-c", PROGRAM],
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": ":".join(filter(None, sys.path))},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("0", "4242")
    ]
    assert runs[0] == runs[1]
    assert len(runs[0].split()) == len(ordinary())


def test_a_document_has_its_ground_and_style_and_an_element_has_neither():
    scene = scene_of(SAMPLES[0])
    alone, embedded = write_svg(scene), write_svg(scene, embedded=True)
    assert STYLE in alone
    assert "sa-f-paper" in alone
    assert "<style>" not in embedded
    assert "sa-f-paper" not in embedded
    assert embedded.count("\n") > 3
    assert "prefers-color-scheme:dark" in STYLE
    assert STYLE.startswith("@media screen")  # print is always light


def test_every_class_that_is_used_has_a_rule_for_the_dark():
    used = {name for figure in SAMPLES for name in re.findall(r"sa-[a-z]-[a-z]+", drawn(figure))}
    assert {f".{name}{{" for name in used} <= set(re.findall(r"\.sa-[a-z]-[a-z]+\{", STYLE))


def drawn(figure: Figure) -> str:
    return write_svg(scene_of(figure), embedded=True)


def test_paths_of_one_look_are_one_element():
    lines = [Path(((0, y), (9, y)), "faint") for y in (1, 2, 3)]
    root = one(*lines, Path(((0, 9), (9, 9)), "ink"))
    outlines = [element.get("d") for element in root.iter(f"{SVG}path")]
    assert outlines == ["M0 1H9M0 2H9M0 3H9", "M0 9H9"]


def test_a_large_grid_is_small():
    large = grid("large", spiral(64))
    assert len(write_svg(scene_of(large))) < 60_000


def test_an_arrow_ends_in_a_sharp_tip():
    arrow = Path(((10, 10), (60, 10)), "key", width=2, arrow=True)
    line, tip = one(arrow).findall(f"{SVG}path")
    corners = [number for corner in head(arrow) or () for number in corner]
    assert corners == pytest.approx([60, 10, 50.6, 13.948, 50.6, 6.052])
    assert (tip.get("d") or "").startswith("M60 10L50.6 13.95V6.05z")
    assert float((line.get("d") or "").rpartition("H")[2]) < 56


def test_masked_cells_are_hatched():
    box = Path(((0, 0), (9, 0), (9, 9), (0, 9)), None, None, closed=True, hatched=True)
    root = one(box)
    assert root.find(f"{SVG}pattern") is not None
    assert [e.get("fill") for e in root.findall(f"{SVG}path")] == ["url(#hatch)"]


def test_texts_of_users_are_escaped():
    scene = Scene(9, 9, 'a < b & "c"\x00', "d > e", (Label((1, 8), ("<script>",)),))
    root = read(write_svg(scene))
    assert root[0].text == 'a < b & "c" '
    assert ["".join(e.itertext()) for e in root.iter(f"{SVG}text")] == ["<script>"]
