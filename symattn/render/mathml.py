"""Trees in MathML Core (W3C, https://www.w3.org/TR/mathml-core/), as browsers lay it out.

The shown form is kept, with brackets where LaTeX has them. Minus is U+2212, products without a sign
hold an invisible times and functions an invisible application, for those who listen.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
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
from symattn.render.boxes import has_matrix, matrix_rows
from symattn.render.latex import side_by_side
from symattn.render.marks import (
    APPLY,
    NEXT,
    SLASH,
    SPACE,
    TIMES,
    Made,
    bracketed,
    commas,
    fraction,
    identifier,
    large,
    negative,
    number,
    operator,
    relation,
    root,
    row,
    scripted,
    under,
    upright,
)
from symattn.render.names import name_parts
from symattn.render.unicode import (
    ATOM,
    FUNCTION_NAMES,
    NEGATIVE,
    POWER,
    PRODUCT,
    SUM,
    Binding,
    is_matmul,
    unsigned,
)

__all__ = ["Writer", "opposite", "sign_between", "to_mathml"]

#: How deep scripts become smaller.
_DEEPEST = 2


def to_mathml(node: Node, *, inline: bool = False) -> str:
    """The tree as MathML, without the element `math` around it.

    `inline` is for use within a sentence: with a slash for a fraction bar.

    >>> from symattn.exact.parse import parse
    >>> print(to_mathml(parse("x_1/3", symbols=None).tree))
    <mfrac><msub><mi>x</mi><mn>1</mn></msub><mn>3</mn></mfrac>
    """
    return Writer(small=inline).write(node).markup


def opposite(node: Node, small: bool = False) -> Node | None:
    """What stands behind the minus of a part that begins with one; else None."""
    match node:
        case Neg(body):
            return body
        case Symbol("-oo"):
            return Symbol("oo")
        case Number(value=value) if value < 0:
            return opposite(unsigned(node))
        case Div(Neg(above), below) if small or has_matrix(above):
            return Div(above, below)
    return None


def sign_between(left: Node, right: Node) -> list[Made]:
    """What stands between two factors: nothing that is seen where they stand side by side."""
    if not side_by_side(left, right):
        return [operator("⋅")]
    named = isinstance(right, Call) and right.function != "exp"
    return [operator(TIMES), SPACE] if named else [operator(TIMES)]


class Writer:
    """Writes trees; where `small` is set, as in exponents, a fraction is written with a slash.

    `compact` and `depth` are how a browser counts: in compact style a fraction makes its parts
    smaller, and so does each depth of scripts.
    """

    def __init__(self, small: bool = False, compact: bool | None = None, depth: int = 0) -> None:
        self.small, self.depth = small, depth
        self.compact = small if compact is None else compact

    def script(self, made: Made) -> Made:
        """A script, no smaller than the script of a script, as in print."""
        if self.depth < _DEEPEST:
            return made
        return made._replace(markup=f'<mrow scriptlevel="{_DEEPEST}">{made.markup}</mrow>')

    def within(self, node: Node, binding: Binding) -> Made:
        """A part, in brackets where its place binds more tightly."""
        made = self.write(node)
        return made if made.binding >= binding else bracketed(made)

    def write(self, node: Node) -> Made:
        """The markup of a node."""
        body = opposite(node, self.small)
        if body is not None:
            return negative(self.within(body, PRODUCT))
        match node:
            case Number():
                return self.token(node)
            case Constant(name):
                return identifier("π" if name == "pi" else name)
            case Symbol(name):
                return identifier("∞") if name == "oo" else self.name(name)
            case Percent(body):
                return row([self.within(body, ATOM), identifier("%")], POWER)
            case Add(terms):
                first = self.within(terms[0], NEGATIVE)
                return row([first, *(part for t in terms[1:] for part in self.term(t))], SUM)
            case Mul(factors):
                return self.product(factors)
            case Div(numerator, denominator):
                return self.quotient(numerator, denominator)
            case Pow(base, exponent):
                return self.power(self.within(base, ATOM), exponent)
            case Root(radicand, index):
                return root(self.write(radicand), index)
            case Call("exp", argument):
                return self.power(identifier("e"), argument)
            case Call(name, argument):
                shown = identifier(FUNCTION_NAMES.get(name, name))
                return row([shown, operator(APPLY), bracketed(self.write(argument))])
            case Array(entries, kind):
                return self.array(node, entries, kind)
            case Apply(name, arguments):
                return self.apply(name, arguments)
            case Indexed() | Sum() | Delta() | Limit() | Derivative() | Expectation():
                return self.symbolic(node)
        raise TypeError(f"{type(node).__name__} has no MathML")

    def symbolic(self, node: Symbolic) -> Made:
        """What theorems speak of: entries, sums, limits, derivatives, expected values."""
        match node:
            case Indexed(name, indices):
                return self.name(name, indices)
            case Delta(left, right):
                return self.name("delta", (left, right), ",")
            case Sum(body) | Limit(body):
                return row([self.head(node), self.within(body, PRODUCT)], NEGATIVE)
            case Derivative(body, variable):
                below = row([identifier("∂"), self.write(variable)])
                sign = fraction(identifier("∂"), below, POWER)
                return row([sign, SPACE, self.within(body, POWER)], PRODUCT)
            case Expectation(body):
                return row([upright("E"), operator(APPLY), bracketed(self.write(body), "[]")])

    def head(self, node: Sum | Limit) -> Made:
        """The sign of a sum or a limit, with what stands below and above it."""
        small = _smaller(self)
        if isinstance(node, Limit):
            below = row([small.name(node.variable), relation("->"), *_TARGETS[node.target]])
            return row([under(large("lim"), self.script(below)), SPACE])
        below = row([small.name(node.index), relation("="), small.write(node.lower)])
        limits = self.script(below), self.script(small.write(node.upper))
        return under(large("∑", beside=self.small), *limits)

    def name(self, name: str, indices: Sequence[Node] = (), sign: str = "") -> Made:
        """A name with the indices that it brings and those that it is given."""
        letter, own, owner = name_parts(name)
        below = [identifier(text) for text in own]
        if indices:
            given = list(map(_smaller(self).write, indices))
            letters = all(made.markup.startswith("<mi>") for made in given)
            below.append(commas(given, sign or (NEXT if letters else ",")))
        above = upright("(" + "\u00a0".join(owner) + ")") if owner else None
        scripts = (commas(below) if below else None, above)
        return scripted(identifier(letter), *(made and self.script(made) for made in scripts))

    def token(self, token: Number) -> Made:
        """A number token, a quotient as a fraction."""
        plain = unsigned(token)
        if not isinstance(plain, Number):
            return self.write(plain)
        return number(to_text(plain))

    def term(self, term: Node) -> list[Made]:
        """A term of a sum after the first, with its sign."""
        body = opposite(term, self.small)
        if body is not None:
            return [operator("−"), self.within(body, PRODUCT)]
        return [operator("+"), self.within(term, NEGATIVE)]

    def product(self, factors: tuple[Node, ...]) -> Made:
        """Factors, with a dot where they cannot stand side by side."""
        parts = [self.within(factors[0], POWER)]
        for left, right in pairwise(factors):
            parts += [*sign_between(left, right), self.within(right, POWER)]
        return row(parts, PRODUCT)

    def quotient(self, numerator: Node, denominator: Node) -> Made:
        """A fraction, or a slash between two parts."""
        if not self.small and not has_matrix(numerator):
            inner = _writer(False, True, self.depth + self.compact)
            halves = inner.write(numerator), inner.write(denominator)
            above, below = map(self.script, halves) if self.compact else halves
            return fraction(above, below, POWER)
        above = self.within(numerator, POWER if isinstance(numerator, Div) else PRODUCT)
        return row([above, SLASH, self.within(denominator, POWER)], PRODUCT)

    def power(self, base: Made, exponent: Node) -> Made:
        """A part with an exponent."""
        above = self.script(_smaller(self).write(exponent))
        return scripted(base, None, above)._replace(binding=POWER)

    def array(self, node: Array, entries: tuple[Node, ...], kind: str) -> Made:
        """A vector in round brackets, a matrix in square ones, a set in braces."""
        rows = matrix_rows(node)
        if not rows:
            return bracketed(commas(map(self.write, entries)), "{}" if kind == "set" else "()")
        inner = _writer(self.small, True, self.depth)
        cells = [list(map(inner.write, line)) for line in rows]
        widths = [max(made.width for made in column) for column in zip(*cells, strict=True)]
        lines = ("".join(f"<mtd>{made.markup}</mtd>" for made in line) for line in cells)
        table = "".join(f"<mtr>{line}</mtr>" for line in lines)
        wide = sum(widths) + 0.9 * len(widths)
        return bracketed(Made(f"<mtable>{table}</mtable>", ATOM, wide), "[]")

    def apply(self, name: str, arguments: tuple[Node, ...]) -> Made:
        """An operation on vectors and matrices."""
        match name, arguments:
            case "dot", (left, right):
                sides = self.within(left, POWER), self.within(right, POWER)
                return row([sides[0], operator("⋅"), sides[1]], PRODUCT)
            case "matmul", (left, right):
                first = self.within(left, PRODUCT if is_matmul(left) else POWER)
                return row([first, operator(TIMES), self.within(right, POWER)], PRODUCT)
            case "transpose", (matrix,):
                return scripted(self.within(matrix, ATOM), None, upright("⊤"))._replace(
                    binding=POWER
                )
            case "norm", (vector,):
                return bracketed(self.write(vector), "||")
        shown = identifier("H" if name == "entropy" else name)
        match arguments:
            case (Array(kind="array") as vector,) if not matrix_rows(vector):
                inside = self.write(vector)
            case _:
                inside = bracketed(commas(map(self.write, arguments)))
        return row([shown, operator(APPLY), inside])


_TARGETS = {
    "oo": (Made('<mo form="prefix">+</mo>', ATOM, 0.65), identifier("∞")),
    "-oo": (negative(identifier("∞")),),
    "0+": (scripted(number("0"), None, Made("<mo>+</mo>", ATOM, 0.65)),),
}


@cache
def _writer(small: bool, compact: bool, depth: int) -> Writer:
    return Writer(small, compact, depth)


def _smaller(writer: Writer) -> Writer:
    """The writer of scripts beside what another writes."""
    return _writer(True, True, writer.depth + 1)
