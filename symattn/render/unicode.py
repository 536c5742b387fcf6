"""Trees in one line of Unicode: 1/√2, e^(−1/√2), α₁ v₁ + α₂ v₂, softmax(Q Kᵀ/√dₖ) V.

The shown form is kept: nothing is evaluated or reordered. Brackets stand where our parser or a
reader's eye needs them, so a product of a fraction is (1/2)·3 and the square of a root is (√2)².
"""

from __future__ import annotations

from enum import IntEnum
from fractions import Fraction
from itertools import pairwise

from symattn.exact.plain import to_text
from symattn.exact.tree import (
    Add,
    Apply,
    Array,
    Call,
    Constant,
    Delta,
    Derivative,
    Div,
    Expectation,
    Indexed,
    Limit,
    Mul,
    Neg,
    Node,
    Number,
    Percent,
    Pow,
    Root,
    Sum,
    Symbol,
)
from symattn.render.names import unicode_entry, unicode_name

__all__ = [
    "FUNCTION_NAMES",
    "TARGETS",
    "Binding",
    "exponent_of",
    "juxtaposed",
    "to_unicode",
    "unsigned",
]


class Binding(IntEnum):
    """How tightly a text binds; a part is bracketed where its place binds more tightly."""

    SUM = 0
    NEGATIVE = 1
    PRODUCT = 2
    POWER = 3
    ATOM = 4


SUM, NEGATIVE, PRODUCT, POWER, ATOM = Binding

#: What a limit goes to, in Unicode and in LaTeX.
TARGETS = {"oo": ("+∞", r"+\infty"), "-oo": ("−∞", r"-\infty"), "0+": ("0⁺", "0^{+}")}
#: Functions whose name on paper is not their own.
FUNCTION_NAMES = {"log": "ln"}
_RADICALS = {2: "√", 3: "∛", 4: "∜"}
_SUPERSCRIPTS = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")
_LONGEST_SUPERSCRIPT = 3


def to_unicode(node: Node) -> str:
    r"""The tree in one line.

    >>> from symattn.exact.parse import parse
    >>> print(to_unicode(parse(r"\frac{2 e^{-1/\sqrt{2}}}{1 + \alpha_{1}^2}", symbols=None).tree))
    2e^(−1/√2)/(1 + α₁²)
    """
    return _write(node)[0]


def _within(node: Node, binding: Binding) -> str:
    text, own = _write(node)
    return text if own >= binding else f"({text})"


def _write(node: Node) -> tuple[str, Binding]:
    """The text of a node and how tightly it binds."""
    match node:
        case Number():
            return _number(node)
        case Constant(name):
            return ("π" if name == "pi" else name), ATOM
        case Symbol(name):
            text = unicode_name(name)
            return text, NEGATIVE if text.startswith("−") else ATOM
        case Neg(body):
            return "−" + _within(body, PRODUCT), NEGATIVE
        case Percent(body):
            return _within(body, ATOM) + "%", POWER
        case Add(terms):
            return _sum(terms), SUM
        case Mul(factors):
            return _product(factors), PRODUCT
        case Div(numerator, denominator):
            return _quotient(numerator, denominator)
        case Pow(base, exponent):
            return _power(_within(base, ATOM), exponent), POWER
        case Root(radicand, index):
            return _root(radicand, index)
        case Call("exp", argument):
            return _power("e", argument), POWER
        case Call(function, argument):
            return f"{FUNCTION_NAMES.get(function, function)}({to_unicode(argument)})", ATOM
        case Array(entries, kind):
            return _array(entries, kind), ATOM
        case Apply(operator, arguments):
            return _apply(operator, arguments)
        case Indexed(name, indices):
            return unicode_entry(name, [to_unicode(index) for index in indices]), ATOM
        case Sum(body, index, lower, upper):
            below = f"{unicode_name(index)}={to_unicode(lower)}…{to_unicode(upper)}"
            return f"Σ[{below}] {_within(body, PRODUCT)}", NEGATIVE
        case Delta(left, right):
            return unicode_entry("delta", [to_unicode(left), to_unicode(right)]), ATOM
        case Limit(body, variable, target):
            below = f"{unicode_name(variable)}→{TARGETS[target][0]}"
            return f"lim[{below}] {_within(body, PRODUCT)}", NEGATIVE
        case Derivative(body, variable):
            return f"∂/∂{to_unicode(variable)} {_within(body, POWER)}", PRODUCT
        case Expectation(body):
            return f"E[{to_unicode(body)}]", ATOM


def unsigned(number: Number) -> Node:
    """A number token as a tree whose tokens have no sign and no fraction bar of their own."""
    value = number.value
    if value < 0:
        text = number.text.lstrip("-−")
        return Neg(unsigned(Number(-value, text, number.decimal, number.exponent)))
    if not number.decimal and value.denominator != 1:
        above, below = (Number(Fraction(part), str(part)) for part in value.as_integer_ratio())
        return Div(above, below)
    return number


