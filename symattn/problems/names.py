"""The names of the library's problems with one line each; no file is read to know them."""

from __future__ import annotations

__all__ = ["PROBLEMS", "full_name"]

#: Name -> one line; the file is `library/NAME.toml`.
PROBLEMS = {
    "ex1-aligned": "one query over an aligned, an opposed and an orthogonal key",
    "ex2-negative": "negative scores give small weights, never negative ones",
    "ex3-tie": "equal scores give equal weights: the plain mean",
    "ex4-zero-query": "a zero query attends to every key alike",
    "ex5-scaling": "what dividing by √d_k does to the weights and to the gradient",
    "ex6-limit": "one score grows without bound: the weights go one-hot",
    "ex7-matrix": "three tokens at once: the softmax is taken row by row",
    "ex8-telemetry": "a pressure drop is found across time",
    "ex9-permutation": "reordering the tokens reorders the outputs and nothing else",
    "walkthrough": "the whole formula in eight steps on three tokens",
}


def full_name(name: str) -> str | None:
    """The full name of a problem from its name or its first part, `ex7` or `ex7-matrix`.

    >>> full_name("ex7"), full_name("ex10")
    ('ex7-matrix', None)
    """
    if name in PROBLEMS:
        return name
    return next((full for full in PROBLEMS if full.split("-")[0] == name), None)
