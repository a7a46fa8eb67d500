"""The examples of docs/python-api.md run as printed, one after the other, and the programs of docs/python-recipes.md,
against a service with demo data."""

from __future__ import annotations

import ast
import codeop
import inspect
import re
import types
from pathlib import Path

import pytest

from svc_tui.client import api
from svc_tui.server.demo.accounts import APP_ID, APP_SECRET, PASSWORD
from tests.support.process import serving_demo

RECIPES = Path(__file__).parents[2] / "docs" / "python-recipes.md"
GUIDE = Path(__file__).parents[2] / "docs" / "python-api.md"
EXAMPLES = re.findall(r"^```python\n(.*?)^```$", GUIDE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
MOST_LINES = 15
#: The heading of each recipe, its program, and part of what that prints.
PROGRAMS = re.findall(
    r"^### (.*?)\n[^#]*?^```python\n(.*?)^```$", RECIPES.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL
)
SHOWN = {
    "Log in from a program": "Dana Moreno",
    "Search the operations": "assign_licence - ",
    "List what a role can call": "list_directory_entries",
    "Find a company by a part of its name, and read it": "Northwind Telecom ",
    "Export all companies to a spreadsheet": "",
    "List the administrators of a company": "@",
    "List companies that need attention": "alerting [",
    "Count without fetching": " applications",
    "Export all users with their licences": "demo@demo.example;[",
    "Create an application, rename it and delete it": "Recipe -> Recipe, renamed",
    "List deployed applications, the newest first": "+00:00 ",
    "Rotate an API key": "replaced 0 keys",
    "Show the subscriptions of several companies": "",
    "Download the newest invoice as PDF": " ",
    "List the subscribers of a CloudPBX": "\n",
    "Find free extensions": "[",
    "Check a file before it is imported": "1 valid, 1 with errors",
    "Import a directory": "Completed successfully 1",
    "Export a directory": ";",
    "Watch events": "command_ended",
    "Read only": "Read-only mode",
    "React to refusals": "no such company",
    "Wait out a busy service": " sites",
}
#: Part of what the examples print, in their order; empty for those that print nothing.
PRINTED = (
    "Branch Go",
    "Dana Moreno",
    "requests",
    "",
    "-> For branches",
    ") active",
    "applications",
    "Branch Go",
    "was not found",
    "valid rows",
    "command_ended",
)


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory):
    """A service that the examples may change."""
    with serving_demo(tmp_path_factory.mktemp("python-api")) as server:
        yield server.url


@pytest.fixture(scope="module")
def namespace() -> dict[str, object]:
    """The names that examples hand on."""
    return {}


@pytest.fixture
def environment(service: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The variables of the connection."""
    for name, value in {
        "SVC_TUI_BASE_URL": service,
        "SVC_TUI_APP_ID": APP_ID,
        "SVC_TUI_APP_SECRET": APP_SECRET,
        "SVC_TUI_LOGIN": "demo@demo.example",
        "SVC_TUI_PASSWORD": PASSWORD,
    }.items():
        monkeypatch.setenv(name, value)


@pytest.mark.parametrize(("example", "printed"), list(zip(EXAMPLES, PRINTED, strict=True)), ids=lambda text: text[:12])
async def test_an_example_works_as_printed(
    environment: None,
    namespace: dict[str, object],
    example: str,
    printed: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    code = compile(example, str(GUIDE), "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
    done = types.FunctionType(code, namespace)()
    if inspect.isawaitable(done):
        await done
    assert printed in capsys.readouterr().out


@pytest.mark.parametrize(("heading", "program"), PROGRAMS, ids=lambda text: text[:30])
def test_a_recipe_works_as_printed(
    environment: None,
    heading: str,
    program: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    exec(compile(program, heading, "exec"), {"__name__": "__main__"})
    assert SHOWN[heading] in capsys.readouterr().out


def test_recipes_are_short_and_all_are_run() -> None:
    assert [heading for heading, _program in PROGRAMS] == list(SHOWN)
    assert not [heading for heading, program in PROGRAMS if len(program.splitlines()) > MOST_LINES]


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda text: text[:12])
def test_an_example_can_be_pasted_into_an_interactive_python(example: str) -> None:
    """There, an empty line ends a block, and nothing else does."""
    understood = codeop.CommandCompiler()
    understood.compiler.flags |= ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
    typed: list[str] = []
    for line in [*example.splitlines(), ""]:
        typed.append(line)
        if understood("\n".join(typed), str(GUIDE)) is not None:
            typed.clear()
    assert typed == []


def test_every_public_name_is_explained_and_exists() -> None:
    guide = GUIDE.read_text(encoding="utf-8")
    for name in api.__all__:
        assert getattr(api, name).__doc__
        assert re.search(rf"\b{name}\b", guide), name
