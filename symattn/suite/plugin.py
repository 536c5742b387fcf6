"""The pytest plugin: `pytest --symattn-target MODULE:FUNCTION` needs no test file.

Options: `--symattn-target` (repeatable), `--symattn-profile`, `--symattn-dtype`, and one for each
declaration (`--symattn-dead-rows nan`). A test that takes `symattn_check` runs once for each
property and type of these targets; without such a test they run as items of their own. Importing
this module imports nothing of the suite.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

__all__: list[str] = []

_DECLARATIONS = ("causal", "dead_rows", "value_at_masked", "nan", "accumulate")


def pytest_addoption(parser: pytest.Parser) -> None:
    """The plugin's options."""
    group = parser.getgroup("symattn", "attention under check")
    group.addoption(
        "--symattn-target",
        action="append",
        default=[],
        metavar="MODULE:FUNCTION",
        help="check this implementation of attention (repeatable)",
    )
    group.addoption(
        "--symattn-profile",
        default="quick",
        choices=["quick", "ci", "nightly"],
        help="how thoroughly (default: quick)",
    )
    group.addoption(
        "--symattn-dtype",
        action="append",
        default=None,
        metavar="NAME",
        help="a type to check with (repeatable; default: float32 and float64)",
    )
    for name in _DECLARATIONS:
        group.addoption(f"--symattn-{name.replace('_', '-')}", default=None, metavar="VALUE",
                        help=f"declare {name} of the targets")  # fmt: skip


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Give `symattn_check` one value for each property and type of the targets."""
    if "symattn_check" in metafunc.fixturenames:
        found = [(each, name) for name, each in _checks(metafunc.config)]
        metafunc.parametrize("symattn_check", [c for c, _ in found], ids=[n for _, n in found])


def pytest_collection_modifyitems(
    session: pytest.Session, config: pytest.Config, items: list[pytest.Item]
) -> None:
    """Add the checks as items of their own where no test takes them."""
    if not config.getoption("--symattn-target"):
        return
    if any("symattn_check" in getattr(item, "fixturenames", ()) for item in items):
        return
    for name, each in _checks(config):
        item = _CheckItem.from_parent(session, name=name)
        item.check = each
        items.append(item)


class _CheckItem(pytest.Item):
    """One property on one target."""

    check: Any

    def runtest(self) -> None:
        """Run the property."""
        self.check()

    def reportinfo(self) -> tuple[str, None, str]:
        """Where the item is said to be: the target."""
        return self.check.target.name, None, self.name


def _checks(config: pytest.Config) -> Iterator[tuple[str, Any]]:
    """(name, check) for all targets of the options."""
    targets = config.getoption("--symattn-target")
    if not targets:
        return
    from symattn.suite.checks import checks_for

    declared = {name: config.getoption(f"symattn_{name}") for name in _DECLARATIONS}
    for target in targets:
        for each in checks_for(
            target,
            dtypes=config.getoption("--symattn-dtype"),
            profile=config.getoption("--symattn-profile"),
            **{name: value for name, value in declared.items() if value is not None},
        ):
            yield f"{target}-{each!r}", each
