"""A proof cannot be built with a false step, a model that breaks an assumption, or a loose end."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from symattn.derivation.proof import Proof, line
from symattn.errors import InputError, ParseError, StepError
from symattn.exact.writing import number


def started(given: int | None = None) -> Proof:
    proof = Proof("small", "A small theorem", "The sum is `n*c`.", "It is small.", given)
    proof.sizes("n")
    proof.assume("keys", "n >= 1", "There is at least one key.")
    proof.model(lambda n: {"n": number(n)} if n <= 3 else None)
    return proof


def test_a_true_step_is_built_and_its_line_is_a_fact_for_the_next():
    proof = started()
    proof.step(
        "Sum", "Add.", "It counts.", line("Sum(c, j, 1, n) == n*c", "constant summand", "sum")
    )
    proof.step("Again", "Add 1.", "As before.", line("Sum(c, j, 1, n) + 1 == n*c + 1", "sum"))
    proof.conclude("The sum is `n*c`.", "sum")
    assert [step.title for step in proof.derivation().steps] == ["Sum", "Again"]


def test_a_false_step_is_named_with_both_sides():
    with pytest.raises(StepError, match=r"small, step 'Sum': .*Sum\(c, j, 1, n\) = n\*c \+ 1"):
        started().step("Sum", "", "", line("Sum(c, j, 1, n) == n*c + 1", "constant summand"))


def test_a_chain_is_checked_at_every_link():
    with pytest.raises(StepError, match=r"n\*c = c \+ n does not follow"):
        started().step(
            "Sum", "", "", line("Sum(c, j, 1, n) == n*c == c + n", ["constant summand", ""])
        )


def test_a_chain_needs_a_reason_for_each_link():
    with pytest.raises(StepError, match="a reason for each"):
        started().step("Sum", "", "", line("Sum(c, j, 1, n) == n*c == c*n", "constant summand"))


def test_a_chain_goes_one_way():
    with pytest.raises(StepError, match="says nothing about its ends"):
        started().step("Up and down", "", "", line("0 <= n >= 1", ["", ""]))


def test_a_model_must_meet_the_assumptions():
    proof = started()
    with pytest.raises(StepError, match="assumption 'keys'"):
        proof.model(lambda n: {"n": number(0)}, sizes=[1])


def test_only_what_was_proved_is_concluded():
    with pytest.raises(StepError, match="sum was not proved"):
        started().conclude("", "sum")


def test_a_label_is_given_once():
    proof = started()
    proof.step("One", "", "", line("n >= 1", label="same"))
    with pytest.raises(StepError, match="'same' is taken"):
        proof.step("Two", "", "", line("n >= 0", label="same"))


def test_a_number_of_keys_without_a_model_is_refused():
    with pytest.raises(InputError, match="n=5"):
        started(given=5)


@pytest.mark.parametrize(
    "text", ["a", "a == [1]", "a == f(x, y)", "a == 'x'", "a == 1.5", "a // b == 1", "a is b"]
)
def test_what_is_not_in_the_notation_is_refused(text: str):
    with pytest.raises(ParseError):
        line(text)


@pytest.mark.parametrize("broken", [lambda: line("a ="), lambda: line("")])
def test_text_that_is_no_line_is_refused(broken: Callable[[], object]):
    with pytest.raises(ParseError):
        broken()
