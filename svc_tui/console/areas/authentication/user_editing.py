"""Forms of users: who may set what, roles that can be given, licences, and switching users on and off."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from svc_tui.console.core.actions import performed
from svc_tui.console.core.changes import Change, FieldChange
from svc_tui.console.core.choice import Choice, ChoiceLimits
from svc_tui.console.core.form_rules import Forbidden, Rules
from svc_tui.console.core.resource import AlsoEdited, Context
from svc_tui.console.dialogs.picker import Picker
from svc_tui.console.editing.bulk import BulkBox, marked_rows, show_result
from svc_tui.console.editing.record_edit import preview, undo_hint
from svc_tui.console.views.form import FormView
from svc_tui.console.views.list import ListView
from svc_tui.console.widgets.formatting import NOTHING
from svc_tui.interface.access import ADMIN_TYPES, Caller, Role, roles_of
from svc_tui.interface.authentication.user_rules import ADMIN, DECISIVE, NEW_USER, why_not_given
from svc_tui.interface.data import RecordData
from svc_tui.interface.field_specs import FieldSpec
from svc_tui.interface.problems import why_not_settable
from svc_tui.interface.telephone_numbers import read_number
from svc_tui.language import _
from svc_tui.lazy_import import lazy_import
from svc_tui.workspace.changes.bulk import Job, JobStep
from svc_tui.workspace.changes.journal import UndoEntry
from svc_tui.workspace.core.service import ReadError
from svc_tui.workspace.kinds.registry import KINDS
from svc_tui.workspace.subscriptions.licences import objection, profiles_of

if TYPE_CHECKING:
    from svc_tui.interface.authentication import user_changes
else:
    user_changes = lazy_import("svc_tui.interface.authentication.user_changes")

# --- who may set what --------------------------------------------------------------------------------------------


def why_not_managed(record: RecordData, caller: Caller | None) -> str:
    """Why the caller decides on no login of this user: a role that the caller cannot give. Empty when it does."""
    roles = record.get("roles")
    if caller is None or not isinstance(roles, list):
        return ""
    return _in_sentence(why_not_given(caller.roles, roles_of(map(str, roles), _type_of(record))))


def _type_of(record: RecordData) -> str | None:
    found = record.get("adminType")
    return str(found) if found in ADMIN_TYPES else None


def _in_sentence(sentence: str) -> str:
    """A sentence as a reason behind the label of an action."""
    return f"{sentence[:1].lower()}{sentence[1:].rstrip('.')}"


def may_set(spec: FieldSpec, caller: Caller, record: RecordData) -> str:
    """Why the caller may not set a field of a user; empty when it may. The record of a new user is empty."""
    if reason := why_not_settable(spec, caller.roles):
        return reason
    if not record.get("id"):
        return ""
    if record["id"] == caller.user_id:
        own = {
            "roles": _("your own roles are changed by another administrator"),
            "adminType": _("your own roles are changed by another administrator"),
            "password": _("your own password is changed in your account"),
            "isActive": _("your own account is deactivated by another administrator"),
        }
        return own.get(spec.wire, "")
    return why_not_managed(record, caller) if spec.wire in DECISIVE else ""


async def rules_of(context: Context, record: RecordData | None, start: Mapping[str, Any]) -> Rules:
    """The rules of the form of a user. Forbidden for a deleted one."""
    if record is not None and record.get("isTerminated"):
        raise Forbidden(_("The user is deleted."))
    caller = context.workspace.caller or Caller("")
    company = await _company(context, _company_id(context, record))

    def broken(values: Mapping[str, Any]) -> Mapping[str, str]:
        whole = {**NEW_USER, **(record or {}), **values}
        return {**_role_problems(caller, record or {}, whole, company), **_number_problems(values, whole, company)}

    def warns(values: Mapping[str, Any]) -> str:
        told = []
        if record is None and not values.get("password"):
            told.append(_("Without a password, the user cannot log in before one is set."))
        if record is not None and values.get("password"):
            told.append(_("A new password unlocks the account and ends the sessions of the user."))
        if record is not None and values.get("isActive") is False:
            told.append(_("All sessions of the user end."))
        return " ".join(told)

    # Under a company, its users are created there.
    above = context.view.place.parents.get("companies") if record is None else None
    fixed = {"companyId": above} if above else {}
    name = str(company.get("name") or "") if fixed else str((record or {}).get("displayName") or "")
    # A superadmin chooses the company in the form.
    is_bp = company.get("isBP") is not False or Role.SUPERADMIN in caller.roles

    def choices(spec: FieldSpec) -> Sequence[str]:
        return _offered(spec, caller, record or {}, is_bp=is_bp)

    return Rules(name=name, fixed=fixed, broken=broken, warns=warns, choices=choices)


async def begin(context: Context) -> Mapping[str, Any]:
    """The first values of a new user."""
    return {"roles": ["user"], "isActive": True}


def _company_id(context: Context, record: RecordData | None) -> str:
    caller = context.workspace.caller
    own = caller.company_id if caller else ""
    return str((record or {}).get("companyId") or context.view.place.parents.get("companies") or own)


async def _company(context: Context, company_id: str) -> RecordData:
    """The company; empty where it cannot be read: then only the service checks what depends on it."""
    try:
        found = (await context.workspace.read("get_company", {"companyId": company_id}, {"format": "full"})).get("data")
    except ReadError:
        return {}
    return found if isinstance(found, dict) else {}


def _role_problems(caller: Caller, before: RecordData, whole: RecordData, company: RecordData) -> Mapping[str, str]:
    """Field -> why these roles cannot be given, or are not complete."""
    roles, admin = [str(role) for role in whole.get("roles") or ()], _type_of(whole)
    if ADMIN in roles and admin is None:
        return {"adminType": _("is required with the role admin")}
    if ADMIN not in roles and admin is not None:
        return {"adminType": _("needs the role admin")}
    if sorted(roles) == sorted(before.get("roles") or ()) and admin == _type_of(before):
        return {}
    elsewhere = whole.get("companyId") not in (None, company.get("id"))
    is_bp = elsewhere or company.get("isBP") is not False
    reason = why_not_given(caller.roles, roles_of(roles, admin), is_bp=is_bp)
    return {"adminType" if admin and admin in reason else "roles": _in_sentence(reason)} if reason else {}


def _number_problems(values: Mapping[str, Any], whole: RecordData, company: RecordData) -> Mapping[str, str]:
    """The first telephone number that is none, or that is doubtful."""
    for each in values.get("phoneNumbers") or ():
        country = str(each.get("country") or whole.get("country") or company.get("country") or "") or None
        reading = read_number(str(each.get("number") or ""), country)
        if reading.outcome != "right":
            return {"phoneNumbers": f"{each.get('number')} {reading.advice}"}
    return {}


async def narrowed(context: Context, wire: str) -> ChoiceLimits | None:
    """The sites that a user can have: those of the company."""
    if wire != "siteId":
        return None
    view = context.require_view(FormView)
    company = str(view.form.values.get("companyId") or _company_id(context, view.form.before))
    return ChoiceLimits({"companyId": company})


def _offered(spec: FieldSpec, caller: Caller, record: RecordData, *, is_bp: bool) -> Sequence[str]:
    """The choices of a field that the caller may give, and that of the record."""
    if spec.wire == "roles":
        types = [each.value for each in ADMIN_TYPES]
        return [
            role
            for role in spec.choices
            if any(
                not why_not_given(caller.roles, roles_of([role], each), is_bp=is_bp)
                for each in (types if role == ADMIN else [None])
            )
        ]
    if spec.wire == "adminType":
        return [
            each
            for each in spec.choices
            if each in (NEW_USER["adminType"], record.get("adminType"))
            or not why_not_given(caller.roles, roles_of([ADMIN], each))
        ]
    return spec.choices


# --- licences ----------------------------------------------------------------------------------------------------


def _held(record: RecordData) -> Mapping[str, Any]:
    own = [profile for profile in profiles_of(record) if not profile.get("isDefault")]
    return {"licences": [str(profile.get("subscriptionId")) for profile in own]}


def _offers(record: RecordData) -> Mapping[str, str]:
    """The names of the offers of a user's licences, by subscription."""
    return {
        str(each.get("subscriptionId")): str(each["offerName"]) for each in profiles_of(record) if each.get("offerName")
    }


