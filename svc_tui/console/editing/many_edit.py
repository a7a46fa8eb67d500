"""Editing all marked records in one form: one review of all of them, then a job that changes one after the other."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Protocol

from svc_tui.client.errors import ServiceError, Unreachable
from svc_tui.console.core.actions import performed
from svc_tui.console.core.call_line import CommandCall
from svc_tui.console.core.changes import Change, FieldChange
from svc_tui.console.core.form import Form
from svc_tui.console.core.form_rules import Forbidden
from svc_tui.console.core.many_form import ManyForm
from svc_tui.console.core.nested_labels import value_text
from svc_tui.console.core.resource import Context
from svc_tui.console.core.summaries import with_names
from svc_tui.console.editing.bulk import MOST_COMMANDS, BulkBox, marked_rows, show_result
from svc_tui.console.editing.record_edit import ChangedSinceReview
from svc_tui.console.views.form import FormView
from svc_tui.console.views.list import ListView
from svc_tui.console.views.long_form import MANY_FIELDS, LongFormView
from svc_tui.interface.field_specs import fields_of
from svc_tui.language import _, number_text
from svc_tui.workspace.changes.bulk import Job, JobStep
from svc_tui.workspace.changes.journal import MOST_RECORDS
from svc_tui.workspace.core.service import ReadError
from svc_tui.workspace.core.tasks import in_parallel


class Edit(Protocol):
    """The edit of one of the marked records. Its form takes what is set in the form of all."""

    @property
    def form(self) -> Form: ...
    @property
    def name(self) -> str: ...
    def pending(self) -> Change | None:
        """The change that would be sent now; None without one."""

    async def changes_now(self) -> list[str]:
        """Read the record again into its form; the labels of the edited fields that have another value since.

        ChangedSinceReview when it cannot be edited any more, ReadError without a response.
        """


#: Begins the edit of the selected record. ReadError, or Forbidden when it cannot be edited.
Begin = Callable[[Context], Awaitable[Edit]]


@dataclass(frozen=True)
class Marked:
    """A marked record: its edit, or why it has none."""

    record_id: str
    label: str
    edit: Edit | None = None
    reason: str = ""


async def show_form(context: Context, begin: Begin, show_one: Callable[[Context], Awaitable[None]]) -> None:
    """Open the form of the marked records; that of a single one is its own."""
    if len(context.marked) > MOST_RECORDS:
        text = _("At most {most} records are edited at once. Mark fewer.").format(most=number_text(MOST_RECORDS))
        context.stage.show_message(text, "warn")
        return
    view = context.require_view(ListView)
    rows = await marked_rows(context, view)
    if len(context.marked) == 1:
        row = rows.get(context.marked[0], _unread(context, context.marked[0]))
        alone = replace(context, record=row, marked=())
        if reason := performed(context).why_not(alone):
            context.stage.show_message(f"{performed(context).label}: {reason}", "warn")
            return
        await show_one(alone)
        return
    marked = await in_parallel(context.marked, lambda id: _begun(context, begin, id, rows.get(id)))
    await ManyEdit(context, view, marked).show()


def _unread(context: Context, record_id: str) -> Mapping[str, Any]:
    """A marked record of which only the ID is known."""
    return {context.require_resource().kind.id: record_id}


async def _begun(context: Context, begin: Begin, record_id: str, row: Mapping[str, Any] | None) -> Marked:
    """The edit of one marked record, which is read."""
    resource = context.require_resource()
    alone = replace(context, record=row or _unread(context, record_id), marked=())
    label = resource.label(row) if row else record_id
    if row and (reason := performed(context).why_not(alone)):
        return Marked(record_id, label, reason=reason)
    try:
        edit = await begin(alone)
    except (ReadError, Forbidden) as error:
        return Marked(record_id, label, reason=error.sentence)
    return Marked(record_id, edit.name, edit)


class ManyEdit:
    """The edit of the marked records in one form: begun, reviewed, and sent as a job.

    Each record is read again just before its own request: what another administrator changed is never replaced unseen.
    """

    def __init__(self, context: Context, view: ListView, marked: Sequence[Marked]) -> None:
        self._context, self._view, self._marked = context, view, marked
        self._action = replace(performed(context), label=_("Edit"))
        self._edits = [each for each in marked if each.edit is not None]

    async def show(self) -> None:
        """Show the form; where no record can be edited, the reason."""
        context, resource = self._context, self._context.require_resource()
        forms = [each.edit.form for each in self._edits if each.edit is not None]
        if not forms:
            reasons = dict.fromkeys(each.reason for each in self._marked)
            context.stage.show_message(f"{self._action.label}: {'; '.join(reasons)}", "warn")
            return
        also = resource.editing.also() if resource.editing.also else None
        alone = frozenset(spec.wire for spec in fields_of(also.fields)) if also else frozenset()
        form = ManyForm(forms, alone)
        shown = LongFormView if len(form.specs) > MANY_FIELDS else FormView
        title = f"{self._action.label} {resource.counted(len(self._marked))}"
        form_view = shown(
            *(context.view.place, resource, title, form, self._review),
            send=_("Review and send"),
            calls=lambda view: self._calls(),
        )
        await context.stage.show(form_view)
        if refused := len(self._marked) - len(forms):
            reason = next(each.reason for each in self._marked if each.reason)
            text = _("{refused} cannot be edited: {reason}").format(refused=resource.counted(refused), reason=reason)
            context.stage.show_message(text, "warn")

    def _calls(self) -> Sequence[CommandCall]:
        """The first of the requests that would be sent now."""
        pending = (each.edit.pending() for each in self._edits if each.edit is not None)
        return [call for change in pending if change is not None for call in change.calls][:MOST_COMMANDS]

    async def _review(self, view: FormView) -> None:
        form = view.form
        if not form.dirty:
            view.post_message(view.StatusMessage(_("No changes to send.")))
            return
        edited = [spec.wire for spec in form.specs if form.changed(spec.wire)]
        plan = {each.record_id: self._planned(each, edited) for each in self._marked}
        changes = {record_id: found for record_id, found in plan.items() if isinstance(found, Change)}
        reasons = {record_id: found for record_id, found in plan.items() if isinstance(found, str)}
        if not changes and len(reasons) == len(plan) and len(set(reasons.values())) == 1 and len(edited) == 1:
            view.refuse({edited[0]: next(iter(reasons.values()))})
            return
        notes = {record_id: _in_short(change.fields) for record_id, change in changes.items()}
        total = ""
        if (priced := self._context.require_resource().editing.priced) and changes:
            prices = await priced(self._context, changes)
            reasons, total = reasons | dict(prices.reasons), prices.total
            notes |= {record_id: f"{notes[record_id]}  {text}" for record_id, text in prices.notes.items()}
        steps = [self._step(each, plan[each.record_id]) for each in self._marked]
        unchanged = [record_id for record_id, found in plan.items() if found is None]
        await self._run(view, steps, reasons, notes, unchanged, (_summary(form, edited), total))

    def _planned(self, marked: Marked, edited: Sequence[str]) -> Change | str | None:
        """The change of a record, why it is refused, or None: it has the values already."""
        if marked.edit is None:
            return marked.reason
        return _objection(marked.edit.form, edited) or marked.edit.pending()

    def _step(self, marked: Marked, change: Change | str | None) -> JobStep:
        if not isinstance(change, Change):
            return JobStep(marked.record_id, marked.label)
        return replace(_step_of(marked, change), check=partial(self._checked, marked))

    async def _checked(self, marked: Marked) -> JobStep | None:
        """The step of a record as it is now. ServiceError when it was changed elsewhere, or cannot be read."""
        edit = marked.edit
        assert edit is not None
        try:
            labels = await edit.changes_now()
        except ReadError as error:
            raise (Unreachable if error.offline else ServiceError)(error.sentence) from error
        if labels:
            fields = ", ".join(labels)
            raise ChangedSinceReview(_("another administrator has just changed {fields}").format(fields=fields))
        if problems := edit.form.problems():
            wire, problem = next(iter(problems.items()))
            raise ServiceError(f"{edit.form.spec(wire).label} {problem}")
        change = edit.pending()
        return None if change is None else self._step(marked, change)

    async def _run(
        self,
        view: FormView,
        steps: Sequence[JobStep],
        reasons: Mapping[str, str],
        notes: Mapping[str, str],
        unchanged: Sequence[str],
        texts: tuple[str, str],
    ) -> None:
        """Show what would change, and run the job. A form whose job was not begun stays open."""
        context, resource = self._context, self._context.require_resource()
        operation_id = next((step.operation_id for step in steps if step.operation_id), resource.update)
        job = Job(context.workspace, operation_id, steps)
        summary, total = texts
        box = BulkBox(
            *(context.workspace.journal, replace(self._action, help=summary), resource, job, reasons, notes, total),
            unchanged=unchanged,
        )
        begun = job.left
        unfinished = await context.stage.ask(box)
        if job.left == begun:
            return
        await context.stage.back()
        self._view.records.set_marks(unfinished or ())
        show_result(context, self._action.label, job)


def _step_of(marked: Marked, change: Change) -> JobStep:
    return JobStep(
        *(marked.record_id, marked.label, change.path, change.body),
        query=change.query,
        operation_id=change.operation,
        undo=change.undo,
        following=tuple(_step_of(marked, each) for each in change.following),
    )


def _objection(form: Form, edited: Sequence[str]) -> str:
    """Why a record cannot have the edited values; empty when it can."""
    for wire in edited:
        if reason := form.why_not(wire):
            return f"{form.spec(wire).label}: {reason}"
    problems = form.problems()
    return next((f"{form.spec(wire).label} {problem}" for wire, problem in problems.items()), "")


def _in_short(fields: Sequence[FieldChange]) -> str:
    """The changed fields of a record in one line; of a single one the values only."""
    if len(fields) == 1:
        return f"{fields[0].old} → {fields[0].new}"
    return "; ".join(f"{each.label}: {each.old} → {each.new}" for each in fields)


def _summary(form: Form, edited: Sequence[str]) -> str:
    """The new values for all records."""
    parts = []
    for wire in edited:
        spec = form.spec(wire)
        parts.append(f"{spec.label} → {with_names(value_text(form.values.get(wire), spec), form.named)}")
    return "; ".join(parts)
