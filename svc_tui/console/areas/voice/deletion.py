"""Deletion of a CloudPBX, after its checks or with its contents; deletion of recordings in batches."""

from __future__ import annotations

from asyncio import gather
from collections.abc import Mapping
from typing import Any

from svc_tui.client.errors import problems_of
from svc_tui.console.core.actions import performed
from svc_tui.console.core.changes import Change
from svc_tui.console.core.places import Place
from svc_tui.console.core.resource import Context
from svc_tui.console.dialogs.failed_checks import FailedCheck, FailedChecks
from svc_tui.console.editing.bulk import BulkBox, show_result
from svc_tui.console.editing.record_edit import call_on_records, current_record, preview, preview_deletion
from svc_tui.console.views.list import ListView
from svc_tui.console.widgets.formatting import title_in_sentence
from svc_tui.interface.voice.deletion import CONTENT, CloudPbxContent
from svc_tui.language import _
from svc_tui.workspace.changes.bulk import Job, JobStep
from svc_tui.workspace.core.service import ReadError

#: Recordings in one request.
BATCH = 100
_BY_PARAM = {content.param: content for content in CONTENT}
#: The choice to delete all contents.
_EVERYTHING = "everything"
#: The key that opens the list of records to remove first.
_KEYS = {"welcomeservices": "w", "ddis": "n", "subscribers": "s", "sipdevices": "d"}


async def delete_cloudpbx(context: Context) -> None:
    """Delete the CloudPBX when it is empty; otherwise list its contents, with keys that open or delete them."""
    record = context.require_record()
    found = [_failed_check(record, content, count) for content, count in await _contents(context, record)]
    if not found:
        error = await call_on_records(context)
        problems = [problem for problem in problems_of(error) if problem.param in _BY_PARAM]
        found = [_failed_check(record, _BY_PARAM[problem.param], problem.value) for problem in problems]
    if not found:
        return
    found.append(FailedCheck(_("delete the CloudPBX with its contents"), "X", _EVERYTHING))
    text = _("Remove these first:")
    chosen = await context.stage.ask(
        FailedChecks(_("{name} cannot be deleted yet").format(name=record.get("name")), found, text)
    )
    if chosen == _EVERYTHING:
        await delete_with_everything(context)
    elif chosen:
        await context.stage.open(Place.parse(chosen), owner=str(record.get("name") or ""))


def _failed_check(record: Mapping[str, Any], content: CloudPbxContent, count: object) -> FailedCheck:
    place = Place(("cloudpbxs", str(record.get("id")), content.kind))
    return FailedCheck(f"{content.sentence}: {count}", _KEYS.get(content.kind, ""), str(place))


async def delete_with_everything(context: Context) -> None:
    """Delete the CloudPBX with its contents; its name must be typed."""
    record, resource = await current_record(context), context.require_resource()
    found = [(context.stage.resources[content.kind], count) for content, count in await _contents(context, record)]
    there = [f"{count} {kind.singular if count == 1 else title_in_sentence(kind.title)}" for kind, count in found]
    outcome = await preview_deletion(
        context,
        Change(
            label=_("Delete {name} with its contents").format(name=record.get("name")),
            operation="delete_cloudpbx",
            path={"systemId": resource.record_id(record)},
            query={"forceDelete": True},
            reach=_("Also deletes {there}.").format(there=", ".join(there)) if there else _("The CloudPBX is empty."),
            confirm=resource.label(record),
            warning=_("Recordings and office hours are also deleted. This cannot be undone."),
        ),
    )
    if outcome is not None and outcome.error is None:
        if context.view.kind == "detail":
            await context.stage.back()
        context.stage.show_message(_("Deleted {name}.").format(name=record.get("name")), "ok")


async def _contents(context: Context, record: Mapping[str, Any]) -> list[tuple[CloudPbxContent, int]]:
    """The contents of the CloudPBX with their numbers, as far as the caller may read them."""
    system = {"systemId": str(record.get("id") or "")}
    counts = await gather(*(_count(context, content, system) for content in CONTENT))
    return [(content, count) for content, count in zip(CONTENT, counts, strict=True) if count]


async def _count(context: Context, content: CloudPbxContent, path: Mapping[str, str]) -> int:
    try:
        body = await context.workspace.read(context.stage.resources[content.kind].list, path, {"limit": 1})
    except ReadError:
        # Only a hint: the service checks it again.
        return 0
    found = body if isinstance(body, dict) else {}
    return int(found.get("total") or len(found.get("data") or ()))


async def delete_recordings(context: Context) -> None:
    """Delete the recording under the cursor, or the marked ones in batches."""
    if context.marked:
        await _delete_marked(context)
        return
    record, resource = context.require_record(), context.require_resource()
    change = Change(
        label=_("Delete recording {label}").format(label=resource.label(record)),
        operation="delete_recordings",
        path=resource.path_at(context.view.place, context.workspace.caller),
        query={"recordIds": resource.record_id(record)},
        reach=_("Affects 1 recording."),
        confirm=resource.label(record),
        warning=_("This cannot be undone."),
    )
    outcome = await preview(context, change)
    if outcome is not None and outcome.error is None:
        if context.view.kind == "detail":
            await context.stage.back()
        context.stage.show_message(str((outcome.answer or {}).get("status") or _("Deleted.")), "ok")


async def _delete_marked(context: Context) -> None:
    view, resource = context.require_view(ListView), context.require_resource()
    path = resource.path_at(view.place, context.workspace.caller)
    batches = [context.marked[at : at + BATCH] for at in range(0, len(context.marked), BATCH)]
    steps = [
        JobStep(
            batch[0],
            _("batch {number} of {batches}: {batch}").format(number=number, batches=len(batches), batch=len(batch)),
            path,
            ids=batch,
            query=_named(batch),
        )
        for number, batch in enumerate(batches, start=1)
    ]
    job = Job(context.workspace, "delete_recordings", steps)
    action = performed(context)
    unfinished = await context.stage.ask(BulkBox(context.workspace.journal, action, resource, job, {}))
    view.records.set_marks(unfinished or ())
    show_result(context, action.label, job)


def _named(batch: tuple[str, ...]) -> dict[str, object]:
    return {"recordIds": ",".join(batch)}
