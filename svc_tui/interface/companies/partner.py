"""Settings of the business: partners (BP), what they may sell, and how a company buys (2.7)."""

from __future__ import annotations

from typing import Literal

from svc_tui.interface.companies.kinds import (
    BP_TYPES,
    BUSINESS,
    FOR_BP,
    FOR_BUYERS,
    FOR_IR,
    FOR_VAD,
    LINKED_FINANCE,
    SUPERADMIN,
    VAD_ADMIN,
    BpType,
)
from svc_tui.interface.records import SET, Needs, Record, TextList, field

_BP, _BUY, _CARE = "Partner (BP)", "Subscriptions and billing", "Customer care"


class PartnerSettings(Record):
    """Which partner a company is or has, and what it may buy."""

    is_bp: bool | None = field(False, wire="isBP", setters=SUPERADMIN, group=_BP, help="Whether it is a partner")
    bp_type: BpType | None = field(
        None, setters=SUPERADMIN, needs=FOR_BP, choices=BP_TYPES, group=_BP, help="Which kind of partner"
    )
    bp_id: str | None = field(
        None,
        setters=SUPERADMIN,
        refers="companies",
        group=_BP,
        help="The partner it belongs to; the creator's own when a bp_admin or bp_finance creates it",
    )
    bp_business_model: Literal["referral", "resell"] | None = field(
        None, setters=SUPERADMIN, group=_BP, help="How the partner sells"
    )
    bp_business_type: list[Literal["voice_by_partner", "voice_by_svc", "conference", "default"]] | None = field(
        None, group=_BP, help="What the partner sells"
    )
    bp_applicant_number: str | None = field(
        None, max_length=255, setters=SUPERADMIN, needs=FOR_BUYERS, group=_BP, help="Number in the store"
    )
    bp_crd_id: str | None = field(
        None,
        wire="bpCRDid",
        max_length=255,
        setters=SUPERADMIN,
        group=_BP,
        help="Number in the order system; without it the partner cannot sell",
    )
    bp_has_right_to_sell: bool | None = field(
        None, setters=SUPERADMIN, needs=Needs("bpCRDid", SET), group=_BP, help="May sell"
    )
    bp_has_right_to_connect: bool | None = field(True, setters=SUPERADMIN, group=_BP, help="May connect equipment")
    bp_has_right_for_byot: bool | None = field(
        None, wire="bpHasRightForBYOT", setters=SUPERADMIN, group=_BP, help="May bring trunks of its own"
    )
    bp_is_contract_accepted: bool | None = field(False, group=_BP, help="Whether the partner accepted the contract")
    allow_phone_numbers_visibility: bool | None = field(
        False, needs=FOR_BP, group=_BP, help="Whether it sees the phone numbers of its customers"
    )
    ddi_read_only: bool | None = field(
        None, setters=VAD_ADMIN, needs=FOR_IR, group=_BP, help="The reseller cannot change DDI numbers"
    )
    selected_theme_customers: str | None = field(None, group=_BP, help="Theme that its customers get")

    admin_has_right_to_update_subscriptions: bool | None = field(
        None, setters=LINKED_FINANCE, group=_BUY, help="Whether the company's administrator may change subscriptions"
    )
    admin_allowed_update_subscriptions_ops: Literal["all", "increase_only", "monthly"] | None = field(
        None, setters=LINKED_FINANCE, group=_BUY, help="Which changes these are"
    )
    billing_model: Literal["monthly", "prepaid_1y", "prepaid_3y", "prepaid_5y"] | None = field(
        None, group=_BUY, help="How it pays"
    )
    currency: Literal["USD", "EUR", "CNY"] | None = field(
        None, setters=SUPERADMIN, group=_BUY, help="Currency of prices"
    )
    catalog_id: str | None = field(
        None,
        setters=SUPERADMIN,
        refers="catalogs",
        group=_BUY,
        help="Offers to choose from; otherwise the catalog of the creator's company, or the default one",
    )
    business_specific: str | None = field(
        None, setters=BUSINESS, group=_BUY, help="Code of a business with offers of its own"
    )
    default_license_group: str | None = field(
        None, refers="offer_groups", group=_BUY, help="Group of offers (groupName) that new users get"
    )
    default_options_groups: TextList | None = field(
        None, refers="offer_groups", group=_BUY, help="Groups of optional offers that new users get"
    )
    send_prepaid_subscriptions_notification: bool | None = field(
        None, group=_BUY, help="Mail before prepaid subscriptions end"
    )

    disable_c_care_admin_access: bool | None = field(
        None,
        wire="disableCCareAdminAccess",
        group=_CARE,
        help="Keeps customer care out; always true while its BP demands it for customers or its VAD for resellers",
    )
    disable_c_care_admin_access_customers: bool | None = field(
        None,
        wire="disableCCareAdminAccessCustomers",
        needs=FOR_BP,
        group=_CARE,
        help="Keeps customer care out of all its customers",
    )
    disable_c_care_admin_access_resellers: bool | None = field(
        None,
        wire="disableCCareAdminAccessResellers",
        needs=FOR_VAD,
        group=_CARE,
        help="Keeps customer care out of all its resellers",
    )
