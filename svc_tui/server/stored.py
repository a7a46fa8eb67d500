"""Companies, users and their licences in the store: fields that every record has, and fields of the server alone.

Rules read documents through these classes: `company = typed(StoredCompany, document)`. Records of one area are declared
in that area; here are those that several areas read.
"""

from __future__ import annotations

from typing import Any

from svc_tui.interface.applications.records import Application
from svc_tui.interface.authentication.api_keys import ApiKey
from svc_tui.interface.authentication.sessions import Claims
from svc_tui.interface.authentication.users import User
from svc_tui.interface.companies.records import Company
from svc_tui.interface.records import Record, field
from svc_tui.interface.subscriptions.licences import UserProfile


class StoredCompany(Company):
    id: str = field(...)
    authentication_type: str | None = field(None)


class StoredUser(User):
    id: str = field(...)
    features: list[str] | None = field(None)


class StoredApplication(Application):
    id: str = field(...)
    name: str = field(...)
    owner_id: str = field(...)
    #: The data centre of the application.
    dc_zone: str = field("eu")
    #: The statuses of `subscriptions`, for the filter of the list.
    subscription_status: list[str] | None = field(None)


class StoredApiKey(ApiKey):
    id: str = field(...)
    user_id: str = field(...)
    key_hash: str = field(...)


class TokenClaims(Claims):
    """The claims of a caller's token, with those of single sign-on."""

    max_token_renew: int = field(0)
    oidc: dict[str, Any] | None = field(None)
    saml: dict[str, Any] | None = field(None)


class UserSecrets(Record):
    """Hashes and secrets of a user. The fields with `pending` belong to an enrolment of the second factor."""

    id: str
    password_hash: str | None = field(None)
    mfa_secret: str | None = field(None)
    mfa_last_step: int = field(0)
    mfa_recovery_hash: str | None = field(None)
    mfa_pending_secret: str | None = field(None)
    mfa_pending_proven: bool = field(False)
    mfa_pending_step: int = field(0)
    mfa_pending_recovery_hash: str | None = field(None)


class StoredProfile(UserProfile):
    """A licence in the record of its user: `all_typed(StoredProfile, user.profiles or ())`."""

    is_voice_phone: bool | None = field(None)
    has_voice: bool | None = field(None)
