"""Steps for open symbols: limits by way of the largest term, and values that are put in."""

from __future__ import annotations

from dataclasses import replace

from symattn.derivation import Check, Line, Side, Step
from symattn.derivation.prose import prose
from symattn.exact.asymptotics import limit, substitute
from symattn.exact.functions import sign
from symattn.exact.numbers import Exact, rational
from symattn.exact.plain import to_text
from symattn.exact.tree import Div, Mul, Symbol
from symattn.exact.writing import number, to_tree
from symattn.problems.page import FULL, NORMAL, Page, add, exp, shown
from symattn.problems.pictures import pictures

__all__ = ["limit_steps", "value_step"]


def limit_steps(page: Page) -> list[Step]:
    """For each limit: divide by the largest term, then let the symbol go."""
    steps = [_limit_step(page, i, goal.symbol, goal.direction, goal.text)
             for goal in page.setup.limits for i in range(page.n)]  # fmt: skip
    if steps:
        steps[0] = replace(steps[0], figures=pictures(page, "curve"))
    return steps


def _limit_step(page: Page, i: int, name: str, direction: int, condition: str) -> Step:
    goals = [limit(w, name, direction) for w in page.passed.weights[i]]
    kept = page.attended(i)
    leader = _leader(goals, kept)
    lines, again = [], []
    for j in kept:
        weight = page.name("alpha", i, j)
        others = [
            exp(to_tree(page.solution.unmasked[i][l] - page.solution.unmasked[i][leader]))
            for l in kept  # noqa: E741
        ]
        above = exp(to_tree(page.solution.unmasked[i][j] - page.solution.unmasked[i][leader]))
        above = number(1) if j == leader else above
        others[kept.index(leader)] = number(1)
        divided = Div(above, add(others))
        sides = (
            Side(weight, page.scope),
            Side(divided, page.scope),
            Side(to_tree(goals[j]), page.scope),
        )
        lines.append(Line(sides, ("=", "->"), decimals=True, condition=condition))
        again += _near(page, weight, goals[j], name, direction)
    sums = add([to_tree(goal) for goal in goals])
    blended = _blended(page, i, goals, name, direction, condition)
    return Step(
        f"The limit {condition.replace('oo', '∞').replace('-∞', '−∞').replace('->', '→')}",
        prose("Divide numerator and denominator of each weight by their largest term."),
        prose(
            "Numerator and total may both grow, and then say nothing of their quotient; "
            "once the largest term is 1, every other term has a limit."
        ),
        "dominant term: divide by it, then take the limit term by term",
        (*lines, *blended[:1]),
        Check(
            ("the limits add to 1, and far out each weight is near its limit",),
            "sum exactly; (weight − limit)² < 10⁻¹⁸ at a large value",
            (
                Line((Side(sums, {}), Side(number(1), {})), decimals=False, level=FULL),
                *again,
                *blended[1:],
            ),
        ),
    )


def _leader(goals: list[Exact], kept: list[int]) -> int:
    """The key whose term is the largest far out: the one with the largest limit."""
    best = kept[0]
    for j in kept[1:]:
        gap = goals[j] - goals[best]
        if not gap.symbols() and sign(gap) > 0:
            best = j
    return best


def _blended(
    page: Page, i: int, goals: list[Exact], name: str, direction: int, condition: str
) -> list[Line]:
    """The limit of the output, and that it is the blend of the values with the limits."""
    if page.passed.output is None or page.solution.V is None:
        return []
    goal = tuple(limit(x, name, direction) for x in page.passed.output[i])
    end = Side(shown(goal), {})
    terms = [Mul((to_tree(w), shown(v))) for w, v in zip(goals, page.solution.V, strict=True)]
    arrow = Line((Side(page.name("z", i), page.scope), end), ("->",), condition=condition)
    return [arrow, Line((Side(add(terms), {}), end), decimals=False, level=FULL)]


def _near(page: Page, weight: Symbol, goal: Exact, name: str, direction: int) -> list[Line]:
    """Far out the weight is within 1e-9 of its limit; nothing where other symbols stay open."""
    here = page.scope[weight.name]
    assert isinstance(here, Exact)
    if here.symbols() - {name}:
        return []
    for power in range(2, 8):
        far = {name: rational(direction * 10**power)}
        gap = substitute(here, far) - goal
        if abs(gap.enclose(256)) < 1e-9:
            break
    square, bound = (Side(to_tree(x), {}) for x in (gap * gap, rational(1, 10**18)))
    return [Line((square, bound), ("<",), decimals=False, level=FULL)]


def value_step(page: Page) -> Step:
    """The weights (and outputs) at the numbers that `at` gives to open symbols."""
    values, names = page.setup.at, ", ".join(page.setup.at)
    scope = {**page.scope, **values}
    lines, sums = [], []
    for i in range(page.n):
        row = [substitute(w, values) for w in page.passed.weights[i]]
        for j, value in enumerate(row):
            sides = (Side(to_tree(page.passed.weights[i][j]), scope), Side(to_tree(value), scope))
            lines.append(Line(_named(page.name("alpha", i, j), value, sides)))
        if page.passed.output is not None:
            blended = tuple(substitute(x, values) for x in page.passed.output[i])
            name = page.name("z", i)
            first = Side(name, {name.name: blended})
            lines.append(Line((first, Side(shown(blended), {}, NORMAL))))
        total = add([to_tree(value) for value in row])
        sums.append(Line((Side(total, scope), Side(number(1), scope)), decimals=False, level=FULL))
    given = ", ".join(f"`{n}` = `{to_text(node)}`" for n, node in page.setup.at_shown.items())
    return Step(
        f"The weights at a value of {names}",
        prose(f"Put {given} into the weights."),
        prose("A number shows how close to its limit a weight already is."),
        "substitution",
        tuple(lines),
        Check(("the weights add to 1",), "decided exactly", tuple(sums)),
    )


def _named(name: Symbol, value: Exact, sides: tuple[Side, ...]) -> tuple[Side, ...]:
    return (Side(name, {name.name: value}), *sides[1:])
