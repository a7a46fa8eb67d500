"""The reach of a caller in terms of the store: subjects of records, filters on lists, and companies within reach."""

from __future__ import annotations

from collections.abc import Iterable

from svc_tui.interface.access import Caller, Reach, Subject
from svc_tui.interface.errors import Code
from svc_tui.interface.problems import Problem
from svc_tui.interface.typed_access import typed
from svc_tui.server.refusal import invalid, not_found
from svc_tui.server.rules import AnyCall
from svc_tui.server.store.conditions import AllOf, AnyOf, Condition, Is, Related
from svc_tui.server.store.store import Store
from svc_tui.server.store.tables import Document
from svc_tui.server.stored import StoredCompany


def company_subject(company: Document) -> Subject:
    """The subject of a company."""
    return Subject(
        company_id=str(company["id"]),
        organisation_id=str(company.get("organisationId") or ""),
        bp_id=str(company.get("bpId") or ""),
    )


async def user_subject(store: Store, user: Document) -> Subject:
    """The subject of a user, or of a record that belongs to this user."""
    return owned_subject(user, await store.companies.get(str(user.get("companyId") or "")) or {})


def owned_subject(user: Document, company: Document) -> Subject:
    """The subject of a user, or of a record that belongs to this user, with the company given."""
    return Subject(
        owner_id=str(user["id"]),
        company_id=str(user.get("companyId") or ""),
        organisation_id=str(user.get("organisationId") or company.get("organisationId") or ""),
        bp_id=str(company.get("bpId") or ""),
        site_id=str(user.get("siteId") or ""),
    )


def belonging_within(
    reached: Iterable[Reach], caller: Caller, *, site: Condition | None = None, own: Condition | None = None
) -> Condition:
    """The records of companies (by `companyId`) that these reaches cover. No reach covers nothing.

    `site` and `own` are the conditions of these two reaches, where the records have sites and owners.
    """
    parts: list[Condition] = []
    for reach in reached:
        match reach:
            case Reach.ANY:
                return AllOf(())
            case Reach.OWN_COMPANY if caller.company_id:
                parts.append(Is("companyId", caller.company_id))
            case Reach.END_CUSTOMERS if caller.company_id:
                parts.append(Related("companyId", "companies", Is("bpId", caller.company_id)))
            case Reach.ORGANISATION if caller.organisation_id:
                parts.append(Related("companyId", "companies", Is("organisationId", caller.organisation_id)))
            case Reach.SITE if caller.site_id and site is not None:
                parts.append(site)
            case Reach.OWN if own is not None:
                parts.append(own)
            case _:
                continue
    return AnyOf(tuple(parts))


def users_within(reached: Iterable[Reach], caller: Caller) -> Condition:
    """The users that these reaches cover, as a condition on users. No reach covers no user."""
    reached = frozenset(reached)
    within = belonging_within(reached, caller, site=Is("siteId", caller.site_id), own=Is("id", caller.user_id))
    if Reach.ORGANISATION in reached and Reach.ANY not in reached and caller.organisation_id:
        # A user can belong to the organisation without its company.
        return AnyOf((Is("organisationId", caller.organisation_id), within))
    return within


async def reached_company(call: AnyCall, id: str, code: Code = Code.NOT_FOUND) -> StoredCompany:
    """The company with this id. Refusal 404 with this code, or 403301 when the caller does not reach it."""
    company = await call.store.companies.get(id)
    if company is None:
        raise not_found("Company", id, code)
    call.require(company_subject(company))
    return typed(StoredCompany, company)


def require_in_use(company: StoredCompany) -> None:
    """Refusal 400000 for a terminated company: nothing is added that its deletion required to be gone, or removed."""
    if company.status == "terminated":
        raise invalid(Problem("companyId", "is a terminated company", company.id))
