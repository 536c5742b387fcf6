"""What the parser refuses: where it is wrong, what is wrong and what would be right."""

from __future__ import annotations

import pytest

from symattn.errors import CostError, ParseError
from symattn.exact.parse import parse
from symattn.exact.tree import Mul

# Text, position (from 1, in the original text), words of the message.
WITHOUT_MEANING = [
    ("sqr(2)", 1, "'sqr' is no function; did you mean sqrt?"),
    ("1 + cos(1)", 5, "'cos' is no function"),
    ("max(1, 2)", 1, "'max' is no function"),
    ("true", 1, "unknown name 'true'"),
    ("False", 1, "unknown name 'False'"),
]
MALFORMED = [
    # nothing, or not all of it
    ("", 1, "empty"),
    ("   ", 4, "empty"),
    ("$$", 1, "never closed"),
    ("1 +", 4, "the text ends"),
    ("1/(2+3", 7, "')' for the '(' of character 3"),
    ("1/2)", 4, "never opened"),
    ("(1, 2]", 6, "interval"),
    ("[0,1)", 5, "interval"),
    ("()", 2, "a number, a name or a bracket"),
    ("[1, , 2]", 5, "a number, a name or a bracket"),
    ("\\frac{}{2}", 7, "a number, a name or a bracket"),
    ("\\frac{1}", 9, "operand of \\frac"),
    ("\\sqrt", 6, "operand of \\sqrt"),
    ("\\sqrt12", 6, "\\sqrt{...}"),
    ("\\frac123", 6, "\\frac{...}"),
    ("\\sqrt[x]{2}", 7, "unknown name 'x'"),
    ("\\sqrt[1]{2}", 1, "at least 2"),
    ("\\begin{matrix}1&2", 18, "end of the matrix"),
    ("\\begin{matrix}1\\end{pmatrix}", 16, "end of the matrix"),
    ("\\begin{cases}1\\end{cases}", 1, "known are matrix"),
    ("$1/2", 1, "never closed"),
    ("1/2$", 4, "never closed"),
    ("$1/2\\)", 5, "where $ should"),
    ("\\)1", 1, "never opened"),
    ("2^", 3, "the text ends"),
    ("2^{-1}^2", 7, "two exponents"),
    ("5%%", 3, "percent"),
    ("%5", 1, "found '%'"),
    (".", 1, "digit"),
    ("\\", 1, "LaTeX command"),
    # two values, prose, units
    ("0.25 or 0.5", 6, "prose"),
    ("not 0.25", 1, "prose"),
    ("about 3", 1, "prose"),
    ("28 percent", 4, "prose"),
    ("0.25 \\text{or} 0.5", 6, "prose"),
    ("5 cm", 3, "no unit"),
    ("0.5, 0.3", 4, "brackets"),
    ("1,2,3,4", 1, "brackets"),
    ("0.25 0.5", 6, "two numbers"),
    ("1 2", 3, "two numbers"),
    ("2 1/2", 3, "two numbers"),
    ("1.2.3", 4, "two numbers"),
    ("(1+e)2", 6, "operator"),
    ("2\\frac12", 1, "mixed number"),
    ("2\\frac{1}{2}", 1, "mixed number"),
    ("[100 200]", 6, "between entries"),
    ("[0.5 -0.2]", 6, "between entries"),
    ("(1; 2)", 3, "',' separates entries"),
    ("1/3 = 0.333", 5, "chain"),
    ("a = b = 1", 5, "unknown name 'b'"),
    ("1/3 ≈ 0.333", 5, "chain"),
    ("1 < 2", 3, "inequality"),
    ("0.25 ± 0.01", 6, "one value"),
    ("0.25 \\pm 0.01", 6, "one value"),
    ("|2|", 1, "absolute"),
    ("∞", 1, "infinity"),
    ("\\infty", 1, "infinity"),
    ("nan", 1, "not a number"),
    ("-inf", 2, "not a number"),
    # commas that are neither
    ("1.000,99", 1, "neither thousands"),
    ("12,34,567", 1, "neither thousands"),
    ("0,123,456", 1, "neither thousands"),
    ("5,", 2, "brackets"),
    # names and functions
    ("foo", 1, "known are e, pi, sqrt"),
    ("sin(1)", 1, "known are e, pi, sqrt"),
    ("v_{ }", 2, "underscore"),
    ("_1", 1, "subscript"),
    ("log2(8)", 1, "log(x)/log(2)"),
    ("log10(8)", 1, "log(x)/log(10)"),
    ("exp()", 5, "a number, a name or a bracket"),
    ("exp(1, 2)", 1, "1 argument, found 2"),
    ("exp(1,234)", 1, "1 argument, found 2"),
    ("root(2)", 1, "2 arguments, found 1"),
    ("\\ln 2\\sqrt3", 6, "brackets should stand"),
    ("sinh^-1(1)", 1, "positive number"),
    # vectors where a number is due
    ("[[1,2],[3]]", 1, "differ in length"),
    ("(1,(2,3))", 1, "differ in length"),
    ("[[[[1, 2]]]]", 1, "three dimensions"),
    ("(1,2)^2", 1, "no power"),
    ("2^(1,2)", 1, "not a vector"),
    ("(1,2)*(3,4)", 1, "product of vectors"),
    ("(1,2)+1", 1, "one shape"),
    ("1/(1,2)", 1, "divided by a vector"),
    ("\\sqrt{(1,2)}", 1, "not a vector"),
    ("√(1,2)", 1, "not a vector"),
    # code
    ("__import__('os')", 1, "underscore"),
    ("lambda x: x", 9, "':'"),
    ("().__class__", 3, "a point"),
    ("eval(1)", 1, "unknown name 'eval'"),
    ("1 if 1 else 2", 3, "prose"),
    ("'1'", 1, "quotation"),
    ("{1: 2}", 3, "':'"),
    ("1;2", 2, "the end or an operator"),
    # characters
    ("0.5\u0435-1", 4, "U+0435 CYRILLIC SMALL LETTER IE"),
    ("\u03bf", 1, "U+03BF GREEK SMALL LETTER OMICRON"),
    ("\uff11", 1, "looks like '1'"),
    ("\u0663", 1, "write the digit 3"),
    ("\U0001d452", 1, "looks like 'e'"),
    ("1\u200b2", 2, "U+200B ZERO WIDTH SPACE"),
    ("\u202e1", 1, "U+202E RIGHT-TO-LEFT OVERRIDE"),
    ("\ufeff1", 1, "U+FEFF"),
    ("1\x002", 2, "control character U+0000"),
    ("\x1b[31m1", 1, "control character U+001B"),
    ("π\x7f", 2, "control character U+007F"),
    ("1 − е", 5, "looks like 'e'"),
]


