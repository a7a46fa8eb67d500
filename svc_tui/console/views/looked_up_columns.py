"""Columns whose value is read for each row on the screen, such as whether a device is online.

Offline, they have the values of the cache, as they were when they were read; one that is not there is a `?`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Protocol

from svc_tui.console.core.resource import Resource
from svc_tui.console.views.rows_view import RowsView
from svc_tui.console.widgets.base import in_background
from svc_tui.console.widgets.list.columns import Column
from svc_tui.workspace.core.service import ReadError
from svc_tui.workspace.lists.cached_answers import KeptReads
from svc_tui.workspace.lists.listing import Listing
from svc_tui.workspace.workspace import Workspace

#: Offline and not in the cache.
_UNKNOWN = "?"
#: Requests in progress at once, and how long a value is current, in seconds.
AT_ONCE, FRESH = 4, 60.0


class ListWithRows(Protocol):
    """The list of the columns."""

    workspace: Workspace
    listing: Listing
    resource: Resource


class LookedUpColumns:
    """The values of one list. A row without one has an empty cell until it is read, and where it cannot be read."""

    def __init__(self, view: RowsView, view_list: ListWithRows) -> None:
        self._view, self._listed = view, view_list
        self._columns: tuple[Column, ...] = ()
        #: Column and row -> the value and when it was read.
        self._values: dict[tuple[str, str], tuple[Any, float]] = {}
        self._resource: Resource | None = None
        self._again = False
        self._reading = False
        self._offline = False

    def of(self, declared: Resource) -> Resource:
        """The resource with columns that have the values."""
        self._resource = declared
        self._columns = tuple(column for column in declared.display.columns if column.looks_up is not None)
        if not self._columns:
            return declared
        return declared.with_columns(
            tuple(
                replace(column, of=partial(self._value, column.field), format=partial(_words, column))
                if column in self._columns
                else column
                for column in declared.display.columns
            )
        )

    def _value(self, field: str, row: Mapping[str, Any]) -> Any:
        record_id = self._resource.record_id(row) if self._resource else ""
        return self._values.get((field, record_id), ("", 0.0))[0]

    def refresh(self) -> None:
        """Read all values again: the list is refreshed."""
        self._values = {key: (value, 0.0) for key, (value, __) in self._values.items()}
        self.rows_changed()

    def link_changed(self) -> None:
        """Read all values again when the service is lost, then from the cache, and when it is back."""
        offline = self._listed.workspace.link.state == "offline"
        if offline != self._offline:
            self._offline = offline
            self.refresh()

    def rows_changed(self) -> None:
        """Read the values of the rows on the screen, one row after the other if the link is slow."""
        if not self._columns or not self._view.drawn:
            return
        self._again = True
        if not self._reading:
            self._reading = True
            in_background(self._view, self._read_shown, group="looked up")

    async def _read_shown(self) -> None:
        try:
            while self._again and self._view.drawn:
                self._again = False
                await self._read_missing()
        finally:
            self._reading = False

    async def _read_missing(self) -> None:
        workspace = self._listed.workspace
        slots = asyncio.Semaphore(1 if workspace.frugal else AT_ONCE)
        oldest = workspace.now() - FRESH
        # Columns that do not fit are not read, and those that look up the same are read together.
        drawn = {place.column.field for place in self._view.records.places}
        wanted = [column for column in self._columns if column.field in drawn or not drawn]
        together: dict[Any, list[Column]] = {}
        for column in wanted:
            together.setdefault(column.looks_up, []).append(column)
        reads = [
            self._read(columns, dict(row), slots)
            for row in self._listed.listing.shown()
            for columns in together.values()
            if self._values.get((columns[0].field, self._id(row)), ("", 0.0))[1] < oldest
        ]
        if workspace.obstacle() in (None, "offline"):
            for done in asyncio.as_completed(reads):
                await done
                if self._view.drawn:
                    self._view.records.set_columns(self._listed.resource.display.columns)
        else:
            for read in reads:
                read.close()

    def _id(self, row: Mapping[str, Any]) -> str:
        return self._resource.record_id(row) if self._resource else ""

    async def _read(self, columns: Sequence[Column], row: dict[str, Any], slots: asyncio.Semaphore) -> None:
        """The value of columns that look up the same."""
        looks_up = columns[0].looks_up
        if self._resource is None or looks_up is None:
            return
        workspace = self._listed.workspace
        path = self._resource.path_to(row, self._view.place, workspace.caller)
        async with slots:
            value: Any = ""
            try:
                value = await looks_up(KeptReads(workspace), path)
            except ReadError as error:
                value = _UNKNOWN if error.offline else ""
            for column in columns:
                key = column.field, self._id(row)
                before = self._values.get(key, ("", 0.0))[0]
                self._values[key] = (before or value) if value == _UNKNOWN else value, workspace.now()


def _words(column: Column, value: Any, row: Mapping[str, Any]) -> str:
    """The text of a value as the column writes it."""
    if value == _UNKNOWN or column.format is None:
        return str(value)
    return column.format(value, row)
