"""Login URL discovery, OpenID Connect and SAML logins, and the polled backchannel session (4.1, 2.3). No company has a
SAML identity provider: known companies and users get 503000.
"""

from __future__ import annotations

import base64
import hashlib
from typing import Any, Literal

from svc_tui.interface.access import ANONYMOUS, OWNER
from svc_tui.interface.authentication.sessions import LoggedInApplication, LoginAnswer
from svc_tui.interface.authentication.users import User
from svc_tui.interface.envelopes import Plain, Single
from svc_tui.interface.errors import Code
from svc_tui.interface.fields import field
from svc_tui.interface.operations import Credentials, Operation
from svc_tui.interface.records import Record

__all__ = [
    "PolledLogin",
    "BACKCHANNEL_SECONDS",
    "BackchannelSession",
    "DiscoveryQuery",
    "GLOBAL_OIDC",
    "GlobalOidcLogin",
    "IdTokenLogin",
    "LoginUrl",
    "LogoutQuery",
    "LogoutUrl",
    "OIDC",
    "OidcLogin",
    "PASSWORD",
    "PASSWORDLESS",
    "Redirection",
    "SAML",
    "comparison_code",
    "discover_login_urls",
    "discover_logout_url",
    "login_global_sso_oidc",
    "login_oidc",
    "logout_global_sso_oidc",
    "logout_oidc",
    "oidc_id_token_login",
    "poll_backchannel_session",
    "SamlLogin",
    "login_saml",
    "logout_saml",
    "saml_assert",
    "saml_metadata",
]


#: Lifetime of an unfinished backchannel session.
BACKCHANNEL_SECONDS = 300

#: Types of login URL items. The names PASSWORDLESS and GLOBAL_OIDC are our choice.
PASSWORD, SAML, OIDC, PASSWORDLESS, GLOBAL_OIDC = "SVC", "SAML", "OIDC", "PASSWORDLESS", "GLOBAL_OIDC"


def comparison_code(session_id: str) -> str:
    """The code of a backchannel session, made from its id: users compare that of the client with that of the page."""
    text = base64.b32encode(hashlib.sha256(session_id.encode()).digest()).decode()
    return f"{text[:4]}-{text[4:8]}"


class BackchannelSession(Record):
    id: str = ""
    token: str = field("", secret=True)


class LoginUrl(Record):
    """A login method (2.3)."""

    # Deployments may have further types.
    type: Literal["SVC", "SAML", "OIDC", "PASSWORDLESS", "GLOBAL_OIDC"] | str = field(
        "SVC", help="SVC is the service's own password login"
    )
    name: str | None = None
    client_id: str | None = None
    challenge: str | None = field(None, personal=True)
    only_use_implicit_flow: bool | None = None
    use_web_view: bool | None = None
    use_backchannel: bool | None = None
    backchannel_session: BackchannelSession | None = None
    login_url: str | None = field(None, personal=True)
    logout_url: str | None = field(None, personal=True)
    issuer: str | None = None
    discovery_url: str | None = None
    authorization_endpoint: str | None = None
    jwks_uri: str | None = None

    @property
    def asks_password(self) -> bool:
        """Whether it is the service's own login with a password."""
        return self.type == PASSWORD


class DiscoveryQuery(Record):
    """The user who wants to log in."""

    uid: str = field(..., min_length=5, max_length=255, once=True, help="Login or external identifier of the user")
    country: str | None = field(None, help="ISO 3166-1 alpha-3")
    ui_locales: str | None = field(None, max_length=255, help="Preferred languages of the login page")
    use_backchannel_polling: bool = field(False, help="Request a session whose result can be polled")


class LogoutUrl(Record):
    """How the session of the caller ends. API keys and OAuth tokens have no address: they are revoked."""

    use_web_view: bool = field(False, help="Whether the address must be opened in a browser or a web view")
    logout_url: str | None = field(None, help="Address of the logout", personal=True)


class OidcLogin(Record):
    company_id: str = field(..., min_length=1)
    challenge: str = field(..., min_length=1)
    app_auth: str = field(
        ...,
        label="Proof of the application",
        wire="x-svc-app-auth",
        min_length=1,
        help="base64(appId:sha256hex(appSecret+challenge))",
    )


class GlobalOidcLogin(Record):
    challenge: str = field(..., min_length=1)
    app_auth: str = field(..., label="Proof of the application", wire="x-svc-app-auth", min_length=1)


class LogoutQuery(Record):
    token: str | None = field(None, secret=True)


class IdTokenLogin(Record):
    id_token: str = field(..., wire="id_token", min_length=1, secret=True)
    challenge: str = field(..., min_length=1)
    nonce: str | None = None


class Redirection(Record):
    """An answer for browsers: the redirect address."""

    location: str = field("", personal=True)


discover_login_urls = Operation(
    "discover_login_urls",
    "4.1",
    "GET",
    "/api/svc/authentication/v1.0/urls",
    "List the login methods of a user",
    Plain[LoginUrl],
    ANONYMOUS,
    query=DiscoveryQuery,
    credentials=Credentials.NONE,
    refuses=(Code.VALIDATION, Code.INVALID_COUNTRY),
    rate="discovery",
)

