"""The tickets of single sign-on: what the service remembers between the requests of a login."""

from __future__ import annotations

from typing import Any, Literal

from svc_tui.interface.records import Record, field

UNKNOWN_LOGIN = "this login was not started here, or it has ended or expired"
NO_PROVIDER = "this company has no OpenID Connect login here"


class ChallengeTicket(Record):
    """A challenge of login URL discovery. `session` is the id of the backchannel session, empty without one."""

    company_id: str = field("")
    session: str = field("")
    uid: str = field("")
    locales: str = field("")


class LoginTicket(Record):
    """A login at an identity provider in progress, identified by its state."""

    app_id: str
    company_id: str = field("")
    challenge: str
    nonce: str
    verifier: str
    redirect_uri: str
    browser: str


class SessionTicket(Record):
    """A backchannel session: `pending`, or `done` with the result of its login."""

    status: Literal["pending", "done"]
    user_id: str = field("")
    app_id: str = field("")
    oidc: dict[str, Any] = field(default_factory=dict)
