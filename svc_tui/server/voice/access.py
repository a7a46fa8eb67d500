"""Access to CloudPBXs (4.7): subjects, conditions for lists, and the records that a path names."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeVar

from svc_tui.interface.access import Access, Caller, Reach, Subject
from svc_tui.interface.companies.sites import Site
from svc_tui.interface.typed_access import document_of, typed
from svc_tui.server.reach import belonging_within
from svc_tui.server.refusal import not_found
from svc_tui.server.rules import AnyCall
from svc_tui.server.store.conditions import Condition, ContainsAny
from svc_tui.server.store.documents import DocumentCollection
from svc_tui.server.stored import StoredCompany
from svc_tui.server.voice.stored import (
    StoredCloudPbx,
    StoredDdi,
    StoredDevice,
    StoredOfficeHours,
    StoredRecording,
    StoredSubscriber,
    StoredWelcome,
    StoredWelcomeService,
)

#: Domain of the voice platform.
DOMAIN = "voice.svc"

#: The records that belong to one CloudPBX.
PbxRecord = TypeVar(
    "PbxRecord",
    StoredDdi,
    StoredDevice,
    StoredOfficeHours,
    StoredRecording,
    StoredSubscriber,
    StoredWelcome,
    StoredWelcomeService,
)


def cloudpbxs_within(reached: Iterable[Reach], caller: Caller) -> Condition:
    """The CloudPBXs that these reaches cover, by their companies and sites; without any reach, none."""
    return belonging_within(reached, caller, site=ContainsAny("siteId", (caller.site_id,)))


def pbx_subject(
    pbx: StoredCloudPbx | None, company: StoredCompany | None, caller: Caller | None, owner: str = ""
) -> Subject:
    """A CloudPBX, or a record of it, for the access rules. Of several sites, the caller's own one counts."""
    sites = (pbx.site_id if pbx else None) or []
    own = caller.site_id if caller is not None and caller.site_id in sites else next(iter(sites), "")
    return Subject(
        owner_id=owner,
        company_id=company.id if company else "",
        organisation_id=(company and company.organisation_id) or "",
        bp_id=(company and company.bp_id) or "",
        site_id=own,
    )


def domain_of(pbx: StoredCloudPbx) -> str:
    """The domain of the messaging addresses of a CloudPBX."""
    return pbx.cloudpbx.domain_name or DOMAIN


async def company_of(call: AnyCall, pbx: StoredCloudPbx) -> StoredCompany | None:
    """The company of a CloudPBX."""
    return typed(StoredCompany, await call.store.companies.get(pbx.company_id))


async def country_of(call: AnyCall, pbx: StoredCloudPbx) -> str | None:
    """The country whose notation and emergency numbers apply: that of the CloudPBX, or of its company."""
    if pbx.country:
        return pbx.country
    company = await company_of(call, pbx)
    return company.country if company else None


async def reached_pbx(call: AnyCall) -> StoredCloudPbx:
    """The CloudPBX of the path. Refusal 404000 when there is none, 403301 when the caller does not reach it.

    In all of voice a missing record is 404000, for reads, changes and deletions alike.
    """
    pbx = typed(StoredCloudPbx, await call.store.cloudpbxs.get(call.path["systemId"]))
    if pbx is None:
        raise not_found("CloudPBX", call.path["systemId"])
    call.require(pbx_subject(pbx, await company_of(call, pbx), call.caller))
    return pbx


async def locked_pbx(call: AnyCall) -> StoredCloudPbx:
    """The CloudPBX of the path for a change: no other request changes it, or its records, until this one ends."""
    await call.store.lock(f"cloudpbx:{call.path['systemId']}")
    return await reached_pbx(call)


async def denial(call: AnyCall, pbx: StoredCloudPbx, rule: Access) -> str:
    """The reason why the caller may not do this with the CloudPBX; empty when it is allowed."""
    return call.allows(pbx_subject(pbx, await company_of(call, pbx), call.caller), rule).reason


async def record_of_pbx(
    model: type[PbxRecord], collection: DocumentCollection, pbx: StoredCloudPbx, id: str, thing: str
) -> PbxRecord:
    """A record of this CloudPBX. Refusal 404000, also for a record of another one."""
    found = typed(model, await collection.get(id))
    if found is None or found.system_id != pbx.id:
        raise not_found(thing, id)
    return found


async def subscriber_of(call: AnyCall, pbx: StoredCloudPbx) -> StoredSubscriber:
    """The subscriber of the path."""
    id = call.path["phoneNumberId"]
    return await record_of_pbx(StoredSubscriber, call.store.subscribers, pbx, id, "Subscriber")


async def is_site_of(call: AnyCall, site_id: str, company_id: str) -> bool:
    """Whether this is a site of the company."""
    site = typed(Site, await call.store.sites.get(site_id))
    return site is not None and site.company_id == company_id


async def changed_settings(call: AnyCall, pbx: StoredCloudPbx, settings: dict[str, Any]) -> StoredCloudPbx:
    """Store the CloudPBX with these settings in place of its own."""
    return typed(StoredCloudPbx, await call.store.cloudpbxs.put({**document_of(pbx), "cloudpbx": settings}))
