"""What is done with a CloudPBX: editing everything of it, trying a number, deleting it (4.7)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from svc_tui.console.core.actions import FORM, RECORDS, Action
from svc_tui.console.core.resource import Context

if TYPE_CHECKING:
    from svc_tui.console.areas.voice.checked_form_view import GuardedView
    from svc_tui.console.areas.voice.cloudpbx_form_view import CloudPbxView

PBX = "cloudpbxs"


async def _barring(context: Context) -> None:
    from svc_tui.console.areas.voice.barring_view import BarringView

    record, resource = context.require_record(), context.require_resource()
    view = BarringView(context, resource.record_id(record), resource.label(record))
    await view.load()
    await context.stage.show(view)


def _editor(context: Context) -> CloudPbxView | None:
    from svc_tui.console.areas.voice.cloudpbx_form_view import CloudPbxView

    return context.view if isinstance(context.view, CloudPbxView) else None


def _is_editor(context: Context) -> bool:
    return _editor(context) is not None


def _guarded(context: Context) -> GuardedView | None:
    from svc_tui.console.areas.voice.checked_form_view import GuardedView

    return context.view if isinstance(context.view, GuardedView) else None


def _theirs(context: Context) -> None:
    if view := _guarded(context):
        view.take_theirs()


def _contested(context: Context) -> str:
    view = _guarded(context)
    return "" if view and view.wire in view.contested else "nobody else changed this field"


def take_theirs(kind: str) -> Action:
    """In a form that is held against what somebody else changed meanwhile: the other value is taken."""
    return Action(
        name=f"{kind}.theirs",
        keys=("ctrl+y",),
        label="Take theirs",
        help="Give the field the value that somebody else set meanwhile",
        run=_theirs,
        group="Form",
        views=FORM,
        resource=kind,
        possible=_contested,
        belongs=lambda context: _guarded(context) is not None,
    )


ACTIONS = (
    Action(
        name="cloudpbxs.edit",
        keys=("e",),
        label="Edit",
        help="Change any setting of the CloudPBX, its lists of numbers and rules among them",
        run="areas.voice.cloudpbx_edit:edit_cloudpbx",
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
        label="Try a number",
        help="See what the CloudPBX would make of a dialled number, step by step",
        run="areas.voice.try_number:try_number",
        group="Records",
        views=RECORDS,
        resource=PBX,
        operation="get_cloudpbx_custom_numbers_restriction",
        needs="record",
        footer=35,
    ),
    Action(
        name="cloudpbxs.try_edited",
        keys=("ctrl+t",),
        label="Try a number",
        help="See what the CloudPBX would make of a dialled number, with what was changed here",
        run="areas.voice.try_number:try_number",
        group="Form",
        views=FORM,
        resource=PBX,
        belongs=_is_editor,
        footer=12,
    ),
    take_theirs(PBX),
    Action(
        name="cloudpbxs.barring",
        keys=("B",),
        label="Barring",
        help="What may be called: permissions, prohibited numbers, emergency numbers",
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
        help="Delete the CloudPBX; what it still has is shown, with ways to go there",
        run="areas.voice.deletion:delete_cloudpbx",
        group="Change",
        views=RECORDS,
        resource=PBX,
        operation="delete_cloudpbx",
        needs="record",
        footer=60,
        dangerous=True,
    ),
    Action(
        name="cloudpbxs.force",
        keys=("X",),
        label="Delete with all",
        help="Delete the CloudPBX with everything that belongs to it",
        run="areas.voice.deletion:delete_with_everything",
        group="Change",
        views=RECORDS,
        resource=PBX,
        operation="delete_cloudpbx",
        needs="record",
        dangerous=True,
    ),
)

TRY_AS_SUBSCRIBER = Action(
    name="subscribers.try",
    keys=("T",),
    label="Try a number",
    help="See what becomes of a number that the subscriber dials: his own barring decides too",
    run="areas.voice.try_number:try_as_subscriber",
    group="Records",
    views=RECORDS,
    resource="subscribers",
    operation="get_cloudpbx_custom_numbers_restriction",
    needs="record",
)
