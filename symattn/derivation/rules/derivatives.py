r"""The rule **differentiation**: sums, products, quotients, powers and exponentials term by term.

\partial s_i / \partial s_j = \delta_{ij}; a finite sum is differentiated in each term. A defined
name that depends on the variable must be unfolded by the step, never taken for a constant.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, TypeAlias

from symattn.derivation.rules.dependence import depends
from symattn.derivation.rules.sums import total
from symattn.errors import StepError
from symattn.exact.numbers import Exact, symbol
from symattn.exact.plain import to_text
from symattn.exact.terms import UNIT
from symattn.exact.tree import Add, Call, Div, Indexed, Mul, Neg, Node, Number, Pow, Sum, Symbol

if TYPE_CHECKING:
    from symattn.derivation.rules.normal import Form

__all__ = ["derivative"]

Bindings: TypeAlias = Mapping[str, Exact]


def derivative(form: Form, body: Node, by: Indexed | Symbol, bindings: Bindings) -> Exact:
    """The derivative of a tree by a symbol or an entry."""
    if not form.allows("differentiation"):
        raise StepError("a derivative needs the rule differentiation")
    if by.name in form.theory.definitions or by.name in form.scope or by.name in bindings:
        raise StepError(f"differentiation: {by.name} is not a variable of its own")

    def d(node: Node, inner: Bindings) -> Exact:
        if not depends(form.theory, node, by.name):
            return Exact({})
        match node:
            case Symbol() if node == by:
                return Exact(UNIT)
            case Indexed(name=name, indices=indices) if name == by.name and isinstance(by, Indexed):
                found = Exact(UNIT)
                for mine, its in zip(indices, by.indices, strict=True):
                    found = found * form.kronecker(form.of(mine, inner), form.of(its, bindings))
                return found
            case Symbol(name=name) | Indexed(name=name) if name in form.rules:
                definition = form.theory.definitions[name]
                indices = node.indices if isinstance(node, Indexed) else ()
                values = [form.of(index, inner) for index in indices]
                return d(definition.body, dict(zip(definition.parameters, values, strict=True)))
            case Neg(body=part):
                return -d(part, inner)
            case Add(terms=terms):
                return sum((d(term, inner) for term in terms), Exact({}))
            case Mul(factors=(first, *rest)):
                other: Node = rest[0] if len(rest) == 1 else Mul(tuple(rest))
                left, right = form.of(first, inner), form.of(other, inner)
                return d(first, inner) * right + left * d(other, inner)
            case Div(numerator=above, denominator=below):
                u, v = form.of(above, inner), form.nonzero(form.of(below, inner), below)
                return (d(above, inner) * v - u * d(below, inner)) / (v * v)
            case Pow(base=base, exponent=Number(value=n)) if n.denominator == 1 and n > 0:
                return form.of(base, inner) ** int(n - 1) * d(base, inner) * n
            case Call(function="exp", argument=argument):
                return form.of(node, inner) * d(argument, inner)
            case Sum(body=part, index=index, lower=lower, upper=upper):
                low, high = form.of(lower, inner), form.of(upper, inner)
                with form.opened(low, high) as name:
                    term = d(part, {**inner, index: symbol(name)})
                    return total(form, name, low, high, term)
        raise StepError(
            f"differentiation: {to_text(node)} depends on {by.name} and is not unfolded"
        )

    return d(body, bindings)
