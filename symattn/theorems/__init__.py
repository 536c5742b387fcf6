"""What there is to derive: a theorem a file, and its line in `symattn.names.THEOREMS`.

A theorem's module holds one function `prove(given)`, which returns a finished `Proof`; `given` is
the number of keys for which its lines are written out, or None.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping

from symattn.derivation import Derivation
from symattn.derivation.proof import Proof
from symattn.errors import InputError
from symattn.names import THEOREMS

__all__ = ["derive", "names", "prove"]


def names() -> tuple[str, ...]:
    """The names of all theorems.

    >>> names()[0]
    'tie'
    """
    return tuple(THEOREMS)


def prove(name: str, given: Mapping[str, int] | None = None) -> Proof:
    """The finished proof of a theorem, for its derivation and its certificate.

    Raises: `InputError` for an unknown name or something else than a number of keys in `given`.
    """
    if name not in THEOREMS:
        raise InputError(f"theorem={name!r} is unknown; known are {', '.join(THEOREMS)}")
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
