"""Licences: a user's profiles are the subscription licences assigned to the user (4.6)."""

from __future__ import annotations

from datetime import datetime
from typing import ClassVar, Literal

from svc_tui.interface.access import Role, access
from svc_tui.interface.envelopes import Plain, Single
from svc_tui.interface.errors import Code
from svc_tui.interface.fields import field
from svc_tui.interface.operations import Operation
from svc_tui.interface.records import Record
from svc_tui.interface.subscriptions.records import BusinessModel
from svc_tui.interface.value_words import BUSINESS_MODELS


class UserProfile(Record):
    """A licence assigned to a user, with the profile that it gives."""

    ALWAYS: ClassVar = ("subscriptionId", "offerId", "status")

    subscription_id: str | None = field(None, refers="subscriptions")
    offer_id: str | None = field(None, refers="offers", named_by=("offerName",))
    offer_name: str | None = field(None)
    offer_description: str | None = field(None)
    offer_reference: str | None = field(None)
    profile_id: str | None = field(None)
    profile_name: str | None = field(None)
    status: Literal["active", "alerting", "hold", "terminated"] | None = field(None)
    is_default: bool | None = field(None, label="Default offer", help="Every user has a licence of it")
    is_exclusive: bool | None = field(None)
    can_be_sold: bool | None = field(None)
    business_model: BusinessModel | None = field(None, choices=BUSINESS_MODELS)
    is_prepaid: bool | None = field(None)
    prepaid_duration: int | None = field(None, unit="months")
    has_conference: bool | None = field(None)
    assignation_date: datetime | None = field(None, label="Assigned since")


class NoFields(Record):
    """The empty object sent by an assignment."""


_OF_COMPANY = (Role.ORGANIZATION_ADMIN, Role.COMPANY_ADMIN)
_PARTNERS = (Role.BP_ADMIN, Role.BP_FINANCE)
ASSIGN = access(
    any=(Role.SUPERADMIN,),
    own_company=(*_PARTNERS, *_OF_COMPANY),
    end_customers=_PARTNERS,
    organisation=(Role.ORGANIZATION_ADMIN,),
)
READ_PROFILES = access(
    any=(Role.SUPERADMIN, Role.SUPPORT),
    own_company=(*_PARTNERS, *_OF_COMPANY),
    end_customers=_PARTNERS,
    organisation=(Role.ORGANIZATION_ADMIN,),
    site=(Role.SITE_ADMIN,),
)

_REFUSALS = (Code.VALIDATION, Code.ROLE_MISSING, Code.NOT_MANAGED, Code.NOT_FOUND)
_PROFILES = "/api/svc/admin/v1.0/users/{userId}/profiles"

list_user_profiles = Operation(
    "list_user_profiles",
    "4.6",
    "GET",
    _PROFILES,
    "List the licences of a user",
    Plain[UserProfile],
    READ_PROFILES,
    refuses=_REFUSALS,
)

assign_licence = Operation(
    "assign_licence",
    "4.6",
    "POST",
    _PROFILES + "/subscriptions/{subscriptionId}",
    "Assign a licence to a user",
    Single[UserProfile],
    ASSIGN,
    body=NoFields,
    refuses=(
        *_REFUSALS,
        Code.NOT_ASSIGNABLE,
        Code.ASSIGNED_WHILE_SYNCING,
        Code.NO_LICENCE_LEFT,
        Code.ALREADY_EXISTS,
    ),
    updates="licences",
    undone_by="unassign_licence",
)

unassign_licence = Operation(
    "unassign_licence",
    "4.6",
    "DELETE",
    _PROFILES + "/subscriptions/{subscriptionId}",
    "Unassign a licence from a user",
    Plain[UserProfile],
    ASSIGN,
    refuses=(*_REFUSALS, Code.DEFAULT_LICENCE),
    updates="licences",
    undone_by="assign_licence",
)

__all__ = ["NoFields", "UserProfile", "assign_licence", "list_user_profiles", "unassign_licence"]
