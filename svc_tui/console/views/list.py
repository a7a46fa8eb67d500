"""The list of one kind of record: filter, order, marks, and in wide terminals the detail pane."""

from __future__ import annotations

from collections.abc import Coroutine, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from textual import on
from textual.app import ComposeResult

from svc_tui.console.core.place_requests import ListRequest, as_opened, list_request, record_at
from svc_tui.console.core.places import Link, Place
from svc_tui.console.core.resource import Resource
from svc_tui.console.views.company_column import CompanyColumn
from svc_tui.console.views.detail_pane import FRUGAL_REST, DetailPane
from svc_tui.console.views.list_filter import GROUP, completions, of_companies
from svc_tui.console.views.list_status import (
    OF_OWN_COMPANY,
    awaited_text,
    count_piece,
    filter_pieces,
    how_to_create,
    marks_pieces,
    no_matches_text,
    source_pieces,
)
from svc_tui.console.views.looked_up_columns import LookedUpColumns
from svc_tui.console.views.marked_rows import MarkedRowsView
from svc_tui.console.widgets.bars import Piece
from svc_tui.console.widgets.formatting import title_in_sentence
from svc_tui.console.widgets.list.columns import Column, arranged
from svc_tui.console.widgets.list.messages import Moved, Opened, SortChanged
from svc_tui.console.widgets.list.record_list import RecordList
from svc_tui.console.widgets.panes import Pane, Panes
from svc_tui.interface import catalogue
from svc_tui.language import _
from svc_tui.workspace.core.events import SessionChanged
from svc_tui.workspace.lists.matching import both

if TYPE_CHECKING:
    from textual.timer import Timer

    from svc_tui.console.core.overview import Section
    from svc_tui.console.core.record_lines import ReferenceNames
    from svc_tui.interface.field_specs import FieldSpec
    from svc_tui.workspace.core.events import Event, ListChanged
    from svc_tui.workspace.lists.filters import FieldQuery
    from svc_tui.workspace.lists.listing import Listing
    from svc_tui.workspace.lists.matching import Picks
    from svc_tui.workspace.workspace import Workspace

#: Pause after the last key before a typed filter is applied.
FILTER_PAUSE = 0.3


