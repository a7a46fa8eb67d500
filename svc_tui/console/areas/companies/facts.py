"""What the list of companies shows beyond its rows: users, the next end, free licences, and the CloudPBX.

One read of each company on the screen has the first three; a role that does not get them sees no value.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC, date, datetime
from typing import Any

from svc_tui.console.widgets.formatting import NOTHING, until, whole_day
from svc_tui.console.widgets.list.columns import Column
from svc_tui.interface.companies.countries import COUNTRIES
from svc_tui.interface.data import RecordData
from svc_tui.interface.dates import is_soon
from svc_tui.language import _, number_text

#: The states of a CloudPBX, as a company has them.
_CLOUDPBX = {
    "connected": ("connected", "ok"),
    "disconnected": ("disconnected", "bad"),
    "none": ("none", ""),
    "": ("", ""),
}


async def _company(workspace: Any, path: Mapping[str, str]) -> RecordData:
    body = await workspace.read("get_company", path, {"format": "full"})
    found = body.get("data") if isinstance(body, dict) else None
    return found if isinstance(found, dict) else {}


async def _cloudpbx(workspace: Any, path: Mapping[str, str]) -> str:
    body = await workspace.read("list_cloudpbxs", {}, {"companyId": path["companyId"], "limit": 1})
    rows = body.get("data") if isinstance(body, dict) else None
    return str(rows[0].get("status") or "") if rows else "none"


def _held(company: Any) -> Iterator[RecordData]:
    """The subscriptions of a company that are not over."""
    held = company.get("subscriptions") if isinstance(company, Mapping) else None
    for each in held if isinstance(held, list) else ():
        if each.get("status") != "terminated":
            yield each


def _ends(company: Any) -> list[str]:
    today = _today().isoformat()
    days = (str(each.get("expirationDate") or "")[:10] for each in _held(company))
    return sorted(day for day in days if day >= today)


def _today() -> date:
    return datetime.now(UTC).date()


def _users(value: Any, record: RecordData) -> str:
    count = value.get("numberUsers") if isinstance(value, Mapping) else None
    return "" if count is None else number_text(count)


def _next_end(value: Any, record: RecordData) -> str:
    if not (ends := _ends(value)):
        return NOTHING if value else ""
    when = until(ends[0], _today())
    return when if len(when) <= len("in 99 days") else whole_day(ends[0])


def _style_of_end(value: Any, record: RecordData) -> str:
    ends = _ends(value)
    return "warn" if ends and is_soon(ends[0], _today()) else ""


def _free(value: Any, record: RecordData) -> str:
    count = _free_count(value)
    return (NOTHING if value else "") if count is None else number_text(count)


def _free_count(company: Any) -> int | None:
    """The licences that are not assigned; None where none are counted."""
    counted = [each for each in _held(company) if each.get("maxNumberUsers") is not None]
    left = [int(each["maxNumberUsers"]) - int(each.get("numberAssignedUsers") or 0) for each in counted]
    return sum(max(number, 0) for number in left) if left else None


def _style_of_free(value: Any, record: RecordData) -> str:
    return "warn" if _free_count(value) == 0 else ""


COLUMNS = (
    Column(field="users", title="USERS", width=6, align="right", format=_users, looks_up=_company, priority=1),
    Column(
        field="nextEnd",
        title="NEXT END",
        width=10,
        format=_next_end,
        style=_style_of_end,
        looks_up=_company,
        priority=2,
    ),
    Column(
        field="freeLicences",
        title="FREE",
        width=6,
        align="right",
        format=_free,
        style=_style_of_free,
        looks_up=_company,
        priority=3,
    ),
    Column(field="cloudpbx", title="CLOUDPBX", width=12, state=_CLOUDPBX, looks_up=_cloudpbx, priority=4),
)


def country_in_words(company: RecordData) -> str:
    """The name of the country of a company, or a code without a name."""
    code = str(company.get("country") or "")
    return _(COUNTRIES.get(code, code)) if code else ""


def kind_in_words(value: Any, record: RecordData) -> str:
    """BP with its type, or EC (end customer)."""
    if not record.get("isBP"):
        return "EC"
    return _("BP {bp_type}").format(bp_type=record["bpType"]) if record.get("bpType") else "BP"
