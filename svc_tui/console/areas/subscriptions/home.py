"""Subscriptions on the start page."""

from __future__ import annotations

from datetime import UTC, date, datetime

from svc_tui.workspace.subscriptions.overview import DAYS, reasons, rows_of
from svc_tui.workspace.workspace import Workspace

#: The most companies whose subscriptions are read for one number; with more, the list itself counts.
MOST_COMPANIES = 50


async def due(workspace: Workspace) -> int:
    """Subscriptions of the caller's company that end, renew or run out of licences soon."""
    company = workspace.caller.company_id if workspace.caller else ""
    body = await workspace.read("list_company_subscriptions", {"companyId": company}, {"format": "full"})
    today = _today(workspace)
    return sum(1 for each in body.get("data") or () if reasons(each, today, DAYS))


async def due_of_customers(workspace: Workspace) -> int:
    """The same of all companies of the caller, where the role sees them; 0 with very many companies."""
    body = await workspace.read("list_companies", {}, {"format": "full", "limit": MOST_COMPANIES, "offset": 0})
    if int(body.get("total") or 0) > MOST_COMPANIES:
        return 0
    return sum(1 for _ in rows_of(body.get("data") or (), _today(workspace), DAYS))


def _today(workspace: Workspace) -> date:
    return datetime.fromtimestamp(workspace.now(), UTC).date()
