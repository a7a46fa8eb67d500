"""Users from a file: a check whose faults are corrected here, passwords for new users, then the import as a job."""

from __future__ import annotations

import asyncio
import io
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from textual.widget import Widget

from svc_tui.console.core.actions import performed
from svc_tui.console.core.choice import Choice
from svc_tui.console.core.dialog_keys import CLOSE, DOWN, PAGE_DOWN, PAGE_UP, UP
from svc_tui.console.core.keys import DialogKey
from svc_tui.console.core.resource import Context
from svc_tui.console.dialogs.box import Box, plain
from svc_tui.console.dialogs.line import LineBox
from svc_tui.console.dialogs.path import PathBox
from svc_tui.console.dialogs.picker import Picker
from svc_tui.console.dialogs.save import SaveBox, SaveTarget
from svc_tui.console.editing.bulk import BulkBox, show_result
from svc_tui.console.widgets.sheet import Sheet
from svc_tui.console.widgets.sheet_lines import Line, safe
from svc_tui.interface.directory.csv.encodings import UnknownEncoding, check_text, name_of
from svc_tui.interface.directory.csv.faults import BadFile, Fault, NoText
from svc_tui.interface.directory.csv.writing import lines as written_lines
from svc_tui.interface.texts import counted
from svc_tui.language import _, number_text
from svc_tui.workspace.changes.bulk import Job
from svc_tui.workspace.core.folders import expanded
from svc_tui.workspace.directory.inspection import line_at
from svc_tui.workspace.files.downloads import first_path
from svc_tui.workspace.files.saved_files import saved_file
from svc_tui.workspace.users.columns import PASSWORD
from svc_tui.workspace.users.file import MOST_BYTES, UserFile, UserRow, read_users, summary
from svc_tui.workspace.users.importing import (
    EFFECTS,
    ImportRecord,
    PasswordFileError,
    known_users,
    made_passwords,
    passwords_left,
    read_passwords,
    steps_of,
    without_password,
    write_passwords,
)
from svc_tui.workspace.users.workbook import is_workbook

_EDIT = DialogKey("userfile.edit_value", ("enter", "e"), "Edit", "Edit the selected value")
_TAKE = DialogKey("userfile.take", ("f",), "Take suggestion", "Put the suggestion in place of the selected value")
_TAKE_ALL = DialogKey("userfile.take_all", ("F",), "Take all", "Put all suggestions in place of the wrong values")
_WRITE = DialogKey("userfile.write", ("w",), "Save", "Save the file with its corrections")
_SEND = DialogKey("userfile.send", ("i",), "Import", "Import the rows without errors")
#: Most right rows that are listed.
_MOST_RIGHT = 500
_MAKE, _WITHOUT = "make", "without"


