"""What the rules of subscriptions read of records (2.7, 2.9, 2.10, 4.6), as typed values.

A value is None where the caller does not see the field, or where it has another type than declared. The declared
records have defaults instead, which would be taken for values of the service.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any, Self

from svc_tui.interface.data import RecordData


def _text(wire: str) -> Any:
    return field(default=None, metadata={"wire": wire, "type": str})


def _number(wire: str) -> Any:
    return field(default=None, metadata={"wire": wire, "type": int})


def _flag(wire: str) -> Any:
    return field(default=None, metadata={"wire": wire, "type": bool})


def _texts(wire: str) -> Any:
    return field(default=(), metadata={"wire": wire, "type": list})


class _Facts:
    """Made of a record under its wire names."""

    __slots__ = ()

    @classmethod
    def of(cls, record: RecordData) -> Self:
        """What is known of this record."""
        known = {}
        for each in fields(cls):  # type: ignore[arg-type]
            value: Any = record.get(each.metadata["wire"])
            if type(value) is each.metadata["type"]:
                texts = isinstance(value, list)
                known[each.name] = tuple(item for item in value if isinstance(item, str)) if texts else value
        return cls(**known)

    @classmethod
    def known(cls, record: RecordData | None) -> Self | None:
        """The same; None for a record that is not known."""
        return None if record is None else cls.of(record)


@dataclass(frozen=True, slots=True)
class OfferFacts(_Facts):
    """An offer."""

    business_model: str | None = _text("businessModel")
    business_specific: tuple[str, ...] = _texts("businessSpecific")
    allowed_countries: tuple[str, ...] = _texts("allowedCountries")
    prepaid_duration: int | None = _number("prepaidDuration")
    is_prepaid: bool | None = _flag("isPrepaid")
    is_demo: bool | None = _flag("isDemo")
    is_cpaas: bool | None = _flag("isCpaas")
    is_company_level: bool | None = _flag("isCompanyLevel")
    can_be_sold: bool | None = _flag("canBeSold")


@dataclass(frozen=True, slots=True)
class CompanyFacts(_Facts):
    """A company, or the partner (BP) that it is linked to."""

    name: str | None = _text("name")
    bp_id: str | None = _text("bpId")
    bp_type: str | None = _text("bpType")
    bp_business_model: str | None = _text("bpBusinessModel")
    bp_applicant_number: str | None = _text("bpApplicantNumber")
    bp_crd_id: str | None = _text("bpCRDid")
    bp_has_right_to_sell: bool | None = _flag("bpHasRightToSell")
    is_bp: bool | None = _flag("isBP")
    offer_type: str | None = _text("offerType")
    country: str | None = _text("country")
    admin_may_update: bool | None = _flag("adminHasRightToUpdateSubscriptions")
    admin_updates: str | None = _text("adminAllowedUpdateSubscriptionsOps")


@dataclass(frozen=True, slots=True)
class SubscriptionFacts(_Facts):
    """A subscription. The counts of the reseller are only in a reseller's own."""

    id: str | None = _text("id")
    company_id: str | None = _text("companyId")
    status: str | None = _text("status")
    business_model: str | None = _text("businessModel")
    creation_date: str | None = _text("creationDate")
    expiration_date: str | None = _text("expirationDate")
    prepaid_duration: int | None = _number("prepaidDuration")
    seats: int | None = _number("maxNumberUsers")
    assigned: int | None = _number("numberAssignedUsers")
    customers: int | None = _number("nbLicencesAssignedToECs")
    bought: int | None = _number("nbBPLicences")
    free: int | None = _number("nbFreeLicences")
    is_default: bool | None = _flag("isDefault")
    is_exclusive: bool | None = _flag("isExclusive")
    sync_ongoing: bool | None = _flag("syncOngoing")


@dataclass(frozen=True, slots=True)
class LicenceFacts(_Facts):
    """A licence of a user."""

    subscription_id: str | None = _text("subscriptionId")
    offer_name: str | None = _text("offerName")
    is_default: bool | None = _flag("isDefault")
    is_exclusive: bool | None = _flag("isExclusive")
