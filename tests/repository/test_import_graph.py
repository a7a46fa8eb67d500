"""The import graph of the whole package: no module imports, directly or indirectly, a module that imports it.

Every import counts: at module level, inside a function and under TYPE_CHECKING. `from package import name` imports the
submodule when `name` is one, and the package itself otherwise.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

from tests.repository.files import ROOT

PACKAGE = "svc_tui"
Graph = Mapping[str, set[str]]


def modules(root: Path, package: str) -> dict[str, Path]:
    """Dotted name -> file of every module of a package."""
    found = {}
    for path in sorted((root / package).rglob("*.py")):
        parts = path.relative_to(root).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def imports(name: str, path: Path, known: Mapping[str, Path]) -> Iterator[str]:
    """The modules among the known ones that a module imports anywhere in its text."""
    package = name.split(".") if path.name == "__init__.py" else name.split(".")[:-1]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in known)
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else []
            base = ".".join([*above, *([node.module] if node.module else [])])
            for alias in node.names:
                yield from [each for each in (f"{base}.{alias.name}", base) if each in known][:1]


def import_graph(root: Path, package: str) -> Graph:
    """Module -> the modules of the package that it imports."""
    known = modules(root, package)
    return {name: set(imports(name, path, known)) - {name} for name, path in known.items()}


def circle(graph: Graph) -> list[str]:
    """Modules that import each other in a circle, the first one again at the end; empty when there is none."""
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        found: list[str] = error.args[1]
        return found
    return []


@pytest.fixture(scope="module")
def graph() -> Graph:
    return import_graph(ROOT, PACKAGE)


def test_there_are_no_import_cycles(graph: Graph) -> None:
    assert len(graph) > 500
    assert not circle(graph)


@pytest.mark.parametrize(
    ("imports_of_a", "found"),
    [
        ("import p.b", True),
        ("from p import b", True),
        ("from . import b", True),
        ("from .b import thing", True),
        ("def late():\n    from p.b import thing", True),
        ("if TYPE_CHECKING:\n    from p.b import thing", True),
        ("from p import name_of_the_package", False),
        ("import os", False),
    ],
)
def test_all_kinds_of_imports_are_checked(tmp_path: Path, imports_of_a: str, found: bool) -> None:
    package = tmp_path / "p"
    package.mkdir()
    (package / "__init__.py").write_text("name_of_the_package = 1")
    (package / "a.py").write_text(imports_of_a)
    (package / "b.py").write_text("from p.a import other")
    assert bool(circle(import_graph(tmp_path, "p"))) is found


def test_names_of_a_package_count_as_its_init_file(tmp_path: Path) -> None:
    package = tmp_path / "p"
    package.mkdir()
    (package / "__init__.py").write_text("from p.a import thing")
    (package / "a.py").write_text("from p import thing")
    assert circle(import_graph(tmp_path, "p")) in (["p", "p.a", "p"], ["p.a", "p", "p.a"])
