"""The place of directory imports, with the last import of a company and your last import."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.timer import Timer

from svc_tui.console.areas.directory.report_view import LABELS
from svc_tui.console.core.places import Place
from svc_tui.console.core.resource import Resource, managed
from svc_tui.console.views.sheet_view import SheetView
from svc_tui.console.widgets.bars import Piece
from svc_tui.console.widgets.formatting import written
from svc_tui.console.widgets.sheet import Sheet
from svc_tui.console.widgets.sheet_lines import Line, safe, wrapped
from svc_tui.interface.data import RecordData
from svc_tui.language import _
from svc_tui.workspace.core.events import SessionChanged
from svc_tui.workspace.directory.import_run import POLL_SECONDS
from svc_tui.workspace.directory.reports import in_progress
from svc_tui.workspace.directory.target import company_operation

if TYPE_CHECKING:
    from svc_tui.workspace.core.events import Event
    from svc_tui.workspace.lists.open_record import OpenRecord
    from svc_tui.workspace.workspace import Workspace

#: The ID in a place for the caller's own company.
OWN = "own"
#: The text for a directory without a report.
NOTHING_YET = _("Nothing has been imported yet.")
_SHOWN = ("state", "label", "displayName", "startTime", "created", "updated", "deleted", "failed")


class DirectoryView(SheetView):
    """The last import of a company and the caller's last import, as far as they can be read."""

    kind = "report"

    def __init__(self, place: Place, resource: Resource, workspace: Workspace) -> None:
        super().__init__(place, resource)
        self._workspace = workspace
        self._sources: dict[str, OpenRecord] = {}
        self._read_for = ""
        #: Runs until the next look at an import in progress; None while there is none.
        self._waiting: Timer | None = None
        self._forget = workspace.subscribe(self._happened)

    def compose(self) -> ComposeResult:
        yield Sheet(label_width=14)

    def on_mount(self) -> None:
        self._open()

    def on_resize(self) -> None:
        if self._sources:
            self._draw()

    @property
    def company_id(self) -> str:
        """The company of the directory; empty before login."""
        caller = self._workspace.caller
        above = self.place.parents.get("companies", OWN)
        return above if above != OWN else caller.company_id if caller else ""

    @property
    def record(self) -> RecordData:
        """The company of the actions."""
        return {"companyId": self.company_id}

    @property
    def nothing_yet(self) -> bool:
        """Whether there was no import yet under the cursor: the caller's own, or otherwise that of the company."""
        line = self.sheet.line
        source = self._sources.get("own" if line is not None and line.key.startswith("own.") else "last")
        return source is not None and source.missing

    @property
    def crumb(self) -> str:
        return _("Directory import")

    def status(self) -> Sequence[Piece]:
        how = (
            _(" {directory.own_file} imports a file into your own directory")
            if self._only_own
            else _(" {directory.from_file} imports a file, {directory.check_file} checks one")
        )
        return [Piece(self.with_keys(how), "dim")]

    @property
    def _only_own(self) -> bool:
        """Whether the caller may not import into the directory of the company; False until that is known."""
        caller, last = self._workspace.caller, self._sources.get("last")
        # Without a reason there is nothing to decide, and the declaration need not be loaded yet.
        if caller is None or last is None or not last.error_message:
            return False
        return not self._workspace.decide("import_directory_csv", managed(self.company_id, caller)).allowed

    def take_focus(self) -> None:
        super().take_focus()
        # An import may have ended since the last refresh.
        for source in self._sources.values():
            source.refresh_quietly()

    def refresh_now(self) -> None:
        for source in self._sources.values():
            source.refresh()

    def close(self) -> None:
        self._forget()
        for source in self._sources.values():
            source.close()
        super().close()

    def _happened(self, event: Event) -> None:
        if isinstance(event, SessionChanged) and self.is_attached:
            self._open()

    def _open(self) -> None:
        """Read the reports of the current company."""
        if self._read_for == self.company_id:
            return
        self._read_for, path = self.company_id, {"companyId": self.company_id}
        own = self._workspace.caller.company_id if self._workspace.caller else ""
        for source in self._sources.values():
            source.close()
        self._sources = {
            "company": self._workspace.record(company_operation(self.company_id, own), path=path),
            "last": self._workspace.record("get_company_import_status", path=path),
            "own": self._workspace.record("get_personal_import_status"),
        }
        for source in self._sources.values():
            source.subscribe(self._draw)
        self._draw()

    def _draw(self) -> None:
        if self.is_attached:
            self.sheet.show(list(self._lines()))
            self.notify_changed()
            if self._waiting is None and self._in_progress():
                self._waiting = self.set_timer(POLL_SECONDS, self._look_again)

    def _in_progress(self) -> list[OpenRecord]:
        """The imports in progress whose state can be read."""
        reports = (self._sources["last"], self._sources["own"])
        return [each for each in reports if each.data and not each.error_message and in_progress(each.data)]

    def _look_again(self) -> None:
        self._waiting = None
        # Below another view, the next look is when it is seen again.
        for source in self._in_progress() if self.display else ():
            source.refresh_quietly()

    def _lines(self) -> Iterator[Line]:
        company = self._sources["company"].data or {}
        called = safe(str(company.get("name") or self.company_id))
        for name, heading in (
            ("last", _("Last import of {called}").format(called=called)),
            ("own", _("Your last import")),
        ):
            yield Line("heading", heading)
            source = self._sources[name]
            # A cached report is outdated when the service has none.
            found = {} if source.missing else source.data or {}
            if not found:
                text = NOTHING_YET if source.missing else source.error_message or _("loading…")
                yield from wrapped(Line("text", value=safe(text), style="dim"), self.size.width - 2)
            for wire in _SHOWN:
                if found.get(wire) is not None:
                    yield Line("field", LABELS[wire], written(found[wire]), key=f"{name}.{wire}")
