"""The command of a view or a change, as a user copies it from the console and runs it in a shell."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from svc_tui.console.core.call_line import CommandCall, call_line, shell_word
from tests.stories.driver import TERMINAL, Story, profile, story

#: Copies go to a file.
TO_FILE = replace(TERMINAL, clipboard=("file",))


def run(line: str, **more: str) -> subprocess.CompletedProcess[str]:
    """Run a line in a new shell that knows nothing of the console."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("SVC_TUI_")}
    environment = {**kept, "PATH": f"{Path(sys.executable).parent}:/usr/bin:/bin", **more}
    return subprocess.run(["bash", "-c", line], env=environment, capture_output=True, text=True, timeout=60)


def answer(line: str, **more: str) -> Any:
    done = run(line, **more)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


async def copied(person: Story, folder: Path) -> str:
    """The line that the key copies; it is shown as well."""
    await person.press("ctrl+y")
    await person.sees("Command", "which only you can read.")
    line = (folder / "data" / "copied.txt").read_text()
    await person.sees_across_lines(line)
    await person.press("escape")
    return line


async def test_the_copied_command_reads_the_list_and_the_record_of_the_screen(service: str, tmp_path: Path) -> None:
    async with story(profile(service), terminal=TO_FILE) as person:
        await person.is_ready()
        await person.goes("applications name:campus")
        await person.sees("Campus Client")
        await person.does_not_see("Contract Sync")
        line = await copied(person, tmp_path)
        assert " svc-tui call list_applications " in line and " --profile demo" in line and " --all" in line
        found = answer(line)["data"]
        assert found and all("campus" in each["name"].lower() for each in found)
        await person.press("enter")
        await person.sees("Secret")
        assert answer(await copied(person, tmp_path))["data"]["name"] == "Campus Client"


async def test_the_command_of_a_change_sends_the_same_without_its_secret(service: str, tmp_path: Path) -> None:
    async with story(profile(service, "superadmin@demo.example"), terminal=TO_FILE) as person:
        await person.is_ready()
        await person.goes("applications campus")
        await person.puts_cursor_on("Campus Client")
        await person.press("e")
        await person.on_field("Description")
        await person.press("end")
        await person.type("It's $HOME; `id`")
        await person.press("ctrl+o")
        await person.sees_across_lines("shows colleagues what is due today. → Campus")
        line = await copied(person, tmp_path)
        await person.press("escape")
        assert answer(line)["data"]["description"].endswith("today.It's $HOME; `id`")


async def test_a_form_gives_the_command_of_its_changes_before_they_are_reviewed(service: str, tmp_path: Path) -> None:
    async with story(profile(service, "superadmin@demo.example"), terminal=TO_FILE) as person:
        await person.is_ready()
        await person.goes("applications name:campus")
        await person.puts_cursor_on("Campus Client")
        await person.press("e")
        await person.on_field("Origin")
        await person.press("ctrl+y")
        await person.sees("Copy command: no changes to send")
        await person.type("shell")
        line = await copied(person, tmp_path)
        assert " svc-tui call update_application appId=" in line
        assert answer(line)["data"]["origin"].endswith("shell")


async def test_a_form_of_filters_gives_the_command_that_lists_what_it_would_show(service: str, tmp_path: Path) -> None:
    async with story(profile(service), terminal=TO_FILE) as person:
        await person.is_ready()
        await person.press("F")
        await person.on_field("State")
        await person.type("blocked")
        found = answer(await copied(person, tmp_path))["data"]
        assert found and {each["state"] for each in found} == {"blocked"}


async def test_a_job_gives_the_commands_of_all_its_requests(service: str, tmp_path: Path) -> None:
    async with story(profile(service, "superadmin@demo.example"), terminal=TO_FILE) as person:
        await person.is_ready()
        await person.goes("applications state:active")
        await person.is_ready()
        await person.press("space", "space", "x")
        await person.sees("Delete 2 applications")
        lines = (await copied(person, tmp_path)).splitlines()
        assert len(lines) == 2
        assert all(" svc-tui call delete_application appId=" in line for line in lines)


def test_a_secret_is_a_variable_that_must_be_set(service: str, tmp_path: Path) -> None:
    class Standing:
        """A workspace as far as a line needs it."""

        profile = profile(service)

        class folders:
            config = data = cache = tmp_path

    body = {"userId": "O'Neil", "password": "secret#123"}
    made = call_line(CommandCall("create_subscriber", {"systemId": "s 1"}, body=body), Standing())  # type: ignore[arg-type]
    assert "secret#123" not in made.text
    assert " svc-tui call create_subscriber 'systemId=s 1' --profile demo --body -" in made.text
    assert made.notes.startswith("Set $PASSWORD in your shell first: secrets are not copied.")
    sent = made.text.partition(" | ")[0]
    assert json.loads(run(sent, PASSWORD="secret#123").stdout) == body
    refused = run(sent)
    assert refused.returncode != 0 and refused.stdout == ""


@pytest.mark.parametrize("text", ["plain", "it's", "a b", "$(id)", "\x1b[31m\n'\\x", "né\u202e", "-rf", ""])
def test_any_text_is_one_word_of_a_shell(text: str) -> None:
    assert run(f"printf %s {shell_word(text)}", LC_ALL="C.UTF-8").stdout == text


async def test_the_start_page_and_a_search_give_the_command_of_their_line(service: str, tmp_path: Path) -> None:
    async with story(profile(service), first="home", terminal=TO_FILE) as person:
        await person.is_ready()
        await person.sees("applications are blocked")
        blocked = answer(await copied(person, tmp_path))["data"]
        assert blocked and {each["state"] for each in blocked} == {"blocked"}
        await person.goes("find una byrne")
        await person.sees("Una Byrne")
        await person.press("ctrl+y")
        await person.sees("Command", "call get_user", "which only you can read.")
        await person.press("escape", "question_mark", "ctrl+y")
        await person.sees("no single request reads this view")


async def test_the_log_gives_the_command_of_the_selected_call(service: str, tmp_path: Path) -> None:
    async with story(profile(service), first="applications", terminal=TO_FILE) as person:
        await person.is_ready()
        await person.press("exclamation_mark")
        line = await copied(person, tmp_path)
        # One page is what was sent, not the whole list.
        assert "--all" not in line and "limit=" in line and "sortField=name" in line
        assert answer(line)["data"]
        await person.press("G")
        line = await copied(person, tmp_path)
        assert " svc-tui call login " in line
