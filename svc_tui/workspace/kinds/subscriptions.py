"""Kinds of records: offers, subscriptions and licences, and the overview and reports of subscriptions across
companies."""

from svc_tui.workspace.kinds.kind import Kind, Processing, ServerFilter
from svc_tui.workspace.kinds.search_rule import FollowUp, SearchRule

KINDS = (
    Kind(
        "offers",
        "list_company_offers",
        "get_company_offer",
        parameter="offerId",
        text_column="name",
        identifiers=("offerReference", "sapReference"),
        server_filters={
            "name": ServerFilter("name"),
            "profileId": ServerFilter("profileId", "whole"),
            "offerReference": ServerFilter("offerReference", "whole"),
            "sapReference": ServerFilter("sapReference", "whole"),
        },
    ),
    Kind(
        "subscriptions",
        "list_company_subscriptions",
        "get_company_subscription",
        parameter="subscriptionId",
        identifiers=("offerReference", "purchaseOrderNumber"),
        events={"companysubscription": "subscriptionId"},
        affects=("overview",),
        processing=Processing(
            "syncOngoing", {"showTerminated": True, "showActiveGuardian": True}, ("terminating", "terminated")
        ),
    ),
    Kind("overview", "list_companies", "get_company_subscription", parameter="subscriptionId", derived=True),
    Kind("report-licences", "list_users", "list_users", derived=True),
    Kind("report-seats", "list_companies", "list_companies", derived=True),
    Kind(
        "licences",
        "list_user_profiles",
        "list_user_profiles",
        id="subscriptionId",
        affects=("users", "subscriptions", "overview", "report-licences", "report-seats"),
    ),
)
SEARCH_RULES = (
    SearchRule(
        "subscriptions",
        order=40,
        holds={"reference": ("bsSubscriptionId", "billingSubscriptionId", "purchaseOrderNumber", "id")},
        within="companies",
        queries=({"format": "full"},),
        shows=("status", "purchaseOrderNumber"),
    ),
    SearchRule(
        "offers",
        order=47,
        asks={"name": "name", "reference": "offerReference"},
        holds={"name": ("name",), "reference": ("offerReference", "sapReference")},
        within="companies",
        nearest=True,
        shows=("offerReference", "businessModel"),
    ),
    SearchRule("licences", order=23, within="users", follows=(FollowUp("users"),), shows=("status",)),
)
