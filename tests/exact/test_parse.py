"""What the parser reads: many ways to write one thing, each as the plain text of its tree."""

from __future__ import annotations

import pytest

from symattn.exact.parse import parse
from symattn.exact.plain import to_text
from symattn.exact.tree import Array, Constant, Div, Mul, Neg, Number, Pow, Symbol

# Each line: the plain text of the tree, then texts that are read so.
SAME = {
    # signs, products, powers
    "-2^2": ["-2^2", "−2²", "–2**2", "$-2^{2}$", "- 2 ^ 2", "(-(2^2))"],
    "2^(3^2)": ["2^3^2", "2**3**2", "2^{3^2}", "2^3²"],
    "2^(-3)": ["2^-3", "2**-3", "2⁻³", "2^{-3}", "2^(-3)", "{2}^{-3}"],
    "2*sqrt(3)": [
        *("2sqrt(3)", "2 sqrt 3", "2√3", "2*√3", "2·√(3)", "2×sqrt(3)", "2⋅√3", "2\\sqrt3"),
        *("2\\cdot\\sqrt{3}", "2 \\times \\sqrt {3}", "$2\\,\\sqrt{3}$", "2*SQRT(3)", "2sqrt3"),
    ],
    "(1 + e)*2": ["(1+e)(2)", "(1+e)*2", "\\left(1+e\\right)\\cdot 2", "[1+e]*2", "{1+e}(2)"],
    "1/2*e": ["1/2e", "1/2*e", "½e", "\\frac12e", "(1/2)*e", "\\tfrac{1}{2} \\mathrm{e}"],
    "1/(2*3)": ["1/2/3", "1/(2*3)", "1÷2÷3", "1 \\div 2 \\div 3"],
    "1*3/(2*4)": ["1/2*3/4", "(1*3)/(2*4)"],
    "1/(-3)": ["1/-3", "1/(-3)", "1/−3"],
    "2 + 3": ["2+3", "2--3", "+2 + +3", "2 − −3"],
    # roots
    "sqrt(2)": ["sqrt(2)", "sqrt 2", "√2", "√(2)", "\\sqrt2", "\\sqrt 2", "\\sqrt{2}", "sqrt{2}"],
    "cbrt(2)": ["cbrt(2)", "root(2, 3)", "∛2", "\\sqrt[3]{2}", "\\sqrt[3]2"],
    "root(2, 5)": ["root(2,5)", "\\sqrt[5]{2}"],
    "2^(1/3)": ["2^(1/3)", "2^{1/3}", "2^\\frac13", "2^{\\frac{1}{3}}", "2^⅓", "2**(1/3)"],
    "sqrt(12)": ["sqrt(12)", "√12", "sqrt12", "sqrt 12", "\\sqrt{12}"],
    "sqrt(2)*sqrt(3)": ["√2√3", "sqrt 2 sqrt 3", "\\sqrt2\\sqrt3", "sqrt(2)*sqrt(3)"],
    # fractions
    "1/2": [
        *("1/2", "½", "1÷2", "1⁄2", "\\frac12", "\\frac 1 2", "\\frac{1}{2}", "\\frac1{2}"),
        *("\\frac{1}2", "\\dfrac{1}{2}", "\\tfrac12", "\\cfrac{1}{2}", "$\\frac12$", "$$½$$"),
        *("\\(\\frac12\\)", "\\[ \\frac12 \\]", "= 1/2", "≈ ½", "~1/2", "z = 1/2", "z_1 = ½"),
        *("\\alpha_{12} = \\frac12", "weights[1] = 1/2", "\\approx \\frac12", "α₁ ≈ 1/2"),
    ],
    "1/12": ["1/12", "\\frac1{12}", "\\frac{1}{12}"],
    "2 + 1/2": ["2½", "2 ½", "2+½", "2+1/2"],
    "pi/2": ["π/2", "pi/2", "\\pi/2", "\\frac\\pi2", "Pi/2"],
    # exponentials and other functions
    "e^(-1)": [
        *("e^-1", "e^{-1}", "e⁻¹", "E^(-1)", "e**-1", "e^{−1}", "e^(−1)"),
        *("\\mathrm{e}^{-1}", "\\mathrm e^{-1}"),
    ],
    "exp(-1)": ["exp(-1)", "\\exp(-1)", "exp{-1}", "\\exp{-1}", "exp -1", "EXP(-1)", "exp[-1]"],
    "exp(2)": ["exp(2)", "exp 2", "exp2", "\\exp2", "\\exp 2", "\\operatorname{exp}(2)", "Exp(2)"],
    "e^(1/sqrt(2))": ["e^{1/√2}", "e^{1/sqrt 2}", "e^(1/\\sqrt2)", "e^{\\frac1{\\sqrt2}}"],
    "e^2/3": ["e^2/3", "e²/3", "\\frac{e^2}{3}", "(e^2)/3"],
    "log(2)": ["log(2)", "ln(2)", "\\ln 2", "\\log2", "ln2", "\\log{\\left(2 \\right)}", "Log[2]"],
    "sigmoid(1)": ["sigmoid(1)", "σ(1)", "\\sigma(1)", "\\operatorname{sigmoid}(1)", "expit(1)"],
    "sinh(1)^2": [
        "sinh(1)^2",
        "sinh^2(1)",
        "sinh²(1)",
        "\\sinh^2 1",
        "\\sinh^{2}{\\left(1 \\right)}",
    ],
    "1/2*(1 + tanh(sqrt(2)/2))": [
        "\\frac{1}{2}\\left(1+\\tanh\\frac{\\sqrt{2}}{2}\\right)",
        "½(1+tanh(√2/2))",
        "½ (1 + tanh(\\frac{√2}2))",
    ],
    "tanh(1)/2": ["tanh 1/2", "tanh(1)/2", "\\tanh1/2"],
    # numbers
    "12288": ["12,288", "12 288", "12\u2009288", "12\u202f288", "12\\,288", "12{,}288", "12288"],
    "1234567.89": ["1,234,567.89", "1 234 567.89", "1234567.89", "1 234 567,89"],
    "0.2483": ["0.2483", "0,2483", "0{,}2483", "$0.2483$", "≈0.2483", "+0.2483"],
    "2.06e-9": [
        *("2.06e-9", "2.06\\times10^{-9}", "2.06 × 10⁻⁹", "2.06·10^-9", "2.06*10^(-9)"),
        *("2.06x10^-9", "2.06 x 10^{-9}", "2,06e-9", "2.06\\cdot 10^{-9}"),
    ],
    "24.83%": ["24.83%", "24.83\\%", "24.83 %", "$24.83\\%$", "$24.83$ %", "24,83 %"],
    # vectors, matrices, sets
    "[1, 2]": [
        *("(1,2)", "[1, 2]", "(1, 2,)", "\\left(1, 2\\right)", "\\langle 1, 2\\rangle", "⟨1,2⟩"),
        *(
            "array([1, 2])",
            "\\big[1,2\\big]",
            "($1$, $2$)",
            "(1,2)^T",
            "[1,2]ᵀ",
            "\\vec{a} = (1,2)",
        ),
    ],
    "[[1, 2], [3, 4]]": [
        *("[[1,2],[3,4]]", "((1,2),(3,4))", "Matrix([[1, 2], [3, 4]])", "[1, 2; 3, 4]"),
        *(
            "\\begin{matrix}1&2\\\\3&4\\end{matrix}",
            "[[1,3],[2,4]]^\\top",
            "array([[1,2],\n[3,4]])",
        ),
        "\\left[\\begin{matrix}1 & 2\\\\3 & 4\\end{matrix}\\right]",
        "\\begin{bmatrix} 1 & 2 \\\\[2pt] 3 & 4 \\\\ \\end{bmatrix}",
        "$$\\left(\\begin{array}{cc} 1 & 2 \\\\ 3 & 4 \\end{array}\\right)$$",
    ],
    "[[1], [2]]": ["[[1],[2]]", "\\begin{pmatrix}1\\\\2\\end{pmatrix}", "[1;2]"],
    "[1/3, 2/3]": ["(1,2)/3", "[1/3, 2/3]", "\\frac{(1,2)}{3}", "(⅓, ⅔)"],
    "[1 + 3, 2 + 4]": ["(1,2)+(3,4)", "[1+3, 2+4]"],
    "[-1, -2]": ["-(1,2)", "(-1, -2)"],
    "[1]": ["[1]", "(1,)"],
    "{1, 2}": ["{1,2}", "\\{1, 2\\}", "\\left\\{1, 2\\right\\}"],
}


