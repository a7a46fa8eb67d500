"""Access to the page: an address that works once, then a cookie; requests of other sites and names are refused."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from http.cookies import CookieError, SimpleCookie

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
