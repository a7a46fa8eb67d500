"""The second factor: asked for at login, and set up, replaced and switched off in the own account."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pyotp
import pytest

from svc_tui.client.profile import Profile
from svc_tui.console.dialogs.messages import Secret
from svc_tui.server.demo.accounts import PASSWORD, RECOVERY_CODE, TOTP_SECRET, account
from svc_tui.server.demo.repeatable import id_of
from tests.stories.beside import call, other_client
from tests.stories.driver import Story, private_folders, profile, story
from tests.stories.wire import wired
from tests.support.process import serving_demo

LOGIN = "mfa@demo.example"
WRONG_CODE = "This code is wrong or already used. Type the next code of the authenticator."


@pytest.fixture
def fresh(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server for stories that would use up the codes of the others."""
    with serving_demo(tmp_path_factory.mktemp("fresh")) as server:
        yield server.url


def by_hand(url: str, login: str = LOGIN) -> Profile:
    return replace(profile(url, password=""), login=login)


def code(secret: str = TOTP_SECRET, windows: int = 0) -> str:
    """What the authenticator shows, or showed or will show this many half minutes from now."""
    return pyotp.TOTP(secret).at(int(time.time()) + 30 * windows)


async def gives_password(person: Story) -> None:
    await person.sees("Log in to demo")
    await person.type(PASSWORD)
    await person.press("enter")
    await person.sees("Type the six digits of your authenticator.", "[_]")
    assert "user" not in person.top


async def test_the_code_is_asked_for_after_the_password(service: str) -> None:
    async with story(by_hand(service)) as person:
        await gives_password(person)
        await person.type("123")
        await person.sees("[1] [2] [3] [_]")
        await person.press("backspace", "backspace", "backspace")
        wrong = f"{(int(code()) + 500_000) % 1_000_000:06}"
        await person.type(wrong)
        await person.sees("[_] [_] [_] [_] [_] [_]")
        await person.sees_across_lines(WRONG_CODE)
        await person.type(code())
        await person.does_not_see("Log in to demo")
        await person.is_ready()
        await person.sees("company_admin")


async def test_a_code_can_be_pasted_with_its_space(service: str) -> None:
    from textual.events import Paste

    async with story(by_hand(service)) as person:
        await gives_password(person)
        digits = code(windows=1)
        person.app.post_message(Paste(f"{digits[:3]} {digits[3:]}\n"))
        await person.does_not_see("Log in to demo")


async def test_esc_goes_back_to_the_password(service: str) -> None:
    async with story(by_hand(service)) as person:
        await gives_password(person)
        await person.press("esc")
        await person.sees("Password", LOGIN, "enter Log in")
        await person.press("enter")
        await person.sees("Type the six digits of your authenticator.")


