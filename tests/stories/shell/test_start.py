"""The start of the console."""

from __future__ import annotations

import contextlib
import gc
import sqlite3
from collections.abc import Sequence

import pytest

from svc_tui.client.session_store import SessionStore
from svc_tui.console.widgets.bars import Bar, Piece
from tests.stories.driver import profile, story
from tests.stories.wire import wired


async def test_garbage_is_collected_again_after_the_first_picture(service: str) -> None:
    gc.disable()
    frozen = gc.get_freeze_count()
    try:
        async with story(profile(service)) as user:
            await user.is_ready()
            await user.until(gc.isenabled, "garbage collection")
            assert gc.get_freeze_count() > frozen
    finally:
        gc.enable()


async def test_all_faults_of_the_key_map_are_listed_until_they_are_read(service: str) -> None:
    keymap = {"edit": "z", "delete": "z", "no.such.action": "f5", "nor.this": "f6"}
    async with story(profile(service, keymap=keymap)) as user:
        await user.sees("Key map of the profile", "z is both")
        await user.sees("unknown action “no.such.action”", "unknown action “nor.this”")
        await user.press("enter")
        await user.does_not_see("Key map of the profile")
        await user.is_ready()


async def test_an_action_without_a_key_is_not_in_the_footer(service: str) -> None:
    async with story(profile(service, keymap={"edit": ""})) as user:
        await user.is_ready()
        await user.until(lambda: "n New" in user.footer, "no footer")
        assert "Edit" not in user.footer and "·" not in user.footer


async def test_a_theme_that_does_not_exist_is_reported_once(service: str) -> None:
    async with story(profile(service, theme="neon")) as user:
        await user.sees("Theme of the profile", "Unknown theme “neon” is ignored. Themes: terminal, dark, light,")
        await user.press("enter")
        await user.does_not_see("Theme of the profile")
        await user.is_ready()


async def test_a_login_that_is_in_progress_is_never_shown_as_missing(
    service: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown: list[str] = []
    show = Bar.show

    def record(bar: Bar, left: Sequence[Piece], right: Sequence[Piece] = ()) -> None:
        shown.append("".join(piece.text for piece in right))
        show(bar, left, right)

    monkeypatch.setattr(Bar, "show", record)
    for start in ("the first one", "with a stored session", "without it"):
        async with story(profile(service)) as user:
            await user.is_ready()
            await user.sees("company_admin")
            folder = user.app.frame.workspace.folders.data / "sessions"
        assert not any("not logged in" in text for text in shown), f"{start}: {shown}"
        if start == "with a stored session":
            SessionStore(folder, "demo").clear()


@pytest.mark.parametrize(
    "damage",
    ["UPDATE records SET body = 'no JSON'", "UPDATE records SET body = '[]'", "UPDATE windows SET ids = 'null'"],
)
async def test_a_damaged_cache_is_read_again_from_the_service(service: str, damage: str) -> None:
    async with wired(service) as (wire, url):
        async with story(profile(url), place="applications") as user:
            await user.is_ready()
            await user.sees("Branch Planner", "58 applications")
            file = user.app.frame.workspace.cache.path
        with contextlib.closing(sqlite3.connect(file, isolation_level=None)) as database:
            assert database.execute(damage).rowcount > 0
        wire.away = True
        async with story(profile(url), place="applications") as user:
            await user.sees("○ offline", "broke before the response was complete", "▌…")
            wire.away = False
            await user.press("r")
            await user.is_ready()
            await user.sees("Branch Planner", "58 applications")
