"""Subscriptions on the start page."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from datetime import UTC, date, datetime
from typing import Any

from svc_tui.console.core.home import Number, SharedReads
from svc_tui.console.core.places import Link, Place
from svc_tui.workspace.lists.terms import Term
from svc_tui.workspace.subscriptions.overview import DAYS, reasons, rows_of


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
    return Number(sum(1 for _ in rows_of(companies, today, DAYS)), total > len(companies), totals)


async def _due_of_own(reads: SharedReads, company_id: str, today: date) -> Number:
    if not company_id or not reads.workspace.decide("list_company_subscriptions"):
        return Number(0)
    body = await reads.read("list_company_subscriptions", {"companyId": company_id}, {"format": "full"})
    held = list(body.get("data") or ())
    found = [each for each in held if reasons(each, today, DAYS)]
    return Number(len(found), totals={"subscriptions": len(held)}, link=_named(found))


def _named(subscriptions: Iterable[Mapping[str, Any]]) -> Link:
    """The list with the subscriptions of these names."""
    names = sorted({re.escape(str(each.get("offerName") or "")).replace(r"\ ", " ") for each in subscriptions})
    return Link(Place(("subscriptions",)), str(Term(f"^({'|'.join(names)})$", match="expression", column="name")))
