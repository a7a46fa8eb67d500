"""Statistics of companies: now, day by day, of every customer of a partner, and as flat rows (4.8)."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import date, timedelta
from typing import Any

from svc_tui.interface.metrics import operations as declared
from svc_tui.interface.metrics.flat import flattened
from svc_tui.interface.metrics.records import CustomersQuery, Scope, ScopeQuery
from svc_tui.server.companies.seen import existing
from svc_tui.server.metrics.numbers import added, kept_of, licences_of, totals_by_day, users_of
from svc_tui.server.reach import company_subject
from svc_tui.server.rules import Call, RuleResult, rule
from svc_tui.server.store.conditions import AnyOf, Is, Related
from svc_tui.server.store.tables import Document

#: Days of a series.
DAYS = 90
#: What is told of each day.
_DAILY = ("systems", "users", "usages")
_EMPTY_SYSTEMS = {"oxe": 0, "oxo": 0, "dailyConnected": 0}


async def _reached(call: Call[Any, Any]) -> Document:
    company = await existing(call.store, call.path["companyId"])
    call.require(company_subject(company))
    return company


async def _customers(call: Call[Any, Any], company: Document) -> list[Document]:
    """The first-level customers of a partner."""
    return (await call.store.companies.find(Is("bpId", company["id"]))).documents


async def _within(call: Call[Any, Any], company: Document, scope: Scope) -> list[Document]:
    """The companies that are counted: it alone, or with all that lie under it, those of its resellers too."""
    if scope == "ec":
        return [company]
    under = AnyOf((Is("bpId", company["id"]), Related("bpId", "companies", Is("bpId", company["id"]))))
    return [company, *(await call.store.companies.find(under)).documents]


async def _each(call: Call[Any, Any], companies: Sequence[Document]) -> dict[str, Document]:
    """Users, licences, systems and usages of each company, today."""
    ids = [str(each["id"]) for each in companies]
    users, licences = await users_of(call.store, ids, call.now), await licences_of(call.store, ids)
    today = call.now.date()
    found = {}
    for each in companies:
        made_up = call.service.history.day([(each["id"], users[each["id"]]["total"])], today)
        found[str(each["id"])] = {
            "subscriptions": licences[each["id"]],
            "systems": made_up.get("systems", _EMPTY_SYSTEMS),
            "users": _more(users[each["id"]], made_up.get("users", {})),
            "usages": made_up.get("usages") or {"activeUser": users[each["id"]]["dailyConnected"]},
        }
    return found


def _more(counted: Document, made_up: Document) -> Document:
    """What was counted here, at least what a demo makes up of it, and never more than there are."""
    total = counted["total"]
    return {name: max(value, min(int(made_up.get(name, 0)), total)) for name, value in counted.items()}


def _head(call: Call[Any, Any], company: Document, scope: Scope, companies: int) -> Document:
    return {
        "id": company["id"],
        "companyId": company["id"],
        "scope": scope,
        "bps": [company["bpId"]] if company.get("bpId") else [],
        "companies": companies,
        "companyName": company["name"],
        "lastDataCollectDate": call.stamp,
    }


@rule(declared.get_company_stats)
async def stats(call: Call[ScopeQuery]) -> RuleResult:
    company = await _reached(call)
    companies = await _within(call, company, call.query.scope)
    numbers = added(list((await _each(call, companies)).values()))
    return {**_head(call, company, call.query.scope, len(companies)), **numbers}


@rule(declared.get_company_daily_stats)
async def daily(call: Call[ScopeQuery]) -> RuleResult:
    company = await _reached(call)
    companies = await _within(call, company, call.query.scope)
    numbers = await _each(call, companies)
    return {
        **_head(call, company, call.query.scope, len(companies)),
        **added(list(numbers.values())),
        "dailyStats": await _series(call, companies, numbers),
    }


async def _series(call: Call[Any, Any], companies: Sequence[Document], today: dict[str, Document]) -> list[Document]:
    days = [call.now.date() - timedelta(days=back) for back in range(DAYS - 1, -1, -1)]
    ids = [str(each["id"]) for each in companies]
    totals = await totals_by_day(call.store, ids, days)
    kept = await kept_of(call.store, ids, days[0], days[-1])
    found = []
    for day in days:
        # Other calls are answered in between.
        await asyncio.sleep(0)
        numbers = _of_day(call, today, kept.get(day.isoformat()), totals, day)
        if numbers:
            numbers["users"] = {**numbers.get("users", {}), "total": totals[day]}
            found.append({"date": day.isoformat(), **numbers})
    return found


def _of_day(
    call: Call[Any, Any],
    today: dict[str, Document],
    kept: Document | None,
    totals: dict[date, int],
    day: date,
) -> Document:
    """The numbers of all companies on a day; empty where nobody counted."""
    if day == call.now.date():
        return added([{name: each[name] for name in _DAILY} for each in today.values()])
    if kept:
        return {"users": kept}
    share = totals[day] / (totals[max(totals)] or 1)
    return call.service.history.day(((id, round(each["users"]["total"] * share)) for id, each in today.items()), day)


@rule(declared.list_bp_company_stats)
async def customers(call: Call[CustomersQuery]) -> RuleResult:
    company = await _reached(call)
    companies = await _customers(call, company)
    users = await users_of(call.store, [str(each["id"]) for each in companies], call.now)
    companies.sort(key=lambda each: (users[each["id"]]["total"], each["name"]), reverse=call.query.sort_order == -1)
    window = companies[call.query.offset : call.query.offset + call.query.limit]
    numbers = await _each(call, window)
    data = [{**_head(call, each, "ec", 1), **numbers[each["id"]]} for each in window]
    return {"data": data, "limit": call.query.limit, "offset": call.query.offset, "total": len(companies)}


@rule(declared.export_customers_flat_stats)
async def flat(call: Call) -> RuleResult:
    companies = await _customers(call, await _reached(call))
    numbers = await _each(call, companies)
    return {
        "data": [
            {
                "_id": each["id"],
                "stats": [
                    {"date": call.now.date().isoformat(), "companyName": each["name"], **flattened(numbers[each["id"]])}
                ],
            }
            for each in companies
        ]
    }
