r"""Trees in LaTeX that GitHub, KaTeX, MathJax and pdflatex (with amsmath) all render.

GitHub allows no \operatorname, eats the backslash of \, \{ and their like, takes `<b` for a tag,
and keeps \\ only at the end of a line; so none of the first three is written, and every row of a
matrix ends its line.
"""

from __future__ import annotations

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
    Symbolic,
)
from symattn.render.boxes import has_matrix
from symattn.render.names import latex_entry, latex_name
from symattn.render.unicode import (
    ATOM,
    NEGATIVE,
    POWER,
    PRODUCT,
    SUM,
    TARGETS,
    Binding,
    is_matmul,
    unsigned,
)

__all__ = ["binding", "side_by_side", "to_latex", "within"]

_FUNCTIONS = {
    "cos": r"\cos",
    "sin": r"\sin",
    "log": r"\ln",
    "sinh": r"\sinh",
    "cosh": r"\cosh",
    "tanh": r"\tanh",
}
_OPERATORS = {"max": r"\max", "min": r"\min", "entropy": "H"}
#: What a factor may be that follows another without a sign.
_LETTERED = (Symbol, Root, Constant, Call, Indexed, Delta)


def to_latex(node: Node, *, inline: bool = False) -> str:
    r"""The tree in LaTeX, without delimiters.

    `inline` is for use within a sentence: in one line of source, with a slash for a fraction bar.

    >>> from symattn.exact.parse import parse
    >>> print(to_latex(parse("2e^(-1/sqrt(2))/(1 + alpha_1^2)", symbols=None).tree))
    \frac{2 e^{-1/\sqrt{2}}}{1 + \alpha_{1}^{2}}
    """
    text = _Writer(small=inline).text(node)
    return text.replace("\\\\\n", r"\cr ").replace("\n", " ") if inline else text


def within(node: Node, binding: Binding) -> str:
    """A tree as part of another, between brackets where it binds more loosely."""
    return _Writer(small=False).within(node, binding)


def binding(node: Node) -> Binding:
    """How tightly a tree binds in a display."""
    return _Writer(small=False).write(node)[1]


