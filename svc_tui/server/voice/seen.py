"""Who sees which CloudPBX, and what belongs to it (4.7): subjects, conditions for lists, records of a path."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from svc_tui.interface.access import Access, Caller, Reach, Subject
from svc_tui.server.reach import belonging_within
from svc_tui.server.refusal import not_found
from svc_tui.server.rules import Call
from svc_tui.server.store.conditions import Condition, Has
from svc_tui.server.store.documents import DocumentCollection
from svc_tui.server.store.tables import Document


def cloudpbxs_within(reached: Iterable[Reach], caller: Caller) -> Condition:
    """The CloudPBXs that these reaches cover, by their companies and sites; of no reach, none."""
    return belonging_within(reached, caller, site=Has("siteId", (caller.site_id,)))


def pbx_subject(pbx: Document, company: Document, caller: Caller | None, owner: str = "") -> Subject:
    """A CloudPBX, or what belongs to it, as the access rules see it; of several sites, the caller's counts."""
    sites = [str(site) for site in pbx.get("siteId") or ()]
    own = caller.site_id if caller is not None and caller.site_id in sites else next(iter(sites), "")
    return Subject(
        owner_id=owner,
        company_id=str(company.get("id") or ""),
        organisation_id=str(company.get("organisationId") or ""),
        bp_id=str(company.get("bpId") or ""),
        site_id=own,
    )


async def company_of(call: Call[Any, Any], pbx: Document) -> Document:
    """The company that a CloudPBX serves."""
    return await call.store.companies.get(str(pbx.get("companyId") or "")) or {}


async def reached_pbx(call: Call[Any, Any]) -> Document:
    """The CloudPBX of the path. Refusal 404000 when there is none, 403301 when the caller does not reach it.

    What is not found is 404000 in all of voice, for reads, changes and deletions alike.
    """
    pbx = await call.store.cloudpbxs.get(call.path["systemId"])
    if pbx is None:
        raise not_found("CloudPBX", call.path["systemId"])
    call.require(pbx_subject(pbx, await company_of(call, pbx), call.caller))
    return pbx


async def locked_pbx(call: Call[Any, Any]) -> Document:
    """The same, for a change: nobody else changes this CloudPBX, or what belongs to it, before this one is done."""
    await call.store.lock(f"cloudpbx:{call.path['systemId']}")
    return await reached_pbx(call)


async def may(call: Call[Any, Any], pbx: Document, rule: Access) -> str:
    """Why the caller may not do this with the CloudPBX; empty when he may."""
    return call.allows(pbx_subject(pbx, await company_of(call, pbx), call.caller), rule).reason


async def belonging(collection: DocumentCollection, pbx: Document, id: str, thing: str) -> Document:
    """What belongs to a CloudPBX, by its id. Refusal 404000, also for what belongs to another one."""
    found = await collection.get(id)
    if found is None or found.get("systemId") != pbx["id"]:
        raise not_found(thing, id)
    return found


async def subscriber_of(call: Call[Any, Any], pbx: Document) -> Document:
    """The subscriber of the path."""
    return await belonging(call.store.subscribers, pbx, call.path["phoneNumberId"], "Subscriber")