@pytest.mark.parametrize(("text", "position", "words"), MALFORMED)
def test_malformed_text_is_refused_where_it_is_wrong(text: str, position: int, words: str) -> None:
    with pytest.raises(ParseError) as caught:
        parse(text)
    assert words in caught.value.reason
    assert caught.value.position == position


def test_the_message_names_the_declared_symbols() -> None:
    with pytest.raises(ParseError, match=r"known are e, pi.*, and here M, v_1"):
        parse("N", symbols=("v_1", "M"))


@pytest.mark.parametrize("text", ["0.25 or 0.5", "not x", "lambda x: x", "factorial(5)", "a b 2"])
def test_open_names_do_not_let_prose_or_code_through(text: str) -> None:
    with pytest.raises(ParseError):
        parse(text, symbols=None)


@pytest.mark.parametrize("text", ["(0,5, 0,25)", "(1, 2)", "1.000,99"])
def test_with_a_decimal_comma_no_comma_separates(text: str) -> None:
    with pytest.raises(ParseError):
        parse(text, decimal_comma=True)


def test_factorials_are_refused_as_too_costly() -> None:
    for text in ("5!", "factorial(10**9)", "(10^9)!", "gamma(5)"):
        with pytest.raises(CostError, match="factorials"):
            parse(text)


@pytest.mark.parametrize(("text", "position", "words"), WITHOUT_MEANING)
def test_a_misspelt_function_is_no_symbol_where_names_are_open(
    text: str, position: int, words: str
):
    with pytest.raises(ParseError) as caught:
        parse(text, symbols=None)
    assert caught.value.position == position
    assert words in str(caught.value)


@pytest.mark.parametrize("text", ["M(x + 1)", "theta(1)", "v1(2)", "x_1(2)", "abc (2)", "abc*(2)"])
def test_a_symbol_before_a_bracket_is_a_product(text: str):
    assert isinstance(parse(text, symbols=None).tree, Mul)
