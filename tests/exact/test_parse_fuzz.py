"""Whatever comes in, the parser answers: a tree, or an error of its own with a position."""

from __future__ import annotations

import random
import time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from symattn.errors import CostError, ParseError
from symattn.exact.parse import parse
from symattn.exact.plain import to_text
from symattn.exact.stated import stated_digits
from symattn.exact.tree import Node

VALID = [
    "exp(1/sqrt(2))/(1+exp(1/sqrt(2))+exp(-1/sqrt(2)))",
    "\\frac{e^{1/\\sqrt{2}}}{1+e^{1/\\sqrt{2}}+e^{-1/\\sqrt{2}}}",
    "$\\begin{pmatrix}\\frac{1}{1+e^{-\\sqrt2}} & 0,5\\\\ 0.5 & 50\\%\\end{pmatrix}$",
    "[[0.8044, 0.1956], [0.5, 0.5]]",
    "−2.06 × 10⁻⁹",
    "12,288.5",
    "½(1+tanh(√2/2))",
    "\\left[\\begin{matrix}1 & 2\\\\3 & 4\\end{matrix}\\right]^\\top",
    "{1,2;3} + root(2, 3)^-1",
    "α_1 ≈ 2½ e^{-M}",
]
TOKENS = [
    *(
        "0",
        "1",
        "10",
        "0.5",
        ".5",
        "5.",
        "1e-9",
        "12,288",
        "1 000",
        "e",
        "pi",
        "π",
        "M",
        "v_1",
        "α",
    ),
    *(
        "+",
        "-",
        "−",
        "*",
        "/",
        "^",
        "**",
        "(",
        ")",
        "[",
        "]",
        "{",
        "}",
        "\\{",
        "\\}",
        "⟨",
        "⟩",
        ",",
    ),
    *(";", "&", "%", "=", "≈", "²", "⁻¹", "ᵀ", "½", "√", "∛", "\\frac", "\\sqrt", "\\sqrt[3]", "$"),
    *("exp", "log", "sqrt", "root", "sinh", "sigmoid", "Matrix", "\\exp", "\\cdot", "\\left", " "),
    *(
        "\\begin{matrix}",
        "\\end{matrix}",
        "\\\\",
        "\\(",
        "\\)",
        "\\[",
        "\\]",
        "^T",
        "_1",
        "{,}",
        "x",
    ),
    *(
        "or",
        "!",
        "<",
        "|",
        "'",
        "е",
        "\u200b",
        "\x00",
        "\\",
        "\n",
        "\t",
        "\\,",
        "~",
        "^{",
        "^-",
        "e^",
    ),
]
soup = st.lists(st.sampled_from(TOKENS), max_size=40).map("".join)


def answer(text: str) -> None:
    """Read a text every way; only the parser's own errors may come out, and soon."""
    every: tuple[dict[str, Any], ...] = ({}, {"decimal_comma": True}, {"symbols": None})
    for options in every:
        start = time.process_time()
        examine(text, options)
        if time.process_time() - start > 0.2:  # once more: it may have been the collector
            start = time.process_time()
            examine(text, options)
            assert time.process_time() - start < 0.2


def examine(text: str, options: dict[str, Any]) -> None:
    outcome = read(text, **options)
    if isinstance(outcome, ParseError):
        assert outcome.reason
        assert outcome.position is not None
        assert 1 <= outcome.position <= len(text) + 1
    else:
        stated_digits(outcome)
        again = read(to_text(outcome), symbols=options.get("symbols", ()))
        assert isinstance(again, CostError) or not isinstance(again, ParseError)


def read(text: str, **options: Any) -> Node | ParseError:
    try:
        return parse(text, **options).tree
    except ParseError as error:
        return error


@given(st.text(max_size=60))
def test_any_text_is_answered(text: str) -> None:
    answer(text)


@given(soup)
@settings(max_examples=500)
def test_any_soup_of_tokens_is_answered(text: str) -> None:
    answer(text)


@given(st.binary(max_size=60))
def test_bytes_read_as_text_are_answered(data: bytes) -> None:
    answer(data.decode("latin-1"))
    answer(data.decode("utf-8", "surrogateescape"))


@given(
    text=st.sampled_from(VALID),
    at=st.floats(0, 1),
    width=st.integers(0, 6),
    put=st.one_of(st.text(max_size=3), soup.map(lambda text: text[:8])),
    times=st.sampled_from([1, 1, 2, 50]),
)
@settings(max_examples=500)
def test_a_damaged_answer_is_answered(
    text: str, at: float, width: int, put: str, times: int
) -> None:
    i = int(at * len(text))
    answer(text[:i] + put * times + text[i + width :])


@pytest.mark.parametrize("text", VALID)
def test_every_beginning_of_an_answer_is_answered(text: str) -> None:
    for i in range(len(text) + 1):
        answer(text[:i])
        answer(text[i:])


def test_ten_thousand_random_strings_are_answered() -> None:
    """Always the same strings, of every kind."""
    draw = random.Random(20_240_229)
    kinds = (
        lambda: "".join(draw.choices(TOKENS, k=draw.randrange(1, 30))),
        lambda: "".join(chr(draw.randrange(0x20, 0x7F)) for _ in range(draw.randrange(1, 40))),
        lambda: "".join(chr(draw.randrange(0x250)) for _ in range(draw.randrange(1, 40))),
        lambda: "".join(chr(draw.randrange(0x110000)) for _ in range(draw.randrange(1, 20))),
        lambda: "".join(draw.choices(draw.choice(VALID), k=12)),
        lambda: draw.choice(TOKENS) * draw.randrange(1, 300) + draw.choice(TOKENS),
    )
    for i in range(10_000):
        answer(kinds[i % len(kinds)]())
