"""Displays of chains in LaTeX: aligned at the relation, broken where the line is too short."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from symattn.derivation.blocks import Formula
from symattn.exact.tree import Node
from symattn.render.breaking import broken, columns
from symattn.render.displays import aligned
from symattn.render.latex import to_latex
from tests.render.samples import SIX, tree
from tests.render.trees import matrices, scalars, vectors


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
    nine = f"{SIX} + e^1 + e^2 + e^(7/2)"
    rows = aligned([formula("Z", ("=", nine), ("=", "1 + 2"), ("≈", "3.000"))]).splitlines()[1:-1]
    assert [row[:4] for row in rows] == ["Z &=", "&= 1"]
    assert rows[1] == r"&= 1 + 2 \approx 3.000"


def test_a_wide_side_is_broken_before_a_sign_or_after_a_comma() -> None:
    total = aligned([formula("Z", ("=", f"{SIX} - ({SIX})"))]).splitlines()[1:-1]
    assert len(total) == 2
    assert total[1].startswith(r"&\qquad - (")
    vector = aligned([formula("z", ("=", f"(1/({SIX}), 2/({SIX}))"))]).splitlines()[1:-1]
    assert vector[0].startswith(r"z &= \biggl( \frac")
    assert vector[0].endswith(r", \\")
    assert vector[1].startswith(r"&\qquad \frac")
    assert vector[1].endswith(r"\biggr)")


def test_what_is_wide_within_brackets_is_broken_there_between_brackets_of_one_size() -> None:
    rows = aligned([formula("Z", ("=", f"2*({SIX} + {SIX} + {SIX})"))]).splitlines()[1:-1]
    assert len(rows) == 2
    assert rows[0].startswith(r"Z &= 2 \cdot \bigl( e^{")
    assert rows[-1].endswith(r"\bigr)")
    assert "(" not in "".join(rows[1:]).replace(r"\bigr)", "")


def test_a_wide_first_side_stands_above_what_follows() -> None:
    rows = aligned([formula(SIX, ("=", SIX), ("≈", "9.000"))]).splitlines()[1:-1]
    assert [row.split(" ")[0] for row in rows] == ["&e^{1/\\sqrt{2}}", "&\\quad"]
    assert rows[1].startswith(r"&\quad = e^{1/\sqrt{2}}")
    assert rows[1].endswith(r"\approx 9.000")


@given(side=scalars | vectors | matrices, room=st.integers(5, 60))
def test_breaking_loses_nothing_and_adds_no_sign(side: Node, room: int) -> None:
    def signs(latex: str) -> str:
        return re.sub(r"\\(bigg?[lr]|Big[lr]|left|right)(?![a-z])|\s", "", latex)

    rows = broken(side, room)
    assert signs("".join(rows)) == signs(to_latex(side))
    assert len(rows) == 1 or columns(side) > room


def test_a_condition_stands_behind_its_row() -> None:
    (row,) = aligned([formula("e^(-M)", ("->", "0"), condition="as M -> oo")]).splitlines()[1:-1]
    assert row == r"e^{-M} &\to 0 \qquad (\text{as } M \to \infty)"
