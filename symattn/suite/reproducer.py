"""What a report puts beside a counterexample: the exact output, and a line that runs it again."""

from __future__ import annotations

import numpy as np

from symattn.errors import SymattnError
from symattn.suite.adapters import KNOWN
from symattn.suite.cases import Array, Case
from symattn.suite.declarations import Declarations, dtype_named
from symattn.suite.properties.base import Violation
from symattn.suite.truth import expected

__all__ = ["exact_output", "reproducer"]


def exact_output(violation: Violation, declarations: Declarations) -> Array | None:
    """The certified output of the case that went wrong, as floats of its type."""
    case = violation.shown
    if "cotangent" in case.extra:  # what went wrong is a gradient
        return violation.wanted
    try:
        return expected(case, declarations).output.astype(dtype_named(case.dtype))
    except SymattnError:
        return None


def reproducer(target: str, case: Case) -> str:
    """One line for a shell that calls the function on a case and prints what comes out."""
    module, _, function = target.partition(":")
    head = function.split(".")[0]
    setup = f"from {module} import {head}"
    if target in KNOWN:  # called through its adapter, on NumPy arrays
        setup = f"from symattn.suite.target import load; f = load('{target}').function"
        function = "f"
    arguments = [_literal(x, case.dtype) for x in (case.q, case.k, case.v)]
    if "cotangent" in case.extra:
        function += ".vjp"
        arguments.append(_literal(np.array(case.extra["cotangent"]), case.dtype))
    if case.mask is not None:
        kind = "bool" if case.mask.dtype == bool else case.dtype
        arguments.append(f"mask={_literal(case.mask, kind)}")
    if case.causal:
        arguments.append("causal=True")
    if case.scale is not None:
        arguments.append(f"scale={case.scale!r}")
    extra = "; import ml_dtypes" if case.dtype == "bfloat16" else ""
    line = f"import numpy as np{extra}; {setup}"
    return f'python -c "{line}; print({function}({", ".join(arguments)}))"'


def _literal(x: Array, dtype: str) -> str:
    if x.dtype == bool:
        return f"np.array({x.tolist()})"
    if 0 in x.shape:
        return f"np.zeros({x.shape}, {dtype!r})"
    numbers = np.asarray(x, dtype=np.float64).tolist()
    text = repr(numbers).replace("nan", "np.nan").replace("inf", "np.inf")
    kind = "ml_dtypes.bfloat16" if dtype == "bfloat16" else f"'{dtype}'"
    return f"np.array({text}, {kind})"
