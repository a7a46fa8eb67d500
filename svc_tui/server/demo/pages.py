"""Web pages of the demo server: the selection of a user at the identity provider, and the result of the login."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from starlette.responses import HTMLResponse, Response

from svc_tui.server.http.pages import html_page
from svc_tui.server.store.tables import Document

_HEADERS = {
    "cache-control": "no-store",
    "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
}


def page(title: str, content: str, status: int = 200) -> Response:
    """A page; `content` is safe HTML."""
    return HTMLResponse(html_page(title, content), status, headers=_HEADERS)


def choice_of_users(users: Iterable[Document], hint: str) -> Response:
    """A button for each user; the user requested by the service has the focus."""
    buttons = [_button(user, focused=user["loginEmail"].casefold() == hint.casefold()) for user in users]
    cancel = '<button name="user" value="">Cancel</button>'
    return page("Select a user", f'<form method="post">{"".join(buttons)}{cancel}</form>')


def _button(user: Document, *, focused: bool) -> str:
    focus = " autofocus" if focused else ""
    name, login = escape(str(user.get("displayName") or "")), escape(str(user["loginEmail"]))
    return f'<button name="user" value="{escape(str(user["id"]))}"{focus}>{name}<small>{login}</small></button>'


def refused(sentence: str) -> Response:
    """The page after a failed login."""
    return page("Login failed", f"<p>{escape(sentence)}</p>", 400)


def done() -> Response:
    """The page after a successful login."""
    return page("You are logged in", "<p>You can close this page and return to the console.</p>")
