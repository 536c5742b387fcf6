"""Parts of a problem by name, such as `unscaled.output[1,2]`, and expressions of them.

Indices count from 1, as on paper. `at.` leads to the values at the numbers that `at` gives to open
symbols, `limit1.` and `limit2.` to the limits in the order of the file.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import cast

from symattn.attention import EXACT, jacobian, scaled_scores
from symattn.errors import InputError, SymattnError
from symattn.exact.asymptotics import limit, substitute
from symattn.exact.numbers import Exact
from symattn.exact.parse import parse
from symattn.exact.tree import Apply, Node, Symbol, rebuild
from symattn.exact.vectors import Value, nested
from symattn.problems.model import Problem, SetUp
from symattn.problems.solve import Solution, solve

__all__ = ["PARTS", "Expression", "all_parts", "part_value", "read_expression", "stages"]

#: Part -> the letter that stands for it in formulas.
PARTS = {
    "scores": "s",
    "scaled": "x",
    "exponentials": "E",
    "total": "D",
    "weights": "alpha",
    "output": "z",
    "gradient": "g",
    "raw_gradient": "r",
}
_INDEXED = re.compile(r"([A-Za-z_]+)(?:\[([0-9, ]+)\])?")


def stages(solution: Solution) -> dict[str, Value]:
    """The parts of one set-up, one row less deep where a single query was given."""
    passed, setup = solution.forward, solution.setup
    found: dict[str, object] = {
        "scores": solution.scores,
        "scaled": solution.unmasked,
        "exponentials": passed.exponentials,
        "total": passed.total,
        "weights": passed.weights,
        "output": passed.output,
    }
    if setup.gradient:
        found["gradient"] = [jacobian(row, EXACT) for row in passed.weights]
        if setup.scale is not None:
            found["raw_gradient"] = [
                scaled_scores(jacobian(row, EXACT), setup.scale) for row in passed.weights
            ]
    values = {name: nested(value) for name, value in found.items() if value is not None}
    if setup.single:
        return {name: cast(tuple[Value, ...], value)[0] for name, value in values.items()}
    return values


def all_parts(problem: Problem) -> dict[str, Value]:
    """Every part of every set-up, limits and substituted values included.

    Raises: `InputError` naming the set-up that cannot be solved.
    """
    found: dict[str, Value] = {}
    for name, setup in problem.setups.items():
        try:
            parts = setup_parts(setup)
        except SymattnError as error:
            raise InputError(f"{f'case.{name}' if name else 'given'}: {error}") from None
        found |= {f"{name}.{part}" if name else part: value for part, value in parts.items()}
    return found


def setup_parts(setup: SetUp) -> dict[str, Value]:
    """The parts of one set-up, with `at.` and `limitN.` where it has them."""
    found = stages(solve(setup))
    here = dict(found)
    if setup.at:
        for part, value in here.items():
            found[f"at.{part}"] = _map(value, lambda x: substitute(x, setup.at))
    for count, goal in enumerate(setup.limits, start=1):
        for part in ("weights", "output"):
            if part in here:
                found[f"limit{count}.{part}"] = _map(
                    here[part], lambda x, goal=goal: limit(x, goal.symbol, goal.direction)
                )
    return found


def _map(value: Value, function: object) -> Value:
    if isinstance(value, Exact):
        return cast(Value, function(value))  # type: ignore[operator]
    return tuple(_map(entry, function) for entry in value)


def part_value(problem: Problem, reference: str) -> Value:
    """The value of a part, an entry, or a row.

    Raises: `InputError` naming the known parts, or the range of an index.
    """
    case, _, last = reference.replace(" ", "").rpartition(".")
    match = _INDEXED.fullmatch(last)
    name = f"{case}.{match[1]}" if match and case else match[1] if match else ""
    parts = cast(Mapping[str, Value], problem.parts)
    if match is None or name not in parts:
        raise InputError(f"part={reference!r} is unknown; known are {', '.join(parts)}")
    value = parts[name]
    for index in _indices(match[2]):
        if isinstance(value, Exact):
            raise InputError(f"part={reference!r} has one index too many")
        if not 1 <= index <= len(value):
            raise InputError(
                f"part={reference!r}: index {index} is out of range; "
                f"indices count from 1 to {len(value)}"
            )
        value = value[index - 1]
    return value


def _indices(text: str | None) -> list[int]:
    return [int(index) for index in text.split(",") if index.strip()] if text else []


@dataclass(frozen=True)
class Expression:
    """An expression of parts: the tree as shown, and what its names stand for."""

    shown: Node
    scope: Mapping[str, Value]


_FUNCTIONS = "entropy|max|min|sum|norm"
_CASE = r"(?:[A-Za-z][A-Za-z0-9_-]*\.)*"
_REFERENCE = re.compile(
    rf"(?:\b({_FUNCTIONS})\s*\(\s*)?({_CASE}(?:{'|'.join(PARTS)})\b(?:\[[0-9, ]+\])?)(?(1)\s*\))"
)


def read_expression(problem: Problem, text: str) -> Expression:
    """An expression such as `scaled.weights[2]/unscaled.weights[2]` or `entropy(weights[1])`.

    Raises: `InputError` for an unknown part, `ParseError` for what cannot be read.
    """
    scope: dict[str, Value] = {}
    nodes: dict[str, Node] = {}

    def hold(match: re.Match[str]) -> str:
        function, reference = match.groups()
        name = symbol_name(reference)
        scope[name] = part_value(problem, reference)
        held = f"ref_{len(nodes) + 1}"
        nodes[held] = Apply(function, (Symbol(name),)) if function else Symbol(name)
        return f"({held})"

    tree = parse(_REFERENCE.sub(hold, text), symbols=None).tree
    opened = {name for setup in problem.setups.values() for name in setup.symbols}

    def put(node: Node) -> Node:
        if not isinstance(node, Symbol) or node.name in opened:
            return node
        if node.name not in nodes:
            near = difflib.get_close_matches(node.name, [*PARTS, *opened], 1)
            hint = f"did you mean {near[0]}?" if near else f"known are {', '.join(problem.parts)}"
            raise InputError(f"{text.strip()!r}: {node.name} is no part and no open symbol; {hint}")
        return nodes[node.name]

    return Expression(rebuild(tree, put), scope)


def symbol_name(reference: str) -> str:
    """The name by which a part is shown: `unscaled.weights[2]` is alpha with unscaled, 2 below."""
    *cases, last = reference.replace(" ", "").split(".")
    match = _INDEXED.fullmatch(last)
    assert match is not None
    below = [case.replace("_", "-") for case in cases] + [str(i) for i in _indices(match[2])]
    return "_".join([PARTS[match[1]], *below])
