"""`symattn verify`: statuses, formats, negative answers, batches, interruption."""

from __future__ import annotations

import csv
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from symattn.cli import main

WEIGHT = "1/(2 + exp(1/sqrt(2)))"  # 0.24825...
Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    def runs(*arguments: str | Path) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as end:
            main([str(argument) for argument in arguments])
        out, err = capsys.readouterr()
        assert isinstance(end.value.code, int)
        return end.value.code, out, err

    return runs


STATUSES = [
    ("0.2483", 0, "rounded"),
    ("1/(2+e^(1/sqrt 2))", 0, "exact"),
    ("0.2482", 1, "misrounded"),
    ("0.3483", 1, "wrong"),
    ("a quarter", 1, "malformed"),
    ("", 1, "malformed"),
]


@pytest.mark.parametrize(("answer", "status", "verdict"), STATUSES)
def test_the_status_is_that_of_the_verdict(
    run: Run, answer: str, status: int, verdict: str
) -> None:
    code, out, err = run("verify", "--truth", WEIGHT, answer)
    assert (code, err) == (status, "")
    assert out.startswith(f"{verdict}: ")


NEGATIVE = [
    "-0.5",
    "-.5",
    "-1/2",
    "-e^0/2",
    "-cosh(0)/2",
    "-tanh(0) - 1/2",
    "-ofile",
    "-h/2",
    "-√(1/4)",
]


@pytest.mark.parametrize("answer", NEGATIVE)
def test_a_negative_answer_needs_no_dashes_before_it(run: Run, answer: str) -> None:
    for arguments in (
        ("--truth", "-1/2", answer),
        (answer, "--truth", "-1/2"),
        ("--truth=-1/2", answer),
    ):
        code, out, err = run("verify", *arguments)
        readable = answer not in ("-ofile", "-h/2")
        assert err == ""
        assert code == (0 if readable else 1)
        assert out.startswith("exact" if readable else "malformed")


def test_two_dashes_still_end_the_options(run: Run) -> None:
    assert run("verify", "--truth", "-1/2", "--", "-0.5")[0] == 0


def test_problem_names_are_completed() -> None:
    from click.shell_completion import ShellComplete

    from symattn.cli import cli

    class Plain(ShellComplete):
        name, source_template = "plain", ""

    found = Plain(cli, {}, "symattn", "_SYMATTN_COMPLETE").get_completions(["verify"], "ex7")
    assert [item.value for item in found] == ["ex7-matrix"]


def test_one_part_of_a_problem(run: Run) -> None:
    code, out, _ = run("verify", "ex1", "weights", "(0.5760, 0.1400, 0.2840)")
    assert code == 0
    code, out, _ = run("verify", "ex1-aligned", "weights[1]", "0.665")
    assert code == 1
    assert "mistake no-scaling: " in out
    assert "true value: " in out


def test_json_is_one_document_of_the_schema(run: Run) -> None:
    code, out, _ = run("verify", "ex1", "weights", "(0.576, 0.14, 0.2)", "--json")
    found = json.loads(out)
    assert code == 1
    assert list(found) == [
        "schema",
        "verdict",
        "digits",
        "mistakes",
        "message",
        "entries",
        "score",
        "expected",
    ]
    assert found["schema"] == "symattn.verdict/1"
    assert [entry["verdict"] for entry in found["entries"]] == ["rounded", "rounded", "wrong"]
    assert found["digits"] == 1
    assert found["expected"]["decimal"][0] == "0.57597534521536197"
    again = run("verify", "--truth", found["expected"]["exact"], out and "(0.576, 0.14, 0.284)")
    assert again[0] == 0


