"""The report on an import or on a check by a command: its progress, its counts, and the result of each row."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from textual import work
from textual.app import ComposeResult

from svc_tui.console.core.places import Place
from svc_tui.console.core.resource import Resource
from svc_tui.console.views.sheet_view import SheetView
from svc_tui.console.widgets.bars import Piece
from svc_tui.console.widgets.formatting import written
from svc_tui.console.widgets.sheet import Sheet
from svc_tui.console.widgets.sheet_lines import Line, safe
from svc_tui.interface.data import RecordData
from svc_tui.interface.texts import counted
from svc_tui.language import _, number_text
from svc_tui.workspace.core.events import Event, SessionChanged
from svc_tui.workspace.core.service import ReadError
from svc_tui.workspace.directory.check_run import CommandEnd
from svc_tui.workspace.directory.reports import (
    ReportSource,
    entries_of,
    failure_reason,
    in_progress,
    problems_of,
    report_in,
    sorted_entries,
    succeeded,
)
from svc_tui.workspace.workspace import Workspace

#: The values of a report that are shown, with their labels.
LABELS = {
    "state": _("State"),
    "status": _("Ended"),
    "label": _("Label"),
    "displayName": _("By"),
    "startTime": _("Started"),
    "created": _("Created"),
    "updated": _("Updated"),
    "deleted": _("Deleted"),
    "failed": _("Failed"),
    "okCount": _("Correct"),
    "errorCount": _("With errors"),
    "details": _("Details"),
    "csvHeaders": _("Columns"),
}


class ReportView(SheetView):
    """One report. While the import is in progress, its state is refreshed; only changes are drawn."""

    kind = "report"

    def __init__(
        self, place: Place, resource: Resource, workspace: Workspace, source: ReportSource, company_id: str
    ) -> None:
        super().__init__(place, resource)
        self.source, self.company_id = source, company_id
        self.report: RecordData = {}
        #: Whether all rows are shown, or only those with errors.
        self.everything = False
        self.error_message = ""
        self._workspace = workspace
        self._forget = workspace.subscribe(self._happened)
        # Only checks of commands have an event.
        self._end = CommandEnd(workspace, source.command if source.check else "")

    def compose(self) -> ComposeResult:
        yield Sheet(label_width=14)

    def on_mount(self) -> None:
        self._draw()
        self._follow()

    @property
    def crumb(self) -> str:
        return _("Report on {name}").format(name=self.source.name)

    @property
    def record(self) -> RecordData:
        """The company of the actions."""
        return {"companyId": self.company_id}

    @property
    def ready(self) -> bool:
        return bool(self.report or self.error_message)

    @property
    def failed(self) -> Mapping[str, Any]:
        """The rows with errors, by `entryN`, without the error of the import as a whole."""
        return {
            name: entry
            for name, entry in entries_of(self.report).items()
            if isinstance(entry, Mapping) and problems_of(entry) and entry.get("csvSource") is not None
        }

    def status(self) -> Sequence[Piece]:
        if self.error_message:
            return [Piece(f" {safe(self.error_message)}", "warn")]
        if not self.report:
            return [Piece(_(" loading…"), "dim")]
        if in_progress(self.report):
            return [Piece(self.with_keys(_(" in progress; {refresh} refreshes")), "accent")]
        count = len(self.failed)
        wrong = (
            Piece(_(" {rows} with errors").format(rows=counted(count, "row")), "bad")
            if count
            else Piece(_(" no errors"), "ok")
        )
        return [
            wrong,
            Piece(
                _("   all rows")
                if self.everything
                else self.with_keys(_("   {directoryreports.everything} shows all rows")),
                "dim",
            ),
        ]

    # --- reading ------------------------------------------------------------------------------------------

    def refresh_now(self) -> None:
        self._follow()

    def take_focus(self) -> None:
        super().take_focus()
        if self.report and not in_progress(self.report):
            # The doctor may have imported failed rows.
            self._follow()

    def show_everything(self) -> None:
        """Switch between all rows and rows with errors."""
        self.everything = not self.everything
        self._follow()

    def forget(self) -> None:
        """Show that the report was deleted."""
        # The last look at an import in progress would replace the message by the service's.
        self.workers.cancel_group(self, "report")
        self._show_deleted()

    def _happened(self, event: Event) -> None:
        if isinstance(event, SessionChanged) and self.is_attached:
            self._follow()

    @work(exclusive=True, group="report", exit_on_error=False)
    async def _follow(self) -> None:
        """Read the report, and repeat until the import has ended."""
        source = self.source
        whole = source.details if self.everything else source.report
        try:
            self._take(await self._read(whole))
            while in_progress(self.report):
                await self._end.next_look()
                self._take({**self.report, **await self._read(source.status or whole)})
                if not in_progress(self.report):
                    self._take(await self._read(whole))
        except ReadError as error:
            if error.missing and self.report:
                self._show_deleted()
                return
            self.error_message = error.sentence
            self._draw()

    def _show_deleted(self) -> None:
        self.report, self.error_message = {}, _("The report was deleted.")
        self._draw()

    async def _read(self, operation_id: str) -> RecordData:
        return report_in(await self._workspace.read(operation_id, self.source.path, self.source.query))

    def _take(self, report: RecordData) -> None:
        if report != self.report or self.error_message:
            self.report, self.error_message = report, ""
            self._draw()

    # --- drawing -----------------------------------------------------------------------------------------

    def _draw(self) -> None:
        if self.is_attached:
            self.sheet.show(list(self._lines()))
            self.notify_changed()

    def _lines(self) -> Iterator[Line]:
        if not self.report:
            yield Line("text", value=safe(self.error_message or _("loading…")), style="dim")
            return
        yield Line("heading", safe(_("Import of {name}").format(name=self.source.name)))
        well = succeeded(self.report)
        for wire, label in LABELS.items():
            value = self.report.get(wire)
            if value is not None:
                style = "" if wire not in ("state", "status") or in_progress(self.report) else "ok" if well else "bad"
                yield Line("field", label, written(value), key=wire, style=style)
        if why := failure_reason(self.report):
            yield Line("field", _("No import"), safe(why), key="why", style="bad")
        yield from self._rows()

    def _rows(self) -> Iterator[Line]:
        entries = [(number, entry) for number, entry in sorted_entries(entries_of(self.report)) if number]
        if not entries:
            return
        yield Line("heading", _("All rows") if self.everything else _("Rows with errors"))
        for number, entry in entries:
            key, found = _("row {number}").format(number=number), problems_of(entry)
            for place, sentence in enumerate(found):
                column = f"{sentence['param']}  " if sentence.get("param") else ""
                value = f"  “{sentence['value']}”" if sentence.get("value") else ""
                text = safe(f"{column}{sentence.get('msg') or ''}{value}")
                yield Line(
                    "field",
                    "" if place else _("Row {number}").format(number=number_text(number)),
                    text,
                    key=key,
                    style="bad",
                )
            if not found:
                yield Line(
                    "field",
                    _("Row {number}").format(number=number_text(number)),
                    written(entry.get("status")),
                    key=key,
                    style="ok",
                )
            if entry.get("csvSource"):
                yield Line("field", "", safe(str(entry["csvSource"])), key=key, style="dim")

    def close(self) -> None:
        self._forget()
        self._end.forget()
        super().close()
