"""Statistics of companies: current, by day, of all customers of a partner, and as flat rows (4.8)."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from typing import Any

from svc_tui.interface.metrics import operations as declared
from svc_tui.interface.metrics.records import CLIENTS, TYPES, CompanyStats, CustomersQuery, Scope, ScopeQuery
from svc_tui.interface.metrics.values import flat_statistics
from svc_tui.interface.readers import Whose
from svc_tui.interface.typed_access import all_typed, document_of, typed
from svc_tui.server.metrics.company_numbers import (
    UserNumbers,
    added,
    licences_of,
    stored_users_of,
    totals_by_day,
    users_of,
)
from svc_tui.server.metrics.usage import history_of
from svc_tui.server.reach import reached_company
from svc_tui.server.rules import AnyCall, Call, RuleResult, rule
from svc_tui.server.store.conditions import AnyOf, Is, Not, Related
from svc_tui.server.store.documents import Sort
from svc_tui.server.store.tables import Document
from svc_tui.server.stored import StoredCompany

#: Days of a series.
DAYS = 90
_NO_SYSTEMS = {"oxe": 0, "oxo": 0, "dailyConnected": 0}


async def _company(call: AnyCall) -> StoredCompany:
    return await reached_company(call, call.path["companyId"])


async def _customers(call: AnyCall, company: StoredCompany) -> list[StoredCompany]:
    """The first-level customers of a partner."""
    return all_typed(StoredCompany, (await call.store.companies.find(Is("bpId", company.id))).documents)


async def _in_scope(call: AnyCall, company: StoredCompany, scope: Scope) -> list[StoredCompany]:
    """The counted companies: only the company, or with all its customers and those of its resellers."""
    if scope == "ec":
        return [company]
    below = AnyOf((Is("bpId", company.id), Related("bpId", "companies", Is("bpId", company.id))))
    return [company, *all_typed(StoredCompany, (await call.store.companies.find(below)).documents)]


class _Today(CompanyStats):
    """The numbers of one company today."""

    users: UserNumbers


async def _today(call: AnyCall, companies: Sequence[StoredCompany]) -> dict[str, _Today]:
    """Users, licences, systems and usages of each company today."""
    ids = [company.id for company in companies]
    users, licences = await users_of(call.store, ids, call.now), await licences_of(call.store, ids)
    found = {}
    for id in ids:
        history = call.service.part(history_of).day([(id, users[id].total)], call.now.date())
        numbers = {
            "subscriptions": licences[id],
            "systems": history.get("systems", _NO_SYSTEMS),
            "users": _with_history(users[id], history.get("users", {})),
            "usages": _usages(users[id].daily_connected, history.get("usages", {})),
        }
        found[id] = typed(_Today, numbers)
    return found


def _usages(active: int, history: Mapping[str, Any]) -> Document:
    """The uses with all their keys, 0 where there is no history."""
    return {
        "activeUser": active,
        "_any": {"_any": active},
        **history,
        "_clients": {**dict.fromkeys(CLIENTS, 0), **history.get("_clients", {})},
        "_types": {**dict.fromkeys(TYPES, 0), **history.get("_types", {})},
    }


def _with_history(counted: UserNumbers, history: Mapping[str, int]) -> Document:
    """The counted numbers, raised to those of the history, but not above the total."""
    numbers = document_of(counted)
    return {name: max(value, min(int(history.get(name, 0)), counted.total)) for name, value in numbers.items()}


def _head(call: AnyCall, company: StoredCompany, scope: Scope, companies: int) -> Document:
    return {
        "id": company.id,
        "companyId": company.id,
        "scope": scope,
        "bps": [company.bp_id] if company.bp_id else [],
        "companies": companies,
        "companyName": company.name,
        "lastDataCollectDate": call.stamp,
    }


@rule(declared.get_company_stats)
async def stats(call: Call[ScopeQuery]) -> RuleResult:
    company = await _company(call)
    companies = await _in_scope(call, company, call.query.scope)
    numbers = added([document_of(each) for each in (await _today(call, companies)).values()])
    return {**_head(call, company, call.query.scope, len(companies)), **numbers}


@rule(declared.get_company_daily_stats)
async def daily(call: Call[ScopeQuery]) -> RuleResult:
    company = await _company(call)
    companies = await _in_scope(call, company, call.query.scope)
    today = await _today(call, companies)
    return {
        **_head(call, company, call.query.scope, len(companies)),
        **added([document_of(each) for each in today.values()]),
        "dailyStats": await _series(call, companies, today),
    }


async def _series(call: AnyCall, companies: Sequence[StoredCompany], today: Mapping[str, _Today]) -> list[Document]:
    days = [call.now.date() - timedelta(days=back) for back in range(DAYS - 1, -1, -1)]
    ids = [company.id for company in companies]
    totals = await totals_by_day(call.store, ids, days)
    stored = await stored_users_of(call.store, ids, days[0], days[-1])
    found = []
    for day in days:
        # Let other requests run in between.
        await asyncio.sleep(0)
        numbers = _of_day(call, today, stored.get(day.isoformat()), totals, day)
        if numbers:
            numbers["users"] = {**numbers.get("users", {}), "total": totals[day]}
            found.append({"date": day.isoformat(), **numbers})
    return found


def _of_day(
    call: AnyCall,
    today: Mapping[str, _Today],
    stored: Document | None,
    totals: Mapping[date, int],
    day: date,
) -> Document:
    """The numbers of all companies on a day; empty when unknown."""
    if day == call.now.date():
        numbers = (document_of(each) for each in today.values())
        return added([{name: each[name] for name in ("systems", "users", "usages")} for each in numbers])
    if stored:
        return {"users": stored, "usages": _usages(stored["dailyConnected"], {})}
    share = totals[day] / (totals[max(totals)] or 1)
    return call.service.part(history_of).day(((id, round(each.users.total * share)) for id, each in today.items()), day)


@rule(declared.list_bp_company_stats)
async def customers(call: Call[CustomersQuery]) -> RuleResult:
    of_partner, descending = Is("bpId", (await _company(call)).id), call.query.sort_order == -1
    # Of all customers only their ids, in the order of their names, and the numbers of their users are read.
    ids = await call.store.companies.ids(of_partner, sort=Sort("name", descending))
    users = await call.store.users.count_by(
        "companyId", Related("companyId", "companies", of_partner), Not(Is("isTerminated", True))
    )
    ids.sort(key=lambda id: -users.get(id, 0) if descending else users.get(id, 0))
    shown = await call.store.companies.of(ids[call.query.offset : call.query.offset + call.query.limit])
    window = all_typed(StoredCompany, shown)
    numbers = await _today(call, window)
    data = [{**_head(call, company, "ec", 1), **document_of(numbers[company.id])} for company in window]
    return {"data": data, "limit": call.query.limit, "offset": call.query.offset, "total": len(ids)}


@rule(declared.export_customers_flat_stats)
async def flat(call: Call) -> RuleResult:
    companies = await _customers(call, await _company(call))
    found = (await _today(call, companies)).items()
    numbers = {
        id: await call.readers.of_record(CompanyStats, document_of(each), Whose(company_id=id)) for id, each in found
    }
    return {
        "data": [
            {
                "_id": company.id,
                "stats": [
                    {
                        "date": call.now.date().isoformat(),
                        "companyName": company.name,
                        **flat_statistics(numbers[company.id]),
                    }
                ],
            }
            for company in companies
        ]
    }
