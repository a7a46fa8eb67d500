"""The entries of directories: contacts or companies, from company directories, the personal one, or both."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from svc_tui.console.core.places import Place
from svc_tui.console.core.resource import Resource
from svc_tui.console.views.list import ListView
from svc_tui.console.widgets.bars import Piece
from svc_tui.console.widgets.formatting import NOTHING
from svc_tui.console.widgets.list.columns import Column
from svc_tui.interface import telephone_numbers as numbers
from svc_tui.interface.data import RecordData
from svc_tui.language import _
from svc_tui.workspace.lists.listing import Listing
from svc_tui.workspace.workspace import Workspace

#: The directories in the list, with the words of the status line.
DIRECTORIES = {"all": "", "company": _("company directories"), "personal": _("personal directory")}


def _as_written(value: Any, record: RecordData) -> str:
    """Numbers in the notation of the entry's country; the service finds them in any notation."""

    return ", ".join(numbers.written(str(number), record.get("country")) for number in value or ()) or NOTHING


_NUMBERS = (
    Column(field="workPhoneNumbers", title="WORK", width=13, flex=1, limit=20, format=_as_written),
    Column(field="mobilePhoneNumbers", title="MOBILE", width=13, flex=1, limit=20, priority=2, format=_as_written),
    Column(field="tags", title="TAGS", width=14, flex=1, priority=3),
)
#: The columns of each type of entry; the list is sorted by the first one.
COLUMNS: Mapping[str, tuple[Column, ...]] = {
    "user": (
        Column(field="lastName", title="LAST NAME", width=12, flex=2, sort_field="lastName"),
        Column(field="firstName", title="FIRST NAME", width=11, flex=1, limit=20, sort_field="firstName"),
        Column(field="companyName", title="COMPANY", width=14, flex=2, sort_field="companyName", priority=1),
        *_NUMBERS,
    ),
    "company": (
        Column(field="companyName", title="COMPANY", width=24, flex=3, sort_field="companyName"),
        Column(field="city", title="CITY", width=12, flex=1, limit=20, priority=1),
        *_NUMBERS,
    ),
}
_CALLED = {"user": (_("Contacts"), "contact"), "company": (_("Companies"), "company")}


class EntriesView(ListView):
    """Lists one type of entry at a time; the filter is searched by the service."""

    def __init__(self, place: Place, resource: Resource, workspace: Workspace, *, unicode: bool = True) -> None:
        self._entries = resource
        self.type, self.whose = "user", "all"
        super().__init__(place, self._shown(), workspace, unicode=unicode)

    def _shown(self) -> Resource:
        """The resource of the listed type."""
        title, singular = _CALLED[self.type]
        query = {**self._entries.query, "type": self.type, "view": self.whose}
        columns = COLUMNS[self.type]
        sort = columns[0].sort_field or ""
        shown = self._entries.with_columns(columns)
        return replace(shown, title=title, singular=singular, query=query, sort=sort)

    @property
    def crumb(self) -> str:
        title = self._entries.title
        return _("{title} of {owner}").format(title=title, owner=self.owner) if self.owner else title

    @property
    def company_id(self) -> str:
        """The company of the place; empty in a place of several directories."""
        return self.place.parents.get("companies", "")

    def both(self) -> tuple[Listing, Listing]:
        """The listings of contacts and companies, to be closed by the caller."""
        query, picked = self.listing.query, self._picked
        persons, companies = (
            self.workspace.listing(self.resource.list, query={**query, "type": type}, local=picked) for type in COLUMNS
        )
        return persons, companies

    @property
    def part(self) -> str:
        """The listed part of the directory; empty without a filter."""
        if not self.filter_text and not self.form_query:
            return ""
        return (
            _("entries that match {filter_text}").format(filter_text=self.filter_text)
            if self.filter_text
            else _("entries that match a filter")
        )

    def picks(self, filtered: Callable[[RecordData], bool] | None) -> Callable[[RecordData], bool] | None:
        self._picked = filtered
        return filtered

    def show_type(self) -> None:
        """Switch between contacts and companies."""
        self.type = "company" if self.type == "user" else "user"
        # The list is sorted by the first column of the type.
        self.sort_field, self.descending = COLUMNS[self.type][0].sort_field or "", False
        self._show()
        self.records.set_columns(self.resource.display.columns)
        self.records.show_sort(self.sort_field, self.descending)

    def show_next_directory(self) -> None:
        """Show the next of DIRECTORIES."""
        kinds = list(DIRECTORIES)
        self.whose = kinds[(kinds.index(self.whose) + 1) % len(kinds)]
        self._show()

    def _show(self) -> None:
        self.resource = self._shown()
        self._filtered()

    def status(self) -> Sequence[Piece]:
        pieces = list(super().status())
        if text := DIRECTORIES[self.whose]:
            pieces.insert(1, Piece(f"   {text}", "accent"))
        return pieces
