"""The terminal text: readable in 80 columns, its relations aligned, its matrices drawn."""

from __future__ import annotations

import io
from textwrap import dedent

import pytest
from hypothesis import given
from hypothesis import strategies as st

from symattn.api import solve
from symattn.derivation import Derivation, Level
from symattn.derivation.blocks import Formula
from symattn.exact.tree import Apply, Array, Div, Mul, Symbol
from symattn.render.boxes import layout
from symattn.render.chains import fold, lay_out
from symattn.render.text import render, show
from symattn.render.unicode import to_unicode
from tests.render.samples import SAMPLES, SIX, X, derivation, tree
from tests.render.trees import matrices, scalars, vectors

each_sample = pytest.mark.parametrize("sample", SAMPLES, ids=lambda d: d.name)


def chain(first: str, *links: tuple[str, str], condition: str = "") -> Formula:
    return Formula(tree(first), tuple((sign, tree(side)) for sign, side in links), condition)


def picture(text: str) -> list[str]:
    return dedent(text).strip("\n").splitlines()


@each_sample
@pytest.mark.parametrize("level", Level)
@pytest.mark.parametrize("digits", [4, 17, 50])
def test_no_line_is_longer_than_80_columns(sample: Derivation, level: Level, digits: int) -> None:
    for line in sample.to_text(level=level, digits=digits).splitlines():
        assert len(line) <= 80
        assert line == line.rstrip()


def test_a_chain_that_fits_stands_in_one_line() -> None:
    assert lay_out(chain("z_1", ("=", "1/sqrt(2)"), ("≈", "0.7071")), 76) == ["z₁ = 1/√2 ≈ 0.7071"]


def test_a_longer_chain_is_broken_before_its_relations() -> None:
    long = chain("Z", ("=", SIX), ("<", f"1 + {SIX}"), ("≈", "45.33"))
    assert lay_out(long, 78) == picture(
        """
        Z = e^(1/√2) + e^(−1/√2) + e^(3/√2) + e^(−3/√2) + e^(5/√2) + e^(−5/√2)
          < 1 + e^(1/√2) + e^(−1/√2) + e^(3/√2) + e^(−3/√2) + e^(5/√2) + e^(−5/√2)
          ≈ 45.33
        """
    )


def test_a_decimal_stays_beside_what_it_rounds() -> None:
    long = chain("a", ("=", SIX), ("=", "1/sqrt(2)"), ("≈", "0.7071"))
    assert lay_out(long, 76)[1:] == ["  = 1/√2 ≈ 0.7071"]


def test_a_side_that_is_too_long_is_broken_before_a_sign() -> None:
    assert lay_out(chain("alpha_1", ("=", f"e^3/({SIX})")), 60) == picture(
        """
        α₁ = e³/(e^(1/√2) + e^(−1/√2) + e^(3/√2) + e^(−3/√2)
               + e^(5/√2) + e^(−5/√2))
        """
    )


def test_a_vector_is_broken_after_its_commas() -> None:
    assert lay_out(chain("z", ("=", "(1/(1 + e^2), 1/(2 + e^2), 1/(3 + e^2))")), 36) == picture(
        """
        z = (1/(1 + e²), 1/(2 + e²),
             1/(3 + e²))
        """
    )


def test_a_first_side_that_is_long_does_not_push_the_rest_to_the_right() -> None:
    assert lay_out(chain(SIX, (">", "6*e^-5")), 70) == picture(
        """
        e^(1/√2) + e^(−1/√2) + e^(3/√2) + e^(−3/√2) + e^(5/√2) + e^(−5/√2)
            > 6e⁻⁵
        """
    )


def test_a_condition_stands_behind_its_line() -> None:
    limit = chain("1/(1 + e^(-M))", ("->", "1"), condition="M -> oo")
    assert lay_out(limit, 76) == ["1/(1 + e^(−M)) → 1   (M → ∞)"]
    assert lay_out(limit, 24) == ["1/(1 + e^(−M)) → 1", "   (M → ∞)"]


def test_matrices_are_drawn_as_grids_within_a_chain() -> None:
    turned = Apply("transpose", (tree(X),))
    product = Apply("matmul", (Symbol("Q"), Apply("transpose", (Symbol("K"),))))
    scores = tree("[[1, 0, -1], [0, 1, 12]]")
    formula = Formula(product, (("=", Apply("matmul", (tree(X), turned))), ("=", scores)))
    assert lay_out(formula, 76) == picture(
        """
               ⎡ 1  0 ⎤ ⎡ 1  0 ⎤ᵀ   ⎡ 1  0  −1 ⎤
        Q Kᵀ = ⎢ 0  1 ⎥ ⎢ 0  1 ⎥  = ⎣ 0  1  12 ⎦
               ⎣ 1  1 ⎦ ⎣ 1  1 ⎦
        """
    )


