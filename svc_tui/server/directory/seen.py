"""Whose directories a caller reaches, and the live one of each."""

from __future__ import annotations

from typing import Any

from svc_tui.interface.access import Caller, Reach, Subject
from svc_tui.interface.errors import Code
from svc_tui.interface.problems import Problem
from svc_tui.server.companies.seen import existing
from svc_tui.server.directory.live import Owner, live_directory, new_directory
from svc_tui.server.parsing import RECORD_ID
from svc_tui.server.reach import company_subject
from svc_tui.server.refusal import Refusal, invalid
from svc_tui.server.rules import Call
from svc_tui.server.store.conditions import AllOf, AnyOf, Condition, Is, Not, Related
from svc_tui.server.store.store import Store
from svc_tui.server.store.tables import Document


def directories_within(call: Call[Any, Any]) -> Condition:
    """The directories that the caller may read; personal ones of others are nobody's business."""
    caller, of_company = call.caller, Not(Is("companyId", None))
    assert caller is not None
    if Reach.ANY in call.reached:
        return AnyOf((of_company, Is("userId", caller.user_id)))
    return AnyOf((*_companies(call, caller), Is("userId", caller.user_id)))


def _companies(call: Call[Any, Any], caller: Caller) -> list[Condition]:
    parts: list[Condition] = []
    if Reach.OWN_COMPANY in call.reached and caller.company_id:
        parts.append(Is("companyId", caller.company_id))
    if Reach.END_CUSTOMERS in call.reached and caller.company_id:
        parts.append(Related("companyId", "companies", Is("bpId", caller.company_id)))
    if Reach.ORGANISATION in call.reached and caller.organisation_id:
        parts.append(Related("companyId", "companies", Is("organisationId", caller.organisation_id)))
    return parts


def in_directories(*where: Condition) -> Condition:
    """Entries of live directories that meet these conditions."""
    return Related("directory", "directories", AllOf((Is("live", True), *where)))


async def reached_company(call: Call[Any, Any], company_id: str | None) -> Document:
    """The company whose directory is meant: the caller's own without another one. Refusals 400000, 404000, 403301."""
    assert call.caller is not None
    if company_id is not None and not RECORD_ID.fullmatch(company_id):
        raise invalid(Problem("companyId", "is no identifier", company_id))
    company = await existing(call.store, company_id or call.caller.company_id)
    call.require(company_subject(company))
    return company


async def owner_subject(store: Store, document: Document) -> Subject:
    """Whose an entry, or a directory, is, as the access rules see it."""
    if document.get("userId"):
        return Subject(owner_id=str(document["userId"]))
    return company_subject(await store.companies.get(str(document["companyId"])) or {"id": document["companyId"]})


def require_owner(call: Call[Any, Any], document: Document, subject: Subject) -> None:
    """Refuse (403301) what belongs to somebody whom the caller does not reach; personal entries to all others."""
    assert call.caller is not None
    if document.get("userId") and document["userId"] != call.caller.user_id:
        raise Refusal(Code.NOT_MANAGED, "this entry stands in the personal directory of somebody else")
    call.require(subject)


async def opened_directory(call: Call[Any, Any], owner: Owner) -> Document:
    """The same; made when there is none yet."""
    await call.store.lock(f"directory:{owner[1]}")
    found = await live_directory(call.store, owner)
    if found is None:
        found = new_directory(call.service.ids.record(), owner, call.stamp, live=True)
        await call.store.directories.add(found)
    return found
