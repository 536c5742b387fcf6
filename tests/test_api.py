"""What Python users give to documents and results is checked at the edge."""

from __future__ import annotations

from typing import Any

import pytest

import symattn as sa
from symattn.derivation import Level
from symattn.errors import InputError


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"level": "huge"}, "level='huge' is unknown; known are brief, normal, full"),
        ({"level": 7}, "level=7 is unknown"),
        ({"digits": "4"}, "digits='4': a whole number from 1 to"),
        ({"digits": 0}, "digits=0"),
        ({"digits": 10**6}, "digits=1000000"),
        ({"digits": True}, "digits=True"),
        ({"ties": "x"}, "ties='x' is unknown"),
    ],
)
def test_options_of_a_document_are_checked(options: dict[str, Any], message: str):
    derivation = sa.derive("ex3")
    for write in (derivation.to_text, derivation.to_markdown, derivation.to_json):
        with pytest.raises(InputError) as caught:
            write(**options)
        assert message in str(caught.value)


def test_a_level_may_be_named():
    derivation = sa.derive("ex3")
    assert derivation.to_text(level="full") == derivation.to_text(level=Level.FULL)


@pytest.mark.parametrize("digits", [0, -1, 5000, "4", None, 2.0])
def test_digits_of_a_result_are_checked(digits: Any):
    weight = sa.derive("ex3").results["weights"][0]
    with pytest.raises(InputError, match="digits="):
        weight.rounded(digits)


@pytest.mark.parametrize("target", [5, None, "", ["ex1"]])
def test_a_target_is_a_name_or_a_file(target: Any):
    with pytest.raises(InputError, match="a name or a file is needed"):
        sa.derive(target)


def test_the_surface_of_the_package_is_what_it_says():
    for name in sa.__all__:
        assert getattr(sa, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = sa.nothing
