"""How thoroughly to check: examples for each property, and how much to shrink what fails."""

from __future__ import annotations

from dataclasses import dataclass

from symattn.errors import InputError

__all__ = ["PROFILES", "Profile", "profile_named"]


@dataclass(frozen=True, slots=True)
class Profile:
    """Examples for an ordinary property, and steps of shrinking for all that fail together."""

    name: str
    examples: int
    shrink_calls: int


PROFILES = {
    "quick": Profile("quick", 16, 3000),
    "ci": Profile("ci", 100, 10_000),
    "nightly": Profile("nightly", 1500, 50_000),
}


def profile_named(name: str) -> Profile:
    """The profile called quick, ci or nightly.

    >>> profile_named("quick").examples
    16
    """
    if name not in PROFILES:
        raise InputError(f"profile={name!r} must be one of {', '.join(PROFILES)}")
    return PROFILES[name]
