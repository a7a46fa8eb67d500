"""Directories on the start page."""

from __future__ import annotations

from svc_tui.workspace.workspace import Workspace


async def failed_rows(workspace: Workspace) -> int:
    """The number of rows that failed in the last import of the caller's company."""
    caller = workspace.caller
    company = caller.company_id if caller else ""
    body = await workspace.read("get_company_import_status", {"companyId": company}, {})
    return int((body.get("data") or {}).get("failed") or 0)
