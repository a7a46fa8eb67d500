"""Business settings: partners (BP), their sales rights, and how a company buys (2.7)."""

from __future__ import annotations

from typing import Literal

from svc_tui.interface.companies.kinds import (
    BP_TYPES,
    BROADER_READERS,
    BUSINESS,
    BUSINESS_CODES,
    FOR_BP,
    FOR_BUYERS,
    FOR_IR,
    FOR_VAD,
    LINKED_FINANCE,
    SUPERADMIN,
    VAD_ADMIN,
    BpType,
)
from svc_tui.interface.fields import SET, Needs, field
from svc_tui.interface.records import Record, TextList
from svc_tui.language import _

_BP, _BUY, _CARE = _("Partner (BP)"), _("Subscriptions and billing"), _("Customer care")


class PartnerSettings(Record):
    """Partner, subscription and customer care settings."""

    is_bp: bool | None = field(
        False,
        wire="isBP",
        label="Business partner (BP)",
        setters=SUPERADMIN,
        group=_BP,
        help="Whether the company is a business partner",
    )
    bp_type: BpType | None = field(
        None,
        label="Partner type",
        setters=SUPERADMIN,
        needs=FOR_BP,
        choices=BP_TYPES,
        group=_BP,
        help="Kind of partner",
    )
    bp_id: str | None = field(
        None,
        setters=SUPERADMIN,
        refers="companies",
        accepts={"isBP": True},
        group=_BP,
        help="Partner of the company; when a bp_admin or bp_finance creates it, their own company",
    )
    bp_business_model: Literal["referral", "resell"] | None = field(
        None, label="Sales model", setters=SUPERADMIN, readers=BROADER_READERS, group=_BP, help="How the partner sells"
    )
    bp_business_type: list[Literal["voice_by_partner", "voice_by_svc", "conference", "default"]] | None = field(
        None, label="Partner business types", group=_BP, help="What the partner sells"
    )
    bp_applicant_number: str | None = field(
        None,
        max_length=255,
        setters=SUPERADMIN,
        needs=FOR_BUYERS,
        readers=BROADER_READERS,
        group=_BP,
        help="Number of the partner in the store",
    )
    bp_crd_id: str | None = field(
        None,
        wire="bpCRDid",
        label="Order system number (CRD)",
        max_length=255,
        setters=SUPERADMIN,
        readers=BROADER_READERS,
        group=_BP,
        help="Required for selling",
    )
    bp_has_right_to_sell: bool | None = field(
        None,
        label="Right to sell",
        setters=SUPERADMIN,
        needs=Needs("bpCRDid", SET),
        readers=BROADER_READERS,
        group=_BP,
        help="Whether the partner may sell",
    )
    bp_has_right_to_connect: bool | None = field(
        True,
        label="Right to connect equipment",
        setters=SUPERADMIN,
        readers=BROADER_READERS,
        group=_BP,
        help="Whether the partner may connect equipment",
    )
    bp_has_right_for_byot: bool | None = field(
        None,
        wire="bpHasRightForBYOT",
        label="Right to bring own trunks (BYOT)",
        setters=SUPERADMIN,
        readers=BROADER_READERS,
        group=_BP,
        help="Whether the partner may bring its own trunks",
    )
    bp_is_contract_accepted: bool | None = field(
        False,
        label="Contract accepted",
        readers=BROADER_READERS,
        group=_BP,
        help="Whether the partner accepted the contract",
    )
    allow_phone_numbers_visibility: bool | None = field(
        False,
        label="Customers' phone numbers visible",
        needs=FOR_BP,
        group=_BP,
        help="Whether the partner can see the phone numbers of its customers",
    )
    ddi_read_only: bool | None = field(
        None,
        label="DDI numbers read-only",
        setters=VAD_ADMIN,
        needs=FOR_IR,
        group=_BP,
        help="Whether the reseller is prevented from changing DDI numbers",
    )
    selected_theme_customers: str | None = field(
        None, label="Theme for customers", group=_BP, help="Theme of the partner's customers"
    )

    admin_has_right_to_update_subscriptions: bool | None = field(
        None,
        label="Right to change subscriptions",
        setters=LINKED_FINANCE,
        group=_BUY,
        help="Whether the company's administrator may change subscriptions",
    )
    admin_allowed_update_subscriptions_ops: Literal["all", "increase_only", "monthly"] | None = field(
        None,
        label="Allowed subscription changes",
        setters=LINKED_FINANCE,
        group=_BUY,
        help="Changes that the company's administrator may make",
    )
    billing_model: Literal["monthly", "prepaid_1y", "prepaid_3y", "prepaid_5y"] | None = field(
        None, group=_BUY, help="How the company pays"
    )
    currency: Literal["USD", "EUR", "CNY"] | None = field(
        None, setters=SUPERADMIN, group=_BUY, help="Currency of prices"
    )
    catalog_id: str | None = field(
        None,
        label="Catalog",
        setters=SUPERADMIN,
        refers="catalogs",
        group=_BUY,
        help="Available offers; by default the catalog of the creator's company, or the default catalog",
    )
    business_specific: Literal["HDS"] | None = field(
        None,
        label="Business code",
        setters=BUSINESS,
        choices=BUSINESS_CODES,
        group=_BUY,
        help="Code of a business with its own offers",
    )
    default_license_group: str | None = field(
        None,
        label="Default licence group",
        refers="offer_groups",
        group=_BUY,
        help="Name of the group of offers assigned to new users",
    )
    default_options_groups: TextList | None = field(
        None,
        label="Default option groups",
        refers="offer_groups",
        group=_BUY,
        help="Groups of optional offers assigned to new users",
    )
    send_prepaid_subscriptions_notification: bool | None = field(
        None,
        label="Email before prepaid terms end",
        group=_BUY,
        help="Whether an email is sent before a prepaid subscription ends",
    )

    disable_c_care_admin_access: bool | None = field(
        None,
        wire="disableCCareAdminAccess",
        label="Block customer care",
        group=_CARE,
        help="Always true while the partner, or the distributor of its resellers, blocks customer care",
    )
    disable_c_care_admin_access_customers: bool | None = field(
        None,
        wire="disableCCareAdminAccessCustomers",
        label="Block customer care (customers)",
        needs=FOR_BP,
        group=_CARE,
        help="Applies to all customers of the partner",
    )
    disable_c_care_admin_access_resellers: bool | None = field(
        None,
        wire="disableCCareAdminAccessResellers",
        label="Block customer care (resellers)",
        needs=FOR_VAD,
        group=_CARE,
        help="Applies to all resellers of the distributor",
    )
