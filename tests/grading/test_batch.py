"""Batches: order, columns, bad rows, resume; the same bytes whatever works them out."""

from __future__ import annotations

import csv
import io
import json
import random
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from symattn.errors import InputError
from symattn.grading.batch import Job, chunks, grade_table, resumed
from symattn.grading.engines import on_processes
from symattn.grading.rows import Row
from symattn.grading.summary import Summary
from symattn.grading.tables import ENCODING, Layout, open_table

TRUTH = "1/(1 + exp(1))"
ANSWERS = [
    "0.2689",
    "0.26894",
    "1/(1+e)",
    "0.27",
    "0.28",
    "0.26",
    "0.3689",
    "27%",
    "",
    "?",
    "0.5\n0.6",
    '"',
]


def csv_text(rows: list[dict[str, str]]) -> str:
    out = io.StringIO()
    columns = list(dict.fromkeys(name for row in rows for name in row))
    writer = csv.DictWriter(out, columns, restval="", lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()


def many(count: int, seed: int = 0) -> list[dict[str, str]]:
    draw = random.Random(seed)
    return [
        {"id": str(i), "name": f"Näme, {i}", "truth": TRUTH, "answer": draw.choice(ANSWERS)}
        for i in range(count)
    ]


def run(text: str, name: str = "a.csv", engine: Any = None, **options: Any) -> str:
    table = open_table(io.StringIO(text, newline=""), name)
    out = io.StringIO(newline="")
    engine = engine or partial(on_processes, processes=1)
    size = options.pop("size", 1)
    list(grade_table(table, Job(table.layout, **options), out, engine, size=size))
    return out.getvalue()


def csv_rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text, newline="")))


