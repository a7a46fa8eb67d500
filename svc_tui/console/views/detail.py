"""The detail view of one record: declared fields in groups, others at the end."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from functools import partial
from itertools import dropwhile, groupby, takewhile
from typing import TYPE_CHECKING, Any, ClassVar

from textual.app import ComposeResult

from svc_tui.console.core.places import Place
from svc_tui.console.core.record_lines import record_lines, sentence_lines
from svc_tui.console.core.resource import Resource
from svc_tui.console.terminal.text import safe_text
from svc_tui.console.views.head import Head, HeadBar, head_of
from svc_tui.console.views.sheet_view import PanedView
from svc_tui.console.widgets.bars import Piece
from svc_tui.console.widgets.base import in_background
from svc_tui.console.widgets.formatting import read_at
from svc_tui.console.widgets.panes import TWO, Pane, Panes
from svc_tui.console.widgets.sheet import BESIDE_VALUE, Sheet
from svc_tui.console.widgets.sheet_lines import Line
from svc_tui.language import _

if TYPE_CHECKING:
    from svc_tui.console.core.record_lines import ReferenceNames
    from svc_tui.interface.field_specs import FieldSpec
    from svc_tui.workspace.lists.listed_record import ListedRecord
    from svc_tui.workspace.lists.open_record import OpenRecord
    from svc_tui.workspace.lists.referenced_records import Reference


#: The most columns for labels.
LABELS = 32
#: The rows above and below the lines of a pane, with its frame and the head.
BESIDE_PANES = 8
#: The fewest lines of a pane with fields.
LEAST = 12
#: What a line shows: its kind, label and key.
Identity = tuple[str, str, str]
#: The identity of no line.
_NOWHERE: Identity = ("", "", "")
#: The content of a pane in the width of its sheet.
Part = Callable[[Sheet], Iterable[Line]]


class DetailView(PanedView):
    """The fields of a record in groups, first from the list or cache, then from the service.

    They take two or three panes where there is room.
    """

    kind = "detail"
    filter_hint = _("a label or value")
    #: The number of the first pane with fields, where there are several panes.
    first_fields: ClassVar[int] = 0
    #: Whether the names of what the record refers to are read from the service when they are not cached.
    reads_names = True

    def __init__(
        self,
        place: Place,
        resource: Resource,
        source: OpenRecord | ListedRecord,
        known: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(place, resource)
        self._shown = resource
        self._source = source
        self._known = known
        self._specs: Sequence[FieldSpec] = ()
        self._revealed = False
        #: Whether fields without a value are shown.
        self.shows_empty = False
        #: Only fields that contain this text are shown; and the text before it is edited.
        self.filter_text = ""
        self._filter_before = ""
        #: The names of the records that it refers to, from who opens the view.
        self.names: ReferenceNames | None = None
        #: The time of the record whose names were looked up, and what it refers to.
        self._named: tuple[datetime | None, Sequence[Reference]] | None = None
        #: Whether all fields were drawn.
        self._drew_all = False
        #: Whether all panes have their sheets; records may come before.
        self._drawable = False
        self._forget = source.subscribe(self._changed)

    def compose(self) -> ComposeResult:
        yield HeadBar()
        with Panes():
            for __ in range(3):
                yield Pane(Sheet(label_width=LABELS, whole_labels=True))

    def on_mount(self) -> None:
        self._drawable = True
        self._draw()
        if self._source.read_from != "live":
            self._source.retry()

    @property
    def resource(self) -> Resource:
        return self._shown

    @property
    def record(self) -> Mapping[str, Any] | None:
        return self._source.data or self._known

    async def loaded(self) -> None:
        """Wait until there is a record, or the reason why there is none."""
        if self.record is None:
            await self._source.wait_until_idle()

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

    def show_field(self, wire: str) -> None:
        if not self.shows_empty and not (self.record and self._flat(self.record).get(wire)):
            self.fold_empty()
        for sheet in filter(self.panes.shows, self.query(Sheet)):
            keys = (line.key for line in sheet.lines if line.stops)
            if found := next((key for key in keys if key == wire or key.startswith(f"{wire}.")), ""):
                sheet.focus()
                sheet.go_to(found)
                return

    def refers(self, wire: str) -> str:
        """The kind of record that a field refers to; empty for other fields."""
        return next((spec.facet.refers for spec in self._specs if spec.wire == wire), "")

    def declare(self, specs: Sequence[FieldSpec]) -> None:
        """Take the declared fields; before, wire names are the labels."""
        self._specs = specs
        self._find_names()
        self._draw()

    # --- filter ------------------------------------------------------------------------------------------------

    def edit_filter(self) -> str:
        """Begin to edit the filter; its text."""
        self._filter_before = self.filter_text
        return self.filter_text

    def filter_typed(self, text: str) -> None:
        self._filter(text)

    def filter_done(self, text: str | None) -> None:
        self._filter(self._filter_before if text is None else text)
        self.take_focus()

    def clear_filter(self) -> bool:
        """Show all fields again, with the cursor on the same one; False when there was no filter."""
        if not self.filter_text:
            return False
        sheet, key = self.sheet, self.sheet.line.key if self.sheet.line is not None else ""
        self.filter_text = ""
        self._draw()
        sheet.go_to(key)
        self.notify_changed()
        return True

    def _filter(self, text: str) -> None:
        if text.strip() == self.filter_text:
            return
        self.filter_text = text.strip()
        self._draw()
        shown = [pane.query_one(Sheet) for pane in self.panes.shown]
        # The cursor goes to the first pane with a match.
        self._latest = next((sheet for sheet in shown if any(line.key for line in sheet.lines)), None)
        for sheet in shown:
            sheet.home()
        self.notify_changed()

    def _shown_lines(self, lines: Part, sheet: Sheet) -> Iterable[Line]:
        """The lines of a pane that match the filter."""
        return matching(lines(sheet), self.filter_text) if self.filter_text else lines(sheet)

    def fold_empty(self) -> None:
        """Show or hide the fields without a value."""
        self.shows_empty = not self.shows_empty
        self._draw()

    def reveal(self) -> None:
        """Show or hide the secrets of the record."""
        self._revealed = not self._revealed
        self._draw()

    def _changed(self) -> None:
        self._find_names()
        self._draw()
        self.notify_changed()

    def _find_names(self) -> None:
        if self.names is None or self.record is None or not self._source.whole:
            return
        references = self.names.in_record(self._flat(self.record), self._specs)
        if references and self._named != (named := (self._source.fetched_at, references)):
            self._named = named
            in_background(self, partial(self._load_names, self.names, references), group="names", exclusive=True)

    async def _load_names(self, names: ReferenceNames, references: Sequence[Reference]) -> None:
        if await names.load(references, cached_only=not self.reads_names):
            self._draw()

    @property
    def can_draw(self) -> bool:
        """Whether the parts of the view are there: not before they are mounted, nor while it closes, head first."""
        return self._drawable and self.is_attached and bool(self.query(HeadBar))

    def _draw(self) -> None:
        if not self.can_draw:
            return
        self.query_one(HeadBar).show(self._head())
        self._arrange()
        shown = self.panes.shown
        if not shown:
            # The view is closing: its panes went first.
            return
        for pane, (title, lines) in zip(shown, self._parts(len(shown)), strict=True):
            pane.title = title
            sheet = pane.query_one(Sheet)
            sheet.beside = len(shown) > 1
            # Before the record is complete, its few lines have another order: who has not moved stays at the start.
            begins = sheet.at_start and not self._drew_all
            sheet.show(partial(self._shown_lines, lines, sheet))
            if begins:
                sheet.home()
        self._drew_all = self._source.whole and bool(self._specs)
        sheets = [pane.query_one(Sheet) for pane in shown]
        if self.filter_text and not any(sheet.lines for sheet in sheets):
            sheets[0].show(
                [Line("text", value=self.with_keys(_("No matches. {back} clears the filter.")), style="dim")]
            )

    def _head(self) -> Head:
        """The head above the panes."""
        return head_of(self.resource, self.record) if self.record is not None else Head()

    def _parts(self, panes: int) -> Sequence[tuple[str, Part]]:
        """Title and lines of the panes with fields."""
        title = self.resource.singular_title
        if panes == 1:
            return [(title, self._fields)]
        starts = _starts(self._measured(len(self.panes.shown)), panes)
        # A part without a start is empty: the record has fewer fields than parts.
        starts += [_NOWHERE] * (panes - 1 - len(starts))
        titles = [title, *[_("More fields")] * (panes - 1)]
        bounds = zip([None, *starts], [*starts, None], strict=True)
        return [(title, partial(self._between, *each)) for title, each in zip(titles, bounds, strict=True)]

    def _measured(self, panes: int) -> list[Line]:
        """All lines, as wide as one of the panes. Of no sheet: labels of the parts differ, and the parts stay the same
        when they are drawn again."""
        width = self.size.width // panes
        return [*self._lines(width, _value_width(width, LABELS))]

    def _arrange(self) -> None:
        """Show as many panes as the fields fill."""
        if self.app.size.width >= TWO:
            lines = len(self._measured(1))
            for number, pane in enumerate(self.panes.panes[self.first_fields + 1 :], 1):
                pane.wanted = lines > number * LEAST and not (number > 1 and self._breaks())
        self.panes.rearrange()

    def _breaks(self) -> bool:
        """Whether a third pane would break values that are whole in two, which have the room for all lines."""
        in_two = len(self._measured(2))
        return in_two <= 2 * (self.app.size.height - BESIDE_PANES) and len(self._measured(3)) > in_two

    def _between(self, start: Identity | None, end: Identity | None, sheet: Sheet) -> Iterator[Line]:
        """The lines of a part: from the start of it to that of the next."""
        lines = self._fields(sheet)
        rest = lines if start is None else dropwhile(lambda line: _identity(line) != start, lines)
        yield from takewhile(lambda line: _identity(line) != end, rest)

    def _fields(self, sheet: Sheet) -> Iterator[Line]:
        return self._lines(sheet.size.width, _value_width(sheet.size.width, sheet.label_width))

    def on_resize(self) -> None:
        self._draw()

    def uncovered(self) -> None:
        # What was drawn below another view did not know its height.
        self.call_after_refresh(self._draw)

    def _lines(self, width: int, values: int) -> Iterator[Line]:
        """All lines, wrapped to the columns of a sheet and of its values."""
        record = self.record
        if record is None:
            yield Line("text", value=self._source.error_message or _("Loading…"), style="dim")
            return
        flat = self._flat(record)
        if self._specs:
            yield from sentence_lines(self.resource.display.says, flat, width - 4)
        yield from record_lines(
            flat,
            self._specs,
            values,
            reveal=self._revealed,
            # A filter also finds a field without a value by its label.
            empty=self.shows_empty or bool(self.filter_text),
            with_keys=self.with_keys,
            names=self._name_of,
            may_open=self.names.may_open if self.names else None,
            whole=self._source.whole,
        )

    def _name_of(self, kind: str, record_id: str) -> str:
        """The name of a record to which a field refers; empty while it is not known."""
        return self.names.name(kind, record_id) if self.names else ""

    def _flat(self, record: Mapping[str, Any]) -> Mapping[str, Any]:
        return self.resource.kind.shown(record)

    def status(self) -> Sequence[Piece]:
        if self._source.error_message:
            return [Piece(f" {self._source.error_message}", "warn")]
        when = read_at(self._source.fetched_at)
        pieces = [Piece(f" {self.resource.singular}", "accent"), *self._filter_status()]
        if when:
            pieces.append(Piece(f"   {when}", "dim"))
        if self._source.refreshing:
            pieces.append(Piece(_("   refreshing"), "dim"))
        return [*pieces, *self._panes_status()]

    def _filter_status(self) -> Sequence[Piece]:
        return [Piece(f"   /{safe_text(self.filter_text).text}", "accent")] if self.filter_text else ()

    def _panes_status(self) -> Sequence[Piece]:
        text = self.with_keys(_("   {next_pane} goes to the next pane"))
        return [Piece(text, "dim")] if len(self.panes.shown) > 1 else ()

    @property
    def polled(self) -> OpenRecord | ListedRecord:
        return self._source

    def refresh_now(self) -> None:
        self._source.refresh()

    def cancel_refresh(self) -> str:
        if not self._source.refresh_requested:
            return ""
        self._source.cancel_refresh()
        return _("Refresh cancelled.")

    def close(self) -> None:
        super().close()
        self._forget()
        self._source.close()


def _value_width(width: int, labels: int) -> int:
    return max(20, width - labels - BESIDE_VALUE)


def _identity(line: Line) -> Identity:
    return line.kind, line.label, line.key


def _starts(lines: Sequence[Line], parts: int) -> list[Identity]:
    """What begins the parts after the first: the headings nearest to equal parts, or fields if there is only one
    group."""
    headings = [at for at, line in enumerate(lines) if at and line.kind == "heading" and line.label]
    starts = headings or [at for at, line in enumerate(lines) if at > 1 and line.kind == "field" and line.label]
    found: list[int] = []
    for number in range(1, parts):
        left = [at for at in starts if at > max(found, default=0)]
        if left:
            found.append(min(left, key=lambda at: abs(parts * at - number * len(lines))))
    return [_identity(lines[at]) for at in found]


def matching(lines: Iterable[Line], text: str) -> Iterator[Line]:
    """The lines of each field that contains all words, below the heading of its group; a key is its name in the API."""
    words = text.casefold().split()
    heading: Line | None = None
    for (kind, key), group in groupby(lines, key=lambda line: (line.kind, line.key)):
        item = list(group)
        if kind == "heading":
            heading = item[-1]
            continue
        content = " ".join([key, *(part for line in item for part in (line.label, line.as_read))]).casefold()
        if all(word in content for word in words):
            if heading is not None:
                yield heading
                heading = None
            yield from item
