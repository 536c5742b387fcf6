"""The Markdown document: what GitHub, Jupyter and pandoc need in order to render it."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from symattn.derivation import Derivation, Level, prose
from symattn.derivation.blocks import Formula
from symattn.render.displays import aligned
from symattn.render.markdown import escaped
from tests.render.samples import SAMPLES, SIX, derivation, tree

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


def formula(first: str, *links: tuple[str, str], condition: str = "") -> Formula:
    return Formula(tree(first), tuple((sign, tree(side)) for sign, side in links), condition)


def test_chains_are_aligned_at_their_first_relation() -> None:
    chains = [formula("s_1", ("=", "1*1"), ("=", "1")), formula("x", ("<=", "2"), ("≈", "2.0"))]
    assert aligned(chains).splitlines() == [
        r"\begin{aligned}",
        r"s_{1} &= 1 \cdot 1 = 1 \\",
        r"x &\le 2 \approx 2.0",
        r"\end{aligned}",
    ]


def test_a_wide_chain_has_a_row_for_each_relation_and_keeps_its_decimal() -> None:
    rows = aligned([formula("Z", ("=", SIX), ("=", "1 + 2"), ("≈", "3.000"))]).splitlines()[1:-1]
    assert [row[:4] for row in rows] == ["Z &=", "&= 1"]
    assert rows[1] == r"&= 1 + 2 \approx 3.000"


def test_a_wide_side_is_broken_before_a_sign_or_after_a_comma() -> None:
    total = aligned([formula("Z", ("=", f"{SIX} - ({SIX})"))]).splitlines()[1:-1]
    assert len(total) == 2
    assert total[1].startswith((r"&\qquad +", r"&\qquad -"))
    vector = aligned([formula("z", ("=", f"(1/({SIX}), 2/({SIX}))"))]).splitlines()[1:-1]
    assert vector[0].startswith(r"z &= \Bigl(\frac")
    assert vector[0].endswith(r", \\")
    assert vector[1].startswith(r"&\qquad \frac")
    assert vector[1].endswith(r"\Bigr)")


def test_a_condition_stands_behind_its_row() -> None:
    (row,) = aligned([formula("e^(-M)", ("->", "0"), condition="as M -> oo")]).splitlines()[1:-1]
    assert row == r"e^{-M} &\to 0 \qquad (\text{as } M \to \infty)"
