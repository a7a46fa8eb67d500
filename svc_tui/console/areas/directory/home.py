"""Directories on the start page."""

from __future__ import annotations

from svc_tui.console.core.home import Number, SharedReads, since


async def failed_rows(reads: SharedReads) -> Number:
    """The number of rows that failed in the last import of the caller's company."""
    caller = reads.workspace.caller
    company = caller.company_id if caller else ""
    body = await reads.read("get_company_import_status", {"companyId": company}, {})
    report = body.get("data") or {}
    return Number(int(report.get("failed") or 0), age=since(report.get("startTime"), reads.workspace.now()))
