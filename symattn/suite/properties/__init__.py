"""The properties, one per theorem, in the order in which reports show them."""

from __future__ import annotations

from symattn.errors import InputError
from symattn.suite.properties import (
    conduct,
    definition,
    extensions,
    gradients,
    masking,
    softmax,
    symmetry,
)
from symattn.suite.properties.base import Property

__all__ = ["PROPERTIES", "Property", "property_named"]

PROPERTIES: tuple[Property, ...] = (
    *definition.PROPERTIES,
    *softmax.PROPERTIES,
    *symmetry.PROPERTIES,
    *masking.PROPERTIES,
    *conduct.PROPERTIES,
    *extensions.PROPERTIES,
    *gradients.PROPERTIES,
)


def property_named(name: str) -> Property:
    """The property called `name`.

    >>> property_named("tie").theorem
    'tie'
    """
    for found in PROPERTIES:
        if found.name == name:
            return found
    raise InputError(
        f"there is no property {name!r}; there are {', '.join(p.name for p in PROPERTIES)}"
    )
