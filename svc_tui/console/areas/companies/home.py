"""Companies on the start page."""

from __future__ import annotations

from svc_tui.console.core.home import Number, SharedReads, since


async def alerting(reads: SharedReads) -> Number:
    """The number of companies in alert."""
    return await _with_status(reads, "alerting")


async def on_hold(reads: SharedReads) -> Number:
    """The number of companies on hold."""
    return await _with_status(reads, "hold")


async def _with_status(reads: SharedReads, status: str) -> Number:
    """Counted here among few companies, and by the service among many."""
    companies, total = await reads.companies()
    if total <= len(companies):
        found = [each for each in companies if each.get("status") == status]
        oldest = min((str(each["statusUpdatedDate"]) for each in found if each.get("statusUpdatedDate")), default="")
        return Number(len(found), totals={"companies": total}, age=since(oldest, reads.workspace.now()))
    body = await reads.read("list_companies", {}, {"status": status, "limit": 1, "offset": 0})
    return Number(int(body.get("total") or 0), totals={"companies": total})
