"""Single sign-on: found while the login is typed, carried to a browser by link, picture or copy, finished by itself."""

from __future__ import annotations

import re
from dataclasses import replace
from html import unescape

import httpx

from svc_tui.client.profile import Profile
from svc_tui.console.shell.login import LoginBox
from svc_tui.console.terminal.capabilities import capabilities
from svc_tui.server.demo.accounts import PASSWORD
from tests.stories.driver import Story, profile, story
from tests.support.forms import filled

LOGIN = "sso@demo.example"
OVER_SSH = capabilities({"TERM": "xterm-256color", "LANG": "C.UTF-8", "SSH_TTY": "/dev/pts/1"})


def of_the_company(url: str, login: str = LOGIN) -> Profile:
    """The profile of a user whose company has single sign-on."""
    return replace(profile(url, password=""), login=login)


async def goes_to_the_browser(person: Story) -> str:
    """Start the single sign-on; the address that the box shows."""
    await person.sees("Single sign-on: ")
    await person.press("enter")
    await person.sees("Finish the login in a browser")
    box = person.app.screen
    assert isinstance(box, LoginBox) and box.address
    return box.address


async def clicks(address: str, who: str = LOGIN, decision: str = "allow") -> str:
    """Open the address in a browser, choose an identity and decide on the confirmation; returns the last page."""
    async with httpx.AsyncClient(follow_redirects=True, timeout=20) as browser:
        page = await browser.get(address)
        users = {
            unescape(login): unescape(value)
            for value, login in re.findall(r'<button name="user" value="([^"]+)"[^>]*>[^<]*<small>([^<]+)', page.text)
        }
        end = await browser.post(str(page.url), data={"user": users.get(who, "")})
        if who in users:
            action, values = filled(end.text, decision=decision)
            end = await browser.post(end.url.join(action), data=values)
        return end.text


async def test_the_login_method_is_found_while_the_login_is_typed(service: str) -> None:
    async with story(of_the_company(service, "")) as person:
        await person.sees("Log in to demo", "Password")
        await person.type(LOGIN)
        await person.sees_across_lines("Single sign-on: Fabrikam single sign-on. The login continues in a browser.")
        await person.does_not_see("Password")
        await person.press("backspace")
        await person.sees("Password")
        await person.does_not_see("Single sign-on")


async def test_a_login_in_the_browser_logs_the_console_in(service: str) -> None:
    async with story(of_the_company(service)) as person:
        address = await goes_to_the_browser(person)
        assert "You are logged in" in await clicks(address)
        await person.does_not_see("Log in to demo")
        await person.is_ready()
        await person.sees("app_admin")


async def test_a_login_that_was_denied_in_the_browser_ends_with_the_reason(service: str) -> None:
    async with story(of_the_company(service)) as person:
        address = await goes_to_the_browser(person)
        box = person.app.screen
        assert isinstance(box, LoginBox) and box.code
        await person.sees(f"Code to compare with the page: {box.code}")
        assert "You are logged in" not in await clicks(address, decision="deny")
        await person.sees("The login was denied in the browser.", "Single sign-on: ")


async def test_a_login_that_fails_in_the_browser_can_begin_again(service: str) -> None:
    async with story(of_the_company(service)) as person:
        first = await goes_to_the_browser(person)
        assert "You are logged in" not in await clicks(first, "stranger")
        await person.sees("Finish the login in a browser. If it fails there, esc starts again.")
        await person.press("esc")
        second = await goes_to_the_browser(person)
        assert second != first
        assert "You are logged in" in await clicks(second)
        await person.does_not_see("Log in to demo")


async def test_the_link_is_one_that_terminals_open(service: str) -> None:
    async with story(of_the_company(service)) as person:
        address = await goes_to_the_browser(person)
        strips = person.app.screen.query_one("#link").render_lines(
            person.app.screen.query_one("#link").region.reset_offset
        )
        links = {segment.style.link for strip in strips for segment in strip if segment.style and segment.text.strip()}
        assert links == {address}
        assert address in "".join(line.strip("│ ") for line in "".join(strip.text for strip in strips).split())


async def test_the_address_is_copied_and_the_dialog_names_the_clipboard(service: str) -> None:
    async with story(of_the_company(service), terminal=OVER_SSH) as person:
        await goes_to_the_browser(person)
        await person.press("ctrl+y")
        await person.sees("OSC 52")


async def test_the_picture_for_a_telephone_needs_room(service: str) -> None:
    async with story(of_the_company(service)) as person:
        await goes_to_the_browser(person)
        await person.press("ctrl+g")
        await person.sees("this terminal has 80x24", "use the address")
        await person.press("esc")
        await person.sees("Finish the login in a browser")
    async with story(of_the_company(service), size=(120, 60)) as person:
        await goes_to_the_browser(person)
        await person.press("ctrl+g")
        await person.sees("Open on a phone", "██ ▄▄▄▄▄ █")


async def test_esc_cancels_the_browser_login_and_offers_the_password(service: str) -> None:
    async with story(of_the_company(service)) as person:
        await goes_to_the_browser(person)
        await person.press("esc")
        await person.sees("Single sign-on: ", "enter Log in")
        await person.press("ctrl+t")
        await person.sees("Password")
        await person.type(PASSWORD)
        await person.press("enter")
        await person.does_not_see("Log in to demo")
        await person.is_ready()


async def test_a_login_that_succeeds_while_the_qr_code_is_shown_closes_both(service: str) -> None:
    async with story(of_the_company(service), size=(120, 60)) as user:
        address = await goes_to_the_browser(user)
        await user.press("ctrl+g")
        await user.sees("Open on a phone")
        assert "You are logged in" in await clicks(address)
        await user.does_not_see("Log in to demo", "Open on a phone")
        await user.is_ready()
        await user.press("esc", "esc")
        await user.sees("applications")
