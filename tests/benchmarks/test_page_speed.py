"""What a page of HTML with its figures costs beside JSON, as ratios in one run.

Measured is the time of the processor from the name of a problem to the document, with the font's
cut in the cache, as from the second page on; what the first page pays for the cut is told apart.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest

import symattn as sa
from symattn.names import PROBLEMS
from symattn.render import fonts

pytestmark = pytest.mark.benchmark(group="page")
ROUNDS = 5
MOST = 1.5


def best(work: Callable[[], object]) -> float:
    """The shortest time of a few runs, in seconds of the processor."""
    times = []
    for _ in range(ROUNDS):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)


def test_a_page_takes_at_most_one_and_a_half_times_the_time_of_json(
    capsys, benchmark, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fonts, "_cache", lambda: tmp_path)
    sa.derive("ex1").to_html()
    rows, total = [], [0.0, 0.0]
    for name in PROBLEMS:
        json = best(lambda name=name: sa.derive(name).to_json())
        html = best(lambda name=name: sa.derive(name).to_html())
        rows.append(f"| {name} | {1e3 * json:.3g} ms | {1e3 * html:.3g} ms | {html / json:.2f} |")
        total[0] += json
        total[1] += html
    with capsys.disabled():
        print("", *rows, sep="\n")
    benchmark.extra_info["html over json"] = total[1] / total[0]
    benchmark.pedantic(lambda: sa.derive("ex1").to_html(), rounds=ROUNDS)
    assert total[1] <= MOST * total[0]


def test_the_first_page_cuts_the_font_once(
    capsys, benchmark, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fonts, "_cache", lambda: tmp_path)
    page = sa.derive("ex1").to_html()
    for cut in tmp_path.iterdir():
        cut.unlink()
    first = benchmark.pedantic(lambda: fonts.face(page), rounds=1)
    start = time.process_time()
    assert fonts.face(page) == first
    found = time.process_time() - start
    with capsys.disabled():
        print(f"\n| the cut, found in the cache | {1e3 * found:.2g} ms |")
    assert found < 0.2 * benchmark.stats["min"]
