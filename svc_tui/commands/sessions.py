"""The work of `svc-tui login`, `logout` and `whoami`: the session that the other commands and the console use."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from svc_tui.client.client import Client
from svc_tui.client.errors import LoginRefused
from svc_tui.client.login import login, logout, verify, with_api_key
from svc_tui.client.sso import discover, preferred, sso_finish, sso_start, sso_wait
from svc_tui.commands import output, prompts
from svc_tui.commands.connection import chosen_profile, connected, opened
from svc_tui.commands.exits import NotLoggedIn, UsageError, print_message
from svc_tui.interface.access import roles_of
from svc_tui.interface.authentication.users import User
from svc_tui.language import _
from svc_tui.workspace.core.folders import folders
from svc_tui.workspace.user_records import forget_after_logout

#: Attempts for a code. The service counts failures too.
CODE_ATTEMPTS = 3


async def log_in(profile_name: str, *, with_browser: bool, trust: bool) -> None:
    """Log in, for other commands and for the console."""
    profile = chosen_profile(profile_name)
    async with opened(profile) as client:
        if with_browser or profile.method == "sso":
            await _single_sign_on(client)
        elif profile.method == "api_key":
            key = "" if profile.api_key else prompts.required_secret("SVC_TUI_API_KEY", _("API key"))
            await with_api_key(client, key)
        else:
            await _password(client, trust)
        user = client.session.user or {}
        roles = _roles(user.get("roles") or (), user.get("adminType"))
        print_message(
            _("Logged in to {host} as {name} ({roles}).").format(
                host=profile.host, name=_name(user), roles=", ".join(roles) or _("no roles")
            )
        )
        if client.session.error_message:
            print_message(client.session.error_message)


async def _password(client: Client, trust: bool) -> None:
    identifier = client.profile.login or _identifier()
    password = prompts.required_secret("SVC_TUI_PASSWORD", _("Password of {identifier}").format(identifier=identifier))
    answer = await login(client, identifier, password)
    if answer.mfa_required:
        await _second_factor(client, trust)


def _identifier() -> str:
    identifier = prompts.prompt_line(_("Login: ")) if prompts.interactive() else ""
    if not identifier:
        raise UsageError(_("A login is required. Set SVC_TUI_LOGIN, or run `svc-tui profile edit NAME --login LOGIN`."))
    return identifier


async def _second_factor(client: Client, trust: bool) -> None:
    for attempt in range(1, CODE_ATTEMPTS + 1):
        code = _code()
        try:
            await verify(client, code, trust)
        except LoginRefused as refusal:
            if attempt == CODE_ATTEMPTS or not prompts.interactive():
                raise
            print_message(refusal.sentence)
        else:
            return


def _code() -> str:
    prompt = _("Authenticator code or recovery code: ")
    code = prompts.prompt_hidden(prompt) if prompts.interactive() else prompts.prompt_line(prompt)
    if not code:
        raise NotLoggedIn(_("A code is required. Run this command in a terminal, or pass the code on standard input."))
    return code


async def _single_sign_on(client: Client) -> None:
    identifier = client.profile.login or _identifier()
    method, __ = preferred(await discover(client, identifier))
    if method.asks_password:
        raise UsageError(_("{identifier} logs in with a password. Remove --sso.").format(identifier=identifier))
    started = await sso_start(client, method)
    print_message(_("Open this address in a browser, on any machine:\n{url}").format(url=started.url))
    if started.polls:
        print_message(_("Code to compare with the page: {code}").format(code=started.code))
        print_message(_("Waiting for the login in the browser…"))
        await sso_wait(client, started)
        return
    address = prompts.prompt_line(_("Then paste the last address of the browser: "))
    if not address:
        raise NotLoggedIn(_("The last address of the browser is required. Run this command in a terminal."))
    await sso_finish(client, address, started.logout_url)


async def log_out(profile_name: str) -> None:
    """End the session."""
    profile = chosen_profile(profile_name)
    async with opened(profile) as client:
        if profile.method == "api_key":
            print_message(_("An API key has no session to end."))
            return
        if not client.session.restore():
            client.session.end()
            ended = _("Not logged in to {host}.").format(host=profile.host)
            address = ""
        else:
            address = await logout(client)
            ended = _("Logged out of {host}.").format(host=profile.host)
    print_message(f"{ended} {forget_after_logout(profile, folders())}")
    if address:
        print_message(_("To end the session in the browser too, open this address:\n{address}").format(address=address))


async def whoami(profile_name: str, *, json: bool) -> None:
    """Show the user, the service and the remaining session time."""
    async with connected(profile_name) as client:
        user = await client.users.get_own()
        facts = _facts(client, user, client.session.left())
    if json:
        output.write_json(facts)
    else:
        output.write_fields({name: value for name, value in facts.items() if value not in (None, "", [])})


def _facts(client: Client, user: User, seconds_left: float | None) -> dict[str, Any]:
    """The document of `whoami`. `secondsLeft` includes the automatic renewals of the session."""
    return {
        "login": user.login_email,
        "name": user.display_name,
        "roles": _roles(user.roles, user.admin_type),
        "company": user.company_name,
        "companyId": user.company_id,
        "userId": user.id,
        "service": client.profile.base_url,
        "profile": client.profile.name,
        "secondsLeft": None if seconds_left is None else round(seconds_left),
    }


def _roles(names: Iterable[str], admin_type: str | None) -> list[str]:
    return sorted(roles_of(names, admin_type))


def _name(user: dict[str, Any]) -> str:
    return str(user.get("loginEmail") or user.get("displayName") or user.get("id") or _("an unknown user"))
