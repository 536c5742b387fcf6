"""The suite's own test: every shipped wrong function must be caught, and the correct one pass."""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from functools import partial

from symattn.grading.engines import on_processes
from symattn.suite.mutants import MUTANTS, Mutant, correct
from symattn.suite.profiles import PROFILES, Profile
from symattn.suite.progress import Tick, silent
from symattn.suite.properties import PROPERTIES
from symattn.suite.run import check
from symattn.suite.target import Target

__all__ = ["KillMatrix", "caught", "self_test"]


@dataclass
class KillMatrix:
    """Mutant -> the properties that catch it; and what failed on the correct function."""

    kills: dict[str, list[str]] = field(default_factory=dict)
    false_alarms: list[str] = field(default_factory=list)

    @property
    def passed(self) -> bool:
        """Whether everything wrong was caught and nothing right was."""
        return not self.false_alarms and all(self.kills.values())

    def to_text(self) -> str:
        """The matrix, one mutant a line, with the properties numbered."""
        names = [each.name for each in PROPERTIES]
        lines = [f"{number:2} {name}" for number, name in enumerate(names, start=1)] + [""]
        header = "".join(str(number // 10 or " ") for number in range(1, len(names) + 1))
        digits = "".join(str(number % 10) for number in range(1, len(names) + 1))
        width = max(len(name) for name in self.kills)
        lines += [f"{'':{width}}  {header}", f"{'':{width}}  {digits}"]
        for mutant, found in self.kills.items():
            row = "".join("x" if name in found else "·" for name in names)
            lines.append(f"{mutant:{width}}  {row}{'' if found else '  NOT CAUGHT'}")
        caught = sum(bool(found) for found in self.kills.values())
        lines += ["", f"{caught} of {len(self.kills)} wrong functions caught"]
        alarms = ", ".join(self.false_alarms)
        lines.append(f"false alarms on the correct function: {alarms or 'none'}")
        example = MUTANTS[next(iter(self.kills))]
        path = f"{example.function.__module__}:{example.name}"
        lines.append(f"to look at one of them: symattn check {path}")
        return "\n".join(lines)

    def to_json(self) -> str:
        """The matrix as the `symattn.selftest/1` document."""
        return json.dumps(
            {
                "schema": "symattn.selftest/1",
                "mutants": [
                    {
                        "name": name,
                        "group": MUTANTS[name].group,
                        "fault": MUTANTS[name].fault,
                        "caught_by": found,
                    }
                    for name, found in self.kills.items()
                ],
                "false_alarms": self.false_alarms,
                "passed": self.passed,
            },
            indent=1,
        )


def self_test(
    profile: Profile = PROFILES["quick"], tick: Tick = silent, processes: int = 1
) -> KillMatrix:
    """Run every property on every mutant and on the correct function."""
    matrix = KillMatrix()
    report = check(Target("correct", correct), profile=profile, remember=True)
    matrix.false_alarms = [f"{o.property.name} ({o.dtype})" for o in report.failures]
    names = list(MUTANTS)
    answers = on_processes(partial(_caught, profile=profile), names, processes)
    for number, (name, found) in enumerate(zip(names, answers, strict=True), start=1):
        tick(number, len(names), name)
        matrix.kills[name] = found
    return matrix


def caught(mutant: Mutant, profile: Profile = PROFILES["quick"]) -> list[str]:
    """The properties that a mutant fails, by name; failing cases are not made smaller."""
    target = Target(mutant.name, mutant.function)
    failures = check(target, profile=replace(profile, shrink_calls=0), remember=True).failures
    return list(dict.fromkeys(outcome.property.name for outcome in failures))


def _caught(name: str, profile: Profile) -> list[str]:
    return caught(MUTANTS[name], profile)
