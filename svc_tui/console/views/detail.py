"""The detail view of one record: declared fields in groups, others at the end."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from textual.app import ComposeResult

from svc_tui.console.core.places import Place
from svc_tui.console.core.record_lines import record_lines, sentence_lines
from svc_tui.console.core.resource import Resource
from svc_tui.console.views.sheet_view import SheetView
from svc_tui.console.widgets.bars import Piece
from svc_tui.console.widgets.formatting import age
from svc_tui.console.widgets.sheet import Line, Sheet

if TYPE_CHECKING:
    from svc_tui.interface.records import FieldSpec
    from svc_tui.workspace.lists.listed_record import ListedRecord
    from svc_tui.workspace.lists.record_view import RecordView


class DetailView(SheetView):
    """The fields of a record in groups, first from the list or cache, then from the service."""

    kind = "detail"

    def __init__(
        self,
        place: Place,
        resource: Resource,
        source: RecordView | ListedRecord,
        known: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(place, resource)
        self._shown = resource
        self._source = source
        self._known = known
        self._specs: Sequence[FieldSpec] = ()
        self._revealed = False
        self._forget = source.subscribe(self._changed)

    def compose(self) -> ComposeResult:
        yield Sheet(label_width=32, whole_labels=True)

    def on_mount(self) -> None:
        self._draw()
        self._source.retry()

    @property
    def resource(self) -> Resource:
        return self._shown

    @property
    def record(self) -> Mapping[str, Any] | None:
        return self._source.data or self._known

    @property
    def crumb(self) -> str:
        return self.resource.label(self.record) if self.record else self.place.record_id

    @property
    def field(self) -> tuple[str, Any] | None:
        """Wire name and value of the selected field."""
        line = self.sheet.line
        if line is None or not line.key or self.record is None:
            return None
        return line.key, self._flat(self.record).get(line.key)

    def refers(self, wire: str) -> str:
        """The kind of record that a field refers to; empty for other fields."""
        return next((spec.facet.refers for spec in self._specs if spec.wire == wire), "")

    def declare(self, specs: Sequence[FieldSpec]) -> None:
        """Take the declared fields; before, wire names are the labels."""
        self._specs = specs
        self._draw()

    def reveal(self) -> None:
        """Show or hide the secrets of the record."""
        self._revealed = not self._revealed
        self._draw()

    def _changed(self) -> None:
        self._draw()
        self.notify_changed()

    def _draw(self) -> None:
        if self.is_attached:
            self.sheet.show(self._lines)

    def on_resize(self) -> None:
        self._draw()

    def _lines(self) -> Iterator[Line]:
        record = self.record
        if record is None:
            yield Line("text", value=self._source.trouble or "Loading…", style="dim")
            return
        width = max(20, self.size.width - self.sheet.label_width - 6)
        flat = self._flat(record)
        if self._specs:
            yield from sentence_lines(self.resource.display.says, flat, self.size.width - 4)
        yield from record_lines(flat, self._specs, width, reveal=self._revealed, with_keys=self.with_keys)

    def _flat(self, record: Mapping[str, Any]) -> Mapping[str, Any]:
        return self.resource.kind.flat(dict(record))

    def status(self) -> Sequence[Piece]:
        if self._source.trouble:
            return [Piece(f" {self._source.trouble}", "warn")]
        old = age(self._source.fetched_at)
        pieces = [Piece(f" {self.resource.singular}", "accent")]
        if old and old != "now":
            pieces.append(Piece(f"   {old} old", "dim"))
        if self._source.refreshing:
            pieces.append(Piece("   refreshing", "dim"))
        return pieces

    def refresh_now(self) -> None:
        self._source.refresh()

    def give_up(self) -> bool:
        requested = self._source.refresh_requested
        if requested:
            self._source.give_up()
        return requested

    def close(self) -> None:
        super().close()
        self._forget()
        self._source.close()
