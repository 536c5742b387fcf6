"""Each rule on what it must prove, and on the false uses that it must reject."""

from __future__ import annotations

import pytest

from symattn.derivation.notation import read, read_chain
from symattn.derivation.proof import line
from symattn.derivation.rules import RULES, Definition, Fact, Range, Theory, follows
from symattn.derivation.rules.lines import prove
from symattn.errors import StepError


def fact(text: str, **ranges: str) -> Fact:
    (left, right), (relation,) = read_chain(text)
    found = tuple(Range(i, *map(read, bounds.split(".."))) for i, bounds in ranges.items())
    return Fact(left, relation, right, found)


#: n >= 1 keys, 1 <= r <= n, a size m of which nothing is known, z >= 0; x > 0, any real y.
THEORY = Theory(
    sizes=("n", "r", "m", "z", "h"),
    permutations=(("sigma", read("n")),),
    random=("q", "k"),
    definitions={
        "Z": Definition((), read("Sum(exp(s[l]), l, 1, n)")),
        "alpha": Definition(("i",), read("exp(s[i])/Z")),
        "score": Definition((), read("Sum(q[t]*k[t], t, 1, n)")),
        "hidden": Definition((), read("exp(M)")),
    },
    assumptions={
        "keys": fact("n >= 1"),
        "some": fact("r >= 1"),
        "part": fact("r <= n"),
        "maybe none": fact("z >= 0"),
        "positive": fact("x > 0"),
        "tie": fact("f[j] == c", j="1..r"),
        "low": fact("p[j] >= 0", j="1..n"),
        "below": fact("a[j] <= b[j]", j="1..n"),
        "strictly": fact("c[j] < d[j]", j="1..n"),
        "centred": fact("E(q[t]) == 0", t="1..n"),
        "unit": fact("E(q[t]**2) == 1", t="1..n"),
        "columns": fact("Sum(R[t, i]*R[t, j], t, 1, n) == delta(i, j)", i="1..n", j="1..n"),
        "falls": fact("g[j] < 0", j="1..n"),
        "fixed": fact("M == 3"),
        "half": fact("h/2 > 0"),
    },
)
LINEAR = "linearity, constant factor, constant summand"

#: (chain of two, by, indices): what follows.
TRUE = [
    ("(x + y)**2 == x**2 + 2*x*y + y**2", "", {}),
    ("exp(y + c)/exp(c) == exp(y)", "", {}),
    ("x/x == 1", "", {}),
    ("sqrt(x)*sqrt(x) == x", "", {}),
    ("Sum(a[j] + b[j], j, 1, n) == Sum(a[j], j, 1, n) + Sum(b[i], i, 1, n)", "linearity", {}),
    ("Sum(y*a[j], j, 1, n) == y*Sum(a[j], j, 1, n)", "constant factor", {}),
    ("Sum(exp(y + s[j]), j, 1, n) == exp(y)*Z", "constant factor, Z", {}),
    ("Sum(y, j, 1, n) == n*y", "constant summand", {}),
    ("Sum(y, j, r, n) == (n - r + 1)*y", "constant summand", {}),
    ("Sum(1/x, j, 1, n) == n/x", "constant summand", {}),
    ("Sum(a[j], j, 1, n) == Sum(a[j], j, 1, r) + Sum(a[j], j, r + 1, n)", "split at r", {}),
    ("Sum(a[j], j, 1, n) == Sum(a[j], j, 1, n - 1) + a[n]", "split at n - 1", {}),
    ("Sum(a[j], j, 3, 2) == 0", "", {}),
    ("Sum(delta(i, j)*a[j], j, 1, n) == a[i]", "sifting", {"i": "1..n"}),
    ("Sum(delta(sigma[i], j)*a[j], j, 1, n) == a[sigma[i]]", "sifting", {"i": "1..n"}),
    ("Sum(a[sigma[j]]*b[sigma[j]], j, 1, n) == Sum(a[j]*b[j], j, 1, n)", "reindexing", {}),
    ("Sum(Sum(w[i, j], j, 1, n), i, 1, r) == Sum(Sum(w[i, j], i, 1, r), j, 1, n)", "exchange", {}),
    ("Sum(f[j], j, 1, r) == r*c", "tie, constant summand", {}),
    ("alpha[i] == exp(s[i])/Sum(exp(s[l]), l, 1, n)", "alpha, Z", {"i": "1..n"}),
    ("Sum(R[u, i]*R[u, j], u, 1, n) == delta(i, j)", "columns", {"i": "1..n", "j": "1..n"}),
    ("Z > 0", "Z", {}),
    ("Sum(p[j]*exp(y), j, 1, n) >= 0", "", {}),
    ("(y - c)**2 >= 0", "", {}),
    ("Sum((a[j] - b[j])**2, j, 1, n) >= 0", "", {}),
    ("a[j] <= b[j]", "", {"j": "1..n"}),
    ("a[j] - 1 < b[j]", "", {"j": "1..n"}),
    ("Sum(a[j], j, 1, n) <= Sum(b[j], j, 1, n)", "monotonicity", {}),
    ("Sum(exp(c[j]), j, 1, n) < Sum(exp(d[j]), j, 1, n)", "monotonicity", {}),
    ("x/(x + Z) < x/x", "monotonicity, Z", {}),
    ("lim(1/(1 + exp(-M)), M, oo) == 1", "limit", {}),
    ("lim(exp(g[j]/T)*x, T, 0) == 0", "limit", {"j": "1..n"}),
    ("lim(exp(y/T), T, oo) == 1", "limit", {}),
    ("lim(exp(y + M), M, -oo) == 0", "limit", {}),
    ("D(exp(2*y), y) == 2*exp(2*y)", "differentiation", {}),
    ("D(y**3/x, y) == 3*y**2/x", "differentiation", {}),
    (
        "D(alpha[i], s[j]) == alpha[i]*(delta(i, j) - alpha[j])",
        "differentiation, sifting, alpha, Z",
        {"i": "1..n", "j": "1..n"},
    ),
    ("E(2*q[1] + y) == 2*E(q[1]) + y", "linearity of expectation", {}),
    ("E(Sum(q[t], t, 1, n)) == 0", "linearity of expectation, centred", {}),
    ("E(q[t]*k[t]) == E(q[t])*E(k[t])", "independence", {"t": "1..n"}),
    ("cos(c - y) == cos(c)*cos(y) + sin(c)*sin(y)", "addition theorem", {}),
    ("sin(2*y) == 2*sin(y)*cos(y)", "addition theorem", {}),
    ("cos(y)**2 + sin(y)**2 == 1", "Pythagoras", {}),
]

