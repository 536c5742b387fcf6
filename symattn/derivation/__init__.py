"""Derivations as data: steps checked when they are built, and the stream that renders them."""

from symattn.derivation.formats import FORMATS
from symattn.derivation.model import (
    Check,
    CrossCheck,
    Derivation,
    Level,
    Line,
    Recipe,
    Result,
    Side,
    Step,
)
from symattn.derivation.prose import Prose, prose

__all__ = [
    "FORMATS",
    "Check",
    "CrossCheck",
    "Derivation",
    "Level",
    "Line",
    "Prose",
    "Recipe",
    "Result",
    "Side",
    "Step",
    "prose",
]
