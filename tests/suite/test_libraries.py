"""Real libraries, where they are installed: adapters work, known discrepancies are still there."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import numpy as np
import pytest

from symattn.errors import InputError
from symattn.suite.adapters import KNOWN, adapted
from symattn.suite.cases import Case
from symattn.suite.outcomes import evaluate
from symattn.suite.profiles import Profile
from symattn.suite.properties import property_named
from symattn.suite.properties.base import Subject
from symattn.suite.run import check
from symattn.suite.target import probe

SDPA = "torch.nn.functional:scaled_dot_product_attention"
MULTIHEAD = "torch.nn:MultiheadAttention"
JAX = "jax.nn:dot_product_attention"
FLAX = "flax.nnx:dot_product_attention"
ONNX = "onnx.reference:ReferenceEvaluator"
KERAS = "keras.ops:dot_product_attention"

ZERO = np.zeros((1, 1), np.float32)
NAN_QUERY = Case(np.full_like(ZERO, np.nan), ZERO, ZERO)
TWO_KEYS = np.zeros((2, 2), np.float32)
HIDDEN_KEY = Case(TWO_KEYS[:1], TWO_KEYS, TWO_KEYS, causal=True)
#: One of three equal keys has the value 1: the output is 1/3.
THIRD = Case(np.zeros((2, 2)), np.zeros((3, 2)), np.repeat([[0.0], [0.0], [1.0]], 2, axis=1))
#: Scores 0 and 2: the output is 1/(1 + e^-2).
SCALED_BY_TWO = Case(np.ones((1, 1)), np.array([[0.0], [1.0]]), np.array([[0.0], [1.0]]), scale=2.0)

#: (library, property, smallest case, what goes wrong). The causes, in this order: a NaN query
#: is taken for a row without a key; a masked score is multiplied by the scale, and -inf times 0 or
#: less is NaN or +inf; the softmax is in float32 whatever the inputs; so is sqrt(scale).
WITNESSES = [
    (SDPA, "nan-propagates", NAN_QUERY, "is no NaN, should be"),
    (MULTIHEAD, "nan-propagates", NAN_QUERY, "is no NaN, should be"),
    (SDPA, "zero-scale", HIDDEN_KEY, "is NaN"),
    (SDPA, "agreement", HIDDEN_KEY.but(scale=-1.0), "is NaN"),
    (SDPA, "gradient", HIDDEN_KEY.but(scale=-1.0), "dq[0, 0] is NaN"),
    (JAX, "agreement", THIRD, "0.333333343, should be 0.333333333"),
    (JAX, "gradient", THIRD, "differs from the exact gradient"),
    (FLAX, "agreement", THIRD, "0.333333343, should be 0.333333333"),
    (ONNX, "agreement", SCALED_BY_TWO, "0.880797071, should be 0.880797078"),
]


def target(spec):
    try:
        return adapted(spec)
    except InputError as missing:
        pytest.skip(str(missing))


@pytest.mark.parametrize("spec", sorted(KNOWN))
def test_an_adapter_gives_the_output_of_the_formula(spec):
    """Only what the library declares is asked of it: three plain arrays, and a few with masks."""
    found = target(spec)
    few = Profile("few", 3, 0)
    each = [property_named(name) for name in ("agreement-plain", "single-token", "order")]
    report = check(found, dtypes=["float32"], profile=few, properties=each)
    assert [f"{o.property.name}: {o.message}" for o in report.failures] == []
    assert report.count("passed") == 3


@pytest.mark.parametrize(("spec", "name", "case", "message"), WITNESSES)
def test_a_known_discrepancy_is_still_there(spec, name, case, message):
    found = target(spec)
    subject = Subject(
        found.function, found.declarations, probe(found, case.dtype).abilities, case.dtype
    )
    violation = evaluate(property_named(name), subject, case)
    assert violation is not None, f"mended in {found.version}: take it off the list"
    assert message in violation.message


@pytest.mark.parametrize("spec", [SDPA, MULTIHEAD, JAX, FLAX])
def test_a_library_s_own_gradients_are_held_against_the_exact_ones(spec):
    found = target(spec)
    few = Profile("few", 4, 0)
    names = ("gradient", "gradient-masked", "gradient-saturated")
    report = check(
        found, dtypes=["float32"], profile=few, properties=[property_named(name) for name in names]
    )
    assert [f"{o.property.name}: {o.message}" for o in report.failures] == []
    assert report.count("passed") == len(names)


def test_keras_on_torch_hands_on_what_torch_does():
    pytest.importorskip("keras")
    pytest.importorskip("torch")
    names = ("nan-propagates", "zero-scale")
    chosen = [word for name in names for word in ("--property", name)]
    done = subprocess.run(
        [sys.executable, "-m", "symattn", "check", KERAS, "--json", *chosen],
        env=os.environ | {"KERAS_BACKEND": "torch"},
        capture_output=True,
        text=True,
        check=False,
    )
    report = json.loads(done.stdout)
    verdicts = {row["name"]: row["verdict"] for row in report["properties"]}
    assert verdicts == dict.fromkeys(names, "failed"), f"mended in {report['version']}"
