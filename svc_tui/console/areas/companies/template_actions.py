"""Duplicating a template, and applying one after a comparison."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from svc_tui.console.core.changes import Change, FieldChange
from svc_tui.console.core.choice import Choice
from svc_tui.console.core.place_requests import full_record
from svc_tui.console.core.resource import Context, Resource
from svc_tui.console.dialogs.picker import Picker
from svc_tui.console.editing.record_edit import preview
from svc_tui.console.editing.record_forms import new_form
from svc_tui.console.views.form import FormView
from svc_tui.console.widgets.bars import Piece
from svc_tui.console.widgets.formatting import written
from svc_tui.interface.catalogue import body_of
from svc_tui.interface.customisation.features import ENABLED, FEATURES, SAME, with_defaults
from svc_tui.interface.field_specs import field_by_wire
from svc_tui.interface.labels import label_of
from svc_tui.interface.value_words import capitalised, word
from svc_tui.language import _
from svc_tui.workspace.core.service import ReadError

#: Most records offered for a typed text.
_OFFERED = 50
#: Key, kind and name of each target of a template; and the templates for only one of the two.
_TARGETS = (("c", "companies", _("a company")), ("u", "users", _("a user")))
_FOR = {"default_user": "users", "default_company": "companies", "private_default_company": "companies"}


async def _template(context: Context) -> Mapping[str, Any]:
    return await full_record(context, context.require_resource().record_id(context.require_record()))


async def copy_form(context: Context) -> FormView:
    """The form of a new template with the values of the selected one, except its name."""
    template = await _template(context)
    specs = field_by_wire(body_of("create_template"))
    start = {
        feature.key: template[feature.key]
        for feature in FEATURES
        if feature.key in template and (not feature.values or template[feature.key] in specs[feature.key].choices)
    }
    return await new_form(context, start)


def ask_target(context: Context) -> None:
    """Apply the template to a company or a user; for templates of both kinds the next key chooses."""
    only = _FOR.get(str((context.record or {}).get("type")))
    targets = [target for target in _TARGETS if only in (None, target[1])]
    actions = {key: partial(_apply, kind, context) for key, kind, __ in targets}
    text = [Piece(_(" apply to   "), "accent")]
    for key, __, label in targets:
        text += [Piece(key, "key"), Piece(f" {label}   ")]
    if only:
        text.append(Piece(_("  only for {only}").format(only=only), "dim"))
    context.stage.await_key(actions, text)


async def _apply(kind: str, context: Context) -> None:
    resource = context.stage.resources[kind]
    target_id = await context.stage.ask(_picker(context, resource))
    if target_id is None:
        return
    template = await _template(context)
    target = await _read(context, resource, target_id)
    change = application(template, resource, target, await _selected(context, template, target))
    outcome = await preview(context, change)
    if outcome is not None and outcome.error is None:
        context.stage.show_message(
            _("Applied {name} to {label}.").format(name=template.get("name"), label=resource.label(target)), "ok"
        )


def _picker(context: Context, resource: Resource) -> Picker:
    async def found(text: str) -> Sequence[Choice]:
        query = {"format": "medium", "limit": _OFFERED, **({resource.label_field: text} if text else {})}
        body = await context.workspace.read(resource.list, {}, query)
        rows = body.get("data", []) if isinstance(body, dict) else []
        detail = "loginEmail" if resource.name == "users" else "status"
        return [Choice(resource.record_id(row), resource.label(row), str(row.get(detail) or "")) for row in rows]

    return Picker(_("Apply to which {singular}?").format(singular=resource.singular), search=found)


async def _read(context: Context, resource: Resource, record_id: str) -> Mapping[str, Any]:
    body = await context.workspace.read(resource.kind.get, {resource.kind.parameter: record_id}, {"format": "full"})
    found = body.get("data") if isinstance(body, dict) else None
    return found if isinstance(found, dict) else {}


async def _selected(context: Context, template: Mapping[str, Any], target: Mapping[str, Any]) -> str:
    """The name of a company's current template; its ID where the name cannot be read, empty without one."""

    selected = str(target.get("selectedAppCustomisationTemplate") or "")
    if not selected or selected == template.get("id"):
        return str(template.get("name")) if selected else ""
    try:
        found = await _read(context, context.stage.resources["templates"], selected)
    except ReadError:
        return selected
    return str(found.get("name") or selected)


def application(
    template: Mapping[str, Any], resource: Resource, target: Mapping[str, Any], selected: str = ""
) -> Change:
    """The change that applies a template to a company or a user, with each key before and after.

    `selected` is the name of the company's current template.
    """
    name, to_company = str(template.get("name") or ""), resource.name == "companies"
    fields = differences(template, target, to_company=to_company)
    if to_company and selected != name:
        fields = (FieldChange(_("Template"), written(selected), written(name)), *fields)
    users = _(", and its users where their settings follow it") if to_company else ""
    return Change(
        label=_("Apply {name} to {label}").format(name=name, label=resource.label(target)),
        operation="apply_template",
        path={},
        body={"name": name, resource.kind.parameter: resource.record_id(target)},
        fields=fields,
        reach=_("Affects 1 {singular}{users}.").format(singular=resource.singular, users=users),
        warning="" if fields else _("Nothing to change: all keys already have these values."),
    )


def differences(template: Mapping[str, Any], target: Mapping[str, Any], *, to_company: bool) -> tuple[FieldChange, ...]:
    """The keys that the template changes, before and after; those that it enables come last.

    A key without a value in the template is not changed.
    """
    values = with_defaults(template)
    found = []
    for feature in FEATURES:
        before = target.get(feature.key) or (feature.company_default if to_company else SAME)
        after = SAME if template.get("type") == "default_user" and feature.values else values[feature.key]
        if after is not None and before != after:
            found.append(FieldChange(label_of(feature.key), capitalised(word(before)), capitalised(word(after))))
    return tuple(sorted(found, key=lambda change: change.new == capitalised(word(ENABLED))))
