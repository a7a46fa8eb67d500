"""Offers of the platform and the catalogs that contain them (2.9, 2.7)."""

from __future__ import annotations

from datetime import datetime
from typing import Any, ClassVar

from svc_tui.interface.access import Role, access
from svc_tui.interface.envelopes import ListQuery, Page
from svc_tui.interface.errors import Code
from svc_tui.interface.fields import field
from svc_tui.interface.operations import Operation
from svc_tui.interface.records import Record
from svc_tui.interface.value_words import BUSINESS_MODELS


class Offer(Record):
    """An offer that a company can subscribe to."""

    SMALL: ClassVar = ("id", "name", "isDefault", "canBeSold", "businessModel", "groupName")
    MEDIUM: ClassVar = (*SMALL, "description", "offerReference", "profileId", "isPrepaid", "prepaidDuration")
    ALWAYS: ClassVar = ("id", "name", "isDefault", "canBeSold", "businessModel")
    WHERE_APPLICABLE: ClassVar = ()

    id: str | None = field(None, help="Identifier")
    name: str | None = field(None, help="Name")
    description: str | None = field(None)
    technical_description: str | None = field(None)
    profile_id: str | None = field(None, help="Profile that a licence gives")
    is_default: bool | None = field(None, label="Default offer", help="Every company has a subscription to it")
    can_be_sold: bool | None = field(None)
    business_model: str | None = field(None, choices=BUSINESS_MODELS, help="How it is priced")
    is_exclusive: bool | None = field(None, help="A user can hold only one exclusive licence")
    is_prepaid: bool | None = field(None)
    prepaid_duration: int | None = field(None, unit="months")
    auto_subscribe: bool | None = field(None, label="Subscribed automatically")
    offer_reference: str | None = field(None)
    sap_reference: str | None = field(None)
    billing_offer_id: str | None = field(None)
    billing_product_rate_plan_id: str | None = field(None)
    billing_product_rate_plan_name: str | None = field(None)
    billing_product_rate_plan_charge_id: str | None = field(None)
    billing_product_rate_plans: list[Any] | None = field(None)
    billing_product_rate_plan_charges: list[Any] | None = field(None)
    billing_auto_synchro: bool | None = field(
        None, label="Automatic synchronisation", help="Synchronised automatically with the billing systems"
    )
    creation_date: datetime | None = field(None)
    group_name: str | None = field(None, label="Offer group", help="Settings refer to the group by this name")
    business_specific: list[str] | None = field(None, label="Business codes", help="Codes of a special business")
    is_capex: bool | None = field(None)
    is_cpaas: bool | None = field(None)
    has_conference: bool | None = field(None)
    is_bundle: bool | None = field(None)
    bp_type: str | None = field(None, label="Partner type", help="Kind of partner (BP) that sells it")
    is_svc_store_offer: bool | None = field(None, label="Store offer")
    is_demo: bool | None = field(None)
    is_china_offer: bool | None = field(None)
    has_voice: bool | None = field(None)
    bp_business_type: str | None = field(None, label="Partner business type")
    bp_applicant_numbers: list[str] | None = field(None, label="Applicant numbers", help="Only these partners sell it")
    is_archived: bool | None = field(None)
    price_changes: list[dict[str, Any]] | None = field(None)
    is_voice_phone: bool | None = field(None)
    is_monthly: bool | None = field(None)
    is_app_connect: bool | None = field(None, label="AppConnect")
    is_asset: bool | None = field(None)
    is_edge: bool | None = field(None)
    charge_model: str | None = field(None)
    is_hidden: bool | None = field(None)
    guardian_type: str | None = field(None)
    is_company_level: bool | None = field(None, label="For the whole company")
    is_freemium: bool | None = field(None)
    has_webinar: bool | None = field(None)
    allowed_countries: list[str] | None = field(None)


class Catalog(Record):
    """A catalog: the offers that a company may subscribe to."""

    SMALL: ClassVar = ("id", "name")
    MEDIUM: ClassVar = (*SMALL, "description", "isDefault", "creationDate")
    ALWAYS: ClassVar = SMALL

    id: str | None = field(None, help="Identifier")
    name: str | None = field(None, help="Name")
    description: str | None = field(None)
    is_default: bool | None = field(None, label="Default catalog", help="Used by companies without a catalog")
    creation_date: datetime | None = field(None)
    offers_list: list[str] | None = field(None, label="Offers", help="Offers in the catalog")


class CatalogQuery(ListQuery):
    """Filters of the list of catalogs."""

    name: str | None = field(None, help="Part of the name")
    is_default: bool | None = field(None, label="Default catalog", help="The default catalog, or all others")
    offer_id: str | None = field(None, refers="offers", help="Catalogs with this offer")
    sort_field: str | None = field("name", help="Field to sort by")


class OfferQuery(ListQuery):
    """Filters of the list of offers."""

    name: str | None = field(None, help="Part of the name")
    can_be_sold: bool | None = field(None)
    auto_subscribe: bool | None = field(None, label="Subscribed automatically")
    is_exclusive: bool | None = field(None)
    is_prepaid: bool | None = field(None)
    profile_id: str | None = field(None)
    offer_reference: str | None = field(None)
    sap_reference: str | None = field(None)
    business_specific: str | None = field(None, label="Business code")
    sort_field: str | None = field("name", help="Field to sort by")


_WHO = access(any=(Role.SUPERADMIN, Role.SUPPORT))
_REFUSALS = (Code.VALIDATION, Code.ROLE_MISSING)

list_catalogs = Operation(
    "list_catalogs",
    "2.7",
    "GET",
    "/api/svc/admin/v1.0/catalogs",
    "List catalogs of offers",
    Page[Catalog],
    _WHO,
    query=CatalogQuery,
    refuses=_REFUSALS,
)

list_all_offers = Operation(
    "list_all_offers",
    "2.9",
    "GET",
    "/api/svc/admin/v1.0/offers",
    "List all offers of the platform",
    Page[Offer],
    _WHO,
    query=OfferQuery,
    refuses=_REFUSALS,
)

__all__ = ["Catalog", "CatalogQuery", "Offer", "OfferQuery", "list_all_offers", "list_catalogs"]
