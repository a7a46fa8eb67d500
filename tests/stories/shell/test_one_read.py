"""Keys that arrive in one read, as a password manager or a slow link sends them."""

from __future__ import annotations

from dataclasses import replace

import pytest
from textual import events
from textual.widgets import Input

from svc_tui.server.demo.accounts import APP_ID, APP_SECRET, PASSWORD
from svc_tui.workspace.profiles.profiles import Profiles
from tests.stories.driver import Story, profile, story


def send(user: Story, *typed: str) -> None:
    """Type texts and keys (`tab`, `enter`, `backspace`) without a pause between any two of them."""
    for text in typed:
        if text in ("tab", "enter", "backspace"):
            user.app.post_message(events.Key(text, None))
            continue
        for character in text:
            user.app.post_message(events.Key(character, character))


@pytest.mark.parametrize("separator", ["enter", "tab"])
async def test_login_and_password_reach_their_fields(service: str, separator: str) -> None:
    async with story(replace(profile(service, password=""), login="")) as user:
        await user.sees("Log in to demo")
        send(user, "user@demo.example", separator, PASSWORD, "enter")
        await user.does_not_see("Log in to demo")
        await user.is_ready()
        assert PASSWORD not in user.screen


async def test_corrections_apply_where_they_were_typed(service: str) -> None:
    async with story(replace(profile(service, password=""), login="")) as user:
        await user.sees("Log in to demo")
        send(user, "uzz", "backspace", "backspace", "ser@demo.example", "tab", "no")
        await user.until(lambda: user.app.screen.query_one("#secret", Input).value == "no", "not typed")
        assert user.app.screen.query_one("#login", Input).value == "user@demo.example"


async def test_pasted_texts_reach_their_fields(service: str) -> None:
    async with story(replace(profile(service, password=""), login="")) as user:
        await user.sees("Log in to demo")
        user.app.post_message(events.Paste("user@demo.example"))
        send(user, "tab")
        user.app.post_message(events.Paste(PASSWORD))
        send(user, "enter")
        await user.does_not_see("Log in to demo")
        await user.is_ready()


async def test_a_new_profile_is_saved_from_one_read(service: str) -> None:
    async with story(None) as user:
        await user.sees("n New profile")
        send(user, "n")
        await user.sees("Service address")
        send(
            user, service, "enter", APP_ID, "enter", APP_SECRET, "enter", "user@demo.example", "enter", "enter", "enter"
        )
        await user.sees("Log in to work", "user@demo.example")
    kept = Profiles().load()
    assert kept is not None
    assert (kept.base_url, kept.app_id, kept.app_secret) == (service, APP_ID, APP_SECRET)
