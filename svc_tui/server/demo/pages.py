"""Web pages of the demo server: the selection of a user at the identity provider, and the result of the login."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from starlette.responses import HTMLResponse, Response

from svc_tui.server.store.tables import Document

_HEADERS = {
    "cache-control": "no-store",
    "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
}
_STYLE = (
    "body{font:16px/1.5 system-ui,sans-serif;max-width:30rem;margin:4rem auto;padding:0 1rem;"
    "background:#f5f6f8;color:#1c2330}"
    "main{background:#fff;border-radius:.8rem;padding:1.5rem 2rem;box-shadow:0 2px 12px #0002}"
    "button{display:block;width:100%;text-align:left;font:inherit;padding:.6rem .9rem;margin:.4rem 0;"
    "border:1px solid #ccd2dc;border-radius:.5rem;background:#fff;cursor:pointer}"
    "button:hover,button:focus{border-color:#2457d6;outline:2px solid #2457d644}"
    "small{color:#5b6472;display:block}"
)


def page(title: str, content: str, status: int = 200) -> Response:
    """A page; `content` is safe HTML."""
    html = (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
        f"<title>{escape(title)}</title><style>{_STYLE}</style><main><h1>{escape(title)}</h1>{content}</main></html>"
    )
    return HTMLResponse(html, status, headers=_HEADERS)


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
