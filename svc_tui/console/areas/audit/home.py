"""The audit log at a glance: the latest changes; logins, failed logins and changes of the last days."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from svc_tui.console.areas.audit.resource import KIND, changes, record_name
from svc_tui.console.core.glance import DAYS, GlanceRow
from svc_tui.console.core.home import SharedReads
from svc_tui.console.core.places import Link, Place
from svc_tui.console.terminal.text import safe_text
from svc_tui.interface.audit.record_kinds import RECORD_KINDS
from svc_tui.language import _, local_moment, number_text, short_day_text

#: The most entries that are read, and the most changes that are shown.
MOST, SHOWN = 200, 60
#: Entries that change nothing.
_LOGINS, _FAILURES = ("login",), ("failed login", "lock", "attempt")
_DONE = {"create": _("created"), "update": _("changed"), "delete": _("deleted"), "perform": _("done")}


async def recent_changes(reads: SharedReads) -> Sequence[GlanceRow]:
    """The latest changes of records, by the user and by others."""
    now = datetime.fromtimestamp(reads.workspace.now(), UTC)
    own = reads.workspace.caller.user_id if reads.workspace.caller else ""
    entries, __ = await _entries(reads)
    found = [each for each in entries if each.get("action") in _DONE]
    return [
        GlanceRow(
            _what(each),
            _who(each, own),
            Link(Place((KIND, str(each.get("id"))))),
            lead=_when(str(each.get("date") or ""), now),
        )
        for each in found[:SHOWN]
    ]


async def logins(reads: SharedReads) -> Sequence[GlanceRow]:
    """The logins, failed logins and changes of each of the last days; none if not even yesterday is known."""
    now = datetime.fromtimestamp(reads.workspace.now(), UTC)
    entries, since = await _entries(reads)
    if since >= f"{now - timedelta(days=1):%Y-%m-%d}":
        return []
    return [
        _counted(_("Logins"), entries, since, _LOGINS, now),
        _counted(_("Failed logins"), entries, since, _FAILURES, now),
        _counted(_("Changes"), entries, since, tuple(_DONE), now),
    ]


def _counted(
    label: str, entries: Sequence[Mapping[str, Any]], since: str, actions: Sequence[str], now: datetime
) -> GlanceRow:
    """Whole days only, the last one is yesterday: today's number would change with each login."""
    counts = Counter(str(each.get("date"))[:10] for each in entries if each.get("action") in actions)
    dates = [f"{now - timedelta(days=back):%Y-%m-%d}" for back in range(DAYS, 0, -1)]
    # What happened up to the oldest entry that was read is not known, which is not nothing.
    days = tuple(counts[date] if date > since else None for date in dates)
    style = "warn" if actions is _FAILURES and days[-1] else ""
    return GlanceRow(
        label, number_text(days[-1] or 0), Link(Place((KIND,))), days=days, newest=_("yesterday"), style=style
    )


async def _entries(reads: SharedReads) -> tuple[list[Mapping[str, Any]], str]:
    """The newest entries of requests, the same ones for all that one visit shows; and the day of the oldest one.

    That day was not read as a whole; it is empty if there are no more entries.
    """
    # Jobs of the service write so often that what users did would soon be among none of the newest entries.
    query = {"format": "full", "byRequest": True, "limit": MOST, "offset": 0}
    body = await reads.read("list_audit_records", {}, query)
    entries = list(body.get("data") or ())
    return entries, str(entries[-1].get("date"))[:10] if len(entries) < int(body.get("total") or 0) else ""


def _when(iso: str, now: datetime) -> str:
    """The time of an entry of today, the day of an older one; an age would change while nothing happens."""
    local = local_moment(iso)
    if local is None:
        return ""
    return f"{local:%H:%M}" if local.date() == now.astimezone().date() else short_day_text(local.date().isoformat())


def _who(entry: Mapping[str, Any], own: str) -> str:
    """Who changed it: you, the beginning of a login, or a job of the service."""
    if own and entry.get("userId") == own:
        return _("you")
    who = str(entry.get("loginEmail") or entry.get("job") or "").partition("@")[0]
    return safe_text(who or ", ".join(map(str, entry.get("roles") or ()))).text


def _what(entry: Mapping[str, Any]) -> str:
    """The record, and what was done with it."""
    kind, fields = str(entry.get("kind") or ""), changes(list(entry.get("changes") or ()))
    done = ", ".join(fields) if entry.get("action") == "update" and fields else _DONE[str(entry.get("action"))]
    named = (
        f"{record_name(entry)} ({_(RECORD_KINDS.get(kind, kind))})" if entry.get("recordName") else record_name(entry)
    )
    return safe_text(f"{named}: {done}").text
