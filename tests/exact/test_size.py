"""What a text may cost: refused before any work, and in no time."""

from __future__ import annotations

import time
from fractions import Fraction
from math import log2

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from symattn.errors import CostError, ParseError
from symattn.exact import limits, tree
from symattn.exact.parse import parse
from symattn.exact.size import measure

COSTLY = {
    "a tower": ["9^9^9^9", "$9^{9^{9^{9}}}$", "2^2^2^2^2^2", "1.1^(10^9)", "9**9**9", "2^(1/9^-9)"],
    "a huge exponent": ["10^(10^9)", "2^100000", "2^-100000", "e^(10^9)", "(1/3)^(10^6)"],
    "powers of powers": [
        "(10^5000)^5000",
        "((2^999)^999)^999",
        "1/(10^5000)^5000",
        "√(9^9999)^9999",
    ],
    "an exponential tower": ["exp(exp(exp(100)))", "e^e^e^e^e", "exp(10^6)", "cosh(exp(20))"],
    "a small denominator": ["exp(1/1e-9)", "2^(1/1e-9)", "exp(1/exp(-100))"],
    "many terms": [
        *("(1+sqrt(2)+sqrt(3)+e)^1000", "(1+e+e^2+e^3)^-99", "(1+e)^9999*(1+e^2)^9999"),
        *("1/(1+e)^9999+1/(2+e)^9999", "*".join(f"(1+e^{n})" for n in range(1, 20))),
    ],
    "many denominators": ["+".join(f"1/({n}+e)" for n in range(1, 400))],
    "a wide field": [
        "exp(1/(" + "+".join(f"sqrt({n})" for n in (2, 3, 5, 7, 11, 13, 17)) + "))",
        "2^(1/" + "3/" * 8 + "2)^(1/9001)" + "*1e5001",
    ],
    "a long product": ["*".join(["9^9999"] * 20), "*".join(["1e4999"] * 30)],
    "digits": ["9" * 4001, "9" * 100_000, "0." + "1" * 10_000, " + ".join(["1e-4999"] * 45)],
    "a decimal exponent": ["1e5001", "1e-99999", "1e" + "9" * 5000, "1E+1000000000"],
    "an index": ["root(2, 1001)", "\\sqrt[99999]{2}"],
    "length": ["1" * 10**6, " " * 10**6, "(" * 10**6, "1+" * 10**6, "\\" * 10**6, "π" * 10**6],
    "depth": [
        *("(" * 100_000, "[" * 100_000, "\\sqrt{" * 30_000, "√" * 100_000, "e^{" * 50_000),
        *("2^" * 50_000 + "2", "\\frac{1}{" * 20_000, "exp(" * 40_000, "exp " * 40_000),
        *("\\sqrt" * 30_000, "(1+2*-" * 30_000, "\\begin{matrix}" * 10_000, "\\{" * 90_000),
    ],
    "tokens": ["1+" * 90_000 + "1", "e " * 90_000, "-" * 150_000 + "1", "1," * 90_000],
}
TEXTS = [
    pytest.param(text, id=f"{kind} {i}") for kind in COSTLY for i, text in enumerate(COSTLY[kind])
]


def seconds_to_refuse(text: str) -> float:
    """The quickest of five tries, so that a busy machine is not mistaken for a slow parser."""
    times = []
    for _ in range(5):
        start = time.process_time()
        with pytest.raises(ParseError):
            parse(text)
        times.append(time.process_time() - start)
    return min(times)


@pytest.mark.parametrize("text", TEXTS)
def test_costly_text_is_refused_at_once(text: str) -> None:
    """Within some 20 ms; the bound leaves room for a busy machine."""
    assert seconds_to_refuse(text) < 0.1


@pytest.mark.parametrize("kind", [k for k in COSTLY if k not in ("length", "depth", "tokens")])
def test_the_reason_for_refusal_is_its_cost(kind: str) -> None:
    for text in COSTLY[kind]:
        with pytest.raises(CostError) as caught:
            parse(text)
        assert caught.value.position is not None


def test_work_in_every_entry_of_a_vector_is_counted() -> None:
    text = f"({'+'.join(['e^2'] * 2000)})*({','.join(['1'] * 8000)})"
    start = time.process_time()
    with pytest.raises(CostError, match="work"):
        parse(text)
    assert time.process_time() - start < 1  # 22,000 tokens are read before it can be known


def test_a_refusal_names_the_operation_at_fault() -> None:
    with pytest.raises(CostError) as caught:
        parse("1 + 9^9^9^9")
    assert caught.value.position == 7  # where the power begins that is too large
    with pytest.raises(CostError) as caught:
        parse("1 + exp(exp(exp(100)))")
    assert caught.value.position == 9


