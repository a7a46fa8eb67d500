"""The palette: every action of the current view, every place, and every field that can be edited here, by its words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from svc_tui.console.core.actions import actions_here, find_action
from svc_tui.console.core.choice import Choice
from svc_tui.console.core.places import Place
from svc_tui.console.core.resource import Context, Resource
from svc_tui.console.dialogs.picker import Picker
from svc_tui.console.editing.record_forms import gate_of
from svc_tui.console.shell.place_menu import place_choices
from svc_tui.console.shell.resources import ALL
from svc_tui.console.terminal.text import fit
from svc_tui.console.views.detail import DetailView
from svc_tui.interface import catalogue
from svc_tui.interface.field_specs import FieldSpec, fields_of
from svc_tui.language import _

#: How the values of entries begin that are no actions: places, and settings of the caller's company.
_PLACE, _SETTING = ":", "="


async def open_palette(context: Context) -> None:
    """Let the user choose an action, a place or a field, and run or open it."""
    stage, choices = context.stage, []
    # Actions for this view come first; keys that move the cursor are known.
    for action in sorted(actions_here(context), key=lambda action: action.moves):
        keys = " ".join(stage.registry.keys.keys(action.name))
        label = f"{fit(action.label, 23)} {fit(keys, 10)}"
        choices.append(Choice(action.name, label, action.help_for(context.resource), action.why_not(context)))
    choices += [
        replace(place, value=f"{_PLACE}{place.value}", label=f"{fit(place.label, 33)} ")
        for place in place_choices(context.workspace, declared=stage.declared)
    ]
    choices.sort(key=lambda choice: bool(choice.reason))
    chosen = await stage.ask(Picker(_("Actions and places"), choices, when_typed=_fields(context)))
    if chosen is None:
        return
    name, _separator, field = chosen.partition(_SETTING)
    if name.startswith(_PLACE):
        await stage.open(stage.resources[name.removeprefix(_PLACE)].place(), replace=True)
    elif name:
        stage.perform_by_name(name, field)
    else:
        await _edit_own_company(context, field)


def _fields(context: Context) -> list[Choice]:
    """The fields of the selected record; without records, the settings of the caller's company."""
    edit, resource = find_action(context, "edit"), context.resource
    if resource is None:
        return _own_settings(context, edit.label)
    if not edit.belongs(context):
        return _own_form(context)
    if edit.why_not(context):
        return []
    return _choices(context, resource, context.require_record(), edit.name, edit.label)


def _own_form(context: Context) -> list[Choice]:
    """The fields of a form that the area of the record makes itself, such as that of a CloudPBX."""
    action = next((action for action in actions_here(context) if action.form_fields), None)
    if action is None or action.form_fields is None or action.why_not(context):
        return []
    return _settable_first(_field(action.name, action.label, spec, why) for spec, why in action.form_fields(context))


def _own_settings(context: Context, label: str) -> list[Choice]:
    company, workspace = _own_company(), context.workspace
    company_id = company.kind.own_id(workspace.caller)
    if not (context.stage.declared and company_id and workspace.decide(company.update).allowed):
        return []
    return _choices(context, company, {"id": company_id}, "", f"{label} {company.singular}")


def _choices(context: Context, resource: Resource, record: Mapping[str, Any], action: str, label: str) -> list[Choice]:
    """Each field, with the reason why it cannot be set where all fields of the record are known."""
    cached = context.workspace.cache.read_record_now(resource.kind.name, resource.record_id(record))
    whole = resource.kind.flat(dict(cached.data)) if cached is not None else None
    gate = gate_of(resource, context.workspace.caller, whole or {})

    def reason(spec: FieldSpec) -> str:
        if whole is None:
            return ""
        needs = spec.facet.needs
        return gate(spec) or ("" if needs is None or needs.met(whole) else spec.condition)

    fields = fields_of(catalogue.body_of(resource.update))
    return _settable_first(_field(action, label, spec, reason(spec)) for spec in fields if not spec.facet.by_action)


def _field(action: str, label: str, spec: FieldSpec, reason: str) -> Choice:
    return Choice(f"{action}{_SETTING}{spec.wire}", f"{fit(spec.label, 33)} ", f"{label}: {spec.facet.help}", reason)


def _settable_first(choices: Iterable[Choice]) -> list[Choice]:
    return sorted(choices, key=lambda choice: bool(choice.reason))


def _own_company() -> Resource:
    return next(resource for resource in ALL if resource.kind.own == "company_id")


async def _edit_own_company(context: Context, field: str) -> None:
    company = _own_company()
    place = Place((company.name, company.kind.own_id(context.workspace.caller)))
    await context.stage.open(place)
    opened = context.stage.views[-1]
    if isinstance(opened, DetailView):
        await opened.loaded()
    if context.stage.views[-1] is opened:
        context.stage.perform_by_name("edit", field)
