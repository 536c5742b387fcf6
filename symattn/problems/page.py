"""What the steps of one set-up are written on: its solution, the names in force, and small helpers.

Names: s_j scores, x_j scaled scores, D the total of the exponentials, alpha_j weights, z the
output; with a query's number in front, s_i_j, where there are several queries.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from symattn.derivation import Level, Line, Side
from symattn.derivation.prose import Prose, prose
from symattn.errors import InputError
from symattn.exact.numbers import Exact
from symattn.exact.tree import Add, Apply, Array, Call, Div, Mul, Neg, Node, Symbol
from symattn.exact.vectors import Value, nested
from symattn.exact.writing import number, to_tree
from symattn.problems.solve import Solution

__all__ = ["MINUS_INFINITY", "Page", "shown"]

BRIEF, NORMAL, FULL = Level.BRIEF, Level.NORMAL, Level.FULL
MINUS_INFINITY = Symbol("-oo")


class Page:
    """The scope and the shapes of one set-up."""

    def __init__(self, solution: Solution) -> None:
        self.solution = solution
        self.setup = solution.setup
        self.passed = solution.forward
        self.single = solution.setup.single
        self.n, self.m = len(solution.unmasked), len(solution.unmasked[0])
        self.scope: dict[str, Value] = {}
        self.stem = ""  # what the names of its figures start with
        self.drawn: set[str] = set()  # the kinds of figures that it has
        self._define()

    def _define(self) -> None:
        s, define = self.solution, self.define
        for name, rows in (("q", s.Q), ("k", s.K), ("v", s.V)):
            for i, row in enumerate(rows or (), start=1):
                define(Symbol("q") if name == "q" and self.single else Symbol(f"{name}_{i}"), row)
        for name, matrix in (("Q", s.Q), ("K", s.K), ("V", s.V), ("S", s.scores)):
            if matrix is not None:
                define(Symbol(name), matrix)
        for i in range(self.n):
            for j in range(self.m):
                if s.scores is not None:
                    define(self.name("s", i, j), s.scores[i][j])
                define(self.name("x", i, j), s.unmasked[i][j])
                define(self.name("alpha", i, j), self.passed.weights[i][j])
            define(self.name("D", i), self.passed.total[i])
            if self.passed.output is not None:
                define(self.name("z", i), tuple(self.passed.output[i]))
        define(Symbol("A"), nested(self.passed.weights))
        if self.passed.output is not None:
            define(Symbol("Z"), nested(self.passed.output))

    def define(self, symbol: Symbol, value: Value | Sequence[Value]) -> Symbol:
        """Let a name stand for a value on this page.

        Raises: `InputError` where the problem leaves a symbol of that name open.
        """
        if symbol.name in self.setup.symbols:
            where = f"case.{self.setup.name}" if self.setup.name else "given"
            raise InputError(
                f"{where}: the open symbol {symbol.name} has a name that the solution needs for "
                "something of its own, like q, s_1, x_1, D or z; give it another, such as a or u_1"
            )
        self.scope[symbol.name] = value if isinstance(value, Exact) else tuple(value)
        return symbol

    def name(self, letter: str, i: int, j: int | None = None) -> Symbol:
        """A letter with its indices: the query's number only where there are several."""
        indices = ([] if self.single else [i + 1]) + ([] if j is None else [j + 1])
        return Symbol("_".join([letter, *map(str, indices)]))

    @property
    def is_open(self) -> bool:
        """Whether a symbol is left open in the scores or the values."""
        values = [x for row in self.solution.unmasked for x in row]
        values += [x for row in self.solution.V or () for x in row]
        return any(x.symbols() for x in values)

    @property
    def chosen(self) -> int:
        """The query that figures about one query are about: that in focus, else the first."""
        return (self.setup.focus or 1) - 1

    def attended(self, i: int) -> list[int]:
        """The keys that query i attends to."""
        return [j for j, x in enumerate(self.passed.scaled[i]) if x is not None]

    def line(
        self,
        *sides: Node | tuple[Node, Level],
        decimals: bool = True,
        level: Level = BRIEF,
        relation: str = "=",
    ) -> Line:
        """A chain of equalities (or of another relation) between trees, each with its level."""
        made: list[Side] = []
        for side in sides:
            node, own = side if isinstance(side, tuple) else (side, BRIEF)
            if made and made[-1].shown == node:
                own = min(own, made.pop().level)
            made.append(Side(node, self.scope, own))
        relations = (relation,) * (len(made) - 1) if len(made) > 1 else ()
        return Line(tuple(made), relations, decimals, level)  # type: ignore[arg-type]

    def text(self, markup: str) -> Prose:
        """A sentence whose numbers come from this page."""
        return prose(markup, self.scope)

    def scaled_symbolic(self, score: Node) -> Node:
        """A score times the scale, as on paper: s/√d_k, or c·s for a scale of one's own."""
        factor = self.setup.scale_shown
        assert factor is not None
        match factor:
            case Div(numerator, denominator) if numerator == number(1):
                return Div(score, denominator)
            case _ if factor == number(1):
                return score
            case _:
                return Mul((factor, score))

    def scaled_side(self, i: int, j: int) -> list[Node | tuple[Node, Level]]:
        """The sides of the chain from the raw score to the scaled one."""
        raw = self.solution.scores
        assert raw is not None
        sides: list[Node | tuple[Node, Level]] = [
            (self._biased(self.scaled_symbolic(self.name("s", i, j)), i, j), NORMAL),
            (self._biased(self._scaled_number(to_tree(raw[i][j])), i, j), NORMAL),
        ]
        return [*sides, to_tree(self.solution.unmasked[i][j])]

    def _scaled_number(self, score: Node) -> Node:
        """A scaled number with its sign in front: -(1/√2) for (-1)/√2."""
        if isinstance(score, Neg):
            return Neg(self.scaled_symbolic(score.body))
        return self.scaled_symbolic(score)

    def _biased(self, node: Node, i: int, j: int) -> Node:
        bias = self.setup.bias
        if bias is None or not bias[i][j].numerator:
            return node
        return add([node, to_tree(bias[i][j])])


def shown(value: Value | Sequence[Any]) -> Node:
    """A value as a tree: numbers in their normal form, vectors and matrices entry by entry."""
    if isinstance(value, Exact):
        return to_tree(value)
    return Array(tuple(shown(entry) for entry in value))


def add(terms: Sequence[Node]) -> Node:
    """A sum, or its only term."""
    return terms[0] if len(terms) == 1 else Add(tuple(terms))


def multiply(factors: Sequence[Node]) -> Node:
    """A product, or its only factor."""
    return factors[0] if len(factors) == 1 else Mul(tuple(factors))


def exp(node: Node) -> Node:
    """e to a power."""
    return Call("exp", node)


def dot(left: Node, right: Node) -> Node:
    """A dot product."""
    return Apply("dot", (left, right))


def difference(left: Node, right: Node) -> Node:
    """left - right."""
    return Add((left, Neg(right)))
