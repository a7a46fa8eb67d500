"""Logging in by hand: password and API key, and every refusal in one sentence that loses nothing typed."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from textual.events import Paste

from svc_tui.client.profile import Profile
from svc_tui.interface.catalogue import operation
from svc_tui.server.demo.accounts import APP_ID, PASSWORD
from tests.stories.beside import call, other_client
from tests.stories.driver import Story, profile, story
from tests.stories.wire import wired

ADMIN = "company_admin@demo.example"


def by_hand(url: str, login: str = ADMIN, **changes: Any) -> Profile:
    """The profile of a user who types the password."""
    return replace(profile(url, password=""), login=login, **changes)


async def types_password(person: Story, password: str = PASSWORD) -> None:
    await person.sees("Log in to demo")
    await person.type(password)
    await person.press("enter")


def focused(person: Story) -> str:
    return str(person.app.focused.id) if person.app.focused else ""


async def test_types_the_password_and_sees_the_list_that_waited_below(service: str) -> None:
    async with story(by_hand(service)) as person:
        await person.sees("Log in to demo", service, ADMIN, "enter Log in", "Applications")
        await types_password(person)
        await person.does_not_see("Log in to demo")
        await person.is_ready()
        await person.sees("applications", "company_admin")
        assert PASSWORD not in person.screen


async def test_own_records_are_listed_once_the_user_is_known(service: str) -> None:
    async with story(by_hand(service), place="companies/own/sites") as person:
        await person.sees("Log in to demo", "Sites")
        await types_password(person)
        await person.does_not_see("Log in to demo")
        await person.sees_line(r"Lisbon")
        assert person.app.frame.view is not None
        assert re.fullmatch("[0-9a-f]{24}", person.app.frame.view.place.parents["companies"])
        assert len(person.app.frame.stack) == 1


async def test_types_login_and_password(service: str) -> None:
    async with story(by_hand(service, "", name="work")) as person:
        await person.sees("Log in to work")
        assert focused(person) == "login"
        await person.type("user@demo.example")
        await person.press("enter")
        assert focused(person) == "secret"
        await person.type(PASSWORD)
        await person.press("enter")
        await person.does_not_see("Log in to work")
        await person.is_ready()


async def test_while_the_profile_logs_in_the_list_asks_for_no_login(service: str) -> None:
    async with wired(service) as (wire, url):
        wire.hold = f"GET {operation('login').path}".encode()
        async with story(profile(url)) as person:
            await person.until(wire.held.is_set, "no login was sent")
            await person.goes("users")
            await person.sees("Users", "LOGIN")
            assert "ogged in" not in person.screen
            wire.released.set()
            await person.is_ready()
            await person.sees("@")


async def test_a_kept_password_that_is_wrong_leads_to_the_question_for_it(service: str) -> None:
    async with story(replace(profile(service), password="wrong")) as person:
        await person.sees("Log in to demo", "Not logged in: no cached data. Log in with :login.")


async def test_after_a_wrong_password_only_the_password_is_typed_again(service: str) -> None:
    async with story(by_hand(service)) as person:
        await types_password(person, "wrong")
        await person.sees("Wrong login or password", ADMIN)
        assert focused(person) == "secret"
        await types_password(person)
        await person.does_not_see("Log in to demo")


async def test_the_account_is_locked_after_five_wrong_passwords(service: str) -> None:
    async with story(by_hand(service, "directory_admin@demo.example")) as person:
        for _ in range(5):
            await types_password(person, "no")
            await person.sees("Wrong login or password")
        await types_password(person)
        await person.sees("locked")
        await person.sees("directory_admin@demo.example")


async def test_accounts_that_cannot_log_in_see_the_reason(service: str) -> None:
    for login, reason in (
        ("locked@demo.example", "locked"),
        ("voiceonly@demo.example", "voice phone"),
    ):
        async with story(by_hand(service, login)) as person:
            await types_password(person)
            await person.sees(reason, login)
            await person.press("esc")
            await person.sees("Not logged in. Cached records can be browsed.", "not logged in")


async def test_a_client_that_is_too_old_sees_the_reason_and_logs_in_when_it_is_accepted(service: str) -> None:
    async with other_client(service) as admin:
        await call(admin, "create_client_version", {"id": APP_ID, "version": "99.0"})
        async with story(by_hand(service)) as person:
            await types_password(person)
            await person.sees("too old for the service", "99.0 or later")
            await call(admin, "delete_client_version", clientId=APP_ID)
            await person.press("enter")
            await person.does_not_see("Log in to demo")


async def test_logs_in_with_an_api_key(service: str) -> None:
    async with other_client(service, ADMIN) as admin:
        made = await call(admin, "create_api_key", {"description": "From a story", "isActive": True, "scope": ["all"]})
    key = made["data"]["apiKey"]
    async with story(by_hand(service)) as person:
        await person.sees("Log in to demo")
        await person.press("f3")
        await person.sees("API key")
        await person.type("k" * 12)
        await person.press("enter")
        await person.sees("The credentials were not accepted.")
        person.app.post_message(Paste(key))
        await person.press("enter")
        await person.does_not_see("Log in to demo")
        await person.is_ready()
        await person.sees("company_admin")
        assert key not in person.screen


async def test_a_profile_with_an_api_key_opens_logged_in(service: str) -> None:
    async with other_client(service, ADMIN) as admin:
        made = await call(admin, "create_api_key", {"description": "Of a profile", "isActive": True, "scope": ["all"]})
    async with story(by_hand(service, method="api_key", api_key=made["data"]["apiKey"])) as person:
        await person.is_ready()
        await person.sees("company_admin", "applications")
