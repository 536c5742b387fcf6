"""The exact results of a set-up against NumPy, each error over its derived rounding bound.

The floats are the nearest ones to the exact inputs, whose rounding the bound counts. Where scores
are given instead of vectors, they are the queries and the unit vectors the keys: q·e_j = s_j.
Open symbols are given numbers first.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from symattn.derivation import CrossCheck
from symattn.exact.asymptotics import substitute
from symattn.exact.numbers import Exact, rational
from symattn.exact.rounding import nearest_float
from symattn.problems.model import ARRAYS, Matrix, SetUp
from symattn.problems.solve import Solution, kept_keys, solve

__all__ = ["crosscheck", "worst_error"]


def crosscheck(setups: Sequence[SetUp]) -> CrossCheck:
    """The largest error over its bound among all the set-ups.

    Raises: `StepError` where an error is larger than its bound.
    """
    worst, opened, held = 0.0, False, True
    for setup in setups:
        closed, was_open = _closed(setup)
        opened = opened or was_open
        solution = solve(closed)
        worst, held = max(worst, worst_error(solution)), held and _in_range(solution)
    conditions = " (with open symbols at sample values)" if opened else ""
    conditions += "" if held else " wherever float64 can hold the numbers"
    return CrossCheck("NumPy in float64", worst, conditions)


def worst_error(solution: Solution) -> float:
    """The largest error of NumPy's weights and outputs, over its bound.

    An error counts from the exact value, not from its float: |computed - exact| exactly.
    """
    import numpy as np

    from symattn import numeric, numeric_bounds

    q, k, options = _inputs(solution)
    if not (np.isfinite(q).all() and np.isfinite(k).all()):
        return 0.0
    weights = numeric.weights(q, k, **options)
    bound = numeric_bounds.weights_bound(q, k, **options)
    worst = _ratio(solution.forward.weights, weights, bound)
    if solution.V is not None and solution.forward.output is not None:
        v = _floats(solution.V)
        if not np.isfinite(v).all():
            return worst
        output = numeric.attention(q, k, v, **options)
        worst = max(
            worst,
            _ratio(
                solution.forward.output, output, numeric_bounds.output_bound(q, k, v, **options)
            ),
        )
    return worst


def _in_range(solution: Solution) -> bool:
    """Whether queries, keys and values are finite in float64."""
    import numpy as np

    q, k, _ = _inputs(solution)
    return all(np.isfinite(x).all() for x in (q, k, _floats(solution.V or ((),))))


def _inputs(solution: Solution) -> tuple[Any, Any, dict[str, Any]]:
    import numpy as np

    setup = solution.setup
    n, m = len(solution.unmasked), len(solution.unmasked[0])
    kept = kept_keys(setup, n, m)
    mask: Any = None if kept is None else np.array(kept)
    if solution.Q is None or solution.K is None:
        return _floats(solution.unmasked), np.eye(m), {"mask": mask, "scale": 1.0}
    if setup.bias is not None:
        mask = np.where(mask, _floats(setup.bias), -np.inf)
    assert setup.scale is not None
    scale = nearest_float(setup.scale)
    return _floats(solution.Q), _floats(solution.K), {"mask": mask, "scale": scale}


def _floats(rows: Matrix) -> Any:
    import numpy as np

    return np.array([[nearest_float(x) for x in row] for row in rows])


def _ratio(exact: Sequence[Sequence[Exact]], computed: Any, bound: Any) -> float:
    worst = 0.0
    for row, floats, bounds in zip(exact, computed.tolist(), bound.tolist(), strict=True):
        for x, y, limit in zip(row, floats, bounds, strict=True):
            error = x - rational(Fraction(y))
            size = float(abs(error.enclose(256)).upper())
            if size > 0:
                worst = max(worst, size / limit if limit else float("inf"))
    return worst


def _closed(setup: SetUp) -> tuple[SetUp, bool]:
    """The set-up with numbers for its open symbols: those of `at`, and 1/2, 1/3, ... for others."""
    names = sorted(setup.symbols)
    if not names:
        return setup, False
    values = {name: rational(1, 2 + count) for count, name in enumerate(names)} | dict(setup.at)
    return _substituted(setup, values), True


def _substituted(setup: SetUp, values: Mapping[str, Exact]) -> SetUp:
    changes: dict[str, Any] = {}
    for field in ARRAYS:
        rows = getattr(setup, field)
        if rows is not None:
            changes[field] = tuple(tuple(substitute(x, values) for x in row) for row in rows)
    if setup.scale is not None:
        changes["scale"] = substitute(setup.scale, values)
    return replace(setup, **changes)
