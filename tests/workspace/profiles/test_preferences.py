"""Preferences and the undo journal: kept between runs, and shared by the consoles of one profile."""

from __future__ import annotations

import json
import subprocess
import sys
import textwrap
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from svc_tui.workspace.changes.journal import MOST_ENTRIES, LaterChange, UndoEntry
from svc_tui.workspace.kinds.registry import KINDS
from svc_tui.workspace.profiles.preferences import MOST_HISTORY, Group, Preferences
from tests.support.world import World
from tests.workspace.conftest import Desk, seeded

Console = Callable[..., Awaitable[Desk]]
APPLICATIONS = KINDS["applications"]
ONE = {"appId": f"{1:024x}"}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "data" / "work" / "preferences.json"


def test_sort_order_and_parameters_of_a_kind_are_restored(file: Path) -> None:
    first = Preferences(file)
    kept = first.of("applications")
    kept.sort, kept.descending, kept.query = "state", True, {"timezone": "Europe/Paris"}
    first.save()
    first.last_place = "applications/a1"
    first.remember("apps north")
    again = Preferences(file)
    assert again.of("applications") == kept
    assert (again.last_place, again.history) == ("applications/a1", ["apps north"])
    assert again.of("users").sort == ""
    assert file.stat().st_mode & 0o777 == 0o600


def test_two_consoles_do_not_overwrite_the_preferences_of_each_other(file: Path) -> None:
    first, second = Preferences(file), Preferences(file)
    first.of("applications").sort = "state"
    first.save()
    first.remember("one")
    second.of("users").sort = "displayName"
    second.remember("two")
    again = Preferences(file)
    assert (again.of("applications").sort, again.of("users").sort) == ("state", "displayName")
    assert again.history == ["one", "two"]


def test_a_command_is_in_the_history_once_and_not_for_ever(file: Path) -> None:
    preferences = Preferences(file)
    for number in range(MOST_HISTORY + 5):
        preferences.remember(f"line {number}")
    preferences.remember("line 50")
    preferences.remember("  ")
    assert len(preferences.history) == MOST_HISTORY
    assert (preferences.history[-1], preferences.history.count("line 50")) == ("line 50", 1)
    assert Preferences(file).history == preferences.history


@pytest.mark.parametrize(
    "content", ["", "nonsense", "[]", '{"kinds": 3, "history": {"a": 1}, "user": []}', '{"kinds": {"x": {"sort": 3}}}']
)
def test_an_invalid_file_gives_the_default_preferences(file: Path, content: str) -> None:
    file.parent.mkdir(parents=True)
    file.write_text(content)
    preferences = Preferences(file)
    assert (preferences.of("x").sort, preferences.history, preferences.last_place) == ("", [], "")
    preferences.remember("works")
    assert Preferences(file).history == ["works"]


