"""A problem as a derivation: what is given, the steps of each set-up, the author's, the closing."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, cast

from symattn.derivation import Check, Derivation, Level, Line, Result, Side, Step
from symattn.derivation.prose import Prose, prose
from symattn.errors import InputError, SymattnError
from symattn.exact.numbers import Exact, rational
from symattn.exact.tree import Add, Apply, Node, Symbol
from symattn.exact.vectors import Value
from symattn.exact.writing import number
from symattn.problems.author import author_steps, problem_prose
from symattn.problems.crosscheck import crosscheck
from symattn.problems.extras import (
    gradient_step,
    permutation_step,
    projection_step,
    unit_row,
)
from symattn.problems.limits import limit_steps, value_step
from symattn.problems.matrix import matrix_steps
from symattn.problems.model import Problem
from symattn.problems.page import Page, add, shown
from symattn.problems.pictures import pictures, profiles
from symattn.problems.row import row_steps
from symattn.problems.setups import same_scale
from symattn.problems.solve import kept_keys, solve
from symattn.problems.walk import walk_through

__all__ = ["derive_problem"]


def derive_problem(problem: Problem) -> Derivation:
    """The whole solution of a problem, every step checked.

    Raises: `InputError` for what an author wrote and does not hold.
    """
    pages = {name: Page(solve(setup)) for name, setup in problem.setups.items()}
    _name_apart(pages)
    steps = _steps(pages[""]) if "" in pages else []
    cases = [_case(page, name, _steps(page)) for name, page in pages.items() if name]
    if problem.case_title and cases:
        claim = _sum_claim([page for name, page in pages.items() if name], "in every case ")
        cases = [_group(problem.case_title, cases, claim)]
    last = author_steps(problem, problem.also, "also")
    last += [_closing(pages), *author_steps(problem, problem.verify, "verify")]
    side_by_side = profiles(pages.values(), problem.case_title or "The weights of the cases")
    if cases and side_by_side:
        about = cases if problem.case_title else last
        about[0] = replace(about[0], figures=side_by_side)
    steps += cases + last
    whole = tuple(figure for page in pages.values() for figure in pictures(page, "pipeline"))
    first = pages.get("")
    return Derivation(
        name=problem.name,
        kind="problem",
        title=problem.title,
        statement=_words(problem, "statement") or _statement(problem),
        given=_given(first) if first is not None else (),
        steps=tuple(steps),
        conclusion=_words(problem, "conclusion"),
        results={part: _results(cast(Value, value)) for part, value in problem.parts.items()},
        crosscheck=crosscheck(list(problem.setups.values())),
        forecast=_words(problem, "forecast"),
        tags=problem.cells,
        figures=whole,
        notes=(
            *dict.fromkeys(n for setup in problem.setups.values() for n in setup.notes),
            *_undrawn(pages),
        ),
        recipe=problem.recipe,
    )


def _words(problem: Problem, key: str) -> Prose:
    """A text of the author's.

    Raises: `InputError` naming the key.
    """
    try:
        return problem_prose(problem, getattr(problem, key))
    except SymattnError as error:
        raise InputError(f"{key}: {error}") from None


def _name_apart(pages: Mapping[str, Page]) -> None:
    """Names that files can have, and that differ, for the figures of each case."""
    taken: set[str] = set()
    for name, page in pages.items():
        plain = "".join(c if c.isascii() and c.isalnum() else "-" for c in name)
        stem = "-".join(filter(None, plain.split("-")))
        page.stem = stem
        for count in itertools.count(2):
            if page.stem.lower() not in taken:
                break
            page.stem = f"{stem}-case{count}".strip("-")
        taken.add(page.stem.lower())


def _undrawn(pages: Mapping[str, Page]) -> list[str]:
    """A note about the kinds of figures that were asked for and could not be drawn anywhere."""
    asked = dict.fromkeys(kind for page in pages.values() for kind in page.setup.figures or ())
    missing = [kind for kind in asked if not any(kind in page.drawn for page in pages.values())]
    if not missing:
        return []
    return [f"Figures that these numbers do not allow: {', '.join(missing)}."]


def _results(value: Value) -> Any:
    return Result(value) if isinstance(value, Exact) else [_results(entry) for entry in value]


def _steps(page: Page) -> list[Step]:
    setup = page.setup
    attends = all(page.attended(i) for i in range(page.n))
    if setup.X is not None and setup.projects and setup.focus is not None and attends:
        return walk_through(page, setup.focus - 1)
    steps = [projection_step(page)] if setup.X is not None and setup.projects else []
    steps += row_steps(page) if page.single else matrix_steps(page)
    if setup.gradient:
        steps.append(gradient_step(page))
    steps += limit_steps(page)
    if setup.at:
        steps.append(value_step(page))
    if setup.permutation is not None and setup.X is not None:
        steps.append(permutation_step(page))
    return steps


def _case(page: Page, name: str, steps: list[Step]) -> Step:
    """A set-up of its own as one step that holds its steps."""
    title = page.setup.title or f"Case {name}"
    return Step(
        title,
        page.text(page.setup.remark),
        (),
        "",
        _given(page),
        Check((_sum_claim([page]),), "decided exactly", _sums(page)),
        tuple(steps),
    )


def _group(title: str, steps: list[Step], claim: str) -> Step:
    """Steps under one title, with their checks as its check."""
    lines = tuple(line for step in steps for line in step.check.lines)
    return Step(
        title,
        (),
        (),
        "",
        (),
        Check((claim,), "decided exactly", lines),
        tuple(steps),
    )


def _given(page: Page) -> tuple[Line, ...]:
    """What the set-up gives, as definitions."""
    setup = page.setup
    lines: list[Line] = []

    def show(symbol: Symbol, value: Any) -> None:
        page.define(symbol, value)
        lines.append(page.line(symbol, shown(value), decimals=False))

    if setup.X is not None:
        for name in ("X", "W_Q", "W_K", "W_V"):
            if (matrix := getattr(setup, name)) is not None:
                show(Symbol(name), matrix)
        lines += _places(page)
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
    if setup.scale is not None and not same_scale(setup):
        show(Symbol("scale"), setup.scale)
    kept = kept_keys(setup, page.n, page.m)
    if kept is not None:
        flags = [tuple(rational(int(keep)) for keep in row) for row in kept]
        show(Symbol("mask"), flags[0] if page.single else flags)
    return tuple(lines)


def _places(page: Page) -> list[Line]:
    """Where tokens are reordered or encoded: what stands in each place; and who asks whom."""
    setup, X = page.setup, Symbol("X")
    lines: list[Line] = []
    if setup.permutation is not None or setup.positional is not None:
        moved = page.define(Symbol("X_placed"), page.solution.X or ())
        order = setup.permutation or tuple(range(1, page.n + 1))
        rows = page.define(Symbol("P"), [unit_row(page.n, k) for k in order])
        lines.append(page.line(rows, shown(page.scope["P"]), decimals=False))
        placed: Node = Apply("matmul", (rows, X))
        if setup.positional is not None:
            encoding = page.define(Symbol("E_pos"), setup.positional)
            lines.append(page.line(encoding, shown(setup.positional), decimals=False))
            placed = Add((placed, encoding))
        lines.append(page.line(moved, placed, shown(page.solution.X or ()), decimals=False))
        X = moved
    if not setup.projects:
        lines.append(page.line(*map(Symbol, "QKV"), X, decimals=False))
    return lines


def _sums(page: Page) -> tuple[Line, ...]:
    """For each query: its weights add to 1 (to 0 where it has no key)."""
    return tuple(
        page.line(
            add([page.name("alpha", i, j) for j in range(page.m)]),
            number(1 if page.attended(i) else 0),
            decimals=False,
            level=Level.FULL,
        )
        for i in range(page.n)
    )


def _sum_claim(pages: Iterable[Page], start: str = "") -> str:
    """What the weights add to, where some query may have no key."""
    pages = [*pages]
    if not all(page.attended(i) for page in pages for i in range(page.n)):
        return start + "the weights of a query add to 1, or to 0 where it has no key"
    return start + (
        "the weights add to 1"
        if all(p.single for p in pages)
        else "the weights of every query add to 1"
    )


def _closing(pages: dict[str, Page]) -> Step:
    """The closing verification: in every row the exact weights add to exactly 1, or to 0."""
    lines: list[Line] = []
    again: list[Line] = []
    single = len(pages) == 1 and all(page.single for page in pages.values())
    claim = "the written-out weights add to exactly 1"
    if not all(page.attended(i) for page in pages.values() for i in range(page.n)):
        claim += ", or to 0 where a query has no key"
    for case, page in pages.items():
        for i in range(page.n):
            named = {_name(page, case, i, j).name: page.passed.weights[i][j] for j in range(page.m)}
            total = Side(number(1 if page.attended(i) else 0), {})
            short, written = add([*map(Symbol, named)]), add([*map(shown, named.values())])
            lines.append(Line((Side(short, named), total), decimals=False))
            again.append(Line((Side(written, {}), total), decimals=False, level=Level.FULL))
    return Step(
        "Verification",
        ("Add the weights." if single else "Add the weights of each query.",),
        ("Rounded weights may miss 1 in the last digit; the exact ones may not.",),
        "normalisation: Σ_j α_j = 1",
        tuple(lines),
        Check((claim,), "decided exactly", tuple(again)),
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
