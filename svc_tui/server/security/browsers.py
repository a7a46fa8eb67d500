"""The browser of a login of several steps: a cookie for each step, made here, which no other browser has.

The name of the cookie is made of the id of its step, so that several tabs do not end each other's logins. No value is
taken from a request: a cookie that was planted in a browser is at most that of a step that the attacker has begun, and
each login is followed by a step with a new id and a new cookie.
"""

from __future__ import annotations

import hashlib
import hmac
from dataclasses import dataclass, field

from svc_tui.server.http.pages import HOST_ONLY
from svc_tui.server.rules import AnyCall, Headers

_PREFIX = "svc-sso-"


@dataclass(frozen=True, slots=True)
class Step:
    """A step of a login: its id, which returns with the browser, and the value of its cookie."""

    id: str
    browser: str = field(repr=False)
    cookies: dict[str, str] = field(repr=False)


def new_step(call: AnyCall) -> Step:
    """A step with an unguessable id and cookie. The response sets its `cookies`, the store keeps `browser`."""
    id, browser = call.service.ids.secret(64), call.service.ids.secret(44)
    return Step(id, browser, {_cookie_name(call.headers, id): browser})


def is_same_browser(headers: Headers, id: str, browser: str) -> bool:
    """Whether the request is from the browser that got the cookie of this step."""
    sent = _cookie(headers.cookie, _cookie_name(headers, id))
    return bool(browser) and hmac.compare_digest(sent.encode(), browser.encode())


def ended(headers: Headers, id: str) -> dict[str, str]:
    """The cookies of a response that removes the cookie of a step."""
    return {_cookie_name(headers, id): ""}


def _cookie_name(headers: Headers, id: str) -> str:
    prefix = HOST_ONLY if headers.origin.startswith("https:") else ""
    return f"{prefix}{_PREFIX}{hashlib.sha256(id.encode()).hexdigest()[:16]}"


def _cookie(header: str, wanted: str) -> str:
    """A cookie of ours. It is never quoted: the standard library takes a second of processor time for 8 KB of quoted
    text."""
    for part in header.split(";"):
        name, _, value = part.partition("=")
        if name.strip() == wanted:
            return value.strip()
    return ""