def test_the_columns_of_a_matrix_are_aligned_by_their_points() -> None:
    box = layout(tree("[[0.5, 10.25], [-12.125, 3]]"))
    assert list(box.lines) == ["⎡   0.5    10.25 ⎤", "⎣ −12.125   3    ⎦"]


def test_operations_on_matrices_are_drawn_around_them() -> None:
    scaled = Div(tree(X), tree("sqrt(2)"))
    assert list(layout(Apply("softmax", (scaled,))).lines) == picture(
        """
               ⎛⎡ 1  0 ⎤     ⎞
        softmax⎜⎢ 0  1 ⎥ / √2⎟
               ⎝⎣ 1  1 ⎦     ⎠
        """
    )
    assert layout(Mul((tree("1/2"), tree("[[1, 2]]")))).lines == ("(1/2)·[ 1  2 ]",)


def test_a_matrix_that_is_too_wide_is_listed_row_by_row() -> None:
    row = Array(tuple(tree(f"0.{k}2345678901234567") for k in range(1, 5)))
    lines = lay_out(Formula(Symbol("A"), (("=", Array((row, row))),)), 60)
    assert lines == picture(
        """
        A = row 1: (0.12345678901234567, 0.22345678901234567,
                    0.32345678901234567, 0.42345678901234567)
            row 2: (0.12345678901234567, 0.22345678901234567,
                    0.32345678901234567, 0.42345678901234567)
        """
    )


@given(node=scalars | vectors, room=st.integers(10, 60))
def test_folding_loses_nothing(node: object, room: int) -> None:
    text = to_unicode(node)  # type: ignore[arg-type]
    lines = fold(text, room)
    assert "".join("".join(lines).split()) == "".join(text.split())
    assert not any(line.lstrip().startswith((",", ";", ")")) for line in lines[1:])
    assert not any(line.endswith((" +", " −", "/", "·")) for line in lines[:-1])
    # A line is too long only where it has no place to be broken.
    assert all(
        len(line) <= room or fold(line.strip(), room - 2) == [line.strip()] for line in lines
    )


@given(node=scalars | vectors | matrices, width=st.integers(20, 90))
def test_a_laid_out_side_keeps_every_sign_of_its_entries(node: object, width: int) -> None:
    formula = Formula(Symbol("z"), (("=", node),))  # type: ignore[arg-type]
    drawn = "".join("".join(lay_out(formula, width)).split())
    entries = [node]
    while any(isinstance(entry, Array) for entry in entries):
        entries = [x for e in entries for x in (e.entries if isinstance(e, Array) else [e])]
    for entry in entries:
        whole = "".join(to_unicode(entry).split())  # type: ignore[arg-type]
        assert whole in drawn or width < len(whole) + 20


def test_a_file_gets_plain_text_and_a_terminal_styles(monkeypatch: pytest.MonkeyPatch) -> None:
    from rich.console import Console

    monkeypatch.delenv("NO_COLOR", raising=False)
    for sample in SAMPLES:
        plain, styled = io.StringIO(), io.StringIO()
        show(sample, Console(file=plain))
        assert plain.getvalue() == render(sample)
        show(sample, Console(file=styled, force_terminal=True, color_system="standard"))
        assert "\x1b[32m✓" in styled.getvalue()
        assert f"\x1b[1m{sample.title}" in styled.getvalue()


def test_a_users_title_cannot_steer_the_terminal_or_become_a_heading() -> None:
    title = "One\x1b[2J\n# Two\u009b " + "and more words " * 8
    titled = derivation("x", "problem", title, notes=("a\n## b",))
    text = titled.to_text()
    assert not any((ord(char) < 32 and char != "\n") or 127 <= ord(char) < 160 for char in text)
    assert max(map(len, text.splitlines())) <= 80
    assert sum(line.startswith("#") for line in titled.to_markdown().splitlines()) == 1


def test_no_color_is_honoured(monkeypatch: pytest.MonkeyPatch) -> None:
    from rich.console import Console

    monkeypatch.setenv("NO_COLOR", "1")
    file = io.StringIO()
    show(SAMPLES[0], Console(file=file, force_terminal=True, color_system="standard"))
    assert "\x1b[32m" not in file.getvalue()


def test_a_title_of_control_characters_is_none() -> None:
    assert solve(scaled=[1, 0], title="\x01\x02").to_text().startswith("given\n")
