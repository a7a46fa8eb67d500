"""User commands: by key, by name and in the help; confirmed, with their output, and off in read-only mode."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.stories.driver import profile, story

_CONFIGURATION = """
[commands.mine]
label = "My companies"
key = "f6"
open = "companies?filter=north"

[commands.owner]
label = "Owner"
key = "f7"
where = ["applications"]
open = "users/{{ownerId}}"

[commands.note]
label = "Write a note"
key = "f8"
where = ["applications", "companies"]
command = ["{python}", "-c", "import sys; open(sys.argv[1], 'a').write(sys.argv[2])", "{notes}", "{{name}}"]
confirm = "Note {{name}}?"

[commands.drop]
label = "Drop"
key = "f9"
where = ["applications"]
command = ["{python}", "-c", "print('dropped ' + '\\u001b[31m'); raise SystemExit(3)"]
dangerous = true
marked = "each"
output = "dialog"

[commands.shell]
key = "f11"
where = ["applications"]
command = 'echo "id $SVC_TUI_RECORD_id secret <$SVC_TUI_RECORD_appSecret>"'
shell = true
output = "view"
read_only = true

[commands.each]
key = "ctrl+e"
where = ["applications"]
command = ["{python}", "-c", "import sys; print('got', sys.argv[1]); sys.exit('Sync' in sys.argv[1])", "{{name}}"]
marked = "each"
output = "view"

[commands.together]
key = "ctrl+b"
where = ["applications"]
command = ["{python}", "-c", "import sys; print(len(sys.argv), *sys.argv[1:])", "{{name}}"]
marked = "together"
output = "view"

[commands.gone]
key = "f12"
command = ["no-such-program"]
"""


@pytest.fixture
def notes(tmp_path: Path, folders: None) -> Path:
    """The file that a command writes, with the configuration of all commands in place."""
    target = tmp_path / "notes.txt"
    (tmp_path / "config").mkdir()
    text = _CONFIGURATION.format(python=sys.executable, notes=target)
    (tmp_path / "config" / "config.toml").write_text(text, encoding="utf-8")
    return target


async def test_commands_open_places_run_programs_and_show_their_output(service: str, notes: Path) -> None:
    async with story(profile(service)) as person:
        await person.is_ready()
        await person.puts_cursor_on("Campus Client")
        await person.press("f8")
        await person.sees("Write a note", "Note Campus Client?")
        await person.press("y")
        await person.sees("Write a note: done.")
        assert notes.read_text() == "Campus Client"
        await person.press("f8")
        await person.sees("Note Campus Client?")
        await person.press("escape")
        await person.does_not_see("Note Campus Client?")
        assert notes.read_text() == "Campus Client"
        await person.press("f11")
        await person.sees_line(r"id [0-9a-f]{24} secret <>")
        await person.press("escape")
        await person.press("f12")
        await person.sees("Gone: cannot run no-such-program: not found.")
        await person.press("?")
        await person.sees("Your commands", "My companies")
        await person.press("escape")
        await person.press("f6")
        await person.sees("Companies", "/north")
        await person.press("f8")
        await person.sees("Note Northwind")
        await person.press("escape")
        await person.press(":")
        await person.type("mine")
        await person.press("enter")
        await person.sees("/north")


async def test_a_dangerous_command_runs_after_the_name_was_typed(service: str, notes: Path) -> None:
    async with story(profile(service)) as person:
        await person.is_ready()
        await person.puts_cursor_on("Campus Client")
        await person.press("f9")
        await person.sees("Type Campus Client to confirm")
        await person.type("Campus")
        await person.press("enter")
        await person.sees("Type Campus Client to confirm.")
        await person.type(" Client")
        await person.press("enter")
        await person.sees("Drop: exit code 3.", "dropped")


async def test_a_dangerous_command_for_a_marked_record_requires_its_name_and_not_that_of_the_cursor(
    service: str, notes: Path
) -> None:
    async with story(profile(service)) as person:
        await person.is_ready()
        await person.puts_cursor_on("Contract Connector")
        await person.press("space")
        assert "Contract Connector" not in person.cursor
        await person.press("f9")
        await person.sees("Type Contract Connector to confirm")


async def test_a_command_does_not_run_for_the_cursor_when_the_marked_record_is_gone(service: str, notes: Path) -> None:
    async with story(profile(service)) as person:
        await person.is_ready()
        await person.puts_cursor_on("Contract Connector")
        person.app.frame.view.records.set_marks(["0" * 24])
        await person.press("ctrl+e")
        await person.sees("No longer in the list: 1 marked record.")


async def test_read_only_mode_runs_only_what_is_declared_to_read(service: str, notes: Path) -> None:
    async with story(profile(service, read_only=True)) as person:
        await person.is_ready()
        await person.puts_cursor_on("Campus Client")
        await person.press("f8")
        await person.sees("Write a note: read-only mode")
        await person.press("f11")
        await person.sees_line(r"id [0-9a-f]{24}")
        assert not notes.exists()


async def test_a_command_runs_for_every_marked_record_or_once_for_all(service: str, notes: Path) -> None:
    async with story(profile(service)) as person:
        await person.is_ready()
        await person.puts_cursor_on("Contract Connector")
        await person.press("ctrl+e")
        await person.sees("Each: done.", "got Contract Connector")
        await person.press("escape", "space", "space")
        await person.press("ctrl+b")
        await person.sees("Together: 2 applications?")
        await person.press("y")
        await person.sees("3 Contract Connector Contract Sync")
        await person.press("escape", "ctrl+e")
        await person.sees("Each: 2 applications?")
        await person.press("y")
        await person.sees("Each: 1 of 2 done. Contract Sync: exit code 1.")
        await person.sees("Contract Connector:", "got Contract Connector", "got Contract Sync")
