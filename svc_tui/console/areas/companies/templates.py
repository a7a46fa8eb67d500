"""Customisation templates: columns and actions (2.8, 4.4)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from svc_tui.console.areas.companies import template_actions
from svc_tui.console.core.actions import FORM, RECORDS, Action
from svc_tui.console.core.form_rules import Consistency, Contradiction
from svc_tui.console.core.resource import Context, Display, Editing, Resource
from svc_tui.console.views import form
from svc_tui.console.widgets.formatting import day
from svc_tui.console.widgets.list.columns import Column
from svc_tui.interface.access import Caller, Subject
from svc_tui.interface.customisation import features
from svc_tui.interface.data import RecordData
from svc_tui.language import _
from svc_tui.workspace.kinds.registry import KINDS

TEMPLATES = "templates"
TYPES = {
    "default_company": (_("full"), "accent"),
    "default_user": (_("as company"), "accent"),
    "private_default_company": (_("own default"), "ok"),
    "other": ("other", ""),
}
VISIBILITIES = {"public": ("public", "dim"), "private": ("private", "")}


def _off(value: Any, record: RecordData) -> str:
    """The number of disabled keys."""
    return str(sum(value == "disabled" for value in record.values()))


def _subject(record: RecordData, caller: Caller) -> Subject:
    return Subject(company_id=str(record.get("ownedByCompany") or ""))


def _frozen(record: RecordData) -> str:
    return _("public templates are read-only: duplicate one to change it") if _public(record) else ""


def _public(record: RecordData) -> bool:
    return record.get("visibility") == "public"


def _broken(values: Mapping[str, Any]) -> Sequence[Contradiction]:
    return features.contradictions(_given(values))


def _given(values: Mapping[str, Any]) -> dict[str, Any]:
    """The values without cleared ones, which have their default again."""
    return {wire: value for wire, value in values.items() if value is not None}


def _repaired(values: Mapping[str, Any], changed: str) -> Mapping[str, Any]:
    return features.repaired(_given(values), changed)


def _may(operation_id: str, context: Context) -> str:
    """Why the role does not allow the operation for any template."""
    return context.workspace.decide(operation_id).reason if context.stage.declared else ""


async def _copy(context: Context) -> None:
    await context.stage.show(await template_actions.copy_form(context))


def _form(context: Context) -> form.FormView:
    return context.require_view(form.FormView)


ACTIONS = (
    Action(
        name="templates.copy",
        keys=("C",),
        label="Duplicate",
        help="Create a template with the values of this one",
        run=_copy,
        group="Change",
        views=RECORDS,
        resource=TEMPLATES,
        operation="create_template",
        needs="record",
        footer=35,
    ),
    Action(
        name="templates.apply",
        keys=("A",),
        label="Apply",
        help="Apply this template to a company or a user, after a comparison",
        run=template_actions.ask_target,
        group="Change",
        views=RECORDS,
        resource=TEMPLATES,
        needs="single",
        possible=lambda context: _may("apply_template", context),
        footer=40,
    ),
    Action(
        name="templates.repair",
        keys=("ctrl+g",),
        label="Fix contradictions",
        help="Set the keys that contradict your changes to values that the service accepts",
        run=lambda context: _form(context).repair(),
        group="Form",
        views=FORM,
        resource=TEMPLATES,
        possible=lambda context: "" if _form(context).form.contradictions else _("no keys contradict each other"),
        footer=15,
    ),
)

RESOURCE = Resource(
    kind=KINDS[TEMPLATES],
    title="Customisation templates",
    singular="template",
    aliases=("template", "customisation"),
    display=Display(
        columns=(
            Column(field="name", title="NAME", width=22, flex=3, sort_field="name"),
            Column(field="type", title="KIND", width=11, state=TYPES),
            Column(field="visibility", title="VISIBLE", width=7, state=VISIBILITIES, priority=2),
            Column(field="fileStorageCustomisation", title="OFF", width=4, align="right", format=_off),
            Column(field="creationDate", title="CREATED", width=10, format=day, sort_field="creationDate", priority=3),
            Column(field="ownedByCompany", title="COMPANY", width=18, flex=1, limit=30, priority=1, across=True),
        ),
    ),
    query={"format": "full"},
    sort="name",
    create="create_template",
    update="update_template",
    delete="delete_template",
    subject=_subject,
    editing=Editing(
        frozen=_frozen,
        consistency=Consistency(_broken, _repaired, action="templates.repair"),
    ),
)

RESOURCES = (RESOURCE,)