#: What must be rejected: false, or without its side condition, or by a rule that is not named.
FALSE = [
    # arithmetic and its side conditions
    ("y/y == 1", "", {}),
    ("1/(y - c) == 1/(y - c)", "", {}),
    ("sqrt(y)**2 == y", "", {}),
    ("sqrt(y) >= 0", "", {}),
    ("exp(y*c) == exp(y)*exp(c)", "", {}),
    ("y**(-1)*y == 1", "", {}),
    # a rule that the step does not name
    ("Sum(a[j] + b[j], j, 1, n) == Sum(a[j], j, 1, n) + Sum(b[j], j, 1, n)", "", {}),
    ("Sum(y*a[j], j, 1, n) == y*Sum(a[j], j, 1, n)", "linearity", {}),
    ("alpha[i] == exp(s[i])/Sum(exp(s[l]), l, 1, n)", "", {"i": "1..n"}),
    ("Sum(f[j], j, 1, r) == r*c", "constant summand", {}),
    # constant factor: it depends on the index
    ("Sum(a[j]*b[j], j, 1, n) == a[j]*Sum(b[j], j, 1, n)", LINEAR, {"j": "1..n"}),
    ("Sum(a[j]*b[j], j, 1, n) == Sum(a[j], j, 1, n)*Sum(b[j], j, 1, n)", LINEAR, {}),
    ("Sum(exp(s[j] + c[j]), j, 1, n) == exp(c[1])*Sum(exp(s[j]), j, 1, n)", LINEAR, {}),
    # constant summand: the range may be less than empty, or is counted wrongly
    ("Sum(y, j, 1, m) == m*y", LINEAR, {}),
    ("Sum(y, j, 1, n) == (n - 1)*y", LINEAR, {}),
    ("Sum(y, j, r, n) == (n - r)*y", LINEAR, {}),
    ("Sum(y, j, 1, n/2) == n/2*y", LINEAR, {}),
    ("Sum(y, j, 1, x) == x*y", LINEAR, {}),
    # an empty sum of what does not exist for z = 0
    ("Sum(1/z, j, 1, z) == 1", LINEAR, {}),
    ("Sum(a[j]/z, j, 1, z) == Sum(a[j], j, 1, z)/z", LINEAR, {}),
    (
        "Sum(Sum(w[i, j]/z, i, 1, z), j, 1, z) == Sum(Sum(w[i, j], j, 1, z), i, 1, z)/z",
        "exchange, constant factor",
        {},
    ),
    ("Sum(a[j], j, 1, n) == Sum(a[j], j, 1, n/2) + Sum(a[j], j, n/2 + 1, n)", "split at n/2", {}),
    # split outside of the range
    ("Sum(a[j], j, 1, n) == Sum(a[j], j, 1, m) + Sum(a[j], j, m + 1, n)", "split at m", {}),
    ("Sum(a[j], j, 1, r) == Sum(a[j], j, 1, n) + Sum(a[j], j, n + 1, r)", "split at n", {}),
    ("Sum(a[j], j, 1, n) == Sum(a[j], j, 1, r) + Sum(a[j], j, r, n)", "split at r", {}),
    ("Sum(a[j], j, 1, z) == Sum(a[j], j, 1, z - 1) + a[z]", "split at z - 1", {}),
    ("Sum(a[j], j, 1, h) == a[1] + a[2] + Sum(a[j], j, 3, h)", "split at 2", {}),
    # sifting an index that is not in the range, or is the bound one
    ("Sum(delta(i, j)*a[j], j, 1, r) == a[i]", "sifting", {"i": "1..n"}),
    ("Sum(delta(i, j)*a[j], j, 1, n) == a[m]", "sifting", {"i": "1..n"}),
    ("Sum(delta(m, j)*a[j], j, 1, n) == a[m]", "sifting", {}),
    # reindexing by what permutes only a part, or another range, or is no permutation
    ("Sum(a[sigma[j]]*b[j], j, 1, n) == Sum(a[j]*b[j], j, 1, n)", "reindexing", {}),
    ("Sum(a[sigma[j]], j, 1, r) == Sum(a[j], j, 1, r)", "reindexing", {}),
    ("Sum(a[sigma[j]], j, 2, n) == Sum(a[j], j, 2, n)", "reindexing", {}),
    ("Sum(a[tau[j]], j, 1, n) == Sum(a[j], j, 1, n)", "reindexing", {}),
    # exchange where a range depends on the other index
    (
        "Sum(Sum(w[i, j], j, 1, i), i, 1, n) == Sum(Sum(w[i, j], i, 1, n), j, 1, i)",
        "exchange",
        {"i": "1..n"},
    ),
    ("Sum(Sum(w[i, j], j, 1, n), i, 1, n) == Sum(Sum(w[j, i], j, 1, n), i, 1, r)", "exchange", {}),
    # a fact outside of its range
    ("f[j] == c", "tie", {"j": "1..n"}),
    ("Sum(f[j], j, 1, n) == n*c", "tie, constant summand", {}),
    # positivity and monotonicity
    ("y >= 0", "", {}),
    ("y**3 >= 0", "", {}),
    ("(y - c)**2 > 0", "", {}),
    ("p[j] > 0", "", {"j": "1..n"}),
    ("Sum(p[j], j, 1, n) > 0", "", {}),
    ("Sum(exp(s[j]), j, 1, z) > 0", "", {}),
    ("p[j] >= 0", "", {"j": "1..m"}),
    ("a[j] < b[j]", "", {"j": "1..n"}),
    ("y*a[j] <= y*b[j]", "monotonicity", {"j": "1..n"}),
    ("-a[j] <= -b[j]", "monotonicity", {"j": "1..n"}),
    ("x/a[j] <= x/b[j]", "monotonicity", {"j": "1..n"}),
    ("exp(a[j]) <= exp(b[j])", "", {"j": "1..n"}),
    ("Sum(a[j], j, 1, n) <= Sum(b[j], j, 1, r)", "monotonicity", {}),
    ("Sum(c[j], j, 1, z) < Sum(d[j], j, 1, z)", "monotonicity", {}),
    ("x/(x + Z) < x/(x + Z)", "monotonicity, Z", {}),
    # limits: the sign is not known, infinity over infinity, a name that hides the variable
    ("lim(exp(y*M), M, oo) == 0", "limit", {}),
    ("lim(exp(g[j]*M), M, -oo) == 0", "limit", {"j": "1..n"}),
    ("lim(exp(g[j]/T), T, 0) == 1", "limit", {"j": "1..n"}),
    ("lim(exp(M)/(exp(M) + 1), M, oo) == 1", "limit", {}),
    ("lim(M, M, oo) == 0", "limit", {}),
    ("lim(1/exp(-M), M, oo) == 0", "limit", {}),
    ("lim(hidden, M, oo) == hidden", "limit", {}),
    ("lim(exp(-M), M, oo) == exp(-3)", "limit, fixed", {}),
    ("lim(Sum(exp(-j*M), j, 0, M), M, oo) == 1", "limit", {}),
    ("lim(exp(-M), M, oo) == 0", "", {}),
    # derivatives
    ("D(Z, s[j]) == 0", "differentiation", {"j": "1..n"}),
    ("D(hidden, M) == 0", "differentiation", {}),
    ("D(s[i], s[j]) == 1", "differentiation", {"i": "1..n", "j": "1..n"}),
    ("D(exp(2*y), y) == exp(2*y)", "differentiation", {}),
    ("D(f[1], c) == 0", "differentiation", {}),
    ("D(alpha[i], alpha[j]) == delta(i, j)", "differentiation", {"i": "1..n", "j": "1..n"}),
    ("D(Sum(j*j, j, 1, n), j) == 0", "differentiation", {"j": "1..n"}),
    # expectation: no independence, different indices that may be equal, what is random kept outside
    ("E(q[t]*q[u]) == E(q[t])*E(q[u])", "independence", {"t": "1..n", "u": "1..n"}),
    ("E(q[t]**2) == E(q[t])**2", "independence, linearity of expectation", {"t": "1..n"}),
    ("E(q[t]*k[t]) == E(q[t])*E(k[t])", "linearity of expectation", {"t": "1..n"}),
    ("E(hidden*score) == E(hidden)*E(score)", "independence", {}),
    ("E(score) == score", "linearity of expectation", {}),
    ("E(exp(q[1])) == exp(E(q[1]))", "linearity of expectation, independence", {}),
    ("E(q[t]) == 0", "centred", {"t": "1..m"}),
    ("E(k[t]) == 0", "centred", {"t": "1..n"}),
    # trigonometry
    ("cos(c - y) == cos(c)*cos(y) - sin(c)*sin(y)", "addition theorem", {}),
    ("cos(c*y) == cos(c)*cos(y)", "addition theorem", {}),
    ("cos(y)**2 - sin(y)**2 == 1", "Pythagoras", {}),
    ("cos(y)**2 + sin(c)**2 == 1", "Pythagoras", {}),
    # no such reason
    ("y == y", "because", {}),
]