async def test_a_recovery_code_works_once(service: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for works in (True, False):
        private_folders(monkeypatch, tmp_path / str(works))
        async with story(by_hand(service)) as person:
            await gives_password(person)
            await person.press("ctrl+t")
            await person.sees("Recovery code", "Type a recovery code. Each works once.")
            await person.type(RECOVERY_CODE)
            await person.press("enter")
            if works:
                await person.does_not_see("Log in to demo")
                await person.is_ready()
            else:
                await person.sees("This recovery code is wrong or already used.", "Recovery code")


@pytest.mark.parametrize("recovery", [False, True], ids=["code", "recovery code"])
async def test_a_code_that_is_being_checked_is_not_sent_twice_and_not_given_up(fresh: str, recovery: bool) -> None:
    async with wired(fresh) as (wire, url), story(by_hand(url)) as person:
        await gives_password(person)
        if recovery:
            await person.press("ctrl+t")
            await person.sees("Type a recovery code.")
            await person.type(RECOVERY_CODE)
        wire.hold = b"POST /api/svc/enduser/v1.0/users/"
        await (person.press("enter") if recovery else person.type(code()))
        await wire.held.wait()
        await person.press(*("enter", "esc") if recovery else ("backspace", "7", "esc"))
        await person.sees("Checking the code…")
        wire.released.set()
        await person.does_not_see("Log in to demo", "wrong or already used")
        await person.is_ready()


async def test_a_trusted_application_is_not_asked_again(
    fresh: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    async with other_client(fresh) as admin:
        policy = {"mfaPolicy": "untrusted_only", "rememberDaysApplication": 30}
        await call(
            admin,
            "update_company_mfa_setting",
            policy,
            companyId=account("mfa").company_id,
            mfaId=id_of("mfa", account("mfa").company),
        )
    async with story(by_hand(fresh)) as person:
        await gives_password(person)
        await person.press("tab")
        await person.sees("[ ] Trust this application")
        await person.press("space", "shift+tab")
        await person.sees("[x] Trust this application")
        await person.type(code())
        await person.does_not_see("Log in to demo")
        await person.is_ready()
    private_folders(monkeypatch, tmp_path / "another")
    async with story(by_hand(fresh)) as person:
        await person.sees("Log in to demo")
        await person.type(PASSWORD)
        await person.press("enter")
        await person.does_not_see("Log in to demo")
        await person.is_ready()
        await person.goes("me")
        await person.sees("Mina Park")
        await person.press("T")
        await person.sees("Revoke trusted applications", "Every login asks for a code again.")
        await person.press("enter")
        await person.sees("Revoke trusted applications: done.")
    private_folders(monkeypatch, tmp_path / "third")
    async with story(by_hand(fresh)) as person:
        await gives_password(person)


# --- the own account -------------------------------------------------------------------------------------------


FOURS = r"(?<!\w)(?:[A-Z2-7]{4} ){3}[A-Z2-7]{4}(?!\w)"


async def secret_shown(person: Story) -> str:
    """The secret that the dialog shows, as it is typed into an authenticator."""
    await person.sees_line(FOURS)
    found = re.findall(FOURS, person.screen)
    assert len(found) == 2, person.screen
    return "".join(found).replace(" ", "")


async def recovery_code_shown(person: Story) -> str:
    await person.sees("Recovery code", "not shown again", "this cannot be shown again")
    box = person.app.screen
    assert isinstance(box, Secret)
    await person.sees(box.secret)
    return box.secret


async def test_sets_up_replaces_the_recovery_code_and_switches_off_again(
    fresh: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    login = "company_admin@demo.example"
    async with story(profile(fresh, login)) as person:
        await person.is_ready()
        await person.goes("me")
        await person.sees("Clara Novak", "m Set up second factor")
        await person.press("m")
        await person.sees("Scan the QR code", "██ ▄▄▄▄▄ █", "Then type its six-digit code")
        secret = await secret_shown(person)
        await person.type(f"{(int(code(secret)) + 1) % 1_000_000:06}")
        await person.sees("[_]")
        await person.sees_across_lines(WRONG_CODE)
        await person.type(code(secret))
        first = await recovery_code_shown(person)
        await person.press("esc")
        await person.sees("Second factor set up. The next login asks for a code.")
        await person.press("N")
        await person.sees("Replace the recovery code", "The current code stops working.")
        await person.press("enter")
        second = await recovery_code_shown(person)
        assert second != first
        await person.press("esc")
        await person.does_not_see(second)
    private_folders(monkeypatch, tmp_path / "another")
    async with story(by_hand(fresh, login)) as person:
        await gives_password(person)
        await person.press("ctrl+t")
        await person.type(first)
        await person.press("enter")
        await person.sees("This recovery code is wrong")
        await person.type(second)
        await person.press("enter")
        await person.does_not_see("Log in to demo")
        await person.is_ready()
        await person.goes("me")
        await person.sees("Clara Novak")
        await person.press("x")
        await person.sees("Disable the second factor")
        await person.press("enter")
        await person.sees("Disable the second factor: done.")


async def test_a_set_up_that_is_being_checked_cannot_be_left_without_its_recovery_code(service: str) -> None:
    async with wired(service) as (wire, url), story(profile(url, "site_admin@demo.example")) as person:
        await person.is_ready()
        await person.goes("me")
        await person.press("m")
        secret = await secret_shown(person)
        wire.hold = b"PUT /api/svc/enduser/v1.0/users/"
        await person.type(code(secret))
        await wire.held.wait()
        await person.sees("Checking the code…")
        await person.press("backspace", "7", "esc")
        await person.sees("Checking the code…")
        await person.press("ctrl+c")
        await person.sees("Quit now?", "The recovery code would not be shown.")
        await person.press("n")
        wire.released.set()
        await recovery_code_shown(person)
        await person.press("esc")
        await person.sees("Second factor set up. The next login asks for a code.")


async def test_a_set_up_that_is_left_changes_nothing_and_fits_a_small_terminal(service: str) -> None:
    async with story(profile(service, "organization_admin@demo.example"), size=(60, 20)) as person:
        await person.is_ready()
        await person.goes("me")
        await person.sees("Oscar Lindqvist")
        await person.press("m")
        await person.sees("Type this secret into an authenticator", "[_] [_] [_] [_] [_] [_]", "esc Cancel")
        await secret_shown(person)
        await person.press("esc")
        await person.sees("The second factor was not set up.")
        await person.press("x")
        await person.sees("Disable second factor: no second factor is set up")


async def test_read_only_greys_the_second_factor(service: str) -> None:
    async with story(profile(service), read_only=True) as person:
        await person.is_ready()
        await person.goes("me")
        await person.sees("Clara Novak", "read-only")
        await person.press("m")
        await person.sees("Set up second factor: read-only")
