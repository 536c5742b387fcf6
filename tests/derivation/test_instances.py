"""Statements written out for one number of terms, against values worked out by hand."""

from __future__ import annotations

import pytest

from symattn.derivation.instances import Model, instantiate
from symattn.derivation.notation import read
from symattn.derivation.rules.theory import Definition, Theory
from symattn.errors import StepError
from symattn.exact.equality import compare
from symattn.exact.evaluate import evaluate
from symattn.exact.parse import parse
from symattn.exact.writing import number

THEORY = Theory(
    sizes=("n",),
    random=("q", "k"),
    definitions={
        "Z": Definition((), read("Sum(exp(s[l]), l, 1, n)")),
        "alpha": Definition(("i",), read("exp(s[i])/Z")),
        "twice": Definition(("l",), read("2*s[l]")),
    },
)
MODEL: Model = {
    "n": number(3),
    "s": (number(0), number(1), number(0)),
    "sigma": (number(2), number(3), number(1)),
}

WRITTEN = [
    ("Sum(j, j, 1, n)", "6"),
    ("Sum(s[j], j, 2, 1)", "0"),
    ("Sum(s[sigma[j]]*j, j, 1, n)", "1"),
    ("Sum(delta(j, 2)*j, j, 1, n)", "2"),
    ("alpha[2]", "e/(2 + e)"),
    ("Sum(twice[j], j, 1, n)", "2"),
    ("D(alpha[2], s[2])", "2*e/(2 + e)^2"),
    ("D(alpha[2], s[1])", "-e/(2 + e)^2"),
    ("D(Sum(s[j]*s[j], j, 1, n), s[2])", "2"),
    ("E(q[1])", "0"),
    ("E(q[1]**2)", "1"),
    ("E((q[1]*k[1] + q[2]*k[2])**2)", "2"),
    ("E((q[1] + q[2])**4)", "8"),
    ("lim(exp(M)/(exp(M) + 1), M, oo)", "1"),
    ("lim(exp(M)/(exp(M) + 1), M, -oo)", "0"),
    ("lim(exp(1/T)/(exp(1/T) + exp(2/T)), T, 0)", "0"),
    ("lim(exp(1/T)/(exp(1/T) + exp(2/T)), T, oo)", "1/2"),
    ("cos(pi/3)", "1/2"),
    ("sin(-pi/4)", "-sqrt(2)/2"),
    ("cos(5*pi/6)", "-sqrt(3)/2"),
    ("sin(3*pi/2)", "-1"),
    ("cos(2*pi)", "1"),
]


@pytest.mark.parametrize(("text", "value"), WRITTEN)
def test_a_statement_written_out_has_this_value(text: str, value: str):
    found = evaluate(instantiate(read(text), THEORY, MODEL))
    assert compare(found, evaluate(parse(value).tree)).verdict == "equal"


@pytest.mark.parametrize("text", ["s[4]", "s[0]", "s", "s[s[2]/2]", "cos(1)", "cos(pi/12)"])
def test_what_does_not_exist_is_refused(text: str):
    with pytest.raises(StepError):
        instantiate(read(text), THEORY, MODEL)


def test_a_definition_does_not_see_the_indices_of_where_it_is_used():
    """Z sums over l; the l of the sum around it is another one."""
    written = instantiate(read("Sum(l*Z, l, 1, n)"), THEORY, MODEL)
    wanted = evaluate(parse("6*(2 + e)").tree)
    assert compare(evaluate(written), wanted).verdict == "equal"
