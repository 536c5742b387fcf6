"""Statements about any number of terms, in Unicode and in LaTeX."""

from __future__ import annotations

import pytest

from symattn.derivation.notation import read
from symattn.render.latex import to_latex
from symattn.render.unicode import to_unicode

SHOWN = [
    ("s[j]", "sⱼ", "s_{j}"),
    ("X[i, t]", "Xᵢₜ", "X_{it}"),
    ("alpha[sigma[i], 1]", "α_(σᵢ, 1)", r"\alpha_{\sigma_{i}, 1}"),
    ("Sum(exp(s[l]), l, 1, n)", "Σ[l=1…n] e^sₗ", r"\sum_{l=1}^{n} e^{s_{l}}"),
    ("2*Sum(a[j], j, 1, n)", "2·(Σ[j=1…n] aⱼ)", r"2 \cdot \left(\sum_{j=1}^{n} a_{j}\right)"),
    ("Sum(a[j] + 1, j, 1, n)", "Σ[j=1…n] (aⱼ + 1)", r"\sum_{j=1}^{n} (a_{j} + 1)"),
    ("1 - Sum(a[j], j, 1, n)", "1 − (Σ[j=1…n] aⱼ)", r"1 - \left(\sum_{j=1}^{n} a_{j}\right)"),
    ("1 + Sum(a[j], j, 1, n)", "1 + Σ[j=1…n] aⱼ", r"1 + \sum_{j=1}^{n} a_{j}"),
    ("delta(i, j)", "δᵢⱼ", r"\delta_{ij}"),
    ("lim(1/M, M, oo)", "lim[M→+∞] 1/M", r"\lim_{M \to +\infty} \frac{1}{M}"),
    ("lim(x, T, 0)", "lim[T→0⁺] x", r"\lim_{T \to 0^{+}} x"),
    ("D(alpha[i], s[j])", "∂/∂sⱼ αᵢ", r"\frac{\partial}{\partial s_{j}} \alpha_{i}"),
    ("E(q[t]**2)", "E[qₜ²]", r"\mathrm{E}\left[q_{t}^{2}\right]"),
    ("cos(theta)", "cos(θ)", r"\cos(\theta)"),
]


@pytest.mark.parametrize(("text", "plain", "latex"), SHOWN)
def test_a_statement_is_shown_so(text: str, plain: str, latex: str):
    assert (to_unicode(read(text)), to_latex(read(text))) == (plain, latex)


def test_a_power_of_an_entry_or_a_sum_stays_readable():
    assert to_unicode(read("Sum(a[j], j, 1, n)**2")) == "(Σ[j=1…n] aⱼ)²"
    assert to_unicode(read("delta(i, j)**2")) == "δᵢⱼ²"