@pytest.mark.parametrize(
    ("expected", "text"), [(plain, text) for plain, texts in SAME.items() for text in texts]
)
def test_forms_of_one_expression_are_read_alike(expected: str, text: str) -> None:
    assert to_text(parse(text).tree) == expected


@pytest.mark.parametrize("plain", SAME)
def test_plain_text_is_read_back_unchanged(plain: str) -> None:
    assert to_text(parse(plain).tree) == plain


def test_the_tree_keeps_what_was_written() -> None:
    one, two = parse("1").tree, parse("2").tree
    assert parse("1/2").tree == Div(one, two)
    assert parse("-2^2").tree == Neg(Pow(two, two))
    assert parse("2e").tree == Mul((two, Constant("e")))
    assert parse("{1,2}").tree == Array((one, two), "set")
    decimal = parse("0.5760").tree
    assert isinstance(decimal, Number)
    assert (decimal.text, decimal.decimal, decimal.exponent) == ("0.5760", True, -4)


def test_a_power_of_ten_joins_its_mantissa_only() -> None:
    """1/2*10^3 is 500, not 1/2000, and 2*10^3^2 is no 2000^2."""
    assert to_text(parse("1/2*10^3").tree) == "1/2*10^3"
    assert to_text(parse("2*10^3^2").tree) == "2*10^(3^2)"
    assert to_text(parse("2^3*10^2").tree) == "2^3*10^2"
    number = parse("2.06·10⁻⁹").tree
    assert isinstance(number, Number)
    assert number.text == "2.06·10⁻⁹"


