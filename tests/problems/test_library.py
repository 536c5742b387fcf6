"""The ten problems of the library: solved right, the claims of their source kept as printed."""

from __future__ import annotations

import json
import re
from decimal import Decimal
from fractions import Fraction

import mpmath
import pytest

from symattn.api import derive
from symattn.derivation import Level
from symattn.exact.evaluate import evaluate
from symattn.exact.numbers import Exact
from symattn.exact.parse import parse
from symattn.exact.rounding import round_places
from symattn.exact.stated import stated
from symattn.names import PROBLEMS
from symattn.problems import load
from symattn.problems.parts import read_expression
from symattn.problems.solve import solve

mpmath.mp.dps = 80
CLOSED = [name for name in PROBLEMS if name not in ("ex3-tie", "ex4-zero-query", "ex6-limit")]


def value(x: Exact) -> mpmath.mpf:
    """An exact input as an mpmath number, by way of its text alone."""
    from symattn.exact.bridge import to_sympy

    return mpmath.mpf(str(to_sympy(x).evalf(80)))


def referee(setup) -> dict[str, list[list[mpmath.mpf]]]:
    """The forward pass in mpmath, written from the definition."""
    solution = solve(setup)
    if setup.scaled is not None:
        scaled = [[value(x) for x in row] for row in setup.scaled]
    elif setup.scores is not None:
        scaled = [[value(x) * value(setup.scale) for x in row] for row in setup.scores]
    else:
        Q, K = ([[value(x) for x in row] for row in A] for A in (solution.Q, solution.K))
        scaled = [
            [sum(a * b for a, b in zip(q, k, strict=True)) * value(setup.scale) for k in K]
            for q in Q
        ]
    exps = [[mpmath.exp(x) for x in row] for row in scaled]
    weights = [[e / sum(row) for e in row] for row in exps]
    found = {"scaled": scaled, "exponentials": exps, "weights": weights}
    if solution.V is not None:
        V = [[value(x) for x in row] for row in solution.V]
        columns = list(zip(*V, strict=True))
        found["output"] = [
            [sum(a * v for a, v in zip(row, column, strict=True)) for column in columns]
            for row in weights
        ]
    return found


@pytest.mark.parametrize("name", CLOSED)
@pytest.mark.parametrize("digits", [1, 4, 17, 50])
def test_every_decimal_is_that_of_an_independent_referee(name: str, digits: int):
    derivation, problem = derive(name), load(name)
    for case, setup in problem.setups.items():
        for part, rows in referee(setup).items():
            results = derivation.results[f"{case}.{part}" if case else part]
            results = [results] if setup.single or not isinstance(results[0], list) else results
            for own, wanted in zip(results, rows, strict=True):
                for result, number in zip(own, wanted, strict=True):
                    text = result.rounded(digits).text
                    if number == 0:
                        assert text == "0"
                        continue
                    shift = digits - 1 - int(mpmath.floor(mpmath.log10(abs(number))))
                    units = mpmath.floor(abs(number) * mpmath.mpf(10) ** shift + 0.5)
                    sign = -1 if number < 0 else 1
                    assert Fraction(text) == int(sign * units) * Fraction(10) ** -shift


@pytest.mark.parametrize("name", PROBLEMS)
def test_every_step_says_what_why_and_how_it_was_checked(name: str):
    document = json.loads(derive(name).to_json(level=Level.FULL))
    assert document["schema"] == "symattn.derivation/1"
    assert document["crosscheck"]["verdict"] == "holds"
    assert 0 <= document["crosscheck"]["worst_error_over_bound"] <= 1
    steps = list(document["steps"])
    assert len(steps) >= 4
    for step in steps:
        steps += step["steps"]
        assert step["title"]
        assert step["check"]["claim"]
        assert step["check"]["verdict"] == "holds"
        assert step["what"] or step["steps"]


@pytest.mark.parametrize("name", PROBLEMS)
def test_each_problem_has_cells_forecast_claims_and_questions(name: str):
    problem = load(name)
    assert problem.forecast
    assert problem.conclusion
    assert problem.claims
    assert problem.asks
    assert problem.verify or problem.also
    assert problem.cells or name == "walkthrough"


