"""State of an OAuth 2.0 authorization between requests, and the contents of a code."""

from __future__ import annotations

from datetime import timedelta

from svc_tui.interface.records import Record
from svc_tui.server.http.pages import STEP_SECONDS
from svc_tui.server.rules import AnyCall
from svc_tui.server.store.tables import Document

#: Kind of the tickets of authorizations.
REQUEST = "oauth-request"


class AuthorizationTicket(Record):
    """An authorization in a browser: the request, and the user who has logged in."""

    app_id: str
    redirect_uri: str
    redirect_given: bool
    response_type: str
    state: str
    challenge: str
    browser: str
    #: After the password, if the second factor is missing.
    pending_user_id: str = ""
    user_id: str = ""
    #: `sessionsEnded` of that user at the login: a later end of the sessions ends the authorization too.
    sessions_ended: int = 0


class CodeTicket(Record):
    """What a code stands for."""

    app_id: str
    user_id: str
    redirect_uri: str
    redirect_given: bool
    challenge: str
    sessions_ended: int = 0


async def keep_ticket(call: AnyCall, kind: str, id: str, document: Document, *, seconds: int = STEP_SECONDS) -> None:
    """Store the values for the next request."""
    expires = call.now + timedelta(seconds=seconds)
    await call.store.tickets.add(kind, id, now=call.now, expires=expires, document=document)
