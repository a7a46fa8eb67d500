"""Directories on the start page."""

from __future__ import annotations

from svc_tui.console.core.home import Number, Readings


async def failed_rows(readings: Readings) -> Number:
    """The number of rows that failed in the last import of the caller's company."""
    caller = readings.workspace.caller
    company = caller.company_id if caller else ""
    body = await readings.read("get_company_import_status", {"companyId": company}, {})
    return Number(int((body.get("data") or {}).get("failed") or 0))
