"""Settings of the companies of the demo data: every kind of setting, most of them in Northwind Telecom."""

from __future__ import annotations

from typing import Any

from svc_tui.interface.companies.records import CompanySettings
from svc_tui.interface.field_specs import fields_of
from svc_tui.server.demo.accounts import FABRIKAM, LOGISTICS, NORTHWIND, PARTNER, STORM, account
from svc_tui.server.demo.repeatable import pick
from svc_tui.server.store.tables import Document

_VISIBILITIES = ("private", "private", "private", "public", "organization", "closed", "isolated")

_SET: dict[str, dict[str, Any]] = {
    NORTHWIND: {
        "description": "Telephony and meetings for small and large companies around the North Sea.",
        "slogan": "Calls that arrive",
        "street": "Rua do Alecrim 12",
        "city": "Lisboa",
        "postalCode": "1200-017",
        "timezone": "Europe/Lisbon",
        "supportEmail": "help@northwind.example",
        "supportUrlFAQ": "https://northwind.example/faq",
        "companyContactId": account("company_admin").id,
        "csEmailList": ["success@harbour.example", "fatima.rahman@harbour.example"],
        "csmEmailList": ["bruno.keller@harbour.example"],
        "userSelfRegisterAllowedDomains": ["northwind.example", "northwind-labs.example"],
        "externalReference": "CRM-1001",
        "externalReference2": "ERP-77",
        "adminCanSetCustomData": True,
        "customData": {"costCentre": "4711", "contract": "Gold", "region": "South"},
        "adminHasRightToUpdateSubscriptions": True,
        "adminAllowedUpdateSubscriptionsOps": "increase_only",
        "adminServiceNotificationsLevel": "high",
        "cloudPbxRecordingRetention": 90,
        "cloudPbxVoicemailToEmail": "simple",
        "contentPolicyLifeTime": 525_600,
        "documentGracePeriod": 10_080,
        "avatarShape": "circle",
        "selectedTheme": {"light": "northwind-light", "dark": "northwind-dark"},
        "supervisionGroupMaxSize": 20,
        "billingModel": "prepaid_1y",
        "currency": "EUR",
        "visibility": "organization",
    },
    LOGISTICS: {
        "city": "Valencia",
        "isCentrex": True,
        "companyCallNumber": "+34960000100",
        "mobilePermanentConnectionMode": True,
        "alertNotificationReception": "enabled",
        "alertNotificationSending": "enabled",
        "externalReference": "CRM-1002",
    },
    PARTNER: {
        "description": "Distributor of communication services.",
        "city": "Porto",
        "currency": "EUR",
        "bpBusinessModel": "resell",
        "bpBusinessType": ["voice_by_partner", "conference"],
        "bpCRDid": "CRD-2209",
        "bpApplicantNumber": "AP-10-88",
        "bpHasRightToSell": True,
        "bpHasRightForBYOT": True,
        "bpIsContractAccepted": True,
        "disableCCareAdminAccessResellers": True,
        "allowPhoneNumbersVisibility": True,
        "selectedThemeCustomers": "harbour",
    },
    "meridian": {"bpBusinessModel": "resell", "bpCRDid": "CRD-3310", "bpHasRightToSell": True, "ddiReadOnly": True},
    "coast": {"bpBusinessModel": "referral", "allowedRedirectDomains": ["coast.example"]},
    "lighthouse": {
        "state": "Maine",
        "city": "Portland",
        "currency": "USD",
        "bpBusinessModel": "resell",
        "bpHasRightToSell": True,
        "bpCRDid": "CRD-4470",
        "bpApplicantNumber": "AP-20-01",
        "disableCCareAdminAccessCustomers": True,
    },
    "sequoia": {"currency": "USD"},
    FABRIKAM: {"city": "Bergen", "allowTeamsToDesktopSso": False, "visibility": "public"},
    "bluebird": {"city": "Leeds", "enableNewVirusScanPolicy": True, "visibility": "isolated"},
    "cedar": {"city": "Köln", "visibility": "closed", "superadminComment": "Pays late; see the ticket."},
    "elm": {"city": "Savannah", "state": "Georgia", "currency": "USD", "billingModel": "monthly"},
    "juniper": {"city": "Montréal", "state": "Quebec", "visibility": "public", "offerType": "freemium"},
    STORM: {
        "description": "Roofs, gutters and chimneys since 1921.",
        "slogan": "Dry by tomorrow",
        "city": "Rennes",
        "street": "Rue du Moulin 8",
        "customData": {"costCentre": "4720"},
        "externalReference": "CRM-1921",
    },
}


def settings_of(key: str) -> Document:
    """All settings of a named company: its own, and the defaults for all others."""
    defaults = {spec.wire: spec.default for spec in fields_of(CompanySettings) if spec.default is not None}
    return {**defaults, **_SET.get(key, {})}


def visibility_of(key: str) -> str:
    """The visibility of a company."""
    return str(_SET.get(key, {}).get("visibility") or pick(f"visibility/{key}", _VISIBILITIES))
