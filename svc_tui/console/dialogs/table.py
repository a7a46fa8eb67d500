"""A list of records edited in place, one per line. Errors are shown as you type."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, ClassVar

from rich.cells import cell_len
from textual import on
from textual.containers import Container
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Static

from svc_tui.console.core.dialog_keys import (
    CLOSE,
    DOWN,
    LINE_DOWN,
    LINE_UP,
    MOVE_DOWN,
    MOVE_UP,
    PAGE_DOWN,
    PAGE_UP,
    REMOVE,
    SAVE,
    UP,
)
from svc_tui.console.core.field_text import joined
from svc_tui.console.core.keys import DialogKey
from svc_tui.console.core.table_rows import EditedRows
from svc_tui.console.dialogs.box import NOT_SAVED, UNSAVED, Box, plain
from svc_tui.console.terminal.text import fit
from svc_tui.console.widgets.line_input import FieldInput
from svc_tui.console.widgets.sheet import Sheet
from svc_tui.console.widgets.sheet_lines import Line
from svc_tui.interface.texts import counted
from svc_tui.language import _

_MARK, _GAP = 2, 1
#: The smallest width of a cell, and the room for the cursor behind its value.
_SMALLEST, _CURSOR = 6, 1


class TableEditor(Box[list[dict[str, Any]]]):
    """Returns the complete new list, None when its changes were discarded."""

    DEFAULT_CSS = """
    TableEditor #table { layers: sheet cell; height: auto; max-height: 13; }
    TableEditor Sheet { height: auto; min-height: 2; max-height: 13; }
    TableEditor #head { color: $text-muted; height: 1; }
    TableEditor FieldInput { layer: cell; position: absolute; }
    """
    KEYS: ClassVar[tuple[DialogKey, ...]] = (
        DialogKey("table.new", ("n", "insert"), "New", "Add a row"),
        DialogKey("table.edit", ("enter", "e"), "Edit", "Edit the row"),
        REMOVE,
        MOVE_DOWN,
        MOVE_UP,
        LINE_DOWN,
        LINE_UP,
        PAGE_DOWN,
        PAGE_UP,
        SAVE,
        CLOSE,
    )
    EDITING_KEYS = (
        DialogKey("table.next_cell", ("enter", "tab"), "Next cell", "Go to the next cell"),
        DialogKey("table.previous_cell", ("shift+tab",), "Previous cell", "Go to the previous cell", shown=False),
        DOWN.labelled(_("Row")),
        UP.labelled(_("Row")),
        SAVE.unlisted(),
        DialogKey("table.end", ("esc",), "Finish the row", "Go back from the cell to the rows"),
    )

    def __init__(self, title: str, rows: EditedRows) -> None:
        super().__init__(title)
        self.rows = rows
        #: The cell that is edited.
        self._row, self._column = 0, 0
        self._warned = False

    def body(self) -> Iterable[Widget]:
        yield plain("", id="head")
        with Container(id="table"):
            yield Sheet()
            yield FieldInput(self._typed)
        yield plain("", id="hint")
        yield plain("", id="error", classes="error")

    def on_mount(self) -> None:
        self._draw()
        self.sheet.focus()

    def on_resize(self) -> None:
        self.call_after_refresh(self._draw)

    @property
    def sheet(self) -> Sheet:
        return self.query_one(Sheet)

    @property
    def cell(self) -> FieldInput:
        return self.query_one(FieldInput)

    @property
    def _at(self) -> int:
        return self.sheet.cursor

    # --- drawing -----------------------------------------------------------------------------------------------

    def _widths(self) -> list[int]:
        """The width of each field: that of its longest value, the widest ones shortened."""
        rows, specs = self.rows, self.rows.specs
        widths = [
            max(cell_len(spec.label), _SMALLEST, *(cell_len(rows.drawn(at, spec.wire)) for at in range(len(rows))))
            + _CURSOR
            for spec in specs
        ]
        room = max(20, self.sheet.size.width - _MARK - _GAP * len(specs))
        while sum(widths) > room and max(widths) > _SMALLEST:
            widest = widths.index(max(widths))
            widths[widest] -= 1
        widths[-1] += max(0, room - sum(widths))
        return widths

    def _draw(self) -> None:
        widths, rows = self._widths(), self.rows
        head = "".join(fit(spec.label, width) + " " * _GAP for spec, width in zip(rows.specs, widths, strict=True))
        self.query_one("#head", Static).update(Content(" " * (_MARK + 1) + head))
        lines = []
        for at in range(len(rows)):
            cells = (fit(rows.drawn(at, spec.wire), width) for spec, width in zip(rows.specs, widths, strict=True))
            mark = "! " if rows.problem(at) else "  "
            lines.append(Line("text", value=mark + (" " * _GAP).join(cells), key=str(at)))
        self.sheet.styles.height = max(2, len(lines))
        self.sheet.show(lines)
        if self.cell.display:
            self._place(widths)
        self._explain()

    def _explain(self) -> None:
        rows, editing = self.rows, self.cell.display
        spec = rows.specs[self._column]
        hint = f"{spec.label}: {joined(spec.facet.help, spec.constraint_in_words)}" if editing else self._amount()
        self.put("#hint", hint)
        problem = rows.problem(self._at, spec.wire if editing else "") or rows.problem(self._at)
        self.show_error(problem)
        self.show_keys()

    def _amount(self) -> str:
        return (
            _("{rows} of {most}").format(rows=len(self.rows), most=self.rows.most)
            if self.rows.most
            else counted(len(self.rows), "entry", "entries")
        )

    @on(Sheet.Moved)
    def _moved(self) -> None:
        if self.cell.display and self._at != self._row:
            self._edit(self._column)
        self._explain()

    # --- keys --------------------------------------------------------------------------------------------------

    def current_keys(self) -> Sequence[DialogKey]:
        # The key line is composed before the cell.
        editing = self.query_one_optional(FieldInput) is not None and self.cell.display
        return self.EDITING_KEYS if editing else self.KEYS

    def move(self, by: int) -> None:
        if not self.cell.display:
            self.sheet.move(by)
        elif 0 <= self._at + by < len(self.rows):
            self.sheet.move(by)
            self._edit(self._column)
        else:
            self.action_end()

    def page(self, by: int) -> None:
        self.sheet.page(by)

    def action_new(self) -> None:
        at = self._at + 1 if len(self.rows) else 0
        if not self.rows.add(at):
            self.show_error(
                _("The list is full: at most {entries}.").format(
                    entries=counted(self.rows.most or 0, "entry", "entries")
                )
            )
            return
        self._draw()
        self.sheet.go(at)
        self._edit(0)

    def action_edit(self) -> None:
        if len(self.rows):
            self._edit(0)

    def action_remove(self) -> None:
        if len(self.rows):
            self.rows.drop(self._at)
            self._draw()

    def action_move_down(self) -> None:
        self._shift(1)

    def action_move_up(self) -> None:
        self._shift(-1)

    def _shift(self, by: int) -> None:
        if self.rows.shift(self._at, by):
            at = self._at + by
            self._draw()
            self.sheet.go(at)

    def action_save(self) -> None:
        if self.cell.display:
            self.action_end()
        wrong = next((at for at in range(len(self.rows)) if self.rows.problem(at)), None)
        if wrong is None or not self.rows.changed:
            self.dismiss(self.rows.value())
            return
        self.sheet.go(wrong)
        self._explain()

    # --- one cell ----------------------------------------------------------------------------------------------

    def _edit(self, column: int) -> None:
        """Open the editor over a cell of the row under the cursor."""
        self._row, self._column = self._at, column
        cell = self.cell
        self._place(self._widths())
        cell.value = self.rows.typed(self._at, self.rows.specs[column].wire)
        cell.display = True
        cell.focus()
        cell.cursor_position = len(cell.value)
        self._explain()

    def _place(self, widths: list[int]) -> None:
        """Place the editor over its cell."""
        left = _MARK + 1 + sum(widths[: self._column]) + _GAP * self._column
        self.cell.styles.offset = (left, self._row - self.sheet.top)
        self.cell.styles.width = widths[self._column]

    def _typed(self) -> None:
        """Take the text of the editor as the value of its cell."""
        wire = self.rows.specs[self._column].wire
        if self.cell.display and self.cell.value != self.rows.typed(self._row, wire):
            self.rows.type(self._row, wire, self.cell.value)
            self._draw()

    def action_next_cell(self) -> None:
        self._step(1)

    def action_previous_cell(self) -> None:
        self._step(-1)

    def _step(self, by: int) -> None:
        if 0 <= self._column + by < len(self.rows.specs):
            self._edit(self._column + by)
        else:
            self.action_end()

    def action_end(self) -> None:
        """Close the editor and remove empty rows."""
        self.cell.display = False
        self.sheet.focus()
        self.rows.drop_empty()
        self._draw()

    @property
    def loss(self) -> str:
        return NOT_SAVED if self.rows.changed else ""

    def action_close(self) -> None:
        """Close. Changes are discarded only when the key is pressed again."""
        if self.loss and not self._warned:
            self._warned = True
            self.show_error(self.with_keys(UNSAVED))
            return
        self.dismiss(None)
