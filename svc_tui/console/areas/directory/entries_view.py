"""The entries of directories: persons or companies, of a company, of one's own directory, or of both."""

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
from svc_tui.interface.data import RecordData
from svc_tui.workspace.lists.listing import Listing
from svc_tui.workspace.workspace import Workspace

#: Whose entries are shown, and how that is said; `w` goes from one to the next.
WHOSE = {"all": "", "company": "of companies", "personal": "personal"}


def _as_written(value: Any, record: RecordData) -> str:
    """Numbers as the country of the entry writes them; the service finds them in any notation."""
    from svc_tui.interface.voice.numbers import written

    return ", ".join(written(str(number), record.get("country")) for number in value or ()) or NOTHING


_NUMBERS = (
    Column(field="workPhoneNumbers", title="WORK", width=16, flex=1, limit=20, format=_as_written),
    Column(field="mobilePhoneNumbers", title="MOBILE", width=16, flex=1, limit=20, priority=2, format=_as_written),
    Column(field="tags", title="TAGS", width=14, flex=1, priority=3),
)
#: The columns of each type of entry, the first one orders the list.
COLUMNS: Mapping[str, tuple[Column, ...]] = {
    "user": (
        Column(field="lastName", title="LAST NAME", width=13, flex=2, sort_field="lastName"),
        Column(field="firstName", title="FIRST NAME", width=12, flex=1, limit=20, sort_field="firstName"),
        Column(field="companyName", title="COMPANY", width=14, flex=2, sort_field="companyName", priority=1),
        *_NUMBERS,
    ),
    "company": (
        Column(field="companyName", title="COMPANY", width=24, flex=3, sort_field="companyName"),
        Column(field="city", title="CITY", width=12, flex=1, limit=20, priority=1),
        *_NUMBERS,
    ),
}
_CALLED = {"user": ("Persons", "person"), "company": ("Companies", "company")}


class EntriesView(ListView):
    """One type of entry at a time, as the service lists them; what is typed as a filter is searched by the service."""

    def __init__(self, place: Place, resource: Resource, workspace: Workspace, *, unicode: bool = True) -> None:
        self._declared = resource
        self.type, self.whose = "user", "all"
        super().__init__(place, self._shown(), workspace, unicode=unicode)

    def _shown(self) -> Resource:
        """The resource for what is shown by now."""
        title, singular = _CALLED[self.type]
        query = {**self._declared.query, "type": self.type, "view": self.whose}
        columns = COLUMNS[self.type]
        sort = columns[0].sort_field or ""
        shown = self._declared.with_columns(columns)
        return replace(shown, title=title, singular=singular, query=query, sort=sort)

    @property
    def crumb(self) -> str:
        title = self._declared.title
        return f"{title} of {self.owner}" if self.owner else title

    @property
    def company_id(self) -> str:
        """The company whose directory the place is; empty where it is none of one company."""
        return self.place.parents.get("companies", "")

    def both(self) -> tuple[Listing, Listing]:
        """What is listed, persons and companies: two lists of their own, to be closed."""
        query, picked = self.listing.query, self._picked
        persons, companies = (
            self.workspace.listing(self.the.list, query={**query, "type": type}, local=picked) for type in COLUMNS
        )
        return persons, companies

    @property
    def part(self) -> str:
        """Which part of the directory is listed; empty when nothing is filtered."""
        if not self.filter_text and not self.form_query:
            return ""
        return f"entries that match {self.filter_text}" if self.filter_text else "entries that match a filter"

    def picks(self, filtered: Callable[[RecordData], bool] | None) -> Callable[[RecordData], bool] | None:
        self._picked = filtered
        return filtered

    def show_type(self) -> None:
        """Show companies instead of persons, or persons again."""
        self.type = "company" if self.type == "user" else "user"
        # Another first column says in which order one looks for something.
        self.sort_field, self.descending = COLUMNS[self.type][0].sort_field or "", False
        self._show()
        self.records.set_columns(self.the.display.columns)
        self.records.show_sort(self.sort_field, self.descending)

    def show_whose(self) -> None:
        """Show the entries of whoever comes next: all, those of companies, one's own."""
        kinds = list(WHOSE)
        self.whose = kinds[(kinds.index(self.whose) + 1) % len(kinds)]
        self._show()

    def _show(self) -> None:
        self.resource = self._shown()
        self._filtered()

    def status(self) -> Sequence[Piece]:
        pieces = list(super().status())
        if said := WHOSE[self.whose]:
            pieces.insert(1, Piece(f"   {said}", "accent"))
        return pieces
