"""Actions for import reports: open, correct in the doctor, save, copy for a ticket, write, delete."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from svc_tui.console.areas.directory.directory_view import DirectoryView
from svc_tui.console.areas.directory.doctor_actions import open_doctor, target_here
from svc_tui.console.areas.directory.import_flow import command_problem, with_company
from svc_tui.console.areas.directory.names import REPORT, WRITE_REPORT
from svc_tui.console.areas.directory.report_view import ReportView
from svc_tui.console.core.changes import Change, field_changes
from svc_tui.console.core.form import Form
from svc_tui.console.core.resource import Context
from svc_tui.console.dialogs.line import LineBox
from svc_tui.console.dialogs.save import SaveBox
from svc_tui.console.editing.record_edit import preview, refused
from svc_tui.console.views.form import FormView
from svc_tui.interface.catalogue import body_of
from svc_tui.interface.directory.csv.faults import BadFile
from svc_tui.language import _
from svc_tui.workspace.core.folders import expanded
from svc_tui.workspace.core.service import ReadError
from svc_tui.workspace.directory.doctor import doctor_of_report
from svc_tui.workspace.directory.reports import (
    ReportSource,
    as_csv,
    command_report,
    company_report,
    in_progress,
    own_report,
    target_of,
    ticket_text,
)
from svc_tui.workspace.files.downloads import first_path
from svc_tui.workspace.files.saved_files import saved_file

#: The longest ID of an LDAP configuration.
_LONGEST = 100


def report_of(context: Context) -> ReportView:
    """The report view on top."""
    return context.require_view(ReportView)


# --- opened ----------------------------------------------------------------------------------------------------


async def _open(context: Context, source: ReportSource, company_id: str) -> None:
    await context.stage.show(ReportView(context.view.place, REPORT, context.workspace, source, company_id))


async def open_under_cursor(context: Context) -> None:
    """Open the report of the import under the cursor: the company's, or the caller's own."""
    line = context.require_view(DirectoryView).sheet.line
    target = target_here(context)
    if line is not None and line.key.startswith("own."):
        await _open(context, own_report(), target.company_id)
    else:
        named = await with_company(context, target)
        await _open(context, company_report(named.company_id, named.name), named.company_id)


async def open_of_ldap(context: Context) -> None:
    """Ask for an LDAP configuration, and open the report of its last import."""
    asked = LineBox(_("Report of an LDAP configuration"), _("ID of the configuration"), _ldap_problem)
    config = await context.stage.ask(asked)
    if config:
        named = await with_company(context, target_here(context))
        await _open(context, company_report(named.company_id, named.name, config), named.company_id)


def _ldap_problem(text: str) -> str:
    if not text.strip():
        return "required"
    return _("at most {longest} characters").format(longest=_LONGEST) if len(text) > _LONGEST else ""


async def open_of_command(context: Context, *, check: bool = False) -> None:
    """Ask for a command, and open its report."""
    title = _("Report on the check by a command") if check else _("Report of a command")
    command = await context.stage.ask(LineBox(title, _("ID of the command"), command_problem))
    caller = context.workspace.caller
    if command and caller:
        await _open(context, command_report(command, check=check), caller.company_id)


# --- correcting and saving -------------------------------------------------------------------------------------


async def to_doctor(context: Context) -> None:
    """Correct the failed rows in the doctor."""
    view = report_of(context)
    target = target_of(view.source, view.company_id)
    if target.purpose != "personal":
        target = await with_company(context, target)
    synchronizing = target.purpose == "synchronize"
    headers = str(view.report.get("csvHeaders") or "")
    country = target.country
    try:
        doctor = await asyncio.to_thread(
            doctor_of_report, headers, view.failed, synchronizing=synchronizing, country=country
        )
    except BadFile as bad:
        raise ReadError(
            _("The first line of the imported file is invalid: {sentence}.").format(sentence=bad.sentence)
        ) from None
    await open_doctor(context, doctor, target)


async def save(context: Context) -> None:
    """Save the report as CSV: every listed row with its errors."""
    report = report_of(context).report
    await _save(context, _("Save the report"), "report", ".csv", lambda: as_csv(report))


async def save_ticket(context: Context) -> None:
    """Save the report as text for a ticket."""
    view = report_of(context)
    await _save(
        context, _("Save as text"), "report", ".txt", lambda: iter((ticket_text(view.report, view.source.name),))
    )


async def copy_ticket(context: Context) -> None:
    """Copy the report as text for a ticket."""
    view = report_of(context)
    await context.stage.copy(ticket_text(view.report, view.source.name), _("the report as text"))


async def _save(context: Context, title: str, name: str, ending: str, parts: Callable[[], Iterator[str]]) -> None:
    target = await context.stage.ask(SaveBox(title, first_path(name, ending)))
    if target is None:
        return
    try:
        await asyncio.to_thread(_write, expanded(target.path), parts, overwrite=target.overwrite)
    except OSError as error:
        context.stage.show_message(
            _("Could not write {path}: {reason}.").format(path=target.path, reason=error.strerror or error), "bad"
        )
        return
    context.stage.show_message(_("Saved: {path}").format(path=target.path), "ok")


def _write(path: Path, parts: Callable[[], Iterator[str]], *, overwrite: bool) -> None:
    with saved_file(path, overwrite=overwrite) as file:
        for part in parts():
            file.write(part.encode("utf-8", "surrogatepass"))


# --- changed ---------------------------------------------------------------------------------------------------


async def write(context: Context) -> None:
    """Write the report of a command by hand."""
    view, caller = report_of(context), context.workspace.caller
    form = Form(body_of(WRITE_REPORT), caller.roles if caller else frozenset())
    before: Mapping[str, Any] = {wire: view.report[wire] for wire in ("details", "status") if view.report.get(wire)}

    async def review(shown: FormView) -> None:
        body = shown.form.body()
        change = Change(
            label=_("Write the report of {name}").format(name=view.source.name),
            operation=WRITE_REPORT,
            path=view.source.path,
            body=body,
            fields=field_changes(WRITE_REPORT, before, body),
            reach=_("Affects 1 report."),
            warning=_("The current report of this command is replaced.") if view.report else "",
        )
        outcome = await preview(context, change)
        if outcome is None:
            return
        if outcome.error is not None:
            shown.refuse(refused(outcome))
            return
        await context.stage.back()
        view.refresh_now()
        context.stage.show_message(_("Report written."), "ok")

    title = _("Report of {name}").format(name=view.source.name)
    await context.stage.show(FormView(context.view.place, REPORT, title, form, review, send=_("Review and write")))


async def delete(context: Context) -> None:
    """Delete the report; an import in progress is stopped by it."""
    view = report_of(context)
    running = in_progress(view.report)
    stopped = _("The import is in progress. It is stopped, and the directory is not changed.")
    change = Change(
        label=_("Delete the report on {name}").format(name=view.source.name),
        operation=view.source.delete,
        path=view.source.path,
        reach=_("Affects 1 report. The directory is not changed.") if not running else stopped,
        confirm="delete",
        warning=_("This cannot be undone."),
        query=view.source.query,
    )
    outcome = await preview(context, change)
    if outcome is not None and outcome.error is None:
        view.forget()
        context.stage.show_message(_("The report was deleted."), "ok")
