"""Companies that a request names: those that its caller reaches, and those that do not exist."""

from __future__ import annotations

from collections.abc import Iterable

from svc_tui.interface.errors import Code
from svc_tui.interface.problems import Problem
from svc_tui.interface.typed_access import typed
from svc_tui.server.reach import company_subject
from svc_tui.server.refusal import not_found
from svc_tui.server.rules import AnyCall
from svc_tui.server.store.conditions import In
from svc_tui.server.store.store import Store
from svc_tui.server.stored import StoredCompany


async def reached_company(call: AnyCall, id: str, code: Code = Code.NOT_FOUND) -> StoredCompany:
    """The company with this id. Refusal 404 with this code, or 403301 when the caller does not reach it."""
    company = await call.store.companies.get(id)
    if company is None:
        raise not_found("Company", id, code)
    call.require(company_subject(company))
    return typed(StoredCompany, company)


async def unknown_companies(store: Store, wire: str, ids: Iterable[str]) -> list[Problem]:
    """The problem with a field that names companies which do not exist; none if it names no such company."""
    named = set(ids)
    unknown = sorted(named - set(await store.companies.ids(In("id", tuple(named))))) if named else []
    return [Problem(wire, "names unknown companies", ", ".join(unknown)[:255])] if unknown else []
