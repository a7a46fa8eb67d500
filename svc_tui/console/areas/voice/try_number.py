"""Testing a number on a CloudPBX, with its current or its edited settings; and the path of calls to one of its own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from svc_tui.console.areas.voice.call_path_view import CallPathView
from svc_tui.console.areas.voice.checked_edit import data_of
from svc_tui.console.areas.voice.checked_form_view import CloudPbxView
from svc_tui.console.areas.voice.cloudpbx_edit import exchange_of, read, read_pbx
from svc_tui.console.areas.voice.try_number_dialog import Own, TryNumber
from svc_tui.console.core.case_steps import of_test
from svc_tui.console.core.resource import Context
from svc_tui.interface.voice import call_steps, findings
from svc_tui.interface.voice.dialling import CallSettings
from svc_tui.language import _
from svc_tui.workspace.core.service import ReadError
from svc_tui.workspace.voice import calls

_FEW = 20
_OWN = {"ddis": "ddi_id", "sipdevices": "device_id", "subscribers": "subscriber_id"}


async def try_number(context: Context) -> None:
    """Open the dialog for the CloudPBX under the cursor, or for the one in the form."""
    view = context.view
    if isinstance(view, CloudPbxView):
        text = _("With the unsaved changes of this form.") if view.form.dirty else _("With the current settings.")
        await _ask(context, view.settings, exchange_of(view.settings, view.form.values, view.form.named), text)
    else:
        known = await read(context)
        await _ask(context, known.settings, exchange_of(known.settings, known.values, {}), "")


async def try_as_subscriber(context: Context) -> None:
    """Open the dialog for the subscriber under the cursor, whose barring applies too."""
    record, resource, workspace = context.require_record(), context.require_resource(), context.workspace
    path = resource.path_at(context.view.place, workspace.caller, resource.record_id(record))
    subscriber = data_of(await workspace.read("get_subscriber", path, {}))
    known = await read_pbx(context, path["systemId"])
    exchange = exchange_of(known.settings, known.values, {})
    name = resource.label(subscriber)
    await _ask(
        context,
        known.settings,
        replace(exchange, barring=subscriber.get("barringOptions") or {}),
        _("As {name}. Without a number: calls to {name}.").format(name=name),
        Own(call_steps.Called(system_id=path["systemId"], subscriber_id=path["phoneNumberId"]), name),
    )


async def follow_call(context: Context) -> None:
    """Show the path of calls to the number, the device or the user under the cursor."""
    record, resource = context.require_record(), context.require_resource()
    record_id, name = resource.record_id(record), resource.label(record)
    if context.kind == "users":
        body = await context.workspace.read("get_user", {"userId": record_id}, {"format": "full"})
        own = findings.extension_of(data_of(body))
        if own is None:
            context.stage.show_message(_("{name} has no extension: nothing rings.").format(name=name), "warn")
            return
        called = call_steps.Called(system_id=str(own["systemId"]), subscriber_id=str(own["phoneNumberId"]))
    else:
        system_id = resource.path_to(record, context.view.place, context.workspace.caller)["systemId"]
        called = call_steps.Called(system_id=system_id, **{_OWN[context.kind]: record_id})
    context.stage.collect("test", *of_test({"kind": context.kind, "id": record_id}, name))
    await context.stage.show(CallPathView(context, called, name))


async def _ask(
    context: Context, settings: Mapping[str, Any], exchange: CallSettings, text: str, start: Own | None = None
) -> None:
    system_id = str(settings.get("id") or "")

    async def who(number: str) -> dict[str, str] | None:
        return await _people(context, system_id, number)

    async def own(number: str) -> Own | None:
        """The number as one of this CloudPBX; None for any other."""
        try:
            found = await calls.find_owner(context.workspace, system_id, number, exchange.country)
        except ReadError:
            return None
        for kind, record_id in found.items():
            return Own(call_steps.Called(system_id=system_id, **{_OWN[kind]: record_id}), number)
        return None

    title = _("Test a number on {name}").format(name=settings.get("name"))
    dialog = TryNumber(title, exchange, who, own, context.workspace, text, start)
    chosen = await context.stage.ask(dialog)
    if (tested := dialog.tested) is not None:
        steps = " ".join(step.sentence for step in tested.steps)
        values = {"system": system_id, "result": tested.verdict.value}
        context.stage.collect("test", *of_test(values, f"{tested.dialled}: {steps}"))
    if chosen is not None:
        await context.stage.show(CallPathView(context, chosen.called, chosen.name))


async def _people(context: Context, system_id: str, number: str) -> dict[str, str] | None:
    """The subscriber of a number, by that number; None when unknown."""
    asked = {"shortNumber": number, "limit": _FEW}
    try:
        body = await context.workspace.read("list_system_phone_numbers", {"systemId": system_id}, asked)
    except ReadError:
        return None
    rows = body.get("data") or () if isinstance(body, dict) else ()
    return {str(row.get("shortNumber")): str(row.get("names") or number) for row in rows}
