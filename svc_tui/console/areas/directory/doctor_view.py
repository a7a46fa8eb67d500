"""The import doctor: the rows with errors as a table, the cells of the row under the cursor, and their editor."""

from __future__ import annotations

from collections.abc import Callable, Sequence, Set
from typing import Any

from textual import events, on
from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import Static

from svc_tui.console.areas.directory.faulty_rows import (
    FaultKind,
    FaultyRows,
    cell_line,
    columns_of,
    faults_of,
    in_words,
    kind_name,
    next_fault,
)
from svc_tui.console.core.keys import DialogKey
from svc_tui.console.core.places import Place
from svc_tui.console.core.resource import Resource
from svc_tui.console.terminal.text import safe_text, width
from svc_tui.console.views.rows_view import RowsView
from svc_tui.console.widgets.bars import Piece
from svc_tui.console.widgets.line_input import FieldInput
from svc_tui.console.widgets.list.messages import Moved, Opened
from svc_tui.console.widgets.list.record_list import RecordList
from svc_tui.console.widgets.sheet import Sheet
from svc_tui.interface.directory.csv.faults import Fault
from svc_tui.interface.texts import counted
from svc_tui.language import _, number_text
from svc_tui.workspace.directory.corrections import Corrections
from svc_tui.workspace.directory.doctor import Doctor, FaultyRow
from svc_tui.workspace.directory.target import ImportTarget

#: Keys while a cell is edited.
CELL_KEYS = (
    DialogKey("cell.save", ("enter",), "Save", "Save the cell"),
    DialogKey("cell.next", ("down", "tab"), "Next cell", "Save the cell and go to the next one"),
    DialogKey("cell.previous", ("up", "shift+tab"), "Previous cell", "Save the cell and go to the previous one"),
    DialogKey("cell.cancel", ("esc",), "Cancel", "Discard the edited value"),
)


