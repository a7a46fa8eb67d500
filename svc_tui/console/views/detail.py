"""The detail of one record: every declared field in its group, what is not declared at the end."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from textual.app import ComposeResult

from svc_tui.console.core.places import Place
from svc_tui.console.core.record_lines import record_lines, says_lines
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
    """Fields in groups. It is shown at once from what the list or the cache knows, then from the service."""

    kind = "detail"

    def __init__(
        self,
        place: Place,
        resource: Resource,
        source: RecordView | ListedRecord,
        known: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(place, resource)
        self._source = source
        self._known = known
        self._specs: Sequence[FieldSpec] = ()
        self._revealed = False
        self._forget = source.subscribe(self._changed)

    def compose(self) -> ComposeResult:
        yield Sheet()

    def on_mount(self) -> None:
        self._draw()
        self._source.refresh()

    @property
    def resource_shown(self) -> Resource:
        assert self.resource is not None
        return self.resource

    @property
    def record(self) -> Mapping[str, Any] | None:
        return self._source.data or self._known

    @property
    def crumb(self) -> str:
        return self.resource_shown.label(self.record) if self.record else self.place.record_id

    @property
    def field(self) -> tuple[str, Any] | None:
        """Wire name and value under the cursor."""
        line = self.sheet.line
        if line is None or not line.key or self.record is None:
            return None
        return line.key, self._flat(self.record).get(line.key)

    def refers(self, wire: str) -> str:
        """The kind of record whose id a field holds; empty for other fields."""
        return next((spec.facet.refers for spec in self._specs if spec.wire == wire), "")

    def declare(self, specs: Sequence[FieldSpec]) -> None:
        """The declaration has been loaded; until then the fields stand under their wire names."""
        self._specs = specs
        self._draw()

    def reveal(self) -> None:
        """Show the secrets of this record, or hide them again."""
        self._revealed = not self._revealed
        self._draw()

    def _changed(self) -> None:
        self._draw()
        self.tell()

    def _draw(self) -> None:
        if self.is_attached:
            self.sheet.show(list(self._lines()))

    def on_resize(self) -> None:
        self._draw()

    def _lines(self) -> Iterator[Line]:
        record = self.record
        if record is None:
            yield Line("text", value=self._source.trouble or "loading…", style="dim")
            return
        width = max(20, self.size.width - self.sheet.label_width - 6)
        flat = self._flat(record)
        if self._specs:
            yield from says_lines(self.resource_shown.display.says, flat, self.size.width - 4)
        yield from record_lines(flat, self._specs, width, reveal=self._revealed)

    def _flat(self, record: Mapping[str, Any]) -> Mapping[str, Any]:
        return self.resource_shown.kind.flat(dict(record))

    def status(self) -> Sequence[Piece]:
        if self._source.trouble:
            return [Piece(f" {self._source.trouble}", "warn")]
        seen = age(self._source.fetched_at)
        pieces = [Piece(f" {self.resource_shown.singular}", "accent")]
        if seen and seen != "now":
            pieces.append(Piece(f"   seen {seen} ago", "dim"))
        if self._source.refreshing:
            pieces.append(Piece("   refreshing", "dim"))
        return pieces

    def refresh_now(self) -> None:
        self._source.refresh()

    def close(self) -> None:
        super().close()
        self._forget()
        self._source.close()
