"""The checker under wrong steps: no wrong variant of any line of any theorem is accepted.

A variant is wrong where a model refutes it, exactly. One that is accepted and not refuted is proved
equivalent by the rules, and is counted apart, as is one that is neither accepted nor refuted.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from symattn import theorems
from symattn.derivation.rules.lines import Claim, prove
from symattn.derivation.rules.theory import Theory
from symattn.errors import StepError
from symattn.exact.tree import Node
from symattn.names import THEOREMS
from tests.theorems.mutants import false_bounds, is_wrong, mutants

MOST = 14  # variants of one right-hand side that are tried


def single_links(claim: Claim) -> list[Claim]:
    """A chain as one line for each of its links."""
    if claim.method != "chain":
        return [claim]
    pairs = zip(claim.nodes, claim.nodes[1:], claim.relations, claim.by, strict=False)
    return [
        replace(claim, label=f"{claim.label} #{i}", nodes=(a, b), relations=(r,), by=(by,))
        for i, (a, b, r, by) in enumerate(pairs)
    ]


def outcome(link: Claim, variant: Node, theory: Theory, models: list) -> str:
    """Killed, survived, equivalent, or neither accepted nor refuted."""
    wrong = replace(link, nodes=(link.nodes[0], variant))
    left = link.nodes[1] if link.relations[0] == "=" else link.nodes[0]
    refuted = is_wrong(left, link.relations[0], variant, link, theory, models)
    try:
        prove(wrong, theory)
    except StepError:
        return "killed" if refuted else "neither"
    return "survived" if refuted else "equivalent"


@pytest.mark.parametrize("name", THEOREMS)
def test_no_wrong_variant_of_a_line_is_accepted(name: str):
    certificate = theorems.prove(name).certificate()
    theory, total = certificate.theory, Counter[str]()
    models = list(certificate.models)
    small = models[:1] + models[1:3] + models[-1:] if len(models) > 3 else models
    for title, claims in certificate.steps:
        step = Counter[str]()
        for claim in claims:
            for link in single_links(claim):
                indices = [r.index for r in claim.ranges]
                step.update(tried(link, indices, theory, small))
            theory = prove(claim, theory)
        assert step["survived"] == 0, f"{name}, {title}: {step}"
        assert step["killed"] >= 3, f"{name}, {title}: {step}"
        total += step
    print(name, dict(total))


def tried(link: Claim, indices: list[str], theory: Theory, models: list) -> Counter[str]:
    found = Counter[str]()
    seen: set[Node] = {link.nodes[1]}
    wrong = list(mutants(link.nodes[1], indices))
    if link.relations[0] != "=":
        wrong = [*false_bounds(link.nodes[0], link.relations[0]), *wrong]
    for kind, variant in wrong:
        if variant in seen or len(seen) > MOST:
            continue
        seen.add(variant)
        result = outcome(link, variant, theory, models)
        assert result != "survived", f"{link.label}: {kind} gives {variant}, which is accepted"
        found[result] += 1
    return found
