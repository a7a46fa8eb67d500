"""The end of a session: a login over the current view; then waiting requests continue and nothing typed is lost."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from svc_tui.client.profile import Profile
from svc_tui.console.shell.login import LoginBox
from svc_tui.server.demo.accounts import PASSWORD
from tests.stories.beside import other_client, own_server
from tests.stories.driver import Story, profile, story

ADMIN = "company_admin@demo.example"


def by_hand(url: str) -> Profile:
    return replace(profile(url, password=""), login=ADMIN)


async def logs_in(person: Story, password: str = PASSWORD) -> None:
    await person.sees("Log in to demo")
    await person.type(password)
    await person.press("enter")
    await person.does_not_see("Log in to demo")


def loses_the_session(person: Story) -> None:
    """From now on the service does not know the token, as after a change of its signing key."""
    assert person.app.frame.workspace.session is not None
    session = person.app.frame.workspace.session
    head, payload, signature = session.token.split(".")
    session.accept({"token": f"{head}.{payload}.{signature[::-1]}", "loggedInUser": session.user})


async def fills_a_form(person: Story, name: str) -> None:
    await person.press("n")
    await person.sees("New application")
    await person.type(name)
    await person.press("down", "s", "down", "j")
    await person.sees_line(r"Activity \*\s+Information")


async def test_requests_continue_after_the_login_and_nothing_typed_is_lost(service: str) -> None:
    async with story(by_hand(service)) as person:
        await logs_in(person)
        await person.is_ready()
        await fills_a_form(person, "Sent twice never")
        loses_the_session(person)
        await person.press("ctrl+o")
        await person.sees("Name: — → Sent twice never")
        await person.press("enter")
        await person.sees("Log in to demo", "The session is not valid: ", ADMIN)
        await logs_in(person)
        await person.sees("Created.")
        await person.sees_line(r"▌Sent twice never\s+◌ new")
        await person.press("/")
        await person.type("Sent twice")
        await person.press("enter")
        await person.sees("1 of 59")


async def test_without_a_login_the_form_stays_and_browsing_continues(service: str) -> None:
    async with story(by_hand(service)) as person:
        await logs_in(person)
        await person.is_ready()
        await fills_a_form(person, "Kept in the form")
        loses_the_session(person)
        await person.press("ctrl+o")
        await person.sees("Name: — → Kept in the form")
        await person.press("enter")
        await person.sees("Log in to demo")
        await person.press("esc")
        await person.does_not_see("Log in to demo")
        await person.sees("Your input is kept: esc goes back.")
        await person.press("esc")
        await person.sees_line(r"Name \*\s+Kept in the form")
        await person.press("esc", "y")
        await person.sees("Campus Client", "not logged in")
        await person.puts_cursor_on("Campus Client")
        await person.press("r")
        await logs_in(person)
        await person.is_ready()
        await person.does_not_see("not logged in")


async def test_several_requests_that_wait_open_one_box(service: str) -> None:
    async with story(by_hand(service)) as person:
        await logs_in(person)
        await person.is_ready()
        loses_the_session(person)
        await person.goes("users")
        await person.sees("Log in to demo")
        person.app.frame.view.refresh_now()  # type: ignore[union-attr]
        assert sum(isinstance(screen, LoginBox) for screen in person.app.screen_stack) == 1
        await logs_in(person)
        await person.sees("Clara Novak")
        await person.does_not_see("Log in to demo")


async def test_a_profile_with_a_password_logs_in_again_by_itself(service: str) -> None:
    async with story(profile(service)) as person:
        await person.is_ready()
        loses_the_session(person)
        await person.goes("users")
        await person.sees("Clara Novak", "company_admin")
        await person.is_ready()
        assert not isinstance(person.app.screen, LoginBox)


async def test_a_stored_password_that_is_wrong_now_is_reported_in_the_dialog(service: str) -> None:
    async with story(profile(service)) as person:
        await person.is_ready()
        assert person.app.frame.workspace.client is not None
        client = person.app.frame.workspace.client
        client.profile = replace(client.profile, password="another password")
        loses_the_session(person)
        await person.goes("users")
        await person.sees("Log in to demo", "Wrong login or password")
        await logs_in(person)
        await person.sees("Clara Novak")


async def test_another_user_does_not_send_the_requests_of_the_first_one(service: str) -> None:
    async with story(by_hand(service)) as person:
        await logs_in(person)
        await person.is_ready()
        await fills_a_form(person, "Of the first one")
        loses_the_session(person)
        await person.press("ctrl+o")
        await person.sees("Name: — → Of the first one")
        await person.press("enter")
        await person.sees("Log in to demo")
        await person.press("shift+tab")
        for _ in ADMIN:
            await person.press("backspace")
        await person.type("app_admin@demo.example")
        await person.press("tab")
        await logs_in(person)
        await person.sees("Another user logged in. The request of the first user was not sent.")


async def test_near_the_end_the_time_left_is_shown_and_then_a_login_is_asked_for(tmp_path: Path) -> None:
    with own_server(tmp_path / "short", "token_lifetime = 4\nmax_token_renew = 0\n") as server:
        async with story(by_hand(server.url)) as person:
            await logs_in(person)
            await person.sees("less than 1 min left")
            assert person.app.frame.workspace.session is not None
            session = person.app.frame.workspace.session
            await person.until(lambda: session.left() == 0, "the session does not end")
            await person.goes("users")
            await person.sees("Log in to demo", "Session expired")
            await logs_in(person)
            await person.sees("Clara Novak")


async def test_the_password_of_the_profile_does_not_replace_another_user(service: str) -> None:
    async with story(profile(service)) as person:
        await person.is_ready()
        assert person.app.frame.workspace.session is not None
        async with other_client(service, "app_admin@demo.example") as other:
            person.app.frame.workspace.session.accept(
                {"token": other.session.token, "loggedInUser": other.session.user}
            )
        loses_the_session(person)
        await person.goes("users")
        await person.sees("Log in to demo")
