"""Subscriptions that end, renew or run out of licences soon, across all companies of the caller, as one list; and which
ones of a company need attention, and why (2.10, 3, 4.6).
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, date, datetime, timedelta
from typing import Any

from svc_tui.cache.cached import PAGE, RecordDict
from svc_tui.interface.data import RecordData
from svc_tui.interface.dates import moment
from svc_tui.interface.errors import Effect, Finding
from svc_tui.interface.subscriptions.descriptions import runs_out
from svc_tui.interface.texts import counted
from svc_tui.language import _, number_text
from svc_tui.workspace.core.service import LARGEST_REQUEST, ReadError
from svc_tui.workspace.lists.expressions import TooSlow
from svc_tui.workspace.lists.held_rows import ordered
from svc_tui.workspace.lists.list_reader import ListReader
from svc_tui.workspace.lists.listing import FRESH_SECONDS, Listing, ReadFrom

#: Default period, in days.
DAYS = 90
#: Calendar periods; what ends within one is due in it.
PERIODS = {
    "month": _("This month"),
    "next_month": _("Up to the end of next month"),
    "quarter": _("This quarter"),
    "next_quarter": _("Up to the end of next quarter"),
    "year": _("This year"),
}
ENDS, RENEWS, RUNS_OUT = _("ends"), _("renews"), _("runs out")
#: Age in seconds below which cached pages count as fresh when everything is to be read again: none does.
_NEVER_FRESH = -1.0
#: Statuses of subscriptions that are over, or never began.
OVER = ("terminated", "terminating", "failed")
_RENEWALS = ("autoRenew", "autoRenewOneTime", "autoRenewToMonthly")


def days_of_period(period: str, today: date) -> int:
    """How many days ahead a period of `PERIODS` ends, or the days that it names; DAYS for another text."""
    months = {"month": 1, "quarter": 3, "year": 12}.get(period.removeprefix("next_"))
    if months is None:
        return int(period) if period.isdecimal() else DAYS
    passed = (today.month - 1) // months + (2 if period.startswith("next_") else 1)
    year, month = divmod(passed * months, 12)
    return (date(today.year + year, month + 1, 1) - today).days - 1


def reasons(subscription: Mapping[str, Any], today: date, days: int) -> list[str]:
    """Reasons to check a subscription within this number of days; empty without any."""
    if subscription.get("status") in OVER:
        return []
    found = []
    left = days_left(subscription, today)
    if left is not None and left <= days:
        found.append(RENEWS if any(subscription.get(wire) for wire in _RENEWALS) else ENDS)
    if runs_out(subscription):
        found.append(RUNS_OUT)
    return found


def days_left(subscription: Mapping[str, Any], today: date) -> int | None:
    """Days until the end, negative after it; None where it has no end, or an invalid one."""
    try:
        return (date.fromisoformat(str(subscription.get("expirationDate"))[:10]) - today).days
    except ValueError:
        return None


def rows_of(companies: Iterable[RecordDict], today: date, days: int) -> Iterator[RecordDict]:
    """The subscriptions of companies that matter, each with its company's name, why, and how many days are left."""
    for company in companies:
        held = company.get("subscriptions")
        for each in held if isinstance(held, list) else ():
            if isinstance(each, Mapping) and (why := reasons(each, today, days)):
                yield {
                    **each,
                    "companyId": company.get("id"),
                    "companyName": company.get("name"),
                    "why": ", ".join(why),
                    "daysLeft": days_left(each, today),
                }