def test_digits_and_ties_shape_the_decimals_of_the_true_value(run: Run) -> None:
    assert "≈ 0.248255078\n" in run("verify", "--truth", WEIGHT, "0.2483", "--digits", "9")[1]
    assert "≈ 0.13\n" in run("verify", "--truth", "1/8", "0.13", "--digits", "2")[1]
    even = run("verify", "--truth", "1/8", "0.13", "--digits", "2", "--ties", "half-even")
    assert "≈ 0.12\n" in even[1]
    assert "true value: 1/8 = 0.125\n" in run("verify", "--truth", "1/8", "0.13")[1]
    found = json.loads(run("verify", "--truth", "1/3", "0.3", "--json", "--digits", "3")[1])
    assert found["expected"]["decimal"] == "0.333"


def test_a_decimal_comma_is_read_where_it_is_declared(run: Run) -> None:
    code, out, _ = run("verify", "--truth", "(1/2; 1/4)", "(0,5; 0,25)", "--decimal-comma")
    assert (code, out.startswith("exact")) == (0, True)


UNUSABLE = [
    (("--truth", "1/0", "1"), "truth='1/0' has no value"),
    (("--truth", "1 or 2", "1"), "cannot be read"),
    (("--truth", "1"), "one ANSWER is needed"),
    (("ex1", "weights"), "PROBLEM, PART and ANSWER are needed"),
    (("ex99", "weights", "1"), "ex99"),
    (("ex1", "wights", "1"), "wights"),
    (("ex1", "weights[9]", "1"), "index 9 is out of range"),
    (("--answers", "nowhere.csv"), "nowhere.csv: the file cannot be read"),
    (("--check-problem", "ex1", "1"), "takes no answer"),
    (("--answers", "a.csv", "--check-problem", "ex1"), "give one of them"),
    (("--truth", "1", "1", "--resume"), "--resume goes with --answers"),
    (("--truth", "1", "1", "-f", "csv"), "goes with --answers"),
    (("--wrong", "1"), "No such option"),
]


@pytest.mark.parametrize(("arguments", "message"), UNUSABLE)
def test_what_cannot_be_used_is_told_in_one_line_with_status_2(
    run: Run, arguments: tuple[str, ...], message: str
) -> None:
    code, out, err = run("verify", *arguments)
    assert (code, out) == (2, "")
    assert message in err
    assert err.count("\n") == 1


def test_an_author_is_warned_of_mistakes_that_do_not_show(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(
        '[given]\nscaled = ["1", "2"]\nV = [["1"], ["2"]]\n[[ask]]\npart = "weights"\ndigits = 3\n'
    )
    code, out, _ = run("verify", "--check-problem", path)
    assert code == 1
    assert "weights: lost-minus cannot be told from the truth" in out
    path.write_text(path.read_text().replace('"1", "2"', '"1", "-2"'))
    code, out, _ = run("verify", "--check-problem", path)
    assert code == 0
    assert "every mistake that is known shows" in out
    path.write_text('[given]\nscaled = ["1", "2"]\n')
    assert run("verify", "--check-problem", path)[0] == 2


# --- batches ------------------------------------------------------------------------------------


def answers(path: Path, count: int, **extra: str) -> Path:
    """A class of answers with some of every kind."""
    kinds = ("0.2483", "1/(2+e^(1/sqrt(2)))", "0.25", "0.2482", "0.4966", "?", "(1, 2)", "24.8%")
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["id", "truth", "answer", *extra])
        for i in range(count):
            writer.writerow([i, WEIGHT, kinds[(i * 7) % len(kinds)], *extra.values()])
    return path


def test_a_batch_of_csv_comes_back_as_csv_and_as_json_lines(run: Run, tmp_path: Path) -> None:
    path = answers(tmp_path / "a.csv", 16, näme="Ü")
    code, out, err = run("verify", "--answers", path)
    rows = list(csv.DictReader(out.splitlines()))
    assert code == 0
    assert [row["id"] for row in rows] == [str(i) for i in range(16)]
    assert rows[0]["näme"] == "Ü"
    assert "16 answers" in err
    code, out, _ = run("verify", "--answers", path, "--json")
    documents = [json.loads(line) for line in out.splitlines()]
    assert [d["verdict"] for d in documents] == [row["verdict"] for row in rows]
    assert documents[0]["näme"] == "Ü"
    target = tmp_path / "out.jsonl"
    assert run("verify", "--answers", path, "-o", target)[1] == ""
    assert target.read_text(encoding="utf-8") == out


