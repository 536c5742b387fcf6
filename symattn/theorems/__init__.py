"""What there is to derive: a theorem a file, its name in `NAMES` the one line that adds it.

A theorem's module holds one function `prove(given)`, which returns a finished `Proof`; `given` is
the number of keys for which its lines are written out, or None.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping

from symattn.derivation import Derivation
from symattn.derivation.proof import Proof
from symattn.errors import InputError

__all__ = ["NAMES", "derive", "names", "prove"]

#: Name -> its line in `symattn list`; the module is the name with `_` for `-`.
NAMES = {
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


def names() -> tuple[str, ...]:
    """The names of all theorems.

    >>> names()[0]
    'tie'
    """
    return tuple(NAMES)


def prove(name: str, given: Mapping[str, int] | None = None) -> Proof:
    """The finished proof of a theorem, for its derivation and its certificate.

    Raises: `InputError` for an unknown name or something else than a number of keys in `given`.
    """
    if name not in NAMES:
        raise InputError(f"theorem={name!r} is unknown; known are {', '.join(NAMES)}")
    unknown = set(given or {}) - {"n"}
    if unknown or any(n < 1 for n in (given or {}).values()):
        raise InputError(f"given={dict(given or {})!r}: a theorem takes n=1, 2, ... alone")
    module = importlib.import_module(f"symattn.theorems.{name.replace('-', '_')}")
    proof = module.prove((given or {}).get("n"))
    assert isinstance(proof, Proof)
    return proof


def derive(name: str, given: Mapping[str, int] | None = None) -> Derivation:
    """The derivation of a theorem; `given={"n": 3}` writes its lines out for three keys.

    >>> derive("tie").title
    'Equal scores give equal weights'

    Raises: as `prove`.
    """
    return prove(name, given).derivation()
