"""The style sheets: of a page of its own, and of a fragment within somebody else's page.

`content.css` styles what both have, `page.css` what only a page has: its margins, its list of
contents and how it is printed. In a fragment all rules are nested, so that they change nothing else
on the page; it is dark where the notebook around it is.
"""

from __future__ import annotations

from importlib import resources

from symattn.figures import svg

__all__ = ["FRAGMENT", "fragment_style", "page_style"]

#: The class of a fragment's outermost element.
FRAGMENT = "symattn"
_LIGHT = (
    "--paper: #fff; --ink: #1c1e24; --soft: #5a5f6b; --line: #dfe2e8; --wash: #f5f6f9;"
    " --accent: #2a4fa8; --good: #1d6b3c; --ask: #fbf5e4; --ask-line: #d9b44a;"
)
_DARK = (
    "--paper: #15171c; --ink: #e6e6e3; --soft: #a3a8b4; --line: #33373f; --wash: #1e2127;"
    " --accent: #9db8ff; --good: #86d3a2; --ask: #262216; --ask-line: #a98c3a;"
)
_FRAME = (
    "background: var(--paper); color: var(--ink); padding: .5rem 1rem; max-width: 48rem;"
    " font: 1rem/1.6 Charter, 'Bitstream Charter', 'Sitka Text', Cambria, 'Noto Serif', serif;"
)
#: How notebooks say that they are dark.
_NOTEBOOK = ":is([data-jp-theme-light=false], .vscode-dark)"


def _sheet(name: str) -> str:
    return resources.files(__package__).joinpath(name).read_text("utf-8")


def page_style() -> str:
    """The style of a page, which is dark where its reader asks for it."""
    return (
        f":root {{ color-scheme: light dark; {_LIGHT} }}\n"
        f"@media (prefers-color-scheme: dark) {{ :root {{ {_DARK} }} }}\n"
        f"{_sheet('content.css')}{_sheet('page.css')}{svg.STYLE}"
    )


def fragment_style() -> str:
    """The style of a fragment, which holds within it alone."""
    return (
        f".{FRAGMENT} {{ {_LIGHT} {_FRAME}\n{_sheet('content.css')}}}\n"
        f"{_NOTEBOOK} .{FRAGMENT} {{ {_DARK} {svg.dark_rules()} }}"
    )
