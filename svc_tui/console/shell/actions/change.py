"""Create, edit, delete, undo, and the keys of forms."""

from __future__ import annotations

from collections.abc import Callable

from svc_tui.console.core.actions import FORM, RECORDS, Action
from svc_tui.console.core.resource import Context
from svc_tui.console.editing import field_editors, many_edit, record_edit, record_forms
from svc_tui.console.views.detail import DetailView
from svc_tui.language import _


def _update(context: Context) -> str:
    return context.resource.update if context.resource else ""


def _create(context: Context) -> str:
    return context.resource.create if context.resource else ""


def _delete_operation(context: Context) -> str:
    return context.resource.delete if context.resource else ""


def _cannot(operation_of: Callable[[Context], str], *, also_marked: bool = False) -> Callable[[Context], str]:
    """Why an operation is not possible on the record: its state, or a rule. The job of marked records checks each."""

    def reason(context: Context) -> str:
        resource, record = context.resource, context.record
        if resource is None or record is None or (also_marked and context.marked):
            return ""
        return resource.editing.frozen(record) or resource.editing.forbids(operation_of(context), record, context)

    return reason


async def _edit(context: Context) -> None:
    if context.marked:
        await many_edit.show_form(context, record_forms.RecordEdit.begun, _edit)
        return
    selected = context.view.field if isinstance(context.view, DetailView) else None
    await context.stage.show(await record_forms.edit_form(context))
    if selected is not None and context.stage.top is not None:
        context.stage.top.show_field(selected[0])


async def _new(context: Context) -> None:
    begins = context.resource.editing.begins if context.resource else None
    start = await begins(context) if begins else {}
    if start is not None:
        await context.stage.show(await record_forms.new_form(context, start))


async def _new_like(context: Context) -> None:
    begins = context.resource.editing.begins if context.resource else None
    start = await begins(context) if begins else {}
    if start is not None:
        await context.stage.show(await record_forms.form_alike(context, start))


def _has_like(context: Context) -> bool:
    return bool(context.resource and context.resource.create and context.resource.editing.not_alike is not None)


ACTIONS = (
    Action(
        name="edit",
        keys=("e",),
        label="Edit",
        help="Edit the {record}, or all marked ones in one form",
        run=_edit,
        group="Change",
        views=RECORDS,
        operation=_update,
        needs="records",
        possible=_cannot(_update, also_marked=True),
        belongs=lambda c: bool(_update(c)),
        footer=20,
    ),
    Action(
        name="new",
        keys=("n",),
        label="New",
        help="New {record}",
        run=_new,
        group="Change",
        views=RECORDS,
        operation=_create,
        belongs=lambda c: bool(_create(c)),
        footer=30,
    ),
    Action(
        name="new_like",
        keys=("=",),
        label="New like this",
        help="New {record} with the values of this one",
        run=_new_like,
        group="Change",
        views=RECORDS,
        operation=_create,
        needs="record",
        belongs=_has_like,
    ),
    Action(
        name="delete",
        keys=("x", "delete"),
        label="Delete",
        help="Delete the {record}, or all marked ones",
        run=record_edit.call_on_records,
        group="Change",
        views=RECORDS,
        operation=_delete_operation,
        needs="records",
        possible=_cannot(_delete_operation, also_marked=True),
        belongs=lambda c: bool(_delete_operation(c)) and not c.require_resource().deletion.own_action,
        footer=60,
        dangerous=True,
    ),
    Action(
        name="undo",
        keys=("ctrl+z",),
        label="Undo",
        help="Undo the last change, after a preview",
        run=record_edit.undo_last,
        group="Change",
        possible=lambda c: (
            "" if c.workspace.journal.not_undoable or c.workspace.journal.entries else _("nothing to undo")
        ),
    ),
    Action(
        name="enter_field",
        keys=("enter",),
        label="Choose",
        help="Choose, search or edit the value; on the last line, review",
        run=field_editors.edit_field,
        label_here=field_editors.label_of_enter,
        group="Form",
        views=FORM,
        footer=10,
    ),
    Action(
        name="review",
        keys=("ctrl+o", "f2"),
        label="Review",
        help="Preview what will be sent",
        run=field_editors.review,
        group="Form",
        views=FORM,
        footer=20,
    ),
    Action(
        name="leave_form",
        keys=("esc",),
        label="Close",
        help="Close the form; unsaved changes are discarded only after a question",
        run=field_editors.leave_form,
        group="Form",
        views=FORM,
        footer=30,
    ),
)
