"""Companies and sites: columns, tree, access and deletion (2.7, 4.4)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from svc_tui.console.areas.companies import deletion, facts, tree_view
from svc_tui.console.areas.companies import image_actions as images
from svc_tui.console.areas.companies.image_actions import company_subject, managing_partner, terminated
from svc_tui.console.core.actions import LIST, RECORDS, REPORT, Action
from svc_tui.console.core.resource import Context, Display, Editing, Placement, RelatedList, Resource, managed
from svc_tui.console.widgets.formatting import day
from svc_tui.console.widgets.list.columns import Column
from svc_tui.interface import catalogue, field_specs
from svc_tui.interface.access import Caller, Subject
from svc_tui.interface.companies import access
from svc_tui.interface.data import RecordData
from svc_tui.language import _
from svc_tui.workspace.kinds.registry import KINDS

if TYPE_CHECKING:
    from svc_tui.interface.field_specs import FieldSpec

STATUSES = {
    "initializing": ("initializing", "accent"),
    "active": ("active", "ok"),
    "alerting": ("alerting", "warn"),
    "hold": ("on hold", "warn"),
    "terminated": ("terminated", "dim"),
}


def size_in_short(value: Any, _: RecordData) -> str:
    """The number of employees, without the word."""
    return str(value or "").removesuffix(" employees")


def _empties(record: RecordData, changed: Mapping[str, Any]) -> list[str]:
    """The settings that no longer apply with a change, such as the state of an address in another country."""
    after = {**record, **changed}
    return [
        spec.wire
        for spec in field_specs.fields_of(catalogue.body_of("update_company"))
        if spec.facet.needs is not None
        and spec.wire not in changed
        and record.get(spec.wire) not in (None, "", [])
        and spec.facet.needs.met(record)
        and not spec.facet.needs.met(after)
    ]


def _may_set(spec: FieldSpec, caller: Caller, record: RecordData) -> str:
    if not record:
        record = {"bpId": caller.company_id, "organisationId": caller.organisation_id}
        return access.why_not_settable_in(spec, caller, record, creating=True, labels=True)
    return access.why_not_settable_in(spec, caller, record, managing_partner(record, caller), labels=True)


def _tree(context: Context) -> tree_view.TreeView | None:
    return context.view if isinstance(context.view, tree_view.TreeView) else None


async def _show_tree(context: Context) -> None:
    unicode = context.stage.terminal.unicode
    await context.stage.show(
        tree_view.TreeView(context.view.place, context.require_resource(), context.workspace, unicode=unicode)
    )


async def _leave_tree(context: Context) -> None:
    await context.stage.back()


async def _open(context: Context) -> None:
    if context.record is None:
        _toggle(context)
        return
    resource = context.require_resource()
    place = resource.place(resource.record_id(context.record))
    await context.stage.open(place, known=context.record)


def _toggle(context: Context) -> None:
    if view := _tree(context):
        view.toggle_branch()


def _expand(context: Context) -> None:
    if view := _tree(context):
        view.expand_branch()


def _collapse(context: Context) -> None:
    if view := _tree(context):
        view.collapse_branch()


def _deletable(context: Context) -> str:
    if context.marked or context.record is None:
        return ""

    if access.is_reserved(context.record):
        return _("{name} is built in and cannot be deleted").format(name=context.record.get("name"))
    return terminated(context.record)


def _in_tree(name: str, keys: tuple[str, ...], label: str, help: str, run: Any, footer: int = 0) -> Action:
    """An action of the tree."""
    return Action(
        name=f"companies.tree_{name}",
        keys=keys,
        label=label,
        help=help,
        run=run,
        group="Tree",
        views=REPORT,
        resource="companies",
        belongs=lambda c: _tree(c) is not None,
        possible=lambda c: "" if _tree(c) is not None else _("only in the tree"),
        footer=footer,
    )


COMPANIES = Resource(
    kind=KINDS["companies"],
    title="Companies",
    singular="company",
    aliases=("company", "customers"),
    known_as=("customer", "tenant", "partner"),
    section=2,
    display=Display(
        columns=(
            Column(field="name", title="NAME", width=20, flex=3, sort_field="name"),
            Column(field="status", title="STATUS", width=12, state=STATUSES, sort_field="status"),
            Column(field="isBP", title="KIND", width=6, format=facts.kind_in_words, sort_field="isBP"),
            *facts.COLUMNS,
            Column(field="country", title="COUNTRY", width=7, sort_field="country", priority=5),
            Column(field="creationDate", title="CREATED", width=10, format=day, sort_field="creationDate", priority=6),
            Column(field="size", title="EMPLOYEES", width=10, format=size_in_short, priority=7),
            Column(field="adminEmail", title="ADMINISTRATOR", width=24, flex=1, limit=34, priority=8),
        ),
    ),
    query={"format": "medium"},
    sort="name",
    create="create_company",
    update="update_company",
    subject=company_subject,
    editing=Editing(
        may_set=_may_set,
        empties=_empties,
        frozen=terminated,
        not_alike=frozenset(
            {
                *("name", "description", "slogan", "website", "street", "city", "postalCode", "status"),
                *("adminEmail", "supportEmail", "supportUrlFAQ", "companyContactId", "companyCallNumber"),
                *("externalReference", "externalReference2", "salesforceAccountId", "superadminComment"),
                *("businessData", "customData", "bpApplicantNumber", "bpCRDid", "bpIsContractAccepted"),
                "userSelfRegisterAllowedDomains",
            }
        ),
    ),
    placement=Placement(
        parents={"companies": "bpId"},
    ),
    related=(
        RelatedList("S", "sites", "Sites"),
        RelatedList("U", "users", "Users"),
        RelatedList("C", "companies", "Customers"),
        RelatedList("P", "mfasettings", "Policies"),
        RelatedList("T", "templates", "Templates"),
    ),
)


def _site_subject(record: RecordData, caller: Caller) -> Subject:
    return managed(str(record.get("companyId") or ""), caller)


SITES = Resource(
    kind=KINDS["sites"],
    title="Sites",
    singular="site",
    aliases=("site",),
    display=Display(
        columns=(
            Column(field="name", title="NAME", width=20, flex=3, sort_field="name"),
            Column(field="status", title="STATUS", width=12, state=STATUSES, sort_field="status"),
            Column(field="companyId", title="COMPANY", width=24, flex=1, priority=1, across=True),
        ),
    ),
    query={"format": "full"},
    sort="name",
    create="create_site",
    update="update_site",
    delete="delete_site",
    placement=Placement(
        parents={"companies": "companyId"},
    ),
    subject=_site_subject,
)

RESOURCES = (COMPANIES, SITES)

ACTIONS: tuple[Action, ...] = (
    *images.ACTIONS,
    Action(
        name="companies.delete",
        keys=("x", "delete"),
        label="Delete",
        help="Delete the company, or list what must be removed first",
        run=deletion.delete_company,
        group="Change",
        views=RECORDS,
        resource="companies",
        operation="delete_company",
        needs="records",
        possible=_deletable,
        footer=40,
        dangerous=True,
    ),
    Action(
        name="companies.tree",
        keys=("t",),
        label="Tree",
        help="Show partners, their resellers and end customers as a tree",
        run=_show_tree,
        group="Go",
        views=LIST,
        resource="companies",
        footer=35,
    ),
    _in_tree("open", ("enter",), _("Open"), _("Open the company, or load more"), _open, 10),
    _in_tree("turn", ("space",), _("Expand/collapse"), _("Expand or collapse the company"), _toggle, 20),
    _in_tree("unfold", ("right", "l"), _("Expand"), _("Show the companies below this one"), _expand),
    _in_tree(
        "fold", ("left", "h"), _("Collapse"), _("Hide the companies below this one, or go to the one above"), _collapse
    ),
    _in_tree("leave", ("t",), _("List"), _("Return to the list"), _leave_tree, 30),
)
