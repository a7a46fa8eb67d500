"""OAuth 2.0: authorization in a browser, tokens, and the tokens of a user (2.5, 4.1, 5.5)."""

from __future__ import annotations

from datetime import datetime
from typing import ClassVar

from svc_tui.interface.access import ANONYMOUS, OWNER
from svc_tui.interface.authentication.proof import ACCESS_SECONDS
from svc_tui.interface.envelopes import ListQuery, Page, Single
from svc_tui.interface.errors import Code
from svc_tui.interface.fields import field
from svc_tui.interface.operations import PAGES, Credentials, Operation
from svc_tui.interface.records import Record

#: The only scope.
SCOPE = "all"


class OAuthAuthorization(Record):
    """The request of an application for access. The response type and the client are required."""

    response_type: str | None = field(None, wire="response_type", help="code, or token for the implicit grant")
    client_id: str | None = field(None, wire="client_id", help="ID of the application")
    redirect_uri: str | None = field(
        None, wire="redirect_uri", label="Redirect address", help="One of the application; empty for its first one"
    )
    scope: str | None = field(None, help="all")
    state: str | None = field(None, max_length=2000, help="Returned unchanged; empty for a random one")
    code_challenge: str | None = field(None, wire="code_challenge", help="Challenge of the code (PKCE)")
    code_challenge_method: str | None = field(None, wire="code_challenge_method", help="S256")


class OAuthConsent(Record):
    """The answer of the user on the consent page."""

    decision: str | None = field(None, help="allow or deny")
    request: str | None = field(None, help="The authorization request of the page")


class OAuthTokenRequest(Record):
    """A code or a refresh token for new tokens."""

    grant_type: str | None = field(None, wire="grant_type", help="authorization_code or refresh_token")
    code: str | None = field(None, help="The code of the redirect", secret=True)
    redirect_uri: str | None = field(
        None, wire="redirect_uri", label="Redirect address", help="The same as in the authorization"
    )
    code_verifier: str | None = field(None, wire="code_verifier", help="Verifier of the code (PKCE)", secret=True)
    refresh_token: str | None = field(None, wire="refresh_token", help="For new tokens without a login", secret=True)


class OAuthTokens(Record):
    """New tokens (2.5)."""

    access_token: str = field(..., wire="access_token", secret=True)
    expires_in: int = field(ACCESS_SECONDS, wire="expires_in", unit="s")
    token_type: str = field("Bearer", wire="token_type")
    refresh_token: str | None = field(None, wire="refresh_token", secret=True)
    scope: str = field(SCOPE)


class OAuthError(Record):
    """Why a request for tokens was refused (RFC 6749)."""

    error: str = field(...)
    error_description: str | None = field(None, wire="error_description")


class OAuthToken(Record):
    """The tokens that a user granted to an application, without their values."""

    SMALL: ClassVar = ("id", "appId", "appName", "userId")
    MEDIUM: ClassVar = (*SMALL, "scope", "creationDate", "accessTokenIssuedAt", "refreshTokenExpiresAt")
    ALWAYS: ClassVar = SMALL
    WHERE_APPLICABLE: ClassVar = ()

    id: str | None = field(None, help="Identifier")
    app_id: str | None = field(None, refers="applications", named_by=("appName",))
    app_name: str | None = None
    user_id: str | None = field(None, refers="users")
    scope: str | None = field(None, help="Access that the tokens give")
    creation_date: datetime | None = field(None)
    access_token_issued_at: datetime | None = field(None)
    access_token_expires_at: datetime | None = field(None)
    refresh_token_issued_at: datetime | None = field(None)
    refresh_token_expires_at: datetime | None = field(None)


class OAuthTokenQuery(ListQuery):
    """The order of the list."""

    DEFAULT_SORT: ClassVar = "appName"

    sort_field: str | None = field("appName", help="Field to sort by")


_BASE = "/api/svc/authentication/v1.0/oauth"

oauth_authorize = Operation(
    "oauth_authorize",
    "4.1",
    "GET",
    _BASE + "/authorize",
    "Authorize an application in a browser: login, consent, redirect with a code",
    bytes,
    ANONYMOUS,
    query=OAuthAuthorization,
    credentials=Credentials.BROWSER,
    gives=PAGES,
    changes=True,
    rate="authorization",
)

oauth_consent = Operation(
    "oauth_consent",
    "4.1",
    "POST",
    _BASE + "/consent",
    "Answer the consent page of an authorization",
    bytes,
    ANONYMOUS,
    body=OAuthConsent,
    credentials=Credentials.BROWSER,
    gives=PAGES,
    sends_form=True,
    rate="authorization",
)

oauth_token = Operation(
    "oauth_token",
    "4.1",
    "POST",
    _BASE + "/token",
    "Exchange a code or a refresh token for new tokens",
    OAuthTokens,
    ANONYMOUS,
    body=OAuthTokenRequest,
    credentials=Credentials.APPLICATION,
    sends_form=True,
    rate="token",
)

list_oauth_tokens = Operation(
    "list_oauth_tokens",
    "4.1",
    "GET",
    _BASE + "/tokens",
    "List the applications with OAuth tokens of the caller",
    Page[OAuthToken],
    OWNER,
    query=OAuthTokenQuery,
    refuses=(Code.VALIDATION,),
    no_oauth=True,
)

get_oauth_token = Operation(
    "get_oauth_token",
    "4.1",
    "GET",
    _BASE + "/tokens/{tokenId}",
    "Get the OAuth tokens of an application",
    Single[OAuthToken],
    OWNER,
    refuses=(Code.VALIDATION, Code.ROLE_MISSING, Code.NOT_FOUND),
)

revoke_oauth_token = Operation(
    "revoke_oauth_token",
    "4.1",
    "DELETE",
    _BASE + "/tokens/{tokenId}",
    "Revoke the OAuth tokens of an application",
    Single[OAuthToken],
    OWNER,
    refuses=(Code.VALIDATION, Code.ROLE_MISSING, Code.NOT_FOUND_DELETE),
    deletes="oauthtokens",
)

__all__ = [
    "OAuthAuthorization",
    "OAuthConsent",
    "OAuthError",
    "OAuthToken",
    "OAuthTokenQuery",
    "OAuthTokenRequest",
    "OAuthTokens",
    "get_oauth_token",
    "list_oauth_tokens",
    "oauth_authorize",
    "oauth_consent",
    "oauth_token",
    "revoke_oauth_token",
]
