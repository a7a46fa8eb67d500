"""Login, token renewal, logout and related checks (4.1, 2.2, 2.4)."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

from svc_tui.interface.access import ANONYMOUS, OWNER
from svc_tui.interface.authentication.users import User
from svc_tui.interface.envelopes import Done
from svc_tui.interface.errors import Code
from svc_tui.interface.fields import field
from svc_tui.interface.operations import Credentials, Operation
from svc_tui.interface.records import Record

#: Lifetime of a user token, and how often it can be renewed.
DEFAULT_LIFETIME_SECONDS = 7200
DEFAULT_RENEWALS = 5

LOGIN_REFUSALS = (
    Code.WRONG_CREDENTIALS,
    Code.LOCKED,
    Code.VOICE_ONLY,
    Code.USER_INACTIVE,
    Code.COMPANY_INACTIVE,
    Code.ACCOUNT_EXPIRED,
    Code.CLIENT_TOO_OLD,
)


class Claims(Record):
    """Payload of a user token (2.2). `mfa_type` is set only while the second factor is pending."""

    count_renewed: int = 0
    max_token_renew: int = DEFAULT_RENEWALS
    user: dict[str, Any] = field(default_factory=dict)
    app: dict[str, Any] = field(default_factory=dict)
    mfa_type: str | None = None
    oauth: dict[str, Any] | None = None
    iat: int = field(0, help="Issue time", unit="s")
    exp: int = field(0, help="Expiry", unit="s")


class LoggedInApplication(Record):
    """The application behind a login."""

    id: str | None = None
    name: str | None = None
    type: str | None = None
    state: str | None = None
    env: str | None = None


class LoginAnswer(Record):
    """The answer to login and renewal (2.4)."""

    ALWAYS: ClassVar = ("token", "mfaRequired")

    token: str = field(..., secret=True)
    mfa_required: bool = False
    logged_in_user: User = field(default_factory=User)
    logged_in_application: LoggedInApplication | None = None


class About(Record):
    version: str = ""
    description: str = ""


class Pong(Record):
    status: str = "OK"
    data: dict[str, Any] | None = field(None, personal=True)


class Valid(Record):
    status: Literal["OK"] = "OK"


login = Operation(
    "login",
    "4.1",
    "GET",
    "/api/svc/authentication/v1.0/login",
    "Log in with the credentials of a user and an application",
    LoginAnswer,
    ANONYMOUS,
    credentials=Credentials.LOGIN,
    refuses=LOGIN_REFUSALS,
    changes=True,
    rate="login",
)

renew_token = Operation(
    "renew_token",
    "4.1",
    "GET",
    "/api/svc/authentication/v1.0/renew",
    "Renew the token",
    LoginAnswer,
    OWNER,
    credentials=Credentials.TOKEN,
    refuses=(Code.INVALID_TOKEN, Code.CLIENT_TOO_OLD),
    changes=True,
)

logout = Operation(
    "logout",
    "4.1",
    "GET",
    "/api/svc/authentication/v1.0/logout",
    "End a password login",
    Done,
    OWNER,
    credentials=Credentials.TOKEN,
    refuses=(Code.INVALID_TOKEN,),
    changes=True,
)

validate_token = Operation(
    "validate_token",
    "4.1",
    "GET",
    "/api/svc/authentication/v1.0/validator",
    "Check the credentials",
    Valid,
    OWNER,
)

get_authentication_about = Operation(
    "get_authentication_about",
    "4.1",
    "GET",
    "/api/svc/authentication/v1.0/about",
    "Get the version of the authentication portal",
    About,
    ANONYMOUS,
    credentials=Credentials.NONE,
)

ping = Operation(
    "ping",
    "1",
    "GET",
    "/api/svc/ping",
    "Check that the service is reachable",
    Pong,
    ANONYMOUS,
    credentials=Credentials.NONE,
)

__all__ = [
    "About",
    "Claims",
    "DEFAULT_LIFETIME_SECONDS",
    "DEFAULT_RENEWALS",
    "LoggedInApplication",
    "LoginAnswer",
    "Pong",
    "Valid",
    "get_authentication_about",
    "login",
    "logout",
    "ping",
    "renew_token",
    "validate_token",
]
