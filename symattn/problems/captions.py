"""What the figures of a set-up share: whether they are wanted, names, titles and tokens."""

from __future__ import annotations

from collections.abc import Sequence

from symattn.derivation.blocks import is_open
from symattn.derivation.figures import Vector
from symattn.exact.numbers import Exact
from symattn.exact.tree import Node, Symbol
from symattn.exact.vectors import nested
from symattn.problems.model import FIGURES
from symattn.problems.page import Page

__all__ = [
    "closed",
    "figure_name",
    "figure_title",
    "numbered",
    "placed_tokens",
    "token_names",
    "wanted",
]

#: The kinds that a solution has where its problem names none.
USUAL = tuple(kind for kind in FIGURES if kind not in ("pipeline", "profiles"))


def wanted(page: Page, kind: str) -> bool:
    """Whether the set-up has figures of a kind."""
    return kind in (USUAL if page.setup.figures is None else page.setup.figures)


def figure_name(page: Page, kind: str, i: int | None = None) -> str:
    """The name of a figure: with its case in front, with its query behind where it is about one."""
    parts = [page.stem, kind, "" if page.single or i is None else str(i + 1)]
    return "-".join(part for part in parts if part)


def figure_title(page: Page, title: str) -> str:
    """The title of a figure, with that of its case in brackets."""
    about = page.setup.title or page.setup.name
    return f"{title} ({about})" if about else title


def closed(*rows: Sequence[Exact]) -> bool:
    """Whether numbers are given and no symbol is open in them."""
    return not is_open(nested(rows))


def numbered(letter: str, count: int) -> list[str]:
    """A letter with the numbers from 1 on."""
    return [f"{letter}_{i}" for i in range(1, count + 1)]


def token_names(page: Page) -> tuple[Node, ...]:
    """The tokens by the names that their author gives them, else by number."""
    return tuple(map(Symbol, page.setup.tokens or numbered("t", page.n)))


def placed_tokens(page: Page) -> list[Vector]:
    """The tokens in their places."""
    names, order = token_names(page), page.setup.permutation or range(1, page.n + 1)
    pairs = zip(order, page.solution.X or (), strict=True)
    return [Vector(names[i - 1], tuple(row), "token") for i, row in pairs]
