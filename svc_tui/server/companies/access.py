"""Access to companies (4.4): conditions for lists, the company of a path, and the partners of both."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from svc_tui.interface.access import Access, Caller, Reach
from svc_tui.interface.companies.access import may
from svc_tui.interface.errors import Code
from svc_tui.interface.typed_access import document_of, typed
from svc_tui.server.refusal import Refusal, not_found
from svc_tui.server.rules import AnyCall
from svc_tui.server.store.conditions import AllOf, AnyOf, Condition, Is, Related
from svc_tui.server.store.store import Store
from svc_tui.server.stored import StoredCompany


def companies_within(reached: Iterable[Reach], caller: Caller) -> Condition:
    """The companies that these reaches cover; without any reach, none."""
    parts: list[Condition] = []
    for reach in reached:
        match reach:
            case Reach.ANY:
                return AllOf(())
            case Reach.OWN_COMPANY if caller.company_id:
                parts.append(Is("id", caller.company_id))
            case Reach.END_CUSTOMERS if caller.company_id:
                parts.append(Is("bpId", caller.company_id))
            case Reach.RESELLERS if caller.company_id:
                parts.append(Related("bpId", "companies", Is("bpId", caller.company_id)))
            case Reach.ORGANISATION if caller.organisation_id:
                parts.append(Is("organisationId", caller.organisation_id))
            case _:
                continue
    return AnyOf(tuple(parts))


async def load_company(store: Store, id: str) -> StoredCompany:
    """The company with this id. Refusal 404000 if there is none."""
    company = typed(StoredCompany, await store.companies.get(id))
    if company is None:
        raise not_found("Company", id)
    return company


async def bp_of(store: Store, company: StoredCompany) -> StoredCompany | None:
    """The partner (BP) that a company is linked to."""
    return typed(StoredCompany, await store.companies.get(company.bp_id)) if company.bp_id else None


async def caller_with_bp(call: AnyCall) -> Caller:
    """The caller, with the partner (BP) of the caller's company."""
    caller = call.known_caller
    own = typed(StoredCompany, await call.store.companies.get(caller.company_id))
    return replace(caller, bp_id=(own.bp_id if own else None) or "")


async def require_access(call: AnyCall, company: StoredCompany, rule: Access | None = None) -> None:
    """Refuse (403301) a company that the caller's roles do not reach with this operation."""
    bp = await bp_of(call.store, company)
    decision = may(rule or call.operation.who, await caller_with_bp(call), document_of(company), document_of(bp))
    if not decision:
        raise Refusal(Code.NOT_MANAGED, decision.reason)
