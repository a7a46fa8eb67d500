"""Operations on a company's subscriptions (4.6)."""

from __future__ import annotations

from svc_tui.interface.access import Role, access
from svc_tui.interface.envelopes import Done, FormatQuery, Plain, Single
from svc_tui.interface.errors import Code
from svc_tui.interface.operations import Operation
from svc_tui.interface.records import Record
from svc_tui.interface.subscriptions.offers import READ
from svc_tui.interface.subscriptions.records import (
    Subscription,
    SubscriptionCreation,
    SubscriptionQuery,
    SubscriptionUpdate,
)

#: bp_finance also for their own company, which buys for itself or for its customers.
_FINANCE = {
    "own_company": (Role.BP_FINANCE,),
    "end_customers": (Role.BP_FINANCE,),
    "resellers": (Role.BP_FINANCE,),
}
#: business_admin reaches any company; the restriction to demo offers is a separate rule (400, not 403).
SUBSCRIBE = access(any=(Role.SUPERADMIN, Role.BUSINESS_ADMIN), **_FINANCE)
UPDATE = access(
    any=(Role.SUPERADMIN, Role.BUSINESS_ADMIN),
    own_company=(Role.BP_FINANCE, Role.COMPANY_ADMIN),
    end_customers=(Role.BP_FINANCE,),
    resellers=(Role.BP_FINANCE,),
)
TERMINATE = SUBSCRIBE
CHECK_APPLICANT = access(any=(Role.SUPERADMIN, Role.BP_FINANCE))

_REFUSALS = (Code.VALIDATION, Code.ROLE_MISSING, Code.NOT_MANAGED, Code.NOT_FOUND)
_ORDERS = (Code.DIAL_IN_WITHOUT_END, Code.NOT_A_DEMO_OFFER)
_ALL = "/api/svc/subscription/v1.0/companies/{companyId}/subscriptions"
_ONE = _ALL + "/{subscriptionId}"

list_company_subscriptions = Operation(
    "list_company_subscriptions",
    "4.6",
    "GET",
    _ALL,
    "List the subscriptions of a company",
    Plain[Subscription],
    READ,
    query=SubscriptionQuery,
    refuses=_REFUSALS,
)

create_company_subscription = Operation(
    "create_company_subscription",
    "4.6",
    "POST",
    _ALL,
    "Subscribe to an offer",
    Single[Subscription],
    SUBSCRIBE,
    body=SubscriptionCreation,
    costs=True,
    refuses=(
        *_REFUSALS,
        *_ORDERS,
        Code.NOT_IN_CATALOG,
        Code.NOT_SOLD,
        Code.NO_OFFER,
        Code.ALREADY_SUBSCRIBED,
    ),
    creates="subscriptions",
)

get_company_subscription = Operation(
    "get_company_subscription",
    "4.6",
    "GET",
    _ONE,
    "Get a subscription",
    Single[Subscription],
    READ,
    query=FormatQuery,
    refuses=_REFUSALS,
)

update_company_subscription = Operation(
    "update_company_subscription",
    "4.6",
    "PUT",
    _ONE,
    "Update a subscription",
    Single[Subscription],
    UPDATE,
    body=SubscriptionUpdate,
    costs=True,
    refuses=(
        *_REFUSALS,
        *_ORDERS,
        Code.NOTHING_TO_UPDATE,
        Code.DECREASE,
        Code.NOT_ALLOWED_BY_COMPANY,
        Code.NOT_SOLD,
        Code.UPDATED_WHILE_SYNCING,
    ),
    updates="subscriptions",
)

delete_company_subscription = Operation(
    "delete_company_subscription",
    "4.6",
    "DELETE",
    _ONE,
    "Terminate a subscription",
    Done,
    TERMINATE,
    costs=True,
    refuses=(*_REFUSALS, Code.NOT_A_DEMO_OFFER, Code.REMOVED_WHILE_SYNCING, Code.NOT_REMOVABLE),
    deletes="subscriptions",
)


class Known(Record):
    """Whether an applicant number exists."""

    data: bool = False


check_applicant_number = Operation(
    "check_applicant_number",
    "4.6",
    "GET",
    "/api/svc/subscription/v1.0/companies/check-applicant-number/{bpApplicantNumber}",
    "Check whether an applicant number exists in the store",
    Known,
    CHECK_APPLICANT,
    refuses=(Code.VALIDATION, Code.ROLE_MISSING),
)

__all__ = [
    "Known",
    "check_applicant_number",
    "create_company_subscription",
    "delete_company_subscription",
    "get_company_subscription",
    "list_company_subscriptions",
    "update_company_subscription",
]
