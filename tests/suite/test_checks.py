"""Ways in: check_attention, parametrize_with_checks, and the pytest plugin."""

from __future__ import annotations

import subprocess
import sys
from importlib.metadata import entry_points
from pathlib import Path

import pytest

import symattn
from symattn import numeric
from symattn.errors import InputError
from symattn.suite import check_attention, parametrize_with_checks
from symattn.suite.checks import checks_for
from symattn.suite.mutants import MUTANTS

pytest_plugins = ["pytester"]


def test_check_attention_returns_the_report_of_a_correct_function():
    assert check_attention(numeric.attention, dtypes=["float32"]).count("failed") == 0


def test_check_attention_raises_with_the_counterexample():
    with pytest.raises(AssertionError, match=r"Finding 1: agreement[\s\S]*reproduce"):
        check_attention(MUTANTS["base_two"].function, dtypes=["float32"])


def test_unknown_declarations_and_types_are_refused():
    with pytest.raises(InputError, match="'dead_row' is no declaration"):
        check_attention(numeric.attention, dead_row="nan")
    with pytest.raises(InputError, match="dead_rows='NaN' must be one of zeros, nan"):
        check_attention(numeric.attention, dead_rows="NaN")
    with pytest.raises(InputError, match="profile='fast' must be one of quick"):
        check_attention(numeric.attention, profile="fast")


@parametrize_with_checks([numeric.attention], dtypes=["float64"])
def test_numpy_attention(check):
    check()


@parametrize_with_checks(
    [MUTANTS["no_keys_give_nan"].function],
    dtypes=["float32"],
    known={"no-keys": "an empty cache gives NaN"},
)
def test_known_failures_are_xfails(check):
    check()


def test_checks_are_named_by_property_and_type():
    names = [repr(each) for each in checks_for(numeric.attention)]
    assert "tie[float32]" in names
    assert len(names) == len(set(names))


#: How pytest gets the plugin where the package is not installed.
PLUGIN = [] if entry_points(group="pytest11", name="symattn") else ["-p", "symattn.suite.plugin"]


@pytest.fixture
def project(pytester, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(Path(symattn.__file__).parents[1]))
    pytester.makepyfile(
        mymodule="""
        from symattn import numeric
        def attention(q, k, v):
            return numeric.attention(q, k, v)
        def wrong(q, k, v):
            return 2 * numeric.attention(q, k, v)
        """
    )
    return pytester


def test_the_plugin_checks_a_target_without_a_test_file(project):
    result = project.runpytest_subprocess(
        *PLUGIN, "--symattn-target", "mymodule:wrong",
        "--symattn-dtype", "float32", "-k", "agreement-plain or causal-agreement", "-rs",
    )  # fmt: skip
    result.assert_outcomes(failed=1, skipped=1)
    result.stdout.fnmatch_lines(["*takes no 'causal'*"])


def test_the_plugin_gives_checks_to_a_test_that_takes_them(project):
    project.makepyfile(test_mine="def test_mine(symattn_check):\n    symattn_check()\n")
    result = project.runpytest_subprocess(
        *PLUGIN, "--symattn-target", "mymodule:attention",
        "--symattn-dtype", "float32", "-k", "tie and not gradient or zero-query",
    )  # fmt: skip
    result.assert_outcomes(passed=2)


def test_the_plugin_does_nothing_without_a_target(project):
    project.makepyfile(test_mine="def test_mine():\n    pass\n")
    project.runpytest_subprocess(*PLUGIN).assert_outcomes(passed=1)


def test_importing_the_plugin_imports_nothing_of_the_suite():
    code = "import sys, symattn.suite.plugin; print([m for m in sys.modules if m in "
    code += "('numpy', 'hypothesis', 'flint', 'symattn.suite.run')])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
    assert symattn.__version__
