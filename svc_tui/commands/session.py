"""`svc-tui login`, `logout` and `whoami`: a session that the other commands and the console go on with."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from svc_tui.commands import asking
from svc_tui.commands.exits import NotLoggedIn, WrongUsage, say
from svc_tui.commands.options import AsJson, ProfileName

if TYPE_CHECKING:
    from svc_tui.client.client import Client
    from svc_tui.client.sso import SsoLogin

#: How often a wrong code may be typed again; the service counts failures too.
CODE_ATTEMPTS = 3


def login(
    *,
    profile: ProfileName = "",
    sso: Annotated[
        bool, Parameter(negative="", show_default=False, help="In a browser, here or on another machine.")
    ] = False,
    trust: Annotated[
        bool, Parameter(negative="", show_default=False, help="Do not ask this application for a code again.")
    ] = False,
) -> None:
    """Log in, for the commands below and for the console.

    The password is asked for, or taken from SVC_TUI_PASSWORD.
    """
    asyncio.run(_login(profile, sso, trust))


def logout(*, profile: ProfileName = "") -> None:
    """End the session."""
    asyncio.run(_logout(profile))


def whoami(*, profile: ProfileName = "", json: AsJson = False) -> None:
    """Who is logged in, where, and for how long."""
    asyncio.run(_whoami(profile, json))


async def _login(name: str, sso: bool, trust: bool) -> None:
    from svc_tui.client.login import with_api_key
    from svc_tui.commands.connection import chosen_profile, opened

    profile = chosen_profile(name)
    async with opened(profile) as client:
        if sso or profile.method == "sso":
            await _single_sign_on(client)
        elif profile.method == "api_key":
            await with_api_key(client, asking.needed("SVC_TUI_API_KEY", "API key") if not profile.api_key else "")
        else:
            await _password(client, trust)
        user = client.session.user or {}
        say(f"Logged in to {profile.host} as {_name(user)} ({', '.join(_roles(user)) or 'no roles'}).")
        if client.session.trouble:
            say(client.session.trouble)


async def _password(client: Client, trust: bool) -> None:
    from svc_tui.client.login import login

    identifier = client.profile.login or _identifier()
    password = asking.needed("SVC_TUI_PASSWORD", f"Password of {identifier}")
    answer = await login(client, identifier, password)
    if answer.mfa_required:
        await _second_factor(client, trust)


def _identifier() -> str:
    given = asking.plain("Login: ") if asking.can_ask() else ""
    if not given:
        raise WrongUsage("A login is needed: set SVC_TUI_LOGIN, or `svc-tui profile edit NAME --login LOGIN`.")
    return given


async def _second_factor(client: Client, trust: bool) -> None:
    from svc_tui.client.errors import LoginRefused
    from svc_tui.client.login import verify

    for attempt in range(1, CODE_ATTEMPTS + 1):
        code = _code()
        try:
            await verify(client, code, trust)
        except LoginRefused as refused:
            if attempt == CODE_ATTEMPTS or not asking.can_ask():
                raise
            say(refused.sentence)
        else:
            return


def _code() -> str:
    prompt = "Code of your authenticator, or the recovery code: "
    code = asking.hidden(prompt) if asking.can_ask() else asking.plain(prompt)
    if not code:
        raise NotLoggedIn("A code is needed: run this in a terminal, or give it on standard input.")
    return code


async def _single_sign_on(client: Client) -> None:
    from svc_tui.client.sso import discover, preferred, sso_finish, sso_start, sso_wait
    from svc_tui.interface.authentication import PASSWORD

    identifier = client.profile.login or _identifier()
    way, _ = preferred(await discover(client, identifier))
    if way.type == PASSWORD:
        raise WrongUsage(f"{identifier} logs in with a password; leave --sso out.")
    started: SsoLogin = await sso_start(client, way)
    say(f"Open this address in a browser, on any machine:\n{started.url}")
    if started.polls:
        say("Waiting until you are logged in there …")
        await sso_wait(client, started)
        return
    pasted = asking.plain("Then paste the address that the browser ended on: ")
    if not pasted:
        raise NotLoggedIn("The address that the browser ended on is needed; run this in a terminal.")
    await sso_finish(client, pasted, started.logout_url)


async def _logout(name: str) -> None:
    from svc_tui.client.login import logout
    from svc_tui.commands.connection import chosen_profile, opened

    profile = chosen_profile(name)
    async with opened(profile) as client:
        if profile.method == "api_key":
            say("An API key has no session to end.")
            return
        if not client.session.restore():
            client.session.end()
            say(f"You were not logged in to {profile.host}.")
            return
        address = await logout(client)
    say(f"Logged out of {profile.host}.")
    if address:
        say(f"This address ends the login in the browser too:\n{address}")


async def _whoami(name: str, json: bool) -> None:
    from svc_tui.commands import output
    from svc_tui.commands.connection import connected
    from svc_tui.interface.authentication import get_own_user

    async with connected(name) as client:
        answer = await client.send(get_own_user)
        left = client.session.left()
        found = _told(client, answer.body["data"], left)
    if json:
        output.json_document(found)
    else:
        output.pairs({name: value for name, value in found.items() if value not in (None, "", [])})


def _told(client: Client, user: dict[str, Any], left: float | None) -> dict[str, Any]:
    """What whoami tells; `secondsLeft` counts the renewals that the session will make by itself."""
    return {
        "login": user.get("loginEmail"),
        "name": user.get("displayName"),
        "roles": _roles(user),
        "company": user.get("companyName"),
        "companyId": user.get("companyId"),
        "userId": user.get("id"),
        "service": client.profile.base_url,
        "profile": client.profile.name,
        "secondsLeft": None if left is None else round(left),
    }


def _roles(user: dict[str, Any]) -> list[str]:
    from svc_tui.interface.access import roles_of

    return sorted(roles_of(user.get("roles") or (), user.get("adminType")))


def _name(user: dict[str, Any]) -> str:
    return str(user.get("loginEmail") or user.get("displayName") or user.get("id") or "somebody")
