"""Completion with the tab key, in the real shells."""

from __future__ import annotations

import asyncio
import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from docs.making import completion as making
from svc_tui.cache.store import Cache
from svc_tui.commands.candidates import TABLE, candidates
from tests.commands.conftest import Shell
from tests.support.pty import Screen, Terminal

#: How each shell starts without the files of its user, and how it loads the completion.
SHELLS = {
    "bash": (["bash", "--norc", "--noprofile", "-i"], "PS1='> '; bind 'set enable-bracketed-paste off'"),
    "zsh": (["zsh", "-f", "-i"], "PS1='> '; autoload -U compinit; compinit -u -D"),
    "fish": (["fish", "--no-config", "-i"], "function fish_prompt; echo -n '> '; end"),
}
LOAD = {
    "bash": 'eval "$(svc-tui completion bash)"',
    "zsh": 'eval "$(svc-tui completion zsh)"',
    "fish": "svc-tui completion fish | source",
}
#: What is typed before the tab key, and the line that it becomes.
LINES = {
    "svc-tui profi": "svc-tui profile ",
    "svc-tui call create_appl": "svc-tui call create_application ",
    "svc-tui call list_companies statu": "svc-tui call list_companies status=",
    "svc-tui call list_companies status=acti": "svc-tui call list_companies status=active ",
    "svc-tui call list_companies --out": "svc-tui call list_companies --output ",
    "svc-tui operations get_curr": "svc-tui operations get_current_api_key ",
    "svc-tui login --profile wo": "svc-tui login --profile work ",
    "svc-tui open applic": "svc-tui open applications ",
    "svc-tui demo --as company_a": "svc-tui demo --as company_admin@demo.example ",
    "svc-tui demo --as superadmin@de": "svc-tui demo --as superadmin@demo.example ",
    "svc-tui directory check cont": "svc-tui directory check contacts.csv ",
    "svc-tui call create_application --body @cont": "svc-tui call create_application --body @contacts.csv ",
    "svc-tui call create_application --body nam": "svc-tui call create_application --body name=",
    "svc-tui call create_application --body type=ser": "svc-tui call create_application --body type=server ",
    "svc-tui call get_application appId=a1": "svc-tui call get_application appId=a1b2 ",
    "svc-tui open applications/a1": "svc-tui open applications/a1b2 ",
}
#: The same for programs that are not found in PATH.
PLACES = {
    "~/bin/svc-tui profi": "~/bin/svc-tui profile ",
    "$V/svc-tui call list_companies statu": "$V/svc-tui call list_companies status=",
}
#: A record that the user of the profile has seen.
SEEN = {"id": "a1b2", "name": "Shift\tplanner\x1b[31m"}


@pytest.mark.parametrize("name", SHELLS)
def test_the_tab_key_completes_in(name: str, shell: Shell, tmp_path: Path) -> None:
    if shutil.which(name) is None:
        pytest.skip(f"{name} is not installed")
    shell.run("profile", "add", "work", "--base-url", "https://portal.example.com")
    (tmp_path / "contacts.csv").touch()
    remember(tmp_path)
    (tmp_path / "bin").symlink_to(Path(sys.executable).parent)
    environment = {
        **shell.environment(),
        "V": str(tmp_path / "bin"),
        "PATH": f"{Path(sys.executable).parent}:/usr/bin:/bin",
        "HOME": str(tmp_path),
    }
    command, prompt = SHELLS[name]
    with Terminal(command, columns=120, environment=environment, directory=str(tmp_path)) as terminal:
        terminal.type(f"{prompt}\n{LOAD[name]}\nclear; echo ready\n")
        terminal.wait_for("^ready\\s*\n> ")
        for typed, becomes in [*LINES.items(), *PLACES.items()]:
            terminal.type(f"{typed}\t")
            terminal.wait_for(_has(f"> {becomes}"))
            terminal.press("ctrl+a", "ctrl+k")
            terminal.wait_for(_has("> "))


