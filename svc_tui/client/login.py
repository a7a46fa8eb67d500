"""Logging in and out: password, second factor, API key (sections 4.1 and 5). Single sign-on is in `sso`."""

from __future__ import annotations

import contextlib
from typing import Any

from pydantic import ValidationError

from svc_tui.client import credentials
from svc_tui.client.client import Client, declared_result, login_answer
from svc_tui.client.errors import InvalidResponse, LoginRefused, OutcomeUnknown, ServiceError, SessionEnded, Unreachable
from svc_tui.client.masking import API_KEY, PASSWORD
from svc_tui.client.profile import Profile
from svc_tui.client.sso import SsoLogin, discover, preferred, sso_finish, sso_start, sso_wait, web_logout
from svc_tui.interface.authentication import sessions
from svc_tui.interface.authentication.mfa import MfaCode, Verified, verify_mfa
from svc_tui.interface.authentication.sessions import LoginAnswer
from svc_tui.interface.authentication.users import User, get_own_user
from svc_tui.interface.errors import Code
from svc_tui.language import _

__all__ = [
    "SsoLogin",
    "discover",
    "login",
    "login_of_profile",
    "logout",
    "preferred",
    "sso_finish",
    "sso_start",
    "sso_wait",
    "verify",
    "with_api_key",
]


async def login(client: Client, identifier: str, password: str) -> LoginAnswer:
    """Log in with a password. With `mfa_required` in the response, the session is limited until `verify`.

    Raises LoginRefused with the reason of the service (wrong, locked, voice phone licence only, old client …).
    """
    client.log.mask(password, PASSWORD)
    sign = credentials.login(client.profile, identifier, password)
    try:
        answer = await client.send(sessions.login, sign=sign)
    except LoginRefused as error:
        raise _with_missing_credentials(error, client.profile) from None
    return take(client, answer.body)


async def login_of_profile(client: Client) -> LoginAnswer:
    """Log in with the login and the password of the profile. A refused password is not sent again: LoginRefused."""
    if client.session.refused is not None:
        raise client.session.refused
    try:
        return await login(client, client.profile.login, client.profile.password)
    except LoginRefused as refusal:
        client.session.refused = refusal
        raise


def _with_missing_credentials(error: LoginRefused, profile: Profile) -> LoginRefused:
    """The refusal of a login, with what the profile lacks if that can be the reason."""
    if error.code != Code.WRONG_CREDENTIALS or (profile.app_id and profile.app_secret):
        return error
    missing = (
        _("The profile has no application secret: `svc-tui profile edit` or SVC_TUI_APP_SECRET sets it.")
        if profile.app_id
        else _("The profile has no application ID: `svc-tui profile edit` or SVC_TUI_APP_ID sets it.")
    )
    return LoginRefused(
        f"{error.sentence} {missing}",
        status=error.status,
        code=error.code,
        message=error.message,
        problems=error.problems,
        request_id=error.request_id,
    )


def take(client: Client, body: Any, *, logout_url: str = "") -> LoginAnswer:
    """Accept a login response in the session."""
    values = login_answer(body)
    found = declared_result(sessions.login, values)
    client.session.accept(values, logout_url=logout_url)
    return found


async def verify(client: Client, code: str, trust: bool = False) -> Verified:
    """Complete the second factor with six digits or a recovery code. Then the session is full.

    `trust` skips the second factor in this application from now on. LoginRefused for a wrong code, SessionEnded for a
    late one.
    """
    session = client.session
    if session.state != "limited":
        raise SessionEnded(_("No login is waiting for a code. Log in with your password first."))
    try:
        body = MfaCode(token=code.strip().replace(" ", ""), trust_application=trust)
    except ValidationError:
        # Without its cause, which quotes the code.
        raise LoginRefused(_("This is not a code. Enter six digits or a recovery code."), status=400) from None
    try:
        answer = await client.send(verify_mfa, path={"userId": session.user_id}, body=body)
    except OutcomeUnknown as error:
        raise Unreachable(_("No response to the code arrived. Log in again with a new code."), sent=True) from error
    found = declared_result(verify_mfa, answer.body)
    if not (found.token or found.data.token):
        raise InvalidResponse(_("The code was accepted, but the response has no token."))
    session.accept(login_answer(answer.body))
    return found.data


async def with_api_key(client: Client, key: str = "") -> User:
    """Log in with an API key (of the profile, unless given). Returns its user. SessionEnded when it is refused."""
    key = (key or client.profile.api_key).strip()
    if not key or not (key.isascii() and key.isprintable()):
        raise SessionEnded(_("This is not an API key. An API key is one line of letters and digits."))
    client.log.mask(key, API_KEY)
    sign = credentials.api_key(client.profile, key)
    answer = await client.send(get_own_user, sign=sign)
    user = declared_result(get_own_user, answer.body).data
    client.session.accept_key(key, answer.body["data"])
    return user


async def logout(client: Client) -> str:
    """End the session, also at the service where possible.

    Returns the address that a browser must open to end a single sign-on, otherwise an empty text. An API key has no
    logout at the service. Never fails: without a connection the session expires at the service.
    """
    session = client.session
    address = ""
    if session.state == "full" and not session.key:
        address = await web_logout(client)
        if not address and not session.claims.oauth:
            with contextlib.suppress(ServiceError):
                await client.send(sessions.logout, sign=credentials.bearer(session.token))
    session.end()
    return address