def _licence_changes(
    before: Mapping[str, Any], values: Mapping[str, Any], user_id: str, named: Mapping[str, str]
) -> Sequence[Change]:
    old, new = list(before.get("licences") or ()), list(values.get("licences") or ())
    added = [(each, True) for each in new if each not in old]
    removed = [(each, False) for each in old if each not in new]
    return [_licence_change(user_id, each, named.get(each, each), assign) for each, assign in (*removed, *added)]


def _licence_change(user_id: str, subscription_id: str, name: str, assign: bool) -> Change:
    label = _("Assign {offer}").format(offer=name) if assign else _("Unassign {offer}").format(offer=name)
    operations = ("assign_licence", "unassign_licence")
    operation, opposite = operations if assign else reversed(operations)
    path = {"userId": user_id, "subscriptionId": subscription_id}
    about = {"subscriptionId": subscription_id, "offerName": name}
    return Change(
        label=label,
        operation=operation,
        path=path,
        body={} if assign else None,
        fields=(FieldChange(_("Licence"), *((NOTHING, name) if assign else (name, NOTHING))),),
        reach=_("Affects 1 user."),
        undo=UndoEntry.of_opposite(label, KINDS["licences"], opposite, path, about),
    )


def licences() -> AlsoEdited:
    """The licences of a user, as fields of the form."""
    return AlsoEdited(fields=user_changes.LicenceFields, before=_held, changes=_licence_changes, names=_offers)


