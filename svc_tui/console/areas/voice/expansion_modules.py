"""Adding an expansion module to a desk phone: supported modules, and the functions of their keys."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from svc_tui.client.errors import problems_of
from svc_tui.console.core.changes import Change, field_changes
from svc_tui.console.core.form import Form
from svc_tui.console.core.form_rules import Consistency
from svc_tui.console.core.place_requests import full_record
from svc_tui.console.core.resource import Context
from svc_tui.console.editing.record_edit import preview
from svc_tui.console.views.form import FormView
from svc_tui.interface import catalogue
from svc_tui.interface.errors import Code
from svc_tui.interface.voice.expansion_modules import module_problems
from svc_tui.interface.voice.numbering import VoiceContradiction
from svc_tui.language import _

_ADD = "add_sip_device_expansion_module"


async def add_module(context: Context) -> None:
    """Open the form of a module for the device under the cursor, if its model supports one."""
    resource, record = context.require_resource(), context.require_record()
    record_id = resource.record_id(record)
    path = resource.path_at(context.view.place, context.workspace.caller, record_id)
    device = await full_record(context, record_id)
    name = resource.label(device)
    model = await _model(context, path, device)
    taken = model.get("expansionModules") or ()
    if not taken:
        context.stage.show_message(
            _("{name}: {model} has no expansion modules.").format(
                name=name, model=model.get("model") or _("this model")
            ),
            "warn",
        )
        return
    form = Form(catalogue.body_of("add_sip_device_expansion_module"), frozenset())
    form.set("type", taken[0])
    form.begin()
    # The module and its keys are free choices, so nothing is set automatically.
    form.consistency = Consistency(lambda values: _broken(model, values), lambda values, changed: values)

    async def review(view: FormView) -> None:
        await _review(context, view, path, name)

    title = _("Module {expansion_modules} of {name}").format(
        expansion_modules=len(device.get("expansionModules") or ()) + 1, name=name
    )
    await context.stage.show(FormView(context.view.place, resource, title, form, review, send=_("Review and add")))


async def _model(context: Context, path: Mapping[str, str], device: Mapping[str, Any]) -> Mapping[str, Any]:
    """The model of a device from the list of models; a model that is not listed supports nothing."""
    kind = device.get("deviceType") or {}
    body = await context.workspace.read("list_cloudpbx_device_models", path, {})
    models = body.get("data") or () if isinstance(body, dict) else ()
    return next((each for each in models if each.get("id") == kind.get("id")), {"model": kind.get("model")})


def _broken(model: Mapping[str, Any], values: Mapping[str, Any]) -> list[VoiceContradiction]:
    return [VoiceContradiction(each.param, "", each.msg, Code.VALIDATION) for each in module_problems(model, values)]


async def _review(context: Context, view: FormView, path: Mapping[str, str], name: str) -> None:
    body = view.form.body()
    change = Change(
        label=_("Add {type} to {name}").format(type=body["type"], name=name),
        operation=_ADD,
        path=path,
        body=body,
        fields=field_changes(_ADD, {}, body),
        reach=_("Affects 1 device."),
        warning=_("A module cannot be changed or removed later."),
    )
    outcome = await preview(context, change)
    if outcome is None:
        return
    if outcome.error is not None:
        text = {(problem.param or "").partition(".")[0]: problem.msg for problem in problems_of(outcome.error)}
        view.refuse(text or {"": str(outcome.error)})
        return
    await context.stage.back()
    context.view.refresh_now()
    context.stage.show_message(_("Added {type} to {name}.").format(type=body["type"], name=name), "ok")
