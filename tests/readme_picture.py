"""The README's pictures: the figures of the first problem, and what its derivation prints.

`python -m tests.readme_picture` draws them again; a test holds them against the program. The
pictures of the page are taken by `python -m tests.browser.readme_pages`.
"""

from __future__ import annotations

from html import escape
from pathlib import Path

from symattn.api import derive
from symattn.derivation import Level

PICTURES = Path(__file__).parent.parent / ".pictures"
SHOWN = ("arrows", "softmax", "blend")
LINE, COLUMN, MARGIN, BAR = 19, 8.43, 18, 34


def draw() -> dict[str, str]:
    """Every picture by the name of its file."""
    figures = {figure.name: figure.to_svg() for figure in derive("ex1").pictures()}
    shown = {f"{name}.svg": figures[name] for name in SHOWN}
    return {**shown, "derive.svg": terminal()}


def terminal() -> str:
    """What the program prints as SVG: plain text in a frame, with no font from elsewhere."""
    lines = ["$ symattn derive ex1 --level brief", "", *shown_lines()]
    width = 2 * MARGIN + COLUMN * max(map(len, lines))
    height = BAR + MARGIN + LINE * len(lines)
    rows = [
        f'<text x="{MARGIN}" y="{BAR + LINE * (count + 1)}" fill="{colour(line)}"'
        f' xml:space="preserve">{escape(line)}</text>'
        for count, line in enumerate(lines)
        if line
    ]
    lights = [
        f'<circle cx="{MARGIN + 18 * k}" cy="17" r="5" fill="{fill}"/>'
        for k, fill in enumerate(("#ff6b60", "#ffc04a", "#3fcf5f"))
    ]
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height}"'
            f' viewBox="0 0 {width:.0f} {height}"'
            ' font-family="ui-monospace, DejaVu Sans Mono, monospace"'
            ' font-size="14">',
            "<title>The first problem, solved by symattn derive</title>",
            '<rect width="100%" height="100%" rx="9" fill="#1b1f27"/>',
            *lights,
            *rows,
            "</svg>",
            "",
        ]
    )


def shown_lines() -> list[str]:
    """The document from its steps on, without the rulers below titles and without blank lines."""
    text = derive("ex1").to_text(level=Level.BRIEF)
    lines = [line for line in text.splitlines() if line and set(line) - set("═─")]
    start = lines.index("1. Scores")
    stop = next(k for k, line in enumerate(lines) if line.startswith("7. Verification"))
    return [lines[0], "", *lines[start:stop]]


def colour(line: str) -> str:
    """Checks in green, formulas in white, titles in blue."""
    if line.startswith(("✓", "  ")) and not line.startswith("    "):
        return "#7bd88f"
    return "#e6e9ef" if line.startswith("    ") else "#8ab4f8"


if __name__ == "__main__":
    for name, picture in draw().items():
        (PICTURES / name).write_text(picture, encoding="utf-8")
