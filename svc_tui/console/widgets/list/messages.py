"""What a list tells: the cursor moved, a record was asked for, marks on their way, other marks, another order."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.message import Message

if TYPE_CHECKING:
    from svc_tui.console.widgets.list.drawn_list import DrawnList
    from svc_tui.console.widgets.list.rows import Row


class ListMessage(Message, namespace="record_list"):
    """Something that a list tells."""

    def __init__(self, record_list: DrawnList) -> None:
        super().__init__()
        self.record_list = record_list

    @property
    def control(self) -> DrawnList:
        """The list it came from."""
        return self.record_list


class Moved(ListMessage, namespace="record_list"):
    """The cursor is on another record, or the record under it has come or changed."""

    def __init__(self, record_list: DrawnList, index: int, record_id: str | None, row: Row | None) -> None:
        super().__init__(record_list)
        self.index = index
        self.record_id = record_id
        self.row = row


class Opened(Moved, namespace="record_list"):
    """A record was asked for: by `open` or a double click."""


class MarksChanged(ListMessage, namespace="record_list"):
    """Other records are marked; `count` of them now."""

    def __init__(self, record_list: DrawnList, count: int) -> None:
        super().__init__(record_list)
        self.count = count


class MarkingFailed(ListMessage, namespace="record_list"):
    """The ids to mark could not be read; nothing was marked. `error` says why."""

    def __init__(self, record_list: DrawnList, error: Exception) -> None:
        super().__init__(record_list)
        self.error = error


class Marking(ListMessage, namespace="record_list"):
    """Ids to mark are being read, or no more: `RecordList.marking` says how far it is."""


class SortChanged(ListMessage, namespace="record_list"):
    """Another order was asked for; the header shows it already, the rows are the owner's to bring."""

    def __init__(self, record_list: DrawnList, field: str, descending: bool) -> None:
        super().__init__(record_list)
        self.field = field
        self.descending = descending
