"""Single sign-on from a terminal: discovery, the address to open, and polling for the result."""

from __future__ import annotations

import asyncio
import base64
import os
import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl, quote, urlencode, urljoin, urlsplit, urlunsplit

from svc_tui.client import credentials
from svc_tui.client.client import Client, declared_result, login_answer
from svc_tui.client.errors import InvalidResponse, LoginRefused, Refused, ServiceError, Unreachable
from svc_tui.client.masking import TOKEN, mask_text, without
from svc_tui.interface.authentication import proof, sessions, single_sign_on
from svc_tui.interface.authentication.sessions import LoginAnswer
from svc_tui.interface.authentication.single_sign_on import (
    BACKCHANNEL_SECONDS,
    PASSWORD,
    PASSWORDLESS,
    DiscoveryQuery,
    LoginUrl,
    comparison_code,
)
from svc_tui.interface.authentication.users import get_own_user
from svc_tui.interface.errors import Code
from svc_tui.language import _

#: Seconds between two polls: at first, at most, and the growth.
_FIRST, _MOST, _GROWTH = 1.0, 5.0, 1.25
_SHORTEST, _LONGEST = 5, 255

#: A locale of POSIX; C and POSIX are none.
_LOCALE = re.compile(r"(?P<language>[a-z]{2,3})(_(?P<country>[A-Z]{2}))?([.@].*)?")

#: Login methods of the service's own login operation.
_NATIVE = (PASSWORD, PASSWORDLESS)


@dataclass(frozen=True, slots=True)
class SsoLogin:
    """A login that continues in a browser: the `url` to open, and the `session_id` to poll with, else empty."""

    url: str
    session_id: str = ""
    session_token: str = field(default="", repr=False)
    logout_url: str = ""

    @property
    def code(self) -> str:
        """The code to compare with the page of the service. Empty without polling."""
        return comparison_code(self.session_id) if self.session_id else ""

    @property
    def polls(self) -> bool:
        """Whether `sso_wait` can poll for the result. Otherwise `sso_finish` takes the final address."""
        return bool(self.session_id)


def ui_locales(environment: Mapping[str, str]) -> str:
    """The language of this terminal for the pages of a login, as in OpenID Connect: `de-AT de`. Empty if unknown."""
    name = next((environment[each] for each in ("LC_ALL", "LC_MESSAGES", "LANG") if environment.get(each)), "")
    found = _LOCALE.fullmatch(name)
    if found is None:
        return ""
    language, country = found["language"], found["country"]
    return f"{language}-{country} {language}" if country else language


async def discover(client: Client, identifier: str) -> list[LoginUrl]:
    """The methods for this login, never empty.

    The password is the method for a short identifier, when the service refuses, and without other methods. Cheap to
    cancel: it is called while the identifier is typed. Raises Unreachable.
    """
    password = [LoginUrl(type=PASSWORD)]
    uid = identifier.strip()
    if not _SHORTEST <= len(uid) <= _LONGEST:
        return password
    query = DiscoveryQuery(uid=uid, use_backchannel_polling=True)
    if languages := ui_locales(os.environ):
        query.ui_locales = languages
    try:
        found = await client.call(single_sign_on.discover_login_urls, query=query)
    except (Refused, InvalidResponse):
        return password
    return found.data or password


def preferred(ways: Sequence[LoginUrl]) -> tuple[LoginUrl, LoginUrl | None]:
    """The method to offer first, and the password as a fallback where the service offers both."""
    password = next((way for way in ways if way.type in _NATIVE), None)
    other = next((way for way in ways if way.type not in _NATIVE), None)
    if other is None:
        return password or LoginUrl(type=PASSWORD), None
    return other, password


async def sso_start(client: Client, item: LoginUrl) -> SsoLogin:
    """The address to open for a login method, with the proof of the application for its challenge."""
    if not item.login_url:
        raise LoginRefused(
            _("The single sign-on of this company works in its browser client only. Use a password or an API key."),
            status=401,
        )
    parts = urlsplit(urljoin(client.profile.base_url + "/", item.login_url))
    _check_address(client, parts.scheme, item.login_url)
    parameters = dict(parse_qsl(parts.query, keep_blank_values=True))
    challenge = parameters.get("challenge") or item.challenge
    if not challenge:
        raise InvalidResponse(_("The address for the single sign-on has no challenge."))
    value = f"{client.profile.app_id}:{proof.proof(client.profile.app_secret, challenge)}"
    added = {client.brand.deployment_name(proof.APP_AUTH): base64.b64encode(value.encode()).decode("ascii")}
    if "challenge" not in parameters:
        added["challenge"] = challenge
    query = "&".join(part for part in (parts.query, urlencode(added, quote_via=quote)) if part)
    session = item.backchannel_session if item.use_backchannel is not False else None
    return SsoLogin(
        url=urlunsplit(parts._replace(query=query)),
        session_id=session.id if session else "",
        session_token=session.token if session else "",
        logout_url=item.logout_url or "",
    )


