"""From the doctor into the directory: the whole corrected file, or only what had failed."""

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
from svc_tui.console.core.actions import find_action
from svc_tui.console.core.changes import Change, FieldChange
from svc_tui.console.core.resource import Context, managed
from svc_tui.console.dialogs.preview import Preview
from svc_tui.console.editing.bulk import BulkBox
from svc_tui.console.widgets.formatting import NOTHING
from svc_tui.interface.directory.csv.checking import Checker
from svc_tui.interface.directory.csv.encodings import UTF8
from svc_tui.interface.directory.csv.reading import Shape
from svc_tui.interface.directory.reports import ImportState
from svc_tui.workspace.changes.bulk import Job, Step
from svc_tui.workspace.directory.entry_count import count_entries
from svc_tui.workspace.directory.import_run import ImportRun, import_summary
from svc_tui.workspace.directory.target import Target
from svc_tui.workspace.files.uploads import CSV_TYPE

CREATE = "create_directory_entry"
#: Longest name of an import.
_LONGEST_LABEL = 255


@dataclass(frozen=True)
class FileChange(Change):
    """The import of a file before it is sent: its rows are not shown once more."""

    def request(self) -> str:
        return f"{super().request()}\ncontent-type: {CSV_TYPE}"


async def import_all(context: Context) -> None:
    """Import the file as it is by now, after showing what that replaces."""
    view = doctor_of(context)
    change = _change(view, view.doctor.total, await count_entries(context.workspace, view.target))
    if not await _confirmed(context, change):
        return
    async with file_of(view) as (path, shape):
        report = await _run(context, view, view.target, path, shape)
    if report is not None:
        everything = {row.number for row in view.doctor.rows}
        await _told(context, view, report, everything, by_number(view.doctor, report.get("report") or {}))


async def import_mended(context: Context) -> None:
    """Import only the rows that had failed and are right by now: by their actions where they have some, else one by
    one."""
    view = doctor_of(context)
    numbers = ready(view)
    if synchronizes(view, numbers, context):
        await _synchronize(context, view, numbers)
    else:
        await _one_by_one(context, view, numbers)


def ready(view: DoctorView) -> list[int]:
    """The rows that had failed, are right by now, and are not in the directory yet."""
    return [row.number for row in view.doctor.rows if not row.faults and row.number not in view.imported]


def synchronizes(view: DoctorView, numbers: Sequence[int], context: Context) -> bool:
    """Whether these rows say themselves what becomes of their entries, in a directory where that is done."""
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
    shape = Shape(UTF8, view.doctor.shape.delimiter, view.doctor.shape.comment)
    with tempfile.TemporaryDirectory(prefix="svc-tui-") as folder:
        path = Path(folder) / "failed.csv"
        await asyncio.to_thread(view.doctor.save_faulty, path, frozenset(numbers))
        report = await _run(context, view, target, path, shape)
    if report is not None:
        failed = {
            numbers[int(digits) - 1]: entry
            for name, entry in (report.get("report") or {}).items()
            if (digits := name.removeprefix("entry")).isdigit() and 1 <= int(digits) <= len(numbers)
        }
        await _told(context, view, report, numbers, failed)


async def _run(
    context: Context, view: DoctorView, target: Target, path: Path, shape: Shape
) -> Mapping[str, Any] | None:
    """Import a file with its progress; the report, None when it was given up or left alone."""
    label = _label_of(view)
    importing = ImportRun(context.workspace, target, path, shape, label=label)
    report = await context.stage.ask(ImportBox(label, importing))
    if report is None and importing.upload.state != "failed":
        context.stage.say(importing.notice_on_leaving, "warn")
    return report


def _label_of(view: DoctorView) -> str:
    """What an import is called in its report."""
    return name_of(view)[:_LONGEST_LABEL]


