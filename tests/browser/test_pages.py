"""The pages of all problems and theorems, laid out by Chromium on a phone and on a desk."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import symattn as sa
from symattn.derivation import Level
from symattn.names import PROBLEMS, THEOREMS

PHONE, DESK = {"width": 390, "height": 844}, {"width": 1280, "height": 900}
FAULTS = (Path(__file__).parent / "faults.js").read_text(encoding="utf-8")
OPEN = "document.querySelectorAll('details').forEach(part => { part.open = true })"
FONTS = "document.fonts.ready.then(() => [...document.fonts].map(font => font.status))"
#: For axe: all its rules of WCAG 2.2, A and AA, and its best practices.
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
VIOLATIONS = """rules => axe.run(document, {runOnly: rules}).then(found => found.violations.map(
  one => one.id + ": " + one.help + ": " + one.nodes.slice(0, 3).map(n => n.html).join(" ")))"""


@pytest.fixture
def visit(browser: Any, tmp_path: Path) -> Any:
    """Opens a page of HTML; what it asks for and what it complains about are kept in lists."""
    context = browser.new_context(viewport=PHONE)

    def opened(html: str) -> Any:
        file = tmp_path / "page.html"
        file.write_text(html, encoding="utf-8")
        page = context.new_page()
        page.asked, page.complaints = [], []
        page.on("request", lambda request: page.asked.append(request.url))
        page.on("console", lambda message: page.complaints.append(message.text))
        page.on("pageerror", lambda error: page.complaints.append(str(error)))
        page.goto(file.as_uri())
        page.asked.remove(file.as_uri())
        return page

    yield opened
    context.close()


def faults(page: Any) -> list[str]:
    found: list[str] = page.evaluate(FAULTS)
    return found


def violations(page: Any, rules: list[str]) -> list[str]:
    found: list[str] = page.evaluate(VIOLATIONS, rules)
    return found


def pages() -> list[Any]:
    return [pytest.param(name, id=name) for name in (*PROBLEMS, *THEOREMS)]


@pytest.mark.parametrize("name", pages())
def test_a_page_is_whole_on_every_screen(visit: Any, axe: str, name: str) -> None:
    page = visit(sa.derive(name).to_html())
    assert page.evaluate(FONTS) == ["loaded"]
    page.evaluate(axe)
    for size, scheme, rules in ((PHONE, "light", RULES), (DESK, "dark", ["color-contrast"])):
        page.set_viewport_size(size)
        page.emulate_media(color_scheme=scheme)
        assert faults(page) == []
        page.evaluate(OPEN)
        assert faults(page) == []
        assert violations(page, rules) == []
    loaded = [url for url in page.asked if not url.startswith("data:")]
    assert (loaded, page.complaints) == ([], [])


def test_print_opens_what_is_folded_and_leaves_out_what_is_for_the_screen(visit: Any) -> None:
    page = visit(sa.derive("ex7").to_html(level=Level.FULL))
    page.set_viewport_size({"width": 700, "height": 1000})
    shown = "(kind) => [...document.querySelectorAll(kind)].map(part => part.checkVisibility())"
    assert not any(page.evaluate(shown, ".why > p"))
    page.emulate_media(media="print", color_scheme="dark")
    for kind in (".why > p", ".symbols > .chains"):
        assert all(page.evaluate(shown, kind))
    assert not any(page.evaluate(shown, "nav, .tex"))
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert faults(page) == []


def test_without_the_extra_a_page_is_whole_too(visit: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("symattn.render.fonts.available", lambda: False)
    with pytest.warns(UserWarning, match="symattn"):
        page = visit(sa.derive("ex7").to_html())
    assert page.evaluate(FONTS) == []
    assert [fault for fault in faults(page) if "bracket" not in fault] == []


BROKEN = """<!DOCTYPE html><body style="margin: 0"><p style="width: 500px">wide</p>
<p style="font-size: 9px">small</p><div style="overflow: auto; width: 50px">unreachable</div>
<svg width="90" height="30"><text x="5" y="20">one</text><text x="9" y="20">two</text>
<text x="80" y="20">outside</text></svg><math><mo stretchy="false">[</mo><mtable><mtr><mtd>1</mtd>
</mtr><mtr><mtd>2</mtd></mtr></mtable><mo>]</mo></math><img src="x.png">
<script>console.error("told")</script>"""
FOUND = [
    "500 wide",
    "ends at 500",
    "9 px high",
    "keyboard",
    "collide",
    "leaves its",
    "a bracket of",
]


def test_what_is_wrong_with_a_page_is_found(visit: Any, axe: str) -> None:
    page = visit(BROKEN)
    found = faults(page)
    for words in FOUND:
        assert [fault for fault in found if words in fault], words
    assert [url for url in page.asked if url.endswith("x.png")]
    assert "told" in page.complaints
    page.evaluate(axe)
    names = {violation.split(":")[0] for violation in violations(page, RULES)}
    assert {"image-alt", "document-title", "html-has-lang"} <= names
