"""Changes of records: previewed, sent, and undone."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from svc_tui.client.errors import Refused, ServiceError, Unreachable, code_of, problems_of
from svc_tui.console.core.actions import performed
from svc_tui.console.core.changes import CREATED, Change, FieldChange, field_changes
from svc_tui.console.core.place_requests import full_record
from svc_tui.console.core.resource import Context, Resource
from svc_tui.console.dialogs.preview import CheckOutcome, Outcome, Preview
from svc_tui.console.editing import bulk
from svc_tui.console.views.list import ListView
from svc_tui.interface.catalogue import body_of, operation
from svc_tui.interface.data import RecordData
from svc_tui.interface.errors import FIELD_OF_CODE
from svc_tui.interface.field_specs import field_by_wire
from svc_tui.language import _
from svc_tui.workspace.changes.bulk import Job, JobStep
from svc_tui.workspace.changes.journal import UndoEntry
from svc_tui.workspace.core.service import ReadError
from svc_tui.workspace.core.tasks import in_parallel

if TYPE_CHECKING:
    from svc_tui.workspace.changes.unconfirmed_writes import VerifiedOutcome


class ChangedSinceReview(ServiceError):
    """Another administrator changed the record between review and sending: nothing was sent."""


def changed_since_review(labels: Iterable[str]) -> ChangedSinceReview:
    """The error for fields that another administrator changed."""
    return ChangedSinceReview(
        _("Not sent: another administrator has just changed {fields}. Review your changes again.").format(
            fields=", ".join(labels)
        )
    )


async def go_to_created(context: Context, resource: Resource, answer: Mapping[str, Any]) -> None:
    """Select a new record in its list, which is opened when the record was created elsewhere."""

    data = answer.get("data")
    if not isinstance(data, Mapping):
        return
    # A list can have other columns than its resource declares.
    current = context.view.resource
    opens = current is None or current.name != resource.name
    if opens:
        place = resource.related_place(context.view.place, data)
        await context.stage.open(place, owner=context.view.owner)
    view = context.stage.top
    if isinstance(view, ListView) and view.resource.name == resource.name:
        if opens:
            # The cursor waits for a row only while the list is read.
            await view.listing.wait_until_idle()
        view.go_to(resource.record_id(data))


def confirmation_of(operation_id: str, name: str) -> str:
    """What must be typed before a change that costs is sent; empty for other changes."""
    return name if operation(operation_id).costs else ""


async def preview(
    context: Context, change: Change, check_unchanged: Callable[[], Awaitable[None]] | None = None
) -> Outcome | None:
    """Show a change, and send it when it is confirmed; `check_unchanged` raises ChangedSinceReview before that."""

    async def send_confirmed(confirmed: Change) -> Mapping[str, Any]:
        if check_unchanged is not None:
            await check_unchanged()
        return await send(context, confirmed)

    return await context.stage.ask(Preview(change, send_confirmed, _checker(context)))


def _checker(context: Context) -> CheckOutcome:
    """A check of the outcome of a change that costs and got no response."""

    async def check(sent: Change) -> VerifiedOutcome | None:
        found = await context.workspace.verify(sent.operation, sent.path)
        _refresh_details(context)
        return found

    return check


async def send(context: Context, change: Change) -> Mapping[str, Any]:
    """Send a change and record how to undo it. ServiceError when it was refused."""
    answer = await context.workspace.perform(
        change.operation, path=change.path, query=change.query, body=change.body, undo=change.undo
    )
    if change.undo is None:
        # The undo key must not offer an older change as if it were this one.
        context.workspace.journal.not_undoable = change.label
    await _send_following(context, change, answer)
    _refresh_details(context)
    return answer


async def _send_following(context: Context, change: Change, answer: Mapping[str, Any]) -> None:
    """Send the changes that follow one that was made. What is refused is in `refused`: the first one stays made."""
    data = answer.get("data")
    created = str(data.get("id") or "") if isinstance(data, Mapping) else ""
    for each in change.following:
        path = {name: created if value == CREATED else value for name, value in each.path.items()}
        try:
            await context.workspace.perform(each.operation, path=path, query=each.query, body=each.body, undo=each.undo)
        except ServiceError as error:
            change.refused.append(f"{each.label}: {error.sentence}")


def _refresh_details(context: Context) -> None:
    """Refresh open detail views: a response need not contain the fields that were cleared."""
    for view in context.stage.views:
        if view.kind == "detail":
            view.refresh_now()


def refused(outcome: Outcome) -> dict[str, str]:
    """Field -> why it was refused; without a field, the key is empty."""
    if outcome.found:
        return {"": outcome.found}
    error = outcome.error
    problems = {problem.param or "": problem.msg for problem in problems_of(error)}
    about = FIELD_OF_CODE.get(code_of(error), "")
    # Beside a field there is room for its problem only, not for the kind of refusal.
    message = error.message if about and isinstance(error, Refused) else ""
    return problems or {about: message or str(error)}


def undo_hint(context: Context, change: Change) -> str:
    """The key that undoes a change, as a sentence after another one; empty when it cannot be undone."""
    return f" {context.with_keys(_('{undo} undoes it.'))}" if change.undo else ""


async def update_record(context: Context, body: Mapping[str, Any], label: str, warning: str) -> None:
    """Update the selected record with a fixed body, for example a new secret."""
    resource = context.require_resource()
    record = context.require_record()
    record_id = resource.record_id(record)
    change = Change(
        label=f"{label}: {resource.label(record)}",
        operation=resource.update,
        path=resource.path_at(context.view.place, context.workspace.caller, record_id),
        body=dict(body),
        reach=_("Affects 1 {singular}.").format(singular=resource.singular),
        confirm=resource.label(record),
        warning=warning,
    )
    outcome = await preview(context, change)
    if outcome is not None and outcome.error is None:
        shows = context.with_keys(_("{reveal} shows it in the detail view."))
        context.stage.show_message(_("{label}: done. {shows}").format(label=label, shows=shows), "ok")


async def current_record(context: Context) -> Mapping[str, Any]:
    """The selected record as it is now, before its name must be typed; as it was listed where it cannot be read.

    ReadError when it was deleted.
    """
    resource, listed = context.require_resource(), context.require_record()
    try:
        record = await full_record(context, resource.record_id(listed))
    except ReadError as error:
        if error.missing:
            raise
        return listed
    return {**listed, **resource.kind.flat(dict(record))}


async def preview_deletion(context: Context, change: Change) -> Outcome | None:
    """Show a deletion, and send it when its record still has the name that was typed.

    After another name, the list is read again for the next attempt.
    """
    resource = context.require_resource()

    async def check_name() -> None:
        try:
            name = resource.label(await current_record(context))
        except ReadError as error:
            raise ChangedSinceReview(error.sentence) from error
        if name != change.confirm:
            context.view.refresh_now()
            raise ChangedSinceReview(
                _("Not sent: another administrator has just changed the name to {name}.").format(name=name)
            )

    return await preview(context, change, check_name)


async def call_on_records(context: Context) -> Exception | None:
    """Call the operation of the action, one without a body, on the selected record, or as a job on all marked ones.

    Returns the error when a single record was refused.
    """
    if context.marked:
        await bulk.run_bulk(context)
        return None
    action, resource = performed(context), context.require_resource()
    record = await current_record(context) if action.dangerous else context.require_record()
    record_id, operation_id = resource.record_id(record), action.operation_id(context)
    path = resource.path_at(context.view.place, context.workspace.caller, record_id)
    lost: tuple[FieldChange, ...] = ()
    reach = _("Affects 1 {singular}.").format(singular=resource.singular)
    if resource.deletion.consequences and operation_id == resource.delete:
        found = await resource.deletion.consequences(record, context)
        if found is None:
            return None
        lost, reach = found
    change = Change(
        label=f"{action.label} {resource.singular} {resource.label(record)}",
        operation=operation_id,
        path=path,
        fields=lost,
        reach=reach,
        confirm=resource.label(record) if action.dangerous else "",
        warning=_("This cannot be undone.") if action.dangerous else f"{action.help_for(resource)}.",
        undo=UndoEntry.of_opposite(
            f"{action.label} {resource.label(record)}", resource.kind, operation_id, path, dict(record)
        ),
    )
    outcome = await (preview_deletion if action.dangerous else preview)(context, change)
    if outcome is None or outcome.error is not None:
        return outcome.error if outcome else None
    if action.dangerous and context.view.kind == "detail":
        await context.stage.back()
    status = outcome.found or str((outcome.answer or {}).get("status") or "")
    # The service names deleted records by their ID; users know their name.
    status = status.replace(f" {record_id} ", f" {resource.label(record)} ") if record_id else status
    context.stage.show_message(f"{status or action.label + _(': done.')}{undo_hint(context, change)}", "ok")
    return None


async def undo_last(context: Context) -> None:
    """Undo the last change, after a preview."""
    journal = context.workspace.journal
    if journal.not_undoable:
        sentence = _("The last change ({change}) cannot be undone.").format(change=journal.not_undoable)
        if journal.entries:
            offers = context.with_keys(_("{undo} now offers an older change"))
            sentence += f" {offers}: {journal.entries[-1].label}."
        context.stage.show_message(sentence, "warn")
        journal.not_undoable = ""
        return
    entry = journal.entries[-1]
    if entry.parts:
        await _undo_job(context, entry)
        return
    differs = await journal.later_changes(entry) if entry.body is not None else []
    found = {item.field: item.found for item in differs}
    if differs and found == entry.body:
        # An undo without a response can have been made, also by another console.
        journal.forget(entry)
        context.stage.show_message(_("Already undone: the record has the values from before."), "ok")
        return
    labels = _labels(entry, found)
    warning = _("Changed again since then: {fields}.").format(fields=labels) if differs else ""
    change = Change(
        label=_("Undo: {label}").format(label=entry.label),
        operation=entry.operation_id,
        path=entry.path,
        body=entry.body,
        fields=field_changes(entry.operation_id, {**entry.after, **found}, entry.body) if entry.body else (),
        reach=_("Affects 1 {singular}.").format(singular=_noun(context, entry)),
        confirm=confirmation_of(entry.operation_id, entry.label),
        warning=warning,
    )

    async def undo(_: Change) -> Mapping[str, Any]:
        answer = await journal.undo(entry)
        _refresh_details(context)
        return answer

    outcome = await context.stage.ask(Preview(change, undo, _checker(context)))
    if outcome is not None and outcome.error is None:
        context.stage.show_message(_("Undone."), "ok")


def _labels(entry: UndoEntry, wires: Iterable[str]) -> str:
    """Fields of a change, by their labels."""
    specs = field_by_wire(body_of(entry.operation_id)) if entry.body is not None else {}
    return ", ".join(specs[wire].label if wire in specs else wire for wire in wires)


async def _undo_job(context: Context, entry: UndoEntry) -> None:
    """Undo a job as another job. Records that were changed again since are skipped, and not offered again."""
    workspace, journal = context.workspace, context.workspace.journal
    #: For what a record was created -> the deletion of that record, which comes first.
    removals = {part.record_id: part for part in entry.parts if operation(part.operation_id).deletes}
    staying: set[str] = set()

    def stays(part: UndoEntry) -> bool:
        missed = ("refused", "failed", "unknown")
        results = (each for each in job.results if each.step.record_id == part.number)
        return part.number in staying or any(each.outcome in missed for each in results)

    async def changes_since(part: UndoEntry) -> tuple[str, bool]:
        """The labels of what was changed since, and whether it has the values from before. ReadError."""
        if part is removals.get(part.record_id):
            set_since = _set_since(context, part)
            return ", ".join(await set_since(part.path, part.after, context)) if set_since else "", False
        differs = await journal.later_changes(part) if part.body is not None else []
        old = part.body or {}
        found = [item.field for item in differs if item.found != old.get(item.field)]
        # An undo without a response can have been made.
        return _labels(part, found), bool(old) and len(differs) == len(old)

    def check(part: UndoEntry, step: JobStep) -> Callable[[], Awaitable[JobStep | None]]:
        async def checked() -> JobStep | None:
            created = removals.get(part.record_id, part)
            if created is not part and stays(created):
                raise ChangedSinceReview(_("Stays with this: {change}.").format(change=created.label))
            try:
                labels, is_undone = await changes_since(part)
            except ReadError as error:
                if error.missing and created is part and part.record_id in removals:
                    return None
                # A deleted record has nothing to bring back.
                kind = ChangedSinceReview if error.missing else Unreachable if error.offline else ServiceError
                raise kind(error.sentence) from error
            if labels:
                raise ChangedSinceReview(_("Changed again since then: {fields}.").format(fields=labels))
            return None if is_undone else step

        return checked

    async def since(step: JobStep) -> str | None:
        """Why it is skipped; None when it has its old values already."""
        try:
            return "" if step.check is None or await step.check() is not None else None
        except ChangedSinceReview as error:
            return error.sentence
        except ServiceError:
            # It is checked again when its turn comes.
            return ""

    steps = []
    for part in reversed(entry.parts):
        step = JobStep(part.number, part.label, part.path, part.body, operation_id=part.operation_id)
        steps.append(replace(step, check=check(part, step)))
    job = Job(workspace, entry.parts[0].operation_id, steps)
    first = [step for step in steps if step.record_id in {part.number for part in removals.values()}]
    sentences = dict(zip([step.record_id for step in first], await in_parallel(first, since), strict=True))
    staying.update(number for number, sentence in sentences.items() if sentence)
    others = [step for step in steps if step not in first]
    sentences |= dict(zip([step.record_id for step in others], await in_parallel(others, since), strict=True))
    later = {number: sentence for number, sentence in sentences.items() if sentence}
    unchanged = [number for number, sentence in sentences.items() if sentence is None]
    action = replace(performed(context), help=_("Undo: {label}").format(label=entry.label))
    resource = _resource_of(context, entry.parts[0]) or context.require_resource()
    if len({part.kind for part in entry.parts}) > 1:
        # Its parts are of several kinds: they are counted as what they are in the audit log.
        resource = replace(resource, singular="change", plural="changes")
    await context.stage.ask(bulk.BulkBox(journal, action, resource, job, later, unchanged=unchanged))
    over = ("done", "unchanged", "refused")
    if job.done or not job.left:
        journal.forget_parts(entry, [each.step.record_id for each in job.results if each.outcome in over])
    journal.not_undoable = ""
    _refresh_details(context)
    bulk.show_result(context, action.label, job)


def _set_since(
    context: Context, entry: UndoEntry
) -> Callable[[Mapping[str, str], RecordData, Context], Awaitable[Sequence[str]]] | None:
    """What finds what a created record has got since, where its undo deletes it."""
    resource = _resource_of(context, entry) if operation(entry.operation_id).deletes else None
    return resource.deletion.set_since if resource else None


def _resource_of(context: Context, entry: UndoEntry) -> Resource | None:
    """The kind of record of a change."""
    kinds = (entry.kind, operation(entry.operation_id).changed_kind)
    return next((each for each in context.stage.resources.values() if each.kind.name in kinds), None)


def _noun(context: Context, entry: UndoEntry) -> str:
    """What the record of a change is called."""
    found = _resource_of(context, entry)
    return found.singular if found else "record"
