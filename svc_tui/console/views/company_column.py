"""The column of the company in lists that span several companies, with names in place of IDs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any, Protocol

from svc_tui.console.core.resource import Resource
from svc_tui.console.views.rows_view import RowsView
from svc_tui.console.widgets.base import in_background
from svc_tui.console.widgets.list.columns import Column, unformatted
from svc_tui.interface.access import OWN_COMPANY_ONLY
from svc_tui.workspace.lists.listing import Listing
from svc_tui.workspace.workspace import Workspace

#: The fields whose value is the ID of a company.
_IDS = ("companyId", "ownedByCompany")


class ListWithCompanies(Protocol):
    """The list of a column."""

    workspace: Workspace
    listing: Listing
    filter_text: str
    resource: Resource

    def reload(self) -> None:
        """Read the list again, with its filter."""


class CompanyColumn:
    """The column of one list. Rows that name their company need nothing; for IDs the names are found together."""

    def __init__(self, view: RowsView, view_list: ListWithCompanies) -> None:
        self._view, self._listed, self._names = view, view_list, view_list.workspace.referenced
        self._declared: Resource | None = None
        self._loaded = self._loaded_all = self._spanned = False

    def of(self, declared: Resource) -> Resource:
        """The resource with the columns of this list."""
        self._declared = declared
        spans = self._spanned = self._spans
        columns = tuple(
            self._named(column) if column.across else column
            for column in declared.display.columns
            if spans or not column.across
        )
        return declared.with_columns(columns)

    @property
    def _spans(self) -> bool:
        """Whether the list may have records of several companies: a list below a record belongs to one."""
        caller = self._listed.workspace.caller
        return not self._view.place.parents and caller is not None and bool(caller.roles - OWN_COMPANY_ONLY)

    def _named(self, column: Column) -> Column:
        return replace(column, format=self._name) if column.field in _IDS else column

    def _name(self, value: Any, record: Mapping[str, Any]) -> str:
        return self._names.company(value) or unformatted(value)

    # --- the names ---------------------------------------------------------------------------------------------

    def rows_changed(self) -> None:
        """Find the names that the rows on the screen need, and for a filter those of all companies."""
        view = self._view
        fields = [column.field for column in self._across if column.field in _IDS]
        if not view.drawn or not fields:
            return
        ids = {str(row.get(field) or "") for row in self._listed.listing.shown() for field in fields} - {""}
        if self._listed.filter_text and not self._loaded_all:
            self._loaded_all = True
            in_background(view, self._load_all, group="companies")
        elif ids and (not self._loaded or self._names.lacks_companies(ids)):
            self._loaded = True
            in_background(view, partial(self._load, ids), group="companies")

    @property
    def _across(self) -> list[Column]:
        return [column for column in self._listed.resource.display.columns if column.across]

    async def _load(self, ids: set[str]) -> None:
        if await self._names.load_companies(ids):
            self._draw()

    async def _load_all(self) -> None:
        if await self._names.load_all_companies():
            if self._view.drawn and self._listed.filter_text:
                # Rows that were compared without names are compared again.
                self._listed.reload()
            self._draw()

    def _draw(self) -> None:
        if self._view.drawn:
            self._view.records.set_columns(self._listed.resource.display.columns)

    def session_changed(self) -> None:
        """Show or hide the column after a login, or in the role lens."""
        if self._declared is not None and self._spans != self._spanned:
            self._listed.resource = self.of(self._declared)
            self._draw()