def remember(folder: Path, user: str = "u1") -> None:
    """Put the record into the cache of the profile's last user."""
    preferences = folder / "data" / "work" / "preferences.json"
    preferences.parent.mkdir(parents=True, exist_ok=True)
    preferences.write_text(json.dumps({"user": {"id": user}}))
    cache = Cache(folder / "cache" / "work" / "u1.db", service="https://portal.example.com")
    stored = cache.store_record("applications", SEEN["id"], SEEN, operation_id="get_application", fetched=1.0)
    asyncio.run(stored)
    cache.close()


def _has(line: str) -> Callable[[Screen], bool]:
    """Whether the line of the cursor is this one, and the cursor is at its end."""

    def holds(screen: Screen) -> bool:
        cursor = screen.cursor
        return screen.display[cursor.y][: cursor.x] == line

    return holds


def test_every_value_of_an_operation_is_offered_once_it_is_given() -> None:
    words = [word for word, _ in candidates(["call", "list_companies", "status=active", ""])]
    assert "name=" in words
    assert "status=" not in words
    assert [word for word, _ in candidates(["call", "get_application", ""])] == ["appId=", "format="]


def test_the_fields_of_a_body_are_offered_with_their_types_until_they_are_given() -> None:
    offered = dict(candidates(["call", "create_application", "--body", "name=CRM", "--body", ""]))
    assert "name=" not in offered
    assert offered["type="].startswith("choice, required, ")
    assert dict(candidates(["call", "create_application", "--body", "type=s"])).keys() >= {"type=server"}
    assert not list(candidates(["call", "create_application", "--body", "{"]))


def test_records_that_were_seen_are_offered_with_their_names(shell: Shell, tmp_path: Path) -> None:
    shell.run("profile", "add", "work", "--base-url", "https://portal.example.com")
    words = ("completion", "candidates", "call", "get_application", "appId=a")
    assert shell.run(*words).stdout == ""
    remember(tmp_path)
    assert shell.run(*words).stdout == "appId=a1b2\tShift planner [31m\n"
    assert shell.run(*words[:-1], "appId=b").stdout == ""


def test_records_are_not_offered_after_a_logout(shell: Shell, tmp_path: Path) -> None:
    shell.run("profile", "add", "work", "--base-url", "https://portal.example.com")
    remember(tmp_path, user="")
    done = shell.run("completion", "candidates", "call", "get_application", "appId=")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_the_value_of_an_option_is_no_argument() -> None:
    words = [word for word, _ in candidates(["call", "--output", "csv", ""])]
    assert "list_companies" in words
    assert ("--output=csv", "") in candidates(["call", "--output="])
    assert "--output" not in dict(candidates(["call", "--output", "csv", "-"]))


def test_a_configuration_that_cannot_be_read_offers_no_profiles(shell: Shell, tmp_path: Path) -> None:
    (tmp_path / "config").mkdir()
    (tmp_path / "config" / "config.toml").write_text("profile = ")
    done = shell.run("completion", "candidates", "login", "--profile", "")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_a_tab_loads_neither_the_parser_nor_the_declarations() -> None:
    code = (
        "import sys; from svc_tui.commands.start import run; run(['completion', 'candidates', 'call', 'list_c']);"
        "print({'cyclopts', 'pydantic', 'svc_tui.interface', 'svc_tui.console', 'asyncio'} & {*sys.modules},"
        "file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, stdin=subprocess.DEVNULL)
    assert "list_companies\t" in done.stdout
    assert done.stderr.strip() == "set()"


def test_the_table_of_completion_is_current() -> None:
    assert TABLE.read_text("utf-8") == making.text(), "run `python -m docs.making.completion`"
    assert json.loads(making.text())


@pytest.mark.parametrize("damage", ["", "<<<<<<< ours\n{"])
def test_a_damaged_table_of_completion_is_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, damage: str
) -> None:
    (tmp_path / "completion.json").write_text(damage)
    monkeypatch.setattr("svc_tui.commands.candidates.TABLE", tmp_path / "completion.json")
    assert "status=" in dict(candidates(["call", "list_companies", ""]))
    (tmp_path / "completion.json").unlink()
    assert "doctor" in dict(candidates([""]))
