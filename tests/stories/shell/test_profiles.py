"""Profiles, login and logout inside the console, the role lens, and a session that was ended elsewhere."""

from __future__ import annotations

import errno
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from svc_tui.client.profile import Profile
from svc_tui.client.session import EARLY
from svc_tui.client.session_store import SessionStore
from svc_tui.console.widgets.bars import Bar
from svc_tui.server.demo.accounts import PASSWORD
from svc_tui.server.directory.demo import faulty_file
from svc_tui.workspace import user_records
from svc_tui.workspace.profiles.profiles import Profiles
from tests.stories.authentication.test_sessions import loses_the_session
from tests.stories.directory import steps
from tests.stories.driver import Story, profile, story

ADMIN = "company_admin@demo.example"
SUPPORT = "support@demo.example"


@pytest.fixture
def two_profiles(service: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Profile]:
    """The profiles `work` and `live`, whose password comes from the environment; the first one."""
    known = profile(service)
    monkeypatch.setenv("SVC_TUI_PASSWORD", known.password)
    profiles = Profiles()
    profiles.save(replace(known, name="work", password="", colour="green"))
    profiles.save(replace(known, name="live", password="", login=SUPPORT, colour="red"))
    loaded = Profiles().load("work")
    assert loaded is not None
    yield loaded


def colour(person: Story) -> str:
    """The style of the profile's name in the top line."""
    return person.app.frame.query_one("#top", Bar)._left[0].style


async def test_another_profile_has_its_colour_its_user_and_its_cache(two_profiles: Profile) -> None:
    async with story(two_profiles) as person:
        await person.is_ready()
        await person.sees(" work ▸ Applications", "company_admin")
        assert colour(person) == "green"
        before = person.app.frame.workspace.cache.path
        await person.press(":")
        await person.type("ctx l")
        await person.press("tab", "enter")
        await person.sees(" live ▸ Applications", " support ")
        await person.is_ready()
        assert colour(person) == "red"
        assert person.app.frame.workspace.cache.path != before
        await person.goes("profile work")
        await person.sees(" work ▸ Applications", "company_admin")
        await person.goes("ctx nowhere")
        await person.sees_across_lines("Unknown profile 'nowhere'")
    assert Profiles().default_name == "work"


async def test_the_list_of_profiles_shows_the_open_one(two_profiles: Profile) -> None:
    async with story(two_profiles) as person:
        await person.is_ready()
        await person.goes("ctx")
        await person.sees("Profiles", "this profile is open", "127.0.0.1")
        await person.press("enter")
        await person.sees(" live ▸ Applications", " support ")


