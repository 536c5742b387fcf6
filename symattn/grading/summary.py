"""What a batch came to: how many answers got which verdict, and which mistakes they show."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from symattn.grading.decimals import counted
from symattn.grading.mistakes import known
from symattn.grading.verdict import ORDER

__all__ = ["Summary"]

#: Mistakes that the Markdown summary lists.
MOST = 10
NONE = "no verdict"


@dataclass
class Summary:
    """Counts of verdicts and mistakes, added up row by row."""

    verdicts: Counter[str] = field(default_factory=Counter)
    mistakes: Counter[str] = field(default_factory=Counter)
    points: float = 0.0
    scored: int = 0

    def add(self, verdict: str | None, mistakes: Iterable[str], score: float | None) -> None:
        """Count one row; a row without a verdict is None."""
        self.verdicts[verdict or NONE] += 1
        self.mistakes.update(mistakes)
        if score is not None:
            self.points += score
            self.scored += 1

    @property
    def rows(self) -> int:
        """How many rows there were."""
        return self.verdicts.total()

    @property
    def without(self) -> int:
        """How many rows got no verdict."""
        return self.verdicts[NONE]

    def verdict_rows(self) -> list[tuple[str, int, str]]:
        """Each verdict that occurred, best first: its name, its count and its share."""
        names = (*reversed(ORDER), NONE)
        counts = [(name, self.verdicts[name]) for name in names if self.verdicts[name]]
        return [(name, count, _percent(count, self.rows)) for name, count in counts]

    def mistake_rows(self) -> list[tuple[str, int, str]]:
        """Each mistake that was recognised, most frequent first: its id, count and title."""
        titles = known()
        ranked = sorted(self.mistakes.items(), key=lambda item: (-item[1], item[0]))
        return [(name, count, titles.get(name, "")) for name, count in ranked]

    def to_markdown(self) -> str:
        """The summary as a Markdown document."""
        lines = [f"# {counted(self.rows, 'answer')}", ""]
        lines += _table(("verdict", "answers", "share"), self.verdict_rows())
        if self.scored:
            mean = f"{self.points / self.scored:.2f}"
            lines += [
                "",
                f"Points: {self.points:g} for {counted(self.scored, 'answer')}, on average",
            ]
            lines[-1] += f" {mean}."
        lines += ["", "## The most frequent mistakes", ""]
        rows = self.mistake_rows()[:MOST]
        lines += _table(("mistake", "answers", "what happened"), rows) if rows else ["None."]
        return "\n".join(lines) + "\n"

    def to_text(self) -> str:
        """The summary as plain lines."""
        lines = [counted(self.rows, "answer")]
        lines += [
            f"  {name:<12}{count:>9}  {share:>6}" for name, count, share in self.verdict_rows()
        ]
        if self.mistakes:
            lines.append("mistakes")
            lines += [
                f"  {count:>9}  {name}: {title}" for name, count, title in self.mistake_rows()
            ]
        return "\n".join(lines) + "\n"


def _percent(count: int, total: int) -> str:
    tenths = (2000 * count + total) // (2 * total)
    return f"{tenths // 10}.{tenths % 10}%"


def _table(header: tuple[str, ...], rows: Iterable[tuple[object, ...]]) -> list[str]:
    lines = ["| " + " | ".join(header) + " |", "|---|---:|---|"]
    return lines + ["| " + " | ".join(str(cell) for cell in row) + " |" for row in rows]