async def ask_licences(context: Context, label: str, value: Any) -> Any:
    """Choose a subscription whose licence is assigned or unassigned."""
    view = context.require_view(FormView)
    taken, user = list(value or ()), view.form.before
    company = str(view.form.values.get("companyId") or _company_id(context, user))
    answer = await context.workspace.read("list_company_subscriptions", {"companyId": company}, {"format": "full"})
    choices = []
    for each in answer.get("data") or ():
        found, name = str(each.get("id")), str(each.get("offerName") or "?")
        view.form.named[found] = name
        reason = "" if found in taken else objection({"companyId": company, **user}, each, assign=True)
        used, most = each.get("numberAssignedUsers") or 0, each.get("maxNumberUsers")
        seats = _("{used} of {most} assigned").format(used=used, most=most) if most is not None else ""
        if not each.get("isDefault"):
            choices.append(Choice(found, name, _("chosen") if found in taken else seats, reason))
    choices.sort(key=lambda choice: bool(choice.reason))
    chosen = await context.stage.ask(Picker(label, choices))
    if chosen is None:
        return None
    kept = [each for each in taken if each != chosen]
    return kept if chosen in taken else [*kept, chosen]


# --- on and off --------------------------------------------------------------------------------------------------


async def activate(context: Context) -> None:
    """Activate the user, or all marked ones."""
    await _switch(context, active=True)


async def deactivate(context: Context) -> None:
    """Deactivate the user, or all marked ones."""
    await _switch(context, active=False)


async def _switch(context: Context, *, active: bool) -> None:
    action = performed(context)
    resource, caller = context.require_resource(), context.workspace.caller
    body = {"isActive": active}
    if context.marked:
        view = context.require_view(ListView)
        rows = await marked_rows(context, view)
        reasons = {id: why for id, row in rows.items() if (why := _why_not_switched(row, caller, active=active))}
        steps = [_switch_step(context, id, rows.get(id), body) for id in context.marked]
        job = Job(context.workspace, "update_user", steps)
        unfinished = await context.stage.ask(BulkBox(context.workspace.journal, action, resource, job, reasons))
        view.records.set_marks(unfinished or ())
        show_result(context, action.label, job)
        return
    record = context.require_record()
    path = resource.path_at(context.view.place, caller, resource.record_id(record))
    label = f"{action.label} {resource.label(record)}"
    change = Change(
        label=label,
        operation="update_user",
        path=path,
        body=body,
        fields=(FieldChange(_("Active"), *(("no", "yes") if active else ("yes", "no"))),),
        reach=_("Affects 1 user."),
        warning="" if active else _("The user cannot log in, and all sessions end. Activating brings no session back."),
        undo=UndoEntry.of_update(label, resource.kind, "update_user", path, body, dict(record)),
    )
    outcome = await preview(context, change)
    if outcome is not None and outcome.error is None:
        context.stage.show_message(f"{label}: {_('done')}.{undo_hint(context, change)}", "ok")


def _switch_step(context: Context, user_id: str, row: RecordData | None, body: RecordData) -> JobStep:
    """The step for one marked user."""
    resource = context.require_resource()
    label = resource.label(row) if row else user_id
    path = resource.path_at(context.view.place, context.workspace.caller, user_id)
    undo = (
        UndoEntry.of_update(f"{performed(context).label} {label}", resource.kind, "update_user", path, body, dict(row))
        if row
        else None
    )
    return JobStep(user_id, label, path, body, undo=undo)


def _why_not_switched(row: RecordData, caller: Caller | None, *, active: bool) -> str:
    if row.get("isActive") is active:
        return _("is active already") if active else _("is inactive already")
    if caller is not None and row.get("id") == caller.user_id:
        return _("is your own account")
    return why_not_managed(row, caller)