class DoctorView(RowsView):
    """Shows and corrects the rows of a doctor. Corrections stay until the view is closed."""

    kind = "report"
    DEFAULT_CSS = """
    DoctorView { layout: vertical; layers: sheet editor; }
    DoctorView RecordList { height: 1fr; }
    DoctorView Sheet { height: 8; max-height: 40%; background: $surface; }
    DoctorView #fault { height: 1; padding: 0 1; color: $error; }
    DoctorView #where { height: 1; padding: 0 1; color: $text-muted; }
    DoctorView FieldInput { layer: editor; position: absolute; }
    """

    def __init__(
        self, place: Place, resource: Resource, doctor: Doctor, target: ImportTarget, *, unicode: bool = True
    ) -> None:
        super().__init__(place, resource)
        self.doctor, self.target, self._unicode = doctor, target, unicode
        self.rows = FaultyRows(doctor)
        #: The selected column; empty for the row as a whole.
        self.column = ""
        self.corrections = Corrections(doctor)
        self._alike = False
        self._fault_lines = 1

    def compose(self) -> ComposeResult:
        yield RecordList(columns_of(self.doctor), unicode=self._unicode, empty=self._empty)
        yield Sheet(label_width=22, notes_right=True, notes_within=80)
        yield Static(id="fault", markup=False)
        yield Static(id="where", markup=False)
        yield FieldInput(self._typed)

    def on_mount(self) -> None:
        self.records.set_rows(self.rows)
        self._go_to_first()
        self.draw()

    # --- drawing -----------------------------------------------------------------------------------------

    @property
    def sheet(self) -> Sheet:
        return self.query_one(Sheet)

    @property
    def editor(self) -> FieldInput:
        return self.query_one(FieldInput)

    @property
    def crumb(self) -> str:
        return (
            _("Doctor of {name}").format(name=self.doctor.path.name) if self.doctor.path else _("Doctor of the report")
        )

    @property
    def _empty(self) -> str:
        """The text instead of rows, with the next step for a file that can be imported."""
        if self.doctor.path is None or self.target.purpose == "check":
            return _("No errors.")
        return self.with_keys(_("No errors. {directory.import} imports the file."))

    @property
    def row(self) -> FaultyRow | None:
        """The row under the cursor."""
        return self.rows.at(self.records.cursor)

    @property
    def fault(self) -> Fault | None:
        """The error of the selected cell."""
        row = self.row
        return next((each for each in row.faults if each.column == self.column), None) if row else None

    @property
    def whole(self) -> bool:
        """Whether the row has a cell for each column."""
        return self.row is not None and len(self.row.cells) == len(self.doctor.columns)

    @property
    def value(self) -> str:
        """The value of the selected cell."""
        return self.row.cells[self.doctor.header.index(self.column)] if self.row and self.whole and self.column else ""

    def status(self) -> Sequence[Piece]:
        doctor = self.doctor
        doubtful, wrong = doctor.doubtful, doctor.left - doctor.doubtful
        pieces = [Piece(f" {counted(doctor.total, 'row')}   ")]
        if doubtful:
            pieces.append(Piece(_("{doubtful} doubtful   ").format(doubtful=number_text(doubtful)), "warn"))
        if wrong or not doubtful:
            text = _("{left} with errors").format(left=number_text(wrong)) if wrong else _("no errors")
            pieces.append(Piece(text, "bad" if wrong else "ok"))
        if doctor.corrected:
            right = doctor.fixed
            done = (
                _("corrected")
                if right == doctor.corrected
                else _("changed, {right} of them corrected").format(right=number_text(right))
            )
            pieces.append(
                Piece(
                    f"   {number_text(doctor.corrected)} {done}{_(', not saved') if self.corrections.unsaved else ''}",
                    "accent",
                )
            )
        if lines := len(doctor.csv_format.corrected):
            pieces.append(Piece(_("   {lines} repaired").format(lines=counted(lines, "line")), "accent"))
        if imported := len(self.corrections.imported):
            pieces.append(Piece(_("   {imported} imported").format(imported=number_text(imported)), "ok"))
        if doctor.uncollected:
            pieces.append(
                Piece(_("   {uncollected} more not shown").format(uncollected=number_text(doctor.uncollected)), "warn")
            )
        if self.rows.kind is not None:
            pieces.append(Piece(_("   only {kind_name}").format(kind_name=kind_name(self.rows.kind)), "accent"))
        return pieces

    def draw(self) -> None:
        """Show the row under the cursor and its errors."""
        if not self.is_attached:
            return
        row = self.row
        if row is None:
            self.sheet.show([])
            self._say("", "")
            return
        faults = {fault.column: fault for fault in row.faults}
        self.sheet.show([cell_line(name, value, faults.get(name)) for name, value in self._cells(row)])
        self.sheet.go_to(self.column)
        self._explain(self.fault or next(iter(row.faults), None), row)

    def _cells(self, row: FaultyRow) -> list[tuple[str, str]]:
        if self.whole:
            return list(zip(self.doctor.header, row.cells, strict=True))
        return [(_("value {number}").format(number=number), cell) for number, cell in enumerate(row.cells, 1)]

    def _explain(self, fault: Fault | None, row: FaultyRow) -> None:
        if row.number in self.corrections.imported:
            self._say("", _("Row {number} is imported.").format(number=number_text(row.number)))
            return
        if self.doctor.path is not None:
            where = _("Row {number}, line {line} of the file.").format(
                number=number_text(row.number), line=number_text(row.row.line)
            )
        else:
            where = _("Row {number} of the imported file.").format(number=number_text(row.number))
        self._say(in_words(fault), where if fault else _("{where} No errors.").format(where=where))

    def _say(self, first: str, second: str) -> None:
        text, drawn = self.query_one("#fault", Static), safe_text(first).text
        # On a narrow terminal a rule may take more than one line; otherwise nothing moves.
        self._fault_lines, before = min(max(1, -(-width(drawn) // max(self.size.width - 4, 1))), 3), self._fault_lines
        text.update(Content(drawn), layout=False)
        if self._fault_lines != before:
            text.styles.height = self._fault_lines
        self.query_one("#where", Static).update(Content(safe_text(second).text), layout=False)

    # --- moving ------------------------------------------------------------------------------------------------

    @on(Moved)
    def _moved(self, event: Moved) -> None:
        event.stop()
        self._choose_column()
        self.draw()
        self.notify_changed(moved=True)

    @on(Opened)
    def _opened(self, event: Opened) -> None:
        event.stop()
        self.post_message(self.ActionRequested("directory.edit"))

    @on(Sheet.Moved)
    def _cell_clicked(self, event: Sheet.Moved) -> None:
        event.stop()
        if event.key in self.doctor.header and event.key != self.column:
            self.column = event.key
            self.notify_changed(moved=True)

    def _choose_column(self) -> None:
        """Keep the column while it has an error in this row too; otherwise take the first one with an error."""
        row = self.row
        if row is not None and row.faults and not any(fault.column == self.column for fault in row.faults):
            self.column = faults_of(row, self.doctor.header)[0]

    def _go_to_first(self) -> None:
        self.records.home()
        self._choose_column()

    def step(self, by: int) -> None:
        """Go to the next or the previous column."""
        header = self.doctor.header
        at = header.index(self.column) + by if self.column in header else 0
        self.column = header[max(0, min(at, len(header) - 1))]
        self.draw()
        self.notify_changed(moved=True)

    def jump(self, by: int) -> bool:
        """Go to the next or the previous error; False when there is none."""
        found = next_fault(self.rows, self.records.cursor, self.column, by)
        if found is None:
            return False
        index, self.column = found
        self.records.go(index)
        self.draw()
        return True

    def pick(self, kind: FaultKind | None) -> None:
        """Show the rows with one kind of error, or all."""
        self.rows.pick(kind)
        self._go_to_first()
        if kind is not None:
            self.column = kind[1]
        self.draw()
        self.notify_changed()

    def next_pane(self) -> None:
        """Filter by the next kind of error; after the last one, show all rows."""
        kinds: list[FaultKind | None] = [None, *((rule, column) for rule, column, _ in self.doctor.fault_kinds())]
        at = kinds.index(self.rows.kind) if self.rows.kind in kinds else -1
        self.pick(kinds[(at + 1) % len(kinds)])

    # --- correcting -----------------------------------------------------------------------------------------------

    def changed(self, numbers: Sequence[int]) -> None:
        """Redraw after corrections of these rows."""
        self.corrections.changed(numbers)
        self.rows.changed(numbers)
        self.draw()
        self.notify_changed()

    def now_saved(self) -> None:
        """Mark all changes as saved."""
        self.corrections.all_saved()
        self.notify_changed()

    def now_imported(self, numbers: Set[int], *, all_lines: bool = False) -> None:
        """Mark these rows as imported, and with `all_lines` the repaired lines too."""
        self.corrections.now_imported(numbers, all_lines=all_lines)
        self.rows.changed(numbers)
        self.draw()
        self.notify_changed()

    def edit(self, *, alike: bool = False) -> None:
        """Open the editor on the cell; with `alike` for all equal cells."""
        self._alike = alike
        if not self.column:
            self.step(0)
        self.draw()
        editor = self.editor
        self._place_editor()
        editor.value = self.value
        editor.display = True
        self.screen.set_focus(editor, scroll_visible=False)
        editor.cursor_position = len(self.value)
        self._judge()

    def _place_editor(self) -> None:
        """Place the editor over the value of the cell."""
        sheet, editor = self.sheet, self.editor
        left = sheet.label_width + 4
        editor.styles.offset = (left, sheet.region.y - self.region.y + sheet.cursor - sheet.top)
        editor.styles.width = max(12, self.size.width - left)

    def on_resize(self) -> None:
        if self.is_attached and not self.editing:
            self.draw()
        elif self.is_attached:
            self.call_after_refresh(self._place_editor)

    @property
    def editing(self) -> bool:
        """Whether a cell is being edited."""
        return self.editor.display

    def take_key(self, event: events.Key) -> bool:
        """End or continue the editing of a cell; False for another key."""
        verb = "" if event.is_printable or not self.editing else self.pressed(event, CELL_KEYS)
        if verb == "cancel":
            self._close_editor()
        elif verb:
            self._keep()
        if verb in ("next", "previous") and self.whole:
            self.step(1 if verb == "next" else -1)
            self.edit()
        return bool(verb)

    def _typed(self) -> None:
        if self.editing:
            self._judge()

    def _judge(self) -> None:
        """Show the error of the edited value, if any."""
        row = self.row
        if row is None or not self.whole:
            return
        cells = list(row.cells)
        cells[self.doctor.header.index(self.column)] = self.editor.value
        faults = self.doctor.checker.check(cells)
        found = next((fault for fault in faults if fault.column == self.column), None)
        many = len(self.doctor.same_value(row.number, self.column)) if self._alike else 1
        saves = (
            _("{{save}} saves all {many} equal cells").format(many=number_text(many))
            if many > 1
            else _("{save} saves the value")
        )
        self._say(in_words(found), self.with_keys(_("{saves}, {{cancel}} discards it.").format(saves=saves), CELL_KEYS))

    def _close_editor(self) -> None:
        self.editor.display = False
        self.screen.set_focus(self.records, scroll_visible=False)
        self.draw()

    def _keep(self) -> None:
        row, typed, alike = self.row, self.editor.value, self._alike
        self._close_editor()
        if row is None or typed == self.value:
            return
        numbers = self.doctor.same_value(row.number, self.column) if alike else [row.number]
        for number in numbers:
            self.doctor.edit(number, self.column, typed)
        self.changed(numbers)

    def apply_suggestion(self, *, everywhere: bool = False) -> int:
        """Apply the suggestion to the cell and all equal ones, or all suggestions. Returns the number of rows."""
        number = self.row.number if self.row is not None else None
        if number is None and not everywhere:
            return 0
        numbers = self.doctor.apply_suggestions() if everywhere else self.doctor.apply_suggestions(number, self.column)
        self.changed(numbers)
        return len(numbers)

    def correct(self, act: Callable[[int], Any]) -> None:
        """Apply a correction to the row under the cursor. BadFile as `act` raises it."""
        if self.row is not None:
            number = self.row.number
            act(number)
            self.changed([number])
            self._choose_column()
            self.draw()

    def may_leave(self) -> bool:
        return not self.corrections.unsaved

    @property
    def loss(self) -> str:
        return _("{changed_rows} neither saved nor imported would be lost.").format(
            changed_rows=counted(self.corrections.unsaved, "changed row")
        )