async def test_unsaved_changes_are_kept_when_the_question_is_denied(
    service: str, two_profiles: Profile, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "fair.csv"
    file.write_text(faulty_file(), encoding="utf-8")
    async with story(profile(service, steps.ADMIN, name="work"), place=steps.PLACE) as person:
        await steps.opens(person, file)
        await steps.writes(person, "213456789")
        await person.goes("ctx live")
        await person.sees("Discard unsaved changes?", "1 changed row neither saved nor imported would be lost.")
        await person.press("n")
        await person.sees("1 corrected, not saved", " work ▸")
        await person.goes("logout")
        await person.sees("Discard unsaved changes and log out?", "neither saved nor imported would be lost.")
        await person.press("n")
        await person.sees("1 corrected, not saved", "directory_admin")
        await person.goes("ctx live")
        await person.sees("Discard unsaved changes?")
        await person.press("y")
        await person.sees(" live ▸ Applications", " support ")


async def test_the_role_lens_shows_everything_and_changes_nothing(service: str) -> None:
    async with story(profile(service)) as person:
        await person.is_ready()
        await person.goes("as nonsense")
        await person.sees("Unknown role “nonsense”.")
        await person.press(":")
        await person.type("as app_adm")
        await person.press("tab", "enter")
        await person.sees("as app_admin, read-only", "Read-only, as app_admin would see it. esc or :as ends it.")
        await person.press("n")
        await person.sees("New: app_admin may do this. The role lens is read-only, :as ends it")
        await person.press("e")
        await person.sees("Edit: your role is limited to your own records")
        await person.press("2")
        await person.sees("Companies: needs superadmin, support,")
        await person.sees("demo ▸ Applications")
        await person.press(":")
        await person.sees("companies  needs super")
        await person.press("esc", "enter")
        await person.does_not_see("demo ▸ Applications  ")
        await person.press("esc")
        await person.sees("as app_admin, read-only")
        await person.press("esc")
        await person.sees("The role lens is off.", "company_admin +1")
        await person.goes("as support")
        await person.sees("as support, read-only")
        await person.goes("as")
        await person.sees("The role lens is off.", "company_admin +1")
        await person.press("n")
        await person.sees("New application")


async def test_a_logout_names_what_stays_and_a_login_shows_the_records_again(service: str) -> None:
    by_hand = replace(profile(service, password=""), login=ADMIN)
    async with story(by_hand) as person:
        await logs_in(person)
        await person.goes("login")
        await person.sees(f"Already logged in as {ADMIN}.")
        kept = person.app.frame.workspace.cache.path
        assert isinstance(kept, Path)
        await person.goes("logout")
        await person.sees("Logged out. Cached records stay in", "not logged in")
        await person.does_not_see("Branch Planner")
        assert kept.exists()
        await person.goes("logout")
        await person.sees("Not logged in.")
        await person.goes("login")
        await person.sees("Log in to demo")
        await person.type(PASSWORD)
        await person.press("enter")
        await person.sees("Branch Planner", "company_admin")


async def test_a_logout_reports_records_that_cannot_be_removed(service: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object) -> str:
        raise OSError(errno.EACCES, "Permission denied")

    async with story(profile(service)) as person:
        await person.is_ready()
        monkeypatch.setattr(user_records, "forget_after_logout", fails)
        await person.goes("logout")
        await person.sees("Logged out. Cached records could not be removed (Permission denied).", "not logged in")


async def test_places_of_profiles_and_sessions_report_why_they_do_nothing(service: str) -> None:
    async with story(profile(service)) as person:
        await person.is_ready()
        await person.goes("ctx")
        await person.sees("There are no profiles. Add one with `svc-tui profile add`.")
        configuration = Profiles().config_file
        configuration.parent.mkdir(parents=True, exist_ok=True)
        configuration.write_text("[profiles", encoding="utf-8")
        await person.goes("ctx work")
        await person.sees_across_lines(
            "config.toml, at its end: expected ']' at the end of a table declaration. Correct it in an editor."
        )
        configuration.unlink()
        await person.goes("as guest")
        await person.sees("Unknown role “guest”. The roles are superadmin, support")


async def test_a_logout_closes_views_that_hold_records_themselves(service: str) -> None:
    async with story(replace(profile(service, password=""), login=ADMIN)) as person:
        await logs_in(person)
        await person.goes("find Clara Novak")
        await person.sees("Clara Novak")
        await person.goes("logout")
        await person.sees("Logged out.", "demo ▸ Applications", "not logged in")
        await person.does_not_see("Clara Novak")


async def logs_in(person: Story) -> None:
    await person.sees("Log in to demo")
    await person.type(PASSWORD)
    await person.press("enter")
    await person.does_not_see("Log in to demo")
    await person.is_ready()


async def test_a_session_that_the_service_ended_is_explained(service: str) -> None:
    async with story(replace(profile(service, password=""), login=ADMIN)) as person:
        await logs_in(person)
        loses_the_session(person)
        await person.press("r")
        await person.sees("Log in to demo")
        await person.sees_across_lines(f"The session is not valid: invalid token. {EARLY}")


async def test_a_logout_of_another_program_ends_the_session_here(service: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("svc_tui.console.shell.connection.CLOCK", 0.1)
    async with story(replace(profile(service, password=""), login=ADMIN)) as person:
        await logs_in(person)
        SessionStore(person.app.frame.workspace.folders.data / "sessions", "demo").clear()
        await person.sees("Log in to demo", "not logged in")
        await person.sees_across_lines(EARLY)
        await logs_in(person)
        await person.sees("Branch Planner", "company_admin")


async def test_a_logout_elsewhere_logs_in_again_with_the_password_of_the_profile(
    service: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("svc_tui.console.shell.connection.CLOCK", 0.1)
    async with story(profile(service)) as person:
        await person.is_ready()
        SessionStore(person.app.frame.workspace.folders.data / "sessions", "demo").clear()
        await person.sees(f"{EARLY} Logged in again.", "Branch Planner", "company_admin")


async def test_a_session_that_the_service_ended_is_explained_after_the_automatic_login(service: str) -> None:
    async with story(profile(service)) as person:
        await person.is_ready()
        loses_the_session(person)
        await person.press("r")
        await person.sees(f"{EARLY} Logged in again.", "Branch Planner")


async def test_without_a_login_a_strict_profile_shows_nothing_from_the_cache(service: str) -> None:
    strict = replace(profile(service, password=""), login=ADMIN, browse_cache="never")
    async with story(strict) as person:
        await logs_in(person)
        await person.sees("Branch Planner")
        kept = person.app.frame.workspace.cache.path
        loses_the_session(person)
        await person.press("r")
        await person.sees("Log in to demo")
        await person.press("esc")
        await person.sees("Not logged in. This profile shows records only after a login.")
        await person.does_not_see("Branch Planner")
        await person.goes("login")
        await logs_in(person)
        await person.sees("Branch Planner")
        loses_the_session(person)
        assert person.app.frame.workspace.session is not None
        SessionStore(person.app.frame.workspace.folders.data / "sessions", "demo").clear()
    assert isinstance(kept, Path) and kept.exists()
    async with story(strict, place="applications") as person:
        await person.sees("Log in to demo")
        await person.does_not_see("Branch Planner")
        await person.press("esc")
        await person.sees("Not logged in. This profile shows records only after a login.")
        await person.does_not_see("Branch Planner")
        await person.goes("login")
        await logs_in(person)
        await person.sees("Branch Planner")
        await person.goes("logout")
        await person.sees_across_lines("Logged out. The cached records were removed.")
        await person.does_not_see("Branch Planner")
    assert not kept.exists()


async def test_a_profile_can_allow_cached_records_after_a_logout(service: str) -> None:
    open_profile = replace(profile(service, password=""), login=ADMIN, browse_cache="always")
    async with story(open_profile) as person:
        await logs_in(person)
        await person.sees("Branch Planner")
        await person.goes("logout")
        await person.sees_across_lines("Logged out. Cached records stay in")
        await person.sees("Branch Planner", "not logged in")
    async with story(open_profile, place="applications") as person:
        await person.sees("Log in to demo")
        await person.press("esc")
        await person.sees("Branch Planner", "Not logged in. Cached records can be browsed.")