def _check_address(client: Client, scheme: str, address: str) -> None:
    """The address for the browser must be a page, and as safe as the service itself."""
    allowed = ("https",) if client.profile.encrypted else ("https", "http")
    if scheme not in allowed or not address.isprintable() or any(char.isspace() for char in address):
        raise InvalidResponse(_("The service sent an address for the single sign-on that is not safe to open."))


async def sso_wait(
    client: Client,
    started: SsoLogin,
    *,
    patience: float = BACKCHANNEL_SECONDS,
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
) -> LoginAnswer:
    """Poll until the browser login has ended, at most `patience` seconds. Cancel the task to stop.

    A temporarily lost connection does not end it. LoginRefused when it failed or expired.
    """
    loop = asyncio.get_running_loop()
    until = loop.time() + patience
    pause = _FIRST
    while True:
        try:
            body = await _poll(client, started)
        except (Unreachable, Refused) as error:
            lasting = isinstance(error, Refused) and error.status < 500
            if lasting or loop.time() >= until:
                raise
            body = None
        if body is not None:
            return _take(client, body, started.logout_url)
        if loop.time() >= until:
            raise _expired()
        await sleep(pause)
        pause = min(pause * _GROWTH, _MOST)


async def _poll(client: Client, started: SsoLogin) -> dict[str, Any] | None:
    """The login response, or None while the browser login is in progress."""
    sign = credentials.bearer(started.session_token)
    try:
        answer = await client.send(
            single_sign_on.poll_backchannel_session, path={"sessionId": started.session_id}, sign=sign
        )
    except Refused as refused:
        if refused.code == Code.UNAUTHORIZED:
            raise LoginRefused(_("The login was denied in the browser."), status=401, code=refused.code) from refused
        if refused.status in (401, 404, 410):
            raise _expired() from refused
        raise
    data = answer.body.get("data") if isinstance(answer.body, dict) else None
    if isinstance(data, dict) and data.get("status") == "pending":
        return None
    return login_answer(answer.body)


def _expired() -> LoginRefused:
    return LoginRefused(_("This single sign-on has expired or was already used. Start again."), status=404)


def _take(client: Client, values: dict[str, Any], logout_url: str) -> LoginAnswer:
    found = declared_result(sessions.login, values)
    client.session.accept(values, logout_url=logout_url)
    return found


async def sso_finish(client: Client, pasted: str, logout_url: str = "") -> LoginAnswer:
    """Log in with the final address of the browser (`…?tkn=<JWT>`), or with the token alone.

    LoginRefused with the reason in the address, when it has an error (errcode, errmsg).
    """
    text = pasted.strip()
    query = dict(parse_qsl(urlsplit(text).query)) if "?" in text else {}
    if "errcode" in query or "errtype" in query:
        code = query.get("errcode", "")
        raise LoginRefused(
            _("The single sign-on failed: {reason}.").format(reason=query.get("errmsg") or code or query["errtype"]),
            status=401,
            code=int(code) if code.isascii() and code.isdigit() else None,
        )
    token = query.get("tkn", "" if "?" in text else text)
    if token.count(".") != 2 or not (token.isascii() and token.isprintable()):
        raise LoginRefused(_("This is neither the final address of the browser nor a token."), status=401)
    user = (await client.call(get_own_user, sign=credentials.bearer(token))).data
    return _take(client, {"token": token, "loggedInUser": user.wire()}, logout_url)


async def web_logout(client: Client) -> str:
    """The address that ends a single sign-on in a browser. Empty for other logins.

    It is printed, so it has no secret: the browser has its own session.
    """
    session = client.session
    if not session.logout_url and not session.claims.sso:
        return ""
    address = session.logout_url or await _logout_address(client)
    if not address:
        return ""
    parts = urlsplit(urljoin(client.profile.base_url + "/", address))
    try:
        _check_address(client, parts.scheme, address)
    except ServiceError:
        return ""
    known = {session.token: TOKEN}
    kept = [part for part in parts.query.split("&") if mask_text(without(f"?{part}", known)) == f"?{part}"]
    address = urlunsplit(parts._replace(query="&".join(kept), fragment=""))
    return mask_text(without(address, known))


async def _logout_address(client: Client) -> str:
    """The logout address of the service, otherwise that of the interface for this kind of login."""
    sign = credentials.bearer(client.session.token)
    try:
        view = (await client.call(single_sign_on.discover_logout_url, sign=sign)).data
    except ServiceError:
        view = single_sign_on.LogoutUrl(use_web_view=True)
    if not view.use_web_view:
        return ""
    if view.logout_url:
        return view.logout_url
    known = {"oidc": single_sign_on.logout_oidc, "saml": single_sign_on.logout_saml}.get(client.session.claims.sso)
    return client.profile.base_url + client.brand.path(known.path) if known else ""
