"""The detail pane beside a wide list: it shows the record on which the cursor rests.

While a key is held it is not updated, because each record in it takes as many bytes as a screen of the list.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, Any

from svc_tui.console.core.overview import Facts
from svc_tui.console.core.record_lines import record_lines, sentence_lines
from svc_tui.console.views.head import pane_lines
from svc_tui.console.widgets.base import in_background
from svc_tui.console.widgets.formatting import HIDDEN
from svc_tui.console.widgets.panes import Pane
from svc_tui.console.widgets.sheet import BESIDE_VALUE, Sheet
from svc_tui.console.widgets.sheet_lines import Line
from svc_tui.workspace.lists.referenced_records import COMPANIES

if TYPE_CHECKING:
    from textual.timer import Timer

    from svc_tui.console.core.overview import Section
    from svc_tui.console.core.record_lines import ReferenceNames
    from svc_tui.console.core.resource import Resource
    from svc_tui.interface.field_specs import FieldSpec
    from svc_tui.workspace.kinds.kind import Kind
    from svc_tui.workspace.lists.listed_record import ListedRecord
    from svc_tui.workspace.lists.open_record import OpenRecord
    from svc_tui.workspace.lists.referenced_records import Reference

#: Seconds after the last cursor move before the record is read.
REST = 0.2
#: The same on a slow link, where each record takes a noticeable time.
FRUGAL_REST = 1.0
#: Seconds after which the fields of the row are shown while the complete record is still being read.
PATIENCE = 0.25


class DetailPane(Sheet):
    """Follows the cursor of a list. It begins with the head of the record; `now` is the time of its findings."""

    keeps_labels = True

    def __init__(self, resource: Resource, now: Callable[[], float]) -> None:
        super().__init__(label_width=32, beside=True, whole_labels=True)
        self._resource, self._now = resource, now
        #: The sections of the overview of a record, from who opens the view.
        self.sections: Sequence[Section] = ()
        self._title = ""
        self._known: Mapping[str, Any] = {}
        self._specs: Sequence[FieldSpec] = ()
        #: Whether all fields were drawn.
        self._drew_all = False
        self._flat: Callable[[Mapping[str, Any]], Mapping[str, Any]] = dict
        self._read: Callable[[], OpenRecord | ListedRecord] | None = None
        self._source: OpenRecord | ListedRecord | None = None
        self._followed_id = ""
        #: The names of the records that a record refers to, from who opens the view.
        self.names: ReferenceNames | None = None
        #: Whether the link is slow.
        self.frugal = False
        self._timer: Timer | None = None
        #: The hidden fields of the records so far.
        self._hidden: set[str] = set()

    def follow(
        self,
        record_id: str,
        title: str,
        known: Mapping[str, Any],
        specs: Sequence[FieldSpec],
        kind: Kind,
        read: Callable[[], OpenRecord | ListedRecord] | None,
    ) -> None:
        """Show a record when the cursor rests on it; the first one immediately.

        `read` reads all of it, None when the row has all fields.
        """
        first, same = not self._known, record_id == self._followed_id
        self._followed_id, self._title, self._known, self._specs = record_id, title, known, specs
        self._flat, self._read = kind.shown, read
        if not same:
            self.leave()
            self._timer = self.set_timer(FRUGAL_REST if self.frugal else REST, self._rest)
        if first or (same and self._timer is None):
            self._draw()

    def clear(self) -> None:
        """Show no record."""
        self.leave()
        self._known = {}
        if isinstance(self.parent, Pane):
            self.parent.title = ""
        self.show(())

    def leave(self) -> None:
        """Stop following the record."""
        self._stop_timer()
        if self._source is not None:
            self._source.close()
            self._source = None
        self._followed_id = ""

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.stop()
            self._timer = None

    def _rest(self) -> None:
        self._stop_timer()
        if self._read is None:
            self._draw_now()
            return
        self._source = self._read()
        self._source.subscribe(self._read_on)
        self._timer = self.set_timer(PATIENCE, self._draw_now)
        self._read_on()

    def _read_on(self) -> None:
        """Draw the complete record, or the fields of the row when there will be no others; until then nothing."""
        if self._timer is None or (self._source is not None and (self._source.whole or self._source.error_message)):
            self._draw_now()

    def _draw_now(self) -> None:
        self._stop_timer()
        self.call_later(self._draw_named)

    async def _draw_named(self) -> None:
        """Draw with those names that are in the cache. Of further records only companies are read, each once."""
        if self.names is None:
            self._draw()
            return
        references = self.names.in_record(self._record, self._specs)
        await self.names.load(references, cached_only=True)
        self._draw()
        companies = [each for each in references if each[0] == COMPANIES and not self.names.name(*each)]
        if companies:
            in_background(self, partial(self._name_companies, self.names, companies), group="names", exclusive=True)

    async def _name_companies(self, names: ReferenceNames, companies: Sequence[Reference]) -> None:
        if await names.load(companies) and self.is_attached:
            self._draw()

    def on_focus(self) -> None:
        """Keys act on the record of the cursor, which must be the one in the pane."""
        if self._timer is not None and self._source is None:
            self._rest()
        self._draw()

    def on_resize(self) -> None:
        super().on_resize()
        self._draw()

    def _draw(self) -> None:
        if not self._known or not self.size.width:
            return
        if isinstance(self.parent, Pane):
            self.parent.title = self._title
        # Before the record is complete, its few lines have another order: who has not moved stays at the start.
        begins = self.at_start and not self._drew_all
        self.show(self._record_lines)
        if begins:
            self.home()
        self._drew_all = self._complete and bool(self._specs)

    @property
    def _complete(self) -> bool:
        """Whether the record has all its fields."""
        return self._read is None or bool(self._source and self._source.data and self._source.whole)

    @property
    def _unflattened(self) -> Mapping[str, Any]:
        return (self._source.data if self._source else None) or self._known

    @property
    def _record(self) -> Mapping[str, Any]:
        return self._flat(self._unflattened)

    def _record_lines(self) -> Iterator[Line]:
        record = self._with_hidden(self._record)
        width = self.size.width - self.label_width - BESIDE_VALUE
        if self._specs:
            facts = Facts(self._unflattened, self._complete, datetime.fromtimestamp(self._now(), UTC))
            yield from pane_lines(self._resource, self.sections, facts, self.size.width - 2, width)
            yield from sentence_lines(self._resource.display.says, record, self.size.width - 2)
        names = self.names.name if self.names else None
        yield from record_lines(record, self._specs, width, empty=False, names=names)

    def _with_hidden(self, record: Mapping[str, Any]) -> Mapping[str, Any]:
        """Keep the lines of secrets, which the cache does not contain, so that the lines below them need not move."""
        secret = [spec.wire for spec in self._specs if spec.facet.secret]
        if self._source is not None and self._source.read_from == "live":
            self._hidden = {wire for wire in secret if record.get(wire)}
            return record
        return {**dict.fromkeys(self._hidden, HIDDEN), **record}