async def _told(
    context: Context,
    view: DoctorView,
    report: Mapping[str, Any],
    sent: Collection[int],
    failed: Mapping[int, Mapping[str, Any]],
) -> None:
    """Say what was done; rows that failed tell why, the others are in the directory."""
    state, done = report.get("state"), import_summary(report)
    if state == ImportState.DELETED.value:
        # It may have ended in the moment in which it was stopped: what is there tells.
        now = await count_entries(context.workspace, view.target)
        context.stage.say("Stopped." + (f" The directory has {now:,} entries now." if now is not None else ""), "warn")
        return
    whole = (report.get("report") or {}).get("entry0")
    if isinstance(whole, Mapping):
        context.stage.say(f"Nothing was imported: {whole.get('errorDetails')}", "bad")
        return
    if state not in (ImportState.COMPLETED.value, ImportState.FAILED.value):
        context.stage.say(f"The service goes on with it: {state}, {done} so far.", "warn")
        return
    if failed:
        await judge(view, failed, whole=False)
    wrong = {row.number for row in view.doctor.rows if row.faults}
    view.now_imported(set(sent) - set(failed) - wrong)
    context.stage.say(f"{state}: {done}.", "warn" if report.get("failed") else "ok")


# --- the preview -----------------------------------------------------------------------------------------------


def _change(
    view: DoctorView, rows: int, count_entries: int | None, target: Target | None = None, *, failed: bool = False
) -> FileChange:
    target = target or view.target
    replaces = target.purpose in ("replace", "personal")
    wrong = 0 if failed else view.doctor.left
    fields = [FieldChange("Rows", NOTHING, f"{rows:,}")]
    if replaces:
        there = "an unknown number" if count_entries is None else f"{count_entries:,}"
        fields = [FieldChange("Entries", there, f"those of {rows - wrong:,} {'row' if rows - wrong == 1 else 'rows'}")]
    warning = f"{_are(wrong)} still wrong: the service leaves out what is, and tells of it." if wrong else ""
    if replaces and count_entries != 0:
        part = f"The file holds a part of a directory only ({view.doctor.part}). " if view.doctor.part else ""
        warning = f"{part}The present directory is replaced; it is not kept. {warning}".rstrip()
    whose = "your personal directory" if target.purpose == "personal" else f"the directory of {target.name}"
    return FileChange(
        label=f"Import {name_of(view)}",
        operation=target.operations.send,
        path={},
        fields=tuple(fields),
        reach=f"Reaches {whose}.",
        confirm="" if replaces and count_entries == 0 else target.name,
        warning=warning,
        query={**target.import_query, "label": _label_of(view)},
    )


def _are(count: int) -> str:
    return f"{count:,} rows are" if count != 1 else "1 row is"


async def _confirmed(context: Context, change: Change) -> bool:
    """Whether the import shall begin; its progress is then shown by a box of its own."""

    async def agreed(_: Change) -> Mapping[str, Any]:
        return {}

    return await context.stage.ask(Preview(change, agreed)) is not None


# --- one by one ------------------------------------------------------------------------------------------------


async def _one_by_one(context: Context, view: DoctorView, numbers: Sequence[int]) -> None:
    target, caller, wanted = view.target, context.workspace.caller, frozenset(numbers)
    above = {} if target.purpose == "personal" else {"companyId": target.company_id}
    subject = managed(target.company_id, caller) if above and caller else None
    entries = [(number, entry) for number, entry in view.doctor.entries() if number in wanted]
    steps = [Step(str(number), _label(number, entry), {}, {**entry, **above}, subject) for number, entry in entries]
    action, resource = find_action(context, "directory.mended"), context.require_resource()
    job = Job(context.workspace, CREATE, steps)
    unfinished = await context.stage.ask(
        BulkBox(context.workspace.journal, action, replace(resource, title="Entries"), job, {})
    )
    done = {number for number, _ in entries} - {int(each) for each in unfinished or ()}
    view.now_imported(done)
    if not done and not job.failed:
        return
    said = f"{job.done:,} entries made, {job.failed:,} failed, {job.left:,} not reached."
    context.stage.say(said, "ok" if job.done and not (job.failed or job.left) else "warn")


def _label(number: int, entry: Mapping[str, Any]) -> str:
    names = " ".join(str(entry.get(name) or "") for name in ("firstName", "lastName")).strip()
    return f"row {number:,}  {names or entry.get('companyName') or ''}".rstrip()