discover_logout_url = Operation(
    "discover_logout_url",
    "4.1",
    "GET",
    "/api/svc/authentication/v1.0/urls/logout",
    "Get the logout method of the current login",
    Single[LogoutUrl],
    OWNER,
)


class PolledLogin(Record):
    """The state of a browser login: `pending`, or once the login response (2.4)."""

    data: dict[str, Any] | None = field(None, personal=True)
    token: str | None = field(None, secret=True)
    mfa_required: bool | None = None
    logged_in_user: User | None = None
    logged_in_application: LoggedInApplication | None = None


poll_backchannel_session = Operation(
    "poll_backchannel_session",
    "4.1",
    "GET",
    "/api/svc/authentication/v1.0/backchannel-sessions/{sessionId}",
    "Poll a browser login: {data: {status: pending}} or, once, the login response",
    PolledLogin,
    ANONYMOUS,
    credentials=Credentials.BACKCHANNEL,
    refuses=(Code.UNAUTHORIZED, Code.INVALID_TOKEN, Code.NOT_FOUND),
    changes=True,
)

login_oidc = Operation(
    "login_oidc",
    "4.1",
    "GET",
    "/api/svc/authentication/v1.0/oidc-client/login",
    "Start an OpenID Connect login in a browser",
    Redirection,
    ANONYMOUS,
    query=OidcLogin,
    credentials=Credentials.BROWSER,
    changes=True,
    rate="discovery",
)

login_global_sso_oidc = Operation(
    "login_global_sso_oidc",
    "4.1",
    "GET",
    "/api/svc/authentication/v1.0/global-sso/oidc/login",
    "Start a global OpenID Connect login in a browser",
    Redirection,
    ANONYMOUS,
    query=GlobalOidcLogin,
    credentials=Credentials.BROWSER,
    changes=True,
    rate="discovery",
)

oidc_id_token_login = Operation(
    "oidc_id_token_login",
    "4.1",
    "GET",
    "/api/svc/authentication/v1.0/oidc-client/jwt",
    "Exchange an id_token of the implicit flow for a service token",
    LoginAnswer,
    ANONYMOUS,
    query=IdTokenLogin,
    credentials=Credentials.LOGIN,
    changes=True,
    refuses=(Code.VALIDATION, Code.ID_TOKEN_NOT_VERIFIED, Code.NOT_FOUND),
    rate="login",
)

logout_oidc = Operation(
    "logout_oidc",
    "4.1",
    "GET",
    "/api/svc/authentication/v1.0/oidc-client/logout",
    "End an OpenID Connect login in a browser",
    Redirection,
    ANONYMOUS,
    query=LogoutQuery,
    credentials=Credentials.BROWSER,
    refuses=(Code.INVALID_TOKEN,),
    changes=True,
)

logout_global_sso_oidc = Operation(
    "logout_global_sso_oidc",
    "4.1",
    "GET",
    "/api/svc/authentication/v1.0/global-sso/oidc/logout",
    "End a global OpenID Connect login in a browser",
    Redirection,
    ANONYMOUS,
    query=LogoutQuery,
    credentials=Credentials.BROWSER,
    refuses=(Code.INVALID_TOKEN,),
    changes=True,
)


_LARGEST_ASSERTION = 256 * 1024


class SamlLogin(Record):
    company_id: str = field(..., min_length=1)
    challenge: str = field(..., min_length=1)


login_saml = Operation(
    "login_saml",
    "4.1",
    "GET",
    "/api/svc/authentication/v1.0/saml/login",
    "Start a SAML login in a browser",
    Redirection,
    ANONYMOUS,
    query=SamlLogin,
    credentials=Credentials.BROWSER,
    changes=True,
    refuses=(Code.VALIDATION, Code.NOT_FOUND, Code.NO_SAML),
    rate="discovery",
)

saml_assert = Operation(
    "saml_assert",
    "4.1",
    "POST",
    "/api/svc/authentication/v1.0/saml/{companyId}/assert",
    "Complete a SAML login with the response of the identity provider",
    Redirection,
    ANONYMOUS,
    credentials=Credentials.BROWSER,
    takes=("application/x-www-form-urlencoded",),
    most_bytes=_LARGEST_ASSERTION,
    refuses=(Code.NOT_FOUND, Code.NO_SAML),
)

saml_metadata = Operation(
    "saml_metadata",
    "4.1",
    "GET",
    "/api/svc/authentication/v1.0/saml/{companyId}/metadata.xml",
    "Get the SAML metadata for the identity provider of a company",
    bytes,
    ANONYMOUS,
    credentials=Credentials.BROWSER,
    gives=("application/samlmetadata+xml",),
    refuses=(Code.NOT_FOUND, Code.NO_SAML),
)

logout_saml = Operation(
    "logout_saml",
    "4.1",
    "GET",
    "/api/svc/authentication/v1.0/saml/logout",
    "End a SAML login in a browser",
    Redirection,
    ANONYMOUS,
    query=LogoutQuery,
    credentials=Credentials.BROWSER,
    refuses=(Code.INVALID_TOKEN, Code.NO_SAML),
    changes=True,
)
