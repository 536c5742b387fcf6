"""A certificate checked from its data alone, without the theorems or what builds them.

Every line is proved again by the rules, from what the certificate assumes and the lines before it,
and written out under every model and decided exactly; each model must meet all assumptions, which
shows that they do not contradict each other. A certificate that was tampered with is rejected with
the step named. What a replay takes on trust is the rules, the exact core, and that the assumptions
say what the reader wants: those are in the certificate to be read.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from symattn.derivation.certificate import Certificate, from_json
from symattn.derivation.checks import assumed, written_out
from symattn.derivation.model import Line, Side
from symattn.derivation.rules.dependence import names_in
from symattn.derivation.rules.lines import prove
from symattn.derivation.rules.theory import Theory
from symattn.errors import InputError, StepError, SymattnError

__all__ = ["Replayed", "load", "replay"]


@dataclass(frozen=True)
class Replayed:
    """What was checked: the lines, the cases in which they were written out, the near misses."""

    name: str
    title: str
    lines: int
    cases: int
    near_misses: int


def load(path: Path) -> Certificate:
    """The certificate in a file.

    Raises: `InputError` for a file that holds none.
    """
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise InputError(f"{path}: the certificate cannot be read: {error}") from None
    try:
        return from_json(data)
    except InputError as error:
        raise InputError(f"{path}: {error}") from None


def replay(certificate: Certificate) -> Replayed:
    """Check a certificate from its first line to its claims.

    Raises: `StepError` naming the step that does not hold.
    """
    theory = certificate.theory
    _check_names(theory)
    if not certificate.models or not certificate.goals:
        raise StepError(f"{certificate.name}: without a claim and a model nothing is checked")
    for model in certificate.models:
        given = sorted(model.keys() & theory.definitions.keys())
        if given:
            raise StepError(f"a model gives values to {', '.join(given)}, which the theory defines")
        with _step(certificate, "the assumptions"):
            assumed(theory, model)
    lines = cases = 0
    for title, claims in certificate.steps:
        with _step(certificate, title):
            for claim in claims:
                theory = prove(claim, theory)
                lines += 1
                for model in certificate.models:
                    cases += len(written_out(claim, theory, model))
    for label, fact in certificate.goals.items():
        if theory.proved.get(label) != fact:
            raise StepError(f"{certificate.name}: the claim {label!r} is not what was proved")
    for miss in certificate.near_misses:
        with _step(certificate, miss.title):
            Line((Side(miss.left, {}), Side(miss.right, {})), (miss.relation,), decimals=False)
    return Replayed(certificate.name, certificate.title, lines, cases, len(certificate.near_misses))


@contextmanager
def _step(certificate: Certificate, title: str) -> Iterator[None]:
    try:
        yield
    except (SymattnError, ValueError, TypeError, AssertionError, RecursionError) as error:
        # A tree that makes no sense, such as an entry with an index too many, is a false step too.
        raise StepError(f"{certificate.name}, step {title!r}: {error}") from None


def _check_names(theory: Theory) -> None:
    """No definition may rest on itself, or on a name that is declared as something else."""
    known: set[str] = set()
    waiting = dict(theory.definitions)
    while waiting:
        ready = {
            name
            for name, definition in waiting.items()
            if not names_in(definition.body) & waiting.keys() - set(definition.parameters)
        }
        if not ready:
            raise StepError(f"the definitions of {', '.join(sorted(waiting))} rest on each other")
        known |= ready
        waiting = {name: d for name, d in waiting.items() if name not in ready}
    taken = known & {*theory.sizes, *theory.random, *(name for name, _ in theory.permutations)}
    if taken:
        raise StepError(f"{', '.join(sorted(taken))} is defined and declared as something else")
