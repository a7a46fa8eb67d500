"""The recipes of the documentation run as printed, one after the other, against a service with demo data."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from svc_tui.server.demo.accounts import APP_ID, APP_SECRET
from tests.commands.conftest import PASSWORDS, PATIENCE, Shell

RECIPES = Path(__file__).parents[2] / "docs" / "recipes.md"
_RECIPE = re.compile(r"^### (\d+)\. (.+?)$\n.*?^```sh\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_FOUND = _RECIPE.findall(RECIPES.read_text(encoding="utf-8"))
#: Parts of what some recipes print.
_PRINTED = {
    "1": "demo@demo.example",
    "3": "staging",
    "4": "assign_licence",
    "6": "create_directory_entry",
    "7": "Northwind Retail",
    "8": "Northwind Telecom",
    "10": "company_admin@demo.example",
    "12": '"total": 2',
    "13": "Recipe, renamed",
    "16": "%PDF-1",
    "19": "02:aa:bb:cc:dd:01,done",
    "20": "LAST SEEN",
    "21": "exit code 1",
    "22": "Completed successfully",
    "24": "exit code 2",
    "25": "404",
    "27": "PUT http",
    "28": "404",
    "34": 'name:="Waited for"',
    "35": "exit code 5",
    "36": 'name:="Waited for"',
    "40": "exit code 10",
    "41": "exit code 10",
}


@pytest.fixture(scope="module")
def partner(tmp_path_factory: pytest.TempPathFactory, service: str) -> Shell:
    """The account that the recipes name, logged in, with its folder for the files of all recipes."""
    shell = Shell(tmp_path_factory.mktemp("recipes")).use(service).log_in("demo@demo.example")
    shell.variables["SVC_TUI_PASSWORD"] = PASSWORDS["demo@demo.example"]
    return shell


def test_the_connection_of_the_page_is_that_of_the_demo(tmp_path: Path) -> None:
    head = RECIPES.read_text(encoding="utf-8").partition("\n## ")[0]
    _start, connection = re.findall(r"^  ```\n(.*?)^  ```$", head, re.MULTILINE | re.DOTALL)
    bash = shutil.which("bash")
    assert bash
    environment = Shell(tmp_path).environment()
    environment["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{environment['PATH']}"
    script = connection + 'echo "$SVC_TUI_LOGIN $SVC_TUI_APP_ID $SVC_TUI_APP_SECRET $SVC_TUI_PASSWORD"'
    done = subprocess.run([bash, "-euc", script], env=environment, capture_output=True, text=True, timeout=PATIENCE)
    login = "demo@demo.example"
    assert done.stdout.split() == [login, APP_ID, APP_SECRET, PASSWORDS[login]], done.stderr


def test_all_recipes_are_found_and_numbered() -> None:
    text = RECIPES.read_text(encoding="utf-8")
    assert len(_FOUND) == text.count("```sh\n") >= 20
    assert [int(number) for number, _, _ in _FOUND] == list(range(1, len(_FOUND) + 1))


@pytest.mark.parametrize(("number", "title", "script"), _FOUND, ids=[number for number, _, _ in _FOUND])
def test_a_recipe_works_as_printed(partner: Shell, number: str, title: str, script: str) -> None:
    bash = shutil.which("bash")
    assert bash
    environment = partner.environment()
    environment["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{environment['PATH']}"
    done = subprocess.run(
        [bash, "-euo", "pipefail", "-c", script],
        env=environment,
        cwd=partner.folder,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    assert done.returncode == 0, f"{title}: {done.stderr}{done.stdout}"
    assert _PRINTED.get(number, "") in done.stdout