def test_preferences_that_cannot_be_saved_apply_until_the_console_is_closed(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("")
    preferences = Preferences(tmp_path / "taken" / "preferences.json")
    preferences.last_place = "users"
    assert preferences.last_place == "users"
    assert "Preferences are kept until this console is closed" in preferences.error_message


WRITER = """
    import sys
    from pathlib import Path
    from svc_tui.workspace.profiles.preferences import Group, Preferences

    preferences = Preferences(Path(sys.argv[1]))
    for turn in range(20):
        preferences.of(f"kind-{sys.argv[2]}-{turn}").sort = "name"
        preferences.save()
"""


def test_consoles_writing_at_the_same_moment_lose_nothing(file: Path) -> None:
    command = [sys.executable, "-c", textwrap.dedent(WRITER), str(file)]
    running = [subprocess.Popen([*command, str(me)]) for me in range(3)]
    assert [process.wait(timeout=30) for process in running] == [0, 0, 0]
    assert len(json.loads(file.read_text())["kinds"]) == 60


# The journal


async def changed(desk: Desk, body: dict[str, object]) -> UndoEntry:
    """Change the application as a form does, with an entry in the journal."""
    view = desk.workspace.record("get_application", path=ONE)
    await view.wait_until_idle()
    assert view.data is not None
    entry = UndoEntry.of_update("Edit App 001", APPLICATIONS, "update_application", ONE, body, view.data)
    await desk.workspace.perform("update_application", path=ONE, body=body, undo=entry)
    return desk.workspace.journal.entries[-1]


async def test_a_change_is_undone(real: Console, world: World) -> None:
    await seeded(world, 3)
    desk = await real()
    entry = await changed(desk, {"type": "bot", "description": "new"})
    assert (entry.before, entry.body) == ({"type": "web", "description": None}, {"type": "web", "description": None})
    assert await desk.workspace.journal.later_changes(entry) == []
    await desk.workspace.journal.undo(entry)
    assert (await world.stored("applications", ONE["appId"]))["type"] == "web"
    assert desk.workspace.journal.entries == ()


async def test_later_changes_are_reported_before_an_undo(real: Console, world: World) -> None:
    await seeded(world, 3)
    desk = await real()
    entry = await changed(desk, {"type": "bot"})
    john = await real(login="john@example.com")
    await john.workspace.perform("update_application", path=ONE, body={"type": "iot"})
    assert await desk.workspace.journal.later_changes(entry) == [LaterChange("type", "bot", "iot")]


async def test_a_stop_is_undone_by_a_restart(real: Console, world: World) -> None:
    await seeded(world, 3)
    desk = await real()
    before = await world.stored("applications", ONE["appId"])
    shown = {"id": before["id"], "state": "active"}
    entry = UndoEntry.of_opposite("Stop App 001", APPLICATIONS, "stop_application", ONE, shown)
    await desk.workspace.perform("stop_application", path=ONE, undo=entry)
    assert desk.workspace.journal.entries[-1].after == {"state": "stopped"}
    await desk.workspace.journal.undo(desk.workspace.journal.entries[-1])
    assert (await world.stored("applications", ONE["appId"]))["state"] == "active"


async def test_a_refused_change_is_not_in_the_journal_and_a_refused_undo_stays(real: Console, world: World) -> None:
    from svc_tui.client.errors import ServiceError

    await seeded(world, 3)
    desk = await real()
    with pytest.raises(ServiceError):
        await changed(desk, {"name": ""})
    assert desk.workspace.journal.entries == ()
    entry = await changed(desk, {"type": "bot"})
    desk.line.cut = True
    with pytest.raises(ServiceError):
        await desk.workspace.journal.undo(entry)
    assert desk.workspace.journal.entries == (entry,)


async def test_the_journal_holds_no_secret_and_is_bounded(desk: Desk) -> None:
    journal = desk.workspace.journal
    secret = UndoEntry(
        "x", "applications", "a", "update_application", {}, {"appSecret": "s3cret"}, {"appSecret": "s3cret"}
    )
    assert not journal.add(secret)
    stop = UndoEntry(
        "x", "applications", "a", "restart_application", {}, None, {"appSecret": "s3cret", "state": "active"}
    )
    assert journal.add(stop, {"appSecret": "s3cret", "state": "stopped"})
    for number in range(MOST_ENTRIES + 10):
        journal.add(UndoEntry(f"change {number}", "applications", "a", "update_application", {}, {"name": "n"}, {}))
    assert (len(journal.entries), journal.entries[-1].label) == (MOST_ENTRIES, f"change {MOST_ENTRIES + 9}")
    (file,) = desk.workspace.folders.data_of("work").glob("journal-*.json")
    assert "s3cret" not in file.read_text() and file.stat().st_mode & 0o777 == 0o600


async def test_two_consoles_share_one_journal(desk: Desk) -> None:
    from svc_tui.workspace.changes.journal import Journal

    (folder := desk.workspace.folders.data_of("work")).mkdir(parents=True, exist_ok=True)
    first, second = (Journal(folder / "journal-x.json", desk.workspace) for _ in range(2))
    for journal, label in ((first, "one"), (second, "two"), (first, "three")):
        journal.add(UndoEntry(label, "applications", "a", "update_application", {}, {"name": label}, {}))
    assert [entry.label for entry in first.entries] == ["one", "two", "three"]
    second.forget(first.entries[0])
    assert [entry.label for entry in Journal(folder / "journal-x.json", desk.workspace).entries] == ["two", "three"]


def test_groups_and_saved_searches_of_two_consoles_are_merged_and_removed_ones_stay_removed(tmp_path: Path) -> None:
    file = tmp_path / "preferences.json"
    one = Preferences(file)
    one.groups |= {"north": Group(("c1", "c2"), "north"), "old": Group(("c9",))}
    one.searches["late"] = "companies?filter=late"
    one.save()
    one, other = Preferences(file), Preferences(file)
    assert one.groups["north"] == Group(("c1", "c2"), "north")
    del one.groups["old"]
    one.save()
    other.groups["south"] = Group(("c3",))
    other.searches["late"] = "users?filter=late"
    other.save()
    read = Preferences(file)
    assert (set(read.groups), read.searches) == ({"north", "south"}, {"late": "users?filter=late"})
    assert (read.members("south"), read.members("none"), read.members("")) == ({"c3"}, frozenset(), None)
    file.write_text('{"groups": {"a": 1, "b": {"companies": "x", "filter": 2}}, "searches": {"c": 1}}')
    assert (Preferences(file).groups, Preferences(file).searches) == ({"b": Group(())}, {})
