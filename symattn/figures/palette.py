"""The colours of the roles, for a light and a dark ground.

Hues follow Okabe and Ito's set, which readers with any kind of colour blindness tell apart; each
is moved so far to the dark or to the light that text has a contrast of 4.5 with the ground and
marks have one of 3 (WCAG 2.1, 1.4.3 and 1.4.11). No colour says anything alone: arrows are named
and differ in width or dashes, bars and cells have an outline, a name and their number.
"""

from __future__ import annotations

from typing import NamedTuple

from symattn.figures.scene import Tone

__all__ = ["DARK", "LIGHT", "TONES", "Shade", "contrast"]


class Shade(NamedTuple):
    """A tone as ink, for lines and text, and as a fill that text in ink can be read on."""

    ink: str
    fill: str


#: Tone -> its shades on paper.
LIGHT: dict[Tone, Shade] = {
    "token": Shade("#4d5966", "#87939f"),
    "query": Shade("#b0450c", "#d9743c"),
    "key": Shade("#0068b0", "#4c96d0"),
    "value": Shade("#00735a", "#2fa187"),
    "output": Shade("#8f2a7c", "#c673b6"),
    "weight": Shade("#3d58a8", "#5f8dd3"),
    "score": Shade("#7f5a00", "#bb861a"),
    "ink": Shade("#1b1f24", "#1b1f24"),
    "muted": Shade("#59626d", "#59626d"),
    "faint": Shade("#dde1e6", "#eef0f3"),
    "paper": Shade("#ffffff", "#ffffff"),
}
#: Tone -> its shades on a dark ground.
DARK: dict[Tone, Shade] = {
    "token": Shade("#aeb8c4", "#5f6b79"),
    "query": Shade("#ff9e66", "#a2532a"),
    "key": Shade("#66b6ff", "#2b6fa8"),
    "value": Shade("#45cfa8", "#1c7a62"),
    "output": Shade("#e592d8", "#9a4d8c"),
    "weight": Shade("#9db4ff", "#4862c4"),
    "score": Shade("#e3b54a", "#83641a"),
    "ink": Shade("#eceef1", "#eceef1"),
    "muted": Shade("#a7b0bb", "#a7b0bb"),
    "faint": Shade("#39404a", "#262c34"),
    "paper": Shade("#14171c", "#14171c"),
}
TONES: tuple[Tone, ...] = tuple(LIGHT)


def contrast(first: str, second: str) -> float:
    """The contrast of two colours `#rrggbb` by WCAG 2.1, from 1 to 21.

    >>> round(contrast("#000000", "#ffffff"), 2)
    21.0
    """
    light, dark = sorted((_luminance(first), _luminance(second)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: str) -> float:
    channels = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
