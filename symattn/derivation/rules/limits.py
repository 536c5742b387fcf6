r"""The rule **limit**: limits of what is built from finite limits by continuous operations.

Sums, products and powers of finite limits, quotients whose denominator has a limit that is not
zero, finite sums term by term, and e^x, which tends to e^L where x tends to L and to 0 where x
tends to -\infty. An exponent is a polynomial in the variable or its inverse: the highest power
decides, by the sign of its coefficient, which must be known. \infty/\infty is never read: a step
divides by the dominant term first.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, TypeAlias

from symattn.derivation.rules.dependence import depends
from symattn.derivation.rules.order import is_nonzero, sign
from symattn.derivation.rules.sums import total
from symattn.errors import StepError
from symattn.exact import functions
from symattn.exact.numbers import Exact, symbol
from symattn.exact.plain import to_text
from symattn.exact.terms import EMPTY, UNIT, Atom
from symattn.exact.tree import (
    Add,
    Call,
    Div,
    Indexed,
    Limit,
    Mul,
    Neg,
    Node,
    Number,
    Pow,
    Sum,
    Symbol,
)

if TYPE_CHECKING:
    from symattn.derivation.rules.normal import Form

__all__ = ["limit"]

Bindings: TypeAlias = Mapping[str, Exact]


def limit(form: Form, node: Limit, bindings: Bindings) -> Exact:
    """The limit of a tree."""
    if not form.allows("limit"):
        raise StepError("a limit needs the rule limit")
    if node.variable in bindings or node.variable in form.scope:
        raise StepError(f"limit: {node.variable} is an index here, not a variable")
    with form.moved(node):
        return _limit(form, node, node.body, bindings)


def _limit(form: Form, whole: Limit, node: Node, bindings: Bindings) -> Exact:
    def inner(part: Node) -> Exact:
        return _limit(form, whole, part, bindings)

    if not depends(form.theory, node, whole.variable):
        return form.of(node, bindings)
    match node:
        case Symbol(name=name) if name == whole.variable and whole.target == "0+":
            return Exact(EMPTY)
        case Symbol(name=name) | Indexed(name=name) if name in form.rules:
            definition = form.theory.definitions[name]
            indices = node.indices if isinstance(node, Indexed) else ()
            values = [form.of(index, bindings) for index in indices]
            own = dict(zip(definition.parameters, values, strict=True))
            return _limit(form, whole, definition.body, own)
        case Neg(body=part):
            return -inner(part)
        case Add(terms=terms):
            return sum(map(inner, terms), Exact(EMPTY))
        case Mul(factors=factors):
            product = Exact(UNIT)
            for factor in factors:
                product = product * inner(factor)
            return product
        case Div(numerator=above, denominator=below):
            bottom = inner(below)
            if not is_nonzero(form, bottom):
                raise StepError(f"limit: the denominator {to_text(below)} may tend to 0")
            return inner(above) / bottom
        case Pow(base=base, exponent=Number(value=n)) if n.denominator == 1 and n > 0:
            return inner(base) ** int(n)
        case Call(function="exp", argument=argument):
            return _exponential(form, whole, argument, bindings)
        case Sum(body=body, index=index, lower=lower, upper=upper):
            if any(depends(form.theory, bound, whole.variable) for bound in (lower, upper)):
                raise StepError("limit: the number of terms depends on the variable")
            low, high = form.of(lower, bindings), form.of(upper, bindings)
            with form.opened(low, high) as name:
                term = _limit(form, whole, body, {**bindings, index: symbol(name)})
                return total(form, name, low, high, term)
    raise StepError(f"limit: {to_text(node)} has no finite limit by the rules")


def _exponential(form: Form, whole: Limit, argument: Node, bindings: Bindings) -> Exact:
    """The limit of e^x, where x is a polynomial in the variable and its inverse."""
    x = form.of(argument, bindings)
    atom = Atom("symbol", 0, whole.variable)
    powers: dict[int, Exact] = {}
    for (exponent, radical, atoms), value in x.numerator.items():
        power = dict(atoms).get(atom, 0)
        rest = Exact({(exponent, radical, tuple(p for p in atoms if p[0] != atom)): value})
        if whole.variable in form.free(rest):
            raise StepError(f"limit: the exponent {to_text(argument)} is no polynomial")
        # As T falls to 0, 1/T rises to infinity.
        place = -power if whole.target == "0+" else power
        powers[place] = powers.get(place, Exact(EMPTY)) + rest
    if whole.variable in form.free(Exact(x.denominator)):
        raise StepError(f"limit: the exponent {to_text(argument)} is no polynomial")
    powers = {power: c for power, c in powers.items() if not form.equal(c, Exact(EMPTY))}
    top = max(powers, default=0)
    if top > 0:
        turned = whole.target == "-oo" and top % 2
        if sign(form, powers[top] if turned else -powers[top]) != "positive":
            raise StepError(f"limit: {to_text(argument)} is not known to tend to minus infinity")
        return Exact(EMPTY)
    constant = powers.get(0, Exact(EMPTY))
    return functions.exp(constant / Exact(x.denominator))