def json_rows(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


def test_rows_come_back_in_order_with_all_their_columns() -> None:
    given = many(200)
    found = csv_rows(run(csv_text(given)))
    assert [{name: row[name] for name in given[0]} for row in found] == given
    assert {row["verdict"] for row in found} >= {"exact", "rounded", "wrong", "malformed"}


def test_json_rows_pass_through_whatever_they_hold() -> None:
    given = {"answer": "0.27", "truth": TRUTH, "tags": ["a", {"b": None}], "näme": "é", "n": 3}
    (found,) = json_rows(run(json.dumps(given), "a.jsonl"))
    assert {name: found[name] for name in given} == given
    assert found["schema"] == "symattn.verdict/1"
    assert found["verdict"] == "rounded"
    assert found["digits"] == 2


def test_a_column_whose_name_is_taken_comes_back_with_input_before_it() -> None:
    given = {"answer": "1", "truth": "1", "score": 7, "message": "hello", "input_score": 8}
    (found,) = json_rows(run(json.dumps(given), "a.jsonl"))
    assert found["input_message"] == "hello"
    assert found["input_score"] == 8
    assert found["input_input_score"] == 7
    assert found["score"] is None
    (row,) = csv_rows(run("answer,truth,verdict\n1,1,mine\n"))
    assert row["input_verdict"] == "mine"
    assert row["verdict"] == "exact"


def test_a_bad_row_gets_no_verdict_and_stops_no_other() -> None:
    lines = [
        '{"truth": "1/2", "answer": "0.5"}',
        "not json",
        "[1, 2]",
        '{"truth": "1/2"}',
        '{"truth": "1/0", "answer": "1"}',
        '{"answer": "1"}',
        '{"problem": "ex99", "part": "weights", "answer": "1"}',
        '{"problem": "ex1", "part": "wights", "answer": "1"}',
        '{"problem": "ex1", "part": "weights", "truth": "1", "answer": "1"}',
        '{"truth": "1/2", "answer": true}',
        "[" * 100_000,
        '{"truth": "1/2", "answer": "0.5"}',
    ]
    found = json_rows(run("\n".join(lines), "a.jsonl"))
    assert [row["verdict"] for row in found] == ["exact", *[None] * 10, "exact"]
    messages = [row["message"] for row in found]
    assert "no JSON" in messages[1]
    assert "no JSON object" in messages[2]
    assert "`answer`" in messages[3]
    assert "division by zero" in messages[4]
    assert "names neither" in messages[5]
    assert "ex99" in messages[6]
    assert "known are" in messages[7]
    assert "names both" in messages[8]
    assert "answer=True" in messages[9]


def test_a_csv_row_with_cells_missing_or_left_over_gets_no_verdict() -> None:
    found = csv_rows(run("truth,answer\n1/2,0.5\n1/2\n1/2,0.5,x\n1/2,0.5\n"))
    assert [row["verdict"] for row in found] == ["exact", "", "", "exact"]
    assert "row 2 has 1 cells, but there are 2 columns" in found[1]["message"]


def test_an_empty_answer_is_malformed_and_not_a_bad_row() -> None:
    assert csv_rows(run('truth,answer\n1/2,""\n'))[0]["verdict"] == "malformed"
    assert (
        json_rows(run('{"truth": "1/2", "answer": null}', "a.jsonl"))[0]["verdict"] == "malformed"
    )


def test_numbers_of_json_state_the_digits_with_which_they_are_written() -> None:
    lines = '{"truth": "1/3", "answer": 0.3330}\n{"truth": "(1/3, 1)", "answer": [0.33, 1]}\n'
    one, two = json_rows(run(lines, "a.jsonl"))
    assert (one["verdict"], one["digits"]) == ("wrong", 4)
    assert (two["verdict"], two["digits"]) == ("rounded", 2)


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_what_parts_the_columns_is_seen_and_kept(delimiter: str) -> None:
    text = f"truth{delimiter}answer\n1/2{delimiter}0.5\n"
    header, row = run(text).splitlines()
    assert header.split(delimiter)[:3] == ["truth", "answer", "verdict"]
    assert row.split(delimiter)[2] == "exact"


def test_bytes_that_are_no_text_pass_through(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes(b"\xef\xbb\xbfname,truth,answer\nM\xfcller,1/2,0.5\nx,1/2,0.5\xff\n")
    with path.open(**ENCODING) as stream:  # type: ignore[call-overload]
        table = open_table(stream, str(path))
        out = io.StringIO(newline="")
        list(grade_table(table, Job(table.layout), out, partial(on_processes, processes=1)))
    written = out.getvalue().encode("utf-8", "surrogateescape")
    assert b"M\xfcller,1/2,0.5,exact" in written
    assert b"0.5\xff,malformed" in written


FAULTS = [
    ("", "a.csv", "is empty"),
    ("\n\n", "a.csv", "is empty"),
    ("truth,reply\n1,1\n", "a.csv", "no column `answer`; its columns are truth, reply"),
    ("answer,answer\n1,1\n", "a.csv", "two columns named 'answer'"),
]


@pytest.mark.parametrize(("text", "name", "message"), FAULTS)
def test_a_table_without_answers_is_refused(text: str, name: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        run(text, name)


def test_one_process_and_several_write_the_same_bytes() -> None:
    text = csv_text(many(900) + students(60))
    one = run(text)
    assert run(text, size=7) == one
    assert run(text, engine=partial(on_processes, processes=2), size=50) == one
    assert run(text, engine=partial(on_processes, processes=3), size=200) == one


def students(count: int) -> list[dict[str, str]]:
    """Rows of students who carry a wrong result on, as `truth` rows would stand beside them."""
    wrong = {"weights": "(0.7, 0.1, 0.2)", "output": "(2.1, 0.3)"}
    return [
        {"id": part, "name": str(i), "truth": "", "answer": answer, "student": str(i),
         "problem": "ex1", "part": part}
        for i in range(count)
        for part, answer in wrong.items()
    ]  # fmt: skip


def test_rows_of_one_student_follow_through_and_are_never_parted() -> None:
    columns = ("student", "problem", "part", "answer")
    text = csv_text([{name: row[name] for name in columns} for row in students(40)])
    for size in (1, 2, 3, 50):
        found = csv_rows(run(text, size=size))
        assert ["carried-on" in row["mistakes"] for row in found] == [False, True] * 40


def test_chunks_part_no_group_and_are_as_large_as_asked() -> None:
    rows = [Row(i, {"student": str(i // 7), "problem": "ex1"}) for i in range(100)]
    found = list(chunks(iter(rows), Job(Layout("csv")), 10))
    assert [row.number for chunk in found for row in chunk] == list(range(100))
    assert all(len(chunk) == 14 for chunk in found[:-1])


def test_memory_is_asked_for_by_the_chunk_only() -> None:
    """The engine draws rows no further than it works ahead."""
    drawn = 0

    def endless() -> Any:
        nonlocal drawn
        while True:
            drawn += 1
            yield Row(drawn, {"truth": "1/2", "answer": "0.5"})

    layout = Layout("jsonl")
    table = type("Endless", (), {"layout": layout, "rows": endless()})()
    lines = grade_table(
        table, Job(layout), io.StringIO(), partial(on_processes, processes=1), size=10
    )
    for _ in range(25):
        next(lines)
    assert drawn <= 40


@pytest.mark.parametrize("format", ["csv", "jsonl"])
@pytest.mark.parametrize("part", [0.0, 0.001, 0.3, 0.5, 0.77, 0.999, 1.0])
def test_an_output_cut_off_anywhere_is_resumed_to_the_same_bytes(
    tmp_path: Path, format: Any, part: float
) -> None:
    given = many(300, seed=3) + students(10)
    if format == "csv":
        text, name = csv_text(given), "a.csv"
    else:
        text, name = "".join(json.dumps(row) + "\n" for row in given), "a.jsonl"
    whole = run(text, name).encode()
    path = tmp_path / name
    path.write_bytes(whole[: int(part * len(whole))])

    table = open_table(io.StringIO(text, newline=""), name)
    summary = Summary()
    job = Job(table.layout)
    done = resumed(path, table.layout, table.rows, summary)
    again = open_table(io.StringIO(text, newline=""), name)
    with path.open("a", encoding="utf-8", newline="") as out:
        engine = partial(on_processes, processes=1)
        for _, verdict, mistakes, points in grade_table(
            again, job, out, engine, size=20, done=done
        ):
            summary.add(verdict, mistakes, points)
    assert path.read_bytes() == whole
    assert summary.rows == len(given)
    if part > 0.2:
        assert done > 0


def test_an_output_of_other_answers_is_not_resumed(tmp_path: Path) -> None:
    path = tmp_path / "out.csv"
    path.write_text(run(csv_text(many(20, seed=1))))
    other = open_table(io.StringIO(csv_text(many(20, seed=2)), newline=""), "a.csv")
    with pytest.raises(InputError, match="is not that of these answers"):
        resumed(path, other.layout, other.rows, Summary())
    path.write_text("some,thing,else\n1,2,3\n")
    with pytest.raises(InputError, match="other columns"):
        resumed(path, other.layout, other.rows, Summary())
    assert path.read_text() == "some,thing,else\n1,2,3\n"


def test_the_summary_counts_verdicts_and_ranks_mistakes() -> None:
    summary = Summary()
    summary.add("rounded", (), 2.0)
    summary.add("wrong", ("no-scaling", "base-2"), 0.0)
    summary.add("wrong", ("no-scaling",), None)
    summary.add(None, (), None)
    assert summary.verdict_rows() == [
        ("rounded", 1, "25.0%"),
        ("wrong", 2, "50.0%"),
        ("no verdict", 1, "25.0%"),
    ]
    assert [row[:2] for row in summary.mistake_rows()] == [("no-scaling", 2), ("base-2", 1)]
    document = summary.to_markdown()
    assert "| wrong | 2 | 50.0% |" in document
    assert "| no-scaling | 2 | the scores are not scaled |" in document
    assert "no-scaling" in summary.to_text()


def test_a_dask_cluster_writes_the_same_bytes() -> None:
    distributed = pytest.importorskip("distributed")
    pytest.importorskip("joblib")
    from symattn.grading.engines import on_backend

    text = csv_text(many(300))
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=2, processes=False, dashboard_address=None
    ) as cluster:
        engine = partial(on_backend, backend="dask", scheduler=cluster.scheduler_address)
        assert run(text, engine=engine, size=50) == run(text)


def test_a_backend_of_joblib_writes_the_same_bytes() -> None:
    pytest.importorskip("joblib")
    from symattn.grading.engines import on_backend

    text = csv_text(many(200))
    engine = partial(on_backend, backend="threading", processes=2)
    assert run(text, engine=engine, size=50) == run(text)