class _Writer:
    """Writes trees; where `small` is set, as in exponents, a fraction is written with a slash."""

    def __init__(self, small: bool) -> None:
        self.small = small

    def text(self, node: Node) -> str:
        return self.write(node)[0]

    def within(self, node: Node, binding: Binding) -> str:
        text, own = self.write(node)
        return text if own >= binding else _brackets(text)

    def write(self, node: Node) -> tuple[str, Binding]:
        match node:
            case Number():
                return self.number(node)
            case Constant(name):
                return (r"\pi" if name == "pi" else name), ATOM
            case Symbol(name):
                text = latex_name(name)
                return text, NEGATIVE if text.startswith("-") else ATOM
            case Neg(body):
                return "-" + self.within(body, PRODUCT), NEGATIVE
            case Percent(body):
                return self.within(body, ATOM) + r"\%", POWER
            case Add(terms):
                return self.sum(terms), SUM
            case Mul(factors):
                return self.product(factors), PRODUCT
            case Div(numerator, denominator):
                return self.quotient(numerator, denominator)
            case Pow(base, exponent):
                return self.power(self.within(base, ATOM), exponent), POWER
            case Root(radicand, index):
                order = "" if index == 2 else f"[{index}]"
                return rf"\sqrt{order}{{{self.text(radicand)}}}", ATOM
            case Call("exp", argument):
                return self.power("e", argument), POWER
            case Call(function, argument):
                name = _FUNCTIONS.get(function, rf"\mathrm{{{function}}}")
                return name + _brackets(self.text(argument)), ATOM
            case Array(entries, kind):
                return self.array(entries, kind), ATOM
            case Apply(operator, arguments):
                return self.apply(operator, arguments)
            case Indexed() | Sum() | Delta() | Limit() | Derivative() | Expectation():
                return self.symbolic(node)

    def symbolic(self, node: Symbolic) -> tuple[str, Binding]:
        match node:
            case Indexed(name, indices):
                return latex_entry(name, [self.text(index) for index in indices]), ATOM
            case Sum(body, index, lower, upper):
                bounds = rf"\sum_{{{latex_name(index)}={self.text(lower)}}}^{{{self.text(upper)}}}"
                return f"{bounds} {self.within(body, PRODUCT)}", NEGATIVE
            case Delta(left, right):
                return latex_entry("delta", [self.text(left), self.text(right)]), ATOM
            case Limit(body, variable, target):
                below = rf"{latex_name(variable)} \to {TARGETS[target][1]}"
                return rf"\lim_{{{below}}} {self.within(body, PRODUCT)}", NEGATIVE
            case Derivative(body, variable):
                below = rf"\partial {self.text(variable)}"
                return rf"\frac{{\partial}}{{{below}}} {self.within(body, POWER)}", PRODUCT
            case Expectation(body):
                return rf"\mathrm{{E}}\left[{self.text(body)}\right]", ATOM

    def number(self, number: Number) -> tuple[str, Binding]:
        plain = unsigned(number)
        if not isinstance(plain, Number):
            return self.write(plain)
        text = to_text(plain)
        # Upright, or the e of 2.061e-9 would look like Euler's number and its minus like a sign.
        return (rf"\text{{{text}}}" if "e" in text.lower() else text), ATOM

    def sum(self, terms: tuple[Node, ...]) -> str:
        text = self.within(terms[0], NEGATIVE)
        for term in terms[1:]:
            shown, binding = self.write(term)
            if binding == SUM:
                text += f" + {_brackets(shown)}"
            elif binding == NEGATIVE and shown.startswith("-"):
                text += f" - {shown[1:]}"
            else:
                text += f" + {shown}"
        return text

    def product(self, factors: tuple[Node, ...]) -> str:
        text = self.within(factors[0], POWER)
        for left, right in pairwise(factors):
            sign = " " if side_by_side(left, right) else r" \cdot "
            text += sign + self.within(right, POWER)
        return text

    def quotient(self, numerator: Node, denominator: Node) -> tuple[str, Binding]:
        if not self.small and not has_matrix(numerator):
            return rf"\frac{{{self.text(numerator)}}}{{{self.text(denominator)}}}", POWER
        if isinstance(numerator, Neg):
            # A minus before the numerator is read, and evaluated, as one before the quotient.
            text, own = self.quotient(numerator.body, denominator)
            return "-" + (text if own >= PRODUCT else _brackets(text)), NEGATIVE
        above = self.within(numerator, POWER if isinstance(numerator, Div) else PRODUCT)
        return f"{above}/{self.within(denominator, POWER)}", PRODUCT

    def power(self, base: str, exponent: Node) -> str:
        return f"{base}^{{{_Writer(small=True).text(exponent)}}}"

    def array(self, entries: tuple[Node, ...], kind: str) -> str:
        if entries and all(isinstance(entry, Array) for entry in entries):
            rows = [entry.entries for entry in entries if isinstance(entry, Array)]
            lines = [" & ".join(map(self.text, row)) for row in rows]
            return "\\begin{bmatrix}\n" + " \\\\\n".join(lines) + "\n\\end{bmatrix}"
        text = ", ".join(map(self.text, entries))
        return rf"\lbrace {text} \rbrace" if kind == "set" else _brackets(text)

    def apply(self, operator: str, arguments: tuple[Node, ...]) -> tuple[str, Binding]:
        match operator, arguments:
            case "dot", (left, right):
                return rf"{self.within(left, POWER)} \cdot {self.within(right, POWER)}", PRODUCT
            case "matmul", (left, right):
                first = self.within(left, PRODUCT if is_matmul(left) else POWER)
                return f"{first} {self.within(right, POWER)}", PRODUCT
            case "transpose", (matrix,):
                return self.within(matrix, ATOM) + r"^{\top}", POWER
            case "norm", (vector,):
                return rf"\left\lvert {self.text(vector)} \right\rvert", ATOM
        name = _OPERATORS.get(operator, rf"\mathrm{{{operator}}}")
        text = ", ".join(map(self.text, arguments))
        alone = len(arguments) == 1 and isinstance(arguments[0], Array) and text.endswith(")")
        return name + (text if alone else _brackets(text)), ATOM


def _brackets(text: str) -> str:
    """Round brackets, as high as what they hold."""
    tall = any(part in text for part in (r"\frac", r"\begin", r"\sum", r"\lim"))
    return rf"\left({text}\right)" if tall else f"({text})"


def side_by_side(left: Node, right: Node) -> bool:
    """Whether two factors stand side by side without a sign: 2√3, ½ e^x, α₁ v₁."""
    if isinstance(right, Pow):
        right = right.base
    if isinstance(left, Number):
        return not left.decimal and isinstance(right, _LETTERED)
    return isinstance(left, Symbol | Root | Div | Indexed | Delta) and isinstance(right, _LETTERED)
