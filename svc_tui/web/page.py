"""The page of a console in a browser, in the language of this process, and the access to it: an address that works
once, then a cookie; requests of other sites and names are refused.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Mapping
from html import escape
from http.cookies import CookieError, SimpleCookie
from pathlib import Path
from string import Template

from svc_tui import language
from svc_tui.language import _

_TEMPLATE = Path(__file__).with_name("page.html")
_PARTS = {
    "console": _("Console"),
    "hide": _("Hide"),
    "copy": _("Copy"),
    "copyByHand": _("The browser did not allow copying. Copy the selected text with the keys of the browser."),
    "copyText": _("Text to copy"),
    "close": _("Close"),
}
#: What `static/page.js` says; it reads them from the page.
_TEXTS = {
    "replaced": _("The previous console has ended. This is a new one."),
    "ended": _("The console has ended."),
    "openNew": _("Open a new one"),
    "takenOver": _("This console is open in another tab."),
    "useHere": _("Use it here"),
    "tooMany": _("Too many consoles are open. Close a tab."),
    "tryAgain": _("Try again"),
    "reconnecting": _("Connection lost. Reconnecting…"),
    "lost": _("Connection lost. Run svc-tui web again and open its address."),
    "saved": _("Saved. F6 leads to the download."),
    "download": _("Download {name}"),
    "copied": _("Copied to the clipboard."),
}
ADMITTED = (
    f'<!doctype html><html lang="{language.current()}"><meta http-equiv="refresh" content="0; url=/">'
    "<title>svc-tui</title>"
)
NOT_ADMITTED = _(
    "This browser has no access, or the address was already used. It works once. "
    "Run `svc-tui web` again for a new address."
)
FILE_MISSING = _("This file is no longer there.")


def page() -> str:
    """The HTML of the page."""
    values = {"language": language.current(), "texts": json.dumps(_TEXTS, ensure_ascii=False), **_PARTS}
    template = Template(_TEMPLATE.read_text(encoding="utf-8"))
    return template.substitute({name: escape(value) for name, value in values.items()})


#: Values of `Sec-Fetch-Site` for requests of the page itself and for typed addresses.
_OWN_REQUESTS = ("same-origin", "none")


class Gate:
    """Admits the browser that opens the address of the terminal first, until the process ends."""

    def __init__(self, port: int) -> None:
        #: The names under which the page may be opened. Any other one could be a foreign name that leads to this
        #: machine (DNS rebinding).
        self._hosts = (f"127.0.0.1:{port}", f"localhost:{port}")
        # Cookies do not distinguish ports: the name does.
        self.cookie_name = f"svc_tui_web_{port}"
        self._token = secrets.token_urlsafe(32)
        self._cookie = secrets.token_urlsafe(32)
        self._used = False

    @property
    def address(self) -> str:
        """The address that admits one browser."""
        return f"http://{self._hosts[0]}/?token={self._token}"

    @property
    def used(self) -> bool:
        """Whether a browser was admitted."""
        return self._used

    def wrong_site(self, headers: Mapping[str, str]) -> str:
        """Why a request does not come from this page under its own name; empty when it does or can."""
        host, origin = headers.get("host", ""), headers.get("origin")
        if host not in self._hosts:
            return "This address is not served here."
        if origin is not None and origin != f"http://{host}":
            return "Another site sent this request."
        return ""

    def refused_socket(self, headers: Mapping[str, str]) -> bool:
        """Whether a WebSocket is refused: browsers always send the origin."""
        return bool(self.wrong_site(headers)) or "origin" not in headers or not self.admits(headers)

    def own_request(self, headers: Mapping[str, str]) -> bool:
        """Whether the browser, if it knows, made a request for this page or for a typed address."""
        return headers.get("sec-fetch-site", "none") in _OWN_REQUESTS

    def admits(self, headers: Mapping[str, str]) -> bool:
        """Whether a request has the cookie and is not made by another site of this machine."""
        if not self.own_request(headers):
            return False
        try:
            found = SimpleCookie(headers.get("cookie", "")).get(self.cookie_name)
        except CookieError:
            return False
        return found is not None and secrets.compare_digest(found.value.encode(), self._cookie.encode())

    def redeem(self, token: str) -> str | None:
        """The `Set-Cookie` header for the first request with the token; None for any other one."""
        if self._used or not secrets.compare_digest(token.encode(), self._token.encode()):
            return None
        self._used = True
        return f"{self.cookie_name}={self._cookie}; Path=/; HttpOnly; SameSite=Strict"
