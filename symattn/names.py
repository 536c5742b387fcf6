"""The names of what is built in, with one line each; nothing is loaded to know them."""

from __future__ import annotations

__all__ = ["PROBLEMS", "THEOREMS", "full_name"]

#: Name -> one line; the module is `symattn.theorems` with `_` for `-`.
THEOREMS: dict[str, str] = {
    "tie": "equal scores give equal weights, 1/n each",
    "onehot": "one score that grows takes all the weight",
    "shift": "a constant added to all scores changes nothing",
    "scaling": "the variance of q·k is d_k, so scores are divided by its root",
    "equivariance": "reordering the tokens reorders the outputs and nothing else",
    "normalised": "weights are positive and each row of them adds to 1",
    "zero-query": "a zero query gives the mean of the values",
    "single-token": "one token alone returns its own value",
    "convex-hull": "an output lies between the least and the greatest value",
    "order": "the ratio of two weights is e to the difference of the scores",
    "temperature": "cold softmax picks the maxima, hot softmax is uniform",
    "jacobian": "the derivative of the weights, its bound 1/4, and saturation",
    "online": "attention block by block with a running maximum",
    "masking": "a masked key has weight 0, and the others share as if it were not there",
    "rotation": "a rotation of queries and keys changes no score",
    "angle": "q·k = |q||k|cos θ, and |q·k| <= |q||k| in any dimension",
}

#: Name -> one line; the file is `problems/library/NAME.toml`.
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