# Text, keyword arguments, plain text of the tree, a part of the note.
READINGS = [
    ("0,2483", {}, "0.2483", "decimal comma"),
    ("1000,99", {}, "1000.99", "decimal comma"),
    ("1234,567", {}, "1234.567", "decimal comma"),
    ("0,248", {}, "0.248", "decimal comma"),
    ("1,2", {}, "1.2", "decimal comma"),
    ("12,288", {}, "12288", "groups thousands"),
    ("12,288", {"decimal_comma": True}, "12.288", None),
    ("(0,5; 0,25)", {"decimal_comma": True}, "[0.5, 0.25]", None),
    ("[[0,5; 1]; [2; 3,25]]", {"decimal_comma": True}, "[[0.5, 1], [2, 3.25]]", None),
    ("{0,5; 1}", {"decimal_comma": True}, "{0.5, 1}", None),
    ("e^{0,5}", {}, "e^0.5", "decimal comma"),
    ("\\frac{12,288}{2}", {}, "12288/2", "groups thousands"),
    ("(1,234)", {}, "[1, 234]", None),
    ("(12{,}288, 5)", {}, "[12288, 5]", "groups thousands"),
    ("(12 288, 5)", {}, "[12288, 5]", None),
    ("1/2sqrt(3)", {}, "1/2*sqrt(3)", "(1/2)*sqrt(3): products go from left to right"),
    ("1/(2sqrt(3))", {}, "1/(2*sqrt(3))", None),
]


@pytest.mark.parametrize(("text", "options", "expected", "note"), READINGS)
def test_a_doubtful_reading_is_noted(
    text: str, options: dict[str, bool], expected: str, note: str | None
) -> None:
    parsed = parse(text, **options)  # type: ignore[arg-type]
    assert to_text(parsed.tree) == expected
    if note is None:
        assert parsed.notes == ()
    else:
        (said,) = parsed.notes
        assert note in said


SYMBOLS = [
    ("v_1", ("v1",), "v1"),
    ("v1", ("v_1",), "v_1"),
    ("v₁", ("v1",), "v1"),
    ("\\mathbf{v}_{1}", ("v_1",), "v_1"),
    ("\\alpha_1", ("alpha_1",), "alpha_1"),
    ("α₁", ("alpha_1",), "alpha_1"),
    ("e^M/(e^M+1)", ("M",), "e^M/(e^M + 1)"),
    ("2M", ("M",), "2*M"),
    ("1/2M", ("M",), "1/2*M"),
    ("M(1+e)", ("M",), "M*(1 + e)"),
    ("σ", ("sigma",), "sigma"),
    ("σ^2", ("sigma",), "sigma^2"),
    ("x+y_2", None, "x + y_2"),
    ("W_{Q,1}", None, "W_Q_1"),
    ("λ", None, "lambda"),
]


@pytest.mark.parametrize(("text", "symbols", "expected"), SYMBOLS)
def test_names_are_symbols_where_they_are_declared(
    text: str, symbols: tuple[str, ...] | None, expected: str
) -> None:
    tree = parse(text, symbols=symbols).tree
    assert to_text(tree) == expected
    assert parse(expected, symbols=symbols).tree == tree


def test_constants_and_functions_stay_what_they_are_when_all_names_are_open() -> None:
    assert parse("e", symbols=None).tree == Constant("e")
    assert parse("π", symbols=None).tree == Constant("pi")
    assert to_text(parse("ln(x)", symbols=None).tree) == "log(x)"
    assert parse("E", symbols=("E",)).tree == Symbol("E")