class ListView(MarkedRowsView):
    """A list. The order is stored for each kind; the service applies order and filter where it can."""

    kind = "list"

    def __init__(self, place: Place, resource: Resource, workspace: Workspace, *, unicode: bool = True) -> None:
        super().__init__(place, resource)
        self.workspace = workspace
        self._companies, self._lookups = CompanyColumn(self, self), LookedUpColumns(self, self)
        self._declared = resource
        self._listed = self._arranged()
        opened = as_opened(resource, Link(place), workspace)
        # A filter belongs to the visit: it is not stored.
        self.filter_text = ""
        #: Another writing of the filter that would match something, offered where nothing does.
        self.offered = ""
        self.form_query: dict[str, Any] = {}
        self.sort_field, self.descending = opened.sort, opened.descending
        self._unicode = unicode
        self._specs: Sequence[FieldSpec] = ()
        self._deprecated = False
        #: The sections of the overview of a record, for the detail pane; from who opens the view.
        self.sections: Sequence[Section] = ()
        #: The names of the records to which the fields in the detail pane refer, from who opens the view.
        self.names: ReferenceNames | None = None
        self._typing: Timer | None = None
        self._before = ""
        self.listing = self._new_listing()
        self._forget = self.listing.subscribe(self._changed)
        self._unhear = workspace.subscribe(self._workspace_changed)

    @property
    def crumb(self) -> str:
        around = self.parent_record.data if self.parent_record is not None else None
        owner = self.owner or str((around or {}).get("name") or "")
        return (
            _("{title} of {owner}").format(title=self.resource.title, owner=owner)
            if owner and self.place.parents
            else self.resource.title
        )

    @property
    def resource(self) -> Resource:
        return self._listed

    @resource.setter
    def resource(self, resource: Resource) -> None:
        self._listed = resource

    def _arranged(self) -> Resource:
        """The resource with the columns that were chosen for its kind."""
        chosen = self.workspace.preferences.of(self._declared.name).columns
        columns = arranged(self._declared.display.columns, chosen)
        return self._companies.of(self._lookups.of(self._declared.with_columns(columns)))

    @property
    def declared_columns(self) -> Sequence[Column]:
        """All columns that the list can have."""
        return self._declared.display.columns

    def show_columns(self, chosen: Sequence[str]) -> None:
        """Show the columns with these fields in this order, those of the declaration for none; kept for the kind."""
        self.workspace.preferences.of(self._declared.name).columns = list(chosen)
        self.workspace.preferences.save()
        self._listed = self._arranged()
        self.records.set_columns(self._listed.display.columns)
        self._companies.rows_changed()
        self._lookups.rows_changed()

    def _new_listing(self) -> Listing:
        asked = self.request()
        self._path, self._filtered_by = asked.path, asked.filtered
        questions = [replace(each, predicate=self.picks(each.predicate)) for each in asked.filtered.questions]
        listing = self.opened(asked.path, asked.query, self.picks(asked.filtered.predicate), questions)
        listing.block_requests(self.resource.awaits(self.workspace.caller, asked.query))
        return listing

    def request(self, *, ordered: bool = True) -> ListRequest:
        """The request for the list as it is filtered and ordered now."""
        order = self.sort_field if ordered else ""
        link = Link(self.place, self.filter_text, order, self.descending, self.form_query)
        # The service cannot filter offline; cached rows are searched here.
        return list_request(self.resource, link, self.workspace, cached=self.workspace.link.state == "offline")

    def opened(
        self, path: Mapping[str, str], query: Mapping[str, Any], local: Picks | None, questions: Sequence[FieldQuery]
    ) -> Listing:
        """The listing for a query to the service, a local filter, and questions to the service in its place."""
        return self.workspace.listing(self.resource.list, path=path, query=query, local=local, questions=questions)

    def picks(self, filtered: Picks | None) -> Picks | None:
        """The local filter of the rows; `filtered` is the part of the filter that the service does not apply."""
        companies = self.workspace.preferences.members(str(self.form_query.get(GROUP) or ""))
        return both(self.resource.belongs_at(self.place), both(of_companies(self.resource, companies), filtered))

    def compose(self) -> ComposeResult:
        records = RecordList(
            self.resource.display.columns,
            self.listing,
            id_field=self.resource.kind.id,
            unicode=self._unicode,
            empty=self._empty,
            is_live=lambda: self.listing.read_from == "live",
            moved=self._follow,
        )
        with Panes():
            yield Pane(records, title=self.resource.title, weight=3)
            beside = DetailPane(self.resource, self.workspace.now)
            beside.sections = self.sections
            yield Pane(beside, title=self.resource.singular_title, weight=2)

    def on_mount(self) -> None:
        self.records.show_sort(self.sort_field, self.descending)
        self._explain_empty()
        self._companies.rows_changed()
        self._lookups.rows_changed()

    @property
    def _empty(self) -> str:
        """The text in a list without rows."""
        if self.filter_text or self.form_query:
            return no_matches_text(self._filtered_by.hint, self.offered, self.with_keys)
        nothing = _("No {title} here.").format(title=title_in_sentence(self.resource.title))
        if not self.drawn or self.listing.total != 0:
            return nothing
        return f"{nothing} {self.with_keys(how_to_create(self.resource, self.place, self.workspace))}"

    @property
    def beside(self) -> DetailPane:
        return self.query_one(DetailPane)

    @property
    def panes(self) -> Panes:
        return self.query_one(Panes)

    @property
    def ready(self) -> bool:
        return bool(self.listing.error_message) or self.listing.total == 0 or self.record is not None

    def selection_loading(self) -> Coroutine[Any, Any, None] | None:
        unknown = self.drawn and (self.records.waiting or self.listing.total is None)
        return self.listing.wait_until_idle() if unknown and self.listing.busy else None

    @property
    def record(self) -> Mapping[str, Any] | None:
        return self.records.cursor_row if self.drawn else None

    @property
    def link(self) -> Link:
        return Link(self.place, self.filter_text, self.sort_field, self.descending, self.form_query, self.marked)

    def show_as(self, link: Link) -> None:
        """Apply a link, before the list is drawn; nothing of it is stored."""
        self.filter_text, self.form_query = link.filter, dict(link.where)
        if link.sort:
            self.sort_field, self.descending = link.sort, link.descending
        self._replace_listing()

    def take_offer(self) -> None:
        """Filter as is offered where nothing matches."""
        self.filter_by(self.offered)

    def _offer(self) -> str:
        """The nearest other writing of the filter that matches a row in the cache; empty for none."""
        if not self.filter_text or self.form_query:
            return ""
        for text in self._in_cache(self.filter_text).filtered.wider():
            asked = self._in_cache(text)
            listing = self.opened(asked.path, asked.query, self.picks(asked.filtered.predicate), ())
            try:
                if listing.read_cached() and listing.total:
                    return text
            finally:
                listing.close()
        return ""

    def _in_cache(self, text: str) -> ListRequest:
        """The request of the list with another filter, of which the service applies nothing."""
        link = Link(self.place, text, self.sort_field, self.descending)
        return list_request(self.resource, link, self.workspace, cached=True)

    # --- filter and order --------------------------------------------------------------------------------------

    def filter_by(self, text: str) -> None:
        """Apply a filter."""
        if text != self.filter_text:
            self.filter_text = text
            self._filtered()

    def filter_query(self, query: Mapping[str, Any]) -> None:
        """Apply the query of the filter form."""
        self.form_query = dict(query)
        self._filtered()

    def clear_first(self) -> bool:
        """Stop marking, or clear the marks, or the filter; False when there was none of them."""
        if self.busy:
            self.records.stop_marking()
            return True
        if self.records.marks:
            self.records.clear_marks()
            return True
        if self.filter_text or self.form_query:
            self.filter_text, self.form_query = "", {}
            self._filtered()
            return True
        return False

    def filter_candidates(self, text: str) -> Sequence[str]:
        """The columns that complete a typed filter."""
        return completions(self.resource.display.columns, text)

    def sort_letters(self) -> dict[str, tuple[str, str]]:
        """Letter -> (field, title) of the sortable columns."""
        letters = self.records.sort_letters
        return {letter: (column.sort_field or "", column.title.capitalize()) for letter, column in letters.items()}

    def sort_by(self, field: str) -> None:
        self.records.sort_by(field)

    def sort_step(self, by: int) -> None:
        self.records.sort_step(by)

    @on(SortChanged)
    def _sorted(self, event: SortChanged) -> None:
        self.sort_field, self.descending = event.field, event.descending
        self.reload()

    def filter_typed(self, text: str) -> None:
        if self._typing is None:
            self._before = self.filter_text
        else:
            self._typing.stop()
        pause = FRUGAL_REST if self.workspace.frugal else FILTER_PAUSE
        self._typing = self.set_timer(pause, lambda: self.filter_by(text))

    def filter_done(self, text: str | None) -> None:
        if self._typing is not None:
            self._typing.stop()
            self._typing = None
            self.filter_by(self._before if text is None else text)

    def _filtered(self) -> None:
        """Show other rows; marks are cleared, because hidden rows must not be changed."""
        self._unmarked = bool(self.records.marks)
        self.offered = ""
        self.records.empty = self._empty
        self.reload(keep_marks=False)

    def reload(self, *, keep_marks: bool = True) -> None:
        """Replace the listing after a change of the query; the cursor stays on its record."""
        kept = self.workspace.preferences.of(self.resource.name)
        kept.sort, kept.descending = self.sort_field, self.descending
        self.workspace.preferences.save()
        self._replace_listing()
        self.records.set_rows(self.listing, keep_marks=keep_marks)
        self._explain_empty()
        self.notify_changed()

    def _replace_listing(self) -> None:
        self._forget()
        self.listing.close()
        self.listing = self._new_listing()
        self._forget = self.listing.subscribe(self._changed)

    # --- drawing -----------------------------------------------------------------------------------------------

    def _workspace_changed(self, event: Event) -> None:
        """Reload after a login that changes the owner of the list."""
        self._lookups.link_changed()
        if isinstance(event, SessionChanged) and self.drawn:
            self._companies.session_changed()
            if self.resource.path_at(self.place, self.workspace.caller) != self._path:
                self.reload()

    def _changed(self, change: ListChanged) -> None:
        if not self.drawn:
            # The view is not mounted; it draws itself when it is.
            return
        self._companies.rows_changed()
        self._lookups.rows_changed()
        self._unmark_gone()
        if change.status or change.rows is None:
            self._explain_empty()
            if self.record is None:
                self._show_beside()
            if self.listing.total == 0:
                self.offered = self._offer()
                self.records.empty = self._empty
                self.records.refresh()
            self.notify_changed()

    def _explain_empty(self) -> None:
        awaited = awaited_text(self.listing, self._other_company_key())
        if self.drawn and self.listing.total is None and awaited != self.records.awaited:
            self.records.awaited, self.records.note_look = awaited, "warn" if self.listing.error_message else "dim"
            self.records.refresh()

    def _other_company_key(self) -> str:
        if self.workspace.link.state == "offline" or not self.resource.is_of_own_company(
            self.place, self.workspace.caller
        ):
            return ""
        return self.with_keys(f"{{companies.{self.resource.name}}}")

    @on(Moved)
    def _moved(self, event: Moved) -> None:
        event.stop()
        self._follow()

    def _follow(self) -> None:
        self._show_beside()
        self.notify_changed(moved=True)

    @on(Opened)
    def _opened(self) -> None:
        self.post_message(self.ActionRequested("open"))

    def on_resize(self) -> None:
        self._show_beside()
        self._lookups.rows_changed()

    def declare(self, specs: Sequence[FieldSpec]) -> None:
        """Take the declared fields for the detail pane."""

        self._specs, self._deprecated = specs, bool(catalogue.operation(self.resource.list).deprecated)
        self._show_beside()
        self.notify_changed()

    def _show_beside(self) -> None:
        """Show the record in the pane, which is left out where there is none to wait for."""
        record = self.record
        if record is None:
            self.beside.clear() if self.ready else self.beside.leave()
        self.panes.want(self.beside, record is not None or not self.ready)
        if record is not None and self.panes.shows(self.beside):
            self._follow_beside(record)

    def _follow_beside(self, record: Mapping[str, Any]) -> None:
        path = self.resource.path_to(record, self.place, self.workspace.caller)
        place = self.place.record(self.resource.record_id(record))
        # A row without an operation for one record has all its fields.
        alone = self.resource.kind.get != self.resource.list
        read = partial(record_at, self.resource, place, self.workspace, path) if alone else None
        title = self.resource.label(record)
        self.beside.frugal, self.beside.names = self.workspace.frugal, self.names
        self.beside.follow(place.record_id, title, record, self._specs, self.resource.kind, read)

    def status(self) -> Sequence[Piece]:
        pieces = [count_piece(self.listing, self.resource)]
        if self.listing.total is not None and self.resource.is_of_own_company(self.place, self.workspace.caller):
            pieces.append(Piece(OF_OWN_COMPANY))
        if self._deprecated:
            pieces.append(Piece(_("   deprecated"), "warn"))
        pieces += filter_pieces(self.filter_text, self.form_query, self._filtered_by, self.listing)
        pieces += marks_pieces(self.busy, len(self.marked), self._unmarked)
        return [*pieces, *source_pieces(self.listing)]

    @property
    def pane(self) -> RecordList | DetailPane:
        return self.beside if self.beside.has_focus else self.records

    def go_to(self, record_id: str) -> None:
        """Move the cursor to a record as soon as it is among the rows."""
        self.records.set_rows(self.listing, cursor_id=record_id)

    def next_pane(self) -> None:
        self.panes.focus_next()

    @property
    def polled(self) -> Listing | None:
        return self.listing if self.listing.is_short else None

    def refresh_now(self) -> None:
        self.listing.refresh()
        self._lookups.refresh()

    def cancel_refresh(self) -> str:
        if not self.listing.refresh_requested:
            return ""
        self.listing.cancel_refresh()
        return _("Refresh cancelled.")

    def close(self) -> None:
        super().close()
        self.beside.leave()
        self._unhear()
        self._forget()
        self.listing.close()
