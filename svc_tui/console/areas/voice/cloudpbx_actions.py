"""Actions of a CloudPBX: edit, test a number, show the barring, delete (4.7)."""

from __future__ import annotations

from svc_tui.console.areas.voice import (
    barring_view,
    call_path_view,
    checked_form_view,
    cloudpbx_edit,
    deletion,
    try_number,
)
from svc_tui.console.core.actions import FORM, RECORDS, REPORT, Action
from svc_tui.console.core.resource import Context
from svc_tui.language import _

PBX = "cloudpbxs"


async def _barring(context: Context) -> None:
    record, resource = context.require_record(), context.require_resource()
    view = barring_view.BarringView(context, resource.record_id(record), resource.label(record))
    await view.load()
    await context.stage.show(view)


def _editor(context: Context) -> checked_form_view.CloudPbxView | None:
    return context.view if isinstance(context.view, checked_form_view.CloudPbxView) else None


def _is_editor(context: Context) -> bool:
    return _editor(context) is not None


def _checked_form(context: Context) -> checked_form_view.CheckedFormView | None:
    return context.view if isinstance(context.view, checked_form_view.CheckedFormView) else None


def _use_other_value(context: Context) -> None:
    if view := _checked_form(context):
        view.use_their_value()


def _why_no_other_value(context: Context) -> str:
    view = _checked_form(context)
    return "" if view and view.wire in view.conflicting else _("this field has no conflict")


def use_their_value(kind: str) -> Action:
    """The action of a checked form that uses the other administrator's value."""
    return Action(
        name=f"{kind}.theirs",
        keys=("ctrl+g",),
        label="Use other value",
        help="Set the field to the value of another administrator",
        run=_use_other_value,
        group="Form",
        views=FORM,
        resource=kind,
        possible=_why_no_other_value,
        belongs=lambda context: _checked_form(context) is not None,
    )


ACTIONS = (
    Action(
        name="cloudpbxs.edit",
        keys=("e",),
        label="Edit",
        help="Edit all settings of the CloudPBX, including its lists of numbers and rules",
        run=cloudpbx_edit.edit_cloudpbx,
        form_fields=cloudpbx_edit.form_fields,
        group="Change",
        views=RECORDS,
        resource=PBX,
        operation="update_cloudpbx",
        needs="record",
        footer=20,
    ),
    Action(
        name="cloudpbxs.try",
        keys=("T",),
        label="Test number",
        help="Show the routing of a dialled number, step by step",
        run=try_number.try_number,
        group="Records",
        views=RECORDS,
        resource=PBX,
        operation="get_cloudpbx_custom_numbers_restriction",
        needs="record",
        footer=35,
    ),
    Action(
        name="cloudpbxs.try_edited",
        keys=("f5", "ctrl+t"),
        label="Test number",
        help="Show the routing of a dialled number with the settings of this form",
        run=try_number.try_number,
        group="Form",
        views=FORM,
        resource=PBX,
        belongs=_is_editor,
        footer=12,
    ),
    use_their_value(PBX),
    Action(
        name="cloudpbxs.barring",
        keys=("B",),
        label="Barring",
        help="Show permissions, prohibited numbers and emergency numbers",
        run=_barring,
        group="Records",
        views=RECORDS,
        resource=PBX,
        operation="get_cloudpbx_barring_options",
        needs="record",
    ),
    Action(
        name="cloudpbxs.delete",
        keys=("x", "delete"),
        label="Delete",
        help="Delete the CloudPBX, or list what must be removed first",
        run=deletion.delete_cloudpbx,
        group="Change",
        views=RECORDS,
        resource=PBX,
        operation="delete_cloudpbx",
        needs="single",
        footer=60,
        dangerous=True,
    ),
    Action(
        name="cloudpbxs.force",
        keys=("X",),
        label="Delete all",
        help="Delete the CloudPBX with everything that belongs to it",
        run=deletion.delete_with_everything,
        group="Change",
        views=RECORDS,
        resource=PBX,
        operation="delete_cloudpbx",
        needs="single",
        dangerous=True,
    ),
)


def follow_call(kind: str, operation: str) -> Action:
    """The action that shows the path of calls to a record of another kind."""
    return Action(
        name=f"{kind}.calls",
        keys=("T",),
        label="Why it rings",
        help="Show why calls to this {record} ring or not: hours, devices, voicemail, and what changed",
        run=try_number.follow_call,
        group="Records",
        views=RECORDS,
        resource=kind,
        operation=operation,
        needs="record",
    )


def _call_view(context: Context) -> call_path_view.CallPathView | None:
    return context.view if isinstance(context.view, call_path_view.CallPathView) else None


def _in_call_view(context: Context) -> bool:
    return _call_view(context) is not None


async def _choose_time(context: Context) -> None:
    if view := _call_view(context):
        await view.choose_time(context)


async def _open_step(context: Context) -> None:
    if (view := _call_view(context)) and view.target is not None:
        await context.stage.open(view.target)


def _no_step(context: Context) -> str:
    view = _call_view(context)
    return "" if view and view.target is not None else _("this line has no record")


PATH_ACTIONS = (
    Action(
        name="calls.time",
        keys=("t",),
        label="Time",
        help="Choose the time of the call",
        run=_choose_time,
        group="Records",
        views=REPORT,
        resource=PBX,
        belongs=_in_call_view,
        footer=10,
    ),
    Action(
        name="calls.open",
        keys=("enter",),
        label="Open",
        help="Open the record of the step, or the change",
        run=_open_step,
        group="Records",
        views=REPORT,
        resource=PBX,
        belongs=_in_call_view,
        possible=_no_step,
        footer=5,
    ),
)

TRY_AS_SUBSCRIBER = Action(
    name="subscribers.try",
    keys=("T",),
    label="Test number",
    help="Show why calls to the subscriber ring or not, or where a dialled number leads",
    run=try_number.try_as_subscriber,
    group="Records",
    views=RECORDS,
    resource="subscribers",
    operation="get_cloudpbx_custom_numbers_restriction",
    needs="record",
)
