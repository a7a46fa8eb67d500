"""The tickets of single sign-on: what the service remembers between the requests of a login."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal

from svc_tui.interface.fields import field
from svc_tui.interface.records import Record

UNKNOWN_LOGIN = "this login was not started here, or it has ended or expired"
NO_PROVIDER = "this company has no OpenID Connect login here"


class ChallengeTicket(Record):
    """A challenge of login URL discovery. `session` is the id of the backchannel session, empty without one.

    `address` and `requested` are the client that discovered, and when.
    """

    company_id: str = field("")
    session: str = field("")
    uid: str = field("")
    locales: str = field("")
    address: str = field("")
    requested: datetime | None = field(None)


class LoginTicket(Record):
    """A login at an identity provider in progress, identified by its state."""

    app_id: str
    company_id: str = field("")
    #: The provider at which it began, and the registration there.
    issuer: str = field("")
    client_id: str = field("")
    challenge: str = field("")
    #: The authorization of an application that continues afterwards; empty without one.
    oauth_request: str = field("")
    nonce: str
    verifier: str
    redirect_uri: str
    browser: str


class SessionTicket(Record):
    """A backchannel session: `pending`, `denied` in the browser, or `done` with the result of its login."""

    status: Literal["pending", "denied", "done"]
    user_id: str = field("")
    app_id: str = field("")
    oidc: dict[str, Any] = field(default_factory=dict)


class ConfirmationTicket(Record):
    """A completed login whose user has to decide whether the application gets it: at an address or, with a session, by
    polling."""

    session: str = field("")
    address: str = field("")
    user_id: str
    app_id: str
    oidc: dict[str, Any]
    browser: str
