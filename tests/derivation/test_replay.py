"""A certificate is checked from its data alone, and one that was tampered with is rejected."""

from __future__ import annotations

import copy
import json
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

from symattn import theorems
from symattn.derivation.certificate import dumps, from_json
from symattn.derivation.nodes import KINDS, decode, encode
from symattn.derivation.notation import read
from symattn.derivation.replay import replay
from symattn.errors import InputError, StepError

Json = dict[str, Any]


@cache
def text(name: str) -> str:
    return dumps(theorems.prove(name).certificate())


def data(name: str = "tie") -> Json:
    found: Json = json.loads(text(name))
    return found


def test_a_certificate_survives_the_way_through_text():
    proof = theorems.prove("tie")
    assert from_json(data()) == proof.certificate()


def test_replay_counts_what_it_checked():
    done = replay(from_json(data()))
    assert (done.lines, done.near_misses) == (3, 1)
    assert done.cases > 20


def test_replay_loads_neither_theorems_nor_what_builds_them():
    code = (
        "import json, sys\n"
        "from symattn.derivation.certificate import from_json\n"
        "from symattn.derivation.replay import replay\n"
        "replay(from_json(json.loads(sys.stdin.read())))\n"
        "print([m for m in sys.modules if m.startswith('symattn.theorems')"
        " or m in ('sympy', 'numpy', 'symattn.derivation.proof', 'symattn.problems')])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], input=text("tie"), capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"


def wrong_side(d: Json) -> None:
    d["steps"][0]["lines"][0]["sides"][2] = encode(read("n*exp(2*c)"))


def without_a_reason(d: Json) -> None:
    d["steps"][0]["lines"][0]["by"][1] = []


def without_a_step(d: Json) -> None:
    del d["steps"][0]


def an_assumption_less(d: Json) -> None:
    del d["assumptions"]["tie"]


def a_claim_that_was_not_proved(d: Json) -> None:
    d["claims"]["weights"]["right"] = encode(read("2/n"))


def a_larger_range(d: Json) -> None:
    d["steps"][1]["lines"][0]["ranges"][0][2] = encode(read("n + 1"))


def an_equal_near_miss(d: Json) -> None:
    d["near_misses"][0]["left"] = d["near_misses"][0]["right"]


def a_model_against_the_assumptions(d: Json) -> None:
    d["models"][2]["s"]["entries"][1] = encode(read("c + 1"))


def a_contradiction(d: Json) -> None:
    d["assumptions"]["no keys"] = {**d["assumptions"]["keys"], "relation": "<"}


def a_definition_of_itself(d: Json) -> None:
    d["definitions"]["Z"]["body"] = encode(read("Z + 1"))


def a_model_of_what_is_defined(d: Json) -> None:
    d["models"][0]["Z"] = encode(read("7"))


def an_index_too_many(d: Json) -> None:
    d["steps"][1]["lines"][0]["sides"][0] = encode(read("alpha[i, i]"))


def no_models(d: Json) -> None:
    d["models"] = []


def no_claims(d: Json) -> None:
    d["claims"] = {}


TAMPERED = {
    wrong_side: "The total",
    without_a_reason: "The total",
    without_a_step: "The weights",
    an_assumption_less: "The total",
    a_claim_that_was_not_proved: "'weights' is not what was proved",
    a_larger_range: "The weights",
    an_equal_near_miss: "A near miss",
    a_model_against_the_assumptions: "assumption 'tie'",
    a_contradiction: "assumption 'no keys'",
    a_definition_of_itself: "rest on each other",
    a_model_of_what_is_defined: "gives values to Z",
    an_index_too_many: "The weights",
    no_models: "nothing is checked",
    no_claims: "nothing is checked",
}


@pytest.mark.parametrize("tamper", TAMPERED, ids=lambda f: f.__name__)
def test_a_tampered_certificate_is_rejected_with_the_step_named(tamper: Callable[[Json], None]):
    changed = copy.deepcopy(data())
    tamper(changed)
    with pytest.raises(StepError, match=TAMPERED[tamper]):
        replay(from_json(changed))


def test_an_induction_without_its_base_is_rejected():
    changed = data("online")
    for step in changed["steps"]:
        step["lines"] = [one for one in step["lines"] if one["label"] != "base l"]
    with pytest.raises(StepError, match=r"Any number of blocks: the total.*base"):
        replay(from_json(changed))


def test_an_induction_may_not_use_its_step_as_a_fact():
    """What was proved under a hypothesis holds under it alone."""
    changed = data("online")
    for step in changed["steps"]:
        for one in step["lines"]:
            if one["label"] == "state l":
                one.update(method="chain", by=[["step l"]])
    with pytest.raises(StepError, match="Any number of blocks: the total"):
        replay(from_json(changed))


def test_cases_that_leave_something_out_are_rejected():
    changed = data("scaling")
    for step in changed["steps"]:
        for one in step["lines"]:
            if one["label"] == "covariance of q":
                one["by"] = [["q different", "q different"]]
    with pytest.raises(StepError, match="Products of two entries of q"):
        replay(from_json(changed))


@pytest.mark.parametrize(
    "damaged",
    [
        ["Import", "os"],
        ["Symbol", "__import__('os')"],
        ["Symbol", "@1"],
        ["Call", "system", ["Number", "1"]],
        ["Add", ["Number", "1"]],
        ["Div", ["Number", "1"]],
        ["Number", "1e999999999/0"],
        ["Number", 3],
        ["Neg"],
        "x",
        [],
        None,
    ],
    ids=str,
)
def test_only_the_known_kinds_of_nodes_are_read(damaged: Any):
    with pytest.raises(InputError):
        decode(damaged)


def test_a_tree_that_is_nested_without_end_is_refused():
    nested: Any = ["Number", "1"]
    for _ in range(200):
        nested = ["Neg", nested]
    with pytest.raises(InputError):
        decode(nested)


@pytest.mark.parametrize("broken", ["{}", '{"schema": "symattn.certificate/1"}', "[1]"])
def test_what_is_no_certificate_is_refused(broken: str):
    with pytest.raises(InputError):
        from_json(json.loads(broken))


def test_every_kind_of_node_is_decoded_as_it_was_encoded():
    tree = read(
        "Sum(-s[j]*exp(pi)/2**3 + delta(i, j)*sqrt(d), j, 1, n)"
        " + lim(1/M, M, oo) + E(q[1]) + D(a[1], a[2]) + cos(x)"
    )
    assert decode(encode(tree)) == tree
    used = json.dumps(encode(tree))
    assert {kind for kind in KINDS if f'"{kind}"' not in used} == {"Array", "Apply"}