def _number(number: Number) -> tuple[str, Binding]:
    plain = unsigned(number)
    return (to_text(plain), ATOM) if isinstance(plain, Number) else _write(plain)


def _sum(terms: tuple[Node, ...]) -> str:
    text = _within(terms[0], NEGATIVE)
    for term in terms[1:]:
        shown, binding = _write(term)
        if binding == SUM:
            text += f" + ({shown})"
        elif binding == NEGATIVE and shown.startswith("−"):
            text += f" − {shown[1:]}"
        else:
            text += f" + {shown}"
    return text


def _product(factors: tuple[Node, ...]) -> str:
    text = _within(factors[0], POWER)
    for left, right in pairwise(factors):
        shown = _within(right, POWER)
        if juxtaposed(left, right):
            text += (" " if isinstance(left, Symbol | Indexed | Delta) else "") + shown
        else:
            text += "·" + shown
    return text


def juxtaposed(left: Node, right: Node) -> bool:
    """Whether two factors stand side by side without a sign, as in 2√3 and α₁ v₁."""
    match right:
        case Pow(base, _):
            right = base
        case Call("exp", _):
            right = Constant("e")
    match left:
        case Number(decimal=False):
            return isinstance(right, Root | Symbol | Constant | Indexed)
        case Symbol() | Indexed() | Delta():
            return isinstance(right, Symbol | Indexed | Delta)
    return False


def _quotient(numerator: Node, denominator: Node) -> tuple[str, Binding]:
    if isinstance(numerator, Neg):
        # A minus before the numerator is read, and evaluated, as one before the quotient.
        text, own = _quotient(numerator.body, denominator)
        return "−" + (text if own >= PRODUCT else f"({text})"), NEGATIVE
    above = _within(numerator, POWER if isinstance(numerator, Div) else PRODUCT)
    return f"{above}/{_within(denominator, POWER)}", PRODUCT


def _power(base: str, exponent: Node) -> str:
    whole = exponent_of(exponent)
    if whole is not None and len(whole) <= _LONGEST_SUPERSCRIPT:
        return base + whole.translate(_SUPERSCRIPTS)
    text = _within(exponent, ATOM)
    # Where two indices follow, it must be plain how far the exponent goes: e^(x₁,₂)/2.
    return f"{base}^({text})" if "," in text and text[0] != "(" else f"{base}^{text}"


def exponent_of(node: Node) -> str | None:
    """The digits of an exponent that is written as a whole number, with its minus sign."""
    match node:
        case Number(value=value, decimal=False) if value.denominator == 1:
            return str(value)
        case Neg(Number() as body) if body.value > 0:
            digits = exponent_of(body)
            return None if digits is None else "-" + digits
    return None


def _root(radicand: Node, index: int) -> tuple[str, Binding]:
    if index not in _RADICALS:
        return f"root({to_unicode(radicand)}, {index})", ATOM
    return _RADICALS[index] + _within(radicand, ATOM), POWER


def _array(entries: tuple[Node, ...], kind: str) -> str:
    if kind == "set":
        return "{" + ", ".join(map(to_unicode, entries)) + "}"
    if entries and all(isinstance(entry, Array) for entry in entries):
        rows = [entry.entries for entry in entries if isinstance(entry, Array)]
        return "[" + "; ".join(", ".join(map(to_unicode, row)) for row in rows) + "]"
    return "(" + ", ".join(map(to_unicode, entries)) + ")"


def _apply(operator: str, arguments: tuple[Node, ...]) -> tuple[str, Binding]:
    match operator, arguments:
        case "dot", (left, right):
            return f"{_within(left, POWER)}·{_within(right, POWER)}", PRODUCT
        case "matmul", (left, right):
            first = _within(left, PRODUCT if is_matmul(left) else POWER)
            return f"{first} {_within(right, POWER)}", PRODUCT
        case "transpose", (matrix,):
            return _within(matrix, ATOM) + "ᵀ", POWER
        case "norm", (vector,):
            return f"|{to_unicode(vector)}|", ATOM
        case "entropy", (vector,):
            return f"H{_bracketed((vector,))}", ATOM
    return operator + _bracketed(arguments), ATOM


def is_matmul(node: Node) -> bool:
    """Whether a tree is a product of matrices, to which another may be joined on the right."""
    return isinstance(node, Apply) and node.operator == "matmul"


def _bracketed(arguments: tuple[Node, ...]) -> str:
    """The arguments in brackets; a vector that stands alone brings its own."""
    text = ", ".join(map(to_unicode, arguments))
    alone = len(arguments) == 1 and text.startswith("(") and isinstance(arguments[0], Array)
    return text if alone else f"({text})"
