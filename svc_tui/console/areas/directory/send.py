"""Imports from the doctor: the whole corrected file, or only the corrected rows."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from svc_tui.console.areas.directory.doctor_actions import by_number, doctor_of, file_of, judge, name_of
from svc_tui.console.areas.directory.doctor_view import DoctorView
from svc_tui.console.areas.directory.progress_dialogs import ImportBox
from svc_tui.console.core.actions import performed
from svc_tui.console.core.changes import Change, FieldChange
from svc_tui.console.core.resource import Context, managed
from svc_tui.console.dialogs.preview import Preview
from svc_tui.console.editing.bulk import BulkBox, show_result
from svc_tui.console.widgets.formatting import NOTHING
from svc_tui.interface.directory.csv.checking import Checker
from svc_tui.interface.directory.csv.encodings import UTF8
from svc_tui.interface.directory.csv.reading import CsvFormat
from svc_tui.interface.directory.values import ImportState
from svc_tui.interface.texts import counted
from svc_tui.language import _, number_text
from svc_tui.workspace.changes.bulk import Job, JobStep
from svc_tui.workspace.directory.conversion import CONVERTED, whole_report
from svc_tui.workspace.directory.doctor import Doctor
from svc_tui.workspace.directory.import_run import ImportRun, import_summary
from svc_tui.workspace.directory.target import ImportTarget, count_entries
from svc_tui.workspace.files.uploads import CSV_TYPE

CREATE = "create_directory_entry"
#: Longest label of an import.
_LONGEST_LABEL = 255


@dataclass(frozen=True)
class FileChange(Change):
    """The preview of an import, without the rows of the file."""

    def request(self) -> str:
        return f"{super().request()}\ncontent-type: {CSV_TYPE}"


async def import_all(context: Context) -> None:
    """Import the corrected file, after a preview."""
    view = doctor_of(context)
    before = await count_entries(context.workspace, view.target)
    if not await _confirmed(context, _change(view, view.doctor.right, before)):
        return
    sent = {row.number for row in view.doctor.rows if not row.faults}
    async with file_of(view) as (path, rows):
        report = await _run(context, view, view.target, path, CONVERTED)
    if report is not None:
        report = whole_report(report, rows, view.doctor)
        failed = by_number(report["report"])
        await _report_result(context, view, report, sent, failed, all_lines=True, before=before)


async def import_corrected(context: Context) -> None:
    """Import only the corrected rows: by their actions where they have any, otherwise one by one."""
    view = doctor_of(context)
    numbers = view.corrections.ready
    if synchronizes(view, numbers, context):
        await _synchronize(context, view, numbers)
    else:
        await _one_by_one(context, view, numbers)


def synchronizes(view: DoctorView, numbers: Sequence[int], context: Context) -> bool:
    """Whether these rows contain actions for their entries, and the directory supports them."""
    caller, doctor, target = context.workspace.caller, view.doctor, view.target
    if target.purpose == "personal" or caller is None or target.company_id != caller.company_id:
        return False
    if not doctor.can_synchronize:
        return False
    checker = Checker(doctor.columns, True, target.country)
    return not any(checker.check(doctor.row(number).cells) for number in numbers)


# --- as a file -------------------------------------------------------------------------------------------------


async def _synchronize(context: Context, view: DoctorView, numbers: Sequence[int]) -> None:
    target = replace(view.target, purpose="synchronize")
    if not await _confirmed(context, _change(view, len(numbers), None, target, failed=True)):
        return
    csv_format = CsvFormat(UTF8, view.doctor.csv_format.delimiter, view.doctor.csv_format.comment)
    with tempfile.TemporaryDirectory(prefix="svc-tui-") as folder:
        path = Path(folder) / "failed.csv"
        await asyncio.to_thread(view.doctor.save_resolved, path, frozenset(numbers))
        report = await _run(context, view, target, path, csv_format)
    if report is not None:
        failed = {
            numbers[int(digits) - 1]: entry
            for name, entry in (report.get("report") or {}).items()
            if (digits := name.removeprefix("entry")).isdigit() and 1 <= int(digits) <= len(numbers)
        }
        await _report_result(context, view, report, numbers, failed)


async def _run(
    context: Context, view: DoctorView, target: ImportTarget, path: Path, csv_format: CsvFormat
) -> Mapping[str, Any] | None:
    """Import a file with its progress; returns the report, None when cancelled or continued in the background."""
    label = _label_of(view)
    importing = ImportRun(context.workspace, target, path, csv_format, label=label)
    report = await context.stage.ask(ImportBox(label, importing))
    if report is None and importing.upload.state != "failed":
        context.stage.show_message(importing.notice_on_leaving, "warn")
    return report


def _label_of(view: DoctorView) -> str:
    """The label of an import in its report, which is stored: in English whatever the language is."""
    path = view.doctor.path
    return (path.name if path else "rows of the report")[:_LONGEST_LABEL]


async def _report_result(
    context: Context,
    view: DoctorView,
    report: Mapping[str, Any],
    sent: Collection[int],
    failed: Mapping[int, Mapping[str, Any]],
    *,
    all_lines: bool = False,
    before: int | None = None,
) -> None:
    """Report the result; failed rows get their errors, the others are marked as imported.

    `before`: the number of entries that the directory had, where it was replaced.
    """
    state, done = report.get("state"), import_summary(report)
    if state == ImportState.DELETED.value:
        # It may have ended before the stop: the number of entries shows the result.
        now = await count_entries(context.workspace, view.target)
        context.stage.show_message(
            "Stopped."
            + (_(" The directory has {now} entries now.").format(now=number_text(now)) if now is not None else ""),
            "warn",
        )
        return
    whole = (report.get("report") or {}).get("entry0")
    if isinstance(whole, Mapping):
        context.stage.show_message(
            _("Nothing was imported: {error_details}").format(error_details=whole.get("errorDetails")), "bad"
        )
        return
    if state not in (ImportState.COMPLETED.value, ImportState.FAILED.value):
        context.stage.show_message(
            _("The import continues on the service: {state}, {done} so far.").format(state=state, done=done), "warn"
        )
        return
    if failed:
        await judge(view, failed, whole=False)
    wrong = {row.number for row in view.doctor.rows if row.faults}
    view.now_imported(set(sent) - set(failed) - wrong, all_lines=all_lines)
    left = report.get("failed") or report.get("doubtful")
    context.stage.show_message(f"{state}: {done}.{await _had_and_has(context, view, before)}", "warn" if left else "ok")


async def _had_and_has(context: Context, view: DoctorView, before: int | None) -> str:
    """How many entries the directory had and has; empty where that is not known."""
    now = None if before is None else await count_entries(context.workspace, view.target)
    if before is None or now is None:
        return ""
    return _(" The directory had {had} and has {has}.").format(
        had=counted(before, "entry", "entries"), has=counted(now, "entry", "entries")
    )


# --- the preview -----------------------------------------------------------------------------------------------


def _change(
    view: DoctorView, rows: int, entries: int | None, target: ImportTarget | None = None, *, failed: bool = False
) -> FileChange:
    target = target or view.target
    replaces = target.purpose in ("replace", "personal")
    left = 0 if failed else view.doctor.left
    fields = [FieldChange(_("Rows"), NOTHING, number_text(rows))]
    if replaces:
        before = _("unknown number") if entries is None else number_text(entries)
        fields = [FieldChange(_("Entries"), before, _("entries of {rows}").format(rows=counted(rows, "row")))]
    warning = _left_over(view.doctor) if left else ""
    most_left = left * 2 > view.doctor.total
    if replaces and entries != 0:
        part = (
            _("The file contains only a part of a directory ({part}). ").format(part=view.doctor.part)
            if view.doctor.part
            else ""
        )
        replaced = _("The current directory is replaced and cannot be restored.")
        warning = f"{part}{replaced} {warning}".rstrip()
    whose = (
        _("your personal directory")
        if target.purpose == "personal"
        else _("the directory of {name}").format(name=target.name)
    )
    return FileChange(
        label=_("Import {name_of}").format(name_of=name_of(view)),
        operation=target.operations.send,
        path={},
        fields=tuple(fields),
        reach=_("Affects {whose}.").format(whose=whose),
        confirm="" if replaces and entries == 0 and not most_left else target.name,
        warning=warning,
        query={**target.import_query, "label": _label_of(view)},
    )


def _left_over(doctor: Doctor) -> str:
    """The rows that an import leaves over, as a sentence."""
    doubtful, wrong = number_text(doctor.doubtful), number_text(doctor.left - doctor.doubtful)
    text = _("Not imported: {doubtful} doubtful, {wrong} with errors.").format(doubtful=doubtful, wrong=wrong)
    if doctor.left * 2 > doctor.total:
        text = _("More than half of the rows are left over.") + f" {text}"
    return text


async def _confirmed(context: Context, change: Change) -> bool:
    """Preview the import; its own dialog then shows the progress."""

    async def agreed(_: Change) -> Mapping[str, Any]:
        return {}

    return await context.stage.ask(Preview(change, agreed)) is not None


# --- one by one ------------------------------------------------------------------------------------------------


async def _one_by_one(context: Context, view: DoctorView, numbers: Sequence[int]) -> None:
    target, caller, selected = view.target, context.workspace.caller, frozenset(numbers)
    above = {} if target.purpose == "personal" else {"companyId": target.company_id}
    subject = managed(target.company_id, caller) if above and caller else None
    entries = [(number, entry) for number, entry in view.doctor.entries() if number in selected]
    steps = [JobStep(str(number), _label(number, entry), {}, {**entry, **above}, subject) for number, entry in entries]
    action, resource = performed(context), context.require_resource()
    job = Job(context.workspace, CREATE, steps)
    unfinished = await context.stage.ask(
        BulkBox(context.workspace.journal, action, replace(resource, title=_("Entries")), job, {})
    )
    done = {number for number, _ in entries} - {int(each) for each in unfinished or ()}
    view.now_imported(done)
    if done or job.failed or job.unknown:
        show_result(context, action.label, job)


def _label(number: int, entry: Mapping[str, Any]) -> str:
    names = " ".join(str(entry.get(name) or "") for name in ("firstName", "lastName")).strip()
    return f"row {number_text(number)}  {names or entry.get('companyName') or ''}".rstrip()
