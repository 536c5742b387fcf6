"""The LaTeX document: pdflatex sets all of it, nothing sticks out of the line, no glyph is missing.

The tests that set a document need pdflatex and TikZ; CI installs them.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from symattn.api import derive, solve
from symattn.derivation import Derivation, Level, prose
from symattn.names import PROBLEMS, THEOREMS
from symattn.render.escapes import formula_text, pdf_text, tex_text
from tests.figures.samples import odd, ordinary
from tests.render.samples import SAMPLES, derivation

PACKAGES = "texlive-latex-recommended texlive-pictures lmodern"
#: What a log says of a document at fault: errors, what sticks out, what has no glyph or meaning.
_FAULT = re.compile(r"^!|Overfull|Missing character|undefined|multiply defined", re.MULTILINE)
#: A display that is wider than the line is scaled to it: `Scaled: 512.3pt` for a line of 430pt.
_SCALED = re.compile(r"^Scaled: ([\d.]+)pt", re.MULTILINE)


def has_tex() -> bool:
    find = shutil.which("kpsewhich")
    if not find or not shutil.which("pdflatex"):
        return False
    files = ["tikz.sty", "lmodern.sty", "microtype.sty", "amsmath.sty", "hyperref.sty"]
    found = subprocess.run([find, *files], capture_output=True, text=True).stdout.split()
    return len(found) == len(files)


needs_tex = pytest.mark.skipif(
    not has_tex(),
    reason=f"pdflatex with TikZ is missing: apt-get install -y --no-install-recommends {PACKAGES}",
)


def log_of(document: str, folder: Path, **environment: str) -> str:
    """Set a document; the log, in lines as long as they are."""
    (folder / "page.tex").write_text(document, encoding="utf-8")
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "page.tex"]
    path = {"PATH": "/usr/local/bin:/usr/bin:/bin", "max_print_line": "10000", **environment}
    done = subprocess.run(command, cwd=folder, capture_output=True, env=path)
    log = (folder / "page.log").read_text(encoding="utf-8", errors="replace")
    assert done.returncode == 0, log[-2000:]
    assert (folder / "page.pdf").stat().st_size > 10_000
    return log


def faults(log: str) -> list[str]:
    return [line for line in log.splitlines() if _FAULT.search(line)]


@needs_tex
@pytest.mark.parametrize("name", [*PROBLEMS, *THEOREMS])
def test_every_document_is_set_without_a_fault(name: str, tmp_path: Path) -> None:
    log = log_of(derive(name).to_latex(level=Level.FULL), tmp_path)
    assert faults(log) == []
    assert all(float(width) < 2 * 430 for width in _SCALED.findall(log))


@needs_tex
def test_a_fault_would_be_seen(tmp_path: Path) -> None:
    page = SAMPLES[0].to_latex()
    wide = page.replace(r"\end{document}", r"\mbox{\rule{20cm}{1pt}} \end{document}")
    assert "Overfull" in " ".join(faults(log_of(wide, tmp_path)))
    glyph = page.replace(r"\end{document}", r"{\font\x=cmr10 \x\char200} \end{document}")
    assert "Missing" in " ".join(faults(log_of(glyph, tmp_path)))


@needs_tex
@pytest.mark.parametrize("digits", [1, 200])
def test_numbers_of_any_length_stay_within_the_line(digits: int, tmp_path: Path) -> None:
    for sample in SAMPLES:
        assert faults(log_of(sample.to_latex(digits=digits, level="full"), tmp_path)) == []


@needs_tex
def test_figures_of_every_kind_are_set(tmp_path: Path) -> None:
    figures = [figure for figure in (*ordinary(), *odd()) if figure.name != "grid-64"]
    page = derivation("figures", "problem", "Figures", figures=tuple(figures))
    document = page.to_latex()
    assert document.count(r"\begin{tikzpicture}") == len(figures)
    assert faults(log_of(document, tmp_path)) == []


HOSTILE = (
    "50% of #1 & a_b^c ~ \\input{x} $5 {}} `|<>\"' -- ,, ?` α₁ − √ₖ ᵀ ½ 10⁻⁸ Σ_j é ő Ł ß "
    "中文 😀 \u202e\u200b\u00ad\u00a0 ﬁ 𝛼 d\u0302 \ue000 \U0010ffff ⟨x⟩ ∀ Ω Α ‰ ″ \\end{document}"
)


@needs_tex
def test_hostile_text_is_shown_and_not_run(tmp_path: Path) -> None:
    page = replace(SAMPLES[0], title=HOSTILE, notes=(HOSTILE, HOSTILE * 8), forecast=(HOSTILE,))
    steps = tuple(replace(step, title=HOSTILE, rule=HOSTILE) for step in page.steps)
    assert faults(log_of(replace(page, steps=steps).to_latex(level="full"), tmp_path)) == []


@needs_tex
def test_every_character_can_be_set(tmp_path: Path) -> None:
    """All of the planes that people write in, each sign between two others of its kind."""
    blocks = [range(start, start + 64) for start in (*range(0, 0x3100, 64), 0xAC00, 0xFB00, 0xFFC0)]
    blocks += [range(start, start + 64) for start in range(0x1D400, 0x1D800, 64)]
    notes = tuple(" ".join(map(chr, block)) for block in blocks)
    page = derivation("characters", "problem", "Characters", notes=notes)
    assert faults(log_of(page.to_latex(), tmp_path)) == []


@given(text=st.text(max_size=40))
@settings(max_examples=300)
def test_no_text_leaves_a_command_or_a_group_open(text: str) -> None:
    tex = tex_text(text)
    bare = re.sub(r"\\[A-Za-z]+|\\[^A-Za-z]", "", tex)
    depth = 0
    for char in bare:
        depth += (char == "{") - (char == "}")
        assert depth >= 0
    assert depth == 0
    assert bare.count("$") % 2 == 0
    assert not re.search(r"[#%&~\n]", bare.replace("~", ""))
    assert "^" not in re.sub(r"\$[^$]*\$", "", bare)
    assert "_" not in re.sub(r"\$[^$]*\$", "", bare)


@pytest.mark.parametrize(
    ("text", "tex"),
    [
        ("α₁,₂ of dₖ", "$\\alpha_{1,2}$ of $d_{k}$"),
        ("1 − 10⁻⁸", "1 $-$ 10$^{-8}$"),
        ("Kᵀ, q·k, Σ_j", "$K^{\\top}$, q$\\cdot$k, $\\Sigma_{j}$"),
        ("x_max is 5%", "x\\_max is 5\\%"),
        ("Gauß, Erdős, Łukasz", "Gauß, Erd\\H{o}s, \\L{}ukasz"),
        ("中", "\\texttt{U+4E2D}"),
        ("''--,,", "'{}'-{}-,{},"),
    ],
)
def test_text_is_written_as_print_has_it(text: str, tex: str) -> None:
    assert tex_text(text) == tex


@pytest.mark.parametrize(
    ("text", "tex"),
    [
        ("softmax: α_j = e^{x_j} / D", "softmax: $\\alpha_{j}$ = $e^{x_{j}}$ / D"),
        ("∂α_j/∂x_j, Z = P Z_0", "$\\partial \\alpha_{j}$/$\\partial x_{j}$, Z = P $Z_{0}$"),
        ("e^(−∞) = 0; a_word, b^2", "$e^{-\\infty}$ = 0; a\\_word, $b^{2}$"),
    ],
)
def test_a_rule_s_formulas_are_set_as_such(text: str, tex: str) -> None:
    assert formula_text(text) == tex


def test_the_title_of_the_file_is_that_of_the_document() -> None:
    page = derivation("x", "problem", "50% of α₁ & #2").to_latex()
    assert r"pdftitle={50\% of α₁ \& \#2}" in page
    assert pdf_text("a\\b{") == r"a\textbackslash{}b\{"


def test_the_roles_of_paragraphs_are_told_apart() -> None:
    page = SAMPLES[0].to_latex(level=Level.FULL)
    for mark in (r"\boxedtext{\textbf{Forecast.}", r"\labelled{Assumption}", r"\labelled{Note}"):
        assert mark in page
    assert page.count(r"\why{") == 3
    assert page.count(r"\holds{") == 5
    assert r"\section{\texorpdfstring{Raw scores}{Raw scores}}" in page
    assert r"\subsection{\texorpdfstring{The scale}" in page


def test_long_groups_of_chains_are_split_so_that_pages_can_end() -> None:
    long = Derivation("x", "problem", "x", prose("x"), SAMPLES[1].given * 24, (), (), {})
    assert long.to_latex().count("\n\\display{") > 2


def test_a_wide_matrix_has_all_its_columns() -> None:
    wide = solve(scaled=[[1] * 12, [0] * 12]).to_latex()
    assert r"\setcounter{MaxMatrixCols}{12}" in wide
    assert "MaxMatrixCols" not in derive("ex7").to_latex()
