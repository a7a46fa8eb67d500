"""The application of a request: the proof of its secret (5.3) and its optional token (5.1)."""

from __future__ import annotations

import hmac
from urllib.parse import unquote_plus

from svc_tui.interface.authentication.proof import application_token, parse_basic, proves
from svc_tui.interface.errors import Code
from svc_tui.server.http.parsing import storable
from svc_tui.server.refusal import Refusal
from svc_tui.server.rules import Headers
from svc_tui.server.store.store import Store
from svc_tui.server.store.tables import Document

CLOSED_STATES = ("stopped", "blocked", "deleted")


async def proven_application(app_auth: str, text: str, store: Store) -> Document | None:
    """The application that proves its secret for the text (password or challenge). None without a valid proof.

    `app_auth` is the header x-svc-app-auth, with its `Basic `.
    """
    app_id, said = parse_basic(app_auth) or ("", "")
    application = await store.applications.get(app_id) if storable(app_id) else None
    secret = str(application.get("appSecret") or "") if application else ""
    fits = proves(said, secret, text)
    # An application without a secret cannot prove one.
    return application if fits and secret else None


def application_credentials(headers: Headers) -> tuple[str, str]:
    """Id and secret of an application in the header `authorization` (RFC 6749, 2.3.1); empty without them."""
    # Both parts are encoded as in a form.
    id, secret = (unquote_plus(part) for part in parse_basic(headers.authorization) or ("", ""))
    return id, secret


def check_open(application: Document) -> None:
    """Refuse (401102) an application that is not in use."""
    if application.get("state") in CLOSED_STATES:
        raise Refusal(Code.UNAUTHORIZED, f"the application is {application['state']}")


def check_application_token(headers: Headers, application: Document | None) -> None:
    """Refuse (403) the token of another application, or without an application. The token is optional."""
    if not headers.application_token:
        return
    known = application or {}
    expected = application_token(str(known.get("id")), str(known.get("appSecret") or "")) if known else ""
    if not hmac.compare_digest(headers.application_token.encode(), expected.encode()):
        raise Refusal(Code.ROLE_MISSING, "the application token does not match")
