"""The import doctor: the rows that are not right as a table, the row under the cursor cell by cell, and its editor."""

from __future__ import annotations

from collections.abc import Callable, Sequence, Set
from typing import Any

from textual import events, on
from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import Input, Static

from svc_tui.console.areas.directory.faulty_rows import FaultKind, FaultyRows, columns_of, faults_of, next_fault
from svc_tui.console.core.keys import DialogKey
from svc_tui.console.core.places import Place
from svc_tui.console.core.resource import Resource
from svc_tui.console.terminal.text import shown, width
from svc_tui.console.views.form import KeyTaker
from svc_tui.console.views.rows_view import RowsView
from svc_tui.console.widgets.bars import Piece
from svc_tui.console.widgets.field_input import FieldInput
from svc_tui.console.widgets.list.messages import Moved, Opened
from svc_tui.console.widgets.list.record_list import RecordList
from svc_tui.console.widgets.sheet import Line, Sheet, safe
from svc_tui.interface.directory.csv.faults import Fault
from svc_tui.workspace.directory.doctor import Doctor, FaultyRow
from svc_tui.workspace.directory.target import Target

#: Keys while a cell is edited.
CELL_KEYS = (
    DialogKey("cell.save", ("enter",), "Save", "Save the cell"),
    DialogKey("cell.next", ("down", "tab"), "Next cell", "Save the cell and go to the next one"),
    DialogKey("cell.previous", ("up", "shift+tab"), "Previous cell", "Save the cell and go to the previous one"),
    DialogKey("cell.cancel", ("esc",), "Cancel", "Leave the cell unchanged"),
)


