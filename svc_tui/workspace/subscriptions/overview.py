"""What ends, renews or runs out of licences soon, across all companies that the caller manages, as one list."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, date, datetime
from typing import Any

from svc_tui.cache.shapes import PAGE, Row
from svc_tui.workspace.lists.listing import FRESH_SECONDS, Listing, Source
from svc_tui.workspace.lists.ordering import ordered
from svc_tui.workspace.lists.source import LARGEST, ListSource, NotRead

#: How far it looks ahead when nothing is said, in days.
DAYS = 90
ENDS, RENEWS, RUNS_OUT = "ends", "renews", "runs out"
#: A subscription runs out of licences when so many of ten are assigned.
_NEARLY_ALL = 9
#: Seconds for which what was read counts as new when everything is to be read anew.
_NOTHING_IS = -1.0
#: What has no end any more, or never began.
_OVER = ("terminated", "terminating", "failed")
_RENEWALS = ("autoRenew", "autoRenewOneTime", "autoRenewToMonthly")


def reasons(subscription: Mapping[str, Any], today: date, days: int) -> list[str]:
    """Why somebody should look at a subscription within so many days; empty when nobody need."""
    if subscription.get("status") in _OVER:
        return []
    found = []
    left = days_left(subscription, today)
    if left is not None and left <= days:
        found.append(RENEWS if any(subscription.get(wire) for wire in _RENEWALS) else ENDS)
    bought, used = subscription.get("maxNumberUsers"), subscription.get("numberAssignedUsers") or 0
    counted = isinstance(bought, int) and isinstance(used, int) and subscription.get("businessModel") == "nb_users"
    if bought and counted and used * 10 >= bought * _NEARLY_ALL:
        found.append(RUNS_OUT)
    return found


def days_left(subscription: Mapping[str, Any], today: date) -> int | None:
    """Days until it ends, negative when that is over; None where it has no end, or one that cannot be read."""
    try:
        return (date.fromisoformat(str(subscription.get("expirationDate"))[:10]) - today).days
    except ValueError:
        return None


def rows_of(companies: Iterable[Row], today: date, days: int) -> Iterator[Row]:
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
    """Made of the companies' list, which is read whole: from the cache at once, then from the service.

    `sort` is a field of its rows; without one what is nearest comes first, and what only runs out of licences last.
    """

    def __init__(
        self,
        source: ListSource,
        days: int = DAYS,
        picks: Callable[[Row], bool] | None = None,
        sort: str = "",
        descending: bool = False,
        fresh_seconds: float = FRESH_SECONDS,
    ) -> None:
        super().__init__(source, fresh_seconds)
        self._days, self._wants, self._sort, self._descending = days, picks, sort, descending
        self._rows: Sequence[Row] = ()
        self._fetched: float | None = None
        self._live = self._asking = False
        self._again = self._forced = False
        self._scan: asyncio.Task[None] | None = None
        self._told = self._status()

    @property
    def kind(self) -> str:
        return "overview"

    @property
    def of(self) -> int | None:
        return self.total

    @property
    def loaded(self) -> int:
        return len(self._rows)

    @property
    def source(self) -> Source:
        return "none" if self._fetched is None else "live" if self._live else "cache"

    def row(self, index: int) -> Row | None:
        return self._rows[index] if 0 <= index < len(self._rows) else None

    def index_of(self, record_id: str) -> int | None:
        return next((index for index, row in enumerate(self._rows) if row.get("id") == record_id), None)

    def want(self, first: int, last: int) -> None:
        self._schedule()

    def peek(self, first: int = 0, last: int = PAGE - 1) -> bool:
        kept = self._source.peek(range(LARGEST // PAGE))
        if kept.total is not None and kept.total <= sum(len(page.rows) for page in kept.pages.values()):
            companies = [row for number in sorted(kept.pages) for row in kept.pages[number].rows]
            self._take(companies, min((page.fetched for page in kept.pages.values()), default=None), live=False)
        return self._fetched is not None

    def invalidate(self) -> None:
        self._again = self._forced = True
        self._schedule()

    def resume(self) -> None:
        if self.trouble or not self._live:
            self._again = True
            self._schedule()

    def reset(self) -> None:
        self._rows, self._fetched, self.total, self.trouble, self._live = (), None, None, "", False
        self._tell(None)
        self.invalidate()

    def record_changed(self, record_id: str, record: Row | None) -> None:
        self.invalidate()

    def record_gone(self, record_id: str) -> None:
        self.invalidate()

    def shown(self) -> Iterable[Row]:
        return self._rows

    async def rows(self) -> AsyncIterator[Row]:
        companies = [company async for company in self._source.all_rows(self._fresh)]
        for row in self._made(companies):
            yield row

    async def ids(self) -> AsyncIterator[str]:
        async for row in self.rows():
            yield str(row.get("id") or "")

    def _oldest(self) -> float | None:
        return self._fetched

    def _asks(self) -> bool:
        return self._asking

    def _turn(self) -> None:
        scanning = self._scan is not None and not self._scan.done()
        if (self._again or self._scan is None) and not scanning:
            forced, self._again, self._forced = self._forced, False, False
            self._scan = self._start(self._look_through(_NOTHING_IS if forced else self._fresh))

    async def _look_through(self, fresh_seconds: float) -> None:
        if self._fetched is None:
            self.peek()
        if (obstacle := self._source.obstacle(self._fetched is not None)) is not None:
            self.trouble = obstacle
            self._tell()
            return
        self._asking = True
        self._tell()
        try:
            companies = [company async for company in self._source.all_rows(fresh_seconds)]
        except NotRead as problem:
            self.trouble = self._source.sentence_of(problem, self._fetched is not None)
        else:
            # Without the service the whole list may still have come, out of the cache.
            self.trouble = self._source.obstacle(True) or _untold(companies)
            now = self._source.now() if not self.trouble else self._fetched
            self._take(companies, now, live=not self.trouble)
        finally:
            self._asking = False
            if self._again:
                self._schedule()
            self._tell()

    def _take(self, companies: Sequence[Row], fetched: float | None, *, live: bool) -> None:
        rows = self._made(companies)
        changed = self.total is None or rows != self._rows
        self._rows, self.total, self._fetched, self._live = rows, len(rows), fetched, live
        if changed:
            self._tell(None)

    def _made(self, companies: Iterable[Row]) -> list[Row]:
        today = datetime.fromtimestamp(self._source.now(), UTC).date()
        found = [row for row in rows_of(companies, today, self._days) if self._wants is None or self._wants(row)]
        found = ordered(ordered(found, "companyName"), "daysLeft")
        return ordered(found, self._sort, descending=self._descending) if self._sort else found


def _untold(companies: Sequence[Row]) -> str:
    """Why nothing can be said, where companies do not tell what they subscribed; empty when they do."""
    silent = bool(companies) and not any("subscriptions" in company for company in companies)
    return "Your role does not see what companies subscribed." if silent else ""
