"""How thoroughly to check: examples for each property, and how long to shrink what fails."""

from __future__ import annotations

from dataclasses import dataclass

from symattn.errors import InputError

__all__ = ["PROFILES", "Profile", "profile_named"]


@dataclass(frozen=True, slots=True)
class Profile:
    """Examples for an ordinary property, and seconds of shrinking for one that fails."""

    name: str
    examples: int
    shrink_seconds: float


PROFILES = {
    "quick": Profile("quick", 24, 2.0),
    "ci": Profile("ci", 100, 5.0),
    "nightly": Profile("nightly", 1500, 30.0),
}


def profile_named(name: str) -> Profile:
    """The profile called quick, ci or nightly.

    >>> profile_named("quick").examples
    24
    """
    if name not in PROFILES:
        raise InputError(f"profile={name!r} must be one of {', '.join(PROFILES)}")
    return PROFILES[name]
