"""`symattn verify`: one answer, a batch of them, or a look at a problem before it is set."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import click
from click.shell_completion import CompletionItem

from symattn.cli import options as shared
from symattn.cli.arguments import AnswerCommand
from symattn.errors import InputError
from symattn.names import PROBLEMS

__all__ = ["command"]

EPILOG = """\b
Examples:
  symattn verify ex1 weights "(0.5760, 0.1400, 0.2840)"
  symattn verify --truth "1/(2 + exp(1/sqrt(2)))" 0.2483
  symattn verify --answers class.csv -o verdicts.csv -j 2 --summary summary.md
  symattn verify --check-problem mine.toml
"""

#: Exit status of each verdict on one answer.
STATUS = {"exact": 0, "rounded": 0, "misrounded": 1, "wrong": 1, "malformed": 1, "undecided": 3}


def complete_problems(
    context: click.Context, _parameter: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """The names of problems for the first word, and files."""
    if context.params.get("words"):
        return []
    found = [
        CompletionItem(name, help=line)
        for name, line in PROBLEMS.items()
        if name.startswith(incomplete)
    ]
    return found or [CompletionItem(incomplete, type="file")]


@click.command(cls=AnswerCommand, epilog=EPILOG)
@click.argument(
    "words", nargs=-1, metavar="[PROBLEM PART] [ANSWER]", shell_complete=complete_problems
)
@click.option("--truth", metavar="EXPR", help="The true value, instead of a problem's part.")
@click.option("--answers", metavar="FILE", help="A batch: CSV or JSON Lines, '-' for stdin.")
@click.option("--check-problem", metavar="FILE", help="Warn of mistakes the numbers do not show.")
@click.option("--json", "as_json", is_flag=True, help="JSON; JSON Lines for a batch.")
@click.option(
    "-f",
    "--format",
    type=click.Choice(["text", "json", "csv", "jsonl"]),
    help="text or json for one answer, csv or jsonl for a batch.",
)
@shared.output_option
@shared.digits_option
@shared.ties_option
@click.option("--decimal-comma", is_flag=True, help="Every comma in a number is a decimal comma.")
@click.option("-j", "--jobs", type=click.IntRange(1), default=1, help="Processes for a batch.")
@click.option("--resume", is_flag=True, help="Go on after the last whole row of the output.")
@click.option("--summary", type=click.Path(dir_okay=False), help="A summary as Markdown.")
@click.option("--student", default="student", help="Column that names the student.")
@click.option("--backend", metavar="NAME", help="A backend of joblib for the batch, such as dask.")
@click.option("--scheduler", metavar="ADDRESS", help="The Dask cluster, tcp://HOST:8786.")
def command(words: tuple[str, ...], **options: Any) -> int:
    """Say whether an answer is right, to which digits, and which mistake made it.

    A row of a batch names `problem` and `part`, or `truth`, and `answer`; all other columns pass
    through. Neighbouring rows with one `student` and one `problem` follow through together. PROBLEM
    and PART, or --truth, stand in for what rows leave out.
    """
    modes = [name for name in ("answers", "check_problem") if options[name]]
    if len(modes) == 2:
        raise InputError("--answers and --check-problem are two things: give one of them")
    if options["check_problem"]:
        return check_problem(words, options)
    if options["answers"]:
        from symattn.cli.verify_batch import run_batch

        return run_batch(words, options)
    return one_answer(words, options)


def one_answer(words: tuple[str, ...], options: dict[str, Any]) -> int:
    """Judge one answer and print the verdict."""
    from dataclasses import replace

    from symattn.grading.question import Questions

    for name in ("resume", "summary", "backend", "scheduler"):
        if options[name]:
            raise InputError(f"--{name} goes with --answers FILE")
    questions = Questions(decimal_comma=options["decimal_comma"])
    if options["truth"] is not None:
        if len(words) != 1:
            raise InputError(f"with --truth one ANSWER is needed, but {len(words)} are given")
        question = questions.of_truth(options["truth"])
    else:
        if len(words) != 3:
            raise InputError(
                "PROBLEM, PART and ANSWER are needed, or --truth EXPR and ANSWER, "
                f"but {len(words)} words are given"
            )
        question = questions.of_part(*words[:2])
    verdict = question.grade(words[-1], decimal_comma=options["decimal_comma"])
    if wants_json(options):
        expected = question.truth.expected(options["digits"] or 17, options["ties"])
        document = replace(verdict, expected=expected).to_json()
        text = json.dumps(document, ensure_ascii=False, indent=2) + "\n"
    else:
        points = question.policy.points
        shown = question.truth.shown(options["digits"] or 4, options["ties"])
        text = "\n".join(described(verdict, shown, points)) + "\n"
    shared.write(text, options["output"])
    return STATUS[verdict.verdict]


def wants_json(options: dict[str, Any]) -> bool:
    """Whether one document is to be JSON, by its option or by the suffix of the output."""
    if options["format"] in ("csv", "jsonl"):
        raise InputError(f"--format {options['format']} goes with --answers FILE")
    by_suffix = options["format"] is None and str(options["output"]).endswith(".json")
    return bool(options["as_json"] or options["format"] == "json" or by_suffix)


def described(verdict: Any, shown: str, points: float | None) -> Iterator[str]:
    """The verdict in lines for a reader."""
    yield f"{verdict.verdict}: {verdict.message}"
    yield f"true value: {shown}"
    for found in verdict.mistakes:
        yield f"mistake {found.id}: {found.message}"
    if verdict.score is not None and points is not None:
        yield f"score: {verdict.score:g} of {points:g}"


def check_problem(words: tuple[str, ...], options: dict[str, Any]) -> int:
    """Warn an author of every mistake that an answer would not show; 1 where there is one."""
    from symattn.grading.authors import indistinguishable
    from symattn.problems import load

    if words:
        raise InputError(f"--check-problem takes no answer, but {words[0]!r} is given")
    problem = load(options["check_problem"])
    if not problem.asks:
        raise InputError(f"{options['check_problem']} asks nothing: an [[ask]] is needed")
    warnings = indistinguishable(problem)
    if wants_json(options):
        rows = [{"part": w.part, "mistake": w.mistake, "message": w.message} for w in warnings]
        document = {"schema": "symattn.problem-check/1", "problem": problem.name, "warnings": rows}
        text = json.dumps(document, ensure_ascii=False, indent=2) + "\n"
    else:
        lines = [
            f"{w.part}: {w.mistake} cannot be told from the truth: {w.message}" for w in warnings
        ]
        good = f"{problem.name}: every mistake that is known shows in the answers"
        text = "\n".join(lines or [good]) + "\n"
    shared.write(text, options["output"])
    return 1 if warnings else 0