def test_a_batch_with_a_row_without_verdict_says_so_with_status_2(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{"truth": "1", "answer": "1"}\n{"answer": "1"}\n')
    code, out, err = run("verify", "--answers", path)
    assert code == 2
    assert len(out.splitlines()) == 2
    assert "1 of 2 rows got no verdict" in err


def test_what_rows_leave_out_may_be_given_once(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("answer\n0.576\n0.575\n")
    code, out, _ = run("verify", "ex1", "weights[1]", "--answers", path)
    assert code == 0
    assert [row["verdict"] for row in csv.DictReader(out.splitlines())] == ["rounded", "misrounded"]
    code, out, _ = run("verify", "--truth", "23/40", "--answers", path)
    assert [row["verdict"] for row in csv.DictReader(out.splitlines())] == ["misrounded", "exact"]


def test_the_summary_is_written_as_markdown(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("answer\n0.665\n0.576\n0.665\n")
    summary = tmp_path / "summary.md"
    run("verify", "ex1", "weights[1]", "--answers", path, "--summary", summary)
    text = summary.read_text(encoding="utf-8")
    assert "| wrong | 2 | 66.7% |" in text
    assert "| no-scaling | 2 | the scores are not scaled |" in text


def test_rows_of_json_lines_are_not_written_as_csv(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{"truth": "1", "answer": "1"}\n')
    assert run("verify", "--answers", path, "-f", "csv")[0] == 2


def program(*arguments: str | Path) -> list[str]:
    return [sys.executable, "-m", "symattn", "verify", *map(str, arguments)]


def test_answers_come_from_stdin_too() -> None:
    done = subprocess.run(
        program("--answers", "-"), input=b"truth,answer\n1/2,0.5\n", capture_output=True, check=True
    )
    assert b"1/2,0.5,exact" in done.stdout


def wait_for(path: Path, size: int) -> None:
    """Wait until a file has so many bytes."""
    end = time.monotonic() + 60
    while not path.exists() or path.stat().st_size < size:
        assert time.monotonic() < end, "nothing was written"
        time.sleep(0.01)


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_a_batch_that_was_stopped_is_resumed_to_the_same_bytes(
    tmp_path: Path, how: signal.Signals, jobs: int
) -> None:
    path = answers(tmp_path / "a.csv", 2500)
    whole, cut = tmp_path / "whole.csv", tmp_path / "cut.csv"
    subprocess.run(program("--answers", path, "-o", whole), check=True, capture_output=True)
    command = program("--answers", path, "-o", cut, "-j", str(jobs))
    process = subprocess.Popen(command, stderr=subprocess.PIPE, start_new_session=True)
    wait_for(cut, 30_000)
    if how == signal.SIGINT:
        os.killpg(process.pid, how)  # Ctrl-C reaches every process of the terminal
    else:
        process.send_signal(how)
    _, err = process.communicate(timeout=60)
    assert process.returncode == (130 if how == signal.SIGINT else -how)
    begun = cut.read_bytes()
    assert len(begun) < len(whole.read_bytes())
    assert whole.read_bytes().startswith(begun)
    if how == signal.SIGINT:
        rows = begun.count(b"\n") - 1
        assert (
            err == f"symattn: interrupted after {rows} rows; --resume goes on from there\n".encode()
        )
    done = subprocess.run([*command, "--resume"], check=True, capture_output=True)
    assert cut.read_bytes() == whole.read_bytes()
    assert b"2500 answers" in done.stderr


def test_a_finished_batch_is_resumed_to_itself(tmp_path: Path, run: Run) -> None:
    path = answers(tmp_path / "a.csv", 50)
    out = tmp_path / "out.csv"
    run("verify", "--answers", path, "-o", out)
    before = out.read_bytes()
    code, _, err = run("verify", "--answers", path, "-o", out, "--resume")
    assert (code, out.read_bytes()) == (0, before)
    assert "50 answers" in err


def test_the_workers_end_with_a_parent_that_is_killed(tmp_path: Path) -> None:
    path = answers(tmp_path / "a.csv", 8000)
    command = program("--answers", path, "-o", tmp_path / "out.csv", "-j", "2")
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL, start_new_session=True)
    wait_for(tmp_path / "out.csv", 20_000)
    process.kill()
    process.wait()
    end = time.monotonic() + 20
    while group_is_alive(process.pid):
        assert time.monotonic() < end, "a worker outlives its parent"
        time.sleep(0.05)


def group_is_alive(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


def test_memory_stays_flat(tmp_path: Path) -> None:
    code = (
        "import resource, sys\n"
        "from symattn.cli import main\n"
        "try: main(sys.argv[1:])\n"
        "except SystemExit: pass\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, file=sys.stderr)\n"
    )

    def peak(count: int) -> int:
        path = answers(tmp_path / f"{count}.csv", count)
        command = [sys.executable, "-c", code, "verify", "--answers", str(path), "-o", os.devnull]
        done = subprocess.run(command, capture_output=True, check=True)
        return int(done.stderr.split()[-1])

    few, many = peak(500), peak(5000)
    assert many < few * 1.1 + 2000


def test_the_answers_are_not_written_over(run: Run, tmp_path: Path) -> None:
    path = answers(tmp_path / "a.csv", 3)
    before = path.read_bytes()
    code, _, err = run("verify", "--answers", path, "-o", path)
    assert code == 2
    assert "is the file of answers itself" in err
    assert path.read_bytes() == before


@pytest.mark.parametrize("terminal", [True, False])
def test_a_bar_and_a_table_are_for_a_terminal_alone(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, terminal: bool
) -> None:
    from symattn.cli import verify_batch

    monkeypatch.setattr(verify_batch, "PATIENCE", 0.0)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: terminal)
    monkeypatch.setenv("TERM", "xterm")
    path = answers(tmp_path / "a.csv", 40)
    code, out, err = run("verify", "--answers", path)
    assert code == 0
    assert len(list(csv.DictReader(out.splitlines()))) == 40
    assert ("┃" in err) == terminal
    assert ("\x1b[" in err) == terminal
    assert "rounded" in err


def test_a_batch_runs_on_a_dask_cluster(tmp_path: Path, run: Run) -> None:
    distributed = pytest.importorskip("distributed")
    pytest.importorskip("joblib")
    path = answers(tmp_path / "a.csv", 900)
    with distributed.LocalCluster(n_workers=2, dashboard_address=None) as cluster:
        arguments = ("--backend", "dask", "--scheduler", cluster.scheduler_address)
        code, out, _ = run("verify", "--answers", path, *arguments)
    assert (code, out) == run("verify", "--answers", path)[:2]


BACKENDS = [
    (("--backend", "dask"), "needs the address of a cluster"),
    (("--backend", "dask", "--scheduler", "nowhere"), "cannot be reached"),
    (("--backend", "nothing"), "--backend nothing"),
    (("--scheduler", "tcp://localhost:1"), "goes with --backend dask"),
]


@pytest.mark.parametrize(("arguments", "message"), BACKENDS)
def test_a_backend_that_cannot_be_used_is_told(
    tmp_path: Path, run: Run, arguments: tuple[str, ...], message: str
) -> None:
    pytest.importorskip("distributed")
    pytest.importorskip("joblib")
    code, _, err = run("verify", "--answers", answers(tmp_path / "a.csv", 3), *arguments)
    assert code == 2
    assert message in err
