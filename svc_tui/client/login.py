"""Logging in and out: password, second factor, API key (sections 4.1 and 5). Single sign-on is in `sso`."""

from __future__ import annotations

import contextlib
from typing import Any

from svc_tui.client import credentials
from svc_tui.client.client import Client, login_answer, typed
from svc_tui.client.errors import InvalidResponse, OutcomeUnknown, ServiceError, SessionEnded, Unreachable
from svc_tui.client.masking import API_KEY, PASSWORD
from svc_tui.client.sso import SsoLogin, discover, preferred, sso_finish, sso_start, sso_wait, web_logout
from svc_tui.interface import authentication as operations
from svc_tui.interface.authentication import LoginAnswer, MfaCode, User, Verified

__all__ = [
    "SsoLogin",
    "discover",
    "login",
    "logout",
    "preferred",
    "sso_finish",
    "sso_start",
    "sso_wait",
    "verify",
    "with_api_key",
]


async def login(client: Client, identifier: str, password: str) -> LoginAnswer:
    """Log in with a password. `mfa_required` in the answer: the session is limited until `verify`.

    Raises LoginRefused with the service's reason (wrong, locked, voice phone licence only, client too old …).
    """
    client.log.conceal(password, PASSWORD)
    sign = credentials.login(client.profile, identifier, password)
    answer = await client.send(operations.login, sign=sign)
    return take(client, answer.body)


def take(client: Client, body: Any, *, logout_url: str = "") -> LoginAnswer:
    """Put a login answer into the session."""
    values = login_answer(body)
    found = typed(operations.login, values)
    client.session.accept(values, logout_url=logout_url)
    return found


async def verify(client: Client, code: str, trust: bool = False) -> Verified:
    """Answer the second factor with six digits or a recovery code; the session is full afterwards.

    `trust` asks not to be asked again for this application. LoginRefused when the code is wrong, SessionEnded
    when the time for it is over.
    """
    session = client.session
    if session.state != "limited":
        raise SessionEnded("There is no login that waits for a code: begin with login and password.")
    body = MfaCode(token=code.strip().replace(" ", ""), trust_application=trust)
    try:
        answer = await client.send(operations.verify_mfa, path={"userId": session.user_id}, body=body)
    except OutcomeUnknown as error:
        raise Unreachable("No response to the code arrived. Log in again with a new code.", sent=True) from error
    verified = typed(operations.verify_mfa, answer.body).data
    if not verified.token:
        raise InvalidResponse("The code was accepted, but the answer holds no token.")
    session.accept(login_answer(answer.body))
    return verified


async def with_api_key(client: Client, key: str = "") -> User:
    """Use an API key (of the profile, unless given) and learn whose it is. SessionEnded when it is not accepted."""
    key = (key or client.profile.api_key).strip()
    if not key or not (key.isascii() and key.isprintable()):
        raise SessionEnded("This is no API key: it is one line of letters and digits.")
    client.log.conceal(key, API_KEY)
    sign = credentials.api_key(client.profile, key)
    answer = await client.send(operations.get_own_user, sign=sign)
    user = typed(operations.get_own_user, answer.body).data
    client.session.accept_key(key, answer.body["data"])
    return user


async def logout(client: Client) -> str:
    """End the login here, and at the service where that is possible.

    Returns the address that a browser must open to end a single sign-on login, else an empty text. An API key has
    no logout: it is only forgotten here. Never fails: a service that cannot be told forgets by itself.
    """
    session = client.session
    address = ""
    if session.state == "full" and not session.key:
        address = await web_logout(client)
        if not address and not session.claims.oauth:
            with contextlib.suppress(ServiceError):
                await client.send(operations.logout, sign=credentials.bearer(session.token))
    session.end()
    return address