SOFTMAX = "exp(1/sqrt(2))/(" + " + ".join(f"exp({n}/sqrt(2))" for n in range(64)) + ")"
FRACS = "1" + "".join(
    f"+\\frac{{{n}}}{{1+e^{{\\frac{{{n}}}{{\\sqrt{{2}}}}}}}}" for n in range(1, 9)
)
NESTED = "\\frac{1}{1+" * 30 + "e" + "}" * 30
HONEST = [
    SOFTMAX,
    FRACS,
    NESTED.replace("e", "2"),
    "exp(1000)/(exp(1000)+exp(-1000))",
    "exp(10000)",
    "exp(-10000)",
    "9" * 2000 + "/" + "7" * 2000,
    "0." + "1" * 3999,
    "1e-5000",
    "(" * 99 + "1" + ")" * 99,
    "-" * 1000 + "1",
    "(1+sqrt(2))^100",
    "(1+e)^50",
    "(930249+416020*sqrt(5))^(1/30)",
    "2^1000*3^-1000",
    "root(2, 1000)",
    "1" + "/2" * 1000,
    "+".join(["1/3"] * 2000),
    "[" + ", ".join(["[" + ", ".join(["0.015625"] * 64) + "]"] * 64) + "]",
    "[" + ",".join(["[" + ",".join(["-1/64"] * 64) + "]"] * 64) + "]",
    "\\begin{pmatrix}" + "\\\\".join([" & ".join(["0.0156"] * 64)] * 64) + "\\end{pmatrix}",
    "[1+e^-1 - 2]",
    "(" + ", ".join([f"{SOFTMAX}"] * 16) + ")",
]


@pytest.mark.parametrize("text", [pytest.param(text, id=text[:30]) for text in HONEST])
def test_an_honest_answer_is_read_however_long(text: str) -> None:
    start = time.process_time()
    parse(text)
    assert time.process_time() - start < 1


def test_common_denominators_do_not_multiply() -> None:
    """A row of weights over one total stays as small as the total."""
    total = "(1+e^-1+e^-2)"
    size = measure(parse(f"1/{total} + e^-1/{total} + e^-2/{total}").tree)
    assert size.terms == 3
    assert [(terms, power) for _, terms, power in size.below] == [(3, 1)]


def test_a_tree_is_never_higher_than_promised() -> None:
    """Whoever walks a tree may recurse: the parser lets none through that is too high."""
    texts = ["(1+2*-" * n + "3" + ")^2" * n for n in range(1, 100)]
    heights = []
    for text in texts:
        try:
            heights.append(height(parse(text).tree))
        except CostError:
            continue
    assert max(heights) <= limits.MAX_HEIGHT


def height(node: object) -> int:
    fields = [getattr(node, name) for name in getattr(node, "__slots__", ())]
    parts = [part for field in fields for part in (field if isinstance(field, tuple) else (field,))]
    return 1 + max((height(part) for part in parts if hasattr(part, "__slots__")), default=0)


# Trees of rational arithmetic, whose values can be computed to hold the bounds against them.
rationals = st.fractions(min_value=-50, max_value=50, max_denominator=30).map(
    lambda value: tree.Number(value, str(value))
)
arithmetic = st.recursive(
    rationals,
    lambda parts: st.one_of(
        st.builds(tree.Neg, parts),
        st.builds(tree.Percent, parts),
        st.lists(parts, min_size=2, max_size=4).map(lambda terms: tree.Add(tuple(terms))),
        st.lists(parts, min_size=2, max_size=4).map(lambda terms: tree.Mul(tuple(terms))),
        st.builds(tree.Div, parts, parts),
        st.builds(
            tree.Pow, parts, st.integers(0, 5).map(lambda n: tree.Number(Fraction(n), str(n)))
        ),
    ),
    max_leaves=10,
)


def value(node: tree.Node) -> Fraction:
    match node:
        case tree.Number():
            return node.value
        case tree.Neg(body):
            return -value(body)
        case tree.Percent(body):
            return value(body) / 100
        case tree.Add(terms):
            return sum(map(value, terms), Fraction(0))
        case tree.Mul(factors):
            product = Fraction(1)
            for factor in factors:
                product *= value(factor)
            return product
        case tree.Div(numerator, denominator):
            return value(numerator) / value(denominator)
        case tree.Pow(base, exponent):
            return value(base) ** int(value(exponent))
    raise AssertionError(node)


@given(arithmetic)
@settings(max_examples=300)
def test_the_bounds_hold_for_rational_arithmetic(node: tree.Node) -> None:
    """No numerator or denominator has more bits than the bound says."""
    try:
        exact = value(node)
    except ZeroDivisionError:
        return
    size = measure(node)
    assert exact.numerator.bit_length() <= size.up
    assert exact.denominator.bit_length() <= size.down + 1
    if exact:
        assert log2(abs(exact.numerator)) - log2(exact.denominator) <= size.high + 1e-6
