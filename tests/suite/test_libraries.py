"""Real libraries, where they are installed: adapters work, known discrepancies are still there."""

from __future__ import annotations

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
ZERO, ONE = np.zeros((1, 1), np.float32), np.ones((1, 1), np.float32)
TWO_KEYS = np.zeros((2, 2), np.float32)

#: (library, property, smallest case, what goes wrong)
WITNESSES = [
    (SDPA, "nan-propagates", Case(np.full_like(ZERO, np.nan), ZERO, ZERO), "is no NaN, should be"),
    (SDPA, "zero-scale", Case(TWO_KEYS[:1], TWO_KEYS, TWO_KEYS, causal=True, scale=0.0), "is NaN"),
    (SDPA, "agreement", Case(TWO_KEYS[:1], TWO_KEYS, TWO_KEYS, causal=True, scale=-1.0), "is NaN"),
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
