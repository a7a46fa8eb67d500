"""The first start without any profile: the demo, or a profile that is kept."""

from __future__ import annotations

import pytest

from svc_tui.console.shell.app import WANTS_DEMO
from svc_tui.server.demo.accounts import APP_ID, APP_SECRET, PASSWORD
from svc_tui.workspace.profiles.profiles import Profiles
from tests.stories.driver import Story, profile, story


async def opens_new_profile(person: Story) -> None:
    await person.sees("Welcome. There is no connection profile yet.", "d Demo", "n New profile")
    await person.press("n")
    await person.sees("New profile", "Service address")


async def test_d_asks_for_the_demo() -> None:
    async with story(None) as person:
        await person.sees("starts a demo")
        await person.press("d")
        await person.until(lambda: person.app.return_value is not None, "the console continues")
        assert person.app.return_value == WANTS_DEMO


@pytest.mark.parametrize("keys", [("esc",), ("ctrl+c",), ("n", "ctrl+c")])
async def test_esc_and_ctrl_c_leave(keys: tuple[str, ...]) -> None:
    async with story(None) as person:
        await person.sees("esc Quit")
        await person.press(*keys)
        await person.until(lambda: person.app.return_value is not None, "the console continues")
        assert person.app.return_value == 0
        assert Profiles().names() == []


async def test_a_new_profile_is_kept_and_opens_the_console(service: str) -> None:
    async with story(None) as person:
        await opens_new_profile(person)
        for text in (service, APP_ID, APP_SECRET, "user@demo.example", ""):
            await person.type(text)
            await person.press("enter")
        await person.sees("Show cached records without a login: always, until_logout or never", "until_logout")
        for _ in "until_logout":
            await person.press("backspace")
        await person.type("never")
        await person.press("enter")
        await person.sees("Log in to work", "user@demo.example")
        assert APP_SECRET not in person.screen
        await person.type(PASSWORD)
        await person.press("enter")
        await person.does_not_see("Log in to work")
        await person.is_ready()
    kept = Profiles().load()
    assert kept is not None
    assert (kept.name, kept.base_url, kept.app_secret, kept.password) == ("work", service, APP_SECRET, "")
    assert kept.browse_cache == "never"
    assert Profiles().secrets_file.stat().st_mode & 0o777 == 0o600
    assert APP_SECRET not in Profiles().config_file.read_text()


@pytest.mark.parametrize("address", ["", "portal.example", "https://"])
async def test_an_address_that_cannot_be_one_is_refused_and_nothing_typed_is_lost(address: str) -> None:
    sentence = "Service address must begin with https:// or http://, for example https://service.example."
    async with story(None) as person:
        await opens_new_profile(person)
        await person.type(address)
        await person.press("enter")
        await person.type("abc")
        await person.press("enter", "enter", "enter", "enter", "enter")
        await person.sees(*sentence.split("example "), "abc")
        assert person.app.focused is not None and person.app.focused.id == "base_url"
        await person.press("esc")
        await person.sees("Welcome.")
    assert Profiles().names() == []


async def test_a_name_that_cannot_be_one_is_refused() -> None:
    async with story(None) as person:
        await opens_new_profile(person)
        await person.type("https://portal.example")
        await person.press("tab", "tab", "tab", "tab", "end")
        await person.type("/..")
        await person.press("enter", "enter")
        await person.sees("Invalid profile name")
        assert person.app.focused is not None and person.app.focused.id == "name"
    assert Profiles().names() == []


async def test_an_address_without_encryption_is_warned_of_before_a_password_is_typed(
    service: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with story(None) as person:
        await opens_new_profile(person)
        await person.type("http://nowhere.invalid")
        await person.sees_across_lines("The connection to nowhere.invalid is not encrypted")
        await person.press("backspace")
        await person.press("home")
        await person.press("right", "right", "right", "right")
        await person.type("s")
        await person.does_not_see("is not encrypted")
    monkeypatch.setattr("svc_tui.client.profile.is_loopback", lambda host: False)
    async with story(profile(service, password="")) as person:
        await person.sees("Log in to demo")
        await person.sees_across_lines("is not encrypted:")
        await person.sees_across_lines("password and data can be read on the way. Use https://.")
