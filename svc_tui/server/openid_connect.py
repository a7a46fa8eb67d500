"""OpenID Connect as a relying party: what identity providers are asked, and the checks on their responses."""

from __future__ import annotations

import base64
import hashlib
import math
from dataclasses import dataclass, field
from datetime import UTC, datetime
from urllib.parse import urlencode

from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jwk import KeySet
from joserfc.jws import JWSRegistry

from svc_tui.server.clock import Clock
from svc_tui.server.provider_requests import IdentityProviderError, ProviderRequests
from svc_tui.server.store.tables import Document

#: Largest difference between the clocks of two services, in seconds.
_LEEWAY = 60
#: The last moment that a date can be.
_LAST = datetime(9999, 12, 31, tzinfo=UTC).timestamp()
_ALGORITHMS = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA")
_REGISTRY = JWSRegistry(algorithms=list(_ALGORITHMS))
_KEY_TYPES = ("RSA", "EC", "OKP")


@dataclass(frozen=True, slots=True)
class Provider:
    """An identity provider, with the registration there. `company_id` is empty for the global single sign-on."""

    issuer: str
    client_id: str
    client_secret: str = field(default="", repr=False)
    name: str = ""
    company_id: str = ""
    only_use_implicit_flow: bool = False

    @property
    def discovery_url(self) -> str:
        return self.issuer.rstrip("/") + "/.well-known/openid-configuration"


def provider_of(document: Document) -> Provider:
    """A stored identity provider."""
    return Provider(
        issuer=str(document["issuer"]),
        client_id=str(document["clientId"]),
        client_secret=str(document.get("clientSecret") or ""),
        name=str(document.get("name") or ""),
        company_id=str(document["companyId"]),
        only_use_implicit_flow=bool(document.get("onlyUseImplicitFlow")),
    )


@dataclass(frozen=True, slots=True)
class Attempt:
    """Values made for one login; they must return with it."""

    state: str
    nonce: str
    verifier: str
    redirect_uri: str


def end_of(claims: Document) -> datetime:
    """When a verified id_token is no longer accepted."""
    return datetime.fromtimestamp(min(claims["exp"] + _LEEWAY, _LAST), UTC)


class OpenIdClient:
    """The protocol with identity providers. Callers release their database connection first: requests can take long."""

    def __init__(self, clock: Clock, *, insecure: bool = False) -> None:
        self._clock = clock
        self._requests = ProviderRequests(clock, insecure=insecure)

    async def metadata(self, provider: Provider) -> Document:
        """The provider's discovery document. IdentityProviderError when there is no valid one."""
        found = await self._requests.published(provider.discovery_url)
        if found.get("issuer") != provider.issuer:
            raise IdentityProviderError("the issuer in the discovery document of the identity provider does not match")
        for name in ("authorization_endpoint", "token_endpoint", "jwks_uri"):
            self._requests.check_address(found.get(name))
        return found

    async def authorization_url(self, provider: Provider, attempt: Attempt, **hints: str) -> str:
        """The address where the browser logs in. Empty `hints` (login_hint, ui_locales) are left out."""
        digest = hashlib.sha256(attempt.verifier.encode()).digest()
        query = {
            "response_type": "code",
            "client_id": provider.client_id,
            "redirect_uri": attempt.redirect_uri,
            "scope": "openid email profile",
            "state": attempt.state,
            "nonce": attempt.nonce,
            "code_challenge": base64.urlsafe_b64encode(digest).rstrip(b"=").decode(),
            "code_challenge_method": "S256",
            **{name: value for name, value in hints.items() if value},
        }
        address = str((await self.metadata(provider))["authorization_endpoint"])
        return f"{address}{'&' if '?' in address else '?'}{urlencode(query)}"

    async def check_sender(self, provider: Provider, iss: str | None) -> None:
        """IdentityProviderError for a response with the name of another provider, or without a name although this one
        always sends its own (RFC 9207)."""
        named = (await self.metadata(provider)).get("authorization_response_iss_parameter_supported") is True
        if iss != provider.issuer and (named or iss is not None):
            raise IdentityProviderError("the response is not from the identity provider of this login")

    async def redeem(self, provider: Provider, attempt: Attempt, code: str) -> Document:
        """The verified claims behind an authorization code."""
        form = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": attempt.redirect_uri,
            "code_verifier": attempt.verifier,
        }
        address = str((await self.metadata(provider))["token_endpoint"])
        answer = await self._requests.post(address, form, (provider.client_id, provider.client_secret))
        token = answer.get("id_token")
        if not isinstance(token, str):
            raise IdentityProviderError("the response of the identity provider has no id_token")
        return await self.verified(provider, token, attempt.nonce)

    async def verified(self, provider: Provider, id_token: str, nonce: str | None) -> Document:
        """The claims of an id_token: signed by the provider, for this server and this login, and not expired."""
        address = str((await self.metadata(provider))["jwks_uri"])
        try:
            claims = self._decoded(id_token, await self._requests.published(address))
        except IdentityProviderError:
            # The provider may have new keys since they were cached.
            claims = self._decoded(id_token, await self._requests.renewed(address))
        self._check_claims(provider, claims, nonce)
        return claims

    def _decoded(self, id_token: str, published: Document) -> Document:
        try:
            usable = [key for key in published.get("keys", ()) if key.get("kty") in _KEY_TYPES]
            keys = KeySet.import_key_set({"keys": usable})
            return jwt.decode(id_token, keys, algorithms=list(_ALGORITHMS), registry=_REGISTRY).claims
        except (JoseError, ValueError, TypeError, AttributeError, KeyError) as error:
            raise IdentityProviderError("the signature of the id_token is not valid") from error

    def _check_claims(self, provider: Provider, claims: Document, nonce: str | None) -> None:
        audience = claims.get("aud")
        audiences = audience if isinstance(audience, list) else [audience]
        now = self._clock.now().timestamp()
        expires, issued = claims.get("exp"), claims.get("iat")
        if claims.get("iss") != provider.issuer:
            raise IdentityProviderError("the id_token is from another issuer")
        if provider.client_id not in audiences:
            raise IdentityProviderError("the id_token is for another client")
        if claims.get("azp", provider.client_id) != provider.client_id or (len(audiences) > 1 and "azp" not in claims):
            raise IdentityProviderError("the id_token was issued to another client")
        if not isinstance(expires, int | float) or not math.isfinite(expires) or expires + _LEEWAY <= now:
            raise IdentityProviderError("the id_token has expired")
        if not isinstance(issued, int | float) or not math.isfinite(issued) or issued - _LEEWAY > now:
            raise IdentityProviderError("the id_token is not valid yet")
        if claims.get("nonce") != nonce:
            raise IdentityProviderError("the id_token belongs to another login")
