"""The editor of office hours: half hours of a week opened and closed or typed, and exceptions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from textual import events, on
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Static

from svc_tui.console.areas.voice.week_grid import CELL, WeekGrid
from svc_tui.console.core.dialog_keys import ACCEPT, CLOSE, LINE_DOWN, LINE_UP, SAVE
from svc_tui.console.core.keys import DialogKey
from svc_tui.console.dialogs.box import NOT_SAVED, UNSAVED, Box, plain
from svc_tui.console.terminal.text import safe_text
from svc_tui.console.widgets.line_input import FieldInput
from svc_tui.interface.voice.hours import MinutePeriods
from svc_tui.interface.voice.week import (
    DAYS,
    Span,
    WeekEdit,
    day_text,
    exception_text,
    periods_text,
    read_exceptions,
    read_periods,
    spans,
)
from svc_tui.language import _

_DAY_HINT = _("09:00-12:30, 13:30-18:00 · closed · all day")
_OTHER_HINT = _("12-25 closed · 12-24..01-02 closed · 2026-12-24 open 09:00-12:00")


class WeekEditor(Box[dict[str, Any]]):
    """Returns the new hours, or None when they were discarded."""

    # The hours of a day must fit beside its strip at eighty columns.
    DEFAULT_CSS = """
    WeekEditor > .box { width: 80; max-width: 100%; }
    WeekEditor #error { height: 1; }
    WeekEditor #hint { color: $text-muted; height: 1; }
    """
    KEYS = (
        DialogKey("week.open", ("o",), "Open", "Open the half hour and go to the next one"),
        DialogKey("week.close_hours", ("x", "delete"), "Close", "Close the half hour, or remove the exception"),
        DialogKey("week.edit", ("enter", "e"), "Edit", "Edit the hours of the day, or the exception"),
        DialogKey("week.copy", ("y",), "Copy day", "Copy the hours of the day"),
        DialogKey("week.paste", ("p",), "Copy day", "Paste the copied hours"),
        DialogKey("week.new", ("n",), "Exception", "Add an exception"),
        DialogKey("week.switch", ("space",), "Open or close", "Open or close the half hour", shown=False),
        LINE_DOWN,
        LINE_UP,
        DialogKey("week.later", ("right",), "Later", "Next half hour", shown=False),
        DialogKey("week.earlier", ("left",), "Earlier", "Previous half hour", shown=False),
        DialogKey("week.first", ("home",), "First", "First half hour of the day", shown=False),
        DialogKey("week.last", ("end",), "Last", "Last half hour of the day", shown=False),
        DialogKey("week.next_part", ("tab",), "Next part", "Switch between the week and the exceptions", shown=False),
        SAVE,
        CLOSE.labelled(_("Cancel")),
    )
    EDITING_KEYS = (
        ACCEPT.labelled(_("Keep")),
        SAVE.unlisted(),
        DialogKey("week.leave_line", ("esc",), "Cancel", "Discard the edited line"),
    )

    def __init__(self, title: str, hours: Mapping[str, Any] | None) -> None:
        super().__init__(title)
        self.week = WeekEdit(hours)
        self._grid = WeekGrid(self.week)
        self._editor = FieldInput(self._typed)
        self._copied: MinutePeriods | None = None
        self._adding = False
        #: What the line contained when it was opened.
        self._opened = ""
        self._warned = False

    def body(self) -> Iterable[Widget]:
        yield self._grid
        yield plain("", id="hint")
        yield self._editor
        yield plain("", id="error", classes="error")

    def on_mount(self) -> None:
        self._grid.focus()
        self._say()

    @on(WeekGrid.Moved)
    def _moved(self) -> None:
        self._say()

    def _say(self, error: str = "") -> None:
        typing = self._editor.display
        other = self._adding or self._grid.index is None
        hint = (_OTHER_HINT if other else f"{DAYS[self._grid.row][0]}: {_DAY_HINT}") if typing else self._grid.words()
        self.query_one("#hint", Static).update(Content(hint))
        self.query_one("#error", Static).update(Content(safe_text(error).text))
        self.show_keys()

    # --- keys --------------------------------------------------------------------------------------------------

    def current_keys(self) -> Sequence[DialogKey]:
        # The key line is composed before the editor.
        editing = self.query_one_optional(FieldInput) is not None and self._editor.display
        return self.EDITING_KEYS if editing else self.KEYS

    async def take_key(self, event: events.Key) -> bool:
        if self.pressed(event, self.current_keys()) != CLOSE.verb:
            self._warned = False
        return await super().take_key(event)

    def move(self, by: int) -> None:
        self._grid.go(self._grid.row + by)

    def action_later(self) -> None:
        self._grid.go(self._grid.row, self._grid.cell + 1)

    def action_earlier(self) -> None:
        self._grid.go(self._grid.row, self._grid.cell - 1)

    def action_first(self) -> None:
        self._grid.go(self._grid.row, 0)

    def action_last(self) -> None:
        self._grid.go(self._grid.row, 10**6)

    def action_next_part(self) -> None:
        self._grid.go(len(DAYS) if self._grid.index is not None else 0)

    def action_open(self) -> None:
        self._paint(open=True)

    def _paint(self, *, open: bool) -> None:
        """Open or close the half hour and move to the next, so that holding the key continues."""
        index = self._grid.index
        if index is not None:
            self.week.paint(index, self._grid.minute, self._grid.minute + CELL, open=open)
            self._grid.go(self._grid.row, self._grid.cell + 1)

    def action_close_hours(self) -> None:
        at = self._grid.exception
        if at is None:
            self._paint(open=False)
        else:
            del self.week.exceptions[at]
            self._grid.go(self._grid.row)

    def action_switch(self) -> None:
        index, minute = self._grid.index, self._grid.minute
        if index is not None:
            is_open = any(start <= minute < end for start, end in self.week.periods(index))
            self.week.paint(index, minute, minute + CELL, open=not is_open)
            self._grid.go(self._grid.row)

    def action_copy(self) -> None:
        if self._grid.index is not None:
            self._copied = self.week.periods(self._grid.index)
            self._say(
                _("Copied {periods_text}. {with_keys}").format(
                    periods_text=periods_text(self._copied),
                    with_keys=self.with_keys(_("{paste} pastes it into another day.")),
                )
            )

    def action_paste(self) -> None:
        if self._grid.index is not None and self._copied is not None:
            self.week.set(self._grid.index, self._copied)
            self._grid.go(self._grid.row + 1 if self._grid.row + 1 < len(DAYS) else self._grid.row)

    def action_save(self) -> None:
        if not self._editor.display or self._take_typed():
            self.dismiss(self.week.value())

    @property
    def loss(self) -> str:
        return NOT_SAVED if self.week.changed else ""

    def action_close(self) -> None:
        """Close; changes are discarded only when it is asked for again."""
        if self.loss and not self._warned:
            self._warned = True
            self._say(self.with_keys(UNSAVED))
            return
        self.dismiss(None)

    # --- typing ------------------------------------------------------------------------------------------------

    def action_edit(self) -> None:
        """Type the hours of the day, or the exception, under the cursor."""
        index, at = self._grid.index, self._grid.exception
        if index is not None:
            self._open_editor(periods_text(self.week.periods(index)))
        elif at is not None:
            self._open_editor(exception_text(self.week.exceptions[at]))

    def action_new(self) -> None:
        self._adding = True
        self._open_editor("")

    def _open_editor(self, text: str) -> None:
        editor, self._opened = self._editor, text
        editor.value = text
        editor.display = True
        editor.focus()
        # The first typed character replaces the text; the arrows keep it.
        editor.select_all()
        self._say()

    def _typed(self) -> None:
        if self._editor.display:
            self._say(self._read(self._editor.value)[1])

    def _read(self, text: str) -> tuple[Any, str]:
        """The typed value and its error."""
        try:
            if self._grid.index is not None and not self._adding:
                return read_periods(text), ""
            return self._unique(read_exceptions(text)), ""
        except ValueError as error:
            return None, str(error)

    def _unique(self, span: Span) -> Span:
        """Exceptions, unless one of their days already has one. ValueError when it does."""
        edited = None if self._adding else self._grid.exception
        others = {day_text(each) for at, other in enumerate(self.week.exceptions) if at != edited for each in other}
        if day := next((day for day in map(day_text, span) if day in others), ""):
            raise ValueError(_("{day} already has an exception: edit that one").format(day=day))
        return span

    def action_accept(self) -> None:
        self._take_typed()

    def action_leave_line(self) -> None:
        self._close_editor()

    def _take_typed(self) -> bool:
        """Accept the typed value; False when something is wrong with it. An unchanged one stays as it is stored."""
        if not self._adding and self._editor.value == self._opened:
            self._close_editor()
            return True
        value, error = self._read(self._editor.value)
        if error:
            self._say(error)
            return False
        self._take(value)
        self._close_editor()
        return True

    def _take(self, value: Any) -> None:
        if not self._adding and self._grid.index is not None:
            self.week.set(self._grid.index, value)
            return
        exceptions = self.week.exceptions
        if self._adding:
            exceptions.append(value)
        elif (at := self._grid.exception) is not None:
            exceptions[at] = value
        # Days beside others with the same hours become one entry with them.
        exceptions[:] = spans([each for span in exceptions for each in span])
        self._grid.go(len(DAYS) + next(at for at, span in enumerate(exceptions) if value[0] in span))

    def _close_editor(self) -> None:
        self._adding = False
        self._editor.display = False
        self._grid.focus()
        self._grid.refresh()
        self._say()