class OverviewListing(Listing):
    """Derived from the list of companies, which is read whole: from the cache immediately, then from the service.

    `sort` is a field of its rows; by default the next to end comes first, and those that only run out of licences last.
    """

    def __init__(
        self,
        reader: ListReader,
        days: int = DAYS,
        predicate: Callable[[RecordDict], bool] | None = None,
        sort: str = "",
        descending: bool = False,
        fresh_seconds: float = FRESH_SECONDS,
    ) -> None:
        super().__init__(reader, fresh_seconds)
        self._days, self._predicate, self._sort, self._descending = days, predicate, sort, descending
        self._rows: Sequence[RecordDict] = ()
        self._fetched: float | None = None
        self._companies = 0
        self._live = self._request_in_progress = False
        self._rescan = self._rescan_all = False
        self._scan: asyncio.Task[None] | None = None
        self._last_status = self._status()

    @property
    def kind(self) -> str:
        return "overview"

    @property
    def unfiltered_total(self) -> int | None:
        return self.total

    @property
    def is_short(self) -> bool:
        return self._companies <= LARGEST_REQUEST

    @property
    def loaded(self) -> int:
        return len(self._rows)

    @property
    def read_from(self) -> ReadFrom:
        return "none" if self._fetched is None else "live" if self._live else "cache"

    def row(self, index: int) -> RecordDict | None:
        return self._rows[index] if 0 <= index < len(self._rows) else None

    def index_of(self, record_id: str) -> int | None:
        return next((index for index, row in enumerate(self._rows) if row.get("id") == record_id), None)

    def request(self, first: int, last: int) -> None:
        self._schedule()

    def read_cached(self, first: int = 0, last: int = PAGE - 1) -> bool:
        cached = self._reader.read_cached(range(LARGEST_REQUEST // PAGE))
        if cached.total is not None and cached.total <= sum(len(page.rows) for page in cached.pages.values()):
            companies = [row for number in sorted(cached.pages) for row in cached.pages[number].rows]
            with suppress(TooSlow):  # The list that is read from the service shows the sentence.
                self._take(companies, min((page.fetched for page in cached.pages.values()), default=None), live=False)
        return self._fetched is not None

    def invalidate(self) -> None:
        self._rescan = self._rescan_all = True
        self._schedule()

    def cancel_refresh(self) -> None:
        if self._scan is not None:
            self._scan.cancel()

    def resume(self) -> None:
        if self.error_message or not self._live:
            self._rescan = True
            self._schedule()

    def reset(self) -> None:
        self._cancel_all()
        self._rows, self._fetched, self.total, self.error_message, self._live = (), None, None, "", False
        self._notify(None)
        self.invalidate()

    def record_changed(self, record_id: str, record: RecordDict | None) -> None:
        self.invalidate()

    def record_gone(self, record_id: str) -> None:
        self.invalidate()

    def shown(self) -> Iterable[RecordDict]:
        return self._rows

    async def rows(self) -> AsyncIterator[RecordDict]:
        companies = [company async for company in self._reader.all_rows(self._fresh)]
        for row in self._derived(companies):
            yield row

    async def ids(self) -> AsyncIterator[str]:
        async for row in self.rows():
            yield str(row.get("id") or "")

    def _oldest(self) -> float | None:
        return self._fetched

    def _requesting(self) -> bool:
        return self._request_in_progress

    def _start_requests(self) -> None:
        scanning = self._scan is not None and not self._scan.done()
        if (self._rescan or self._scan is None) and not scanning:
            forced, self._rescan, self._rescan_all = self._rescan_all, False, False
            self._scan = self._start(self._scan_companies(_NEVER_FRESH if forced else self._fresh))

    async def _scan_companies(self, fresh_seconds: float) -> None:
        if self._fetched is None:
            self.read_cached()
        if (obstacle := self._reader.obstacle(self._fetched is not None)) is not None:
            self.error_message = obstacle
            self._notify()
            return
        self._request_in_progress = True
        self._notify()
        try:
            companies = [company async for company in self._reader.all_rows(fresh_seconds)]
            # While offline the whole list may still come from the cache.
            self.error_message = self._reader.obstacle(True) or _missing_permission(companies)
            now = self._reader.now() if not self.error_message else self._fetched
            self._take(companies, now, live=not self.error_message)
        except ReadError as error:
            self.error_message = self._reader.error_sentence(error, self._fetched is not None)
        finally:
            self._request_in_progress = False
            if self._rescan:
                self._schedule()
            self._notify()

    def _take(self, companies: Sequence[RecordDict], fetched: float | None, *, live: bool) -> None:
        rows = self._derived(companies)
        self._companies = len(companies)
        changed = self.total is None or rows != self._rows
        self._rows, self.total, self._fetched, self._live = rows, len(rows), fetched, live
        if changed:
            self._notify(None)

    def _derived(self, companies: Iterable[RecordDict]) -> list[RecordDict]:
        today = datetime.fromtimestamp(self._reader.now(), UTC).date()
        found = [
            row for row in rows_of(companies, today, self._days) if self._predicate is None or self._predicate(row)
        ]
        found = ordered(ordered(found, "companyName"), "daysLeft")
        return ordered(found, self._sort, descending=self._descending) if self._sort else found


def _missing_permission(companies: Sequence[RecordDict]) -> str:
    """Why the list is empty where companies have no subscriptions field; empty when they have one."""
    hidden = bool(companies) and not any("subscriptions" in company for company in companies)
    return _("Your role cannot see the subscriptions of companies.") if hidden else ""


SUBSCRIPTION, LICENCES = _("Subscription"), _("Licences")
#: A new subscription that is not confirmed after this time has probably stopped in the billing systems.
LONG = timedelta(days=1)
#: Status -> what it means, and its effect.
STATES: dict[str, tuple[str, Effect]] = {
    "failed": (_("rejected by the billing systems"), "prevents"),
    "hold": (_("on hold"), "limits"),
    "alerting": (_("in alert"), "limits"),
    "unknown": (_("its status is unknown"), "limits"),
    "terminating": (_("is being terminated"), "notes"),
}


def subscription_findings(subscriptions: Iterable[RecordData], now: datetime) -> Iterator[Finding]:
    """All findings about the subscriptions of a company."""
    for each in subscriptions:
        yield from _status(each, now)
        yield from _due(each, now.date())


def _status(subscription: RecordData, now: datetime) -> Iterator[Finding]:
    status = str(subscription.get("status") or "")
    if status in STATES:
        means, effect = STATES[status]
        yield _finding(subscription, means, effect, "status", "3")
    created = subscription.get("creationDate")
    if status == "creating" and created and now - moment(str(created)) > LONG:
        days = (now - moment(str(created))).days
        yield _finding(
            subscription, _("not confirmed for {days}").format(days=counted(days, "day")), "limits", "syncOngoing", "3"
        )
    elif subscription.get("syncOngoing"):
        yield _finding(subscription, _("synchronising, changes are blocked"), "notes", "syncOngoing", "4.6")


def _due(subscription: RecordData, today: date) -> Iterator[Finding]:
    found, left = reasons(subscription, today, DAYS), days_left(subscription, today)
    when = _("today") if left == 0 else _("in {left} d").format(left=left) if left and left > 0 else _("now")
    if ENDS in found:
        yield _finding(
            subscription, _("ends {when}, without renewal").format(when=when), "limits", "expirationDate", "4.6"
        )
    elif RENEWS in found:
        yield _finding(subscription, _("renews {when}").format(when=when), "notes", "expirationDate", "4.6")
    if RUNS_OUT in found:
        bought, used = subscription["maxNumberUsers"], subscription.get("numberAssignedUsers") or 0
        effect: Effect = "limits" if used >= bought else "notes"
        sentence = _("{used} of {bought} licences are assigned").format(
            used=number_text(used), bought=number_text(bought)
        )
        yield _finding(subscription, sentence, effect, "maxNumberUsers", "2.10", LICENCES)


def _finding(
    subscription: RecordData, means: str, effect: Effect, field: str, rule: str, about: str = SUBSCRIPTION
) -> Finding:
    name = str(subscription.get("offerName") or "?")
    record_id = str(subscription.get("id") or "")
    return Finding(about, f"“{name}”: {means}.", effect, "subscriptions", field, rule, record_id=record_id)
