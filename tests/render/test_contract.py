"""Every format holds the same things: each title, each decimal and each check, at its level.

What must be there is collected from the derivation itself, not from the stream of blocks that the
printers walk, so that the stream is under test with them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

import pytest

from symattn.derivation import FORMATS, Derivation, Level, Line, Step
from symattn.derivation.model import walk
from symattn.derivation.prose import Decimal, Prose
from symattn.exact.numbers import Exact
from symattn.exact.rounding import Ties, round_significant
from symattn.exact.vectors import Value
from tests.figures.samples import ordinary
from tests.render.reading import seen
from tests.render.samples import SAMPLES

each_sample = pytest.mark.parametrize("derivation", SAMPLES, ids=lambda d: d.name)
each_format = pytest.mark.parametrize("name", FORMATS)
each_level = pytest.mark.parametrize("level", Level)


def shown(document: str) -> str:
    """A document with one kind of minus and of blank, without tags and the escapes of Markdown."""
    if document.startswith("<!DOCTYPE html>"):
        document = seen(document)
    plain = document.replace("−", "-").replace("\\n", " ").replace("\n> ", "\n")
    plain = plain.replace(r"$\cdot$", "·")
    return " ".join(re.sub(r"\\([_*])", r"\1", plain).split())


def lines_of(step: Step, level: Level) -> Iterator[Line]:
    yield from step.chain
    if level == Level.FULL:
        yield from step.check.lines


def numbers(value: Value) -> Iterator[Exact]:
    if isinstance(value, Exact):
        yield value
    else:
        for entry in value:
            yield from numbers(entry)


def values_of(derivation: Derivation, level: Level) -> Iterator[Exact]:
    """Each number whose decimal the derivation asks for at a level."""
    lines = [*derivation.given]
    sentences: list[Prose] = [derivation.statement, derivation.conclusion]
    for step in walk(derivation.steps, level):
        lines += lines_of(step, level)
        sentences += [step.check.claim, *((step.what, step.why) if level else ())]
    for line in lines:
        found = list(numbers(line.value))
        if line.decimals and line.level <= level and not any(x.symbols() for x in found):
            yield from found
    for sentence in sentences:
        for part in sentence:
            if isinstance(part, Decimal):
                yield from numbers(part.value)


@each_sample
@each_format
@each_level
@pytest.mark.parametrize(("digits", "ties"), [(1, "half-even"), (4, "half-up"), (30, "half-up")])
def test_every_decimal_is_there(
    derivation: Derivation, name: str, level: Level, digits: int, ties: Ties
) -> None:
    document = shown(derivation.render(name, digits=digits, ties=ties, level=level))
    decimals = {round_significant(x, digits, ties).text for x in values_of(derivation, level)}
    assert len(decimals) >= 3
    for decimal in decimals:
        assert re.search(rf"(?<![0-9.]){re.escape(decimal.lstrip('-'))}(?![0-9])", document)


@each_sample
@each_format
@each_level
def test_every_title_is_there_in_its_order(derivation: Derivation, name: str, level: Level) -> None:
    document = shown(derivation.render(name, level=level))
    at = 0
    for title in (derivation.title, *(step.title for step in walk(derivation.steps, level))):
        assert title in document[at:]
        at = document.index(title, at)


@each_sample
@each_format
@each_level
def test_every_check_is_there_with_its_method(
    derivation: Derivation, name: str, level: Level
) -> None:
    document = shown(derivation.render(name, level=level))
    for step in walk(derivation.steps, level):
        assert step.check.method in document
        for part in step.check.claim:
            assert not isinstance(part, str) or " ".join(part.split()) in document


@each_format
@each_level
def test_every_figure_is_there_with_its_title_where_figures_are_shown(
    name: str, level: Level
) -> None:
    on_page, in_step = ordinary()[:7], ordinary()[7:]
    (first, *others) = SAMPLES[0].steps
    steps = (replace(first, figures=tuple(in_step)), *others)
    document = shown(
        replace(SAMPLES[0], figures=tuple(on_page), steps=steps).render(name, level=level)
    )
    for figure in (*on_page, *in_step):
        assert (figure.title in document) == (level > Level.BRIEF)


@each_sample
@each_format
def test_a_level_hides_what_is_above_it(derivation: Derivation, name: str) -> None:
    brief, normal, full = (shown(derivation.render(name, level=level)) for level in Level)
    assert len(brief) < len(normal) < len(full) or name == "json"
    for step in walk(derivation.steps):
        assert (step.title in brief) == (step.level <= Level.BRIEF)
        assert (step.title in normal) == (step.level <= Level.NORMAL)
        assert step.title in full


@pytest.mark.parametrize("name", ["text", "md", "html"])
def test_the_words_around_the_steps_are_there(name: str) -> None:
    (vectors, matrices, _) = SAMPLES
    document = shown(vectors.render(name))
    for words in (
        "One query",
        "The values are what each key stands for.",
        "Which weight is the largest",
        "The numbers of V.csv are taken at their exact binary value.",
        "Only positive numbers",
        "never without",
        "agree with numeric.attention in float64: every error is within",
    ):
        assert words in document
    assert "agree with numeric.attention with the same mask" in shown(matrices.render(name))
    assert "the definition of the score" in shown(vectors.render(name, level=Level.FULL))


@each_format
def test_a_document_ends_with_one_line_break(name: str) -> None:
    for derivation in SAMPLES:
        document = derivation.render(name)
        assert document.endswith("\n")
        assert not document.endswith("\n\n")