class DoctorView(RowsView):
    """Shows and mends the rows of a doctor. What is typed stays until the view is left."""

    kind = "report"
    DEFAULT_CSS = """
    DoctorView { layout: vertical; layers: sheet editor; }
    DoctorView RecordList { height: 1fr; }
    DoctorView Sheet { height: 8; max-height: 40%; background: $surface; }
    DoctorView #fault { height: 1; padding: 0 1; color: $error; }
    DoctorView #where { height: 1; padding: 0 1; color: $text-muted; }
    DoctorView FieldInput {
        layer: editor; position: absolute; border: none; height: 1; padding: 0; background: $panel;
    }
    DoctorView FieldInput:focus { border: none; }
    """

    def __init__(
        self, place: Place, resource: Resource, doctor: Doctor, target: Target, *, unicode: bool = True
    ) -> None:
        super().__init__(place, resource)
        self.doctor, self.target, self._unicode = doctor, target, unicode
        self.rows = FaultyRows(doctor)
        #: The column that the keys work on; empty for the row as a whole.
        self.column = ""
        #: Numbers of the rows that are in the directory by now.
        self.imported: set[int] = set()
        #: Whether something was mended that is not saved or imported.
        self.unsaved = bool(doctor.shape.corrected)
        self._alike = False
        self._lines_said = 1
        self._stamp = _stamp(doctor)

    def compose(self) -> ComposeResult:
        yield RecordList(columns_of(self.doctor), unicode=self._unicode, empty="Every row is right.")
        yield Sheet(label_width=22, notes_right=True)
        yield Static(id="fault", markup=False)
        yield Static(id="where", markup=False)
        yield FieldInput(self.take_key)

    def on_mount(self) -> None:
        self.records.set_rows(self.rows)
        self._go_to_first()
        self.draw()

    # --- what is shown -----------------------------------------------------------------------------------------

    @property
    def sheet(self) -> Sheet:
        return self.query_one(Sheet)

    @property
    def editor(self) -> FieldInput:
        return self.query_one(FieldInput)

    @property
    def crumb(self) -> str:
        return f"Doctor of {self.doctor.path.name}" if self.doctor.path else "Doctor of the report"

    @property
    def row(self) -> FaultyRow | None:
        """The row under the cursor."""
        return self.rows.at(self.records.cursor)

    @property
    def fault(self) -> Fault | None:
        """What is wrong with the cell that the keys work on."""
        row = self.row
        return next((each for each in row.faults if each.column == self.column), None) if row else None

    @property
    def whole(self) -> bool:
        """Whether the row has a cell for each column."""
        return self.row is not None and len(self.row.cells) == len(self.doctor.columns)

    @property
    def value(self) -> str:
        """The cell that the keys work on."""
        return self.row.cells[self.doctor.header.index(self.column)] if self.row and self.whole and self.column else ""

    def status(self) -> Sequence[Piece]:
        doctor, left = self.doctor, self.doctor.left
        pieces = [Piece(f" {doctor.total:,} {'row' if doctor.total == 1 else 'rows'}   ")]
        pieces.append(Piece(f"{left:,} wrong", "bad") if left else Piece("all right", "ok"))
        if doctor.corrected:
            right = doctor.fixed
            done = "mended" if right == doctor.corrected else f"changed, {right:,} of them right now"
            pieces.append(Piece(f"   {doctor.corrected:,} {done}{', not saved' if self.unsaved else ''}", "accent"))
        if lines := len(doctor.shape.corrected):
            pieces.append(Piece(f"   {lines:,} {'line' if lines == 1 else 'lines'} mended", "accent"))
        if self.imported:
            pieces.append(Piece(f"   {len(self.imported):,} imported", "ok"))
        if doctor.uncollected:
            pieces.append(Piece(f"   {doctor.uncollected:,} more are only counted", "warn"))
        if self.rows.kind is not None:
            pieces.append(Piece(f"   only {kind_name(self.rows.kind)}", "accent"))
        return pieces

    def draw(self) -> None:
        """The row under the cursor, and what is wrong with it."""
        if not self.is_attached:
            return
        row = self.row
        if row is None:
            self.sheet.show([])
            self._say("", "")
            return
        faults = {fault.column: fault for fault in row.faults}
        self.sheet.show([_line(name, value, faults.get(name)) for name, value in self._cells(row)])
        self.sheet.go_to(self.column)
        self._explain(self.fault or next(iter(row.faults), None), row)

    def _cells(self, row: FaultyRow) -> list[tuple[str, str]]:
        if self.whole:
            return list(zip(self.doctor.header, row.cells, strict=True))
        return [(f"value {number}", cell) for number, cell in enumerate(row.cells, 1)]

    def _explain(self, fault: Fault | None, row: FaultyRow) -> None:
        if row.number in self.imported:
            self._say("", f"Row {row.number:,} is in the directory.")
            return
        if self.doctor.path is not None:
            where = f"Row {row.number:,}, line {row.row.line:,} of the file."
        else:
            where = f"Row {row.number:,} of the file that was imported."
        self._say(_in_words(fault), where if fault else f"{where} Nothing is wrong with it (any more).")

    def _say(self, first: str, second: str) -> None:
        said, drawn = self.query_one("#fault", Static), shown(first).text
        # On a narrow terminal a rule may take more than one line; nothing moves while it does not.
        self._lines_said, before = min(max(1, -(-width(drawn) // max(self.size.width - 4, 1))), 3), self._lines_said
        said.update(Content(drawn), layout=False)
        if self._lines_said != before:
            said.styles.height = self._lines_said
        self.query_one("#where", Static).update(Content(shown(second).text), layout=False)

    # --- moving ------------------------------------------------------------------------------------------------

    @on(Moved)
    def _moved(self, event: Moved) -> None:
        event.stop()
        self._choose_column()
        self.draw()
        self.tell(moved=True)

    @on(Opened)
    def _opened(self, event: Opened) -> None:
        event.stop()
        self.post_message(self.Wants("directory.edit"))

    @on(Sheet.Moved)
    def _cell_clicked(self, event: Sheet.Moved) -> None:
        event.stop()
        if event.key in self.doctor.header and event.key != self.column:
            self.column = event.key
            self.tell(moved=True)

    def _choose_column(self) -> None:
        """The column stays while it is wrong in this row too; else the first that is."""
        row = self.row
        if row is not None and row.faults and not any(fault.column == self.column for fault in row.faults):
            self.column = faults_of(row, self.doctor.header)[0]

    def _go_to_first(self) -> None:
        self.records.home()
        self._choose_column()

    def step(self, by: int) -> None:
        """To the next column, or the one before."""
        header = self.doctor.header
        at = header.index(self.column) + by if self.column in header else 0
        self.column = header[max(0, min(at, len(header) - 1))]
        self.draw()
        self.tell(moved=True)

    def jump(self, by: int) -> bool:
        """To the next fault, or the one before; False when there is none."""
        found = next_fault(self.rows, self.records.cursor, self.column, by)
        if found is None:
            return False
        index, self.column = found
        self.records.go(index)
        self.draw()
        return True

    def pick(self, kind: FaultKind | None) -> None:
        """Show the rows with one kind of fault, or all."""
        self.rows.pick(kind)
        self._go_to_first()
        if kind is not None:
            self.column = kind[1]
        self.draw()
        self.tell()

    def next_pane(self) -> None:
        """To the next kind of fault; behind the last one all rows."""
        kinds: list[FaultKind | None] = [None, *((rule, column) for rule, column, _ in self.doctor.fault_kinds())]
        at = kinds.index(self.rows.kind) if self.rows.kind in kinds else -1
        self.pick(kinds[(at + 1) % len(kinds)])

    # --- mending -----------------------------------------------------------------------------------------------

    def changed(self, numbers: Sequence[int]) -> None:
        """These rows were mended."""
        self.unsaved = self.unsaved or bool(numbers)
        self.imported.difference_update(numbers)
        self.rows.changed(numbers)
        self.draw()
        self.tell()

    def now_imported(self, numbers: Set[int]) -> None:
        """These rows are in the directory."""
        self.imported |= numbers
        self.unsaved = any(row.changed and row.number not in self.imported for row in self.doctor.rows)
        self.rows.changed(numbers)
        self.draw()
        self.tell()

    def edit(self, *, alike: bool = False) -> None:
        """Open the editor on the cell; `alike`: what is typed is for all cells like it."""
        self._alike = alike
        if not self.column:
            self.step(0)
        self.draw()
        editor = self.editor
        self._place_editor()
        with editor.prevent(Input.Changed):
            editor.value = self.value
        editor.display = True
        self.screen.set_focus(editor, scroll_visible=False)
        editor.cursor_position = len(self.value)
        self._judge()

    def _place_editor(self) -> None:
        """Over the value of the cell."""
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
        """Do what a key is for while a cell is edited; False when it is typed into the editor."""
        if not self.editing:
            frame = self.screen
            return isinstance(frame, KeyTaker) and frame.take_key(event)
        verb = "" if event.is_printable else self.pressed(event, CELL_KEYS)
        if verb == "cancel":
            self._shut()
        elif verb:
            self._keep()
        if verb in ("next", "previous") and self.whole:
            self.step(1 if verb == "next" else -1)
            self.edit()
        return bool(verb)

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        event.stop()
        if self.editing:
            self._judge()

    def _judge(self) -> None:
        """What would be wrong with the row, said while it is typed."""
        row = self.row
        if row is None or not self.whole:
            return
        cells = list(row.cells)
        cells[self.doctor.header.index(self.column)] = self.editor.value
        faults = self.doctor.checker.check(cells)
        found = next((fault for fault in faults if fault.column == self.column), None)
        many = len(self.doctor.same_value(row.number, self.column)) if self._alike else 1
        saves = f"{{save}} writes it into all {many:,} equal cells" if many > 1 else "{save} saves it"
        self._say(_in_words(found), self.with_keys(f"{saves}, {{cancel}} leaves the cell unchanged.", CELL_KEYS))

    def _shut(self) -> None:
        self.editor.display = False
        self.screen.set_focus(self.records, scroll_visible=False)
        self.draw()

    def _keep(self) -> None:
        row, typed, alike = self.row, self.editor.value, self._alike
        self._shut()
        if row is None or typed == self.value:
            return
        numbers = self.doctor.same_value(row.number, self.column) if alike else [row.number]
        for number in numbers:
            self.doctor.edit(number, self.column, typed)
        self.changed(numbers)

    def take_proposal(self, *, everywhere: bool = False) -> int:
        """Write what is proposed into the cell and all like it, or everywhere; into how many rows."""
        number = self.row.number if self.row is not None else None
        if number is None and not everywhere:
            return 0
        numbers = self.doctor.apply_proposals() if everywhere else self.doctor.apply_proposals(number, self.column)
        self.changed(numbers)
        return len(numbers)

    def mend(self, act: Callable[[int], Any]) -> None:
        """Do something to the row under the cursor. BadFile as `act` raises it."""
        if self.row is not None:
            number = self.row.number
            act(number)
            self.changed([number])
            self._choose_column()
            self.draw()

    def may_leave(self) -> bool:
        return not self.unsaved

    def moved(self) -> bool:
        """Whether the file is another one than when it was read."""
        return _stamp(self.doctor) != self._stamp


def _stamp(doctor: Doctor) -> tuple[int, int] | None:
    """What tells whether a file was changed; None where there is none."""
    try:
        found = doctor.path.stat() if doctor.path else None
    except OSError:
        return None
    return (found.st_mtime_ns, found.st_size) if found else None


def kind_name(kind: FaultKind) -> str:
    """A kind of fault in words."""
    rule, column = kind
    return f"{rule} in {column}" if column else rule


def _in_words(fault: Fault | None) -> str:
    if fault is None:
        return ""
    value = f": “{fault.value}”" if fault.value else ""
    return f"{fault.column or 'The row'} {fault.msg}{value}"


def _line(name: str, value: str, fault: Fault | None) -> Line:
    if fault is None:
        return Line("field", safe(name), safe(value), key=name)
    return Line("field", safe(name), safe(value), f"✗ {safe(fault.rule)}", key=name, style="bad", note_style="bad")
