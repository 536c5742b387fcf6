"""Every colour can be read and told apart, on paper and on a dark ground."""

from __future__ import annotations

from itertools import combinations

import pytest

from symattn.figures.palette import DARK, LIGHT, TONES, Shade, contrast
from symattn.figures.scene import Tone

GROUNDS = {
    "light": (LIGHT, ["#ffffff", "#f6f8fa", "#f5f5f0"]),
    "dark": (DARK, ["#000000", "#0d1117", "#14171c", "#1e1e1e"]),
}
DRAWN = [tone for tone in TONES if tone not in ("faint", "paper", "ink", "muted")]

#: What colour-blind eyes see of red, green and blue, linear (Viénot, Brettel and Mollon 1999).
PROTAN = ((0.11238, 0.88762, 0.0), (0.11238, 0.88762, 0.0), (0.00401, -0.00401, 1.0))
DEUTAN = ((0.29275, 0.70725, 0.0), (0.29275, 0.70725, 0.0), (-0.02234, 0.02234, 1.0))


@pytest.fixture(params=GROUNDS)
def shades(request: pytest.FixtureRequest) -> tuple[dict[Tone, Shade], list[str]]:
    return GROUNDS[request.param]


def test_text_has_a_contrast_of_four_and_a_half(shades: tuple[dict[Tone, Shade], list[str]]):
    palette, grounds = shades
    for tone in (*DRAWN, "ink", "muted"):
        for ground in grounds:
            assert contrast(palette[tone].ink, ground) >= 4.5, (tone, ground)


def test_marks_have_a_contrast_of_three(shades: tuple[dict[Tone, Shade], list[str]]):
    palette, _ = shades
    for tone in DRAWN:
        assert contrast(palette[tone].fill, palette["paper"].fill) >= 3, tone


@pytest.mark.parametrize("strength", [k / 20 for k in range(21)])
def test_ink_can_be_read_on_cells_and_bars_of_any_strength(
    shades: tuple[dict[Tone, Shade], list[str]], strength: float
):
    palette, _ = shades
    mixed = mix(palette["weight"].fill, palette["paper"].fill, strength)
    assert contrast(palette["ink"].ink, mixed) >= 4.5


def mix(colour: str, ground: str, strength: float) -> str:
    pairs = zip(channels(colour), channels(ground), strict=True)
    return "#" + "".join(f"{round(strength * a + (1 - strength) * b):02x}" for a, b in pairs)


def channels(colour: str) -> list[int]:
    return [int(colour[i : i + 2], 16) for i in (1, 3, 5)]


@pytest.mark.parametrize("seen", [PROTAN, DEUTAN], ids=["protan", "deutan"])
def test_the_arrows_of_one_picture_differ_for_colour_blind_eyes(
    shades: tuple[dict[Tone, Shade], list[str]], seen: tuple[tuple[float, ...], ...]
):
    palette, _ = shades
    for first, second in combinations(("query", "key", "value", "output"), 2):
        a, b = [through(seen, palette[tone].ink) for tone in (first, second)]  # type: ignore[index]
        assert sum((x - y) ** 2 for x, y in zip(a, b, strict=True)) ** 0.5 > 24, (first, second)


def through(seen: tuple[tuple[float, ...], ...], colour: str) -> list[float]:
    linear = [(c / 255) ** 2.2 for c in channels(colour)]
    mixed = [sum(w * c for w, c in zip(row, linear, strict=True)) for row in seen]
    return [255 * max(c, 0.0) ** (1 / 2.2) for c in mixed]


def test_contrast_is_that_of_the_standard():
    assert contrast("#000000", "#ffffff") == contrast("#ffffff", "#000000") == 21
    assert contrast("#777777", "#777777") == 1
    assert round(contrast("#767676", "#ffffff"), 2) == 4.54
