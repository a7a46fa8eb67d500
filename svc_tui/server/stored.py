"""Records in the store that several areas read: fields that every record has, and fields of the server alone.

Rules read documents through these classes: `company = typed(StoredCompany, document)`. Records that only one area reads
are declared in that area.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime
from typing import Any, Literal

from svc_tui.interface.applications.records import Application
from svc_tui.interface.authentication.api_keys import ApiKey
from svc_tui.interface.authentication.sessions import Claims
from svc_tui.interface.authentication.users import User
from svc_tui.interface.companies.offers import Catalog, Offer
from svc_tui.interface.companies.records import Company
from svc_tui.interface.fields import field
from svc_tui.interface.records import Money, Record
from svc_tui.interface.subscriptions.licences import UserProfile
from svc_tui.interface.subscriptions.records import Subscription
from svc_tui.server.store.conditions import Condition
from svc_tui.server.store.store import Store
from svc_tui.server.store.tables import Document

#: Users that are in memory at a time.
_AT_ONCE = 500
#: What a synchronisation with the billing systems reports.
SyncAction = Literal["create", "update", "delete"]


class StoredCompany(Company):
    id: str = field(...)
    name: str = field(...)
    authentication_type: str | None = field(None)


class StoredUser(User):
    id: str = field(...)
    features: list[str] | None = field(None)
    #: How often the earlier sessions of the user were ended. A token with another number is not accepted.
    sessions_ended: int = field(0)


class StoredProfile(UserProfile):
    """A licence in the record of its user: `all_typed(StoredProfile, user.profiles or ())`."""

    features: list[str] | None = field(None)
    is_voice_phone: bool | None = field(None)
    has_voice: bool | None = field(None)


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


class StoredApiKey(ApiKey):
    id: str = field(...)
    user_id: str = field(...)
    key_hash: str = field(...)
    #: The grant of the OAuth token that made it, before OAuth tokens were refused: it ends with it.
    grant_id: str | None = field(None)


class TokenClaims(Claims):
    """The claims of a caller's token, with those of single sign-on."""

    max_token_renew: int = field(0)
    oidc: dict[str, Any] | None = field(None)
    saml: dict[str, Any] | None = field(None)


class PaidSubscription(Record):
    """A subscription in the record of the application that it pays for."""

    id: str | None = field(None)
    offer_name: str | None = field(None)
    status: str | None = field(None)


class StoredApplication(Application):
    id: str = field(...)
    name: str = field(...)
    owner_id: str = field(...)
    #: The data centre of the application.
    dc_zone: str = field("eu")
    #: The statuses of `subscriptions`, for the filter of the list.
    subscription_status: list[str] | None = field(None)


class StoredCatalog(Catalog):
    id: str = field(...)


class StoredOffer(Offer):
    id: str = field(...)
    profile_name: str | None = field(None)


class AddOn(Record):
    """Licences that were added to a prepaid subscription on a day."""

    added_on: date = field(..., wire="date")
    quantity: int


class StoredSubscription(Subscription):
    id: str = field(...)
    company_id: str = field(...)
    unit_price: Money | None = field(None)
    currency: str | None = field(None)
    add_ons: list[AddOn] | None = field(None)
    #: The first day of the first prepaid term, from which all are counted, and of the current one.
    first_start: date | None = field(None)
    term_start: date | None = field(None)
    #: When to check the result of a synchronisation, its action, and the values to restore if it fails.
    sync_due: datetime | None = field(None)
    sync_action: SyncAction | None = field(None)
    sync_before: dict[str, Any] | None = field(None)


async def change_users(store: Store, where: Condition, change: Callable[[Document], Document]) -> int:
    """Change the users that meet a condition. Returns how many there were.

    All are locked before the first is read: concurrent changes of them are complete then.
    """
    ids = await store.users.ids(where)
    await store.lock_all(f"user:{id}" for id in ids)
    for start in range(0, len(ids), _AT_ONCE):
        users = await store.users.of(ids[start : start + _AT_ONCE])
        await store.users.put_all([change(user) for user in users])
    return len(ids)
