"""Access to directories: those that a caller reaches, and the subjects of their entries."""

from __future__ import annotations

from svc_tui.interface.access import Caller, Reach, Subject
from svc_tui.interface.errors import Code
from svc_tui.interface.typed_access import document_of
from svc_tui.server.companies.access import load_company
from svc_tui.server.directory.stored import Owner, StoredDirectory, StoredEntry, live_directory, new_directory
from svc_tui.server.reach import company_subject
from svc_tui.server.refusal import Refusal
from svc_tui.server.request_values import checked_id
from svc_tui.server.rules import AnyCall
from svc_tui.server.store.conditions import AllOf, AnyOf, Condition, Is, Not, Related
from svc_tui.server.store.store import Store
from svc_tui.server.store.tables import Document
from svc_tui.server.stored import StoredCompany


def directories_within(call: AnyCall) -> Condition:
    """The directories that the caller may read. A personal directory is for its owner only."""
    caller, of_company = call.caller, Not(Is("companyId", None))
    assert caller is not None
    if Reach.ANY in call.reached:
        return AnyOf((of_company, Is("userId", caller.user_id)))
    return AnyOf((*_companies(call, caller), Is("userId", caller.user_id)))


def _companies(call: AnyCall, caller: Caller) -> list[Condition]:
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


def represented(entry: Document) -> Document:
    """An entry in a response: without the directory that it is in."""
    return {wire: value for wire, value in entry.items() if wire != "directory"}


async def reached_company(call: AnyCall, company_id: str | None) -> StoredCompany:
    """The company of a directory, by default the caller's own. Refusals 400000, 404000, 403301."""
    assert call.caller is not None
    asked = call.caller.company_id if company_id is None else checked_id("companyId", company_id)
    company = await load_company(call.store, asked)
    call.require(company_subject(document_of(company)))
    return company


async def company_subject_of(store: Store, company_id: str) -> Subject:
    """A company for the access rules, also one that does not exist any more."""
    return company_subject(await store.companies.get(company_id) or {"id": company_id})


async def require_entry(call: AnyCall, entry: StoredEntry) -> None:
    """Refuse (403301) an entry whose owner the caller does not reach, and personal entries of other users."""
    assert call.caller is not None
    if entry.user_id and entry.user_id != call.caller.user_id:
        raise Refusal(Code.NOT_MANAGED, "This entry is in another user's personal directory.")
    if entry.user_id:
        call.require(Subject(owner_id=entry.user_id))
    else:
        call.require(await company_subject_of(call.store, entry.company_id or ""))


async def opened_directory(call: AnyCall, owner: Owner) -> StoredDirectory:
    """The live directory of an owner, locked; a new one when there is none."""
    await call.store.lock(f"directory:{owner[1]}")
    found = await live_directory(call.store, owner)
    if found is None:
        found = new_directory(call.service.ids.record(), owner, call.now, live=True)
        await call.store.directories.add(document_of(found))
    return found
