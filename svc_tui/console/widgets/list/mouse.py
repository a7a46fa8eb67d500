"""The mouse in a list."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from textual import events

from svc_tui.console.widgets.list.columns import ColumnPlace


class Clickable(Protocol):
    """A list, for the mouse."""

    @property
    def top(self) -> int: ...
    @property
    def lines_are_current(self) -> bool: ...
    @property
    def count(self) -> int: ...
    @property
    def places(self) -> Sequence[ColumnPlace]: ...
    def go(self, index: int) -> None: ...
    def scroll_rows(self, by: int) -> None: ...
    def open(self) -> None: ...
    def toggle_mark(self, *, go_on: bool = True) -> None: ...
    def mark_range(self) -> None: ...
    def sort_by(self, field: str) -> None: ...


_WHEEL_ROWS = 3


def click(records: Clickable, event: events.Click, header: int, gutter: int) -> None:
    """Sort by a title or go to a line. A double click opens; with ctrl it marks a line, with shift a range."""
    event.stop()
    if event.y < header:
        _click_title(records, event.x - gutter)
        return
    index = records.top + event.y - header
    if index >= records.count or not records.lines_are_current:
        return
    records.go(index)
    if event.shift:
        records.mark_range()
    elif event.ctrl:
        records.toggle_mark(go_on=False)
    elif event.chain == 2:
        records.open()


def wheel(records: Clickable, event: events.MouseScrollUp | events.MouseScrollDown) -> None:
    """Scroll by some rows."""
    event.stop()
    event.prevent_default()
    records.scroll_rows(_WHEEL_ROWS if isinstance(event, events.MouseScrollDown) else -_WHEEL_ROWS)


def _click_title(records: Clickable, x: int) -> None:
    for place in records.places:
        if place.x <= x < place.x + place.width and place.column.sort_field:
            records.sort_by(place.column.sort_field)
