"""Subscriptions on the start page and the dashboard: how many are due, which these are, and their licences."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, date, datetime
from typing import Any

from svc_tui.console.core.glance import GlanceRow
from svc_tui.console.core.home import Number, SharedReads
from svc_tui.console.core.places import Link, Place
from svc_tui.console.terminal.text import safe_text
from svc_tui.console.widgets.formatting import until
from svc_tui.console.widgets.graphics import left_of
from svc_tui.interface.dates import SOON
from svc_tui.interface.subscriptions.descriptions import runs_out
from svc_tui.language import _, number_text
from svc_tui.workspace.lists.terms import Term
from svc_tui.workspace.subscriptions.overview import DAYS, OVER, reasons, rows_of


async def _held(reads: SharedReads) -> list[dict[str, Any]]:
    """The caller's companies, each with its subscriptions.

    Some roles see them in the records of the companies, others in the list of their own company only.
    """
    companies, __ = await reads.companies()
    if any("subscriptions" in each for each in companies):
        return companies
    caller = reads.workspace.caller
    if caller is None or not reads.workspace.decide("list_company_subscriptions"):
        return []
    body = await reads.read("list_company_subscriptions", {"companyId": caller.company_id}, {"format": "full"})
    return [{"id": caller.company_id, "subscriptions": list(body.get("data") or ())}]


async def licences(reads: SharedReads) -> Sequence[GlanceRow]:
    """The licences of each subscription that counts them, the fullest first."""
    companies = await _held(reads)
    found = []
    for company in companies:
        for each in company.get("subscriptions") or ():
            most, used = each.get("maxNumberUsers"), each.get("numberAssignedUsers") or 0
            if each.get("businessModel") == "nb_users" and most and each.get("status") not in OVER:
                found.append((used / most, most, used, company, each))
    found.sort(key=lambda one: (-one[0], -one[1]))
    return [
        GlanceRow(
            _name(each, company, several=len(companies) > 1),
            f"{number_text(used)}/{number_text(most)}  {left_of(used, most)}",
            _link(each, company),
            brief=f"{number_text(used)}/{number_text(most)}",
            used=used,
            most=most,
            warns=True,
            style="warn" if runs_out(each) else "",
        )
        for __, most, used, company, each in found
    ]


async def next_due(reads: SharedReads) -> Sequence[GlanceRow]:
    """The subscriptions that end or renew, the next ones first."""
    companies = await _held(reads)
    today = datetime.fromtimestamp(reads.workspace.now(), UTC).date()
    dated = [
        each for each in rows_of(companies, today, DAYS) if each["daysLeft"] is not None and each["daysLeft"] <= DAYS
    ]
    return [
        GlanceRow(
            _name(each, {"name": each["companyName"]}, several=len(companies) > 1),
            f"{each['why'].partition(', ')[0]} {until(each.get('expirationDate'), today)}".strip(),
            _link(each, {"id": each["companyId"]}),
            brief=f"{each['why'].partition(', ')[0]} {each['daysLeft']} d" if each["daysLeft"] > 0 else "",
            style="warn" if each["daysLeft"] <= SOON else "",
        )
        for each in sorted(dated, key=lambda one: one["daysLeft"])
    ]


def _name(subscription: Mapping[str, Any], company: Mapping[str, Any], *, several: bool) -> str:
    """The name of the offer, behind that of the company where there are several."""
    names = (company.get("name"), subscription.get("offerName")) if several else (subscription.get("offerName"),)
    return safe_text(" · ".join(str(each) for each in names if each)).text


def _link(subscription: Mapping[str, Any], company: Mapping[str, Any]) -> Link:
    return Link(Place(("companies", str(company.get("id")), "subscriptions", str(subscription.get("id")))))


async def due(reads: SharedReads) -> Number:
    """Subscriptions of the caller's companies that end, renew or run out of licences soon.

    Some roles see them in the records of the companies, others in the list of their own company only.
    """
    companies, total = await reads.companies()
    today = datetime.fromtimestamp(reads.workspace.now(), UTC).date()
    caller = reads.workspace.caller
    if not any("subscriptions" in each for each in companies):
        return await _due_of_own(reads, caller.company_id if caller else "", today)
    held = next((each.get("subscriptions") for each in companies if caller and each.get("id") == caller.company_id), ())
    totals = {"subscriptions": len(held)} if held else {}
    found = list(rows_of(companies, today, DAYS))
    return Number(len(found), total > len(companies), totals, age=_next(found, today))


async def _due_of_own(reads: SharedReads, company_id: str, today: date) -> Number:
    if not company_id or not reads.workspace.decide("list_company_subscriptions"):
        return Number(0)
    body = await reads.read("list_company_subscriptions", {"companyId": company_id}, {"format": "full"})
    held = list(body.get("data") or ())
    found = [each for each in held if reasons(each, today, DAYS)]
    return Number(len(found), totals={"subscriptions": len(held)}, link=_named(found), age=_next(found, today))


def _next(subscriptions: Iterable[Mapping[str, Any]], today: date) -> str:
    """When the next of them ends or renews."""
    ends = [until(each.get("expirationDate"), today) for each in sorted(subscriptions, key=_end)]
    first = next(filter(None, ends), "")
    return _("the next {day}").format(day=first) if first else ""


def _end(subscription: Mapping[str, Any]) -> str:
    return str(subscription.get("expirationDate") or "")


def _named(subscriptions: Iterable[Mapping[str, Any]]) -> Link:
    """The list with the subscriptions of these names."""
    names = sorted({re.escape(str(each.get("offerName") or "")).replace(r"\ ", " ") for each in subscriptions})
    return Link(Place(("subscriptions",)), str(Term(f"^({'|'.join(names)})$", match="expression", column="name")))
