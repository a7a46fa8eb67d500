"""Imports at a start: everything that is loaded before the first screen delays it."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from svc_tui.commands.table import COMMANDS
from tests.repository.files import ROOT

SERVER_SIDE = ("svc_tui.server.serve", "sqlalchemy", "starlette", "uvicorn", "alembic", "argon2", "joserfc")
SOURCES = sorted((ROOT / "svc_tui").rglob("*.py"))


def loaded(code: str) -> set[str]:
    """The modules that a new interpreter has loaded after the code."""
    script = f"{code}\nimport json, sys\nprint('\\n' + json.dumps(sorted(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    modules: list[str] = json.loads(done.stdout.splitlines()[-1])
    return set(modules)


def within(modules: set[str], packages: tuple[str, ...]) -> set[str]:
    return {module for module in modules if any(module == p or module.startswith(p + ".") for p in packages)}


def late_modules(path: Path) -> dict[str, str]:
    """Name -> module of each `name = lazy_import("module")` in a file."""
    return {
        target.id: argument.value
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call)
        for target, argument in zip(node.targets, node.value.args, strict=False)
        if isinstance(node.value.func, ast.Name) and node.value.func.id == "lazy_import"
        if isinstance(target, ast.Name) and isinstance(argument, ast.Constant) and isinstance(argument.value, str)
    }


def type_checking_imports(path: Path) -> dict[str, str]:
    """Name -> module of each import of a module under `if TYPE_CHECKING` in a file."""
    return {
        alias.asname or alias.name: f"{node.module}.{alias.name}" if isinstance(node, ast.ImportFrom) else alias.name
        for block in ast.parse(path.read_text("utf-8")).body
        if isinstance(block, ast.If) and isinstance(block.test, ast.Name) and block.test.id == "TYPE_CHECKING"
        for node in block.body
        if isinstance(node, ast.ImportFrom | ast.Import)
        for alias in node.names
    }


def test_the_help_is_printed_without_the_parser() -> None:
    code = "from svc_tui.__main__ import main\ntry:\n    main(['--help'])\nexcept SystemExit:\n    pass"
    assert not within(loaded(code), ("textual", "pydantic", "cyclopts", "httpx", *SERVER_SIDE))


def test_the_version_is_printed_without_loading_screens_or_records() -> None:
    code = "from svc_tui.__main__ import main\ntry:\n    main(['--version'])\nexcept SystemExit:\n    pass"
    assert not within(loaded(code), ("textual", "pydantic", "cyclopts", "httpx", *SERVER_SIDE))


@pytest.mark.parametrize("module", ["svc_tui.console.shell.app", "svc_tui.console.shell.login"])
def test_opening_the_login_screen_loads_nothing_of_the_server(module: str) -> None:
    assert not within(loaded(f"import {module}"), ("svc_tui.server", *SERVER_SIDE))


def test_the_client_and_the_workspace_load_nothing_of_the_server() -> None:
    modules = loaded("import svc_tui.client, svc_tui.workspace, svc_tui.cache")
    assert not within(modules, ("svc_tui.server", *SERVER_SIDE, "textual", "httpx"))


def test_the_command_line_is_parsed_without_loading_the_console_or_the_server() -> None:
    code = "from svc_tui.__main__ import main\ntry:\n    main(['--help'])\nexcept SystemExit:\n    pass"
    assert not within(loaded(code), ("textual", "httpx", "pydantic", "svc_tui.server", *SERVER_SIDE))


def test_the_help_of_every_command_loads_neither_console_nor_server() -> None:
    modules = {f"svc_tui.commands.{command.target.partition(':')[0]}" for command in COMMANDS}
    found = loaded("import cyclopts\n" + "\n".join(f"import {module}" for module in sorted(modules)))
    assert not within(found, ("httpx", "svc_tui.console.shell.app", *SERVER_SIDE))


def test_a_new_or_current_database_is_opened_without_loading_alembic_or_another_database(tmp_path: Path) -> None:
    code = (
        "import asyncio, svc_tui.server.serve\nfrom svc_tui.server.store.database import Database\n"
        f"for _ in range(2): asyncio.run(Database('sqlite:///{tmp_path / 'svc.db'}').upgrade())"
    )
    assert not within(loaded(code), ("alembic", "sqlalchemy.dialects.postgresql"))


@pytest.mark.parametrize("path", [path for path in SOURCES if late_modules(path)], ids=lambda path: path.stem)
def test_a_lazy_module_exists_and_is_the_one_that_the_type_checker_sees(path: Path) -> None:
    modules, imports = late_modules(path), type_checking_imports(path)
    for name, module in modules.items():
        import_module(module)
        assert imports.get(name) == module


def test_a_part_of_an_area_is_imported_without_its_records() -> None:
    modules = loaded("from svc_tui.interface.authentication import proof\nproof.basic('a', 'b')")
    assert not within(modules, ("pydantic", "svc_tui.interface.records"))


def test_the_catalogue_and_the_codes_of_errors_are_imported_without_pydantic() -> None:
    parts = ("catalogue", "errors", "field_specs", "labels", "problems")
    modules = loaded("\n".join(f"import svc_tui.interface.{part}" for part in parts))
    assert not within(modules, ("pydantic", "svc_tui.interface.records"))
