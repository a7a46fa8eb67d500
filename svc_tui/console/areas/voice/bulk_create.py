"""Creating many: subscribers from a file with proposed numbers, and ranges of DDI numbers; as jobs with a dry run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from svc_tui.console.areas.voice.bulk_create_dialog import PasswordsBox, SubscriberFile
from svc_tui.console.core.actions import performed
from svc_tui.console.core.dialog_keys import CLOSE, SAVE
from svc_tui.console.core.resource import Context
from svc_tui.console.dialogs.text_editor import TextEditor
from svc_tui.console.editing.bulk import BulkBox, show_result
from svc_tui.interface.telephone_numbers import written
from svc_tui.language import _
from svc_tui.workspace.changes.bulk import Job, JobStep
from svc_tui.workspace.core.service import LARGEST_REQUEST
from svc_tui.workspace.voice.bulk_create import PlannedSubscriber, plan_subscribers, voice_offers
from svc_tui.workspace.voice.number_ranges import summary, typed_numbers


class _NumbersEditor(TextEditor):
    """The editor for new DDI numbers; its next step is the list of what would be created."""

    KEYS = (SAVE.labelled(_("Review")), CLOSE.labelled(_("Discard")))


class _Import(BulkBox):
    """The job for the lines of a file, which has no records to mark."""

    AFTERWARDS = ""


async def create_from_file(context: Context) -> None:
    """Choose a file, check the plan of each line, and create the subscribers."""
    resource = context.require_resource()
    file = await context.stage.ask(SubscriberFile())
    if file is None:
        return
    path = resource.path_at(context.view.place, context.workspace.caller)
    pbx = await _pbx(context, path)
    company_id = str(pbx.get("companyId") or "")
    offers = await voice_offers(context.workspace, company_id)
    users, free = await _users(context, company_id), await _free(context, path)
    plan = plan_subscribers(file.lines, users, free, path["systemId"], offers, pbx.get("country"))
    job = Job(context.workspace, resource.create, [_step(line, path) for line in plan])
    reasons = {str(line.line): line.problem for line in plan if line.problem}
    action = performed(context)
    unread = _("Columns that are not read: {names}.").format(names=", ".join(file.unread)) if file.unread else ""
    await context.stage.ask(_Import(context.workspace.journal, action, resource, job, reasons, warning=unread))
    context.view.refresh_now()
    show_result(context, action.label, job)
    if passwords := _passwords(plan, job):
        await context.stage.ask(PasswordsBox(passwords))


async def create_numbers(context: Context) -> None:
    """Type ranges or a list of DDI numbers, and create them."""
    resource, workspace = context.require_resource(), context.workspace
    path = resource.path_at(context.view.place, workspace.caller)
    country = (await _pbx(context, path)).get("country")
    listed = await workspace.read(resource.list, path, {"limit": LARGEST_REQUEST, "offset": 0})
    taken = {str(row.get("numberE164")) for row in listed.get("data") or ()}

    def check(text: str) -> tuple[str, str]:
        try:
            return summary(typed_numbers(text, country, taken), country)
        except ValueError as error:
            return "", str(error)

    hint = _("210996100-119, 210996100 x 20, or a list with one number or range per line")
    text = await context.stage.ask(_NumbersEditor(_("New DDI numbers"), "", hint, check))
    try:
        numbers = typed_numbers(text or "", country, taken)
    except ValueError as error:
        context.stage.show_message(str(error), "warn")
        return
    if not numbers:
        return
    steps = [
        JobStep(str(at), written(each.number, country), path, {"number": each.number})
        for at, each in enumerate(numbers)
    ]
    reasons = {str(at): each.problem for at, each in enumerate(numbers) if each.problem}
    job, action = Job(workspace, resource.create, steps), performed(context)
    await context.stage.ask(_Import(workspace.journal, action, resource, job, reasons))
    context.view.refresh_now()
    show_result(context, action.label, job)


def _step(line: PlannedSubscriber, path: Mapping[str, str]) -> JobStep:
    label = " ".join(part for part in (line.number, line.name) if part)
    return JobStep(str(line.line), f"{line.line}: {label}", path, line.body)


def _passwords(plan: Sequence[PlannedSubscriber], job: Job) -> list[tuple[str, str, str]]:
    """Number, name and password of the subscribers whose password the service created."""
    found = []
    for line, result in zip(plan, job.results, strict=True):
        data = result.answer.get("data")
        password = data.get("password") if isinstance(data, dict) else None
        if password and "password" not in line.body:
            found.append((line.number, line.name, str(password)))
    return found


async def _pbx(context: Context, path: Mapping[str, str]) -> Mapping[str, Any]:
    """The CloudPBX. ReadError when it cannot be read."""
    return (await context.workspace.read("get_cloudpbx", path, {})).get("data") or {}


async def _users(context: Context, company_id: str) -> list[Mapping[str, Any]]:
    """All users of a company. ReadError when they cannot be read."""
    found: list[Mapping[str, Any]] = []
    while True:
        asked = {"companyId": company_id, "format": "full", "limit": LARGEST_REQUEST, "offset": len(found)}
        body = await context.workspace.read("list_users", {}, asked)
        rows = body.get("data") or ()
        found += rows
        if not rows or len(found) >= int(body.get("total") or 0):
            return found


async def _free(context: Context, path: Mapping[str, str]) -> list[str]:
    """The first free internal numbers. ReadError when they cannot be read."""
    body = await context.workspace.read("list_free_internal_numbers", path, {})
    return [str(number) for number in body.get("data") or ()]
