"""Actions of recordings: filter by period, show totals per day, show the retention."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

from svc_tui.console.areas.voice import day_totals_dialog
from svc_tui.console.core.choice import Choice
from svc_tui.console.core.resource import Context
from svc_tui.console.dialogs import messages
from svc_tui.console.dialogs.picker import Picker
from svc_tui.console.views.list import ListView
from svc_tui.console.widgets.formatting import written
from svc_tui.interface.catalogue import record_of
from svc_tui.interface.field_specs import field_by_wire
from svc_tui.interface.texts import counted
from svc_tui.interface.voice.moments import MONTHS, expiry_of, retained_since
from svc_tui.language import _
from svc_tui.workspace.core.service import ReadError

_BOUNDS = ("fromDate", "toDate")
_RETENTION = "cloudPbxRecordingRetention"
#: The number of recordings that are listed before their deletion, and the days ahead for which they are counted.
_NEXT, _WITHIN = 6, (1, 7, 30)


def _list(context: Context) -> ListView:
    return context.require_view(ListView)


def _today() -> date:
    return datetime.now().astimezone().date()


async def choose_period(context: Context) -> None:
    """Filter the recordings by a named period."""
    view, today = _list(context), _today()
    choices = [Choice(name, name, _bounds(*days(today))) for name, days in PERIODS.items()]
    chosen = await context.stage.ask(Picker(_("Recorded"), [*choices, Choice(ANY_TIME, ANY_TIME)]))
    if chosen is not None:
        _show_days(view, within(*PERIODS[chosen](today)) if chosen in PERIODS else {})


def _bounds(first: date, last: date) -> str:
    return f"{first}" if first == last else _("{first} to {last}").format(first=first, last=last)


def _show_days(view: ListView, bounds: Mapping[str, str]) -> None:
    view.filter_query({**{wire: value for wire, value in view.form_query.items() if wire not in _BOUNDS}, **bounds})


async def show_day_totals(context: Context) -> None:
    """Show the number of listed recordings per day; choosing a day filters by it."""

    view = _list(context)
    asked = view.request(ordered=False)
    operation, path, query = view.resource.list, asked.path, asked.nearest_query

    async def count(day: date) -> int:
        return await _count(context, operation, path, {**query, **within(day, day)})

    text = _(" that match {filter_text}").format(filter_text=view.filter_text) if view.filter_text else ""
    if reason := view.resource.awaits(context.workspace.caller, query):
        context.stage.show_message(reason, "warn")
        return
    chosen = await context.stage.ask(
        day_totals_dialog.DayTotals(_("Recordings per day{text}").format(text=text), count, _today())
    )
    if chosen is not None:
        _show_days(view, within(chosen, chosen))


async def _count(context: Context, operation: str, path: Mapping[str, str], query: Mapping[str, Any]) -> int:
    body = await context.workspace.read(operation, path, {**query, "limit": 1, "offset": 0})
    total = body.get("total") if isinstance(body, dict) else None
    return total if isinstance(total, int) else 0


async def show_retention(context: Context) -> None:
    """Show the retention of the recording under the cursor, and the next deletions."""

    path = context.require_resource().path_at(context.view.place, context.workspace.caller)
    days, rule = await _rule(context, path)
    now = datetime.now(UTC)
    lines = [rule]
    if context.record is not None and (text := retention_text(context.record, days, now)):
        lines.append(_("Selected: {text}").format(text=text))
    lines += ["", _("Deleted next:")]
    lines += await _next(context, path, days, now)
    for ahead in _WITHIN:
        due = retained_since(now + timedelta(days=ahead), days)
        count = await _count(context, "list_recordings", path, {"toDate": due.isoformat()})
        lines.append(_("Within {days}: {count}").format(days=counted(ahead, "day"), count=count))
    await context.stage.ask(messages.Notice(_("Retention of recordings"), "\n".join(lines)))


async def _rule(context: Context, path: Mapping[str, str]) -> tuple[int | None, str]:
    """The retention of the company in days, None when unknown, and a sentence about it."""
    try:
        pbx = (await context.workspace.read("get_cloudpbx", path, {})).get("data") or {}
        asked = {"companyId": str(pbx.get("companyId"))}
        company = await context.workspace.read("get_company", asked, {"format": "full"})
    except ReadError as error:
        return None, _("The company's retention is unknown; {months} months are assumed. {sentence}").format(
            months=MONTHS, sentence=error.sentence
        )
    return rule_of(company.get("data") or {})


def rule_of(company: Mapping[str, Any]) -> tuple[int | None, str]:
    """The retention of a company in days, and a sentence about it."""
    days = company.get(_RETENTION)
    if not isinstance(days, int):
        return None, _("Recordings are kept for {months} months, the default.").format(months=MONTHS)
    if days == field_by_wire(record_of("get_company"))[_RETENTION].default:
        # The response does not show whether the default is set explicitly.
        return (
            days,
            _("Recordings are kept for {days}, or for {months} months if the company uses the default.").format(
                days=counted(days, "day"), months=MONTHS
            ),
        )
    return days, _("The company keeps recordings for {days}.").format(days=counted(days, "day"))


def retention_text(recording: Mapping[str, Any], days: int | None, now: datetime) -> str:
    """Start and end of the retention: `2026-10-01 09:30, kept until 2026-12-01 09:30, 11 days left`."""
    try:
        recorded = datetime.fromisoformat(str(recording.get("date")).replace("Z", "+00:00"))
        until = expiry_of(recorded, days)
    except (ValueError, OverflowError):
        return ""
    left = (until - now).days
    when = (
        _("{days} left").format(days=counted(left, "day"))
        if left > 0
        else _("within a day")
        if until > now
        else _("due now")
    )
    return _("{recorded}, kept until {until}, {when}").format(
        recorded=written(recorded.isoformat()), until=written(until.isoformat()), when=when
    )


async def _next(context: Context, path: Mapping[str, str], days: int | None, now: datetime) -> list[str]:
    query = {"sortField": "date", "sortOrder": 1, "limit": _NEXT, "offset": 0}
    body = await context.workspace.read("list_recordings", path, query)
    rows = body.get("data") if isinstance(body, dict) else None
    return [f"  {retention_text(row, days, now)}" for row in rows or () if isinstance(row, Mapping)] or [_("  none")]


ANY_TIME = _("any time")
_DAY, _WEEK = timedelta(days=1), timedelta(weeks=1)

Days = tuple[date, date]


def _week_of(day: date) -> Days:
    monday = day - timedelta(days=day.weekday())
    return monday, monday + _WEEK - _DAY


def _month_of(day: date) -> Days:
    first = day.replace(day=1)
    return first, (first + 31 * _DAY).replace(day=1) - _DAY


#: Name -> first and last day, counted from today. Weeks start on Monday.
PERIODS: Mapping[str, Callable[[date], Days]] = {
    "today": lambda today: (today, today),
    "yesterday": lambda today: (today - _DAY, today - _DAY),
    "this week": _week_of,
    "last week": lambda today: _week_of(today - _WEEK),
    "last 7 days": lambda today: (today - 6 * _DAY, today),
    "this month": _month_of,
    "last month": lambda today: _month_of(today.replace(day=1) - _DAY),
    "last 30 days": lambda today: (today - 29 * _DAY, today),
}


def within(first: date, last: date) -> dict[str, str]:
    """The query for two days and all days between, in local time."""
    start = datetime.combine(first, time.min).astimezone(UTC)
    end = datetime.combine(last + _DAY, time.min).astimezone(UTC) - timedelta(milliseconds=1)
    return {"fromDate": _stamp(start), "toDate": _stamp(end)}


def _stamp(moment: datetime) -> str:
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")
