"""An invoicing file as tables: totals by customer, totals by service, and its lines."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import partial
from typing import IO, Any

from textual import on, work
from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import Static

from svc_tui.client.errors import ServiceError
from svc_tui.console.core.places import Place
from svc_tui.console.core.resource import Resource
from svc_tui.console.dialogs.save import PROGRESS_INTERVAL, progress
from svc_tui.console.terminal.text import safe_text
from svc_tui.console.views.raw import TextView
from svc_tui.console.views.rows_view import RowsView
from svc_tui.console.widgets.bars import Piece
from svc_tui.console.widgets.formatting import NOTHING
from svc_tui.console.widgets.list.columns import Column
from svc_tui.console.widgets.list.messages import Moved, Opened
from svc_tui.console.widgets.list.record_list import RecordList
from svc_tui.interface.data import RecordData
from svc_tui.interface.money import written
from svc_tui.interface.texts import counted
from svc_tui.language import _, number_text
from svc_tui.workspace.core.service import ReadError
from svc_tui.workspace.files.downloads import TimedSink, unnamed_file
from svc_tui.workspace.invoices.comparison import number
from svc_tui.workspace.invoices.lines import (
    AMOUNTS,
    VOLUME,
    FileLines,
    InvoiceFileError,
    Summary,
    Total,
    Totals,
    summarise,
)
from svc_tui.workspace.workspace import Workspace

PAGES = BY_CUSTOMER, BY_SERVICE, LINES = _("by customer"), _("by service"), _("lines")
#: Columns of a line, where the file has them, with their widths.
_LINE = {
    "endCustomerCompanyName": ("CUSTOMER", 18, 3),
    "svcServiceDescription": ("SERVICE", 16, 3),
    "volume": ("VOLUME", 8, 0),
    "unit": ("UNIT", 6, 0),
    "currency": ("CUR", 3, 0),
    "bp1TNetTotalValue": ("PARTNER", 10, 0),
    "endCustomerNetTotalValue": (_("CUSTOMER NET"), 12, 0),
    "subscriptionReference": ("SUBSCRIPTION", 12, 1),
}
_NUMBERS = ("volume", *AMOUNTS)
#: The mark of a total in which amounts are missing.
INCOMPLETE = " ?"
#: The number of columns from a file without any of those.
_MOST_OTHERS = 6


class InvoiceFileView(RowsView):
    """Downloads the file into a temporary folder, adds it up, and shows it page by page."""

    kind = "report"
    DEFAULT_CSS = """
    InvoiceFileView { layout: vertical; }
    InvoiceFileView #totals { height: auto; max-height: 4; padding: 0 1; }
    InvoiceFileView RecordList { height: 1fr; }
    """

    def __init__(self, place: Place, resource: Resource, workspace: Workspace, known: RecordData | None) -> None:
        super().__init__(place, resource)
        self._workspace, self._known = workspace, known
        self._file: IO[bytes] | None = None
        self._flow: TimedSink | None = None
        self._summary: Summary | None = None
        self._rows: dict[str, Totals | FileLines] = {}
        self._counted = 0
        self.error_message = ""
        self.page_name = PAGES[0]
        self._left = False

    def compose(self) -> ComposeResult:
        yield Static(id="totals")
        yield RecordList((Column(field="name", title=""),), empty=_("No lines."))

    def on_mount(self) -> None:
        self._watch = self.set_interval(PROGRESS_INTERVAL, self.notify_changed, pause=True)
        self.refresh_now()

    @property
    def crumb(self) -> str:
        return str(self.record.get("filename") or self.place.record_id)

    @property
    def record(self) -> RecordData:
        """The known fields of the file; at least its path."""
        return self._known or {"filepath": self.place.record_id}

    @property
    def ready(self) -> bool:
        return self._summary is not None or bool(self.error_message)

    @property
    def line(self) -> RecordData | None:
        """The line under the cursor on the page of lines."""
        return self.records.cursor_row if self.page_name == LINES and self._summary is not None else None

    @property
    def totals(self) -> Totals | None:
        """The totals on the current page; None on the page of lines, and before they are counted."""
        rows = self._rows.get(self.page_name)
        return rows if isinstance(rows, Totals) else None

    def line_view(self) -> TextView:
        """The line under the cursor: its filled columns, and on the next page all columns."""
        line = self.line or {}
        columns = [(name, f"{name:<26} {value}") for name, value in line.items() if name != "id"]
        pages = {
            _("Filled columns"): "\n".join(text for name, text in columns if str(line[name]).strip()),
            _("All columns"): "\n".join(text for _, text in columns),
        }
        return TextView(self.place, None, _("Line {id}").format(id=line.get("id")), pages)

    # --- reading -----------------------------------------------------------------------------------------------

    @work(exclusive=True, group="load", exit_on_error=False)
    async def _load(self) -> None:
        try:
            folder = self._workspace.folders.cache_of(self._workspace.profile.name)
            self._file = await asyncio.to_thread(unnamed_file, folder)
            self._flow = TimedSink(self._file)
            path = {"invoicePath": str(self.record.get("filepath") or "")}
            await self._workspace.download("download_invoice_file", path, self._flow)
            to_interface = self._workspace.client.brand.interface_name if self._workspace.client else str
            self._summary = await asyncio.to_thread(summarise, self._file, to_interface, self._count)
        except (ServiceError, InvoiceFileError, ReadError) as error:
            self.error_message = str(error)
        except (OSError, ValueError) as error:
            self.error_message = _("The file could not be stored on this machine: {error}.").format(error=error)
        self._show()

    def _count(self, lines: int) -> None:
        """Report the number of added lines, in another thread, which ends when the view is closed."""
        self._counted = lines
        if self._left:
            raise InvoiceFileError(_("The view is closed."))

    def _show(self) -> None:
        if not self.is_attached:
            return
        self._watch.pause()
        summary = self._summary
        if summary is not None and self._file is not None:
            self._rows = {
                BY_CUSTOMER: Totals(summary.customers),
                BY_SERVICE: Totals(summary.services),
                LINES: FileLines(self._file, summary),
            }
            totals = "\n".join(_sentence(total) for total in summary.currencies)
            self.query_one("#totals", Static).update(Content(totals))
            self._show_page(PAGES[0])
        else:
            self.records.awaited = self.error_message
            self.records.refresh()
        self.notify_changed()

    # --- pages -------------------------------------------------------------------------------------------------

    def next_pane(self) -> None:
        if self._summary is not None:
            self._show_page(PAGES[(PAGES.index(self.page_name) + 1) % len(PAGES)])
            self.notify_changed()

    def _show_page(self, page: str) -> None:
        assert self._summary is not None
        self.page_name = page
        self.records.set_columns(line_columns(self._summary) if page == LINES else _totals(page))
        self.records.set_rows(self._rows[page])
        self.records.home()

    def status(self) -> Sequence[Piece]:
        if self.error_message:
            return [Piece(f" {safe_text(self.error_message).text}", "bad")]
        if self._summary is None:
            flow = self._flow
            if self._counted:
                return [Piece(_(" adding up: {lines}").format(lines=counted(self._counted, "line")))]
            return [
                Piece(
                    _(" loading…   {progress}").format(progress=progress(flow))
                    if flow is not None and flow.received
                    else _(" loading…")
                )
            ]
        pieces = [Piece(f" {counted(self._summary.lines, 'line')}   ")]
        pieces += [Piece(f"{page}  ", "accent" if page == self.page_name else "dim") for page in PAGES]
        if self._summary.unreadable:
            invalid = counted(self._summary.unreadable, "invalid amount")
            what = _(" {invalid}: totals with{mark} are incomplete").format(invalid=invalid, mark=INCOMPLETE)
            pieces.append(Piece(what, "warn"))
        return [*pieces, Piece(self.with_keys(_(" {next_pane} next")), "dim")]

    @on(Moved)
    def _moved(self) -> None:
        self.notify_changed(moved=True)

    @on(Opened)
    def _opened(self) -> None:
        self.post_message(self.ActionRequested("invoicefiles.line"))

    def refresh_now(self) -> None:
        """Download it again."""
        self._summary, self._rows, self._counted, self.error_message = None, {}, 0, ""
        self._watch.resume()
        self._load()
        self.notify_changed()

    def close(self) -> None:
        self._left = True
        super().close()
        self.workers.cancel_group(self, "load")
        if self._file is not None and self.ready:
            self._file.close()


def _sentence(total: Total) -> str:
    """The totals of the whole file in one currency."""
    listed, partner, customer = (_sum(total.amount(name), bool(total.unreadable.get(name))) for name in AMOUNTS)
    currency = safe_text(total.currency or _("(no currency)")).text
    text = _("{currency}: list {listed}, partner {partner}, customers {customer}").format(
        currency=currency, listed=listed, partner=partner, customer=customer
    )
    if not total.incomplete:
        return text
    missing = counted(total.incomplete, "amount")
    return _("{text}   incomplete: {missing} cannot be read").format(text=text, missing=missing)


def _sum(value: Any, incomplete: bool) -> str:
    """A sum; with a mark where amounts are missing in it."""
    return NOTHING if value is None else f"{written(value)}{INCOMPLETE * incomplete}"


def _money(name: str, value: Any, record: RecordData) -> str:
    return _sum(value, name in record["incomplete"])


def _volume(value: Any, record: RecordData) -> str:
    if value is None:
        return NOTHING
    return f"{number(value)}{INCOMPLETE * (VOLUME in record['incomplete'])} {record.get('unit') or ''}".rstrip()


def _totals(page: str) -> tuple[Column, ...]:
    volume = Column(field="volume", title="VOLUME", width=12, align="right", format=_volume)
    titles = (_("LIST PRICE"), "PARTNER", "CUSTOMER")
    return (
        Column(field="name", title="SERVICE" if page == BY_SERVICE else "CUSTOMER", width=14, flex=3),
        Column(field="currency", title="CUR", width=3),
        Column(
            field="lines",
            title="LINES",
            width=7,
            align="right",
            priority=2,
            format=lambda value, row: number_text(value),
        ),
        *((volume,) if page == BY_SERVICE else ()),
        *(
            Column(
                field=name,
                title=title,
                width=12,
                align="right",
                format=partial(_money, name),
                priority=int(name == AMOUNTS[0]),
            )
            for name, title in zip(AMOUNTS, titles, strict=True)
        ),
    )


def line_columns(summary: Summary) -> tuple[Column, ...]:
    """The columns of lines: the known ones, or the first ones of the file."""
    found = [name for name in _LINE if name in summary.columns]
    if not found:
        return tuple(
            Column(field=name.replace(".", "_"), title=name.upper(), width=10, flex=1, of=partial(_of, name))
            for name in summary.columns[:_MOST_OTHERS]
        )
    return tuple(
        Column(
            field=name,
            title=_LINE[name][0],
            width=_LINE[name][1],
            flex=_LINE[name][2],
            align="right" if name in _NUMBERS else "left",
            priority=place,
        )
        for place, name in enumerate(found)
    )


def _of(name: str, row: RecordData) -> Any:
    return row.get(name)
