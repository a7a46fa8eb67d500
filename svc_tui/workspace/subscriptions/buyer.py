"""The buyer: the data of a company and its partner that decide in advance whether a quotation is possible."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass

from svc_tui.client.errors import Refused, ServiceError
from svc_tui.interface.companies.kinds import BROADER_READERS
from svc_tui.interface.data import RecordData
from svc_tui.interface.errors import Code
from svc_tui.interface.subscriptions.facts import CompanyFacts, SubscriptionFacts
from svc_tui.interface.subscriptions.rules import OVER, RESELL, no_sale_reason
from svc_tui.workspace.core.service import ReadError, Service


@dataclass(frozen=True, slots=True)
class Buyer:
    """The company that buys, and its partner; None where the caller cannot see it.

    `in_catalog`: the partner's catalog has the offer. `applicant_known`: the store knows the partner's number.
    `subscribed`: the company already has the offer. `no_sale`: why the partner sells nothing.
    """

    company: CompanyFacts | None = None
    partner: CompanyFacts | None = None
    in_catalog: bool | None = None
    applicant_known: bool | None = None
    subscribed: bool | None = None
    no_sale: str = ""
    #: The reseller's (IR) own subscription to the offer, with its licence counts, for one of its customers.
    reseller: SubscriptionFacts | None = None


async def buyer_of(service: Service, company_id: str, offer_id: str, *, new: bool) -> Buyer:
    """The data of a buyer, before a quotation is requested; `new`: for a new subscription."""
    company, subscribed = await asyncio.gather(
        _company(service, company_id), _subscribed(service, company_id, offer_id if new else "")
    )
    is_partner = bool(company and company.get("isBP"))
    partner_id = company_id if is_partner else str((company or {}).get("bpId") or "")
    if not partner_id:
        return Buyer(CompanyFacts.known(company), subscribed=subscribed)
    visible_partner, in_catalog = await asyncio.gather(
        _company(service, "" if is_partner else partner_id), _in_catalog(service, partner_id, offer_id)
    )
    partner = company if is_partner else visible_partner
    resells = not is_partner and (partner or {}).get("bpType") == "IR"
    known, reseller = await asyncio.gather(
        _applicant_known(service, partner), _held(service, partner_id if resells else "", offer_id)
    )
    return Buyer(
        CompanyFacts.known(company),
        CompanyFacts.known(visible_partner),
        in_catalog,
        known,
        subscribed,
        _no_sale(service, partner),
        SubscriptionFacts.known(reseller),
    )


def _no_sale(service: Service, partner: RecordData | None) -> str:
    """Why a partner sells nothing; empty where the caller cannot read the fields that decide it."""
    caller = service.caller
    return no_sale_reason(CompanyFacts.known(partner)) if caller and BROADER_READERS.of(caller.roles) else ""


async def _company(service: Service, company_id: str) -> RecordData | None:
    if not company_id:
        return None
    try:
        body = await service.read("get_company", {"companyId": company_id}, {"format": "full"})
    except ReadError:
        return None
    found = body.get("data") if isinstance(body, dict) else None
    return found if isinstance(found, Mapping) else None


async def _in_catalog(service: Service, company_id: str, offer_id: str) -> bool | None:
    try:
        await service.perform("get_company_offer", path={"companyId": company_id, "offerId": offer_id})
    except Refused as error:
        return False if error.code == Code.NOT_IN_CATALOG else None
    except ServiceError:
        return None
    return True


async def _applicant_known(service: Service, partner: RecordData | None) -> bool | None:
    """Whether the store knows the number of a reselling partner; None where it is irrelevant or cannot be seen."""
    if partner is None or partner.get("bpBusinessModel") != RESELL or "bpApplicantNumber" not in partner:
        return None
    number = str(partner["bpApplicantNumber"] or "")
    if not number:
        # The distributor orders for a reseller (IR), which may not see the distributor's number.
        return None if partner.get("bpType") == "IR" else False
    try:
        body = await service.read("check_applicant_number", {"bpApplicantNumber": number}, {})
    except ReadError:
        return None
    return bool(body.get("data")) if isinstance(body, dict) else None


async def _subscribed(service: Service, company_id: str, offer_id: str) -> bool | None:
    """Whether the company has the offer; None also for an offer of single applications, which allows several."""
    active = await _active(service, company_id, offer_id) if offer_id else None
    if active is None:
        return None
    return None if active and all(row.get("applicationId") for row in active) else bool(active)


async def _held(service: Service, company_id: str, offer_id: str) -> RecordData | None:
    """The subscription of a company to an offer; None where it has none or cannot be read."""
    return next(iter(await _active(service, company_id, offer_id) or ()), None) if company_id else None


async def _active(service: Service, company_id: str, offer_id: str) -> list[RecordData] | None:
    """The subscriptions of a company to an offer; None where they cannot be read."""
    try:
        body = await service.read("list_company_subscriptions", {"companyId": company_id}, {"format": "full"})
    except ReadError:
        return None
    rows = body.get("data") if isinstance(body, dict) else None
    if not isinstance(rows, list):
        return None
    return [row for row in rows if row.get("offerId") == offer_id and row.get("status") not in OVER]
