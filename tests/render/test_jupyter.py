"""What objects show in a notebook without any call, and that no text in them becomes markup."""

from __future__ import annotations

import re
from base64 import b64decode
from html.parser import HTMLParser

import pytest

import symattn as sa
from symattn.derivation import Derivation, prose
from symattn.grading.verdict import Entry, Expected, Found, Verdict
from symattn.render.jupyter import verdict_html, verdict_latex, verdict_markdown
from tests.figures.samples import ordinary
from tests.render.samples import SAMPLES, derivation


class Tags(HTMLParser):
    """The tags of a fragment, and whether each is closed in its order."""

    def __init__(self, fragment: str) -> None:
        super().__init__()
        self.names: list[str] = []
        self.open: list[str] = []
        self.text = ""
        self.feed(fragment)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.names.append(tag)
        if tag != "img":
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: object) -> None:
        self.names.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def test_a_result_is_its_exact_form_and_its_decimal() -> None:
    d = sa.solve(q=[1, 0], K=[[1, 0], [0, 1]], V=[["1/2"], ["sqrt(2)"]])
    (one,) = re.findall(r"aligned}\n(.*)\n", d.results["weights"][0]._repr_latex_())
    assert one == r"\frac{e^{1/\sqrt{2}}}{1 + e^{1/\sqrt{2}}} &\approx 0.6698"
    assert r"\approx (0.6698, 0.3302)" in d.results["weights"]._repr_latex_()
    assert "approx" not in d.results["scores"]._repr_latex_()
    assert "= 0.5" in sa.derive("ex3").results["weights"]._repr_latex_() or (
        "= (0.25" in sa.derive("ex3").results["weights"]._repr_latex_()
    )


def test_results_are_lists_as_before() -> None:
    d = sa.solve(Q=[[1, 0], [0, 1]], K=[[1, 0], [0, 1]], V=[[1], [2]], causal=True)
    assert isinstance(d.results["weights"], list)
    assert [len(row) for row in d.results["weights"]] == [2, 2]
    shown = d.results["weights"]._repr_latex_()
    assert shown.count(r"\begin{bmatrix}") == 2


def test_a_result_that_is_open_or_masked_has_a_form_too() -> None:
    open_one = sa.solve(scaled=["M", "0"]).results["weights"]
    assert "approx" not in open_one._repr_latex_()
    masked = SAMPLES[1].results["scaled"]
    assert r"-\infty" in masked._repr_latex_()


def test_a_derivation_shows_its_markdown_with_its_figures_in_it() -> None:
    d = sa.derive("ex1")
    text = d._repr_markdown_()
    assert text.startswith("# Example 1")
    images = re.findall(r"!\[Figure \d+: [^\]]*\]\(data:image/svg\+xml;base64,([^)]*)\)", text)
    assert [b64decode(image).decode() for image in images] == list(d.drawn().values())
    assert "data:" not in re.sub(r"\(data:image/svg\+xml;base64,[^)]*\)", "", text)


def test_a_derivation_s_latex_is_mathematics_that_any_notebook_sets() -> None:
    text = SAMPLES[0]._repr_latex_()
    assert r"$\textbf{1. Raw scores}$" in text
    outside = re.sub(r"\$\$.*?\$\$|\$[^$]*\$", "", text, flags=re.DOTALL)
    assert outside.strip() == ""
    assert text.count(r"\begin{aligned}") == text.count(r"\end{aligned}") >= 4


def test_texts_for_a_terminal_are_short() -> None:
    assert repr(sa.derive("tie")) == (
        "<Derivation 'tie': Equal scores give equal weights, 5 steps>"
    )
    assert all(len(repr(figure)) < 100 for figure in ordinary())


@pytest.mark.parametrize("figure", ordinary(), ids=lambda figure: figure.name)
def test_a_figure_is_shown_with_its_title(figure) -> None:  # type: ignore[no-untyped-def]
    tags = Tags(figure._repr_html_())
    assert tags.names == ["figure", "img", "figcaption"]
    assert tags.text == figure.title
    (data,) = re.findall(r'src="data:image/svg\+xml;base64,([^"]*)"', figure._repr_html_())
    assert b64decode(data).decode() == figure.to_svg()
    assert figure._repr_svg_().startswith("<svg")
    assert figure._repr_markdown_().startswith(f"![{figure.title}. ")


HOSTILE = "<script>alert(1)</script> & *x* $5 _y_ \\alert{} 50% #"


def hostile() -> Verdict:
    return Verdict(
        "wrong",
        None,
        HOSTILE,
        Expected("a < b & c", None),
        (Entry("wrong", None, HOSTILE),),
        (Found("no-scaling", HOSTILE),),
        1.5,
    )


def test_a_verdict_shows_its_mark_reason_mistakes_score_and_truth() -> None:
    tags = Tags(verdict_html(hostile()))
    assert set(tags.names) == {"div", "strong", "em", "code"}
    for words in ("✗ wrong", HOSTILE, "no-scaling", "score: 1.5", "a < b & c"):
        assert words in tags.text
    good = sa.verify("1/3", "0.333")
    assert "✓ rounded" in Tags(good._repr_html_()).text
    assert good._repr_markdown_().startswith("**✓ rounded**: ")
    assert good._repr_latex_().startswith(r"$\checkmark\ \textbf{rounded}")


def test_no_text_of_a_verdict_becomes_markup() -> None:
    markdown = verdict_markdown(hostile())
    assert r"\<script\>" in markdown
    assert r"\*x\*" in markdown
    latex = verdict_latex(hostile())
    assert r"\textbackslash{}alert\{\}" in latex
    assert r"50\% \#" in latex


def test_no_text_of_a_derivation_becomes_markup() -> None:
    page = derivation("x", "problem", HOSTILE, statement=prose("see"))
    assert isinstance(page, Derivation)
    assert r"\<script\>" in page._repr_markdown_()
    assert r"\textbackslash{}alert" in page._repr_latex_()
