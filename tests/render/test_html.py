"""A page of HTML: whole in itself, light, linked, and safe from whatever a title holds."""

from __future__ import annotations

import re
import warnings
from dataclasses import replace
from functools import cache
from itertools import pairwise

import pytest

import symattn as sa
from symattn.derivation import Derivation, Level
from symattn.names import PROBLEMS, THEOREMS
from symattn.render import fonts, html
from symattn.render.html import HEAVIEST
from tests.render.reading import Page, seen
from tests.render.samples import SAMPLES, derivation, line, tree

each_name = pytest.mark.parametrize("name", [*PROBLEMS, *THEOREMS])
each_sample = pytest.mark.parametrize("sample", SAMPLES, ids=lambda d: d.name)
HOSTILE = "<script>alert('x')</script> \" & &lt; </title><b onclick=1>\u0007 ]]> --> {}"


@cache
def derived(name: str) -> Derivation:
    return sa.derive(name)


@each_name
def test_a_page_is_light_at_every_level(name: str) -> None:
    sizes = [len(derived(name).to_html(level=level).encode()) for level in Level]
    assert sizes == sorted(sizes)
    assert sizes[Level.NORMAL] < 200_000
    assert sizes[Level.FULL] <= HEAVIEST
    assert "leaves out" not in derived(name).to_html(level=Level.FULL)


@each_name
def test_a_page_is_well_built_and_loads_nothing(name: str) -> None:
    page = Page(derived(name).to_html())
    tags = [tag for tag, _ in page.elements]
    for wanted in ("html", "header", "h1", "main", "nav", "footer"):
        assert tags.count(wanted) == 1
    assert not {"script", "link", "img", "iframe", "object", "embed", "form"} & set(tags)
    names = [found["id"] for _, found in page.elements if "id" in found]
    assert len(names) == len(set(names))
    for tag, found in page.elements:
        assert not [name for name in found if name.startswith("on") or name == "src"]
        assert "href" not in found or tag == "a"
        where = found.get("href", "https://")
        assert where.startswith("https://") or where.removeprefix("#") in names
        for other in found.get("aria-labelledby", "").split():
            assert other in names


@each_name
def test_headings_go_down_one_level_at_a_time(name: str) -> None:
    page = Page(derived(name).to_html(level=Level.FULL))
    depths = [int(tag[1]) for tag, _ in page.elements if re.fullmatch("h[1-6]", tag)]
    assert depths[0] == 1
    assert depths.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(depths))


def test_styles_ask_for_nothing() -> None:
    style = re.search(r"<style>(.*?)</style>", SAMPLES[0].to_html(), re.S)
    assert style is not None
    assert re.findall(r"url\((?!data:)", style[1]) == []
    assert "@import" not in style[1]
    assert "prefers-color-scheme: dark" in style[1]
    assert "@media print" in style[1]


@each_sample
def test_a_page_is_the_same_whenever_it_is_made(sample: Derivation) -> None:
    assert sample.to_html() == sample.to_html()


def test_the_forecast_stands_before_the_steps_and_why_is_folded() -> None:
    page = SAMPLES[0].to_html()
    assert page.index('class="forecast"') < page.index("<section")
    assert page.count("<summary>Why?</summary>") >= 2
    assert "<summary>LaTeX</summary>" in page
    assert "The check in symbols" not in page
    assert "The check in symbols" in SAMPLES[0].to_html(level=Level.FULL)


def test_each_step_can_be_linked_to() -> None:
    page = Page(SAMPLES[0].to_html())
    sections = [found["id"] for tag, found in page.elements if tag == "section"]
    assert sections[:5] == ["given", "step-1", "step-2", "step-2-1", "step-3"]
    listed = [found["href"] for tag, found in page.elements if tag == "a" and "class" not in found]
    assert listed[:4] == ["#given", "#step-1", "#step-2", "#step-3"]


def test_a_mark_says_aloud_that_something_was_checked() -> None:
    page = Page(SAMPLES[0].to_html())
    marks = [found for _, found in page.elements if found.get("class") == "mark"]
    assert len(marks) >= 4
    assert all(found["aria-label"] == "Checked:" for found in marks)


@each_sample
def test_a_hostile_title_is_shown_and_does_nothing(sample: Derivation) -> None:
    steps = tuple(replace(step, title=HOSTILE, rule=HOSTILE) for step in sample.steps)
    hostile = replace(sample, title=HOSTILE, steps=steps, notes=(HOSTILE,), statement=(HOSTILE,))
    harmless = replace(
        hostile,
        title="x",
        steps=tuple(replace(step, title="x", rule="x") for step in sample.steps),
        notes=("x",),
        statement=("x",),
    )
    page, plain = (Page(d.to_html(level=Level.FULL)) for d in (hostile, harmless))
    assert [tag for tag, _ in page.elements] == [tag for tag, _ in plain.elements]
    assert page.text.count("<script>alert('x')</script> \" & &lt; </title>") == 2 * len(steps) + 3
    about = dict(page.elements)["meta"]
    assert "symattn" in about["content"]


def test_a_page_that_would_be_heavy_leaves_something_out_and_says_so() -> None:
    entries = ", ".join(str(1000 + n) for n in range(80))
    matrix = "[" + ", ".join([f"[{entries}]"] * 80) + "]"
    big = replace(
        SAMPLES[0], given=(line("[[1]]"), *(line(tree(matrix), decimals=False) for _ in range(2)))
    )
    page = big.to_html()
    assert len(page.encode()) <= HEAVIEST
    assert "leaves out" in seen(page)
    assert "the inner part of large matrices" in seen(page)
    assert "<mi>⋯</mi>" in page
    assert "1005" not in page
    assert "1079" in page
    assert "leaves out" not in seen(SAMPLES[0].to_html())


def test_a_page_that_nothing_makes_light_is_written_all_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(html, "HEAVIEST", 40_000)
    assert SAMPLES[0].title in seen(SAMPLES[0].to_html())


def test_a_page_without_latex_or_detail_says_which() -> None:
    many = tuple(line(f"{n}", "+".join(["1"] * n)) for n in range(150, 190))
    long = derivation("long", "problem", "Long sums", given=many, steps=SAMPLES[0].steps)
    text = seen(long.to_html(level=Level.FULL))
    assert "leaves out" in text
    assert "the LaTeX of the formulas" in text or "what the level full has" in text


def test_without_the_extra_a_page_names_fonts_and_a_warning_says_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(fonts, "available", lambda: False)
    with pytest.warns(UserWarning, match="symattn\\[html\\]"):
        page = SAMPLES[0].to_html()
    assert "@font-face" not in page
    assert '"STIX Two Math", "Cambria Math"' in page
    assert "SIL Open Font License" not in page


@pytest.mark.skipif(not fonts.available(), reason="pip install 'symattn[html]'")
def test_with_the_extra_nothing_is_warned_of_and_the_font_is_credited() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        page = SAMPLES[0].to_html()
    assert "Copyright 2001-2020 The STIX Fonts Project Authors" in page.replace("\n", " ")
    assert "SIL Open Font License, Version 1.1" in page.replace("\n", " ")


def test_methods_and_rules_have_their_indices_and_exponents() -> None:
    page = sa.derive("ex1").to_html(level=Level.FULL)
    assert "functional equation <i>e</i><sup>x</sup>" in page
    assert "<i>α</i><sub>j</sub>" in page
    assert "√<i>d</i><sub>k</sub>" in page
