"""Sites of companies (4.4)."""

from __future__ import annotations

from typing import Any

from svc_tui.interface.access import Subject
from svc_tui.interface.companies import sites as declared
from svc_tui.interface.companies.sites import Site, SiteBody, SiteQuery, SiteUpdate
from svc_tui.interface.errors import Code
from svc_tui.interface.operations import Nothing
from svc_tui.interface.problems import Problem
from svc_tui.server.companies.fields import given
from svc_tui.server.companies.seen import existing
from svc_tui.server.locking import users_locked
from svc_tui.server.parsing import RECORD_ID
from svc_tui.server.reach import belonging_within
from svc_tui.server.refusal import Refusal, invalid, not_found
from svc_tui.server.rules import Call, RuleResult, page_of, rule
from svc_tui.server.store.conditions import Contains, Has, Is
from svc_tui.server.store.tables import Document


@rule(declared.list_sites)
async def list_sites(call: Call[SiteQuery]) -> RuleResult:
    assert call.caller is not None
    query = call.query
    where = [belonging_within(call.reached, call.caller, site=Is("id", call.caller.site_id))]
    if query.name:
        where.append(Contains("name", query.name))
    if query.company_id:
        where.append(Is("companyId", (await _company("companyId", query.company_id, call))["id"]))
    return await page_of(call.store.sites, Site, query, *where)


@rule(declared.get_site)
async def get_site(call: Call) -> RuleResult:
    return {"data": await _reached(call, Code.NOT_FOUND)}


@rule(declared.create_site)
async def create_site(call: Call[Nothing, SiteBody]) -> RuleResult:
    company = await _company("companyId", call.body.company_id, call)
    call.require(_subject({}, company))
    values = {wire: value for wire, value in given(call.body).items() if value is not None}
    _check_living(company)
    site = {"id": call.service.ids.record(), "status": "active", "creationDate": call.stamp, **values}
    return {"data": await call.store.sites.add(site)}


@rule(declared.update_site)
async def update_site(call: Call[Nothing, SiteUpdate]) -> RuleResult:
    await call.store.lock(f"site:{call.path['siteId']}")
    site = await _reached(call, Code.NOT_FOUND_UPDATE)
    values = given(call.body)
    if not values:
        raise Refusal(Code.NOTHING_TO_UPDATE)
    if empty := [wire for wire, value in values.items() if value is None]:
        raise invalid(*(Problem(wire, "must not be empty") for wire in empty))
    if values.get("companyId", site["companyId"]) != site["companyId"]:
        company = await _company("companyId", values["companyId"], call)
        call.require(_subject({}, company))
        _check_living(company)
    return {"data": await call.store.sites.put({**site, **values})}


@rule(declared.delete_site)
async def delete_site(call: Call) -> RuleResult:
    site = await _reached(call, Code.NOT_FOUND_DELETE)
    if site.get("systems") or await call.store.cloudpbxs.count(Has("siteId", (site["id"],))):
        raise Refusal(Code.SITE_HAS_SYSTEMS)
    await call.store.sites.remove(site["id"])
    async for user in users_locked(call.store, Is("siteId", site["id"])):
        await call.store.users.put({wire: value for wire, value in user.items() if wire != "siteId"})
    return {"status": f"Site {site['id']} successfully deleted", "data": []}


async def _reached(call: Call[Any, Any], code: Code) -> Document:
    """The site of the path. Refusal 404 with this code, 403301 when the caller does not reach it."""
    site = await call.store.sites.get(call.path["siteId"])
    if site is None:
        raise not_found("Site", call.path["siteId"], code)
    call.require(_subject(site, await call.store.companies.get(str(site["companyId"])) or {}))
    return site


async def _company(param: str, id: str, call: Call[Any, Any]) -> Document:
    if not RECORD_ID.fullmatch(id):
        raise invalid(Problem(param, "is no identifier", id))
    return await existing(call.store, id)


def _check_living(company: Document) -> None:
    if company.get("status") == "terminated":
        raise invalid(Problem("companyId", "is a terminated company", company["id"]))


def _subject(site: Document, company: Document) -> Subject:
    return Subject(
        company_id=str(company.get("id") or ""),
        organisation_id=str(company.get("organisationId") or ""),
        bp_id=str(company.get("bpId") or ""),
        site_id=str(site.get("id") or ""),
    )