class UserFilePath(PathBox[Path]):
    """Returns the path of a file that can be read."""

    ENDINGS = (".csv", ".xlsx", ".txt", ".json")

    async def take(self, path: str) -> None:
        file = expanded(Path(path))
        try:
            with await asyncio.to_thread(file.open, "rb") as opened:
                if not await asyncio.to_thread(is_workbook, opened):
                    await asyncio.to_thread(check_text, opened)
                size = await asyncio.to_thread(opened.seek, 0, 2)
        except NoText as workbook:
            self.show_error(f"{path}: {workbook}.")
            return
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or error
            self.show_error(_("Cannot read {path}: {reason}.").format(path=path, reason=reason))
            return
        if size > MOST_BYTES:
            self.show_error(_("The file is larger than {most_bytes} MiB.").format(most_bytes=MOST_BYTES // 2**20))
            return
        self.dismiss(file)


class UserFileBox(Box[bool]):
    """The faults of a file, each corrected here, and what the other rows do. True when the import shall begin."""

    DEFAULT_CSS = """
    UserFileBox > .box { width: 116; }
    UserFileBox Sheet { height: 14; }
    UserFileBox #summary { text-style: bold; }
    """
    MOVES = (UP, DOWN, PAGE_UP, PAGE_DOWN)
    KEYS = (_EDIT, _TAKE, _TAKE_ALL, _SEND, _WRITE, *MOVES, CLOSE.labelled(_("Back")))
    RIGHT_KEYS = (_SEND, _WRITE, *MOVES, CLOSE.labelled(_("Back")))

    def __init__(self, path: Path, file: UserFile, notes: Sequence[str]) -> None:
        super().__init__(_("Users from {name}").format(name=path.name))
        self._path, self._file, self._notes = path, file, notes
        self._places: dict[str, tuple[UserRow, Fault]] = {}
        self._unsaved = False

    def body(self) -> Iterable[Widget]:
        yield plain("", id="summary")
        for note in self._notes:
            yield plain(note)
        yield Sheet(label_width=36)
        yield plain("", id="error", classes="error")

    def on_mount(self) -> None:
        self.set_focus(None)
        self._draw()

    def current_keys(self) -> Sequence[DialogKey]:
        return self.KEYS if self._file.left else self.RIGHT_KEYS

    @property
    def loss(self) -> str:
        return _("The corrections have not been imported.") if self._unsaved else ""

    def move(self, by: int) -> None:
        self.query_one(Sheet).move(by)

    def _draw(self) -> None:
        self.put("#summary", f"{summary(self._file)}.")
        self.query_one(Sheet).show(list(self._lines()))
        self.show_keys()

    def _lines(self) -> Iterator[Line]:
        self._places = {}
        left, right = self._file.left, self._file.right
        if left:
            yield Line("heading", label=_("To correct: {rows}").format(rows=counted(len(left), "row")))
        for row in left:
            for fault in row.faults:
                key = f"{row.line} {fault.column} {fault.rule}"
                self._places[key] = (row, fault)
                value = "" if fault.column == self._file.heading(PASSWORD) else fault.value
                shown = f"{fault.column} {value}".strip()
                yield Line(
                    "field",
                    safe(row.label),
                    safe(f"{shown}: {fault.msg}" if shown else fault.msg),
                    key=key,
                    style="warn" if fault.doubtful else "bad",
                )
        if right:
            yield Line("heading", label=_("To import: {rows}").format(rows=counted(len(right), "row")))
        for row in right[:_MOST_RIGHT]:
            yield Line("field", safe(row.label), safe(_effect(row)), key=str(row.line))
        if len(right) > _MOST_RIGHT:
            yield Line("text", value=_("and {more} more").format(more=number_text(len(right) - _MOST_RIGHT)))

    def _selected(self) -> tuple[UserRow, Fault] | None:
        line = self.query_one(Sheet).line
        return self._places.get(line.key) if line is not None else None

    def action_edit_value(self) -> None:
        found = self._selected()
        if found is None:
            return
        row, fault = found
        if not fault.column or fault.column not in self._file.headings:
            self.show_error(_("Correct this row in the file, and open it again."))
            return
        place = self._file.headings.index(fault.column)
        start = fault.suggestion or (row.cells[place] if place < len(row.cells) else "")
        title = _("Line {line}, {column}").format(line=row.line, column=fault.column)

        def edited(text: str | None) -> None:
            if text is not None:
                self._file.edit(row, fault.column, text)
                self._changed()

        self.app.push_screen(LineBox(title, fault.column, start=start, note=fault.msg), edited)

    def _changed(self) -> None:
        self._unsaved = True
        self.show_error("")
        self._draw()

    def action_take(self) -> None:
        found = self._selected()
        if found is None or not found[1].suggestion:
            self.show_error(_("There is no suggestion for this value."))
            return
        row, fault = found
        self._file.edit(row, fault.column, fault.suggestion)
        self._changed()

    def action_take_all(self) -> None:
        count = self._file.accept_suggestions(self._file.left)
        self._changed()
        if not count:
            self.show_error(_("There are no suggestions."))

    def action_write(self) -> None:
        start = str(self._path.with_name(f"{self._path.stem}-corrected.csv"))
        self.app.push_screen(SaveBox(_("Save the corrected file"), start), self._write)

    def _write(self, target: SaveTarget | None) -> None:
        if target is None:
            return
        text = written_lines(self._file.headings, (row.cells for row in self._file.rows), comment="%")
        try:
            with saved_file(expanded(target.path), overwrite=target.overwrite) as file:
                file.write(text.encode())
        except OSError as error:
            self.show_error(_("{file} cannot be written: {reason}.").format(file=target.path, reason=error.strerror))
            return
        self._unsaved = False
        self.show_error(_("Saved {file}.").format(file=target.path))

    def action_send(self) -> None:
        if any(row.effect != "same" for row in self._file.right):
            self.dismiss(True)
        else:
            self.show_error(_("No row is to be sent. Correct the rows first, or close."))

    def action_close(self) -> None:
        """Close; corrections are discarded only by a second key press."""
        if not self._unsaved:
            self.dismiss(None)
            return
        self._unsaved = False
        self.show_error(
            self.with_keys(_("Unsaved corrections: {write} saves them, {send} imports them, {close} again discards."))
        )


def _effect(row: UserRow) -> str:
    """What a right row does: `update  Job title, Department`."""
    if row.earlier:
        return row.earlier
    names = ", ".join(wire for wire in row.body if wire != PASSWORD) if row.effect == "update" else ""
    return f"{EFFECTS[row.effect]}  {names}".rstrip() if row.effect != "same" else _("nothing to change")


class _Import(BulkBox):
    """The job for the rows of a file, which has no records to mark."""

    AFTERWARDS = ""


async def import_users(context: Context) -> None:
    """Choose a file, correct it, and import it into the company of the list."""
    caller = context.workspace.caller
    company_id = context.view.place.parents.get("companies") or (caller.company_id if caller else "")
    note = _("CSV or XLSX with a header: loginEmail, firstName, lastName, … A column __action__ is optional.")
    path = await context.stage.ask(UserFilePath(_("Users from a file"), note))
    if path is None:
        return
    content = await asyncio.to_thread(path.read_bytes)
    workspace = context.workspace
    record = ImportRecord(workspace.folders.data / "imports", content, company_id, workspace.user_id, workspace)
    own_login = str((workspace.user or {}).get("loginEmail") or "")
    known = await known_users(workspace, company_id, own_login, record)
    file = await _read(
        context,
        path,
        lambda encoding, corrected: read_users(io.BytesIO(content), known, encoding=encoding, corrected=corrected),
    )
    if file is None:
        return
    notes = file.notes()
    if record.continues:
        notes.append(_("Continues an interrupted import: {rows} done.").format(rows=counted(record.continues, "row")))
    if await context.stage.ask(UserFileBox(path, file, notes)):
        await _run(context, file, record, company_id)


async def _read(context: Context, path: Path, read: Callable[[str, dict[int, str]], UserFile]) -> UserFile | None:
    """The rows of a file, after questions about its encoding and corrections of its first line; None when cancelled."""
    encoding, corrected = "", dict[int, str]()
    while True:
        try:
            return await asyncio.to_thread(read, encoding, corrected)
        except UnknownEncoding as unknown:
            choices = [Choice(name, name_of(name), text) for name, text in unknown.readings]
            chosen = await context.stage.ask(Picker(_("Encoding of {name}").format(name=path.name), choices))
            if chosen is None:
                return None
            encoding = chosen
        except BadFile as bad:
            if path.suffix == ".xlsx":
                # It has no line of text that could be corrected here.
                context.stage.show_message(f"{path.name}: {bad.sentence}.", "error")
                return None
            line = await asyncio.to_thread(line_at, path, encoding or "utf-8", bad.line, corrected)
            title = _("Line {line} of {name}").format(line=bad.line, name=path.name)
            text = await context.stage.ask(LineBox(title, "", start=line, note=f"{bad.sentence}."))
            if text is None:
                return None
            corrected = {**corrected, bad.line: text}


async def _passwords(context: Context, file: UserFile) -> tuple[Path | None, dict[str, str]] | None:
    """Where the passwords of new users are saved, and those that are there; None when cancelled."""
    fresh = without_password(file)
    if not fresh:
        return None, {}
    users = counted(len(fresh), "new user")
    choices = [
        Choice(_MAKE, _("Make a password for each, and save them in a file"), _("only you can read it")),
        Choice(_WITHOUT, _("Create them without passwords"), _("they cannot log in before one is set")),
    ]
    chosen = await context.stage.ask(Picker(_("{users} without a password").format(users=users), choices))
    if chosen is None:
        return None
    if chosen == _WITHOUT:
        return None, {}
    target = await context.stage.ask(SaveBox(_("Save the passwords"), first_path(_("passwords"), ".csv")))
    if target is None:
        return None
    path = expanded(target.path)
    return path, {} if target.overwrite and not _is_ours(path) else await asyncio.to_thread(read_passwords, path)


def _is_ours(path: Path) -> bool:
    """Whether an import has written this file of passwords: it is continued."""
    try:
        return bool(read_passwords(path))
    except PasswordFileError:
        return False


async def _run(context: Context, file: UserFile, record: ImportRecord, company_id: str) -> None:
    found = await _passwords(context, file)
    if found is None:
        return
    path, before = found
    made = made_passwords(without_password(file), before) if path else {}
    if path and made:
        # Before anything is sent: a killed program must not leave users with lost passwords.
        try:
            await asyncio.to_thread(write_passwords, path, {**before, **made})
        except OSError as error:
            text = _("{file} cannot be written: {reason}. Nothing was sent.").format(file=path, reason=error.strerror)
            context.stage.show_message(text, "bad")
            return
    steps, reasons = steps_of(file, company_id, made)
    job = Job(context.workspace, "update_user", steps, recorder=record)
    action, resource = performed(context), context.require_resource()
    deleted = file.count("delete")
    warning = _("Deletes {users}. This cannot be undone.").format(users=counted(deleted, "user")) if deleted else ""
    await context.stage.ask(_Import(context.workspace.journal, action, resource, job, reasons, warning=warning))
    if path and made:
        await asyncio.to_thread(write_passwords, path, passwords_left(job.results, made, before))
    if not job.failed and not job.unknown and not job.left:
        record.close()
    context.view.refresh_now()
    show_result(context, action.label, job)
