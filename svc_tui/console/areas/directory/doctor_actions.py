"""Actions for the rows with errors of a directory file or report: correct, filter, check and save them."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from svc_tui.console.areas.directory.doctor_view import DoctorView
from svc_tui.console.areas.directory.faulty_rows import kind_name
from svc_tui.console.areas.directory.names import DOCTOR
from svc_tui.console.areas.directory.progress_dialogs import CheckBox
from svc_tui.console.core.choice import Choice
from svc_tui.console.core.resource import Context
from svc_tui.console.dialogs import text_editor
from svc_tui.console.dialogs.messages import Question
from svc_tui.console.dialogs.picker import Picker
from svc_tui.console.dialogs.save import SaveBox
from svc_tui.interface.directory.csv.faults import BadFile
from svc_tui.interface.directory.csv.reading import record_of
from svc_tui.interface.directory.csv.writing import line
from svc_tui.interface.texts import counted
from svc_tui.language import _, number_text
from svc_tui.workspace.core.folders import expanded
from svc_tui.workspace.core.service import ReadError
from svc_tui.workspace.directory.check_run import CheckRun
from svc_tui.workspace.directory.conversion import CONVERTED, ConvertedRows, convert, whole_check
from svc_tui.workspace.directory.doctor import Doctor, corrected_path
from svc_tui.workspace.directory.reports import row_number
from svc_tui.workspace.directory.target import ImportTarget
from svc_tui.workspace.directory.upload import FileUpload

_MOVED = _("The file was changed or removed since it was read. Open it again; your corrections stay in this view.")


async def open_doctor(context: Context, doctor: Doctor, target: ImportTarget | None = None) -> None:
    """Show the rows with errors of a file or of a report.

    Without a target the rows belong to the directory of the company of the current place.
    """

    unicode = context.stage.terminal.unicode
    view = DoctorView(context.view.place, DOCTOR, doctor, target or target_here(context), unicode=unicode)
    await context.stage.show(view)


def target_here(context: Context) -> ImportTarget:
    """The directory of the company under the cursor, of the current place, or of the caller."""
    caller, record = context.workspace.caller, context.record or {}
    if context.kind == "companies" and record.get("id"):
        return ImportTarget(
            "replace", str(record["id"]), str(record.get("name") or ""), str(record.get("country") or "")
        )
    company_id = record.get("companyId") or context.view.place.parents.get("companies")
    return ImportTarget("replace", str(company_id or (caller.company_id if caller else "")))


def doctor_of(context: Context) -> DoctorView:
    """The doctor view on top."""
    return context.require_view(DoctorView)


async def leave(context: Context) -> None:
    """Return to all rows, or leave the doctor; unsaved corrections are confirmed first."""
    view = doctor_of(context)
    if view.rows.kind is not None:
        view.pick(None)
    elif view.may_leave() or await context.stage.ask(Question(_("Leave the import doctor?"), view.loss)):
        await context.stage.back()


async def choose_kind(context: Context) -> None:
    """Filter the rows by a kind of error."""
    view = doctor_of(context)
    kinds = {kind_name((rule, column)): (rule, column, count) for rule, column, count in view.doctor.fault_kinds()}
    choices = [Choice(name, name, counted(count, "row")) for name, (_, _, count) in kinds.items()]
    chosen = await context.stage.ask(Picker(_("Filter by kind of error"), [*choices, Choice("", _("all rows"))]))
    if chosen is not None:
        view.pick(kinds[chosen][:2] if chosen else None)


async def retype(context: Context) -> None:
    """Retype the row under the cursor as a line of the file."""
    view = doctor_of(context)
    row, doctor = view.row, view.doctor
    assert row is not None
    csv_format = doctor.csv_format
    before = line(row.cells, csv_format.delimiter, csv_format.comment) if view.whole else row.row.source

    def problem(text: str) -> tuple[str, str]:
        try:
            faults = doctor.checker.check(record_of(text, csv_format))
        except BadFile as bad:
            return "", bad.sentence
        return "", "; ".join(f"{fault.column} {fault.msg}".strip() for fault in faults[:3])

    hint = f"{csv_format.delimiter.join(doctor.header)}"
    text = await context.stage.ask(
        text_editor.TextEditor(_("Row {number}").format(number=number_text(row.number)), before, hint, problem)
    )
    if text is None or text == before:
        return
    try:
        view.correct(lambda number: doctor.retype(number, text))
    except BadFile as bad:
        context.stage.show_message(
            _("Not a valid row: {sentence}. Nothing was changed.").format(sentence=bad.sentence), "bad"
        )


def restore(context: Context) -> None:
    """Undo the corrections of the row under the cursor."""
    view = doctor_of(context)
    view.correct(view.doctor.restore)


def fault_text(view: DoctorView) -> str:
    """The row under the cursor and its errors, as text."""
    row = view.row
    if row is None:
        return ""
    csv_format = view.doctor.csv_format
    faults = [f"  {fault.column or 'row'}: {fault.msg}" for fault in row.faults]
    return "\n".join(
        [
            _("row {number}: {line}").format(
                number=row.number, line=line(row.cells, csv_format.delimiter, csv_format.comment)
            ),
            *faults,
        ]
    )


async def copy_row(context: Context) -> None:
    """Copy the row under the cursor with its errors."""
    await context.stage.copy(fault_text(doctor_of(context)), _("the row and its errors"))


# --- files -----------------------------------------------------------------------------------------------------


async def save(context: Context) -> None:
    """Save the corrected file beside the original; for a report, the rows that it lists."""
    view = doctor_of(context)
    doctor = view.doctor
    start = await asyncio.to_thread(corrected_path, doctor.path) if doctor.path else Path("~/failed-rows.csv")
    target = await context.stage.ask(SaveBox(_("Save the corrected file"), str(start)))
    if target is None:
        return
    path = expanded(target.path)
    if doctor.path is not None and path.exists() and path.samefile(doctor.path):
        raise ReadError(_("This is the original file. Choose another name."))
    count = await asyncio.to_thread(_write, view, path)
    view.now_saved()
    which = _("corrected ") if doctor.path else ""
    context.stage.show_message(
        _("Saved {value} as UTF-8: {path}").format(value=counted(count, f"{which}row"), path=path), "ok"
    )


def _write(view: DoctorView, path: Path) -> int:
    """Write the file, in a thread; ReadError when that failed."""
    doctor = view.doctor
    try:
        if doctor.path is None:
            return doctor.save_faulty(path)
        if view.corrections.source_changed:
            raise ReadError(_MOVED)
        return doctor.save(path)
    except OSError as error:
        raise ReadError(_("Could not save the file: {reason}.").format(reason=error.strerror or error)) from error


@asynccontextmanager
async def file_of(view: DoctorView) -> AsyncIterator[tuple[Path, ConvertedRows]]:
    """The right rows as the service takes them, while they are needed. ReadError when they cannot be written."""
    with tempfile.TemporaryDirectory(prefix="svc-tui-") as folder:
        path = Path(folder) / "converted.csv"
        yield path, await asyncio.to_thread(_convert, view, path)


def _convert(view: DoctorView, path: Path) -> ConvertedRows:
    """Write the right rows, in a thread; ReadError when that failed."""
    try:
        if view.corrections.source_changed:
            raise ReadError(_MOVED)
        with path.open("wb") as out:
            return convert(view.doctor, out)
    except (OSError, BadFile) as error:
        raise ReadError(_("Could not convert the file: {error}.").format(error=error)) from error


async def check_again(context: Context) -> None:
    """Let the service check the corrected file, and show the result."""
    view = doctor_of(context)
    operations = view.target.operations
    async with file_of(view) as (path, rows):
        if not rows.count:
            context.stage.show_message(_("No row is correct: there is nothing to check."), "warn")
            return
        sending = FileUpload(context.workspace, operations.check, path, CONVERTED, query=view.target.check_query)
        check = CheckRun(context.workspace, sending, view.target.command_id)
        answer = await context.stage.ask(CheckBox(name_of(view), check))
    if answer is None:
        return
    result = whole_check(answer.get("data") or {}, rows, view.doctor)
    wrong = int(result.get("errorCount") or 0)
    results = by_number(result.get("errorReport") or {})
    doubtful = view.doctor.doubtful
    await judge(view, results, whole=len(results) >= wrong + doubtful)
    right = int(result.get("okCount") or 0)
    text = _("Checked by the service: {rows} without errors, {wrong} with errors.").format(
        rows=counted(right, "row"), wrong=number_text(wrong)
    )
    if doubtful:
        text += _(" {doubtful} doubtful.").format(doubtful=counted(doubtful, "row"))
    context.stage.show_message(text, "warn" if wrong or doubtful else "ok")


def name_of(view: DoctorView) -> str:
    """The name of the file."""
    return view.doctor.path.name if view.doctor.path else _("rows of the report")


def by_number(report: Mapping[str, Any]) -> dict[int, Mapping[str, Any]]:
    """The results of a check by row number."""
    return {
        row_number(name): entry for name, entry in report.items() if isinstance(entry, Mapping) and row_number(name)
    }


async def judge(view: DoctorView, results: Mapping[int, Mapping[str, Any]], *, whole: bool) -> None:
    """Take over the results of a check by the service."""
    try:
        await asyncio.to_thread(view.doctor.apply_report, results, whole=whole)
    except (OSError, BadFile) as error:
        raise ReadError(_("The result of the service does not match the file: {error}").format(error=error)) from error
    view.pick(None)
