"""The detail pane beside a wide list: first the fields of the row, after a pause the complete record."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from svc_tui.console.core.record_lines import Says, record_lines, sentence_lines
from svc_tui.console.widgets.sheet import Line, Sheet

if TYPE_CHECKING:
    from textual.timer import Timer

    from svc_tui.interface.records import FieldSpec
    from svc_tui.workspace.kinds.kind import Kind
    from svc_tui.workspace.lists.listed_record import ListedRecord
    from svc_tui.workspace.lists.record_view import RecordView

#: Pause after the last cursor move before the complete record is read.
READ_PAUSE = 0.35


class Beside(Sheet):
    """Follows the cursor of a list. `says` are declared sentences about a record."""

    def __init__(self, says: Says | None = None) -> None:
        super().__init__(label_width=32, beside=True, whole_labels=True)
        self._says = says
        self._known: Mapping[str, Any] = {}
        self._specs: Sequence[FieldSpec] = ()
        self._flat: Callable[[dict[str, Any]], Mapping[str, Any]] = dict
        self._source: RecordView | ListedRecord | None = None
        self._shown_id = ""
        self._timer: Timer | None = None

    def follow(
        self,
        record_id: str,
        known: Mapping[str, Any],
        specs: Sequence[FieldSpec],
        kind: Kind,
        read: Callable[[], RecordView | ListedRecord] | None,
    ) -> None:
        """Show a record; `read` reads all of it when the cursor stays on it, None when the row has all fields."""
        self._flat = kind.flat
        same = record_id == self._shown_id and self._source is not None
        self._shown_id, self._known, self._specs = record_id, known, specs
        if not same:
            self.leave()
            if read is not None:
                self._timer = self.set_timer(READ_PAUSE, lambda: self._read(read))
        self._draw()

    def clear(self) -> None:
        """Show no record."""
        self.leave()
        self._known = {}
        self.show(())

    def leave(self) -> None:
        """Stop following the record."""
        if self._timer is not None:
            self._timer.stop()
            self._timer = None
        if self._source is not None:
            self._source.close()
            self._source = None

    def _read(self, read: Callable[[], RecordView | ListedRecord]) -> None:
        self._source = read()
        self._source.subscribe(self._draw)
        self._draw()

    def on_resize(self) -> None:
        super().on_resize()
        self._draw()

    def _draw(self) -> None:
        if not self._known or not self.size.width:
            return
        self.show(self._record_lines)

    def _record_lines(self) -> Iterator[Line]:
        record = self._flat(dict((self._source.data if self._source else None) or self._known))
        width = self.size.width - self.label_width - 4
        yield from sentence_lines(self._says if self._specs else None, record, self.size.width - 2)
        yield from record_lines(record, self._specs, width, empty=False)
