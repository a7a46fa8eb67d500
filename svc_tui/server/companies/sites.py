"""Sites of companies (4.4)."""

from __future__ import annotations

from typing import Any

from svc_tui.interface.access import Subject
from svc_tui.interface.companies import sites as declared
from svc_tui.interface.companies.sites import Site, SiteBody, SiteQuery, SiteUpdate
from svc_tui.interface.errors import Code
from svc_tui.interface.fields import field
from svc_tui.interface.operations import Nothing
from svc_tui.interface.typed_access import document_of, typed
from svc_tui.server.companies.access import load_company
from svc_tui.server.reach import belonging_within, require_in_use
from svc_tui.server.refusal import Refusal, not_found
from svc_tui.server.request_values import checked_id, non_null_values, update_of
from svc_tui.server.rules import AnyCall, Call, RuleResult, page_of, rule
from svc_tui.server.store.conditions import Contains, ContainsAny, Is
from svc_tui.server.store.tables import Document
from svc_tui.server.stored import StoredCompany, change_users


class StoredSite(Site):
    id: str = field(...)
    company_id: str = field(...)
    #: Telephone systems of the site besides CloudPBXs.
    systems: list[Any] | None = field(None)


@rule(declared.list_sites)
async def list_sites(call: Call[SiteQuery]) -> RuleResult:
    query, caller = call.query, call.known_caller
    where = [belonging_within(call.reached, caller, site=Is("id", caller.site_id))]
    if query.name:
        where.append(Contains("name", query.name))
    if query.company_id:
        where.append(Is("companyId", (await _company(call, query.company_id)).id))
    return await page_of(call, call.store.sites, Site, query, *where)


@rule(declared.get_site)
async def get_site(call: Call) -> RuleResult:
    return {"data": Site.answered(document_of(await _reached(call)), "full")}


@rule(declared.create_site)
async def create_site(call: Call[Nothing, SiteBody]) -> RuleResult:
    await _require_company(call, call.body.company_id)
    new = {"id": call.service.ids.record(), "status": "active", "creationDate": call.stamp}
    return {"data": await call.store.sites.add({**new, **non_null_values(call.body)})}


@rule(declared.update_site)
async def update_site(call: Call[Nothing, SiteUpdate]) -> RuleResult:
    await call.store.lock(f"site:{call.path['siteId']}")
    site = await _reached(call)
    values = update_of(call.body, "name", "companyId", "status")
    changed = typed(StoredSite, {**document_of(site), **values})
    if changed.company_id != site.company_id:
        await _require_company(call, changed.company_id)
    return {"data": Site.answered(await call.store.sites.put(document_of(changed)), "full")}


@rule(declared.delete_site)
async def delete_site(call: Call) -> RuleResult:
    await call.store.lock(f"site:{call.path['siteId']}")
    site = await _reached(call)
    if site.systems or await call.store.cloudpbxs.count(ContainsAny("siteId", (site.id,))):
        raise Refusal(Code.SITE_HAS_SYSTEMS)
    await call.store.sites.remove(site.id)
    await change_users(call.store, Is("siteId", site.id), _without_site)
    return {"status": f"Site {site.id} successfully deleted", "data": []}


def _without_site(user: Document) -> Document:
    return {wire: value for wire, value in user.items() if wire != "siteId"}


async def _reached(call: AnyCall) -> StoredSite:
    """The site of the path. Refusal 404000, 403301 if the caller does not reach it."""
    site = typed(StoredSite, await call.store.sites.get(call.path["siteId"]))
    if site is None:
        raise not_found("Site", call.path["siteId"])
    call.require(_subject(site, typed(StoredCompany, await call.store.companies.get(site.company_id))))
    return site


async def _company(call: AnyCall, id: str) -> StoredCompany:
    """The company of a query or body. Refusal 400000, 404000."""
    return await load_company(call.store, checked_id("companyId", id))


async def _require_company(call: AnyCall, id: str) -> None:
    """Refuse a company out of reach, or a terminated one. It is not deleted before the site is stored."""
    await call.store.lock(f"company:{checked_id('companyId', id)}")
    company = await _company(call, id)
    call.require(_subject(None, company))
    require_in_use(company)


def _subject(site: StoredSite | None, company: StoredCompany | None) -> Subject:
    return Subject(
        company_id=company.id if company else "",
        organisation_id=(company and company.organisation_id) or "",
        bp_id=(company and company.bp_id) or "",
        site_id=site.id if site else "",
    )
