"""Files of telephones: extension, DDI number and device of each user, given as a job."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from svc_tui.commands import output
from svc_tui.commands.exits import Exit, UsageError, print_message
from svc_tui.commands.leave import opened_workspace
from svc_tui.commands.users.files import InvalidFile, run_job
from svc_tui.console.shell.resources import AREAS
from svc_tui.interface.data import RecordData
from svc_tui.interface.texts import counted
from svc_tui.language import _
from svc_tui.workspace.changes.bulk import Job, PlannedPhones, StepResult, SubscriberFileError
from svc_tui.workspace.core.folders import expanded
from svc_tui.workspace.core.service import rows_of
from svc_tui.workspace.files import export
from svc_tui.workspace.files.saved_files import write_private
from svc_tui.workspace.workspace import Workspace

#: The area that reads files of telephones.
(_read,) = (area.phone_file for area in AREAS if area.phone_file is not None)
_COLUMNS = ("line", "user", "extension", "gets", "outcome", "reason")


@dataclass(frozen=True, slots=True)
class Given:
    """The plan of a file with the outcomes of its job, and the reason why it stopped, if it did."""

    plan: Sequence[PlannedPhones]
    results: Sequence[StepResult]
    error_message: str = ""
    dry_run: bool = False


async def give(file: Path, profile: str, *, company: str, system: str, passwords: Path | None, dry_run: bool) -> Given:
    """Check a file, and give the users what it says. UsageError, InvalidFile, ServiceError."""
    try:
        found = _read(expanded(file).read_bytes())
    except SubscriberFileError as error:
        raise InvalidFile(str(error)) from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise UsageError(_("Cannot read {path}: {reason}.").format(path=file, reason=reason)) from None
    if found.unread:
        print_message(_("Columns that are not read: {names}.").format(names=", ".join(found.unread)))
    async with opened_workspace(profile) as workspace:
        pbx = await _system(workspace, company, system)
        plan = await found.planned(workspace, pbx, lambda operation: workspace.decide(operation).reason)
        job = Job(workspace, "create_subscriber", [each.step for each in plan])
        job.dry_run()
        for each, result in zip(plan, job.results, strict=True):
            if each.problem:
                result.outcome, result.sentence = "refused", each.problem
            elif each.request is None:
                result.outcome, result.sentence = "unchanged", ""
        if dry_run or not job.left:
            return Given(plan, job.results, dry_run=dry_run)
        try:
            message = await run_job(job)
        finally:
            _keep_passwords(passwords, plan, job.results)
        return Given(plan, job.results, message)


async def _system(workspace: Workspace, company: str, system: str) -> RecordData:
    """The CloudPBX of a company. UsageError without one, or for one of several. ReadError."""
    own = workspace.caller.company_id if workspace.caller else ""
    query = {"companyId": company or own, "format": "full"}
    systems = [each async for each in rows_of(workspace, "list_cloudpbxs", {}, query)]
    chosen = [each for each in systems if system in ("", each.get("id"))]
    if len(chosen) == 1:
        return chosen[0]
    ids = ", ".join(str(each.get("id")) for each in systems)
    if not ids:
        raise UsageError(_("The company has no CloudPBX."))
    raise UsageError(_("Name one of the CloudPBXs of the company with --system: {ids}").format(ids=ids))


def _keep_passwords(path: Path | None, plan: Sequence[PlannedPhones], results: Sequence[StepResult]) -> None:
    """Write the passwords that the service has made, which it shows once."""
    made = [
        (each.number, each.name, str(data["password"]))
        for each, result in zip(plan, results, strict=True)
        if isinstance(data := result.answer.get("data"), Mapping) and data.get("password") and not each.password
    ]
    if not made:
        return
    if path is None:
        text = _("{extensions} got a SIP password that is not shown again. --passwords FILE keeps it.")
        print_message(text.format(extensions=counted(len(made), "new extension")))
        return
    head = ("shortNumber", "name", "password")
    lines = [head, *((number, export.escaped(name), word) for number, name, word in made)]
    write_private(expanded(path), "".join(export.csv_line(line) for line in lines))
    print_message(_("Passwords: {path}. Only you can read it.").format(path=path))


def report(found: Given, format: output.Format) -> int:
    """Write the outcome of each line; the exit code."""
    rows = [_row(each, result) for each, result in zip(found.plan, found.results, strict=True)]
    if format == "json":
        output.write_json(rows)
    elif format == "csv":
        output.Csv(_COLUMNS).write(rows)
    elif rows:
        output.write_table(rows, _COLUMNS)
    left = sum(each.outcome not in ("done", "unchanged") for each in found.results)
    if found.dry_run:
        left = sum(each.outcome == "refused" for each in found.results)
        print_message(_("Nothing was sent."))
    else:
        done = len(rows) - left
        print_message(_("{done} done, {left} left over.").format(done=done, left=left))
    if found.error_message:
        print_message(_("{reason} Run the same command again to continue.").format(reason=found.error_message))
        return Exit.UNREACHABLE
    return Exit.REFUSED if left else Exit.DONE


def _row(each: PlannedPhones, result: StepResult) -> dict[str, Any]:
    return {
        "line": each.id,
        "user": each.name,
        "extension": each.number,
        "gets": each.gets,
        "outcome": "skipped" if result.outcome == "refused" else result.outcome,
        "reason": result.sentence,
    }
