"""A problem as a derivation: what is given, the steps of each set-up, the author's, the closing."""

from __future__ import annotations

from typing import Any, cast

from symattn.derivation import Check, Derivation, Level, Line, Result, Side, Step
from symattn.derivation.prose import Prose, prose
from symattn.exact.numbers import Exact
from symattn.exact.tree import Symbol
from symattn.exact.vectors import Value
from symattn.exact.writing import number
from symattn.problems.author import author_steps, problem_prose
from symattn.problems.crosscheck import crosscheck
from symattn.problems.extras import (
    gradient_step,
    limit_steps,
    permutation_step,
    projection_step,
    value_step,
)
from symattn.problems.matrix import matrix_steps
from symattn.problems.model import Problem, SetUp
from symattn.problems.page import NORMAL, Page, add, shown
from symattn.problems.row import row_steps
from symattn.problems.solve import solve

__all__ = ["derive_problem"]


def derive_problem(problem: Problem) -> Derivation:
    """The whole solution of a problem, every step checked.

    Raises: `InputError` for what an author wrote and does not hold.
    """
    pages = {name: Page(solve(setup)) for name, setup in problem.setups.items()}
    steps: list[Step] = []
    for name, page in pages.items():
        own = _steps(page)
        steps += own if not name else [_case(page, name, own)]
    steps += author_steps(problem, problem.also, "also")
    steps += [_closing(pages), *author_steps(problem, problem.verify, "verify")]
    first = pages.get("")
    return Derivation(
        name=problem.name,
        kind="problem",
        title=problem.title,
        statement=problem_prose(problem, problem.statement) or _statement(problem),
        given=_given(first) if first is not None else (),
        steps=tuple(steps),
        conclusion=problem_prose(problem, problem.conclusion),
        results={part: _results(cast(Value, value)) for part, value in problem.parts.items()},
        crosscheck=crosscheck(list(problem.setups.values())),
        forecast=problem_prose(problem, problem.forecast),
        tags=problem.cells,
        notes=tuple(dict.fromkeys(n for setup in problem.setups.values() for n in setup.notes)),
    )


def _results(value: Value) -> Any:
    return Result(value) if isinstance(value, Exact) else [_results(entry) for entry in value]


def _steps(page: Page) -> list[Step]:
    setup = page.setup
    steps = [projection_step(page)] if setup.X is not None and _projects(setup) else []
    steps += row_steps(page) if page.single else matrix_steps(page)
    if setup.gradient:
        steps.append(gradient_step(page))
    steps += limit_steps(page)
    if setup.at:
        steps.append(value_step(page))
    if setup.permutation is not None and setup.X is not None:
        steps.append(permutation_step(page))
    return steps


def _projects(setup: SetUp) -> bool:
    return any(W is not None for W in (setup.W_Q, setup.W_K, setup.W_V))


def _case(page: Page, name: str, steps: list[Step]) -> Step:
    """A set-up of its own as one step that holds its steps."""
    title = page.setup.title or f"Case {name}"
    return Step(
        title,
        page.text(page.setup.remark),
        (),
        "",
        _given(page),
        Check(("the weights of every query add to 1",), "decided exactly", _sums(page)),
        tuple(steps),
    )


def _given(page: Page) -> tuple[Line, ...]:
    """What the set-up gives, as definitions."""
    setup, solution = page.setup, page.solution
    lines: list[Line] = []

    def show(symbol: Symbol, value: Any) -> None:
        page.define(symbol, value)
        lines.append(page.line(symbol, shown(value), decimals=False))

    if setup.X is not None:
        for name in ("X", "W_Q", "W_K", "W_V"):
            if (matrix := getattr(solution.setup, name)) is not None:
                show(Symbol(name), matrix)
    elif setup.Q is not None and page.single:
        show(Symbol("q"), setup.Q[0])
        for j, key in enumerate(setup.K or (), start=1):
            show(Symbol(f"k_{j}"), key)
    elif setup.Q is not None:
        show(Symbol("Q"), setup.Q)
        show(Symbol("K"), setup.K)
    rows = setup.scaled or setup.scores
    if rows is not None:
        letter = "x" if setup.scaled is not None else "s"
        value = rows[0] if page.single else rows
        show(Symbol(letter if page.single or letter == "x" else "S"), value)
    if setup.V is not None and setup.X is None:
        if page.single:
            for j, v in enumerate(setup.V, start=1):
                show(Symbol(f"v_{j}"), v)
        else:
            show(Symbol("V"), setup.V)
    return tuple(lines)


def _sums(page: Page) -> tuple[Line, ...]:
    """For each query: its weights add to 1 (to 0 where it has no key)."""
    return tuple(
        page.line(
            add([page.name("alpha", i, j) for j in range(page.m)]),
            number(1 if page.attended(i) else 0),
            decimals=False,
            level=NORMAL,
        )
        for i in range(page.n)
    )


def _closing(pages: dict[str, Page]) -> Step:
    """The closing verification: in every row the exact weights add to exactly 1."""
    lines: list[Line] = []
    again: list[Line] = []
    for case, page in pages.items():
        for i in range(page.n):
            named = {_name(page, case, i, j).name: page.passed.weights[i][j] for j in range(page.m)}
            total = Side(number(1 if page.attended(i) else 0), {})
            short, written = add([*map(Symbol, named)]), add([*map(shown, named.values())])
            lines.append(Line((Side(short, named), total), decimals=False))
            again.append(Line((Side(written, {}), total), decimals=False, level=Level.FULL))
    return Step(
        "Verification",
        ("Add the weights of each query.",),
        ("Rounded weights may miss 1 in the last digit; the exact ones may not.",),
        "normalisation: Σ_j α_j = 1",
        tuple(lines),
        Check(("the written-out weights add to exactly 1",), "decided exactly", tuple(again)),
    )


def _name(page: Page, case: str, i: int, j: int) -> Symbol:
    """The name of a weight with its case in it."""
    indices = [case] if case else []
    indices += [] if page.single else [str(i + 1)]
    return Symbol("_".join(["alpha", *indices, str(j + 1)]))


def _statement(problem: Problem) -> Prose:
    """What is asked, where the author says nothing."""
    setup = next(iter(problem.setups.values()))
    what = "weights and outputs" if setup.V is not None or setup.X is not None else "weights"
    if setup.scaled is not None:
        return prose(f"Find the attention {what} for the scaled scores that are given.")
    return prose(f"Find the scores, the scaled scores and the attention {what}.")
