"""The rows of a report across companies as they arrive: as a list, and as a file has them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Collection, Iterable
from contextlib import aclosing
from datetime import date

from svc_tui.cache.cached import PAGE, RecordDict
from svc_tui.interface.texts import counted
from svc_tui.language import _, local_moment, number_text
from svc_tui.workspace.core.service import ReadError
from svc_tui.workspace.lists.held_rows import ordered
from svc_tui.workspace.lists.list_reader import ListReader
from svc_tui.workspace.lists.listing import Listing, ReadFrom
from svc_tui.workspace.lists.matching import Picks
from svc_tui.workspace.lists.reports import Reading, Report, ReportColumn, ReportService

#: Seconds for which a report uses what was read before, also by another console or command.
KEPT_SECONDS = 3600.0
#: Seconds between two arrangements of the rows while they arrive.
_ARRANGED = 0.25


class ReportListing(Listing):
    """The rows of a report as they arrive. What was read before a stop stays, and the next refresh continues there.

    `companies` are the IDs of those that are read, None for all. `fresh` reads everything again.
    """

    def __init__(
        self,
        reader: ListReader,
        report: Report,
        companies: Collection[str] | None = None,
        predicate: Picks | None = None,
        sort: str = "",
        descending: bool = False,
        *,
        service: ReportService,
        fresh: bool = False,
    ) -> None:
        super().__init__(reader)
        self._service = service
        self.report, self._companies, self._predicate = report, companies, predicate
        self._sort, self._descending = (sort, descending) if sort else (report.sort, report.descending)
        self._found: dict[str, RecordDict] = {}
        self._rows: list[RecordDict] = []
        self._places: dict[str, int] = {}
        self._since = reader.now() - (0 if fresh else KEPT_SECONDS)
        self._scan: asyncio.Task[None] | None = None
        self._again = self._in_progress = False
        self._arranging: asyncio.TimerHandle | None = None
        self.reading: Reading | None = None
        #: Whether all of it was read.
        self.complete = False
        #: Whether the service did not respond.
        self.unreachable = False
        self._last_status = self._status()

    @property
    def kind(self) -> str:
        return f"report-{self.report.name}"

    @property
    def unfiltered_total(self) -> int | None:
        return None if self.total is None else len(self._found)

    @property
    def loaded(self) -> int:
        return len(self._rows)

    @property
    def is_short(self) -> bool:
        # A report is not polled.
        return False

    @property
    def read_from(self) -> ReadFrom:
        oldest = self._oldest()
        return "none" if oldest is None else "cache" if self._reader.now() - oldest > 60 else "live"

    @property
    def refresh_requested(self) -> bool:
        """A reading can always be stopped: opening the report requests it."""
        return self.refreshing

    @property
    def progress(self) -> str:
        """How far the reading is: `7 of 12 parts`; empty where nothing is left."""
        if self.reading is None or self.complete:
            return ""
        done, steps = number_text(self.reading.done), number_text(self.reading.steps)
        return _("{done} of {steps} parts").format(done=done, steps=steps)

    def row(self, index: int) -> RecordDict | None:
        return self._rows[index] if 0 <= index < len(self._rows) else None

    def index_of(self, record_id: str) -> int | None:
        return self._places.get(record_id)

    def request(self, first: int, last: int) -> None:
        if self._scan is None:
            self._schedule()

    def read_cached(self, first: int = 0, last: int = PAGE - 1) -> bool:
        # The reading begins with what is in the cache.
        return False

    def invalidate(self) -> None:
        self._again = True
        self._schedule()

    def refresh(self) -> None:
        """Continue a reading that has a gap or was stopped; after a complete one, read everything again."""
        if self.complete:
            self._since, self.complete = self._reader.now(), False
        super().refresh()

    def cancel_refresh(self) -> None:
        self._again = False
        if self._scan is not None:
            self._scan.cancel()

    def resume(self) -> None:
        if not self.complete:
            self.invalidate()

    def reset(self) -> None:
        self._cancel_all()
        self._found, self.total, self.error_message, self.reading, self.complete = {}, None, "", None, False
        self._arrange()
        self.invalidate()

    def record_changed(self, record_id: str, record: RecordDict | None) -> None:
        self.invalidate()

    def record_gone(self, record_id: str) -> None:
        self.invalidate()

    def shown(self) -> Iterable[RecordDict]:
        return self._rows

    async def rows(self) -> AsyncIterator[RecordDict]:
        """The rows after the reading has ended; `complete` says whether these are all."""
        self.request(0, 0)
        await self.wait_until_idle()
        for row in list(self._rows):
            yield row

    async def ids(self) -> AsyncIterator[str]:
        async for row in self.rows():
            yield str(row["id"])

    def _oldest(self) -> float | None:
        return self.reading.oldest if self.reading is not None else None

    def _requesting(self) -> bool:
        return self._in_progress

    def _status(self) -> tuple[object, ...]:
        return (*super()._status(), self.progress)

    def _start_requests(self) -> None:
        if (self._again or self._scan is None) and (self._scan is None or self._scan.done()):
            self._again = False
            self._scan = self._start(self._read())

    async def _read(self) -> None:
        obstacle = self._reader.obstacle(bool(self._found))
        if obstacle == "":
            # The connection is not made yet: the reading begins when it is.
            return
        reading = self.reading = Reading(
            self._service,
            since=self._since,
            companies=self._companies,
            sends=obstacle is None,
            changed=self._notify,
        )
        seen: set[str] = set()
        self._in_progress, self.unreachable, self.error_message = True, False, ""
        self._notify()
        try:
            async with aclosing(self.report.read(reading)) as parts:
                async for rows in parts:
                    self._found |= {str(row["id"]): row for row in rows}
                    seen.update(str(row["id"]) for row in rows)
                    self._arrange_soon()
            self.complete = obstacle is None and not reading.gaps
            if not reading.gaps:
                self._found = {record_id: self._found[record_id] for record_id in seen}
            self.total = self.total or 0
            self.error_message = obstacle or _gaps(reading)
        except ReadError as error:
            self.unreachable = error.offline
            self.error_message = f"{error.sentence} {self._missing}".strip()
        except asyncio.CancelledError:
            self.error_message = self._missing
            raise
        finally:
            self._in_progress = False
            self._arrange()
            if self._again:
                self._schedule()

    @property
    def _missing(self) -> str:
        """What a reading that ended before its end has."""
        return _("Incomplete: {progress} were read.").format(progress=self.progress) if self._found else ""

    def _arrange_soon(self) -> None:
        if self.total is None:
            self._arrange()
        elif self._arranging is None:
            self._arranging = asyncio.get_running_loop().call_later(_ARRANGED, self._arrange)

    def _arrange(self) -> None:
        """Filter and sort the rows that arrived."""
        if self._arranging is not None:
            self._arranging.cancel()
            self._arranging = None
        try:
            rows = [row for row in self._found.values() if self._predicate is None or self._predicate(row)]
        except ReadError as error:
            # An expression of the filter that takes too long.
            rows, self.error_message = [], error.sentence
        # They arrive in any order: equal ones are sorted by company.
        rows.sort(key=lambda row: (str(row.get("companyName") or "").casefold(), str(row["id"])))
        self._rows = ordered(rows, self._sort, descending=self._descending)
        self._places = {str(row["id"]): place for place, row in enumerate(self._rows)}
        if self._found or self.total is not None:
            self.total = len(self._rows)
        self._notify(None)


class ReportFile:
    """The rows of a report as a file has them, a RowSource: with the titles of the columns, and times in the zone of
    the user. `names`: with the names of the fields and the IDs, as JSON has them."""

    def __init__(self, listing: ReportListing, *, names: bool = False) -> None:
        self._listing, self._names = listing, names
        self._columns = listing.report.columns

    @property
    def columns(self) -> list[str]:
        """The headings; a number has its unit."""
        return [f"{each.title} ({each.unit})" if each.unit else each.title for each in self._columns]

    async def rows(self) -> AsyncIterator[RecordDict]:
        """The rows. Times are moments without a zone; with names, texts of ISO 8601 with the zone of the user."""
        async for row in self._listing.rows():
            if self._names:
                times = {each.field: _zoned(row.get(each.field)) for each in self._columns if each.type == "moment"}
                yield {**row, **times}
            else:
                values = (_typed(each, row.get(each.field)) for each in self._columns)
                yield dict(zip(self.columns, values, strict=True))


def _zoned(value: object) -> object:
    local = local_moment(value) if isinstance(value, str) else None
    return value if local is None else local.isoformat(timespec="seconds")


def _typed(column: ReportColumn, value: object) -> object:
    """A value of a column for a file: a moment in the zone of the user, a day, or the value itself."""
    if not isinstance(value, str) or column.type not in ("moment", "day"):
        return value
    local = local_moment(value)
    try:
        if column.type == "day":
            return local.date() if local is not None else date.fromisoformat(value[:10])
    except ValueError:
        return value
    return value if local is None else local.replace(tzinfo=None, second=0, microsecond=0)


def _gaps(reading: Reading) -> str:
    """What could not be read, with the first reason; empty without gaps."""
    if not reading.gaps:
        return ""
    name, reason = next(iter(reading.gaps.items()))
    amount = counted(len(reading.gaps), "part")
    return _("Incomplete: {amount} not read. {name}: {reason}").format(amount=amount, name=name, reason=reason)
