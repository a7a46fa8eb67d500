"""Pages of an OAuth 2.0 authorization: login, second factor, consent, and errors (5.5)."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from urllib.parse import urlsplit

from svc_tui.interface.addresses import redirect_problem
from svc_tui.server.http.pages import DECISION, failure_page, form_page, html_page
from svc_tui.server.rules import PageResult
from svc_tui.server.stored import StoredApplication, StoredUser

#: Addresses of the forms.
LOGIN_PATH = "/api/svc/authentication/v1.0/oauth/login"
CONSENT_PATH = "/api/svc/authentication/v1.0/oauth/consent"


def login_page(application: StoredApplication, request: str, *, error: str = "", login: str = "") -> str:
    """Login and password. The first empty field has the focus."""
    return form_page(
        f"Log in to {application.name}",
        LOGIN_PATH,
        request,
        _alert(error)
        + _input("login", "Login (email address)", "username", value=login, focused=not login)
        + _input("password", "Password", "current-password", type_="password", focused=bool(login))
        + '<button type="submit">Log in</button>'
        '<button type="submit" name="way" value="sso" formnovalidate>Log in with single sign-on</button>',
    )


def provider_page(name: str, address: str) -> str:
    """The link to the identity provider."""
    return html_page(
        f"Log in at {name}",
        f'<p>The login continues at the identity provider.</p><a href="{escape(address)}" autofocus>Continue</a>',
    )


def code_page(application: StoredApplication, request: str, *, error: str = "") -> str:
    """The code of the second factor."""
    content = _alert(error) + _input(
        "code", "Code of the authenticator, or recovery code", "one-time-code", focused=True
    )
    return form_page(
        f"Log in to {application.name}", LOGIN_PATH, request, content + '<button type="submit">Verify</button>'
    )


def consent_page(application: StoredApplication, user: StoredUser, request: str, facts: str) -> str:
    """The granted rights and the application, with its facts and the links of the application."""
    links = (
        *_links("Terms of service", application.terms_of_service_url),
        *_links("Privacy policy", application.privacy_policies_url),
    )
    listed = f"<ul>{''.join(f'<li>{link}</li>' for link in links)}</ul>" if links else ""
    name = escape(application.name)
    return form_page(
        f"Allow access to {application.name}?",
        CONSENT_PATH,
        request,
        f"<p>You are logged in as {escape(user.login_email or '')}.</p>"
        f"<p>{name} asks for full access to your account, with all your rights. "
        "You can revoke it at any time.</p>"
        f"{facts}{listed}{DECISION}",
    )


def error_page(sentence: str) -> PageResult:
    """Why the browser goes no further. It is never sent to an address that the application did not register."""
    return failure_page("Authorization failed", sentence)


def _input(name: str, label: str, purpose: str, *, type_: str = "text", value: str = "", focused: bool = False) -> str:
    focus = " autofocus" if focused else ""
    return (
        f'<label for="{name}">{escape(label)}</label>'
        f'<input id="{name}" name="{name}" type="{type_}" autocomplete="{purpose}" autocapitalize="none" '
        f'spellcheck="false" required value="{escape(value)}"{focus}>'
    )


def _alert(error: str) -> str:
    return f'<p role="alert">{escape(error)}</p>' if error else ""


def _links(label: str, addresses: Iterable[str] | None) -> list[str]:
    """Links to pages of the application; other kinds of addresses are left out."""
    usable = (each for each in addresses or () if not redirect_problem(each))
    safe = [each for each in usable if urlsplit(each).scheme in ("http", "https")]
    many = len(safe) > 1
    return [
        f'<a href="{escape(each)}" target="_blank" rel="noopener noreferrer">'
        f"{label}{f' {number}' if many else ''} (opens a new tab)</a>"
        for number, each in enumerate(safe, 1)
    ]