def check(text: str, by: str, indices: dict[str, str], distinct: tuple[str, str] | None = None):
    prove(line(text, by, "tested", distinct, **indices), THEORY)


@pytest.mark.parametrize(("text", "by", "indices"), TRUE, ids=lambda x: str(x)[:60])
def test_what_follows_is_proved(text: str, by: str, indices: dict[str, str]):
    check(text, by, indices)


@pytest.mark.parametrize(("text", "by", "indices"), FALSE, ids=lambda x: str(x)[:60])
def test_false_uses_are_rejected(text: str, by: str, indices: dict[str, str]):
    with pytest.raises(StepError):
        check(text, by, indices)


def test_a_rejected_link_names_both_sides():
    with pytest.raises(StepError, match=r"2\*y = 3\*y does not follow"):
        follows(read("2*y"), "=", read("3*y"), THEORY)


@pytest.mark.parametrize("rule", RULES)
def test_every_rule_has_false_uses_that_are_tested(rule: str):
    assert sum(rule in by for _, by, _ in FALSE) >= 2, rule


def test_independence_needs_indices_that_differ():
    pair = {"t": "1..n", "u": "1..n"}
    check("E(q[t]*q[u]) == E(q[t])*E(q[u])", "independence", pair, ("t", "u"))


@pytest.mark.parametrize("index", ["n", "sigma", "Z", "y"])
def test_an_index_may_not_have_the_name_of_something_else(index: str):
    """Or a fact about that thing would be taken for one about every index."""
    theory = Theory(
        sizes=THEORY.sizes,
        permutations=THEORY.permutations,
        definitions=THEORY.definitions,
        assumptions={**THEORY.assumptions, "y": fact("y >= 5")},
    )
    claim = line(f"{index} >= 1", label="tested", **{index: "1..9"})
    with pytest.raises(StepError, match="a name of its own"):
        prove(claim, theory)


def test_a_bound_index_is_not_captured_by_a_definition():
    """Z sums over l; under a sum over l it still does."""
    check("Sum(s[l]*Z, l, 1, n) == Z*Sum(s[l], l, 1, n)", "Z, constant factor", {})
    with pytest.raises(StepError):
        check(
            "Sum(s[l]*Z, l, 1, n) == Sum(s[l]*Sum(exp(s[l]), j, 1, n), l, 1, n)", f"Z, {LINEAR}", {}
        )


def test_a_line_about_no_index_at_all_proves_nothing_outside_of_it():
    """Within an empty range everything holds, so what was shown there is known there alone."""
    theory = Theory(
        sizes=THEORY.sizes,
        assumptions={**THEORY.assumptions, "vacuous": fact("w == 5", i="1..z")},
    )
    with pytest.raises(StepError):
        prove(line("w == 5", "vacuous", "outside"), theory)
