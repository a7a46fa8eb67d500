"""The demo's own OpenID Connect provider: discovery, keys, a page for selecting a user, and codes with PKCE.

It authenticates every user who is selected. It runs only with demo data, for one client: the demo service itself.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
from collections.abc import Iterable
from datetime import timedelta
from html import escape
from typing import Any
from urllib.parse import parse_qsl, unquote_plus, urlencode, urlsplit, urlunsplit

from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jwk import RSAKey
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from svc_tui.interface.authentication.proof import parse_basic
from svc_tui.server.authentication.provider_logins import callback_path
from svc_tui.server.demo.accounts import FABRIKAM
from svc_tui.server.demo.companies import DONE_PATH, PROVIDER_PATH
from svc_tui.server.demo.repeatable import id_of
from svc_tui.server.http.pages import html_page
from svc_tui.server.security.signing_keys import KeyRing
from svc_tui.server.service import Service
from svc_tui.server.store.conditions import Is, Not
from svc_tui.server.store.documents import Sort
from svc_tui.server.store.tables import Document

_CODE = "demo-code"
_CODE_SECONDS = 60
_TOKEN_SECONDS = 600
_ALGORITHM = "RS256"
_LARGEST_FORM = 16_384
_LOOPBACK = ("127.0.0.1", "localhost", "::1")
_SCOPES = ("openid", "email", "profile")
_UNCACHED = {"cache-control": "no-store", "pragma": "no-cache"}


class _Refused(Exception):
    """An error of RFC 6749, with its name and a sentence."""

    def __init__(self, error: str, sentence: str) -> None:
        super().__init__(error)
        self.error = error
        self.sentence = sentence


class IdentityProvider:
    """The provider of one demo server. Its configuration and its client are in the store."""

    def __init__(self, service: Service) -> None:
        self._service = service
        # Not the service's own keys: tokens of the provider must not be valid for the service.
        self._keys = KeyRing(
            service.database, service.clock, service.settings, purpose="identity provider", lifetime=_TOKEN_SECONDS
        )

    def routes(self) -> list[Route]:
        """The routes of the provider."""
        return [
            Route(f"{PROVIDER_PATH}/.well-known/openid-configuration", self.discovery, methods=["GET"]),
            Route(f"{PROVIDER_PATH}/keys", self.keys, methods=["GET"]),
            Route(f"{PROVIDER_PATH}/authorize", self.authorize, methods=["GET"]),
            Route(f"{PROVIDER_PATH}/authorize", self.chosen, methods=["POST"]),
            Route(f"{PROVIDER_PATH}/token", self.token, methods=["POST"]),
            Route(f"{PROVIDER_PATH}/userinfo", self.userinfo, methods=["GET", "POST"]),
            Route(DONE_PATH, self.done, methods=["GET"]),
        ]

    async def _signing_key(self) -> RSAKey:
        if not self._keys.verifying():
            await self._keys.refresh()
        return self._keys.signing()

    async def discovery(self, request: Request) -> Response:
        issuer = (await self._client())["issuer"]
        return JSONResponse(
            {
                "issuer": issuer,
                "authorization_endpoint": f"{issuer}/authorize",
                "token_endpoint": f"{issuer}/token",
                "userinfo_endpoint": f"{issuer}/userinfo",
                "jwks_uri": f"{issuer}/keys",
                "scopes_supported": list(_SCOPES),
                "response_types_supported": ["code"],
                "response_modes_supported": ["query"],
                "grant_types_supported": ["authorization_code"],
                "subject_types_supported": ["public"],
                "id_token_signing_alg_values_supported": [_ALGORITHM],
                "token_endpoint_auth_methods_supported": ["client_secret_basic", "client_secret_post"],
                "claims_supported": ["sub", "email", "email_verified", "name", "given_name", "family_name"],
                "code_challenge_methods_supported": ["S256"],
                "authorization_response_iss_parameter_supported": True,
            }
        )

    async def keys(self, request: Request) -> Response:
        key = await self._signing_key()
        public = {**key.as_dict(private=False), "use": "sig", "alg": _ALGORITHM, "kid": key.thumbprint()}
        return JSONResponse({"keys": [public]})

    async def authorize(self, request: Request) -> Response:
        """The page for selecting a user, or an error."""
        asked = dict(request.query_params)
        client = await self._client()
        if sentence := _not_trusted(asked, client):
            return refused(sentence)
        try:
            _check_request(asked)
        except _Refused as refusal:
            return _back(asked, client, error=refusal.error, error_description=refusal.sentence)
        return choice_of_users(await self._users(), asked.get("login_hint", ""))

    async def chosen(self, request: Request) -> Response:
        """A user was selected: redirect to the service with a code."""
        asked = dict(request.query_params)
        client = await self._client()
        if sentence := _not_trusted(asked, client):
            return refused(sentence)
        try:
            _check_request(asked)
            user_id = (await _form(request)).get("user", "")
            if user_id not in {user["id"] for user in await self._users()}:
                raise _Refused("access_denied", "the login was cancelled")
        except _Refused as refusal:
            return _back(asked, client, error=refusal.error, error_description=refusal.sentence)
        return _back(asked, client, code=await self._new_code(asked, user_id))

    async def token(self, request: Request) -> Response:
        """Exchange a code for tokens, once."""
        client = await self._client()
        try:
            form = await _form(request)
            _check_client(request, form, client)
            user, granted = await self._redeemed(form)
        except _Refused as refusal:
            body = {"error": refusal.error, "error_description": refusal.sentence}
            if refusal.error == "invalid_client":
                return JSONResponse(body, 401, headers={**_UNCACHED, "www-authenticate": 'Basic realm="demo"'})
            return JSONResponse(body, 400, headers=_UNCACHED)
        issuer, audience = client["issuer"], client["clientId"]
        claims = {**_claims(user, granted["scope"]), "auth_time": granted["time"]}
        if granted["nonce"]:
            claims["nonce"] = granted["nonce"]
        answer = {
            "access_token": await self._signed(issuer, f"{issuer}/userinfo", {"sub": user["id"], **_scope(granted)}),
            "token_type": "Bearer",
            "expires_in": _TOKEN_SECONDS,
            "id_token": await self._signed(issuer, audience, claims),
            **_scope(granted),
        }
        return JSONResponse(answer, headers=_UNCACHED)

    async def userinfo(self, request: Request) -> Response:
        """The user of an access token."""
        scheme, _, token = request.headers.get("authorization", "").partition(" ")
        issuer = (await self._client())["issuer"]
        claims = await self._read(token.strip() if scheme.lower() == "bearer" else "", issuer, f"{issuer}/userinfo")
        users = {user["id"]: user for user in await self._users()}
        if claims.get("sub") not in users:
            challenge = 'Bearer realm="demo", error="invalid_token"'
            return JSONResponse({"error": "invalid_token"}, 401, headers={**_UNCACHED, "www-authenticate": challenge})
        return JSONResponse(_claims(users[claims["sub"]], claims["scope"]), headers=_UNCACHED)

    async def done(self, request: Request) -> Response:
        reason = request.query_params.get("errmsg") or request.query_params.get("errcode")
        return refused(f"{reason}. Start again in the console.") if reason else done()

    async def _client(self) -> Document:
        async with self._service.database.unit() as store:
            found = await store.identity_providers.get(id_of("identity provider", FABRIKAM))
        # Without demo data there is no identity provider.
        return found or {"issuer": "", "clientId": "", "clientSecret": ""}

    async def _users(self) -> list[Document]:
        company = Is("companyId", id_of("company", FABRIKAM))
        living = (Not(Is("isTerminated", True)), Is("isActive", True))
        async with self._service.database.unit() as store:
            return (await store.users.find(company, *living, sort=Sort("displayName"))).documents

    async def _new_code(self, asked: dict[str, str], user_id: str) -> str:
        now = self._service.clock.now()
        code = self._service.ids.secret(43)
        granted = {
            "userId": user_id,
            "redirectUri": asked["redirect_uri"],
            "challenge": asked["code_challenge"],
            "nonce": asked.get("nonce", ""),
            "scope": " ".join(scope for scope in asked["scope"].split() if scope in _SCOPES),
            "time": int(now.timestamp()),
        }
        async with self._service.database.unit() as store:
            expires = now + timedelta(seconds=_CODE_SECONDS)
            await store.tickets.add(_CODE, _digest(code), now=now, expires=expires, document=granted)
        return code

    async def _redeemed(self, form: dict[str, str]) -> tuple[Document, Document]:
        if form.get("grant_type") != "authorization_code":
            raise _Refused("unsupported_grant_type", "grant_type must be authorization_code")
        async with self._service.database.unit() as store:
            granted = await store.tickets.take(_CODE, _digest(form.get("code", "")), now=self._service.clock.now())
            user = await store.users.get(granted["userId"]) if granted else None
        if granted is None or user is None:
            raise _Refused("invalid_grant", "the code is unknown, used or expired")
        if form.get("redirect_uri") != granted["redirectUri"]:
            raise _Refused("invalid_grant", "the code was issued for another redirect_uri")
        if not hmac.compare_digest(_digest(form.get("code_verifier", "")), granted["challenge"]):
            raise _Refused("invalid_grant", "the code_verifier does not match the code_challenge")
        return user, granted

    async def _signed(self, issuer: str, audience: str, claims: dict[str, Any]) -> str:
        now = int(self._service.clock.now().timestamp())
        key = await self._signing_key()
        times = {"iat": now, "exp": now + _TOKEN_SECONDS}
        return jwt.encode(
            {"alg": _ALGORITHM, "kid": key.thumbprint()}, {"iss": issuer, "aud": audience, **claims, **times}, key
        )

    async def _read(self, token: str, issuer: str, audience: str) -> dict[str, Any]:
        try:
            claims = jwt.decode(token, await self._signing_key(), algorithms=[_ALGORITHM]).claims
        except (JoseError, ValueError, TypeError):
            return {}
        ours = (claims.get("iss"), claims.get("aud")) == (issuer, audience)
        return claims if ours and claims.get("exp", 0) > self._service.clock.now().timestamp() else {}


def _not_trusted(asked: dict[str, str], client: Document) -> str:
    """Why the browser must not be redirected to the requested address; empty if it may."""
    if not client["clientId"] or asked.get("client_id") != client["clientId"]:
        return "The client is unknown."
    try:
        address = urlsplit(asked.get("redirect_uri", ""))
        host = address.hostname
    except ValueError:
        return "The redirect address is not valid."
    home = (*_LOOPBACK, urlsplit(client["issuer"]).hostname)
    if (
        address.scheme not in ("http", "https")
        or host not in home
        or address.path != callback_path(id_of("company", FABRIKAM))
    ):
        return "The redirect address is not an address of the demo service."
    return ""


def _check_request(asked: dict[str, str]) -> None:
    if asked.get("response_type") != "code":
        raise _Refused("unsupported_response_type", "response_type must be code")
    if "openid" not in asked.get("scope", "").split():
        raise _Refused("invalid_scope", "the scope must contain openid")
    if asked.get("code_challenge_method") != "S256" or len(asked.get("code_challenge", "")) != 43:
        raise _Refused("invalid_request", "a code_challenge with the method S256 is required")
    if "none" in asked.get("prompt", "").split():
        raise _Refused("login_required", "a user must be selected")


def _check_client(request: Request, form: dict[str, str], client: Document) -> None:
    header = parse_basic(request.headers.get("authorization", ""))
    if header is not None:
        id, secret = (unquote_plus(part) for part in header)
    else:
        id, secret = form.get("client_id", ""), form.get("client_secret", "")
    right = hmac.compare_digest(secret.encode(), client["clientSecret"].encode())
    if not client["clientId"] or id != client["clientId"] or not right:
        raise _Refused("invalid_client", "the client's credentials are wrong")


def _back(asked: dict[str, str], client: Document, **values: str) -> Response:
    parts = urlsplit(asked["redirect_uri"])
    state = {"state": asked["state"]} if "state" in asked else {}
    query = [*parse_qsl(parts.query), *{**values, **state, "iss": client["issuer"]}.items()]
    return RedirectResponse(urlunsplit(parts._replace(query=urlencode(query))), 302, headers=_UNCACHED)


def _claims(user: Document, scope: str) -> dict[str, Any]:
    claims: dict[str, Any] = {"sub": user["id"]}
    if "email" in scope.split():
        claims.update(email=user["loginEmail"], email_verified=True)
    if "profile" in scope.split():
        claims.update(
            name=user["displayName"],
            given_name=user["firstName"],
            family_name=user["lastName"],
            preferred_username=user["loginEmail"],
        )
    return claims


def _scope(granted: Document) -> dict[str, str]:
    return {"scope": granted["scope"]}


def _digest(text: str) -> str:
    """base64url of SHA-256, as in PKCE; codes are stored in the same form."""
    return base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).rstrip(b"=").decode()


async def _form(request: Request) -> dict[str, str]:
    content = b""
    async for chunk in request.stream():
        content += chunk
        if len(content) > _LARGEST_FORM:
            raise _Refused("invalid_request", "the form is too large")
    try:
        return dict(parse_qsl(content.decode("ascii"), keep_blank_values=True, max_num_fields=50))
    except ValueError as error:
        raise _Refused("invalid_request", "the form cannot be read") from error


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
