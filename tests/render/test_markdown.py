"""The Markdown document: what GitHub, Jupyter and pandoc need in order to render it."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from symattn.derivation import Derivation, Level, prose
from symattn.render.markdown import escaped
from tests.figures.samples import ordinary
from tests.render.samples import SAMPLES, derivation

each_sample = pytest.mark.parametrize("sample", SAMPLES, ids=lambda d: d.name)
DISPLAY = re.compile(r"^\$\$\n(.*?)\n\$\$$", re.MULTILINE | re.DOTALL)


def plain(markdown: str) -> str:
    """The text that a CommonMark reader shows for one paragraph."""
    (paragraph,) = (t for t in MarkdownIt().parse(markdown) if t.type == "inline")
    assert all(t.type in ("text", "text_special", "html_inline") for t in paragraph.children or ())
    return "".join(t.content for t in paragraph.children or () if t.type != "html_inline")


@given(text=st.text("ab1.)(+-#>_*`[]<>|\\~&;:!$ =", min_size=1).map(str.strip).filter(bool))
def test_no_prose_becomes_markup(text: str) -> None:
    assert plain(escaped(text)) == text


@each_sample
@pytest.mark.parametrize("level", Level)
def test_displays_stand_alone_and_in_pairs(sample: Derivation, level: Level) -> None:
    markdown = sample.to_markdown(level=level)
    assert markdown.count("$$") == 2 * len(DISPLAY.findall(markdown))
    lines = markdown.splitlines()
    fences = [i for i, line in enumerate(lines) if line == "$$"]
    assert len(fences) == markdown.count("$$")
    for opened, closed in zip(fences[::2], fences[1::2], strict=True):
        assert lines[opened - 1] == ""
        assert closed + 1 == len(lines) or lines[closed + 1] == ""
        assert "" not in lines[opened:closed]


@each_sample
def test_a_double_backslash_ends_its_line(sample: Derivation) -> None:
    markdown = sample.to_markdown(level=Level.FULL)
    assert "\\\\\n" in markdown
    assert not re.search(r"\\\\(?!\n)", markdown)


@each_sample
def test_headings_are_the_titles(sample: Derivation) -> None:
    tokens = MarkdownIt().parse(sample.to_markdown())
    headings = [tokens[i + 1].content for i, t in enumerate(tokens) if t.type == "heading_open"]
    assert headings[0] == sample.title
    numbered = [heading for heading in headings if heading[0].isdigit()]
    assert numbered[0] == f"1. {sample.steps[0].title}"
    assert sum(tokens[i].tag == "h1" for i, t in enumerate(tokens) if t.type == "heading_open") == 1


@each_sample
def test_emphasis_is_never_made_of_mathematics(sample: Derivation) -> None:
    """A reader that knows no mathematics must not take a subscript for emphasis either."""
    for token in MarkdownIt().parse(sample.to_markdown(level=Level.FULL)):
        for child in token.children or ():
            if child.type == "em_open":
                assert child.markup == "*"


def test_a_title_of_signs_is_shown_as_it_is() -> None:
    signs = derivation("x", "problem", "a_b *c* <d> $5 & |q|", statement=prose("1. is `1/2`"))
    first, statement = signs.to_markdown().split("\n\n")
    assert plain(first.removeprefix("# ").replace("<span>", "").replace("</span>", "")) == (
        "a_b *c* <d> $5 & |q|"
    )
    assert statement == "1\\. is $1/2$\n"


def test_figures_are_files_beside_the_page_described_where_they_cannot_be_seen() -> None:
    page = derivation("x", "problem", "x", figures=tuple(ordinary()))
    drawn = page.drawn("my page-figures/")
    markdown = page.to_markdown(figures="my page-figures/")
    links = re.findall(r"!\[Figure \d+: .*?\. .+?\]\((.*?)\)", markdown)
    assert [link.replace("%20", " ") for link in links] == list(drawn)
    for count, figure in enumerate(ordinary(), start=1):
        assert f"\n\n**Figure {count}.** {figure.title}\n" in markdown
        assert drawn[f"my page-figures/{figure.name}.svg"] == figure.to_svg()


def test_where_no_files_are_written_a_caption_and_words_stand_for_a_figure() -> None:
    figure = ordinary()[0]
    markdown = derivation("x", "problem", "x", figures=(figure,)).to_markdown()
    assert "](" not in markdown
    assert f"**Figure 1.** {figure.title}. The token" in markdown
    brief = derivation("x", "problem", "x", figures=(figure,)).to_markdown(level=Level.BRIEF)
    assert "Figure" not in brief


def test_a_figure_s_decimals_follow_the_digits_of_the_page() -> None:
    page = derivation("x", "problem", "x", figures=(ordinary()[4],))
    for digits, decimal in ((2, "0.58"), (6, "0.575975")):
        assert decimal in page.to_markdown(digits=digits)
        assert decimal in next(iter(page.drawn(digits=digits).values()))
