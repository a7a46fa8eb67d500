"""Recordings: those of some days, how many there were on each, and until when they are kept."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, date, datetime, timedelta
from typing import Any

from svc_tui.console.areas.voice.periods import ANY_TIME, PERIODS, within
from svc_tui.console.core.choice import Choice
from svc_tui.console.core.resource import Context
from svc_tui.console.dialogs.picker import Picker
from svc_tui.console.views.list import ListView
from svc_tui.console.widgets.formatting import written
from svc_tui.interface.catalogue import record_of
from svc_tui.interface.records import field_by_wire
from svc_tui.interface.voice.retention import MONTHS, kept_since, kept_until
from svc_tui.workspace.core.service import ReadError

_BOUNDS = ("fromDate", "toDate")
_RETENTION = "cloudPbxRecordingRetention"
#: Recordings that are foretold by name, and the days within which others are counted.
_NEXT, _WITHIN = 6, (1, 7, 30)


def _list(context: Context) -> ListView:
    return context.require_view(ListView)


def _today() -> date:
    return datetime.now().astimezone().date()


async def choose_period(context: Context) -> None:
    """Show what was recorded in some days that have a name."""
    view, today = _list(context), _today()
    choices = [Choice(name, name, _bounds(*days(today))) for name, days in PERIODS.items()]
    chosen = await context.stage.ask(Picker("Recorded", [*choices, Choice(ANY_TIME, ANY_TIME)]))
    if chosen is not None:
        _show_days(view, within(*PERIODS[chosen](today)) if chosen in PERIODS else {})


def _bounds(first: date, last: date) -> str:
    return f"{first}" if first == last else f"{first} to {last}"


def _show_days(view: ListView, bounds: Mapping[str, str]) -> None:
    view.filter_query({**{wire: value for wire, value in view.form_query.items() if wire not in _BOUNDS}, **bounds})


async def show_day_totals(context: Context) -> None:
    """How many recordings of the list there are on each day; a day that is chosen is shown."""
    from svc_tui.console.areas.voice.day_totals_dialog import DayTotals

    view = _list(context)
    operation, path, query = view.asked()

    async def count(day: date) -> int:
        return await _count(context, operation, path, {**query, **within(day, day)})

    said = f" that match {view.filter_text}" if view.filter_text else ""
    if reason := view.the.awaits(context.workspace.caller, query):
        context.stage.say(reason, "warn")
        return
    chosen = await context.stage.ask(DayTotals(f"Recordings a day{said}", count, _today()))
    if chosen is not None:
        _show_days(view, within(chosen, chosen))


async def _count(context: Context, operation: str, path: Mapping[str, str], query: Mapping[str, Any]) -> int:
    body = await context.workspace.read(operation, path, {**query, "limit": 1, "offset": 0})
    total = body.get("total") if isinstance(body, dict) else None
    return total if isinstance(total, int) else 0


async def show_retention(context: Context) -> None:
    """Until when the recording under the cursor is kept, and what is deleted next."""
    from svc_tui.console.dialogs.messages import Notice

    path = context.require_resource().path_at(context.view.place, context.workspace.caller)
    days, rule = await _rule(context, path)
    now = datetime.now(UTC)
    lines = [rule]
    if context.record is not None and (said := kept_said(context.record, days, now)):
        lines.append(f"This one: {said}")
    lines += ["", "Deleted next:"]
    lines += await _next(context, path, days, now)
    for ahead in _WITHIN:
        due = kept_since(now + timedelta(days=ahead), days)
        count = await _count(context, "list_recordings", path, {"toDate": due.isoformat()})
        lines.append(f"Within {ahead} day{'s' * (ahead > 1)}: {count}")
    await context.stage.ask(Notice("How long recordings are kept", "\n".join(lines)))


async def _rule(context: Context, path: Mapping[str, str]) -> tuple[int | None, str]:
    """The days for which the company keeps its recordings, None where that is not known; and that as a sentence."""
    try:
        pbx = (await context.workspace.read("get_cloudpbx", path, {})).get("data") or {}
        asked = {"companyId": str(pbx.get("companyId"))}
        company = await context.workspace.read("get_company", asked, {"format": "full"})
    except ReadError as trouble:
        return None, f"{MONTHS} months are assumed, the company's own days are not known. {trouble.sentence}"
    return rule_of(company.get("data") or {})


def rule_of(company: Mapping[str, Any]) -> tuple[int | None, str]:
    """The days for which a company as it is read keeps its recordings, and that as a sentence."""
    days = company.get(_RETENTION)
    if not isinstance(days, int):
        return None, f"They are kept for {MONTHS} months: the company has set nothing else."
    if days == field_by_wire(record_of("get_company"))[_RETENTION].default:
        # The service shows its default alike, set or not.
        return days, f"They are kept for {days} days, or for {MONTHS} months where the company has set nothing."
    return days, f"The company keeps them for {days} days."


def kept_said(recording: Mapping[str, Any], days: int | None, now: datetime) -> str:
    """From when it is and until when it is kept: `2026-10-01 09:30, kept until 2026-12-01 09:30, 11 days left`."""
    try:
        recorded = datetime.fromisoformat(str(recording.get("date")).replace("Z", "+00:00"))
        until = kept_until(recorded, days)
    except (ValueError, OverflowError):
        return ""
    left = (until - now).days
    when = f"{left} day{'s' * (left != 1)} left" if left > 0 else "within a day" if until > now else "due now"
    return f"{written(recorded.isoformat())}, kept until {written(until.isoformat())}, {when}"


async def _next(context: Context, path: Mapping[str, str], days: int | None, now: datetime) -> list[str]:
    query = {"sortField": "date", "sortOrder": 1, "limit": _NEXT, "offset": 0}
    body = await context.workspace.read("list_recordings", path, query)
    rows = body.get("data") if isinstance(body, dict) else None
    return [f"  {kept_said(row, days, now)}" for row in rows or () if isinstance(row, Mapping)] or ["  nothing"]
