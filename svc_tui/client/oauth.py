"""OAuth 2.0 in the place of an application: authorization with PKCE, exchange, refresh, revocation (4.1, 5.5)."""

from __future__ import annotations

import base64
import hashlib
import secrets
import time
from dataclasses import dataclass, field
from urllib.parse import quote, quote_plus, urlencode

from svc_tui.client import credentials
from svc_tui.client.client import Client
from svc_tui.client.credentials import decode_token
from svc_tui.client.errors import InvalidResponse
from svc_tui.client.masking import SECRET, TOKEN
from svc_tui.interface.authentication import oauth as declared
from svc_tui.interface.authentication import users
from svc_tui.interface.authentication.oauth import SCOPE, OAuthToken, OAuthTokenQuery, OAuthTokenRequest, OAuthTokens
from svc_tui.interface.authentication.proof import basic
from svc_tui.interface.authentication.users import User
from svc_tui.language import _


@dataclass(frozen=True, slots=True)
class OAuthApplication:
    """The application that asks for access, and the address that the browser returns to."""

    id: str
    redirect_uri: str
    secret: str = field(repr=False)

    def sign(self) -> credentials.Signer:
        """ID and secret, encoded as in a form (RFC 6749, 2.3.1)."""
        header = {"authorization": basic(quote_plus(self.id), quote_plus(self.secret))}
        return lambda: header


@dataclass(frozen=True, slots=True)
class Authorization:
    """A request for access: the `url` for the browser, the state that comes back, and the verifier of the code."""

    url: str
    state: str
    verifier: str = field(repr=False)


def authorization(client: Client, application: OAuthApplication) -> Authorization:
    """A new request for a code, with state and PKCE (S256)."""
    state, verifier = secrets.token_urlsafe(24), secrets.token_urlsafe(48)
    digest = hashlib.sha256(verifier.encode()).digest()
    query = {
        "response_type": "code",
        "client_id": application.id,
        "redirect_uri": application.redirect_uri,
        "scope": SCOPE,
        "state": state,
        "code_challenge": base64.urlsafe_b64encode(digest).rstrip(b"=").decode("ascii"),
        "code_challenge_method": "S256",
    }
    path = client.brand.path(declared.oauth_authorize.path)
    return Authorization(
        f"{client.profile.base_url}{path}?{urlencode(query, quote_via=quote)}", state=state, verifier=verifier
    )


async def exchange(client: Client, application: OAuthApplication, request: Authorization, code: str) -> OAuthTokens:
    """The tokens for a code. Refused when the service does not accept it."""
    for secret in (code, request.verifier):
        client.log.mask(secret, SECRET)
    body = OAuthTokenRequest(
        grant_type="authorization_code",
        code=code,
        redirect_uri=application.redirect_uri,
        code_verifier=request.verifier,
    )
    return await _tokens(client, application, body)


async def refreshed(client: Client, application: OAuthApplication, refresh_token: str) -> OAuthTokens:
    """New tokens for a refresh token."""
    body = OAuthTokenRequest(grant_type="refresh_token", refresh_token=refresh_token)
    return await _tokens(client, application, body)


async def _tokens(client: Client, application: OAuthApplication, body: OAuthTokenRequest) -> OAuthTokens:
    client.log.mask(application.secret, SECRET)
    found = await client.call(declared.oauth_token, body=body, sign=application.sign())
    for token in (found.access_token, found.refresh_token or ""):
        client.log.mask(token, TOKEN)
    return found


async def user_of(client: Client, tokens: OAuthTokens) -> User:
    """The user who allowed the access, read with the access token."""
    return (await client.call(users.get_own_user, sign=credentials.bearer(tokens.access_token))).data


async def revoke(client: Client, application: OAuthApplication, tokens: OAuthTokens) -> None:
    """Revoke the tokens with the access token itself: they belong to the user of the browser."""
    sign, claims = credentials.bearer(tokens.access_token), decode_token(tokens.access_token)
    grant_id = claims.grant_id or await _listed(client, application, sign, claims.issued or time.time())
    await client.send(declared.revoke_oauth_token, path={"tokenId": grant_id}, sign=sign)


async def _listed(client: Client, application: OAuthApplication, sign: credentials.Signer, issued: float) -> str:
    """The ID of the tokens that were issued at this time, for a service whose tokens do not name it."""
    found = await client.call(declared.list_oauth_tokens, query=OAuthTokenQuery(format="full"), sign=sign)
    own = [each for each in found.data if each.app_id == application.id and each.id]
    if not own:
        raise InvalidResponse(_("The service does not list these tokens, so they cannot be revoked."))
    # The user may have allowed the application elsewhere too.
    return str(min(own, key=lambda token: abs(_issued(token) - issued)).id)


def _issued(token: OAuthToken) -> float:
    return token.access_token_issued_at.timestamp() if token.access_token_issued_at else 0.0
