"""The steps of one query whose keys are masked, some or all of them."""

from __future__ import annotations

from symattn.derivation import Check, Step
from symattn.exact.tree import Array
from symattn.exact.writing import number
from symattn.problems.page import FULL, MINUS_INFINITY, Page, add, shown

__all__ = ["mask_step", "no_key_step"]


def mask_step(page: Page, i: int) -> Step:
    """Scores of masked keys become −∞."""
    kept = page.attended(i)
    entries = tuple(page.name("x", i, j) if j in kept else MINUS_INFINITY for j in range(page.m))
    flags = add([number(1) if j in kept else number(0) for j in range(page.m)])
    return Step(
        "Mask",
        page.text("Replace the scaled score of each key that may not be seen by `-oo`."),
        page.text("Its exponential is then 0 by convention, so it gets weight exactly 0."),
        "mask: e^(−∞) = 0",
        (page.line(Array(entries), decimals=False),),
        Check(
            (f"{len(kept)} of {page.m} keys are kept",),
            "counted",
            (page.line(flags, number(len(kept)), decimals=False, level=FULL),),
        ),
    )


def no_key_step(page: Page, i: int) -> Step:
    """A query without a key: weights and output are 0 by convention."""
    zeros = [page.line(page.name("alpha", i, j), number(0), decimals=False) for j in range(page.m)]
    if page.passed.output is not None:
        output = page.name("z", i)
        zeros.append(page.line(output, shown(page.scope[output.name]), decimals=False))
    return Step(
        "No key to attend to",
        page.text("Every key of this query is masked."),
        page.text("There is nothing to share, so the weights and the output are set to 0."),
        "convention: a row without a key gives zeros",
        tuple(zeros),
        Check(
            ("the total of the exponentials is 0",),
            "decided exactly",
            (page.line(page.name("D", i), number(0), decimals=False, level=FULL),),
        ),
    )