def test_the_cells_of_the_scenario_matrix_are_all_covered():
    cells = {cell for name in PROBLEMS for cell in load(name).cells}
    assert cells == set("ABCDEFGHIJ")


def claims():
    for name in PROBLEMS:
        for claim in load(name).claims:
            yield pytest.param(name, claim, id=f"{name}-{claim.part or claim.expression}")


def test_every_claim_names_a_part_that_exists_and_text_that_can_be_read():
    for name in PROBLEMS:
        problem = load(name)
        for claim in problem.claims:
            if claim.part:
                problem.value(claim.part)
            else:
                read_expression(problem, claim.expression)
            for part in claim.names.values():
                problem.value(part)
            printed = claim.printed if "," not in claim.printed or claim.printed[0] in "([" else ""
            if printed:
                parse(printed, symbols=None)


#: What the source prints wrongly at the precision at which it prints it.
FALSE = {
    ("ex8-telemetry", "total"): ("21.454", "21.453"),
    ("walkthrough", "blend.output[2]"): ("0.990", "0.991"),
    ("ex8-telemetry", "weights[1]"): ("0.9363", "0.9362"),
}


@pytest.mark.parametrize("name", PROBLEMS)
def test_a_printed_value_that_is_false_is_never_printed_as_ours(name: str):
    problem, derivation = load(name), derive(name)
    for part, printed in printed_decimals(problem):
        here = stated(parse(printed).tree)
        truth = problem.value(part)
        if here is None or not isinstance(truth, Exact) or truth.symbols() or not here.digits:
            continue
        right = round_places(truth, -here.exponent).text
        if Decimal(right) == Decimal(here.units).scaleb(here.exponent):
            continue
        if printed in roundings(problem, -here.exponent):
            continue  # false here, but true of another part that is rightly printed
        for level in (Level.BRIEF, Level.NORMAL, Level.FULL):
            text = derivation.to_text(digits=max(here.digits, 1), level=level)
            tokens = set(re.findall(r"[0-9]+\.[0-9]+", text))
            assert printed not in tokens, f"{part}: {printed} is printed, the value is {right}"


def roundings(problem, places: int) -> set[str]:
    """The decimals of all closed parts to so many places."""
    found: set[str] = set()
    values = list(problem.parts.values())
    while values:
        value = values.pop()
        if not isinstance(value, Exact):
            values += value
        elif not value.symbols():
            found.add(round_places(value, places).text)
    return found


def printed_decimals(problem):
    """The single decimals that the claims print, those in vectors entry by entry."""
    for claim in problem.claims:
        if not claim.part or claim.relation == "about":
            continue
        numbers = re.findall(r"-?[0-9]+\.[0-9]+(?:e-?[0-9]+)?", claim.printed)
        vector = "," in claim.printed
        for count, number in enumerate(numbers, start=1):
            index = (
                claim.part[:-1] + f",{count}]"
                if claim.part.endswith("]")
                else f"{claim.part}[{count}]"
            )
            yield (index if vector else claim.part), number


@pytest.mark.parametrize(("key", "values"), FALSE.items(), ids=lambda x: str(x[0]))
def test_known_false_values_are_in_the_claims_and_differ_from_the_truth(key, values):
    name, part = key
    printed, right = values
    problem = load(name)
    assert any(printed in claim.printed for claim in problem.claims)
    places = len(printed.split(".")[1])
    assert round_places(problem.value(part), places).text == right


def test_the_factor_of_5900_is_one_of_weights_and_not_of_gradients():
    problem = load("ex5")
    for expression, text in (
        ("scaled.weights[2]/unscaled.weights[2]", "5924.098"),
        ("scaled.gradient[2,2]/unscaled.gradient[2,2]", "4331"),
        ("scaled.raw_gradient[2,2]/unscaled.raw_gradient[2,2]", "433.1"),
    ):
        found = read_expression(problem, expression)
        number = evaluate(found.shown, found.scope)
        places = len(text.partition(".")[2])
        assert round_places(number, places).text == text
    conclusion = derive("ex5").to_text()
    assert "4331" in conclusion
    assert "433.1" in conclusion


def test_a_short_name_will_do():
    assert load("ex7") is load("ex7-matrix")
