"""Who would buy: what must be known of a company and its partner to say beforehand why there is no quotation (4.6)."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from svc_tui.workspace.list_source import NotRead

if TYPE_CHECKING:
    from svc_tui.workspace.workspace import Workspace

Fields = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Buyer:
    """The company that would buy, and its partner as far as the caller may see it; None where he may not.

    `in_catalog`: the partner's catalog has the offer. `applicant_known`: the store knows the partner's number.
    """

    company: Fields | None = None
    partner: Fields | None = None
    in_catalog: bool | None = None
    applicant_known: bool | None = None


async def buyer_of(workspace: Workspace, company_id: str, offer_id: str) -> Buyer:
    """All that can be known of who buys, before a quotation is asked for."""
    from svc_tui.interface.subscriptions.rules import RESELL

    company = await _company(workspace, company_id)
    is_partner = bool(company and company.get("isBP"))
    partner_id = company_id if is_partner else str((company or {}).get("bpId") or "")
    if not partner_id:
        return Buyer(company)
    partner, in_catalog = await asyncio.gather(
        _same(company) if is_partner else _company(workspace, partner_id),
        _in_catalog(workspace, partner_id, offer_id),
    )
    known = None
    if partner is not None and partner.get("bpBusinessModel") == RESELL and "bpApplicantNumber" in partner:
        known = await _applicant(workspace, str(partner["bpApplicantNumber"] or ""))
    return Buyer(company, None if is_partner else partner, in_catalog, known)


async def _same(company: Fields | None) -> Fields | None:
    return company


async def _company(workspace: Workspace, company_id: str) -> Fields | None:
    try:
        body = await workspace.read("get_company", {"companyId": company_id}, {"format": "full"})
    except NotRead:
        return None
    found = body.get("data") if isinstance(body, dict) else None
    return found if isinstance(found, Mapping) else None


async def _in_catalog(workspace: Workspace, company_id: str, offer_id: str) -> bool | None:
    from svc_tui.client.errors import Refused, ServiceError
    from svc_tui.interface.errors import Code

    try:
        await workspace.perform("get_company_offer", path={"companyId": company_id, "offerId": offer_id})
    except Refused as error:
        return False if error.code == Code.NOT_IN_CATALOG else None
    except ServiceError:
        return None
    return True


async def _applicant(workspace: Workspace, number: str) -> bool | None:
    if not number:
        return False
    try:
        body = await workspace.read("check_applicant_number", {"bpApplicantNumber": number}, {})
    except NotRead:
        return None
    return bool(body.get("data")) if isinstance(body, dict) else None
