"""The project's shape: imports go down its layers, nothing heavy loads early, rooms stay small."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "symattn"
MODULES = sorted(PACKAGE.rglob("*.py"))

#: From the ground up; what stands in one line may import its own room and all lines above it.
LAYERS = [
    {"errors", "names"},
    {"exact"},
    {"attention", "numeric", "numeric_bounds", "oracle"},
    {"derivation"},
    {"theorems", "problems"},
    {"grading", "suite", "exams"},
    {"render", "figures"},
    {"api", "__init__"},
    {"cli", "__main__"},
]
HEIGHT = {room: height for height, layer in enumerate(LAYERS) for room in layer}
#: The exact and the float definition of attention are independent of each other.
TWINS = [("attention", "numeric"), ("numeric", "attention"), ("numeric_bounds", "attention")]


def room(module: str) -> str:
    """The first part of a module's path below the package."""
    parts = module.split(".")
    return parts[1] if len(parts) > 1 else "__init__"


def imports(path: Path) -> set[str]:
    """The modules of the package that a file imports, inside functions too."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            found |= (
                {f"symattn.{alias.name}" for alias in node.names}
                if node.module == "symattn"
                else {node.module}
            )
    return {name for name in found if name.split(".")[0] == "symattn"}


def test_every_room_has_a_layer():
    rooms = {path.relative_to(PACKAGE).parts[0].removesuffix(".py") for path in MODULES}
    assert rooms <= set(HEIGHT), f"rooms without a layer: {sorted(rooms - set(HEIGHT))}"


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_imports_go_down_the_layers(path: Path):
    own = path.relative_to(PACKAGE).parts[0].removesuffix(".py")
    for module in imports(path):
        other = room(module)
        if other in HEIGHT and other not in (own, "__init__"):
            assert HEIGHT[other] <= HEIGHT[own], f"{own} imports {module}, which stands above it"
            assert (own, other) not in TWINS, f"{own} imports its twin {module}"


def test_modules_do_not_import_each_other_in_a_circle():
    names = {
        ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path
        for path in MODULES
    }
    graph = {name: top_level_imports(path) & set(names) for name, path in names.items()}
    done: set[str] = set()

    def visit(name: str, trail: tuple[str, ...]) -> None:
        assert name not in trail, f"a circle of imports: {' -> '.join((*trail, name))}"
        if name not in done:
            for other in graph[name]:
                visit(other, (*trail, name))
            done.add(name)

    for name in graph:
        visit(name, ())


def top_level_imports(path: Path) -> set[str]:
    """What a file imports when it is loaded (not in functions, not for type checkers alone)."""
    found: set[str] = set()
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            found.add(node.module)
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
        elif isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
    package = ".".join(path.relative_to(ROOT).parent.parts)
    return found - {package}  # a module may name the room that it stands in


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_no_module_is_too_large_to_know(path: Path):
    lines = len(path.read_text(encoding="utf-8").splitlines())
    assert lines <= 300, f"{path.name} has {lines} lines"


def loaded_by(code: str) -> set[str]:
    """The top-level packages in sys.modules after some code ran in a fresh interpreter."""
    report = "import json, sys\nprint(json.dumps(sorted({m.split('.')[0] for m in sys.modules})))"
    script = f"{code}\n{report}"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    return set(json.loads(done.stdout.splitlines()[-1]))


HELP = "from symattn.cli import cli\ncli(['--help'], standalone_mode=False)"


@pytest.mark.parametrize("code", [HELP, "import symattn", "import symattn.cli.list"])
def test_help_and_import_load_nothing_heavy(code: str):
    heavy = {"sympy", "numpy", "flint", "hypothesis", "pytest", "rich", "mpmath"}
    assert loaded_by(code) & heavy == set()


def test_the_check_of_loaded_modules_can_fail():
    assert "numpy" in loaded_by("import symattn\nsymattn.numeric.softmax([0.0])")


def test_top_level_holds_only_its_rooms():
    done = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True)
    if done.returncode:
        pytest.skip("not a git checkout")
    top = {line.split("/")[0] for line in done.stdout.splitlines()}
    rooms = {"pyproject.toml", "symattn", "proofs", "tests", "README.md", "LICENSE"}
    assert {name for name in top if not name.startswith(".")} <= rooms


def test_every_dependency_has_its_reason():
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    project = tomllib.loads(text)["project"]
    names = project["dependencies"] + [
        name for extra in project["optional-dependencies"].values() for name in extra
    ]
    for name in names:
        if not name.startswith("symattn["):
            line = next(line for line in text.splitlines() if f'"{name}"' in line)
            assert "#" in line, f"{name} has no reason beside it"
