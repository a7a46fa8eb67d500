"""Messages of a list: cursor moves, opened records, marks, and the sort order."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.message import Message

if TYPE_CHECKING:
    from svc_tui.console.widgets.list.drawn_list import DrawnList
    from svc_tui.console.widgets.list.rows import Row


class ListMessage(Message, namespace="record_list"):
    """Base of the messages of a list."""

    def __init__(self, record_list: DrawnList) -> None:
        super().__init__()
        self.record_list = record_list

    @property
    def control(self) -> DrawnList:
        """The list that posted the message."""
        return self.record_list


class Moved(ListMessage, namespace="record_list"):
    """A move of the cursor, or a change of the selected record."""

    def __init__(self, record_list: DrawnList, index: int, record_id: str | None, row: Row | None) -> None:
        super().__init__(record_list)
        self.index = index
        self.record_id = record_id
        self.row = row


class Opened(Moved, namespace="record_list"):
    """A record was opened, with a key or a double click."""


class MarksChanged(ListMessage, namespace="record_list"):
    """A change of the marks; `count` is their number."""

    def __init__(self, record_list: DrawnList, count: int) -> None:
        super().__init__(record_list)
        self.count = count


class MarkingFailed(ListMessage, namespace="record_list"):
    """The IDs to mark could not be read; no record was marked."""

    def __init__(self, record_list: DrawnList, error: Exception) -> None:
        super().__init__(record_list)
        self.error = error


class Marking(ListMessage, namespace="record_list"):
    """Progress of marking, see `RecordList.marking`."""


class SortChanged(ListMessage, namespace="record_list"):
    """Another order was requested. The header shows it; the owner of the list replaces the rows."""

    def __init__(self, record_list: DrawnList, field: str, descending: bool) -> None:
        super().__init__(record_list)
        self.field = field
        self.descending = descending
